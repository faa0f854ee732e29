//! Static exchange evaluation: gain of a capture with recaptures on the same square, cheapest piece
//! first.
// CITE: static exchange evaluation by swapping, Reul 2010, "Static exchange evaluation with
// alpha-beta approach".

use super::super::pieces::PieceKind;
use super::super::rules::{Xiangqi, XiangqiMove};
use super::super::squares::bit;

/// Exchange values by piece kind, in hundredths of a soldier. A general recaptures only if no
/// recapture follows.
pub(super) const VALUES: [i32; 7] = [20_000, 200, 200, 430, 950, 460, 100];

/// In ascending order of value.
const BY_VALUE: [PieceKind; 7] = [
    PieceKind::Soldier,
    PieceKind::Advisor,
    PieceKind::Elephant,
    PieceKind::Horse,
    PieceKind::Cannon,
    PieceKind::Chariot,
    PieceKind::General,
];

pub(super) fn value_of(kind: Option<PieceKind>) -> i32 {
    kind.map_or(0, |kind| VALUES[kind.index()])
}

/// True if the exchange on the target square gains `least` or more.
pub(super) fn brings(pos: &Xiangqi, step: XiangqiMove, least: i32) -> bool {
    let mut balance = value_of(pos.kind_at(step.to)) - least;
    if balance < 0 {
        return false;
    }
    // Even if the moving piece is lost.
    balance -= value_of(pos.kind_at(step.from));
    if balance >= 0 {
        return true;
    }
    let mut occupied = pos.occupied() & !bit(step.from) | bit(step.to);
    let mut side = pos.mover().other();
    // Result if the side to capture stops; at first that is the mover's opponent.
    let mut mover_wins = true;
    loop {
        // A cannon needs one screen, a chariot none: the attackers change with every capture.
        let attackers = pos.attackers_to(step.to, occupied) & !bit(step.to);
        let own = attackers & pos.of(side);
        let next = BY_VALUE.into_iter().find(|kind| own & pos.both(*kind) != 0);
        let Some(kind) = next else { return mover_wins };
        if kind == PieceKind::General && attackers & !pos.of(side) != 0 {
            return mover_wins;
        }
        mover_wins = !mover_wins;
        balance = -balance - 1 - VALUES[kind.index()];
        if balance >= 0 {
            return mover_wins;
        }
        let taker = own & pos.both(kind);
        occupied &= !(taker & taker.wrapping_neg());
        side = side.other();
    }
}
