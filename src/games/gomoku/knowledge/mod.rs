//! What is known of every empty point: what a stone of either side would make there in each of the four
//! lines, kept up to date stone by stone.
//!
//! - `lines`: one line around a point, by a table
//! - `codes`: the four lines of a point together
//! - `points`: sets of points
//! - `worth`, `weights`: what combinations are worth
//! - `cells`: the cells of a board
//! - `board`: the whole board
//! - `answers`: who wins at once, and what must be answered
// CITE: classes of lines and their combinations, as first published by Allis, van den Herik and Huntjens
// 1993, "Go-Moku and threat-space search".

mod answers;
mod board;
mod cells;
mod codes;
mod lines;
mod points;
mod weights;
pub(super) mod worth;

pub(super) use answers::Duty;
pub(super) use board::Knowledge;
pub(super) use codes::Threat;
pub(super) use weights::SCALE;
pub(super) use worth::REACH;
