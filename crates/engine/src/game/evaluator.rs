//! Knowledge of one game for the sake of search: static evaluation, move ordering, candidate moves.

use super::{ExactSolver, Game, PruningHints, Rng, Side, Tuning};
use crate::options::choices;

/// Static result of a position with the side to move known, or its candidate moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookahead {
    /// The mover wins in exactly this many plies with best play.
    Win(u32),
    /// The mover loses in exactly this many plies with best play.
    Loss(u32),
    /// Undecided; the moves to search have been appended.
    Open {
        /// True if no unlisted move can be better than the best listed one. Otherwise a draw or a loss
        /// found among the listed moves is not a proof.
        complete: bool,
        /// Lower bound of the plies to a win of the mover.
        win_from: u32,
        /// Lower bound of the plies to a loss of the mover.
        loss_from: u32,
    },
}

choices! {
    /// Moves that a search looks at in every position, the root included.
    pub enum MoveList {
        /// Every legal move: textbook minimax.
        All = "all",
        /// The evaluator's candidates: minimax over the listed moves.
        Expert = "expert",
    }
}

impl MoveList {
    /// The list for an evaluator: if it lists every move, there is but one.
    pub const fn of<G: Game, E: Evaluator<G>>(self) -> Self {
        if E::LISTS_ALL { Self::All } else { self }
    }
}

/// `win_from` and `loss_from` without any lookahead.
pub const EARLIEST: u32 = 0;

/// Evaluation, move ordering and other knowledge of one game. Every search thread owns a clone.
///
/// Only [`bound`](Evaluator::bound) and [`evaluate`](Evaluator::evaluate) must be written. Knowledge that is
/// expensive to recompute is kept along the line being searched: the search calls [`enter`](Evaluator::enter)
/// at the root and [`push`](Evaluator::push) and [`pop`](Evaluator::pop) around every move.
///
/// Opt-in traits: [`Tactics`](super::Tactics) for selective search, [`PruningHints`] for forward pruning,
/// [`Fitted`](super::Fitted) for tuned weights.
pub trait Evaluator<G: Game>: Clone + Send + Sync + 'static {
    /// Search constants for this game.
    const TUNING: Tuning = Tuning::DEFAULT;
    /// True if [`candidates`](Evaluator::candidates) lists every legal move, as by default.
    const LISTS_ALL: bool = true;
    /// Moves that full-width searches look at unless told otherwise.
    const MOVES: MoveList = MoveList::All;

    /// Largest absolute value of [`evaluate`](Evaluator::evaluate) and of payoffs, at most 10^9. At chance
    /// nodes a certain win counts this much and a certain loss minus this much: keep it tight.
    fn bound(&self) -> i32;

    /// Largest absolute value of [`evaluate`](Evaluator::evaluate) alone; at most `bound`.
    fn reach(&self) -> i32 {
        self.bound()
    }

    /// Static evaluation of an unfinished position for `mover`, the side to move, in the game's units. A
    /// function of the position alone.
    fn evaluate(&mut self, pos: &G, mover: Side) -> i32;

    /// Announces the game history: the positions since the last irreversible move, oldest first; the last
    /// one is the root of the next search.
    fn set_history(&mut self, _history: &[G]) {}

    /// Units that a draw by the history of the game is worth less than an even game to the side that searches:
    /// where the evaluation says little, it plays on instead of repeating positions. At most `reach`.
    fn contempt(&self) -> i32 {
        0
    }

    /// Adds small preferences drawn by `seed`, so that games differ; true if this evaluator has any. Seed 0
    /// has none. [`evaluate`](Evaluator::evaluate) stays a function of the position.
    fn randomize(&mut self, _seed: u64) -> bool {
        false
    }

    /// A search begins at `root`.
    fn enter(&mut self, _root: &G) {}

    /// The search goes from `before` to `after` by `mv`.
    #[inline]
    fn push(&mut self, _before: &G, _mv: G::Move, _after: &G) {}

    /// The search returns from the last pushed move.
    #[inline]
    fn pop(&mut self) {}

    /// Ordering score of a move; larger is tried earlier.
    #[inline]
    fn order(&self, _pos: &G, _mover: Side, _mv: G::Move) -> i32 {
        0
    }

    /// [`order`](Self::order) in a node with `depth` plies left to search: a deep search repays a dearer order.
    #[inline]
    fn order_by_depth(&self, pos: &G, mover: Side, mv: G::Move, _depth: u32) -> i32 {
        self.order(pos, mover, mv)
    }

    /// [`order_by_depth`](Self::order_by_depth) is asked next, for moves of this position: computes what they share.
    #[inline]
    fn prepare_order(&mut self, _pos: &G, _mover: Side, _depth: u32) {}

    /// Appends how likely each of these moves is the best one, as a logit; false, and nothing appended, without a policy.
    #[inline]
    fn policy(&mut self, _pos: &G, _mover: Side, _moves: &[G::Move], _out: &mut Vec<f32>) -> bool {
        false
    }

    /// Appends the moves worth searching (default: all legal moves) and returns `complete` as in
    /// [`Lookahead::Open`]. Not empty where a legal move exists.
    #[inline]
    fn candidates(&self, pos: &G, _mover: Side, out: &mut Vec<G::Move>) -> bool {
        pos.moves(out);
        true
    }

    /// Appends the moves of a list and returns `complete` as in [`Lookahead::Open`].
    #[inline]
    fn listed(&self, pos: &G, mover: Side, list: MoveList, out: &mut Vec<G::Move>) -> bool {
        match list {
            MoveList::Expert => self.candidates(pos, mover, out),
            MoveList::All => {
                pos.moves(out);
                true
            }
        }
    }

    /// Static lookahead with `depth >= 1` plies left: either a result within `depth` plies, or the moves to
    /// search, which are those of the list without those proved to lose within `depth` plies as long as
    /// another is left. The value of a search of `depth` plies over the list must not change.
    #[inline]
    fn lookahead(
        &self,
        pos: &G,
        mover: Side,
        _depth: u32,
        list: MoveList,
        out: &mut Vec<G::Move>,
    ) -> Lookahead {
        let complete = self.listed(pos, mover, list, out);
        Lookahead::Open { complete, win_from: EARLIEST, loss_from: EARLIEST }
    }

    /// Payoff of the mover with best play, if an endgame solver knows it: only where every line ends within
    /// `depth >= 1` plies. A value at or below `alpha` may be any upper bound not above `alpha`, a value at
    /// or above `beta` any lower bound not below `beta`.
    #[inline]
    fn solve_payoff(
        &self,
        _pos: &G,
        _mover: Side,
        _depth: u32,
        _alpha: i32,
        _beta: i32,
    ) -> Option<i32> {
        None
    }

    /// Iteration depth after `depth` in iterative deepening from `root`; more than `depth`. Near the end of
    /// the game a jump to the last ply costs less than the iterations in between; where these are
    /// `_selective`, they cost little and order the moves of the last one.
    fn next_depth(&self, _root: &G, depth: u32, _selective: bool) -> u32 {
        depth + 1
    }

    /// Knowledge for forward pruning, if this evaluator has it.
    #[inline]
    fn pruning_hints(&self) -> Option<&dyn PruningHints<G>> {
        None
    }

    /// A new exact solver, if the game has one.
    fn solver(&self) -> Option<Box<dyn ExactSolver<G>>> {
        None
    }

    /// Playout move, `None` without a legal one. Default: uniformly random.
    #[inline]
    fn playout_move(&self, pos: &G, rng: &mut Rng, scratch: &mut Vec<G::Move>) -> Option<G::Move> {
        pos.random_move(rng, scratch)
    }

    /// Expected result, 0 to 1, for a side that stands at `value` units.
    fn win_probability(&self, value: f64) -> f64 {
        0.5 + 0.5 * (value / f64::from(self.bound())).clamp(-1.0, 1.0)
    }

    /// Result, 0 to 1, of a finished game in which a side receives `payoff`. Not an expectation where the
    /// sign of the payoff alone decides.
    fn result(&self, payoff: i32) -> f64 {
        self.win_probability(f64::from(payoff))
    }
}

/// Logistic win probability, 0 to 1: a lead of `scale` makes a win e times as likely as a loss.
#[inline]
pub fn logistic(value: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-value / scale).exp())
}

/// The evaluator of a game that knows only its rules: every position is worth 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl<G: Game> Evaluator<G> for Plain {
    fn bound(&self) -> i32 {
        1_000_000_000
    }

    fn reach(&self) -> i32 {
        0
    }

    fn evaluate(&mut self, _: &G, _: Side) -> i32 {
        0
    }
}
