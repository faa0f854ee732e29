//! Two eat one. Four by four points, four stones a side: black on the bottom row, white on the top row;
//! black moves first. A move takes a stone to an empty orthogonal neighbour; there is no pass.
//!
//! After a move only the mover captures, in the row and the column of the target: if two of the
//! mover's stones are adjacent, a single opponent stone is next to them and the fourth point is
//! empty, the opponent's stone is captured.
//!
//! ```text
//! E O O .    . E O O    O O E .    . O O E      O the mover's stones, E the captured one
//! ```
//!
//! One move can capture two stones, one in each line. A side with at most one stone, or without a
//! move, loses. A third occurrence of a position, or 100 plies without a capture, is a draw; the
//! longest forced win takes 53 plies.

mod evaluator;
mod notation;
mod rules;
mod symmetry;
#[cfg(test)]
mod tests;

pub use evaluator::{TwoEatOneEvaluation, TwoEatOneEvaluator};
pub use rules::{TwoEatOne, TwoEatOneFault, TwoEatOneMove};
