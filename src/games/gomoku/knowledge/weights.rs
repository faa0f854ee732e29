//! The weights of the evaluation, in parts of a unit. Fitted to the results of games that the engine played
//! with itself; `bestmove tune` writes this file.

use super::worth::TERMS;

/// A side that stands at `value` units is expected to score 1 / (1 + exp(-value / SCALE)).
pub(in crate::games::gomoku) const SCALE: f64 = 150.0;

/// Parts of a unit.
pub(super) const GRAIN: i32 = 10;

/// First for the side to move, then for the other: for each pair of the two best kinds of a point, for its
/// third and its fourth; at last for having the move.
#[rustfmt::skip]
pub(super) static WEIGHTS: [i16; TERMS] = [
    0, 1, 2, 3, 4, 6, 10, 11, 13, 32, 14, 15, 17,
    36, 40, 12, 13, 15, 22, 26, 24, 40, 41, 43, 80, 84,
    82, 330, 50, 51, 53, 90, 94, 92, 340, 350, 45, 46, 48,
    115, 119, 117, 785, 795, 1590, 1500, 1501, 1503, 1510, 1514, 1512, 1540,
    1550, 1545, 3000, 3000, 3001, 3003, 3010, 3014, 3012, 3040, 3050, 3045, 4500,
    6000, 0, 1, 3, 10, 14, 12, 40, 50, 45, 1500, 3000, 0,
    0, 0, 1, 5, 7, 6, 20, 25, 22, 0, 0, 0, 0,
    0, 1, 3, 4, 4, 13, 16, 15, 0, 0, 0, 0, 1,
    2, 2, 3, 4, 7, 8, 9, 21, 10, 11, 12, 24, 27,
    8, 9, 10, 15, 18, 16, 25, 26, 27, 50, 53, 51, 200,
    32, 33, 34, 57, 60, 58, 207, 214, 30, 31, 32, 73, 76,
    74, 475, 482, 510, 400, 401, 402, 407, 410, 408, 425, 432, 430,
    800, 1500, 1501, 1502, 1507, 1510, 1508, 1525, 1532, 1530, 1900, 3000, 0,
    1, 2, 7, 10, 8, 25, 32, 30, 400, 1500, 0, 0, 0,
    1, 3, 5, 4, 12, 16, 15, 0, 0, 0, 0, 0, 0,
    2, 3, 2, 8, 10, 10, 0, 0, 0, 300,
];
