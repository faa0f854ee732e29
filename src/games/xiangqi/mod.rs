//! Xiangqi, Chinese chess. Nine files and ten ranks, a river between ranks 4 and 5, a palace of three
//! by three points on either side. Red moves first.
//!
//! - **General**: a step along a line, inside the palace. Two generals on one file with nothing
//!   between attack each other.
//! - **Advisor**: a step diagonally, inside the palace.
//! - **Elephant**: two points diagonally over an empty point, never across the river.
//! - **Horse**: a step along a line onto an empty point, then one diagonally outward.
//! - **Chariot**: any distance along a line.
//! - **Cannon**: moves like a chariot and captures by jumping exactly one piece.
//! - **Soldier**: one point forward, beyond the river one sideways too.
//!
//! No move may leave the own general attacked. Who has no legal move has lost, in check or not.
//!
//! - `squares`, `leaps`, `lines`: the board as bits, and what each piece reaches
//! - `pieces`: their kinds and codes
//! - `rules`, `attacks`, `movegen`: the position, what is attacked, the legal moves
//! - `material`: when nobody can win any more
//! - `repetition`, `chase`: what comes of positions that stand again and again
//! - `expert`: evaluation, exchanges, and the course of the line being searched

mod attacks;
mod chase;
mod expert;
mod leaps;
mod lines;
mod material;
mod movegen;
mod pieces;
mod repetition;
mod rules;
mod squares;
#[cfg(test)]
mod tests;
mod wire;

pub use expert::XiangqiEvaluator;
pub use pieces::PieceKind;
pub use rules::{Xiangqi, XiangqiMove, XiangqiRules};
pub use squares::{FILES, RANKS, SQUARES};
