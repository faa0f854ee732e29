//! Move generation and flips on 64-bit boards.

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

/// The discs of `opponent` flipped by a disc of `own` placed on `square`.
#[inline]
pub(super) fn flips(own: u64, opponent: u64, square: u8) -> u64 {
    let rays = &RAYS[usize::from(square & 63)];
    let mut flipped = 0;
    for &ray in &rays[..4] {
        // The addition carries over discs of the opponent and squares off the ray to the first
        // other square on it.
        let flank = (opponent | !ray).wrapping_add(1) & ray & own;
        flipped |= flank.wrapping_sub(u64::from(flank != 0)) & ray;
    }
    for &ray in &rays[4..] {
        // The first other square is the highest one. If there is none, the lowest square of the
        // board is used, which then is not a disc of `own` on the ray.
        let flank = 1 << (ray & !opponent | 1).ilog2() & ray & own;
        flipped |= (flank << 1).wrapping_neg() & ray;
    }
    flipped
}

/// These squares and their neighbours.
#[inline]
pub(super) const fn around(squares: u64) -> u64 {
    let row = squares | squares << 1 & !COLUMN_A | squares >> 1 & !COLUMN_H;
    row | row << 8 | row >> 8
}
