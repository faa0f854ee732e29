//! Search methods. They know the contract of a game and no game.
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
pub mod montecarlo;
mod order;
mod playout;
mod pv;
mod rank_index;
mod report;
pub mod rollout_minimax;
mod root_moves;
mod score;
pub mod sg;
mod solve;
mod table;
pub mod tablebase;
mod terminal;
pub mod textbook;
mod trace;
pub mod tree_search;
mod window;
mod worlds;

pub use calibration::{Calibration, MarginByDepth};
pub use clock::{Budget, Cancel, Clock, StopReason, Stopped};
pub use deepen::MAX_DEPTH;
pub use memory::{Bound, KeptHistories, SharedMemory, TableEntry};
pub use playout::{Playout, PlayoutStyle};
pub use report::{Line, Report, Stats, TopNode};
pub use score::{Score, ScoreScale, Value, mean_and_stderr};
pub use table::{MOST_KEPT, Table};
pub use trace::{Trace, TraceCell, TraceEvent, TraceNode};
pub use window::Window;

pub use crate::game::ProbCutRow;
use crate::game::{Evaluator, Game, Outcome, Side, Turn};

/// Stack of a search thread in bytes: several times the need of the deepest search of the largest position.
pub const STACK: usize = 8 << 20;

/// Number of root moves with an exact value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Every move; the best one may be searched deeper than the others.
    All,
    /// Every move, the best one too, at the same depth.
    Even,
    /// The best few.
    Best(usize),
    /// The best move only; all effort goes into it.
    One,
}

impl Wanted {
    /// Number of exact values wanted among `moves` moves.
    pub fn of(self, moves: usize) -> usize {
        match self {
            Self::All | Self::Even => moves,
            Self::Best(count) => count.clamp(1, moves.max(1)),
            Self::One => 1,
        }
    }
}

/// A search request.
pub struct Job<'a, G: Game> {
    /// Root position.
    pub root: &'a G,
    /// Side to move at the root.
    pub mover: Side,
    /// Legal moves to choose from, at least one.
    pub moves: &'a [G::Move],
    /// Search limits.
    pub budget: Budget,
    /// Moves with an exact value.
    pub wanted: Wanted,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Threads to search with, at least one.
    pub threads: usize,
    /// Table shared between searches; `None` where an answer must not depend on it.
    pub shared: Option<&'a dyn SharedMemory>,
    /// Set when the answer is no longer needed.
    pub cancel: Cancel,
    /// Receiver of intermediate reports.
    pub observer: Option<&'a Observer<'a, G::Move>>,
    /// True if the request names `moves`: each is searched, whatever the evaluator lists.
    pub named: bool,
    /// Rules on the history of the game, where they may end it soon.
    pub judge: Option<&'a Judge<'a, G>>,
    /// Receiver of the tree that was searched.
    pub trace: Option<&'a TraceCell<G::Move>>,
    /// Nodes of a tree search to report, the most visited.
    pub top_nodes: usize,
}

/// Result of the game by its history, given the one or two positions that follow the root.
pub type Judge<'a, G> = dyn Fn(&[&G]) -> Option<Outcome> + Sync + 'a;

/// Plies from the root at which the history of the game counts: the root moves and the replies. Deeper
/// positions have no past, so that tables hold for them.
const JUDGED_PLIES: u32 = 2;

impl<'a, G: Game> Job<'a, G> {
    /// A search for the value of each of `moves`, on its own and with seed 0.
    ///
    /// # Panics
    /// If no side is to move in `root`.
    pub fn new(root: &'a G, moves: &'a [G::Move], budget: Budget) -> Self {
        let Turn::Of(mover) = root.turn() else { panic!("nobody is to move at the root") };
        Self {
            root,
            mover,
            moves,
            budget,
            wanted: Wanted::All,
            seed: 0,
            threads: 1,
            shared: None,
            cancel: Cancel::default(),
            observer: None,
            named: false,
            judge: None,
            trace: None,
            top_nodes: 0,
        }
    }

    /// Result by the history of the game of the position `after`, `ply` plies from the root and one from
    /// `before`.
    fn judged(&self, before: &G, after: &G, ply: u32) -> Option<Outcome> {
        let judge = self.judge.filter(|_| ply <= JUDGED_PLIES)?;
        if ply == 1 { judge(&[after]) } else { judge(&[before, after]) }
    }

    /// Score for `viewer` of a game that its history ends, `ply` plies from the root.
    fn ended<E: Evaluator<G>>(
        &self,
        outcome: Outcome,
        evaluator: &E,
        viewer: Side,
        ply: u32,
    ) -> Score {
        match (outcome, evaluator.contempt()) {
            (Outcome::Draw, contempt @ 1..) => {
                let score = Score::heuristic(-contempt);
                if viewer == self.mover { score } else { -score }
            }
            _ => Score::of(outcome, viewer, ply),
        }
    }
}

/// Receives the result so far after each completed iteration, in the form of the last report but marked
/// as [running](StopReason::Running). The search waits until it returns.
pub type Observer<'a, M> = dyn Fn(&Report<M>) + Sync + 'a;

/// A search method.
pub trait Algorithm<G: Game>: Send + Sync {
    /// Searches until a limit is reached or the result is final. There is always an answer.
    fn run(&self, job: &Job<'_, G>) -> Report<G::Move>;
}
