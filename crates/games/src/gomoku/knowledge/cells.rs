//! Cells of a board: layout and content.

use std::sync::OnceLock;

use super::codes::Threat;
use super::lines::{self, REACH, WALL};
use crate::gomoku::rules::{Point, SIZES};

// Ranks of 32 cells with a margin of five on all sides: steps along a line need no bounds check.
// The content of the margin is never read.
const STRIDE: usize = 32;
/// Number of cells, margin included.
pub(super) const CELLS: usize = 30 * STRIDE;
/// Steps in the four directions.
pub(super) const STEPS: [usize; 4] = [STRIDE, 1, STRIDE + 1, STRIDE - 1];

/// Knowledge of a point of the board.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(super) struct PointCell {
    /// Line keys of the neighbourhood, by direction.
    pub(super) keys: [u32; 4],
    /// Line kinds of a stone of each side in the four directions, four bits each. Frozen while the
    /// point is occupied.
    pub(super) kinds: [u16; 2],
    /// Value of these combinations per side: as the side to move, and as the opponent.
    pub(super) worth: [[i16; 2]; 2],
    /// Threat of a stone of each side.
    pub(super) threats: [Threat; 2],
    /// True for an empty point of the board.
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

/// Cells of an empty board: only the edges are set.
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

/// Enumerates the cells on lines through `stone` up to distance `FAR`, with the direction and the
/// shift of the stone in the key of the cell.
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
