//! Snake Go. Two players lead up to four snakes each over a square map with x to the right and y
//! upwards. Each round the first player moves all his snakes, then the second.
//!
//! ```text
//! y
//! 15  0 . . .      . . . .        # # # .   the head H steps onto its own body: the loop and all
//!     . . . .      . < < .        # # # .   that it encloses become walls of the snake's owner
//! ..  . . . .  ..  v . ^ .   ->   # # # .
//!  0  . . . 1      > H ^ .        # # # .
//!     0 .. 15 x
//! ```
//!
//! - **Move** `+x +y -x -y`: the head takes a step. A snake grows by one cell if its bank holds
//!   length, and the initial snakes do so anyway in rounds 1 to 8; otherwise the tail follows before
//!   the head arrives. Off the map, into a wall or into another snake it disappears.
//! - **Solidify**: a head that steps onto its own body turns the loop and everything inside into
//!   walls of its owner, foreign walls included. Every snake with a cell in there disappears, and so
//!   does the snake itself.
//! - **Split**: the head keeps the larger half; the rest becomes a snake that faces the other way,
//!   takes the bank and acts from the next round on.
//! - **Melt ray**: removes all walls on the line ahead of the head, and is used up.
//!
//! An item lies for 16 rounds from a known round on: 1 to 5 cells of length for the bank, or a ray.
//! A player without snakes is skipped. The half ends after the last round or with the last snake;
//! who owns more cells, of snakes and of walls, wins, and the second player wins a tie.
//!
//! - `cells`: sets of cells and what a loop encloses
//! - `items`: the items and their generator
//! - `ops`, `snakes`: the operations and what becomes of a snake
//! - `rules`, `setup`: the game, and positions put together by hand
//! - `territory`, `expert`: who reaches which cell first, and what a position is worth

mod cells;
mod expert;
mod items;
mod ops;
mod rules;
mod setup;
mod snakes;
mod territory;
#[cfg(test)]
mod tests;
mod wire;

pub use cells::Enclosure;
pub use expert::{SnakeGoEvaluation, SnakeGoEvaluator};
pub use items::{Item, MOST_ITEMS, generate};
pub use ops::{Direction, Op};
pub use rules::{SnakeGo, SnakeGoRules};
