//! Two eat one. Four by four points, four stones a side: black on the bottom row, white on the top row;
//! black moves first. A move takes a stone to an empty orthogonal neighbour; there is no pass.
//!
//! After the move the row and the column of its target are looked at, for the mover only: where two of
//! his stones stand side by side, a single opponent stone next to them and the fourth point empty, the opponent's
//! stone is taken.
//!
//! ```text
//!  E O O .    . E O O    O O E .    . O O E      O the mover's stones, E the one taken
//! ```
//!
//! One move can take two stones, one in each line. Who has at most one stone left, or cannot move, has
//! lost. A game that comes to one position for the third time, or to 100 plies without a capture, is a
//! draw; the longest forced win takes 53 plies.

mod evaluator;
mod notation;
mod rules;
mod symmetry;
#[cfg(test)]
mod tests;

pub use evaluator::{TwoEatOneEvaluation, TwoEatOneEvaluator};
pub use rules::{TwoEatOne, TwoEatOneFault, TwoEatOneMove};
