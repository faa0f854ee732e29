//! Connect four. Seven columns of six cells; a stone falls to the lowest empty cell of its column;
//! who has four in a line wins; a full board without one is a draw.

mod expert;
mod rules;
#[cfg(test)]
mod tests;
mod wire;

pub use expert::{Connect4Evaluation, Connect4Evaluator};
pub use rules::{Connect4, HEIGHT, WIDTH};
