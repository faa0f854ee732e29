//! Result of a search.

use std::time::Duration;

use super::{StopReason, Value};

/// Result of one root move.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<M> {
    /// The principal variation, the root move first.
    pub moves: Vec<M>,
    /// Value for the side to move at the root.
    pub value: Value,
    /// True if the value is the game-theoretic one.
    pub exact: bool,
    /// True if the value was searched; otherwise it is an upper bound.
    pub rated: bool,
    /// True if a deeper search, which has found the best move, has only shown the move to be no better: the value stands
    /// just below the best one.
    pub bounded: bool,
    /// Value in each world searched, where the value is their mean; the same worlds for all lines.
    pub worlds: Vec<f64>,
}

/// Search statistics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Last completed depth in plies (in tree search the deepest node).
    pub depth: u32,
    /// Depth of the ratings in plies, where they were searched apart from the best move; otherwise 0.
    pub rated_depth: u32,
    /// Time of these ratings.
    pub rating_time: Duration,
    /// Nodes visited.
    pub nodes: u64,
    /// Playouts run.
    pub simulations: u64,
    /// Nodes with a cutoff.
    pub cutoffs: u64,
    /// Nodes decided by a table entry.
    pub table_hits: u64,
    /// Time from start to end.
    pub time: Duration,
}

impl Stats {
    /// Adds earlier work of the same search.
    pub(super) fn after(mut self, earlier: &Self) -> Self {
        self.absorb(earlier);
        Self { time: self.time + earlier.time, ..self }
    }

    /// Adds the work of another thread.
    pub fn absorb(&mut self, other: &Self) {
        self.depth = self.depth.max(other.depth);
        self.nodes += other.nodes;
        self.simulations += other.simulations;
        self.cutoffs += other.cutoffs;
        self.table_hits += other.table_hits;
    }
}

/// A node of the tree that a search by playouts has grown.
#[derive(Clone, Debug, PartialEq)]
pub struct TopNode<M> {
    /// Index of the node above among those reported; `None` for a root move.
    pub parent: Option<u32>,
    /// The move or chance outcome that led here.
    pub mv: M,
    /// Plies from the root.
    pub ply: u32,
    /// Simulations that came here.
    pub visits: u32,
    /// Value for the side to move at the root, distances counted from there.
    pub value: Value,
}

/// Result of a method: every root move, best first.
#[derive(Clone, Debug)]
pub struct Report<M> {
    /// All moves of the job, best first; ties in the method's order of preference.
    pub lines: Vec<Line<M>>,
    /// True if the value of the first line is that of the position: no other move can turn out better.
    pub settled: bool,
    /// Number of lines that tie for best with an equal exact value.
    pub best_ties: usize,
    /// Statistics.
    pub stats: Stats,
    /// Reason why the search ended.
    pub stopped: StopReason,
    /// The top of the tree, the most visited nodes, each after its parent; empty unless the job wants it of a tree search
    /// without hidden information.
    pub top: Vec<TopNode<M>>,
}
