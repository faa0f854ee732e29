//! Options of tree search.

use super::puct::PuctOptions;
use crate::game::Tuning;
use crate::options::{choices, options};
use crate::search::playout::Playout;

/// Selection of a child on the way down the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SelectionPolicy {
    /// Any child, uniformly.
    Uniform,
    /// The child with the highest upper confidence bound.
    Ucb,
    /// The same with a prior for each child.
    Puct(PuctOptions),
}

choices! {
    /// Visits under the logarithm of the exploration term.
    pub enum ExplorationBase {
        /// The parent's.
        Parent = "parent",
        /// The root's.
        Root = "root",
    }
}

choices! {
    /// Choice of the root move to play.
    pub enum FinalChoice {
        /// Most visits.
        Robust = "robust",
        /// Best mean.
        Max = "max",
        /// Best mean less two standard errors.
        Lcb = "lcb",
        /// Best upper confidence bound.
        Ucb = "ucb",
    }
}

options! {
    /// Options of tree search; the default is UCT.
    pub struct TreeOptions {
        /// The factor C of the confidence bound w/n + C sqrt(2 ln N / n). The default is the game's.
        c: f64 = Tuning::DEFAULT.exploration, [0, 10];
        /// Visits under the logarithm: of the parent or of the root.
        exploration_base: ExplorationBase = ExplorationBase::Parent;
        /// Carry proved wins and losses up the tree.
        solver: bool = true;
        /// Root move to play: most visits, best mean, best lower bound, best upper confidence bound.
        final_choice("final"): FinalChoice = FinalChoice::Robust;
        /// Determinizations where something is hidden; at most four for each MiB of the tree.
        worlds: u32 = 16, [1, 256];
        /// Memory for the tree in MiB; a full tree stops growing, playouts go on.
        tree_mib: u32 = 128, [1, 1_024];
    }
    and {
        /// Selection of a child.
        policy: SelectionPolicy = SelectionPolicy::Ucb;
        /// How games are played out.
        playout: Playout = Playout::DEFAULT;
    }
}

impl TreeOptions {
    /// UCT.
    pub fn uct() -> Self {
        Self::default()
    }

    /// Uniform selection, nothing proved, the best mean.
    pub fn mcts() -> Self {
        Self {
            policy: SelectionPolicy::Uniform,
            solver: false,
            final_choice: FinalChoice::Max,
            ..Self::default()
        }
    }

    /// PUCT with these options.
    pub fn puct(options: PuctOptions) -> Self {
        Self { policy: SelectionPolicy::Puct(options), ..Self::default() }
    }
}
