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

pub mod cli;
pub mod config;
pub mod http;
pub mod service;
