//! The games, one folder each: rules, evaluator, notation, tests. Independent of the search.

pub mod notation;

pub mod connect4;
pub mod easycard;
pub mod files;
pub mod genius;
pub mod gomoku;
pub mod gomoku_swap2;
pub mod nim;
pub mod openings;
pub mod othello;
pub mod snake_go;
pub mod tictactoe;
pub mod tree;
pub mod two_eat_one;
pub mod xiangqi;

/// Random games of a test against a slow oracle; `BESTMOVE_GAMES` asks for others than usual.
#[cfg(test)]
fn games_of_test(usual: usize) -> usize {
    std::env::var("BESTMOVE_GAMES").map_or(usual, |games| games.parse().expect("a number"))
}
