//! Search for two-player games with perfect or hidden information, with or without chance.
//!
//! Implement [`Game`](game::Game) for a position, optionally an [`Evaluator`](game::Evaluator), and run any
//! [`Algorithm`](search::Algorithm) on a [`Job`](search::Job). Rules know no search; search knows no game.

pub mod game;
pub mod network;
pub mod options;
pub mod search;
#[cfg(feature = "shared-table")]
mod shared_table;

#[cfg(feature = "shared-table")]
pub use shared_table::SharedTable;
