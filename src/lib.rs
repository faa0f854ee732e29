//! Game AI: the best move of a position, its principal variation, an honest score and a rating of
//! every legal move, for games with and without chance and for movers who move twice.
//!
//! The modules in the order of dependency, lowest first; `ARCHITECTURE.md` draws the map.

/// What a game is: the contract between rules and search.
pub mod game;
/// The games, one folder each. They know no search.
pub mod games;
/// Ratings of moves: a pure function of scores.
pub mod rating;
/// The methods. They know no game.
pub mod search;
/// Between a game and its JSON and text forms.
pub mod wire;
