//! Move generation and flips on 64-bit boards.

use wide::u64x2;

pub(super) const COLUMN_A: u64 = 0x0101_0101_0101_0101;
pub(super) const COLUMN_H: u64 = COLUMN_A << 7;
/// Squares of the columns `b` to `g`: only discs there can be flanked horizontally.
const INNER: u64 = !(COLUMN_A | COLUMN_H);

/// The square beyond every run of `runs` that starts next to a disc of `own`, in two lanes: in the
/// direction of ascending squares `step` apart and, with mirrored rows, in the opposite direction.
/// Both lanes take the same steps, so that the compiler can vectorize them.
// CITE: parallel prefix fill, Kogge and Stone 1973.
#[inline]
fn beyond(own: [u64; 2], runs: [u64; 2], step: u32) -> [u64; 2] {
    let reach = |from: [u64; 2], over: [u64; 2], by: u32| {
        [over[0] & from[0] << by, over[1] & from[1] << by]
    };
    let mut reached = reach(own, runs, step);
    reached = either(reached, reach(reached, runs, step));
    let pairs = reach(runs, runs, step);
    reached = either(reached, reach(reached, pairs, 2 * step));
    reached = either(reached, reach(reached, pairs, 2 * step));
    [reached[0] << step, reached[1] << step]
}

#[inline]
fn either(a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
    [a[0] | b[0], a[1] | b[1]]
}

/// Squares where `own` may place a disc: empty ones that flank discs of `opponent`.
#[inline]
pub(super) fn placeable(own: u64, opponent: u64) -> u64 {
    let inner = opponent & INNER;
    let (own_lanes, inner_lanes) = ([own, own.swap_bytes()], [inner, inner.swap_bytes()]);
    let down_left = beyond(own_lanes, inner_lanes, 7);
    let down = beyond(own_lanes, [opponent, opponent.swap_bytes()], 8);
    let down_right = beyond(own_lanes, inner_lanes, 9);
    let [down, up] = either(either(down_left, down), down_right);
    // The addition carries through a run to the square beyond it.
    let right = (inner + (inner & own << 1)) & !inner;
    let mut left = inner & own >> 1;
    left |= inner & left >> 1;
    let pairs = inner & inner >> 1;
    left |= pairs & left >> 2;
    left |= pairs & left >> 2;
    (down | up.swap_bytes() | right | left >> 1) & !(own | opponent)
}

/// For each square its rays, without the square: four to higher squares (right, down left, down,
/// down right) and the four opposite ones.
const RAYS: [[u64; 8]; 64] = {
    let mut rays = [[0; 8]; 64];
    let steps: [(i32, i32); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];
    let mut square = 0;
    while square < 64 {
        let mut n = 0;
        while n < 8 {
            let (dx, dy) = steps[n % 4];
            let sign = if n < 4 { 1 } else { -1 };
            let (mut x, mut y) = (square as i32 % 8 + sign * dx, square as i32 / 8 + sign * dy);
            while x >= 0 && x < 8 && y >= 0 && y < 8 {
                rays[square][n] |= 1 << (8 * y + x);
                x += sign * dx;
                y += sign * dy;
            }
            n += 1;
        }
        square += 1;
    }
    rays
};

/// For each square its rays down left, down and down right, beside those of the same square of the board upside down.
const DOWN: [[[u64; 2]; 3]; 64] = {
    let mut down = [[[0; 2]; 3]; 64];
    let mut square = 0;
    while square < 64 {
        let mut n = 0;
        while n < 3 {
            down[square][n] = [RAYS[square][n + 1], RAYS[square ^ 0o70][n + 1]];
            n += 1;
        }
        square += 1;
    }
    down
};

/// The discs of `opponent` flipped by a disc of `own` placed on `square`.
// The rays down and, on the board upside down, up take the same steps in two lanes: in runs by turns FFO positions 40 and 41
// took 0.94 and 0.95 of the time.
#[inline]
pub(super) fn flips(own: u64, opponent: u64, square: u8) -> u64 {
    let square = usize::from(square & 63);
    let lanes = |squares: u64| u64x2::new([squares, squares.swap_bytes()]);
    let (owns, opponents) = (lanes(own), lanes(opponent));
    let mut flipped = u64x2::ZERO;
    for &ray in &DOWN[square] {
        let ray = u64x2::new(ray);
        let others = ray & !opponents;
        // The first square of the ray that the opponent does not hold, if it is one of `own`.
        let flank = others & (u64x2::ZERO - others) & owns;
        // All bits where there is none: -1 - -1 leaves nothing.
        let none = flank.simd_eq(u64x2::ZERO);
        flipped |= (flank - u64x2::ONE - none) & ray;
    }
    let [down, up] = flipped.to_array();
    let [right, left] = [RAYS[square][0], RAYS[square][4]];
    let others = right & !opponent;
    let flank = others & others.wrapping_neg() & own;
    let right = flank.wrapping_sub(u64::from(flank != 0)) & right;
    // The first other square is the highest one. If there is none, the lowest square of the
    // board is used, which then is not a disc of `own` on the ray.
    let flank = 1 << (left & !opponent | 1).ilog2() & left & own;
    let left = (flank << 1).wrapping_neg() & left;
    down | up.swap_bytes() | right | left
}

/// For each square its two diagonals: down right, down left.
const DIAGONALS: [[u64; 2]; 64] = {
    let mut diagonals = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let rays = &RAYS[square];
        diagonals[square] = [1 << square | rays[3] | rays[7], 1 << square | rays[1] | rays[5]];
        square += 1;
    }
    diagonals
};

/// Number of discs flipped by one on the last empty square of a line, by its place and the mover's discs.
static LINE_FLIPS: [[u8; 256]; 8] = {
    let mut flips = [[0; 256]; 8];
    let mut at = 0;
    while at < 8 {
        let mut own = 0_usize;
        while own < 256 {
            let (above, below) = (own >> at >> 1, own & ((1 << at) - 1));
            if above != 0 {
                flips[at][own] += above.trailing_zeros() as u8;
            }
            if below != 0 {
                flips[at][own] += (at as u32 - 1 - below.ilog2()) as u8;
            }
            own += 1;
        }
        at += 1;
    }
    flips
};

/// Number of discs flipped by a disc of `own` on the only empty square of the board.
#[inline]
pub(super) fn last_flips(own: u64, square: u8) -> i32 {
    let square = square & 63;
    let (row, column) = (usize::from(square >> 3), usize::from(square & 7));
    // Squares of different columns, in the order of these.
    let by_column = |squares: u64| squares.wrapping_mul(COLUMN_A) >> 56;
    // Squares of the first column, in the order of rows.
    let by_row = |squares: u64| squares.wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let along = |line: u64, at: usize| i32::from(LINE_FLIPS[at][(line & 0xFF) as usize]);
    let [right, left] = DIAGONALS[usize::from(square)].map(|diagonal| by_column(own & diagonal));
    along(own >> (8 * row), column)
        + along(by_row(own >> column & COLUMN_A), row)
        + along(right, column)
        + along(left, column)
}

/// These squares and their neighbours.
#[inline]
pub(super) const fn around(squares: u64) -> u64 {
    let row = squares | squares << 1 & !COLUMN_A | squares >> 1 & !COLUMN_H;
    row | row << 8 | row >> 8
}
