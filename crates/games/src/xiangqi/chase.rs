//! Perpetual chase: each move of a side newly threatens the same piece.

use super::pieces::PieceKind;
use super::rules::{Xiangqi, XiangqiMove};
use super::squares::{HALVES, SQUARES, bit, has, squares};
use engine::game::{Game, Side};

/// Pieces that can chase. Threats by a general or a soldier are always allowed.
const CHASERS: [PieceKind; 5] = [
    PieceKind::Advisor,
    PieceKind::Elephant,
    PieceKind::Horse,
    PieceKind::Chariot,
    PieceKind::Cannon,
];

/// True if every move of `side` in this cycle newly threatens one and the same piece. No position
/// of the cycle is a check.
pub(super) fn chases(cycle: &[Xiangqi], side: Side) -> bool {
    // A piece is identified by its initial square.
    let mut names: [u8; SQUARES] = std::array::from_fn(|square| square as u8);
    let mut chased = !0;
    for pair in cycle.windows(2) {
        let (before, after) = (&pair[0], &pair[1]);
        if before.mover() == side {
            let new = threats(after, side) & !threats(before, side);
            chased &= squares(new).fold(0, |all, square| all | bit(names[usize::from(square)]));
            if chased == 0 {
                return false;
            }
        } else {
            let (was, is) = (before.of(before.mover()), after.of(before.mover()));
            let (from, to) = ((was & !is).trailing_zeros(), (is & !was).trailing_zeros());
            names[to as usize] = names[from as usize];
        }
    }
    true
}

/// The opponent's pieces threatened by `side`, if it were to move: neither the general nor soldiers
/// that have not crossed the river.
pub(super) fn threats(pos: &Xiangqi, side: Side) -> u128 {
    let pos = if pos.mover() == side { *pos } else { pos.passed() };
    let opponent = side.other();
    let at_home = pos.pieces(opponent, PieceKind::Soldier) & HALVES[opponent.index()];
    let prey = pos.of(opponent) & !bit(pos.general(opponent)) & !at_home;
    let mut threatened = 0;
    for kind in CHASERS {
        for from in squares(pos.pieces(side, kind)) {
            let prey = pos.reach(from, kind) & prey & !threatened;
            // A pinned piece can legally capture only its pinner.
            let threat = |&to: &u8| {
                let step = XiangqiMove { from, to };
                pos.is_safe(step) && is_threat(&pos, kind, step)
            };
            threatened |= squares(prey).filter(threat).fold(0, |all, to| all | bit(to));
        }
    }
    threatened
}

/// True if this legal capture counts as a threat.
fn is_threat(pos: &Xiangqi, kind: PieceKind, step: XiangqiMove) -> bool {
    let victim = pos.kind_at(step.to).expect("something is captured");
    match (kind, victim) {
        (PieceKind::Horse | PieceKind::Cannon, PieceKind::Chariot)
        | (
            PieceKind::Advisor | PieceKind::Elephant,
            PieceKind::Chariot | PieceKind::Cannon | PieceKind::Horse,
        ) => true,
        _ if is_protected(pos, step) => false,
        _ => kind != victim || !is_offer(pos, kind, step),
    }
}

/// True if the captor can be recaptured.
fn is_protected(pos: &Xiangqi, step: XiangqiMove) -> bool {
    let next = pos.after(step);
    let protectors = next.attackers_to(step.to, next.occupied()) & next.of(next.mover());
    squares(protectors).any(|from| next.is_safe(XiangqiMove { from, to: step.to }))
}

/// True if the victim, of the same kind, could equally capture the captor (an offer of exchange).
fn is_offer(pos: &Xiangqi, kind: PieceKind, step: XiangqiMove) -> bool {
    let theirs = pos.passed();
    has(theirs.reach(step.to, kind), step.from)
        && theirs.is_safe(XiangqiMove { from: step.to, to: step.from })
}
