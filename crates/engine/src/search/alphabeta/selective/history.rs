//! What was learned about moves in this search: by their squares, by what they take, and as answers to
//! the moves before.
// CITE: Schaeffer 1989, "The history heuristic"; continuation history, Stockfish 2016 ("counter moves
// history"), after Uiterwijk 1992, "The countermove heuristic".

use crate::game::Side;

/// Slots of the table by move codes, which are folded into it.
const CODES: usize = 8_192;
/// Values stay within this.
pub(super) const LIMIT: i32 = 16_384;

/// Which of the moves before count: one, two and four plies back.
pub(super) const BACK: [u32; 3] = [1, 2, 4];

/// The topics of the moves before, as far as there are any.
pub(super) type Before = [Option<usize>; BACK.len()];

pub(super) struct HistoryTable {
    move_indices: usize,
    victims: usize,
    by_code: Box<[[i16; CODES]; 2]>,
    captures: Vec<i16>,
    continuations: Vec<i16>,
}

/// The further a value has gone, the less it moves: it never leaves the limit.
#[inline]
fn credit(slot: &mut i16, amount: i32) {
    let value = i32::from(*slot);
    *slot = (value + amount - value * amount.abs() / LIMIT) as i16;
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

    /// How good a move on this topic was after those before it, summed up.
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
