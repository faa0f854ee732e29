//! Minimax whose leaves are evaluated by playouts.
// CITE: Abramson 1990, "Expected-outcome: a general model of static evaluation".

use super::alphabeta::{self, Options, TableUse};
use super::montecarlo::stderr;
use super::playout::{End, Playout};
use super::report::Report;
use super::{Algorithm, Budget, Cancel, Clock, Job, Observer, Value};
use crate::game::{Evaluator, Game, MoveList, Outcome, Perfect, Rng, Side};
use crate::options::options;

options! {
    /// Options of minimax with playouts at the leaves.
    #[derive(Eq)]
    pub struct RolloutOptions {
        /// Playouts per leaf.
        playouts: u32 = 100, [1, 100_000];
        /// Plies to look ahead where the budget names no depth.
        depth: u32 = 2, [1, 20];
        /// Moves looked at in every position: all legal ones, or those that the game lists. The default is the
        /// game's.
        moves: MoveList = MoveList::All;
    }
}

/// Minimax whose leaves are evaluated by playouts.
#[derive(Clone, Debug)]
pub struct RolloutMinimax<E> {
    /// Knowledge of the game.
    pub evaluator: E,
    /// Playout policy.
    pub playout: Playout,
    /// Options.
    pub options: RolloutOptions,
}

/// Evaluation of a leaf by playouts: 0 is an even result, the bound a certain win; payoffs count as they are.
/// The random numbers depend on seed and position alone, so that a position has one value, unless time runs
/// out in the middle of it.
#[derive(Clone, Debug)]
pub(super) struct PlayoutLeaf<M> {
    playout: Playout,
    playouts: u32,
    seed: u64,
    /// Time limits alone: a leaf takes many times as long as a node.
    budget: Budget,
    cancel: Cancel,
    scratch: Vec<M>,
}

/// Value of a certain win: the resolution of the mean result.
const ROLLOUT_BOUND: i32 = 1_000_000;

impl<M: Copy> PlayoutLeaf<M> {
    /// Bound of the values. Payoffs keep their own scale: their means are compared with those of finished
    /// games.
    pub(super) fn bound<G: Game<Move = M>, E: Evaluator<G>>(evaluator: &E) -> i32 {
        if G::PAYOFFS { evaluator.bound() } else { ROLLOUT_BOUND }
    }

    /// Mean playout value for `mover`.
    pub(super) fn value<G: Game<Move = M>, E: Evaluator<G>>(
        &mut self,
        evaluator: &E,
        pos: &G,
        mover: Side,
    ) -> i32 {
        let mut rng = Rng::new(self.seed ^ pos.hash());
        let bound = f64::from(Self::bound(evaluator));
        let mut clock = Clock::start(&self.budget, &self.cancel, 1);
        let Self { playout, playouts, scratch, .. } = self;
        let amount = |end: End| match end {
            End::Over(Outcome::Payoff(value)) => f64::from(value),
            End::Judged(judged, value) if G::PAYOFFS => f64::from(judged.sign() * value),
            end => (2.0 * end.result::<G, E>(evaluator) - 1.0) * bound,
        };
        let mut sum = 0.0;
        let mut count = 0;
        while count < *playouts && clock.tick().is_ok() {
            sum += amount(playout.run(pos.clone(), evaluator, &mut clock, &mut rng, scratch));
            count += 1;
        }
        let mean = sum / f64::from(count.max(1));
        (f64::from(mover.sign()) * mean).round() as i32
    }
}

impl<G: Game<Info = Perfect>, E: Evaluator<G>> Algorithm<G> for RolloutMinimax<E> {
    fn run(&self, job: &Job<'_, G>) -> Report<G::Move> {
        let leaf = PlayoutLeaf {
            playout: self.playout,
            playouts: self.options.playouts,
            seed: job.seed,
            budget: job.budget.end(),
            cancel: job.cancel.clone(),
            scratch: Vec::new(),
        };
        let bound = f64::from(PlayoutLeaf::bound::<G, E>(&self.evaluator));
        let mut budget = job.budget.clone();
        budget.depth = budget.depth.or(Some(self.options.depth));
        let options =
            Options { table: TableUse::Private, moves: self.options.moves, ..Options::default() };
        let estimated = |mut report: Report<G::Move>| {
            for line in &mut report.lines {
                if let Value::Heuristic(value) = line.value {
                    let mean = if G::PAYOFFS {
                        self.evaluator.win_probability(value)
                    } else {
                        0.5 + value / bound / 2.0
                    };
                    let simulations = u64::from(self.options.playouts);
                    let stderr = stderr(mean, simulations);
                    line.value = Value::Estimate { mean, simulations, stderr };
                }
            }
            report
        };
        let tell = job
            .observer
            .map(|observer| move |report: &Report<G::Move>| observer(&estimated(report.clone())));
        let observer = tell.as_ref().map(|tell| tell as &Observer<'_, G::Move>);
        let cancel = job.cancel.clone();
        let job = Job { budget, cancel, observer, ..*job };
        estimated(alphabeta::with_playouts(&job, &self.evaluator, &options, &leaf))
    }
}
