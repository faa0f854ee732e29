//! Gomoku, freestyle. A square board of 5 to 20 points a side; black (x) moves first, stones stay
//! where they are put; five or more in a row, column or diagonal win; a full board is a draw.

mod expert;
mod rules;
pub mod shapes;
#[cfg(test)]
mod tests;
mod wire;

pub use expert::{Edge, Shapes};
pub use rules::{Gomoku, Point, SIZES};
