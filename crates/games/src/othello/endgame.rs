//! Solver for the last few empty squares.

use super::bits::{flips, placeable};
use super::rules::{first_square, margin};

/// The four 4 x 4 quadrants of the board.
const QUADRANTS: [u64; 4] =
    [0x0000_0000_0F0F_0F0F, 0x0000_0000_F0F0_F0F0, 0x0F0F_0F0F << 32, 0xF0F0_F0F0 << 32];
/// Up to this number of empty squares, trying each costs less than computing the legal ones.
const TRY_ALL: u32 = 3;
/// Below all margins.
const NOTHING: i32 = -65;

/// Squares of the quadrants with an odd number of empty squares (parity): a player who moves there
/// can expect the last move there.
#[inline]
pub(super) fn odd_quadrants(empty: u64) -> u64 {
    let odd = |quadrant: &u64| if (empty & quadrant).count_ones() % 2 == 1 { *quadrant } else { 0 };
    QUADRANTS.iter().fold(0, |all, quadrant| all | odd(quadrant))
}

/// The quadrant of a square.
#[inline]
fn quadrant(square: u8) -> u64 {
    QUADRANTS[usize::from(square >> 5 << 1 | square >> 2 & 1)]
}

/// Final margin of the mover with best play: exact between `alpha` and `beta`, otherwise a bound.
#[inline]
pub(super) fn solve(own: u64, opponent: u64, alpha: i32, beta: i32) -> i32 {
    let empty = !(own | opponent);
    best(own, opponent, alpha, beta, odd_quadrants(empty), false)
}

/// `passed`: the opponent has just passed.
fn best(own: u64, opponent: u64, mut alpha: i32, beta: i32, odd: u64, passed: bool) -> i32 {
    let empty = !(own | opponent);
    if empty & empty.wrapping_sub(1) == 0 {
        return last(own, opponent, empty);
    }
    let squares = if empty.count_ones() <= TRY_ALL { empty } else { placeable(own, opponent) };
    let mut best_margin = NOTHING;
    for mut squares in [squares & odd, squares & !odd] {
        while squares != 0 {
            let square = first_square(squares);
            squares &= squares - 1;
            let flipped = flips(own, opponent, square);
            if flipped == 0 {
                continue;
            }
            let (next, left) = (own | flipped | 1 << square, odd ^ quadrant(square));
            let margin = -best(opponent & !flipped, next, -beta, -alpha, left, false);
            if margin > best_margin {
                best_margin = margin;
                if margin >= beta {
                    return margin;
                }
                alpha = alpha.max(margin);
            }
        }
    }
    if best_margin > NOTHING {
        best_margin
    } else if passed {
        margin(own, opponent)
    } else {
        -best(opponent, own, -beta, -alpha, odd, true)
    }
}

/// Final margin with at most one empty square.
#[inline]
fn last(own: u64, opponent: u64, empty: u64) -> i32 {
    if empty == 0 {
        return margin(own, opponent);
    }
    let square = first_square(empty);
    let flipped = flips(own, opponent, square);
    if flipped != 0 {
        return margin(own | flipped | empty, opponent & !flipped);
    }
    let flipped = flips(opponent, own, square);
    if flipped != 0 {
        return margin(own & !flipped, opponent | flipped | empty);
    }
    margin(own, opponent)
}
