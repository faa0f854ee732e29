//! History tables of one search: butterfly history, capture history and continuation history.
// CITE: Schaeffer 1989, "The history heuristic"; continuation history, Stockfish 2016 ("counter moves
// history"), after Uiterwijk 1992, "The countermove heuristic".

use crate::game::Side;
use crate::search::order::credit;

// Constants measured only with their techniques as a whole: `benches/ablation.py history
// continuation_history`, docs/selective.md.

/// Slots of the butterfly history per side; move codes are taken modulo this.
const CODES: usize = 8_192;

/// Plies back of the moves in the continuation history.
pub(super) const BACK: [u32; 3] = [1, 2, 4];

/// Piece-to indices of those earlier moves, `None` where there is none.
pub(super) type Before = [Option<usize>; BACK.len()];

pub(super) struct HistoryTable {
    move_indices: usize,
    victims: usize,
    by_code: Box<[[i16; CODES]; 2]>,
    captures: Vec<i16>,
    continuations: Vec<i16>,
}

impl HistoryTable {
    pub(super) fn new(move_indices: usize, victims: usize) -> Self {
        Self {
            move_indices,
            victims,
            by_code: Box::new([[0; CODES]; 2]),
            captures: vec![0; move_indices * victims],
            continuations: vec![0; move_indices * move_indices],
        }
    }

    #[inline]
    pub(super) fn capture(&self, move_index: usize, victim: usize) -> i32 {
        i32::from(self.captures[move_index * self.victims + victim])
    }

    #[inline]
    pub(super) fn credit_capture(&mut self, move_index: usize, victim: usize, amount: i32) {
        credit(&mut self.captures[move_index * self.victims + victim], amount);
    }

    #[inline]
    pub(super) fn by_code(&self, mover: Side, code: u16) -> i32 {
        i32::from(self.by_code[mover.index()][usize::from(code) % CODES])
    }

    #[inline]
    pub(super) fn credit_code(&mut self, mover: Side, code: u16, amount: i32) {
        credit(&mut self.by_code[mover.index()][usize::from(code) % CODES], amount);
    }

    /// Continuation history of a move, summed over the earlier moves.
    #[inline]
    pub(super) fn continuation(&self, before: &Before, move_index: usize) -> i32 {
        let of = |&before: &usize| {
            i32::from(self.continuations[before * self.move_indices + move_index])
        };
        before.iter().flatten().map(of).sum()
    }

    #[inline]
    pub(super) fn credit_continuation(&mut self, before: &Before, move_index: usize, amount: i32) {
        for &before in before.iter().flatten() {
            credit(&mut self.continuations[before * self.move_indices + move_index], amount);
        }
    }
}
