//! Policy head: how likely each move is the best one, from the sums of the first layer.
//!
//! ```text
//! accumulator of view 0 ──clip──► activations ──┐
//! two rows of the move ──sum──► weights ────────┴─ product, offsets ──► logit
//! ```
// CITE: policy from the features of a point and those of the board: "mixed" networks of gomoku programs, arXiv 2503.13178.

use super::{ACTIVE, Accumulator, WEIGHT};

/// Rows of a move in the policy head.
pub type MoveRows = [u32; 2];

/// Largest absolute weight of a row: the sum of two fits 16 bits.
pub const MOST_MOVE_WEIGHT: i16 = i16::MAX / 4;
/// Logits are told in hundredths.
const HUNDREDTHS: i32 = 100;

/// Weights and offset of every row.
#[derive(Debug)]
pub(super) struct PolicyHead<const HIDDEN: usize> {
    rows: Vec<Accumulator<HIDDEN>>,
    /// In units of `ACTIVE` * `WEIGHT`.
    offsets: Vec<i32>,
}

impl<const HIDDEN: usize> PolicyHead<HIDDEN> {
    pub(super) fn new(rows: &[Accumulator<HIDDEN>], offsets: Vec<i32>) -> Self {
        Self { rows: rows.to_vec(), offsets }
    }

    /// Logit of a move in hundredths, from the activations of the side to move.
    #[inline]
    pub(super) fn logit(&self, active: &Accumulator<HIDDEN>, rows: MoveRows) -> i32 {
        let [one, other] = rows.map(|row| &self.rows[row as usize]);
        let mut total: i32 = rows.iter().map(|&row| self.offsets[row as usize]).sum();
        for ((&active, &one), &other) in active.iter().zip(one).zip(other) {
            total += i32::from(active) * i32::from(one + other);
        }
        // 255 * 2 * MOST_MOVE_WEIGHT * 256 lanes fit 32 bits; a hundred times as much need not.
        (i64::from(total) * i64::from(HUNDREDTHS) / (i64::from(ACTIVE) * i64::from(WEIGHT))) as i32
    }
}
