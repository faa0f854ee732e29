//! The one engine: alpha-beta with everything that makes it faster and nothing that changes its
//! value. At a given depth it agrees with minimax to the last unit.
//!
//! - `options`: what can be switched off
//! - `engine`: the recursion over positions where somebody moves
//! - `chance`: the same where nature moves (Star1)
//! - `tables`: what the tables say about a position
//! - `root`: the root moves, how many of them get an exact value, aspiration
//! - `threads`: several searchers over one shared table
//! - `sound`, `mc`, `selective`: what happens in a node, and `forward_pruning`: what the last two leave out alike
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

/// Alpha-beta with this evaluator. Where chance acts it takes the exact expectation.
#[derive(Clone, Debug)]
pub struct AlphaBeta<E> {
    /// The game's knowledge.
    pub evaluator: E,
    /// What is switched on.
    pub options: Options,
}

impl<E> AlphaBeta<E> {
    /// Everything switched on.
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

/// Alpha-beta that leaves out or searches less deep what is unlikely to matter.
#[derive(Clone, Debug)]
pub struct Selective<E> {
    /// The game's knowledge.
    pub evaluator: E,
    /// What does not change values.
    pub options: Options,
    /// What does.
    pub switches: Switches,
    /// What was measured of the game.
    pub calibration: Calibration,
}

impl<E> Selective<E> {
    /// Everything switched on.
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
