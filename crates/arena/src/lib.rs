//! Whole games between questions: openings, players, a referee, results. Commands and jobs play them; nothing here
//! knows threads, files or other programs.
//!
//! - `player`: who plays, and a configuration of this program
//! - `opening`: first moves
//! - `pairing`: two players and the terms of their games, each opening twice with the seats exchanged
//! - `record`, `elo`: results and statistics
//! - `self_play`: games to learn from
//! - `search`: searches outside the service

pub mod elo;
pub mod opening;
pub mod pairing;
pub mod player;
pub mod record;
pub mod search;
pub mod self_play;
