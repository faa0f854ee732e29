//! Gomoku with the swap2 opening, which removes the first player's advantage. Sides are players
//! here, not colours:
//!
//! 1. The first player places three stones anywhere: black, white, black.
//! 2. The second player chooses: `swap` takes black, `stay` takes white, and `two` places two more
//!    stones, white and black, and leaves the choice to the first player.
//! 3. After `two` the first player takes `black` or `white`.
//!
//! Then White is to move, and the game continues by the rules of [`gomoku`](super::gomoku).

mod evaluator;
mod notation;
mod rules;
#[cfg(test)]
mod tests;

pub use evaluator::{OPENINGS, Swap2Evaluator};
pub use rules::{GomokuSwap2, Phase, Swap2Move, Word};
