//! Late move reductions by depth and move number.
// CITE: late move reductions, Levy, Broughton and Taylor 1989; Romstad 2006, "An introduction to late
// move reductions".

use crate::game::SelectiveParameters;

/// Table size: larger depths and move numbers count as the last. Not tuned.
const SIZE: usize = 64;
/// Parts of a ply in which reductions are counted.
pub(super) const GRAIN: i32 = 1_024;
/// The reductions by depth and move number: ALWAYS + ln(depth) ln(move number) / DIVISOR plies, both from the
/// parameters.
pub(super) struct Reductions(Box<[[i32; SIZE]; SIZE]>);

impl Reductions {
    pub(super) fn new(parameters: &SelectiveParameters) -> Self {
        let always = f64::from(parameters.reduction) / 100.0;
        let divisor = f64::from(parameters.reduction_divisor) / 100.0;
        let mut table = Box::new([[0; SIZE]; SIZE]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, slot) in row.iter_mut().enumerate().skip(1) {
                let plies = always + (depth as f64).ln() * (number as f64).ln() / divisor;
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
