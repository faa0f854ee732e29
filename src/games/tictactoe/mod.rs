//! Tic-tac-toe. Three by three cells, x moves first; who has three in a row, column or diagonal
//! wins; a full board without one is a draw.

mod notation;
mod rules;
#[cfg(test)]
mod tests;

pub use rules::{TicTacToe, TicTacToeFault};
