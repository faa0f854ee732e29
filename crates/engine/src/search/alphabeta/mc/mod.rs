//! Alpha-beta in games with dice, card draws and hidden cards. Chance events with few outcomes are
//! enumerated, others are sampled. Hidden information is determinized, and the value of a root move is its
//! mean over the worlds drawn:
//!
//! ```text
//!           move                       one value: the mean over the worlds, with a standard error
//!      /     |      \
//!  world 0  world 1  ..                each with its own opponent's cards and random numbers
//!     |
//!   alpha-beta ... chance              few outcomes: all; many: the samples of this world
//! ```
//!
//! - `sampling`: chance nodes within a world
//! - `settled`: chance events replaced by one outcome
//! - `worlds`: root moves over all worlds
//!
//! Pruning and reductions, which err now and then, are in [`ForwardPruning`].
// CITE: Ballard 1983, "The *-minimax search procedure for trees containing chance nodes"; Ginsberg 2001,
// "GIB: imperfect information in a computationally challenging game".

mod sampling;
mod settled;
mod worlds;

pub(super) use sampling::ChanceSampling;

use super::engine::Searcher;
use super::forward_pruning::{ForwardPruning, PruningState, PruningVariants};
use super::full_width::FullWidth;
use super::options::{Options, TableUse};
use super::tt::Tables;
use crate::game::{Evaluator, Game};
use crate::options::{choices, options};
use crate::search::{Algorithm, Calibration, Clock, Job, Report, Wanted};

choices! {
    /// Sources of determinizations.
    pub enum Determinization {
        /// Several worlds are drawn.
        Sampled = "sampled",
        /// One guess stands for hidden information and chance.
        Fixed = "fixed",
    }
}

choices! {
    /// What the draws and rolls of the opponent of the side to move at the root are.
    pub enum OpponentChance {
        /// Chance events like the mover's own.
        Sampled = "sampled",
        /// One guess.
        Fixed = "fixed",
    }
}

choices! {
    /// What a roll of dice is.
    pub enum DiceRolls {
        /// A chance event.
        Sampled = "sampled",
        /// One typical roll.
        Expected = "expected",
    }
}

options! {
    /// Options of chance nodes and hidden information.
    #[derive(Eq)]
    pub struct ChanceOptions {
        /// Chance events with at most this many outcomes until a player decides again are enumerated.
        enumerate: u32 = 12, [0, 1_000];
        /// Samples of any larger chance event, the same for all moves.
        samples: u32 = 1, [1, 64];
        /// Plies that chance costs, once until a player decides again.
        chance_depth: u32 = 1, [0, 4];
        /// Merge equivalent outcomes.
        buckets: bool = true;
        /// Determinizations where something is hidden or sampled; a value is the mean over them. 0: one for a single
        /// move, four where moves are rated, since values of one world have no standard error.
        worlds: u32 = 0, [0, 64];
        /// Several worlds, or one guess that stands for everything unknown.
        determinization: Determinization = Determinization::Sampled;
        /// Draws, rolls and hidden cards of the opponent of the side to move: as likely as they are, or one guess, the
        /// same for every seed and in all worlds, so that only the mover's own draws and rolls are chance.
        opponent_chance: OpponentChance = OpponentChance::Sampled;
        /// Rolls of dice: as likely as they are, or one typical roll where the game knows one.
        dice: DiceRolls = DiceRolls::Sampled;
    }
}

/// Default number of worlds where moves are rated: a standard error needs several (docs/card-duel.md). The
/// number itself is not tuned.
const RATED_IN: u32 = 4;

impl ChanceOptions {
    /// Number of worlds to draw.
    fn worlds(&self, wanted: Wanted) -> usize {
        let count = match (self.determinization, self.worlds, wanted) {
            (Determinization::Fixed, ..) | (_, 0, Wanted::One) => 1,
            (_, 0, _) => RATED_IN,
            (_, count, _) => count,
        };
        count as usize
    }
}

/// Alpha-beta for any game.
#[derive(Clone, Debug)]
pub struct McAlphaBeta<E> {
    /// Knowledge of the game.
    pub evaluator: E,
    /// Options without effect on values. Nothing is shared with other searches: a value depends on the
    /// search's own random numbers.
    pub options: Options,
    /// Options of chance nodes.
    pub chance_options: ChanceOptions,
    /// Forward pruning.
    pub forward_pruning: ForwardPruning,
    /// Variants of forward pruning.
    pub variants: PruningVariants,
    /// Measured figures of the game.
    pub calibration: Calibration,
}

impl<E> McAlphaBeta<E> {
    /// The default options.
    pub fn new(evaluator: E) -> Self {
        let options = Options { table: TableUse::Private, table_mib: 16, ..Options::default() };
        let (chance_options, forward_pruning) =
            (ChanceOptions::default(), ForwardPruning::default());
        Self {
            evaluator,
            options,
            chance_options,
            forward_pruning,
            variants: PruningVariants::default(),
            calibration: Calibration::default(),
        }
    }
}

impl<G: Game, E: Evaluator<G>> Algorithm<G> for McAlphaBeta<E> {
    fn run(&self, job: &Job<'_, G>) -> Report<G::Move> {
        let (options, chance_options) = (&self.options, self.chance_options);
        let clock = Clock::start(&job.budget, &job.cancel, 1);
        let table = options.own_table(1, job.budget.time);
        let tables = Tables::new(table.as_ref(), None, E::TUNING.share_from, false);
        let razor_margin = self.calibration.razor_margin;
        let pruning =
            PruningState::new(self.forward_pruning, self.variants, razor_margin, job.seed);
        let sampling = ChanceSampling::new(chance_options, job.seed);
        let nodes = FullWidth::new(pruning, Some(sampling));
        let evaluator = self.evaluator.clone();
        let list = options.moves.of::<G, E>();
        let mut searcher = Searcher::new(nodes, options, evaluator, job, list, clock, tables);
        let report = searcher.over_worlds(job);
        if let Some(table) = table {
            table.give_back();
        }
        report
    }
}
