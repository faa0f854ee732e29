//! Chance events: what nature may do where a position waits for dice or cards.
//!
//! An outcome of chance is a move of nature, played with [`Game::play`] like any other. A game
//! without dice says `type Chance = Infallible`, and every arm that handles chance disappears.

use std::convert::Infallible;
use std::fmt::Debug;

use super::{Game, Rng};

/// How many kinds of chance events a game can have.
pub const KINDS: usize = 4;

/// A chance event of the game `G`.
pub trait Chance<G: Game<Chance = Self>>: Copy + Debug + PartialEq {
    /// Whether positions with chance exist at all.
    const EXISTS: bool;

    /// Appends every outcome with its probability. Probabilities are positive and sum to one;
    /// the order is fixed for a position.
    fn outcomes(self, pos: &G, out: &mut Vec<(G::Move, f64)>);

    /// Draws one outcome with its probability.
    fn sample(self, pos: &G, rng: &mut Rng) -> G::Move;

    /// What falls: a number below [`KINDS`]. Events of different kinds have luck of their own, so that
    /// one card more does not change the dice.
    fn kind(self) -> usize {
        0
    }
}

impl<G: Game<Chance = Self>> Chance<G> for Infallible {
    const EXISTS: bool = false;

    fn outcomes(self, _: &G, _: &mut Vec<(G::Move, f64)>) {
        match self {}
    }

    fn sample(self, _: &G, _: &mut Rng) -> G::Move {
        match self {}
    }
}
