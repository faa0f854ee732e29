//! The weights of the evaluation, in hundredths of a hit point. Fitted to the results of games that the
//! engine played with itself; `bestmove tune` writes this file.

use super::worth::TERMS;

/// A side that stands at `value` is expected to score 1 / (1 + exp(-value / SCALE)).
pub(super) const SCALE: f64 = 462.4;

/// In the order of the terms in `worth.rs`.
#[rustfmt::skip]
pub(super) static WEIGHTS: [i16; TERMS] = [
    372, 96, 92, 151, 146, 124, 133, 120, 140, 125, -140, 19,
    -39, -62, 123, -123, 52, -9, 45, -29, -5, -73, 22, 19,
    6, 28, 1, 10, -5, 3, 59, -3, -4, -63, -40, -129,
    -46, -40, -13, -40, -64, -40, -108, -109, -40, 41, -40, 52,
    80, 80, 90, 72, 92, 73, 54, 199, 20, 94, -8, 42,
    -10, -9, -4, -1, 86, 93, 139, 58, 27, 1, 56, -44,
    -90, 21, -6, 33, 46, 160, -33, 102, 53, 132, 50, 59,
    48, 57, 13, -150, -30, 9, 41, 103, 136, 96, 128, 135,
    132, 94, -41, 132, 103, -36, 91, 126, 74, 70, 107, 59,
    49, 106, 90, 79, 204, 67, 104, 63, 113, 87, 75, 147,
    43, 46, 130, 37, 129, 0, -30, -39, -32, 33, 66, 26,
    58, 65, 62, 11, -111, 53, 33, -106, 21, 56, 3, 0,
    24, -11, -21, 87, 31, 37, 164, -3, 141, 120, 208, 191,
    162, 65, -11, 63, 0, -33, 67,
];
