use super::bits::{COLUMN_A, COLUMN_H, around, placeable};
use super::endgame::{odd_quadrants, solve};
use super::rules::{DISC, Othello, PASS};
use super::stable::stable;
use crate::game::{Evaluator, Game, Side, logistic};

/// What Othello knows about itself: how free the sides are to move, which squares matter, which
/// discs are there to stay, and the last few squares by heart.
#[derive(Clone, Copy, Debug, Default)]
pub struct OthelloEvaluator;

const EDGES: u64 = COLUMN_A | COLUMN_H | 0xFF | 0xFF << 56;
const CORNERS: u64 = (COLUMN_A | COLUMN_H) & (0xFF | 0xFF << 56);
/// All of the board's discs.
const MOST: i32 = 64 * DISC;

/// With so few empty squares the rest is solved at a glance.
const AT_A_GLANCE: u32 = 6;
/// Stable discs are worth counting only for bounds beyond so many discs.
const FAR: i32 = 10;
/// Deepening goes to the end at once when no more than so many empty squares would be left.
const LEAP: u32 = 10;

// What one side has more than the other, in hundredths of a disc of the final lead: fitted by least
// squares to the results of 14,000 games that such an evaluation played with itself, 4 plies deep.
/// A move, divided by the number of empty squares: freedom counts more when little is left.
const MOVE: i32 = 2_800;
/// For each empty square, since it takes room to make use of them: a corner, a disc on the diagonal
/// beside an empty corner, and (for ten) an empty square next to a disc of the opponent.
const CORNER: i32 = 29;
const X_SQUARE: i32 = -24;
const TEN_FRONTIER: i32 = 15;
/// A disc that stays, and one on the edge beside an empty corner.
const STABLE: i32 = 90;
const C_SQUARE: i32 = -30;
/// For who will place the last disc if nobody passes.
const LAST: i32 = 12;

/// In the order of moves: one reply of the opponent, and a square in a quadrant of odd emptiness.
const REPLY: i32 = 16;
const ODD: i32 = 4;

fn count(squares: u64) -> i32 {
    squares.count_ones() as i32
}

/// The squares next to a corner that is empty: along the edges, and on the diagonals.
fn beside_empty_corners(empty: u64) -> [u64; 2] {
    let near = around(empty & CORNERS) & !CORNERS;
    [near & EDGES, near & !EDGES]
}

/// The most plies that a game can still take: before every disc somebody may have to pass.
fn longest(empties: u32) -> u32 {
    2 * empties
}

/// The most that a side can lead by when the other one keeps these discs.
fn lead_against(stable: u64) -> i32 {
    64 - 2 * count(stable)
}

impl Evaluator<Othello> for OthelloEvaluator {
    fn bound(&self) -> i32 {
        MOST
    }

    fn evaluate(&mut self, pos: &Othello, _: Side) -> i32 {
        let (own, opponent, empty) = (pos.own(), pos.opponent(), pos.empty());
        let more =
            |of: &dyn Fn(u64, u64) -> u64| count(of(own, opponent)) - count(of(opponent, own));
        let [c_squares, x_squares] = beside_empty_corners(empty);
        let last = if empty.count_ones() % 2 == 1 { LAST } else { -LAST };
        let free = count(pos.legal()) - count(placeable(opponent, own));
        let room = CORNER * more(&|own, _| own & CORNERS)
            + X_SQUARE * more(&|own, _| own & x_squares)
            + TEN_FRONTIER * more(&|_, opponent| around(opponent) & empty) / 10;
        // Somebody can place a disc, so a square is empty.
        let lead = MOVE * free / count(empty)
            + room * count(empty)
            + STABLE * more(&stable)
            + C_SQUARE * more(&|own, _| own & c_squares)
            + last;
        lead.clamp(-MOST, MOST)
    }

    // The last squares are played out; before that, discs that will stay bound what can be won.
    #[inline]
    fn solve_payoff(
        &self,
        pos: &Othello,
        _: Side,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        let empties = pos.empty().count_ones();
        if depth < longest(empties) {
            return None;
        }
        // In whole discs, beyond the bounds no less than in units.
        let discs = |units: i32| units.clamp(-MOST - DISC, MOST + DISC).div_euclid(DISC);
        let (alpha, beta) = (discs(alpha), -discs(-beta));
        if empties <= AT_A_GLANCE {
            return Some(DISC * solve(pos.own(), pos.opponent(), alpha, beta));
        }
        let most = if alpha < FAR { 64 } else { lead_against(stable(pos.opponent(), pos.own())) };
        if most <= alpha {
            return Some(DISC * most);
        }
        let least =
            if -beta < FAR { -64 } else { -lead_against(stable(pos.own(), pos.opponent())) };
        (least >= beta).then_some(DISC * least)
    }

    fn next_depth(&self, root: &Othello, depth: u32) -> u32 {
        let empties = root.empty().count_ones();
        if depth + LEAP < empties { depth + 1 } else { longest(empties).max(depth + 1) }
    }

    // The fewer replies, and the fewer corners among them, the better.
    // CITE: fastest first and parity, Andersson, "Writing an Othello program".
    #[inline]
    fn order(&self, pos: &Othello, _: Side, mv: u8) -> i32 {
        if mv == PASS {
            return 0;
        }
        let replies = pos.after(mv).legal();
        let odd = odd_quadrants(pos.empty()) >> mv & 1;
        ODD * odd as i32 - REPLY * (count(replies) + count(replies & CORNERS))
    }

    fn win_probability(&self, value: f64) -> f64 {
        logistic(value, 1_000.0)
    }

    fn result(&self, payoff: i32) -> f64 {
        0.5 + 0.5 * f64::from(payoff.signum())
    }
}
