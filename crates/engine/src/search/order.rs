//! Move ordering of the full-width node.

use super::alphabeta::{Options, Ordering};
use crate::game::{Side, zobrist};

// Constants measured only with move ordering as a whole: `benches/duel.py`, rows `ordering` of
// docs/card-duel.md.

/// Slots of the history tables; move codes are taken modulo these.
const HISTORY: usize = 4_096;
const PAIRS: usize = 16_384;
/// Maximum absolute history value.
pub(super) const LIMIT: i32 = 16_384;
/// History units of a killer.
const KILLER: i64 = 1_024;
/// History units per unit of the evaluator's static order.
const PRIOR: i64 = 1_024;
/// Sort key of the table move.
const REMEMBERED: i64 = i64::MAX;

/// Learned move order of one search.
#[derive(Debug)]
pub(super) struct MoveOrder<M> {
    /// Killers: the last two moves that caused a cutoff at each ply.
    killers: Vec<[Option<M>; 2]>,
    history: Box<[[i16; HISTORY]; 2]>,
    /// Continuation history: score of a move after the previous move.
    continuation: Box<[i16; PAIRS]>,
}

impl<M: Copy + Eq> MoveOrder<M> {
    pub(super) fn new() -> Self {
        Self {
            killers: Vec::new(),
            history: Box::new([[0; HISTORY]; 2]),
            continuation: Box::new([0; PAIRS]),
        }
    }

    #[inline]
    fn pair(previous: Option<u16>, code: u16) -> usize {
        let previous = previous.map_or(0, |code| usize::from(code) + 1);
        (previous.wrapping_mul(0x9E5) ^ usize::from(code)) % PAIRS
    }

    /// Learned order of a move by the heuristics that are switched on, larger first.
    #[inline]
    pub(super) fn learned(&self, played: NodeMove<M>, options: &Options) -> i64 {
        let NodeMove { mv, code, mover, previous, ply } = played;
        let mut learned = 0;
        if options.history {
            learned += i64::from(self.history[mover.index()][usize::from(code) % HISTORY]);
        }
        if options.continuation_history {
            learned += i64::from(self.continuation[Self::pair(previous, code)]);
        }
        let killers = self.killers.get(ply as usize).filter(|_| options.killers);
        let killer = killers.is_some_and(|killers| killers.contains(&Some(mv)));
        learned + if killer { KILLER } else { 0 }
    }

    /// Rewards a move that caused a cutoff at this depth.
    // CITE: killers, Akl and Newborn 1977; history, Schaeffer 1989.
    #[inline]
    pub(super) fn reward(&mut self, played: NodeMove<M>, depth: u32) {
        let ply = played.ply as usize;
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let [first, second] = &mut self.killers[ply];
        if *first != Some(played.mv) {
            *second = *first;
            *first = Some(played.mv);
        }
        self.credit(played, (depth * depth).min(1_024) as i32);
    }

    /// Punishes a move tried before the one that caused the cutoff.
    #[inline]
    pub(super) fn punish(&mut self, played: NodeMove<M>, depth: u32) {
        self.credit(played, -((depth * depth).min(1_024) as i32));
    }

    #[inline]
    fn credit(&mut self, NodeMove { mover, previous, code, .. }: NodeMove<M>, amount: i32) {
        credit(&mut self.history[mover.index()][usize::from(code) % HISTORY], amount);
        credit(&mut self.continuation[Self::pair(previous, code)], amount);
    }
}

/// A move of a node.
#[derive(Clone, Copy)]
pub(super) struct NodeMove<M> {
    pub(super) mv: M,
    /// Its move code.
    pub(super) code: u16,
    pub(super) mover: Side,
    /// Code of the move before.
    pub(super) previous: Option<u16>,
    /// Plies from the root.
    pub(super) ply: u32,
}

/// Gravity update of a history slot: the larger a value, the smaller its change; it never leaves [`LIMIT`].
#[inline]
pub(super) fn credit(slot: &mut i16, amount: i32) {
    let value = i32::from(*slot);
    *slot = (value + amount - value * amount.abs() / LIMIT) as i16;
}

/// Sort key of a move by anything but what the search learns, larger first. `prior` is the evaluator's order.
#[inline]
pub(super) fn static_key(ordering: Ordering, prior: i32, hash: u64, code: u16, seed: u64) -> i64 {
    match ordering {
        Ordering::Full | Ordering::Static => i64::from(prior),
        Ordering::Reversed => -i64::from(prior),
        Ordering::None => 0,
        Ordering::Shuffled => {
            // A key of its own for each move of each position, the same in every visit.
            (zobrist::mix(zobrist::mix(hash ^ seed) ^ u64::from(code)) >> 1) as i64
        }
    }
}

/// Sort key of a move, larger first.
#[inline]
pub(super) fn key(prior: i32, learned: i64, remembered: bool) -> i64 {
    if remembered { REMEMBERED } else { i64::from(prior) * PRIOR + learned }
}

/// Move code of an entry without a move; matches no move.
pub(super) const NO_MOVE: u16 = u16::MAX;

/// Moves the best of the moves from `from` on to `from`.
#[inline]
pub(super) fn pick<M>(moves: &mut [M], keys: &mut [i64], from: usize) {
    let (mut best, mut most) = (from, keys[from]);
    for (n, &key) in keys.iter().enumerate().skip(from + 1) {
        if key > most {
            (best, most) = (n, key);
        }
    }
    // Rotation, not exchange: moves with equal keys keep their order.
    moves[from..=best].rotate_right(1);
    keys[from..=best].rotate_right(1);
}
