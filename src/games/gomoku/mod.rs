//! Gomoku. A square board of 5 to 20 points a side; black (x) moves first, stones stay where they are
//! put; five in a row, column or diagonal win, by one of four sets of rules; a full board is a draw.

mod expert;
mod fitting;
mod knowledge;
mod notation;
mod renju;
mod rules;
pub mod shapes;
mod tactics;
#[cfg(test)]
mod tests;
mod wire;

pub use expert::{BoardEdge, GomokuEvaluation, GomokuEvaluator};
pub use renju::Foul;
pub use rules::{Gomoku, GomokuRules, Point, SIZES};
pub(super) use wire::{RULES, SIZE, empty, rules};
