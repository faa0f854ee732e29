//! The weights of the evaluation, in parts of a unit. Fitted to the results of games that the engine played
//! with itself; `bestmove tune` writes this file.

use super::worth::TERMS;

/// A side that stands at `value` units is expected to score 1 / (1 + exp(-value / SCALE)).
pub(in crate::games::gomoku) const SCALE: f64 = 110.6;

/// Parts of a unit.
pub(super) const GRAIN: i32 = 10;

/// First for the side to move, then for the other: for each pair of the two best kinds of a point, for its
/// third and its fourth; at last for having the move.
#[rustfmt::skip]
pub(super) static WEIGHTS: [i16; TERMS] = [
    -3, 0, 2, 8, 2, -4, -14, 11, 9, 48, 28, 16,
    23, 64, 104, 27, 23, 36, 54, 86, 43, 28, 144, 104,
    206, 316, 241, 258, -12, 115, 90, 212, 408, 268, 307, 366,
    -31, 202, 169, 179, 362, 198, 789, 796, 1590, 1500, 1501, 1503,
    1510, 1514, 1512, 1540, 1550, 1545, 3000, 3000, 3001, 3003, 3010, 3014,
    3012, 3040, 3050, 3045, 4500, 6000, 0, 1, 3, 10, 14, 12,
    40, 50, 45, 1500, 3000, 0, -1, 0, 13, 113, 170, -68,
    20, 25, 22, 0, 0, 0, 0, 0, 52, 192, 27, 3,
    13, 16, 15, 0, 0, 0, 6, -2, 2, 0, 2, -2,
    8, 8, 10, 41, 29, 10, 22, 56, 94, 2, 23, 27,
    50, 73, 38, 51, 106, 108, 183, 183, 252, 299, 57, 79,
    59, 97, 236, 145, 352, 247, 28, 141, 99, 170, 306, 213,
    516, 451, 510, 400, 401, 402, 407, 410, 408, 425, 432, 430,
    800, 1500, 1501, 1502, 1507, 1510, 1508, 1525, 1532, 1530, 1900, 3000,
    0, 1, 2, 7, 10, 8, 25, 32, 30, 400, 1500, 0,
    0, 0, 15, 67, 102, 35, -11, 16, 15, 0, 0, 0,
    0, 0, 51, 156, 69, -15, 8, 10, 10, 0, 0, 0,
    277,
];
