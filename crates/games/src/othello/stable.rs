//! Stable discs: discs that can never be flipped.

use super::bits::{COLUMN_A, COLUMN_H};

/// A line direction: distance of neighbours, and the squares without a higher and without a lower
/// neighbour.
struct Axis {
    step: u32,
    last: u64,
    first: u64,
}

const AXES: [Axis; 4] = [
    Axis { step: 1, last: COLUMN_H, first: COLUMN_A },
    Axis { step: 7, last: COLUMN_A | 0xFF << 56, first: COLUMN_H | 0xFF },
    Axis { step: 8, last: 0xFF << 56, first: 0xFF },
    Axis { step: 9, last: COLUMN_H | 0xFF << 56, first: COLUMN_A | 0xFF },
];

impl Axis {
    /// The squares with a neighbour in the set.
    #[inline]
    fn beside(&self, squares: u64) -> u64 {
        (squares & !self.last) << self.step | (squares & !self.first) >> self.step
    }

    /// The squares on lines that do not meet the set.
    #[inline]
    fn without(&self, squares: u64) -> u64 {
        let (mut up, mut down) = (squares, squares);
        for _ in 0..7 {
            up |= (up & !self.last) << self.step;
            down |= (down & !self.first) >> self.step;
        }
        !(up | down)
    }
}

/// A subset of the stable discs of `own`. Along each of the four axes such a disc has a full line,
/// the edge beside it, or a stable neighbour.
pub(super) fn stable(own: u64, opponent: u64) -> u64 {
    let empty = !(own | opponent);
    let safe = AXES.each_ref().map(|axis| axis.without(empty) | axis.first | axis.last);
    let mut stable = 0;
    loop {
        let axes = AXES.iter().zip(safe);
        let next = axes.fold(own, |discs, (axis, safe)| discs & (safe | axis.beside(stable)));
        if next == stable {
            return stable;
        }
        stable = next;
    }
}
