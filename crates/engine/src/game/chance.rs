//! Chance events: dice and card draws.
//!
//! A chance outcome is a move, played with [`Game::play`] like any other. A game without chance has
//! `type Chance = Infallible`, and every match arm that handles chance disappears.

use std::convert::Infallible;
use std::fmt::Debug;

use super::{Game, Rng, Side};

/// Number of kinds of chance events a game can have.
pub const KINDS: usize = 4;

/// A chance event of the game `G`.
pub trait Chance<G: Game<Chance = Self>>: Copy + Debug + PartialEq {
    /// True if positions with chance exist at all.
    const EXISTS: bool;

    /// Appends every outcome with its probability. Probabilities are positive and sum to one;
    /// the order is fixed for a position.
    fn outcomes(self, pos: &G, out: &mut Vec<(G::Move, f64)>);

    /// Draws one outcome with its probability.
    fn sample(self, pos: &G, rng: &mut Rng) -> G::Move;

    /// Kind of the event, below [`KINDS`]. Each kind has its own random numbers, so that one more card drawn
    /// does not change the dice.
    fn kind(self) -> usize {
        0
    }

    /// Side whose draw or roll the event is; `None`: of both or of nobody.
    fn side(self, _pos: &G) -> Option<Side> {
        None
    }

    /// One outcome that stands for all where an expectation is replaced by a typical case, as for dice with many
    /// faces; `None`: the event has no typical outcome.
    fn typical(self, _pos: &G) -> Option<G::Move> {
        None
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
