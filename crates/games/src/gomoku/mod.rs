//! Gomoku. A square board of 5 to 20 points a side; Black (x) moves first, stones are never moved;
//! five in a row, column or diagonal win, with four rule sets; a full board is a draw.

mod diagram;
mod evaluator;
mod fitting;
mod knowledge;
mod notation;
mod order;
mod renju;
mod rules;
mod sequence;
pub mod shapes;
mod tactics;
#[cfg(test)]
mod tests;

pub use evaluator::{BoardEdge, GomokuEvaluation, GomokuEvaluator};
pub use knowledge::{GOMOKU_HIDDEN, GomokuInput};
pub(super) use notation::{RULES, SIZE, empty, rules};
pub use renju::Foul;
pub use rules::{Gomoku, GomokuRules, Point, SIZES};
