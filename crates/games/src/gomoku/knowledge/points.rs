//! Sets of points.

use crate::gomoku::rules::Point;

/// 64-bit words for the points of the largest board.
const WORDS: usize = 400_usize.div_ceil(64);
/// Files of the largest board.
const FILES: usize = 20;

/// A set of points, by rank from the bottom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Points([u64; WORDS]);

#[inline]
fn place(point: Point) -> (usize, u64) {
    let at = usize::from(point.y) * FILES + usize::from(point.x);
    (at / 64, 1 << (at % 64))
}

impl Points {
    #[inline]
    pub(super) fn toggle(&mut self, point: Point) {
        let (word, bit) = place(point);
        self.0[word] ^= bit;
    }

    pub(super) fn and(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    pub(super) fn iter(self) -> impl Iterator<Item = Point> {
        self.0.into_iter().enumerate().flat_map(|(word, bits)| {
            let mut left = bits;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
                left &= left - 1;
                let at = 64 * word + bit;
                Some(Point { x: (at % FILES) as u8, y: (at / FILES) as u8 })
            })
        })
    }
}
