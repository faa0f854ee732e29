//! Snake Go. Each of two players controls up to four snakes on a square map, x to the right and y
//! upwards. Each round the first player moves all own snakes, then the second.
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
//!   length, initial snakes also in rounds 1 to 8; otherwise the tail advances before the head
//!   arrives. A snake that leaves the map or hits a wall or another snake is removed.
//! - **Solidify**: a head that steps onto its own body turns the loop and its interior into walls
//!   of its owner, including walls of the opponent. All snakes with a cell in this area are
//!   removed, the acting one included.
//! - **Split**: the head keeps the larger half; the rest becomes a snake facing the other way,
//!   takes the bank, and acts from the next round on.
//! - **Melt ray**: removes all walls on the line ahead of the head; single use.
//!
//! An item is present for 16 rounds from a known round on: 1 to 5 cells of length for the bank, or
//! a ray. A player without snakes is skipped. The half ends after the last round or with the last
//! snake. The player owning more cells (snakes and walls) wins; the second player wins a tie.
//!
//! - `cells`: sets of cells, areas enclosed by loops
//! - `items`: the items and their generator
//! - `ops`, `snakes`: operations and their effect on snakes
//! - `rules`, `setup`: the game, and custom positions
//! - `territory`, `evaluator`: reachability and evaluation

mod cells;
mod evaluator;
mod items;
mod notation;
mod ops;
mod rules;
mod setup;
mod snakes;
mod territory;
#[cfg(test)]
mod tests;

pub use cells::Enclosure;
pub use evaluator::{SnakeGoEvaluation, SnakeGoEvaluator};
pub use items::{Item, MOST_ITEMS, generate};
pub use ops::{Direction, Op};
pub use rules::{SnakeGo, SnakeGoRules};
