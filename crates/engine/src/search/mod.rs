//! The methods. They know the contract of a game and no game.
//!
//! Every method is an [`Algorithm`]: a [`Job`] goes in, a [`Report`] comes out.

pub mod alphabeta;
mod calibration;
mod clock;
mod deepen;
pub mod depth_study;
pub mod greedy;
mod helpers;
mod memory;
pub mod minimax;
pub mod montecarlo;
pub mod negamax;
mod order;
mod playout;
mod rank_index;
mod report;
pub mod rollout_minimax;
mod score;
pub mod sg;
mod table;
pub mod tablebase;
pub mod tree_search;
mod window;
mod worlds;

pub use calibration::{Calibration, MarginByDepth, ProbCutRow};
pub use clock::{Cancel, Clock, Limits, StopReason, Stopped};
pub use memory::{Bound, SharedMemory, TableEntry};
pub use playout::{Playout, PlayoutStyle};
pub use report::{Line, Report, Stats};
pub use score::{Score, Value, mean_and_stderr};
pub use table::Table;
pub use window::Window;

use crate::game::{Game, Side, Turn};

/// The stack of a thread that searches, in bytes: room for the deepest search of the largest position,
/// several times over.
pub const STACK: usize = 8 << 20;

/// How many root moves get an exact value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Every one, all at the same depth.
    All,
    /// The best few.
    Best(usize),
    /// All effort goes into the best move.
    One,
}

impl Wanted {
    /// The number of exact values wanted of `moves`.
    pub fn of(self, moves: usize) -> usize {
        match self {
            Self::All => moves,
            Self::Best(count) => count.clamp(1, moves.max(1)),
            Self::One => 1,
        }
    }
}

/// One question to a method.
pub struct Job<'a, G: Game> {
    /// The position.
    pub root: &'a G,
    /// Who is to move there.
    pub mover: Side,
    /// The legal moves to choose from, at least one.
    pub moves: &'a [G::Move],
    /// What may be spent.
    pub limits: Limits,
    /// How many moves need an exact value.
    pub wanted: Wanted,
    /// The seed of everything random.
    pub seed: u64,
    /// Threads to search with, at least one.
    pub threads: usize,
    /// What other searches know; `None` where an answer must not depend on them.
    pub shared: Option<&'a dyn SharedMemory>,
    /// Set when nobody waits for the answer.
    pub cancel: Cancel,
    /// Is told what is known while the search goes on.
    pub observer: Option<&'a Observer<'a, G::Move>>,
}

impl<'a, G: Game> Job<'a, G> {
    /// A search for the value of each of `moves`, alone and with seed 0.
    ///
    /// # Panics
    /// If nobody is to move in `root`.
    pub fn new(root: &'a G, moves: &'a [G::Move], limits: Limits) -> Self {
        let Turn::Of(mover) = root.turn() else { panic!("nobody is to move at the root") };
        Self {
            root,
            mover,
            moves,
            limits,
            wanted: Wanted::All,
            seed: 0,
            threads: 1,
            shared: None,
            cancel: Cancel::default(),
            observer: None,
        }
    }
}

/// Is told after each completed iteration what a search knows so far: a report as the last one will be,
/// which says that the search is [running](StopReason::Running). The search waits until it returns.
pub type Observer<'a, M> = dyn Fn(&Report<M>) + Sync + 'a;

/// A way to choose a move.
pub trait Algorithm<G: Game>: Send + Sync {
    /// Searches until a limit is reached or nothing is left to find out. There is always an answer.
    fn run(&self, job: &Job<'_, G>) -> Report<G::Move>;
}
