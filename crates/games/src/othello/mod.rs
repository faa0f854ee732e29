//! Othello. Black opens on a board of eight by eight squares with two discs of each side in the
//! middle. A disc is placed where it flanks discs of the opponent in a line, and flips them. A side
//! without such a square passes; when neither side has one, the game is over and the winner also
//! gets the empty squares.

mod bits;
mod endgame;
mod evaluator;
mod network;
mod notation;
mod rules;
mod stable;
#[cfg(test)]
mod tests;

pub use evaluator::{OthelloEvaluation, OthelloEvaluator};
pub use network::{OTHELLO_HIDDEN, OthelloInput};
pub use rules::{DISC, Othello, PASS};
