//! Pattern knowledge of every empty point: effect of a stone of either side in each of the four
//! lines, updated incrementally.
//!
//! - `lines`: one line through a point, by table lookup
//! - `codes`: the four lines of a point combined
//! - `points`: sets of points
//! - `worth`, `weights`: values of the combinations
//! - `cells`: the cells of a board
//! - `board`: the whole board
//! - `network`: what a network sees of it
//! - `answers`: immediate wins and forced answers
// CITE: classes of lines and their combinations, as first published by Allis, van den Herik and Huntjens
// 1993, "Go-Moku and threat-space search".

mod answers;
mod board;
mod cells;
mod codes;
mod lines;
mod network;
mod points;
mod weights;
pub(super) mod worth;

pub(super) use answers::Duty;
pub(super) use board::Knowledge;
pub(super) use codes::Threat;
pub(super) use network::Activations;
pub use network::{GOMOKU_HIDDEN, GomokuInput};
pub(super) use weights::SCALE;
pub(super) use worth::REACH;
