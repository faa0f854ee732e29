//! Tic-tac-toe. Three by three cells, x moves first; who has three in a row, column or diagonal
//! wins; a full board without one is a draw.

mod rules;
#[cfg(test)]
mod tests;
mod wire;

pub use rules::{TicTacToe, TicTacToeFault};
