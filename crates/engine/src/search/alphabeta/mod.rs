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
//! - `probcut`: full-width nodes that a shallower search may cut
// CITE: Knuth and Moore 1975; PVS, Marsland and Campbell 1982 and Reinefeld 1983.

mod busy;
mod chance;
mod engine;
mod forward_pruning;
mod full_width;
mod mc;
mod options;
mod probcut;
mod rated;
mod root;
mod selective;
mod threads;
mod tt;

pub use forward_pruning::{
    EndgamePruning, ForwardPruning, IndependenceRule, PruningVariants, SelfLossMargin,
};
pub use mc::{ChanceOptions, Determinization, DiceRolls, McAlphaBeta, OpponentChance};
pub use options::{Options, Ordering, Pruning, TableUse};
pub use probcut::{ProbCut, ProbCutOptions};
pub use selective::Switches;

use full_width::FullWidth;
use threads::ThreadSetup;

use super::rollout_minimax::PlayoutLeaf;
use super::score::ScoreScale;
use super::solve::solve_or;
use super::{Algorithm, Calibration, Job, Report};
use crate::game::{
    Deterministic, Evaluator, Game, MoveList, Perfect, SelectiveParameters, Tactics,
};

/// Alpha-beta with this evaluator. A chance node has its exact expectation. Where the game has an exact solver and
/// the depth limit does not cut its lines short, the solver is asked first.
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
        let Self { evaluator, options } = self;
        let (list, scale) = full_width::<G, E>(evaluator, options);
        let nodes = &FullWidth::exact;
        let setup = ThreadSetup { evaluator, options, list, scale, nodes };
        let (found, stats) = solve_or(job, evaluator, &|job| threads::search(job, &setup));
        found.report(stats, scale)
    }
}

/// Moves and scores of a full-width search. Where only listed moves are searched, an unlisted one may win
/// sooner.
fn full_width<G: Game, E: Evaluator<G>>(
    evaluator: &E,
    options: &Options,
) -> (MoveList, ScoreScale) {
    let list = options.moves.of::<G, E>();
    (list, ScoreScale { distances: list == MoveList::All, ..ScoreScale::of::<G, E>(evaluator) })
}

/// Alpha-beta whose leaves are evaluated by playouts.
pub(super) fn with_playouts<G: Game<Info = Perfect>, E: Evaluator<G>>(
    job: &Job<'_, G>,
    evaluator: &E,
    options: &Options,
    leaf: &PlayoutLeaf<G::Move>,
) -> Report<G::Move> {
    let (list, scale) = full_width::<G, E>(evaluator, options);
    let scale = ScoreScale { reach: PlayoutLeaf::bound::<G, E>(evaluator), ..scale };
    let nodes = &|| FullWidth::with_playouts(leaf.clone());
    let setup = ThreadSetup { evaluator, options, list, scale, nodes };
    let (found, stats) = threads::search(job, &setup);
    found.report(stats, scale)
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
    /// Numbers of the selective techniques; `None`: the game's.
    pub parameters: Option<SelectiveParameters>,
    /// Measured figures of the game.
    pub calibration: Calibration,
}

impl<E> Selective<E> {
    /// The default options and switches, and the numbers of the game.
    pub fn new(evaluator: E) -> Self {
        let options = Options { table_mib: 16, ..Options::default() };
        let (switches, calibration) = (Switches::default(), Calibration::default());
        Self { evaluator, options, switches, parameters: None, calibration }
    }
}

impl<G: Deterministic, E: Tactics<G>> Algorithm<G> for Selective<E> {
    fn run(&self, job: &Job<'_, G>) -> Report<G::Move> {
        let parameters = self.parameters.unwrap_or(E::TUNING.selective);
        let nodes = &|| {
            let Self { switches, calibration, .. } = self;
            selective::SelectiveNode::new::<G, E>(*switches, parameters, calibration, job.seed)
        };
        let Self { evaluator, options, .. } = self;
        // Pruned moves may win sooner.
        let scale = ScoreScale { distances: false, ..ScoreScale::of::<G, E>(evaluator) };
        let setup = ThreadSetup { evaluator, options, list: MoveList::Expert, scale, nodes };
        let (found, stats) = threads::search(job, &setup);
        found.report(stats, scale)
    }
}
