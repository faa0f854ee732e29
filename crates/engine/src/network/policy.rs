//! Policy head: how likely each move is the best one, from the sums of the first layer.
//!
//! ```text
//! accumulator of view 0 ──clip──► activations ──┐
//! two rows of the move ──sum──► weights ────────┴─ product, offsets ──► logit
//! ```
// CITE: policy from the features of a point and those of the board: "mixed" networks of gomoku programs, arXiv 2503.13178.

use super::{ACTIVE, Accumulator, Network, WEIGHT};

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
}

impl<const HIDDEN: usize> Network<HIDDEN> {
    /// What the policy head reads of the sums of the side to move.
    #[inline]
    pub fn activations(sums: &Accumulator<HIDDEN>) -> Accumulator<HIDDEN> {
        sums.map(|sum| sum.clamp(0, ACTIVE))
    }

    /// How likely a move is the best one, as a logit in hundredths, by the activations of the side to move.
    #[inline]
    pub fn logit(&self, active: &Accumulator<HIDDEN>, rows: MoveRows) -> i32 {
        let PolicyHead { rows: weights, offsets } = &self.policy;
        let [one, other] = rows.map(|row| &weights[row as usize]);
        let mut total: i32 = rows.iter().map(|&row| offsets[row as usize]).sum();
        for ((&active, &one), &other) in active.iter().zip(one).zip(other) {
            total += i32::from(active) * i32::from(one + other);
        }
        // 255 * 2 * MOST_MOVE_WEIGHT * 256 lanes fit 32 bits; a hundred times as much need not.
        (i64::from(total) * i64::from(HUNDREDTHS) / (i64::from(ACTIVE) * i64::from(WEIGHT))) as i32
    }
}
