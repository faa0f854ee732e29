//! Nim. Several heaps of stones; the side to move takes at least one stone from one heap. In normal
//! play a player who cannot move loses (taking the last stone wins); in misere play a player who
//! cannot move wins.

mod notation;
mod rules;
#[cfg(test)]
mod tests;

pub use rules::{MAX_HEAPS, Nim, NimEvaluator, Take};
