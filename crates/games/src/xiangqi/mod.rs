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
//! No move may leave the own general attacked. A side without a legal move loses, in check or not.
//!
//! - `squares`, `leaps`, `lines`: bitboards and attacks of each piece
//! - `pieces`: kinds and codes
//! - `rules`, `attacks`, `movegen`: position, attacks, legal moves
//! - `material`: draws by insufficient material
//! - `repetition`, `chase`: repetition rules
//! - `evaluator`: evaluation, exchanges, and the history of the current line

mod attacks;
mod chase;
mod evaluator;
mod leaps;
mod lines;
mod material;
mod movegen;
mod notation;
mod pieces;
mod repetition;
mod rules;
mod squares;
#[cfg(test)]
mod tests;

pub use evaluator::{XIANGQI_HIDDEN, XiangqiEvaluation, XiangqiEvaluator, XiangqiInput};
pub use pieces::PieceKind;
pub use rules::{Xiangqi, XiangqiMove, XiangqiRules};
pub use squares::{FILES, RANKS, SQUARES};
