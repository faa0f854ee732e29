//! How a tree search chooses.

use crate::search::playout::{Playout, PlayoutStyle};

/// How a simulation goes down the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SelectionPolicy {
    /// To any child, all equally likely.
    Uniform,
    /// To the child with the highest upper confidence bound.
    Ucb {
        /// Weight of the exploration term.
        c: f64,
        /// Whose visits the exploration term counts.
        base: ExplorationBase,
    },
}

/// Whose visits stand under the logarithm of the exploration term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExplorationBase {
    /// The parent's.
    Parent,
    /// The root's.
    Root,
}

/// Which root move is played in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinalChoice {
    /// The one visited most.
    Robust,
    /// The one with the best mean.
    Max,
    /// The one whose mean less two standard errors is best.
    Lcb,
}

/// The choices of a tree search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeOptions {
    /// How simulations go down.
    pub policy: SelectionPolicy,
    /// Whether proved wins and losses are carried up the tree.
    pub solver: bool,
    /// How games are played out.
    pub playout: Playout,
    /// A new node is searched exhaustively this many plies deep before it is played out.
    pub terminal_search: u32,
    /// Which root move is played.
    pub final_choice: FinalChoice,
    /// Worlds drawn where something is hidden.
    pub worlds: usize,
    /// Memory for the tree in MiB. When it is full the tree stops growing, the playouts do not.
    pub tree_mib: usize,
}

impl TreeOptions {
    /// UCT.
    pub const fn uct() -> Self {
        Self {
            policy: SelectionPolicy::Ucb {
                c: std::f64::consts::SQRT_2,
                base: ExplorationBase::Parent,
            },
            solver: true,
            playout: Playout { style: PlayoutStyle::Random, depth: None },
            terminal_search: 0,
            final_choice: FinalChoice::Robust,
            worlds: 16,
            tree_mib: 128,
        }
    }

    /// Uniform choice, nothing proved, the best mean.
    pub const fn mcts() -> Self {
        Self {
            policy: SelectionPolicy::Uniform,
            solver: false,
            final_choice: FinalChoice::Max,
            ..Self::uct()
        }
    }
}
