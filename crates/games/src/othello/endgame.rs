//! Solver for the last few empty squares.

use super::bits::{around, flips, last_flips, placeable};
use super::rules::{first_square, margin};
use super::stable::stable;

/// The four 4 x 4 quadrants of the board.
const QUADRANTS: [u64; 4] =
    [0x0000_0000_0F0F_0F0F, 0x0000_0000_F0F0_F0F0, 0x0F0F_0F0F << 32, 0xF0F0_F0F0 << 32];
pub(super) const CORNERS: u64 = 0x8100_0000_0000_0081;
/// The neighbours of every square.
const AROUND: [u64; 64] = {
    let mut all = [0; 64];
    let mut square = 0;
    while square < 64 {
        all[square] = around(1 << square) & !(1 << square);
        square += 1;
    }
    all
};
/// Number of empty squares up to which positions are solved here: without a table. 6, 7, 8, 9 and 10 took 2.09, 1.99, 1.94,
/// 1.73 and 1.76 s in the geometric mean of the FFO positions 40 to 44.
pub(super) const MOST_EMPTY: u32 = 9;
/// From this number of empty squares on, sorting the moves saves more than it costs. 5, 6 and 7 took 1.75, 1.62 and 1.55 s in the
/// geometric mean of the FFO positions 40 to 43.
const SORTED_FROM: u32 = 7;
/// Up to this number of empty squares, trying each costs less than computing the legal ones.
const TRY_ALL: u32 = 3;
/// Minimum window bound, in discs, for which stable discs are worth counting.
const FAR: i32 = 10;
/// Below all margins.
const NOTHING: i32 = -65;
/// Move ordering: one reply of the opponent, and a square in a quadrant of odd parity.
const REPLY: i32 = 16;
const ODD: i32 = 4;

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

/// Order of a move by the position after it, larger first: few replies, few corners among them, then squares in quadrants of
/// odd parity.
// CITE: fastest first and parity, Andersson, "Writing an Othello program".
#[inline]
pub(super) fn order(replies: u64, is_odd: bool) -> i32 {
    let most = (replies.count_ones() + (replies & CORNERS).count_ones()) as i32;
    ODD * i32::from(is_odd) - REPLY * most
}

/// A bound of the final margin of the mover by stable discs, if it decides the window: such discs stay with their side.
#[inline]
pub(super) fn bound_by_stable(own: u64, opponent: u64, alpha: i32, beta: i32) -> Option<i32> {
    let most = |kept: u64| 64 - 2 * kept.count_ones() as i32;
    let upper = (alpha >= FAR).then(|| most(stable(opponent, own))).filter(|most| *most <= alpha);
    let lower = || (-beta >= FAR).then(|| -most(stable(own, opponent)));
    upper.or_else(|| lower().filter(|least| *least >= beta))
}

/// Final margin of the mover with best play: exact between `alpha` and `beta`, otherwise a bound.
#[inline]
pub(super) fn solve(own: u64, opponent: u64, alpha: i32, beta: i32) -> i32 {
    let odd = odd_quadrants(!(own | opponent));
    best(Endgame { own, opponent, odd }, alpha, beta, false)
}

/// A position as its mover sees it.
#[derive(Clone, Copy)]
struct Endgame {
    own: u64,
    opponent: u64,
    /// See [`odd_quadrants`].
    odd: u64,
}

impl Endgame {
    /// The position after a disc on an empty square that flips these, as the opponent sees it.
    #[inline]
    fn after(self, square: u8, flipped: u64) -> Self {
        Self {
            own: self.opponent & !flipped,
            opponent: self.own | flipped | 1 << square,
            odd: self.odd ^ quadrant(square),
        }
    }

    /// Margin where the mover has no move; `passed`: nor has the opponent.
    #[inline]
    fn without_moves(self, alpha: i32, beta: i32, passed: bool) -> i32 {
        let Self { own, opponent, odd } = self;
        if passed {
            return margin(own, opponent);
        }
        -best(Self { own: opponent, opponent: own, odd }, -beta, -alpha, true)
    }
}

/// The best margin so far, in a window.
struct Tried {
    alpha: i32,
    beta: i32,
    margin: i32,
}

impl Tried {
    /// Solves the position after a move; true if it is a cutoff.
    #[inline]
    fn cuts(&mut self, next: Endgame) -> bool {
        let margin = -best(next, -self.beta, -self.alpha, false);
        self.margin = self.margin.max(margin);
        self.alpha = self.alpha.max(margin);
        margin >= self.beta
    }
}

/// `passed`: the opponent has just passed.
fn best(pos: Endgame, alpha: i32, beta: i32, passed: bool) -> i32 {
    let empty = !(pos.own | pos.opponent);
    let empties = empty.count_ones();
    if empties <= 1 {
        return last(pos.own, pos.opponent, empty);
    }
    if empties >= SORTED_FROM {
        return best_sorted(pos, alpha, beta, passed);
    }
    let squares = if empties <= TRY_ALL { empty } else { placeable(pos.own, pos.opponent) };
    let mut tried = Tried { alpha, beta, margin: NOTHING };
    for mut squares in [squares & pos.odd, squares & !pos.odd] {
        while squares != 0 {
            let square = first_square(squares);
            squares &= squares - 1;
            if AROUND[usize::from(square)] & pos.opponent == 0 {
                continue;
            }
            let flipped = flips(pos.own, pos.opponent, square);
            if flipped == 0 {
                continue;
            }
            if tried.cuts(pos.after(square, flipped)) {
                return tried.margin;
            }
        }
    }
    if tried.margin > NOTHING { tried.margin } else { pos.without_moves(alpha, beta, passed) }
}

/// The same with the moves by [`order`], unless stable discs decide.
fn best_sorted(pos: Endgame, alpha: i32, beta: i32, passed: bool) -> i32 {
    if let Some(bound) = bound_by_stable(pos.own, pos.opponent, alpha, beta) {
        return bound;
    }
    let mut squares = placeable(pos.own, pos.opponent);
    let mut moves = [(0, pos); MOST_EMPTY as usize];
    let mut count = 0;
    while squares != 0 {
        let square = first_square(squares);
        squares &= squares - 1;
        let next = pos.after(square, flips(pos.own, pos.opponent, square));
        let key = order(placeable(next.own, next.opponent), pos.odd >> square & 1 == 1);
        let mut at = count;
        while at > 0 && moves[at - 1].0 < key {
            moves[at] = moves[at - 1];
            at -= 1;
        }
        moves[at] = (key, next);
        count += 1;
    }
    if count == 0 {
        return pos.without_moves(alpha, beta, passed);
    }
    let mut tried = Tried { alpha, beta, margin: NOTHING };
    for &(_, next) in &moves[..count] {
        if tried.cuts(next) {
            break;
        }
    }
    tried.margin
}

/// Final margin with at most one empty square.
#[inline]
fn last(own: u64, opponent: u64, empty: u64) -> i32 {
    if empty == 0 {
        return margin(own, opponent);
    }
    let square = first_square(empty);
    let lead = own.count_ones() as i32 - opponent.count_ones() as i32;
    // A disc, and twice those that it flips.
    let gain = |flipped: i32| 1 + 2 * flipped;
    match last_flips(own, square) {
        0 => match last_flips(opponent, square) {
            0 => lead + lead.signum(),
            flipped => lead - gain(flipped),
        },
        flipped => lead + gain(flipped),
    }
}
