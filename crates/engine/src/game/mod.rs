//! What a game is: the contract between rules and search.
//!
//! A game is a flat value that is copied, never undone: [`Game::play`] is the only thing that
//! changes it. Dice and hidden cards are associated types, so a method that cannot handle them
//! does not compile with a game that has them.

mod chance;
mod evaluator;
mod fitted;
mod history;
mod info;
pub mod laws;
mod pruning_hints;
mod rng;
mod tactics;
mod tuning;
mod turn;
pub mod zobrist;

use std::convert::Infallible;
use std::fmt::Debug;

pub use chance::{Chance, KINDS};
pub use evaluator::{EARLIEST, Evaluator, Lookahead, Plain, logistic};
pub use fitted::{Fitted, rewritten};
pub use history::History;
pub use info::{Info, Perfect};
pub use pruning_hints::PruningHints;
pub use rng::Rng;
pub use tactics::{Tactics, Verdict};
pub use tuning::Tuning;
pub use turn::{Outcome, Side, Turn};

/// A position of a two-player zero-sum game. Cheap to clone: flat, no heap, at most 1 or 2 KB.
///
/// The laws every implementation keeps are executable: see [`laws`].
pub trait Game: Clone + Send + Sync + 'static {
    /// A move of a player or an outcome of chance.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;
    /// Chance events; `Infallible` where there are no dice.
    type Chance: Chance<Self>;
    /// What the players see; [`Perfect`] where nothing is hidden.
    type Info: Info<Self>;

    /// Whether games end in amounts ([`Outcome::Payoff`]) and not in win, draw and loss.
    const PAYOFFS: bool = false;

    /// What happens next.
    fn turn(&self) -> Turn<Self::Chance>;

    /// Appends the legal moves of the side to move, each once, in an order that depends on the
    /// position alone. Appends nothing when the game is over or chance acts.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// Plays a legal move or an outcome of the chance event at hand.
    fn play(&mut self, mv: Self::Move);

    /// A fingerprint of everything that changes the future, the side to move included.
    fn hash(&self) -> u64;

    /// A small number that names the move: equal for equal moves, different for different moves of
    /// one position. Tables keep it in place of the move.
    fn move_code(mv: Self::Move) -> u16;

    /// The result when `mover` is to move and has no legal move.
    fn stuck(&self, mover: Side) -> Outcome {
        Outcome::Win(mover.other())
    }

    /// The legal moves of the side to move as a list; see [`Game::moves`].
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves
    }

    /// A legal move of the side to move, drawn uniformly, `None` when it has none. Asked only where
    /// somebody is to move. Override it where a move can be drawn without listing all; `scratch` is
    /// working memory.
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

    /// [`Game::turn`] with [`Game::stuck`] applied: a mover without moves ends the game here too.
    fn standing(&self) -> Turn<Self::Chance> {
        let turn = self.turn();
        match turn {
            Turn::Of(mover) if self.legal_moves().is_empty() => Turn::Over(self.stuck(mover)),
            turn => turn,
        }
    }
}

/// A game without dice and without secrets.
pub trait Deterministic: Game<Chance = Infallible, Info = Perfect> {}

impl<G: Game<Chance = Infallible, Info = Perfect>> Deterministic for G {}

/// A game in which no position comes up twice: every line of play ends by itself.
pub trait Acyclic: Deterministic {}

/// A game whose whole state space is numbered, small enough to hold a table of it.
///
/// Numbers are given as the side to move sees the position: where both sides have the same rules, a
/// position and the one with the sides exchanged have one number.
pub trait Indexed: Deterministic {
    /// All indices are below this.
    const STATES: usize;

    /// The number of this position. For whoever is to move, positions with equal numbers are the same.
    fn index(&self) -> usize;

    /// The position with this number, `None` when no position has it.
    fn at(index: usize) -> Option<Self>;

    /// One number for all positions that this one is turned or mirrored into: the number of one of
    /// them. A table needs to know only that one.
    #[inline]
    fn class(&self) -> usize {
        self.index()
    }
}
