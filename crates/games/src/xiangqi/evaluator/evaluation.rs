//! Evaluation terms of a position other than piece placement.

use super::super::leaps::horse_attacks;
use super::super::lines::{BETWEEN, CROSS, cannon_captures, chariot_attacks};
use super::super::pieces::PieceKind;
use super::super::rules::Xiangqi;
use super::super::squares::{BOARD, FILES, HALVES, PALACES, file_of, squares};
use super::terms::{self, TermSink};
use engine::game::Side;

#[inline]
fn count(set: u128) -> usize {
    set.count_ones() as usize
}

/// Term of a piece on its square, added (+1) or removed (-1).
#[inline]
pub(super) fn place(side: Side, kind: PieceKind, square: u8, sign: i32, tally: &mut impl TermSink) {
    let seen = terms::seen_by(side, square);
    tally.add(terms::placed(kind.index(), seen), sign * side.sign());
}

/// All placement terms.
pub(super) fn places(pos: &Xiangqi, tally: &mut impl TermSink) {
    for square in squares(pos.occupied()) {
        if let Some((side, kind)) = pos.at(square) {
            place(side, kind, square, 1, tally);
        }
    }
}

/// All terms except placement.
pub(super) fn other_terms(pos: &Xiangqi, tally: &mut impl TermSink) {
    for side in Side::BOTH {
        pieces(pos, side, tally);
        guards(pos, side, tally);
        cannons_at_general(pos, side, tally);
        soldiers(pos, side, tally);
    }
    tally.add(terms::TO_MOVE, pos.mover().sign());
}

/// Mobility, palace attacks and threats of horses, chariots and cannons.
fn pieces(pos: &Xiangqi, side: Side, tally: &mut impl TermSink) {
    let (sign, opponent) = (side.sign(), side.other());
    let (own, occupied) = (pos.of(side), pos.occupied());
    let palace = PALACES & HALVES[opponent.index()];
    let chariots = pos.pieces(opponent, PieceKind::Chariot);
    let safe = !own & !soldier_attacks(pos, opponent);
    let mut assailants = 0;
    let mut threatened = 0;
    for from in squares(pos.pieces(side, PieceKind::Horse)) {
        let reach = horse_attacks(from, occupied);
        tally.add(terms::horse(count(reach & safe)), sign);
        if reach & palace != 0 {
            assailants += 1;
            tally.add(terms::PALACE_BY_HORSE, sign * count(reach & palace) as i32);
        }
        threatened |= reach & chariots;
    }
    for from in squares(pos.pieces(side, PieceKind::Chariot)) {
        let reach = chariot_attacks(from, pos.cross(from));
        tally.add(terms::chariot(count(reach & safe)), sign);
        if reach & palace != 0 {
            assailants += 1;
            tally.add(terms::PALACE_BY_CHARIOT, sign * count(reach & palace) as i32);
        }
    }
    for from in squares(pos.pieces(side, PieceKind::Cannon)) {
        let cross = pos.cross(from);
        let captures = cannon_captures(from, cross);
        let reach = chariot_attacks(from, cross) & !occupied | captures;
        tally.add(terms::cannon(count(reach & safe)), sign);
        if reach & palace != 0 {
            assailants += 1;
            tally.add(terms::PALACE_BY_CANNON, sign * count(reach & palace) as i32);
        }
        threatened |= captures & chariots;
    }
    let near = count(pos.pieces(side, PieceKind::Soldier) & palace);
    tally.add(terms::PALACE_BY_SOLDIER, sign * near as i32);
    tally.add(terms::assault(assailants + near), sign);
    tally.add(terms::ON_CHARIOT, sign * count(threatened) as i32);
}

/// Missing advisors and elephants, weighted by the opponent's attacking pieces.
fn guards(pos: &Xiangqi, side: Side, tally: &mut impl TermSink) {
    let (sign, opponent) = (side.sign(), side.other());
    let have = |kind| count(pos.pieces(side, kind)).min(2);
    let against = |kind| count(pos.pieces(opponent, kind)).min(2);
    let (advisors, elephants) = (2 - have(PieceKind::Advisor), 2 - have(PieceKind::Elephant));
    let (chariots, horses, cannons) =
        (against(PieceKind::Chariot), against(PieceKind::Horse), against(PieceKind::Cannon));
    tally.add(terms::advisors_chariots(3 * advisors + chariots), sign);
    tally.add(terms::advisors_horses(3 * advisors + horses), sign);
    tally.add(terms::advisors_cannons(3 * advisors + cannons), sign);
    tally.add(terms::elephants_chariots(3 * elephants + chariots), sign);
    tally.add(terms::elephants_cannons(3 * elephants + cannons), sign);
}

/// The side's cannons and chariots on a line with the opponent's general, and the pieces between.
fn cannons_at_general(pos: &Xiangqi, side: Side, tally: &mut impl TermSink) {
    let (sign, opponent) = (side.sign(), side.other());
    let general = pos.general(opponent);
    let line = CROSS[usize::from(general)];
    let occupied = pos.occupied();
    for cannon in squares(pos.pieces(side, PieceKind::Cannon) & line) {
        let between = BETWEEN[usize::from(general)][usize::from(cannon)] & occupied;
        let screens = count(between);
        if screens > 2 {
            continue;
        }
        if file_of(cannon) == file_of(general) {
            tally.add(terms::cannon_file(screens), sign);
            if screens == 0 && pos.pieces(side, PieceKind::Chariot) != 0 {
                tally.add(terms::HELPED, sign);
            }
        } else {
            tally.add(terms::cannon_rank(screens), sign);
        }
        if screens == 2 {
            pinned(pos, opponent, between, tally);
        }
    }
    let straight = pos.pieces(side, PieceKind::Chariot) | pos.pieces(side, PieceKind::General);
    for hunter in squares(straight & line) {
        let between = BETWEEN[usize::from(general)][usize::from(hunter)] & occupied;
        if between != 0 && between & (between - 1) == 0 {
            pinned(pos, opponent, between, tally);
        }
    }
}

/// Pieces of `side` pinned between its general and an attacker.
fn pinned(pos: &Xiangqi, side: Side, between: u128, tally: &mut impl TermSink) {
    for square in squares(between & pos.of(side)) {
        if let Some(kind) = pos.kind_at(square) {
            tally.add(terms::pinned(kind.index()), side.sign());
        }
    }
}

fn soldiers(pos: &Xiangqi, side: Side, tally: &mut impl TermSink) {
    const NOT_LAST_FILE: u128 = {
        let (mut set, mut square) = (BOARD, FILES - 1);
        while square < FILES * 10 {
            set &= !(1 << square);
            square += FILES;
        }
        set
    };
    let opponent = side.other();
    let across = pos.pieces(side, PieceKind::Soldier) & HALVES[opponent.index()];
    let pairs = count(across & NOT_LAST_FILE & across >> 1);
    tally.add(terms::SIDE_BY_SIDE, side.sign() * pairs as i32);
    let attacks = soldier_attacks(pos, side);
    let officers =
        pos.both(PieceKind::Horse) | pos.both(PieceKind::Chariot) | pos.both(PieceKind::Cannon);
    let threats = count(attacks & officers & pos.of(opponent));
    tally.add(terms::BY_SOLDIER, side.sign() * threats as i32);
}

/// Squares attacked by the soldiers of a side.
fn soldier_attacks(pos: &Xiangqi, side: Side) -> u128 {
    let soldiers = pos.pieces(side, PieceKind::Soldier);
    squares(soldiers).fold(0, |all, square| {
        all | super::super::squares::SOLDIER[side.index()][usize::from(square)]
    })
}
