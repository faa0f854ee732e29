//! The service: HTTP over the catalog of games and algorithms, with slots, admission and single flight.
//!
//! The crates below it, lowest first: [`game`] and [`search`] (the engine), [`games`] with their
//! [`notation`], the [`catalog`] that joins both, the protocols and the laboratory beside the service.
//! `ARCHITECTURE.md` draws the map.

pub use catalog;
pub use engine::{SharedTable, game, search};
pub use games::{self, notation};
#[cfg(feature = "lab")]
pub use lab;

/// Commit of the source, where the build was told it.
pub const COMMIT: Option<&str> = option_env!("BESTMOVE_COMMIT");

pub mod cli;
pub mod config;
pub mod http;
mod jobs;
mod json;
pub mod log;
#[cfg(feature = "otlp")]
mod otlp;
mod problem;
pub mod service;
