use super::bits::{COLUMN_A, COLUMN_H, around, placeable};
use super::endgame::{self, CORNERS, MOST_EMPTY, bound_by_stable, odd_quadrants, solve};
use super::network;
use super::rules::{DISC, Othello, PASS};
use super::stable::stable;
use engine::game::{Evaluator, Game, ProbCutRow, Side, Tuning, logistic};

/// Evaluation function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OthelloEvaluation {
    /// The hand-made terms, corrected by a network of patterns trained by self-play.
    #[default]
    Network,
    /// Mobility, corners and adjacent squares, stable discs.
    Hand,
    /// Discs alone.
    Material,
}

/// Evaluator of Othello, with an endgame solver.
#[derive(Clone, Copy, Debug, Default)]
pub struct OthelloEvaluator {
    evaluation: OthelloEvaluation,
}

const EDGES: u64 = COLUMN_A | COLUMN_H | 0xFF | 0xFF << 56;
/// All 64 discs.
const MOST: i32 = 64 * DISC;

/// Iterative deepening goes straight to the end if at most this number of empty squares would remain: by `alphabeta` and by
/// `probcut`, whose iterations cost little. With 10, 7, 6, 5 and 4 `probcut` took 1, 0.92, 0.81, 0.78 and 0.80 times as long in
/// the geometric mean of the FFO positions 40 to 44 and 46; `alphabeta` took twice as long with 5 as with 10.
const LEAP: [u32; 2] = [10, 5];
/// Number of empty squares from which a search to the end orders moves by the evaluation, too. 10, 12, 14, 15, 16, 17 and 18 took
/// 2.11, 1.82, 1.86, 1.63, 1.61, 1.61 and 1.55 s in the geometric mean of the FFO positions 40 to 44.
const EVALUATED_FROM: u32 = 18;
/// Hundredths of a disc of evaluation in one unit of the order. Not tuned: 6, 10 and 20 took 1.76, 1.80 and 1.72 s in the same
/// positions, which is within the error.
const LEAD: i32 = 10;

// Weights of the difference between the sides, in hundredths of a disc of the final lead: least
// squares fit to the results of 14,000 self-play games of such an evaluation, 4 plies deep.
/// A legal move, divided by the number of empty squares: mobility counts more late in the game.
const MOVE: i32 = 2_800;
/// Multiplied by the number of empty squares, since it takes room to exploit them: a corner, a disc
/// diagonally adjacent to an empty corner, and (per ten) an empty square next to a disc of the
/// opponent.
const CORNER: i32 = 29;
const X_SQUARE: i32 = -24;
const TEN_FRONTIER: i32 = 15;
/// A stable disc, and a disc on the edge beside an empty corner.
const STABLE: i32 = 90;
const C_SQUARE: i32 = -30;
/// The last disc of the game, if nobody passes.
const LAST: i32 = 12;

/// Forecasts by shallower searches: `bestmove calibrate --game othello --depth 12 --positions 500`. Those of 13 plies and more are
/// not measured: they are the errors of 11 and 12, of as many plies less.
const FORECASTS: [ProbCutRow; 14] = [
    forecast(1, 3, 1.127, -0.44, 3.08),
    forecast(2, 4, 1.126, -0.24, 2.33),
    forecast(3, 5, 1.152, 0.03, 2.47),
    forecast(2, 6, 1.277, -0.14, 3.38),
    forecast(3, 7, 1.256, 0.17, 3.03),
    forecast(4, 8, 1.296, 0.19, 3.08),
    forecast(5, 9, 1.209, -0.11, 2.73),
    forecast(4, 10, 1.396, 0.13, 3.79),
    forecast(5, 11, 1.366, -0.16, 3.31),
    forecast(6, 12, 1.372, -0.15, 3.82),
    forecast(7, 13, 1.366, -0.16, 3.31),
    forecast(8, 14, 1.372, -0.15, 3.82),
    forecast(9, 15, 1.366, -0.16, 3.31),
    forecast(10, 16, 1.372, -0.15, 3.82),
];

// A search to the end of the game, which is deeper, is never cut: its values are proofs.
const _: () = assert!(FORECASTS[FORECASTS.len() - 1].deep < longest(MOST_EMPTY + 1));

/// A row of the calibration, whose values are in discs.
const fn forecast(shallow: u32, deep: u32, a: f64, b: f64, sigma: f64) -> ProbCutRow {
    ProbCutRow { shallow, deep, a, b: b * DISC as f64, sigma: sigma * DISC as f64 }
}

fn count(squares: u64) -> i32 {
    squares.count_ones() as i32
}

/// Squares adjacent to an empty corner: on the edges, and on the diagonals.
fn beside_empty_corners(empty: u64) -> [u64; 2] {
    let near = around(empty & CORNERS) & !CORNERS;
    [near & EDGES, near & !EDGES]
}

/// Maximum number of plies to the end: a pass is possible before every disc.
const fn longest(empties: u32) -> u32 {
    2 * empties
}

/// Hand-made evaluation for the side to move, in hundredths of a disc.
pub(super) fn hand(pos: &Othello) -> i32 {
    let (own, opponent, empty) = (pos.own(), pos.opponent(), pos.empty());
    let more = |of: &dyn Fn(u64, u64) -> u64| count(of(own, opponent)) - count(of(opponent, own));
    let [c_squares, x_squares] = beside_empty_corners(empty);
    let last = if empty.count_ones() % 2 == 1 { LAST } else { -LAST };
    let free = count(pos.legal()) - count(placeable(opponent, own));
    let room = CORNER * more(&|own, _| own & CORNERS)
        + X_SQUARE * more(&|own, _| own & x_squares)
        + TEN_FRONTIER * more(&|_, opponent| around(opponent) & empty) / 10;
    // A legal disc exists, so there is an empty square.
    let lead = MOVE * free / count(empty)
        + room * count(empty)
        + STABLE * more(&stable)
        + C_SQUARE * more(&|own, _| own & c_squares)
        + last;
    lead.clamp(-MOST, MOST)
}

impl OthelloEvaluator {
    /// An evaluator with this evaluation function.
    pub const fn new(evaluation: OthelloEvaluation) -> Self {
        Self { evaluation }
    }

    /// Value for the side to move, which has a legal move, in hundredths of a disc.
    fn value(self, pos: &Othello) -> i32 {
        let value = match self.evaluation {
            OthelloEvaluation::Network => hand(pos) + network::correction(pos),
            OthelloEvaluation::Hand => hand(pos),
            OthelloEvaluation::Material => DISC * (count(pos.own()) - count(pos.opponent())),
        };
        value.clamp(-MOST, MOST)
    }
}

impl Evaluator<Othello> for OthelloEvaluator {
    // 66 % ± 9 of 100 games at 2,000 simulations against 1.0: `benches/exploration.py --game othello`.
    const TUNING: Tuning = Tuning { exploration: 0.35, probcut: &FORECASTS, ..Tuning::DEFAULT };

    fn bound(&self) -> i32 {
        MOST
    }

    fn evaluate(&mut self, pos: &Othello, _: Side) -> i32 {
        self.value(pos)
    }

    // The last squares are solved; before that, stable discs bound the final margin.
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
        // In whole discs, rounded outward.
        let discs = |units: i32| units.clamp(-MOST - DISC, MOST + DISC).div_euclid(DISC);
        let (alpha, beta) = (discs(alpha), -discs(-beta));
        let (own, opponent) = (pos.own(), pos.opponent());
        let margin = if empties <= MOST_EMPTY {
            Some(solve(own, opponent, alpha, beta))
        } else {
            bound_by_stable(own, opponent, alpha, beta)
        };
        margin.map(|margin| DISC * margin)
    }

    fn next_depth(&self, root: &Othello, depth: u32, selective: bool) -> u32 {
        let empties = root.empty().count_ones();
        if depth + LEAP[usize::from(selective)] < empties {
            depth + 1
        } else {
            longest(empties).max(depth + 1)
        }
    }

    #[inline]
    fn order(&self, pos: &Othello, _: Side, mv: u8) -> i32 {
        if mv == PASS {
            return 0;
        }
        let odd = odd_quadrants(pos.empty());
        endgame::order(pos.after(mv).legal(), odd >> mv & 1 == 1)
    }

    // To the end, a node with many empty squares costs far more than an evaluation of each of its moves.
    #[inline]
    fn order_by_depth(&self, pos: &Othello, mover: Side, mv: u8, depth: u32) -> i32 {
        let order = self.order(pos, mover, mv);
        let empties = pos.empty().count_ones();
        if empties < EVALUATED_FROM || depth < longest(empties) || mv == PASS {
            return order;
        }
        let next = pos.after(mv);
        let lead = if next.legal() == 0 { 0 } else { -self.value(&next) };
        order + lead / LEAD
    }

    fn win_probability(&self, value: f64) -> f64 {
        logistic(value, 1_000.0)
    }

    fn result(&self, payoff: i32) -> f64 {
        0.5 + 0.5 * f64::from(payoff.signum())
    }
}
