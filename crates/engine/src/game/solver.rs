//! Contract of an exact solver: the game-theoretic result of a position, found by means of one game alone.

use super::{Game, Outcome, Side};

/// Exact result of a position with both sides playing their best: the winner shortens the game, the loser
/// prolongs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solution<M> {
    /// Result of the game; no payoff.
    pub outcome: Outcome,
    /// Plies to the end of the game. Of a draw only an upper bound.
    pub plies: u32,
    /// A move that keeps the result and the distance.
    pub best: M,
}

impl<M> Solution<M> {
    /// True if this side wins.
    pub fn is_won_by(&self, side: Side) -> bool {
        self.outcome == Outcome::Win(side)
    }
}

/// An exact solver of one game. It keeps what it has learnt from one question to the next.
pub trait ExactSolver<G: Game>: Send {
    /// Plies within which every line from here ends. A shallower search must not ask the solver: it has a
    /// horizon, and its value is not the exact one.
    fn longest(&self, pos: &G) -> u32;

    /// Solves a position in which a side is to move. Calls `go_on` at every node; at the first `false` it
    /// gives up and returns `None`. The same questions in the same order cost the same number of nodes.
    fn solve(&mut self, pos: &G, go_on: &mut dyn FnMut() -> bool) -> Option<Solution<G::Move>>;
}
