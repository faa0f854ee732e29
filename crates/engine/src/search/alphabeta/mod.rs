//! The alpha-beta engine: every speed-up that leaves the value unchanged. At a given depth the full-width
//! search agrees with minimax to the last unit.
//!
//! - `options`: switches
//! - `engine`: the recursion over decision nodes
//! - `chance`: the same for chance nodes (Star1)
//! - `tt`: transposition tables
//! - `root`: root moves, number of exact values, aspiration windows
//! - `threads`: several searchers over one shared table
//! - `full_width`, `mc`, `selective`: the node searches, and `forward_pruning`, common to the last two
// CITE: Knuth and Moore 1975; PVS, Marsland and Campbell 1982 and Reinefeld 1983.

mod chance;
mod engine;
mod forward_pruning;
mod full_width;
mod line;
mod mc;
mod options;
mod root;
mod selective;
mod threads;
mod tt;

pub use forward_pruning::ForwardPruning;
pub use mc::{ChanceOptions, Determinization, McAlphaBeta};
pub use options::{Options, Ordering, Pruning, TableUse};
pub use selective::Switches;

use full_width::FullWidth;
use threads::ThreadSetup;

use super::rollout_minimax::PlayoutLeaf;
use super::{Algorithm, Calibration, Job, Report};
use crate::game::{Deterministic, Evaluator, Game, Perfect, Tactics};

/// Alpha-beta with this evaluator. A chance node has its exact expectation.
#[derive(Clone, Debug)]
pub struct AlphaBeta<E> {
    /// Knowledge of the game.
    pub evaluator: E,
    /// Options of the engine.
    pub options: Options,
}

impl<E> AlphaBeta<E> {
    /// The default options.
    pub fn new(evaluator: E) -> Self {
        Self { evaluator, options: Options::default() }
    }
}

impl<G: Game<Info = Perfect>, E: Evaluator<G>> Algorithm<G> for AlphaBeta<E> {
    fn run(&self, job: &Job<'_, G>) -> Report<G::Move> {
        let nodes = &FullWidth::exact;
        let setup = ThreadSetup { evaluator: &self.evaluator, options: &self.options, nodes };
        let (found, stats) = threads::search(job, &setup);
        found.report(stats, G::PAYOFFS)
    }
}

/// Alpha-beta whose leaves are evaluated by playouts.
pub(super) fn with_playouts<G: Game<Info = Perfect>, E: Evaluator<G>>(
    job: &Job<'_, G>,
    evaluator: &E,
    options: &Options,
    leaf: &PlayoutLeaf<G::Move>,
) -> Report<G::Move> {
    let nodes = &|| FullWidth::with_playouts(leaf.clone());
    let (found, stats) = threads::search(job, &ThreadSetup { evaluator, options, nodes });
    found.report(stats, G::PAYOFFS)
}

/// Alpha-beta with selective search: prunes, reduces and extends.
#[derive(Clone, Debug)]
pub struct Selective<E> {
    /// Knowledge of the game.
    pub evaluator: E,
    /// Options without effect on values.
    pub options: Options,
    /// Switches of the selective techniques, which affect values.
    pub switches: Switches,
    /// Measured figures of the game.
    pub calibration: Calibration,
}

impl<E> Selective<E> {
    /// The default options and switches.
    pub fn new(evaluator: E) -> Self {
        let options = Options { table_mib: 16, ..Options::default() };
        let (switches, calibration) = (Switches::default(), Calibration::default());
        Self { evaluator, options, switches, calibration }
    }
}

impl<G: Deterministic, E: Tactics<G>> Algorithm<G> for Selective<E> {
    fn run(&self, job: &Job<'_, G>) -> Report<G::Move> {
        let nodes =
            &|| selective::SelectiveNode::new::<G, E>(self.switches, &self.calibration, job.seed);
        let setup = ThreadSetup { evaluator: &self.evaluator, options: &self.options, nodes };
        let (found, stats) = threads::search(job, &setup);
        found.report(stats, G::PAYOFFS)
    }
}
