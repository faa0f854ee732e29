//! Tic-tac-toe. Three by three cells, x moves first; three in a row, column or diagonal win; a full
//! board without three in a line is a draw.

mod notation;
mod rules;
#[cfg(test)]
mod tests;

pub use rules::{TicTacToe, TicTacToeFault};
