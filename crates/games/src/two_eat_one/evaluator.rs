use super::rules::{TwoEatOne, TwoEatOneMove};
use engine::game::{Evaluator, Game, Side, logistic};

/// Evaluation of unfinished positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TwoEatOneEvaluation {
    /// Difference of stones.
    Stones,
    /// Constant 0.
    None,
}

/// Evaluator of two eat one, in addition to its tablebase.
#[derive(Clone, Copy, Debug)]
pub struct TwoEatOneEvaluator {
    /// Evaluation of unfinished positions.
    pub evaluation: TwoEatOneEvaluation,
    /// Stones that a draw by repetition is worth less than an even game, 0 to 2.
    pub contempt: i32,
}

impl TwoEatOneEvaluator {
    /// The evaluator with this evaluation, to which a draw by repetition is an even game.
    pub fn new(evaluation: TwoEatOneEvaluation) -> Self {
        Self { evaluation, contempt: 0 }
    }
}

/// Value of one stone.
const STONE: i32 = 100;
/// Maximum lead: against four stones the opponent has at least two, or has lost.
pub(super) const MOST_LEAD: i32 = 2;
/// Fitted to the 794,132 positions with four stones against three: the side with four wins 94 % and
/// loses 1 % as the side to move, and wins 71 % and loses 11 % as the opponent; on average 0.88 of
/// a win.
const ODDS_OF_A_STONE: f64 = 2.03;

impl Evaluator<TwoEatOne> for TwoEatOneEvaluator {
    fn bound(&self) -> i32 {
        MOST_LEAD * STONE
    }

    fn contempt(&self) -> i32 {
        self.contempt * STONE
    }

    fn evaluate(&mut self, pos: &TwoEatOne, _: Side) -> i32 {
        match self.evaluation {
            TwoEatOneEvaluation::Stones => STONE * pos.lead(),
            TwoEatOneEvaluation::None => 0,
        }
    }

    #[inline]
    fn order(&self, pos: &TwoEatOne, _: Side, step: TwoEatOneMove) -> i32 {
        pos.captures(step) as i32
    }

    fn playout_move(
        &self,
        pos: &TwoEatOne,
        rng: &mut engine::game::Rng,
        scratch: &mut Vec<TwoEatOneMove>,
    ) -> Option<TwoEatOneMove> {
        scratch.clear();
        pos.moves(scratch);
        let taking = scratch.iter().find(|&&step| pos.captures(step) > 0);
        taking.copied().or_else(|| rng.pick(scratch))
    }

    fn win_probability(&self, value: f64) -> f64 {
        logistic(value, f64::from(STONE) / ODDS_OF_A_STONE)
    }
}
