//! Connect four. Seven columns of six cells; a stone falls to the lowest empty cell of its column;
//! four in a line win; a full board without four in a line is a draw.

mod evaluator;
mod notation;
mod rules;
mod solver;
#[cfg(test)]
mod tests;

pub use evaluator::{Connect4Evaluation, Connect4Evaluator};
pub use rules::{Connect4, HEIGHT, WIDTH};
pub use solver::{Connect4Maker, Connect4Solver, EarlyPositions};
