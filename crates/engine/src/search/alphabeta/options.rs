//! Options of the alpha-beta engine. None of them changes a value, only the work to find it.

use std::time::Duration;

use crate::game::MoveList;
use crate::options::{choices, options};
use crate::search::Table;

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
    pub(in crate::search) fn narrows(self, is_root_side: bool) -> bool {
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
        /// The evaluator, worst first: alpha-beta then cuts least.
        Reversed = "reversed",
        /// Drawn by the seed for each position.
        Shuffled = "shuffled",
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
        /// without static lookahead and aspiration.
        pruning: Pruning = Pruning::Both;
        /// Iterative deepening; otherwise only the last depth is searched.
        deepening: bool = true;
        /// Moves tried first: by table, killers, history and evaluator; by the evaluator; as listed; by the
        /// evaluator with the worst first; shuffled by seed.
        ordering: Ordering = Ordering::Full;
        /// With full ordering, the move of a table entry comes first.
        table_move: bool = true;
        /// With full ordering, moves that lately cut off at the same ply come early.
        killers: bool = true;
        /// With full ordering, moves that cut off before come early.
        history: bool = true;
        /// With full ordering, the same by the move just played.
        continuation_history: bool = true;
        /// With full ordering, the evaluator's order counts too.
        static_order: bool = true;
        /// Moves looked at in every position: all legal ones, or those that the game lists. The default is the
        /// game's.
        moves: MoveList = MoveList::All;
        /// Transposition tables in use.
        table: TableUse = TableUse::Shared;
        /// Size of the private table in MiB per thread; 0: no table.
        table_mib: u32 = 4, [0, 256];
        /// Null-window search of later moves (PVS).
        pvs: bool = true;
        /// Aspiration window at the root.
        aspiration: bool = true;
        /// Star1 bounds at chance nodes.
        star1: bool = true;
    }
}

/// Time in which a thread fills a MiB, in ms: 65,536 entries, at 10,000 nodes a ms, several times the speed of any game.
const MS_TO_FILL_MIB: u128 = 6;
/// Size of a table that is made for the shortest search, in MiB.
const SMALL_MIB: usize = 1;

impl Options {
    /// The table of a search with this many threads; a table without size is none. No search makes a larger one than it
    /// can fill in its time.
    pub(super) fn own_table(&self, threads: usize, time: Option<Duration>) -> Option<Table> {
        let none = self.table == TableUse::Off || self.table_mib == 0;
        let fills = time.map_or(u128::MAX, |time| time.as_millis() / MS_TO_FILL_MIB);
        let most = usize::try_from(fills).unwrap_or(usize::MAX).max(SMALL_MIB);
        (!none).then(|| Table::take((self.table_mib as usize).min(most) * threads))
    }

    /// True if a search shares its results with others.
    pub(super) fn shares(&self) -> bool {
        self.table == TableUse::Shared && self.table_mib > 0
    }
}
