//! Correction history: corrects the static evaluation by search results for the same structure.
// CITE: correction history, Caissa and Stockfish 2023 (Witek; Viren).

use crate::game::Side;

// Constants measured only with the technique as a whole: `benches/ablation.py correction`, docs/selective.md.

/// Table slots per side.
const SLOTS: usize = 16_384;
/// Fixed-point resolution of errors: parts of a unit.
const GRAIN: i32 = 256;
/// Moving average: a search of depth d weighs (d + 1) / `WEIGHT`, at most `MOST_WEIGHT` / `WEIGHT`.
const WEIGHT: i32 = 256;
const MOST_WEIGHT: i32 = 16;

/// Mean evaluation error by side and structure.
pub(super) struct Correction {
    errors: Box<[[i32; SLOTS]; 2]>,
    /// Maximum correction, in units.
    most: i32,
}

impl Correction {
    pub(super) fn new(most: i32) -> Self {
        Self { errors: Box::new([[0; SLOTS]; 2]), most }
    }

    /// The same errors, with the limit of another one.
    pub(super) fn within(self, other: &Self) -> Self {
        Self { most: other.most, ..self }
    }

    /// Correction to add to the evaluation.
    #[inline]
    pub(super) fn of(&self, mover: Side, structure_key: u64) -> i32 {
        let error = self.errors[mover.index()][structure_key as usize % SLOTS] / GRAIN;
        error.clamp(-self.most, self.most)
    }

    /// Learns the evaluation error of a search of `depth` plies: score minus static evaluation.
    #[inline]
    pub(super) fn learn(&mut self, mover: Side, structure_key: u64, depth: u32, error: i32) {
        let slot = &mut self.errors[mover.index()][structure_key as usize % SLOTS];
        let weight = (depth as i32 + 1).min(MOST_WEIGHT);
        let error = error.clamp(-4 * self.most, 4 * self.most) * GRAIN;
        let mean = (i64::from(*slot) * i64::from(WEIGHT - weight)
            + i64::from(error) * i64::from(weight))
            / i64::from(WEIGHT);
        *slot = (mean as i32).clamp(-self.most * GRAIN, self.most * GRAIN);
    }
}
