//! Monte-Carlo tree search: `mcts` with uniform choice, `uct` with upper confidence bounds, `puct` with priors and values
//! of the evaluator; proved nodes, and an arena of nodes that several threads grow together.
// CITE: Coulom 2006; UCT, Kocsis and Szepesvari 2006; solver, Winands, Bjornsson and Saito 2008.

mod arena;
mod options;
mod proof;
mod puct;
mod search;
mod simulation;
mod top;
mod ucb;
mod verdict;

pub use options::{ExplorationBase, FinalChoice, SelectionPolicy, TreeOptions};
pub use puct::PuctOptions;

use super::{Algorithm, Job, Report};
use crate::game::{Evaluator, Game};
use search::Found;

/// Tree search with this evaluator.
#[derive(Clone, Debug)]
pub struct TreeSearch<E> {
    /// Knowledge of the game.
    pub evaluator: E,
    /// Options.
    pub options: TreeOptions,
}

impl<G: Game, E: Evaluator<G>> Algorithm<G> for TreeSearch<E> {
    fn run(&self, job: &Job<'_, G>) -> Report<G::Move> {
        let Found { trees, stats, stopped } = search::run(job, self);
        verdict::report(job, &self.options, &trees, stats, stopped)
    }
}
