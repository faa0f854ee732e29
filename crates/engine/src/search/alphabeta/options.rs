//! Options of the alpha-beta engine. None of them changes a value, only the work to find it.

use crate::options::{choices, options};

choices! {
    /// Bounds that may cut a search short.
    pub enum Pruning {
        /// Both bounds.
        Both = "both",
        /// The root side's bound: the opponent's nodes are cut when they are worse than what they have.
        Alpha = "alpha",
        /// The opponent's bound: the root side's nodes are cut when the opponent would not allow them.
        Beta = "beta",
        /// No cutoffs: plain minimax.
        None = "none",
    }
}

impl Pruning {
    /// True if a node of the root side (or of its opponent) narrows the window of its children.
    #[inline]
    pub(super) fn narrows(self, is_root_side: bool) -> bool {
        match self {
            Self::Both => true,
            Self::Alpha => is_root_side,
            Self::Beta => !is_root_side,
            Self::None => false,
        }
    }
}

choices! {
    /// Sources of the move order.
    pub enum Ordering {
        /// Table, killers, history and evaluator.
        Full = "full",
        /// The evaluator.
        Static = "static",
        /// The order in which the game lists its moves.
        None = "none",
    }
}

choices! {
    /// Transposition tables in use.
    pub enum TableUse {
        /// A private one for all nodes and the shared one for the costly.
        Shared = "shared",
        /// The private one.
        Private = "private",
        /// None.
        Off = "off",
    }
}

options! {
    /// Options of the alpha-beta engine.
    #[derive(Eq)]
    pub struct Options {
        /// Bounds that cut: both, only the root side's, only its opponent's, none. Anything but `both` also goes
        /// without static lookahead.
        pruning: Pruning = Pruning::Both;
        /// Iterative deepening; otherwise only the last depth is searched.
        deepening: bool = true;
        /// Moves tried first: by table, killers, history and evaluator; by the evaluator; as listed.
        ordering: Ordering = Ordering::Full;
        /// Transposition tables in use.
        table: TableUse = TableUse::Shared;
        /// Size of the private table in MiB; 0: no table.
        table_mib: u32 = 4, [0, 256];
        /// Null-window search of later moves (PVS).
        pvs: bool = true;
        /// Aspiration window at the root.
        aspiration: bool = true;
        /// Star1 bounds at chance nodes.
        star1: bool = true;
    }
}

impl Options {
    /// Tables in use; a table without size is none.
    pub(super) fn tables(&self) -> TableUse {
        if self.table_mib == 0 { TableUse::Off } else { self.table }
    }
}
