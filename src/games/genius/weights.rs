//! The weights of the evaluation, in hundredths of a hit point. Fitted to the results of games that the
//! engine played with itself; `bestmove tune` writes this file.

use super::worth::TERMS;

/// A side that stands at `value` is expected to score 1 / (1 + exp(-value / SCALE)).
pub(super) const SCALE: f64 = 482.2;

/// In the order of the terms in `worth.rs`.
#[rustfmt::skip]
pub(super) static WEIGHTS: [i16; TERMS] = [
    372, 101, 88, 155, 147, 123, 127, 114, 143, 122, -202, 32,
    -35, -113, 102, -83, 50, -16, 48, -10, -35, -52, 21, 21,
    66, 0, 7, -11, -10, 6, 73, 14, 13, -36, -40, -114,
    -113, -40, -5, -40, -45, -40, -99, -159, -40, 42, -40, 73,
    103, 91, 103, 81, 115, 88, 57, 223, 21, 115, 16, 61,
    -9, 20, 9, 33, 91, 103, 135, 76, 39, 7, 29, -23,
    -61, 45, 27, 1, 42, 92, -16, 146, 33, 140, 90, 15,
    46, 30, 21, -150, -34, 81, 18, 125, 126, 144, 123, 171,
    155, 112, -14, 167, 107, 4, 66, 133, 101, 70, 128, 57,
    48, 144, 85, 123, 209, 0, 115, 82, 120, 117, 106, 208,
    32, 63, 119, 49, 131, 0, -34, 29, -48, 55, 56, 74,
    53, 101, 85, 19, -84, 65, 37, -66, -4, 63, 39, 0,
    54, -13, -22, 152, 42, 88, 197, 30, 136, 131, 208, 201,
    156, 115, -20, 68, 0, -38, 84,
];
