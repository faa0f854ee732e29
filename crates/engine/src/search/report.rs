//! What a method found out.

use std::time::Duration;

use super::{StopReason, Value};

/// One root move and what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<M> {
    /// The principal variation, the root move first.
    pub moves: Vec<M>,
    /// The value for the side to move at the root.
    pub value: Value,
    /// Whether the value is the game-theoretic one.
    pub exact: bool,
    /// Whether the value was measured; otherwise it is an upper bound.
    pub rated: bool,
    /// The value in each world that was searched, where it is the mean over worlds; the same worlds for
    /// all lines.
    pub worlds: Vec<f64>,
}

/// Figures of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// The last completed depth in plies (in tree search the deepest node).
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Playouts run.
    pub simulations: u64,
    /// Nodes cut off by a bound.
    pub cutoffs: u64,
    /// Nodes answered from a table.
    pub table_hits: u64,
    /// Time from start to end.
    pub time: Duration,
}

impl Stats {
    /// Adds the work of another thread.
    pub fn absorb(&mut self, other: &Self) {
        self.depth = self.depth.max(other.depth);
        self.nodes += other.nodes;
        self.simulations += other.simulations;
        self.cutoffs += other.cutoffs;
        self.table_hits += other.table_hits;
    }
}

/// The answer of a method: every root move, best first.
#[derive(Clone, Debug)]
pub struct Report<M> {
    /// All moves of the job, best first; ties in the order in which the method prefers them.
    pub lines: Vec<Line<M>>,
    /// How many lines of those tie for best with an equal exact value.
    pub best_ties: usize,
    /// Figures.
    pub stats: Stats,
    /// Why the search ended.
    pub stopped: StopReason,
}
