//! The contract between rules and search.
//!
//! A game is a flat value that is copied, never undone: [`Game::play`] is its only mutator. Chance and
//! hidden information are associated types, so a method that cannot handle them does not compile with a
//! game that has them.

mod chance;
mod evaluator;
mod fitted;
mod history;
mod info;
pub mod laws;
mod probcut_row;
mod pruning_hints;
mod rng;
mod selective_parameters;
mod solver;
mod tactics;
mod tuning;
mod turn;
pub mod zobrist;

use std::convert::Infallible;
use std::fmt::Debug;

pub use chance::{Chance, KINDS};
pub use evaluator::{EARLIEST, Evaluator, Lookahead, MoveList, Plain, logistic};
pub use fitted::{Fitted, rewritten};
pub use history::History;
pub use info::{Info, Perfect};
pub use probcut_row::ProbCutRow;
pub use pruning_hints::{Independence, PruningHints};
pub use rng::{Rng, drawn_seed};
pub use selective_parameters::SelectiveParameters;
pub use solver::{ExactSolver, Solution};
pub use tactics::{Tactics, Verdict};
pub use tuning::Tuning;
pub use turn::{Outcome, Side, Turn};

/// A position of a two-player zero-sum game. Cheap to clone: flat, no heap, at most 1 or 2 KB.
///
/// The laws of every implementation are executable: see [`laws`].
pub trait Game: Clone + Send + Sync + 'static {
    /// A move of a player or a chance outcome.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;
    /// Chance events; `Infallible` without chance.
    type Chance: Chance<Self>;
    /// Information of the players; [`Perfect`] where nothing is hidden.
    type Info: Info<Self>;

    /// True if games end in amounts ([`Outcome::Payoff`]) instead of win, draw and loss.
    const PAYOFFS: bool = false;

    /// Side to move, chance event or final outcome.
    fn turn(&self) -> Turn<Self::Chance>;

    /// Appends the legal moves of the side to move, each once, in an order that depends on the
    /// position alone. Appends nothing when the game is over or chance acts.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// Plays a legal move or an outcome of the current chance event.
    fn play(&mut self, mv: Self::Move);

    /// Hash of everything that affects the future of the game, the side to move included.
    fn hash(&self) -> u64;

    /// Code of a move: equal for equal moves, different for different moves of one position. Tables store it
    /// in place of the move.
    fn move_code(mv: Self::Move) -> u16;

    /// Outcome when `mover` is to move and has no legal move.
    fn stuck(&self, mover: Side) -> Outcome {
        Outcome::Win(mover.other())
    }

    /// The legal moves of the side to move as a list; see [`Game::moves`].
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves
    }

    /// A legal move of the side to move, drawn uniformly; `None` without one. Called only where a side is to
    /// move. Override it where a move can be drawn without move generation; `scratch` is working memory.
    #[inline]
    fn random_move(&self, rng: &mut Rng, scratch: &mut Vec<Self::Move>) -> Option<Self::Move> {
        scratch.clear();
        self.moves(scratch);
        rng.pick(scratch)
    }

    /// The position after `mv`.
    #[inline]
    fn after(&self, mv: Self::Move) -> Self {
        let mut next = self.clone();
        next.play(mv);
        next
    }

    /// [`Game::turn`] with [`Game::stuck`] applied: a side to move without legal moves ends the game here
    /// too.
    fn standing(&self) -> Turn<Self::Chance> {
        let turn = self.turn();
        match turn {
            Turn::Of(mover) if self.legal_moves().is_empty() => Turn::Over(self.stuck(mover)),
            turn => turn,
        }
    }
}

/// Keeps of `items[start..]` those that pass, in their order.
#[inline]
pub fn retain_from<T: Copy>(items: &mut Vec<T>, start: usize, mut keep: impl FnMut(T) -> bool) {
    let mut kept = start;
    for n in start..items.len() {
        if keep(items[n]) {
            items[kept] = items[n];
            kept += 1;
        }
    }
    items.truncate(kept);
}

/// A game without chance and hidden information.
pub trait Deterministic: Game<Chance = Infallible, Info = Perfect> {}

impl<G: Game<Chance = Infallible, Info = Perfect>> Deterministic for G {}

/// A game without repetition: every line of play ends.
pub trait Acyclic: Deterministic {}

/// A game with an indexed state space, small enough for a table of all positions.
///
/// Indices are relative to the side to move: where both sides have the same rules, a position and the one
/// with the sides exchanged share an index.
pub trait Indexed: Deterministic {
    /// Number of indices; every index is below it.
    const STATES: usize;

    /// Index of this position. Positions with equal indices are equivalent for the side to move.
    fn index(&self) -> usize;

    /// The position with this index, `None` if there is none.
    fn at(index: usize) -> Option<Self>;

    /// Canonical index of the position's symmetry class (rotations and reflections): the index of one member.
    /// A table needs only that entry.
    #[inline]
    fn class(&self) -> usize {
        self.index()
    }
}
