//! The weights of the evaluation, in parts of a unit. Fitted to the results of games that the engine played
//! with itself; `bestmove tune` writes this file.

use super::worth::TERMS;

/// A side that stands at `value` units is expected to score 1 / (1 + exp(-value / SCALE)).
pub(in crate::games::gomoku) const SCALE: f64 = 75.6;

/// Parts of a unit.
pub(super) const GRAIN: i32 = 10;

/// First for the side to move, then for the other: for each pair of the two best kinds of a point, for its
/// third and its fourth; at last for having the move.
#[rustfmt::skip]
pub(super) static WEIGHTS: [i16; TERMS] = [
    21, 20, 2, 54, 2, 3, 8, 12, 16, 50, 36, 14,
    19, 64, 86, 47, 30, 50, 82, 133, 91, 63, 175, 137,
    313, 465, 229, 333, 6, 148, 75, 319, 540, 120, 165, 271,
    56, 235, 167, 326, 371, 259, 784, 780, 1590, 1500, 1501, 1503,
    1510, 1514, 1512, 1540, 1550, 1545, 3000, 3000, 3001, 3003, 3010, 3014,
    3012, 3040, 3050, 3045, 4500, 6000, 0, 1, 3, 10, 14, 12,
    40, 50, 45, 1500, 3000, 0, -4, 0, 19, 67, 86, -129,
    18, 12, 22, 0, 0, 0, 0, 0, 42, 141, 191, -9,
    13, 16, 15, 0, 0, 0, 26, 16, 2, 54, 2, 4,
    13, 8, 14, 41, 38, 8, 17, 52, 75, 33, 29, 37,
    69, 121, 98, 89, 168, 146, 246, 289, 271, 368, -35, 83,
    46, 237, 284, 137, 296, 126, 44, 148, 135, 295, 371, 228,
    605, 371, 510, 400, 401, 402, 407, 410, 408, 425, 432, 430,
    800, 1500, 1501, 1502, 1507, 1510, 1508, 1525, 1532, 1530, 1900, 3000,
    0, 1, 2, 7, 10, 8, 25, 32, 30, 400, 1500, 0,
    -1, 0, 22, 34, 43, -38, 26, 10, 15, 0, 0, 0,
    0, 0, 48, 50, 110, -44, 8, 10, 10, 0, 0, 0,
    256,
];
