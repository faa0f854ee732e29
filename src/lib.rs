//! Game AI: the best move of a position, its principal variation, a score of stated kind and a rating of
//! every legal move, for games with and without chance and with consecutive moves by one player.
//!
//! The modules in the order of dependency, lowest first; `ARCHITECTURE.md` draws the map.

pub mod game;
pub mod notation;

pub mod games;
pub mod search;

pub mod rating;

pub mod catalog;

pub mod service;

pub mod http;

pub mod cli;
pub mod config;
