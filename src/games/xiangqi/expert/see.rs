//! What a capture brings when everybody takes back on the same square, the cheapest piece first.
// CITE: static exchange evaluation by swapping, Reul 2010, "Static exchange evaluation with
// alpha-beta approach".

use super::super::pieces::PieceKind;
use super::super::rules::{Xiangqi, XiangqiMove};
use super::super::squares::bit;

/// What the pieces count in exchanges, by kind, in hundredths of a soldier. A general is taken back
/// only when nothing follows.
pub(super) const VALUES: [i32; 7] = [20_000, 200, 200, 430, 950, 460, 100];

/// The cheapest first.
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

/// Whether a move brings `least` or more on its target square.
pub(super) fn brings(pos: &Xiangqi, step: XiangqiMove, least: i32) -> bool {
    let mut balance = value_of(pos.kind_at(step.to)) - least;
    if balance < 0 {
        return false;
    }
    // Even if the piece that moves is lost.
    balance -= value_of(pos.kind_at(step.from));
    if balance >= 0 {
        return true;
    }
    let mut occupied = pos.occupied() & !bit(step.from) | bit(step.to);
    let mut side = pos.mover().other();
    // Who would have to stop now loses: at first the mover's opponent can take.
    let mut mover_wins = true;
    loop {
        // A cannon needs one screen, a chariot none: who attacks changes with every piece that goes.
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
