use std::convert::Infallible;

use engine::game::{Acyclic, Game, History, Outcome, Perfect, Rng, Side, Turn, zobrist};

/// Columns of the board.
pub const WIDTH: u32 = 7;
/// Rows of the board.
pub const HEIGHT: u32 = 6;
/// Bits per column: its cells from the bottom and one empty bit above them, so that no line wraps
/// from the top of a column into the bottom of the next.
const STRIDE: u32 = HEIGHT + 1;

/// The bottom cell of every column.
pub(super) const BOTTOM: u64 = {
    let mut cells = 0;
    let mut column = 0;
    while column < WIDTH {
        cells |= 1 << (column * STRIDE);
        column += 1;
    }
    cells
};
/// All cells of the board.
pub(super) const BOARD: u64 = BOTTOM * ((1 << HEIGHT) - 1);

/// A position of connect four.
///
/// Bit layout, the top row of bits always empty:
/// ```text
/// 6 13 20 27 34 41 48
/// -------------------
/// 5 12 19 26 33 40 47
/// 4 11 18 25 32 39 46
/// 3 10 17 24 31 38 45
/// 2  9 16 23 30 37 44
/// 1  8 15 22 29 36 43
/// 0  7 14 21 28 35 42
/// ```
// CITE: Tromp's Fhourstones and Pons, "Solving Connect Four: how to build a perfect AI".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Connect4 {
    /// Stones of the side to move.
    own: u64,
    /// Stones of both sides.
    all: u64,
}

/// True if these stones contain four in a line.
#[inline]
pub(super) fn four(stones: u64) -> bool {
    let line = |step: u32| {
        let pairs = stones & stones >> step;
        pairs & pairs >> (2 * step)
    };
    // Combined test for all directions: four branches would cost more than the saved shifts.
    line(1) | line(STRIDE) | line(STRIDE - 1) | line(STRIDE + 1) != 0
}

/// Cells, empty or not, that complete four in a line with three of these stones.
#[inline]
fn completing(stones: u64) -> u64 {
    let mut cells = stones << 1 & stones << 2 & stones << 3;
    for step in [STRIDE, STRIDE - 1, STRIDE + 1] {
        let pairs = stones << step & stones << (2 * step);
        cells |= pairs & stones << (3 * step);
        cells |= pairs & stones >> step;
        let pairs = stones >> step & stones >> (2 * step);
        cells |= pairs & stones << step;
        cells |= pairs & stones >> (3 * step);
    }
    cells & BOARD
}

/// These bits with the columns in reverse order.
fn mirrored(bits: u64) -> u64 {
    let column = |n: u32| bits >> (n * STRIDE) & ((1 << STRIDE) - 1);
    (0..WIDTH).fold(0, |all, n| all | column(n) << ((WIDTH - 1 - n) * STRIDE))
}

/// All cells of a column.
#[inline]
pub(super) const fn column_cells(column: u32) -> u64 {
    ((1 << HEIGHT) - 1) << (column * STRIDE)
}

impl Connect4 {
    /// Number of stones on the board.
    pub fn stones(&self) -> u32 {
        self.all.count_ones()
    }

    /// Side to move, while the game is not over.
    #[inline]
    pub fn mover(&self) -> Side {
        if self.stones().is_multiple_of(2) { Side::First } else { Side::Second }
    }

    /// Owner of the stone in a cell (column and row from 0, rows from the bottom), if any.
    pub fn stone(&self, column: u32, row: u32) -> Option<Side> {
        let cell = 1 << (column * STRIDE + row);
        let own = self.own & cell != 0;
        (self.all & cell != 0).then(|| if own { self.mover() } else { self.mover().other() })
    }

    /// The position with these stones, by column and row; the side with fewer stones, or the first,
    /// moves.
    pub fn from_stones(stone: impl Fn(u32, u32) -> Option<Side>) -> Self {
        let mut by_side = [0_u64; 2];
        for (column, row) in (0..WIDTH).flat_map(|c| (0..HEIGHT).map(move |r| (c, r))) {
            if let Some(side) = stone(column, row) {
                by_side[side.index()] |= 1 << (column * STRIDE + row);
            }
        }
        let all = by_side[0] | by_side[1];
        let pos = Self { own: 0, all };
        Self { own: by_side[pos.mover().index()], all }
    }

    /// True if a side has four in a line.
    pub fn has_four(&self, side: Side) -> bool {
        four(if side == self.mover() { self.own } else { self.own ^ self.all })
    }

    /// True if a column (from 0) is full.
    pub fn is_full(&self, column: u32) -> bool {
        self.all & 1 << (column * STRIDE + HEIGHT - 1) != 0
    }

    /// Stones of the side to move.
    #[inline]
    pub(super) fn own_stones(&self) -> u64 {
        self.own
    }

    /// Stones of the opponent.
    #[inline]
    pub(super) fn foe_stones(&self) -> u64 {
        self.own ^ self.all
    }

    /// Empty cells.
    #[inline]
    pub(super) fn empty(&self) -> u64 {
        BOARD & !self.all
    }

    /// The position after a stone in this landing cell.
    #[inline]
    pub(super) fn with(&self, cell: u64) -> Self {
        Self { own: self.own ^ self.all, all: self.all | cell }
    }

    /// Bits of the position, different for different positions and never 0. In each column the highest bit
    /// set lies above the stones, and those below it are the stones of the side to move.
    // CITE: Tromp's Fhourstones.
    #[inline]
    pub(super) fn key(&self) -> u64 {
        self.own + self.all + BOTTOM
    }

    /// The position with the given [key](Self::key).
    pub(super) fn from_key(key: u64) -> Self {
        let mut all = 0;
        for column in 0..WIDTH {
            let cells = key >> (column * STRIDE) & ((1 << STRIDE) - 1);
            let height = cells.checked_ilog2().unwrap_or(0);
            all |= ((1 << height) - 1) << (column * STRIDE);
        }
        Self { own: key - all - BOTTOM, all }
    }

    /// The key of the position or of its mirror image, whichever is smaller.
    #[inline]
    pub(super) fn canonical_key(&self) -> u64 {
        let key = self.key();
        key.min(mirrored(key))
    }

    /// Landing cell of each column.
    #[inline]
    pub(super) fn playable(&self) -> u64 {
        (self.all + BOTTOM) & BOARD
    }

    /// Landing cell of this column.
    #[inline]
    pub(super) fn landing(&self, column: u8) -> u64 {
        self.playable() & column_cells(u32::from(column))
    }

    /// Empty cells that complete four in a line for the side to move.
    #[inline]
    pub(super) fn own_threats(&self) -> u64 {
        completing(self.own) & !self.all
    }

    /// Empty cells that complete four in a line for the opponent.
    #[inline]
    pub(super) fn foe_threats(&self) -> u64 {
        completing(self.foe_stones()) & !self.all
    }

    /// Empty cells that complete four for the mover with an additional stone in `cell`.
    #[inline]
    pub(super) fn threats_with(&self, cell: u64) -> u64 {
        completing(self.own | cell) & !(self.all | cell)
    }
}

/// The column of a cell.
#[inline]
pub(super) fn column_of(cell: u64) -> u8 {
    (cell.trailing_zeros() / STRIDE) as u8
}

impl Game for Connect4 {
    /// The column, 0 to 6.
    type Move = u8;
    type Chance = Infallible;
    type Info = Perfect;

    #[inline]
    fn turn(&self) -> Turn<Infallible> {
        let mover = self.mover();
        if four(self.own ^ self.all) {
            Turn::Over(Outcome::Win(mover.other()))
        } else if self.all == BOARD {
            Turn::Over(Outcome::Draw)
        } else {
            Turn::Of(mover)
        }
    }

    #[inline]
    fn moves(&self, out: &mut Vec<u8>) {
        if four(self.own ^ self.all) {
            return;
        }
        let mut cells = self.playable();
        while cells != 0 {
            out.push(column_of(cells));
            cells &= cells - 1;
        }
    }

    #[inline]
    fn play(&mut self, mv: u8) {
        let cell = self.landing(mv);
        self.own ^= self.all;
        self.all |= cell;
    }

    #[inline]
    fn hash(&self) -> u64 {
        zobrist::mix(self.key())
    }

    #[inline]
    fn move_code(mv: u8) -> u16 {
        u16::from(mv)
    }

    // Few columns are ever full: redrawing is faster than listing the open ones.
    #[inline]
    fn random_move(&self, rng: &mut Rng, _: &mut Vec<u8>) -> Option<u8> {
        if self.all == BOARD {
            return None;
        }
        loop {
            let column = rng.below(WIDTH as usize) as u8;
            if self.landing(column) != 0 {
                return Some(column);
            }
        }
    }
}

impl Acyclic for Connect4 {}

impl History for Connect4 {}
