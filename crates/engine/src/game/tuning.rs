//! Search constants that depend on the game.

use super::{ProbCutRow, SelectiveParameters};

/// Search constants of one game, in one value: a wrapper of an evaluator forwards it as a whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// Least depth, in plies, at which the transposition table is used. Cheap nodes are faster to search
    /// again than to look up: a probe of a large table waits for memory.
    pub table_from: u32,
    /// Least depth, in plies, at which the table shared between searches is used.
    pub share_from: u32,
    /// Least depth, in plies, of a node where a thread of a full-width search defers the moves that another one searches
    /// (ABDADA): in shallower nodes that costs more than to search them twice.
    pub defer_from: u32,
    /// Numbers of `selective`.
    pub selective: SelectiveParameters,
    /// What shallow searches say about deeper ones, for `probcut`; in evaluation units.
    pub probcut: &'static [ProbCutRow],
    /// Exploration constant of `uct`: the factor C of the confidence bound w/n + C sqrt(2 ln N / n).
    pub exploration: f64,
    /// True if playouts are played by the evaluator's moves rather than at random.
    pub expert_playouts: bool,
}

impl Tuning {
    /// Values for an untuned game. `table_from`, `share_from`: not tuned. `defer_from`: othello. The others are those
    /// of xiangqi, measured only with their techniques as a whole: `benches/ablation.py late_move_pruning futility
    /// quiescence`, docs/selective.md.
    pub const DEFAULT: Self = Self {
        table_from: 1,
        share_from: 4,
        // Othello to depth 11 takes 0.57 to 0.60 of the time with two threads from 3, 4, 5 or 6:
        // `benches/threads.py --only othello`.
        defer_from: 3,
        selective: SelectiveParameters::DEFAULT,
        probcut: &[],
        exploration: 1.0,
        expert_playouts: false,
    };
}
