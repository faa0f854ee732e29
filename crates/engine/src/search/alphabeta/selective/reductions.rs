//! Late move reductions by depth and move number.
// CITE: late move reductions, Levy, Broughton and Taylor 1989; Romstad 2006, "An introduction to late
// move reductions".

/// Table size: larger depths and move numbers count as the last. Not tuned.
const SIZE: usize = 64;
/// Fixed-point resolution of reductions: parts of a ply.
pub(super) const GRAIN: i32 = 1_024;
/// Reduction in plies: `ALWAYS` + ln(depth) * ln(move number) / `DIVISOR`. Measured only with the technique
/// as a whole: `benches/ablation.py late_move_reductions`, docs/selective.md; `DIVISOR` 2.6 instead of 2.1
/// won 24 ± 41 Elo at 10,000 nodes (commit 054a4f2).
const DIVISOR: f64 = 2.6;
const ALWAYS: f64 = 0.35;

/// The reductions by depth and move number.
pub(super) struct Reductions(Box<[[i32; SIZE]; SIZE]>);

impl Reductions {
    pub(super) fn new() -> Self {
        let mut table = Box::new([[0; SIZE]; SIZE]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, slot) in row.iter_mut().enumerate().skip(1) {
                let plies = ALWAYS + (depth as f64).ln() * (number as f64).ln() / DIVISOR;
                *slot = (plies * f64::from(GRAIN)) as i32;
            }
        }
        Self(table)
    }

    /// Reduction in parts of a ply, see [`GRAIN`].
    #[inline]
    pub(super) fn of(&self, depth: u32, number: usize) -> i32 {
        self.0[(depth as usize).min(SIZE - 1)][number.min(SIZE - 1)]
    }
}
