//! Nim. Several heaps of stones; who is to move takes any number of stones, at least one, from one
//! heap. In normal play a player who cannot move has lost (who takes the last stone wins); in
//! misere play a player who cannot move has won.

mod notation;
mod rules;
#[cfg(test)]
mod tests;

pub use rules::{MAX_HEAPS, Nim, NimEvaluator, Take};
