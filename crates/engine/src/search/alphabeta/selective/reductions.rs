//! How much less deep later moves are searched.
// CITE: late move reductions, Levy, Broughton and Taylor 1989; Romstad 2006, "An introduction to late
// move reductions".

/// Depths and move numbers from here on count as this.
const SIZE: usize = 64;
/// Reductions are counted in this fraction of a ply.
pub(super) const GRAIN: i32 = 1_024;
/// The logarithm of the depth times that of the move number, divided by this; and what is always added.
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

    /// In parts of a ply, see [`GRAIN`].
    #[inline]
    pub(super) fn of(&self, depth: u32, number: usize) -> i32 {
        self.0[(depth as usize).min(SIZE - 1)][number.min(SIZE - 1)]
    }
}
