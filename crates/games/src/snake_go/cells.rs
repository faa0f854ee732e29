//! Sets of cells, and the area enclosed by a loop.

use std::ops::{BitAnd, BitOr, Not};

/// Maximum board size.
pub(super) const SIDE: u8 = 16;

/// Leftmost and rightmost column of four rows.
const WEST: u64 = 0x0001_0001_0001_0001;
const EAST: u64 = WEST << (SIDE - 1);

/// A set of cells of the largest board, four rows per word. Cell `16 y + x`:
/// ```text
/// 240 241 .. 255
///  ..
///  16  17 ..  31
///   0   1 ..  15
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cells(pub(super) [u64; 4]);

/// The boards of sizes 0 to 16.
static BOARDS: [Cells; SIDE as usize + 1] = {
    let mut boards = [Cells([0; 4]); SIDE as usize + 1];
    let mut size = 1;
    while size <= SIDE as usize {
        let mut y = 0;
        while y < size {
            boards[size].0[y / 4] |= ((1 << size) - 1) << (y % 4 * 16);
            y += 1;
        }
        size += 1;
    }
    boards
};

impl Cells {
    /// The empty set.
    pub(super) const EMPTY: Self = Self([0; 4]);

    /// All cells of a board of this size.
    #[inline]
    pub(super) fn board(size: u8) -> Self {
        BOARDS[usize::from(size)]
    }

    /// True if the set contains the cell.
    #[inline]
    pub(super) fn contains(&self, cell: u8) -> bool {
        self.0[usize::from(cell >> 6)] >> (cell & 63) & 1 == 1
    }

    /// Adds a cell.
    #[inline]
    pub(super) fn insert(&mut self, cell: u8) {
        self.0[usize::from(cell >> 6)] |= 1 << (cell & 63);
    }

    /// Removes a cell.
    #[inline]
    pub(super) fn remove(&mut self, cell: u8) {
        self.0[usize::from(cell >> 6)] &= !(1 << (cell & 63));
    }

    /// True if the set is empty.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// Number of cells.
    #[inline]
    pub(super) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The cells in ascending order.
    pub(super) fn iter(self) -> impl Iterator<Item = u8> {
        (0..4_u8).flat_map(move |n| {
            let mut word = self.0[usize::from(n)];
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros() as u8;
                (word != 0).then(|| {
                    word &= word - 1;
                    64 * n + bit
                })
            })
        })
    }

    /// The set and its neighbours on the largest board.
    #[inline]
    pub(super) fn spread(self) -> Self {
        let Self(rows) = self;
        let mut wide = rows;
        for n in 0..4 {
            wide[n] |= (rows[n] & !EAST) << 1 | (rows[n] & !WEST) >> 1;
            wide[n] |= rows[n] << 16 | rows[n] >> 16;
            if n > 0 {
                wide[n] |= rows[n - 1] >> 48;
            }
            if n < 3 {
                wide[n] |= rows[n + 1] << 48;
            }
        }
        Self(wide)
    }

    /// Flood fill from these cells within `within`.
    #[inline]
    pub(super) fn flood(self, within: Self) -> Self {
        let mut reached = self & within;
        loop {
            let next = reached.spread() & within;
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    /// The set shifted by one cell right and up; no cell may leave the board.
    fn moved_inward(self) -> Self {
        let Self(rows) = self;
        Self(std::array::from_fn(|n| {
            let below = if n > 0 { rows[n - 1] >> 48 } else { 0 };
            (rows[n] << 16 | below) << 1
        }))
    }
}

impl BitAnd for Cells {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|n| self.0[n] & other.0[n]))
    }
}

impl BitOr for Cells {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|n| self.0[n] | other.0[n]))
    }
}

impl Not for Cells {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

/// Area enclosed by a self-touching loop. The published kits of the game differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enclosure {
    /// Cells without a path to the edge of the map.
    Border,
    /// Cells on the inner side of the path.
    Sides,
}

/// A closed path of adjacent cells, each visited once.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Loop {
    /// The cells of the path.
    cells: Cells,
    /// Cells whose upper neighbour is the next or previous cell of the path.
    up: Cells,
}

impl Loop {
    /// Adds a step between two adjacent cells; `to` joins the path.
    #[inline]
    pub(super) fn step(&mut self, from: u8, to: u8) {
        self.cells.insert(to);
        if from.abs_diff(to) == SIDE {
            self.up.insert(from.min(to));
        }
    }

    /// The loop and the area it encloses on a board of this size.
    pub(super) fn area(&self, size: u8, enclosure: Enclosure) -> Cells {
        match enclosure {
            Enclosure::Border => {
                let board = Cells::board(size);
                let edge = board & !(Cells::board(size - 2).moved_inward());
                let free = board & !self.cells;
                board & !edge.flood(free)
            }
            Enclosure::Sides => self.cells | self.inner_side(),
        }
    }

    /// Even-odd rule: cells from which a ray to the left, just above the middle of the row, crosses
    /// the path an odd number of times.
    // CITE: Shimrat 1962, "Algorithm 112: position of point relative to polygon".
    fn inner_side(&self) -> Cells {
        Cells(self.up.0.map(|word| {
            let shift = |word: u64, by: u32| (word << by) & rows_from(by);
            let mut odd = shift(word, 1);
            for by in [1, 2, 4, 8] {
                odd ^= shift(odd, by);
            }
            odd
        })) & !self.cells
    }
}

/// Cells of four rows with at least `by` cells on their left.
#[inline]
const fn rows_from(by: u32) -> u64 {
    (0xFFFF << by & 0xFFFF) * WEST
}
