//! Variants of forward pruning: each option tells how a technique of [`ForwardPruning`](super::ForwardPruning)
//! works where that is on.

use crate::game::Independence;
use crate::options::{choices, options};

choices! {
    /// Shares of the razoring margin that a static evaluation may lack for self-loss to be tried.
    pub enum SelfLossMargin {
        /// The evaluation alone must be above beta.
        None = "none",
        /// The evaluation plus half the margin must be.
        Half = "half",
        /// The evaluation plus the margin must be.
        Full = "full",
    }
}

impl SelfLossMargin {
    /// This share of the margin.
    pub(super) const fn of(self, razor_margin: i32) -> i32 {
        match self {
            Self::None => 0,
            Self::Half => razor_margin / 2,
            Self::Full => razor_margin,
        }
    }
}

choices! {
    /// Forward pruning near the end of a game.
    pub enum EndgamePruning {
        /// As everywhere.
        Full = "full",
        /// Razor and self-loss ask for one razoring margin more.
        Less = "less",
        /// Neither razor nor self-loss.
        None = "none",
    }
}

choices! {
    /// Rules of order independence.
    pub enum IndependenceRule {
        /// Sleep sets: pairs of commuting moves, nothing is lost.
        Sleep = "sleep",
        /// No independent move after a dependent one of the same side.
        Ordinary = "ordinary",
        /// The same for moves that are independent of their own copies, too.
        Strong = "strong",
    }
}

impl IndependenceRule {
    /// Least independence that the rule is about; `None` for sleep sets.
    pub(super) const fn least(self) -> Option<Independence> {
        match self {
            Self::Sleep => None,
            Self::Ordinary => Some(Independence::Ordinary),
            Self::Strong => Some(Independence::Strong),
        }
    }
}

options! {
    /// Variants of forward pruning. Defaults: what `docs/card-duel.md` measured with each technique.
    #[derive(Eq)]
    pub struct PruningVariants {
        /// Plies from the root without razor and self-loss.
        full_plies: u32 = 2, [0, 64];
        /// Razor and self-loss where the evaluator sees the end of the game near: as everywhere, with one razoring
        /// margin more, or not at all.
        endgame_pruning: EndgamePruning = EndgamePruning::Full;
        /// Self-loss is tried where the evaluation plus this share of the razoring margin is above beta.
        self_loss_margin: SelfLossMargin = SelfLossMargin::None;
        /// Depth reduction of the search with a resource less, in plies.
        self_loss_reduction: u32 = 3, [2, 3];
        /// Least depth at which a second resource is given up right after the first, in plies; 2: wherever the margin
        /// allows it.
        self_loss_again_from: u32 = 4, [2, 64];
        /// Verify a cutoff by self-loss from depth 6 on, by a search as shallow that gives up nothing.
        self_loss_verify: bool = true;
        /// What order_independence does: sleep sets, or no independent move after a dependent one of the same side,
        /// which may lose something.
        independence: IndependenceRule = IndependenceRule::Sleep;
    }
}
