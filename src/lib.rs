//! Game AI: the best move of a position, its principal variation, an honest score and a rating of
//! every legal move, for games with and without chance and for movers who move twice.
//!
//! The modules in the order of dependency, lowest first; `ARCHITECTURE.md` draws the map.

pub mod game;
pub mod wire;

pub mod games;
pub mod search;

pub mod rating;

pub mod catalog;

pub mod service;

pub mod http;

pub mod cli;
pub mod config;
