//! Gomoku with the opening swap2, which leaves neither side an advantage. Sides are players here, not
//! colours:
//!
//! 1. The first player puts three stones wherever he likes: black, white, black.
//! 2. The second chooses: `swap` takes black, `stay` takes white, and `two` leaves the choice to the first
//!    once the second has put two stones more, white and black.
//! 3. After `two` the first takes `black` or `white`.
//!
//! Then it is white's turn, and play goes on by the rules of [`gomoku`](super::gomoku).

mod evaluator;
mod notation;
mod rules;
#[cfg(test)]
mod tests;

pub use evaluator::{OPENINGS, Swap2Evaluator};
pub use rules::{GomokuSwap2, Phase, Swap2Move, Word};
