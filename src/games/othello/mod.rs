//! Othello. Black opens on a board of eight by eight squares with two discs of each side in the
//! middle. A disc is placed where it flanks discs of the other side in a line, and turns them over.
//! Who cannot place one passes; when neither can, the game is over and the winner gets the squares
//! left empty.

mod bits;
mod endgame;
mod evaluator;
mod notation;
mod rules;
mod stable;
#[cfg(test)]
mod tests;

pub use evaluator::OthelloEvaluator;
pub use rules::{DISC, Othello, PASS};
