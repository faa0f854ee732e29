//! The cells of a board: where they lie, and what is known of each.

use std::sync::OnceLock;

use super::codes::Threat;
use super::lines::{self, REACH, WALL};
use crate::games::gomoku::rules::{Point, SIZES};

// Cells lie in ranks of 32 with a margin of five all round, so that no step of a line needs a look at the
// edge. What is kept of the margin is never read.
const STRIDE: usize = 32;
/// All cells, the margin with them.
pub(super) const CELLS: usize = 30 * STRIDE;
/// A step in each of the four directions.
pub(super) const STEPS: [usize; 4] = [STRIDE, 1, STRIDE + 1, STRIDE - 1];

/// What is known of a point of the board.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(super) struct PointCell {
    /// What lies around it, by direction.
    pub(super) keys: [u32; 4],
    /// What a stone of a side would make in the four directions, four bits each. While a stone lies here,
    /// this stays as it was.
    pub(super) kinds: [u16; 2],
    /// What these combinations are worth to a side that is to move, and to one that is not.
    pub(super) worth: [[i16; 2]; 2],
    /// What a stone of a side would threaten here.
    pub(super) threats: [Threat; 2],
    /// Whether it is an empty point of the board.
    pub(super) vacant: bool,
}

/// The cell of a point.
#[inline]
pub(super) fn cell_of(point: Point) -> usize {
    (usize::from(point.y) + REACH) * STRIDE + usize::from(point.x) + REACH
}

/// The point of a cell that is not in the margin.
#[inline]
pub(super) fn point_of(cell: usize) -> Point {
    Point { x: (cell % STRIDE - REACH) as u8, y: (cell / STRIDE - REACH) as u8 }
}

/// The cells of an empty board, of which only the edges are known.
pub(super) fn empty_board(size: u8) -> Box<[PointCell; CELLS]> {
    static BOARDS: [OnceLock<Box<[PointCell; CELLS]>>; *SIZES.end() as usize + 1] =
        [const { OnceLock::new() }; *SIZES.end() as usize + 1];
    let build = || {
        let mut cells = Box::new([PointCell::default(); CELLS]);
        let board = REACH..REACH + usize::from(size);
        let on_board =
            |cell: usize| board.contains(&(cell % STRIDE)) && board.contains(&(cell / STRIDE));
        for cell in (0..CELLS).filter(|&cell| on_board(cell)) {
            cells[cell].vacant = true;
            for (direction, step) in STEPS.into_iter().enumerate() {
                for distance in 1..=REACH {
                    let ends = [(true, cell + distance * step), (false, cell - distance * step)];
                    for (ahead, _) in ends.into_iter().filter(|&(_, end)| !on_board(end)) {
                        cells[cell].keys[direction] |= WALL << lines::shift(distance, ahead);
                    }
                }
            }
        }
        cells
    };
    BOARDS[usize::from(size)].get_or_init(build).clone()
}

/// Calls for every cell on a line through `stone`, not farther away than this, with the direction and the
/// place of the stone in the key of the cell.
#[inline]
pub(super) fn for_each_neighbour<const FAR: usize>(
    stone: usize,
    mut call: impl FnMut(usize, usize, usize),
) {
    for (direction, step) in STEPS.into_iter().enumerate() {
        for distance in 1..=FAR {
            call(stone + distance * step, direction, lines::shift(distance, false));
            call(stone - distance * step, direction, lines::shift(distance, true));
        }
    }
}
