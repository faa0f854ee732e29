//! Attack and check detection.

use super::leaps::{elephant_attacks, horse_attacks_to, horse_region};
use super::lines::{BETWEEN, CROSS, Cross, cannon_captures, chariot_attacks};
use super::pieces::PieceKind;
use super::rules::{Xiangqi, XiangqiMove};
use super::squares::{ADVISOR, GENERAL, SOLDIER_FROM, SQUARES, bit, has, squares};
use engine::game::Side;

/// Pieces of one side that can attack the opponent's general.
#[derive(Clone, Copy)]
struct Hunters {
    side: Side,
    /// Chariots, and the general, which attacks along files like a chariot.
    straight: u128,
    cannons: u128,
    horses: u128,
    soldiers: u128,
}

impl Hunters {
    #[inline]
    fn of(pos: &Xiangqi, side: Side) -> Self {
        Self {
            side,
            straight: pos.pieces(side, PieceKind::Chariot) | pos.pieces(side, PieceKind::General),
            cannons: pos.pieces(side, PieceKind::Cannon),
            horses: pos.pieces(side, PieceKind::Horse),
            soldiers: pos.pieces(side, PieceKind::Soldier),
        }
    }

    /// Without the piece on this square, if any.
    #[inline]
    fn without(self, square: u8) -> Self {
        let keep = !bit(square);
        Self {
            side: self.side,
            straight: self.straight & keep,
            cannons: self.cannons & keep,
            horses: self.horses & keep,
            soldiers: self.soldiers & keep,
        }
    }

    /// After a move of a piece of this kind.
    #[inline]
    fn moved(mut self, kind: PieceKind, step: XiangqiMove) -> Self {
        let way = bit(step.from) | bit(step.to);
        match kind {
            PieceKind::Chariot | PieceKind::General => self.straight ^= way,
            PieceKind::Cannon => self.cannons ^= way,
            PieceKind::Horse => self.horses ^= way,
            PieceKind::Soldier => self.soldiers ^= way,
            PieceKind::Advisor | PieceKind::Elephant => {}
        }
        self
    }

    /// True if one of them attacks the general on this square, with these squares occupied.
    #[inline]
    fn reach(&self, general: u8, occupied: u128) -> bool {
        let g = usize::from(general);
        for hunter in squares((self.straight | self.cannons) & CROSS[g]) {
            let screens = BETWEEN[g][usize::from(hunter)] & occupied;
            let hit = if has(self.cannons, hunter) { is_one(screens) } else { screens == 0 };
            if hit {
                return true;
            }
        }
        self.horses & horse_attacks_to(general, occupied) != 0
            || self.soldiers & SOLDIER_FROM[self.side.index()][g] != 0
    }
}

/// Squares where a change can create a new attack on a general on this square.
static REGION: [u128; SQUARES] = {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        table[square] = CROSS[square] | horse_region(square as u8);
        square += 1;
    }
    table
};

/// True if the set has exactly one square.
#[inline]
pub(super) fn is_one(set: u128) -> bool {
    set != 0 && set & (set - 1) == 0
}

impl Xiangqi {
    /// True if a side's general is attacked.
    #[inline]
    pub(super) fn is_attacked(&self, side: Side) -> bool {
        Hunters::of(self, side.other()).reach(self.general(side), self.occupied())
    }

    /// True if the mover's general is not attacked after a pseudo-legal move.
    #[inline]
    pub(super) fn is_safe(&self, step: XiangqiMove) -> bool {
        let own = self.mover();
        let general = self.general(own);
        let general = if step.from == general { step.to } else { general };
        let occupied = self.occupied() & !bit(step.from) | bit(step.to);
        !Hunters::of(self, own.other()).without(step.to).reach(general, occupied)
    }

    /// True if a move may attack the opponent's general, which is not attacked now. Necessary
    /// condition for a check.
    #[inline]
    pub(super) fn may_check(&self, step: XiangqiMove) -> bool {
        let general = self.general(self.mover().other());
        REGION[usize::from(general)] & (bit(step.from) | bit(step.to)) != 0
    }

    /// True if a move gives check.
    #[inline]
    pub fn gives_check(&self, step: XiangqiMove) -> bool {
        let own = self.mover();
        if !self.may_check(step) {
            return false;
        }
        let kind = self.kind_at(step.from).expect("a piece moves");
        let occupied = self.occupied() & !bit(step.from) | bit(step.to);
        Hunters::of(self, own).moved(kind, step).reach(self.general(own.other()), occupied)
    }

    /// Pieces of both sides that attack a square, with only the squares of `occupied` occupied.
    /// Generals attack the adjacent squares, not each other.
    pub fn attackers_to(&self, square: u8, occupied: u128) -> u128 {
        let n = usize::from(square);
        let cross = Cross::of(square, occupied);
        let soldiers =
            |side: Side| self.pieces(side, PieceKind::Soldier) & SOLDIER_FROM[side.index()][n];
        let all = chariot_attacks(square, cross) & self.both(PieceKind::Chariot)
            | cannon_captures(square, cross) & self.both(PieceKind::Cannon)
            | horse_attacks_to(square, occupied) & self.both(PieceKind::Horse)
            | elephant_attacks(square, occupied) & self.both(PieceKind::Elephant)
            | ADVISOR[n] & self.both(PieceKind::Advisor)
            | GENERAL[n] & self.both(PieceKind::General)
            | soldiers(Side::First)
            | soldiers(Side::Second);
        all & occupied
    }

    /// True if the generals face each other along a file.
    pub(super) fn generals_face(&self) -> bool {
        let [red, black] = Side::BOTH.map(|side| self.general(side));
        let path = BETWEEN[usize::from(red)][usize::from(black)];
        has(CROSS[usize::from(red)], black) && path & self.occupied() == 0
    }
}
