use super::bits::{COLUMN_A, COLUMN_H, around, placeable};
use super::endgame::{odd_quadrants, solve};
use super::rules::{DISC, Othello, PASS};
use super::stable::stable;
use crate::game::{Expert, Game, Side};

/// What Othello knows about itself: how free the sides are to move, which squares matter, which
/// discs are there to stay, and the last few squares by heart.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mobility;

const EDGES: u64 = COLUMN_A | COLUMN_H | 0xFF | 0xFF << 56;
const CORNERS: u64 = 0x8100_0000_0000_0081;
/// All of the board's discs.
const MOST: i32 = 64 * DISC;

/// With so few empty squares the rest is solved at a glance.
const AT_A_GLANCE: u32 = 6;

/// Hundredths of a disc for what one side has more than the other.
const MOVE: i32 = 80;
const FRONTIER: i32 = 25;
const CORNER: i32 = 600;
const STABLE: i32 = 120;
const X_SQUARE: i32 = -350;
const C_SQUARE: i32 = -120;
/// For who will place the last disc, if nobody passes.
const LAST: i32 = 150;

fn count(squares: u64) -> i32 {
    squares.count_ones() as i32
}

/// The squares next to a corner that is empty: along the edges, and on the diagonals.
fn beside_empty_corners(empty: u64) -> [u64; 2] {
    let near = around(empty & CORNERS) & !CORNERS;
    [near & EDGES, near & !EDGES]
}

impl Mobility {
    /// The expected final lead of the side to move, in units.
    fn lead(pos: &Othello) -> i32 {
        let (own, foe, empty) = (pos.own(), pos.foe(), pos.empty());
        let more = |of: &dyn Fn(u64, u64) -> u64| count(of(own, foe)) - count(of(foe, own));
        let [c_squares, x_squares] = beside_empty_corners(empty);
        let parity = if empty.count_ones() % 2 == 1 { LAST } else { -LAST };
        MOVE * (count(pos.legal()) - count(placeable(foe, own)))
            + FRONTIER * more(&|_, foe| around(foe) & empty)
            + CORNER * more(&|own, _| own & CORNERS)
            + C_SQUARE * more(&|own, _| own & c_squares)
            + X_SQUARE * more(&|own, _| own & x_squares)
            + STABLE * more(&stable)
            + parity
    }
}

impl Expert<Othello> for Mobility {
    fn bound(&self) -> i32 {
        MOST
    }

    #[inline]
    fn evaluate(&mut self, pos: &Othello, _: Side) -> i32 {
        Self::lead(pos).clamp(-MOST, MOST)
    }

    #[inline]
    fn settle(&self, pos: &Othello, _: Side, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        let empties = pos.empty().count_ones();
        if empties > AT_A_GLANCE || depth < longest(empties) {
            return None;
        }
        let discs = |units: i32| units.clamp(-MOST - DISC, MOST + DISC);
        let (alpha, beta) = (discs(alpha).div_euclid(DISC), -discs(-beta).div_euclid(DISC));
        Some(DISC * solve(pos.own(), pos.foe(), alpha, beta))
    }

    #[inline]
    fn order(&self, pos: &Othello, _: Side, mv: u8) -> i32 {
        if mv == PASS {
            return 0;
        }
        let after = pos.after(mv);
        let replies = after.legal();
        let square = 1 << mv;
        let odd = odd_quadrants(pos.empty()) & square != 0;
        let corner = square & CORNERS != 0;
        -16 * (count(replies) + count(replies & CORNERS))
            + if odd { 8 } else { 0 }
            + if corner { 32 } else { 0 }
    }

    fn win_probability(&self, value: f64) -> f64 {
        1.0 / (1.0 + (-value / 800.0).exp())
    }

    fn result(&self, payoff: i32) -> f64 {
        0.5 + 0.5 * f64::from(payoff.signum())
    }
}

/// The most plies that a game can still take: before every disc somebody may have to pass.
fn longest(empties: u32) -> u32 {
    2 * empties
}
