//! The exact solver of connect four.

mod maker;
mod openings;
mod order;
mod score;
mod search;
mod table;
#[cfg(test)]
mod tests;

use engine::game::{ExactSolver, Outcome, Solution};

use super::rules::{Connect4, column_of};
pub use maker::Connect4Maker;
pub use openings::EarlyPositions;
use score::{CELLS, plies};
use search::Search;
use table::SolverTable;

/// 2^19 entries, 4 MiB: all positions of `tests/data/connect4_positions.json` with 6 to 18 stones take 13.6 s with
/// 4 MiB, 14.9 s with 8 and 15.9 s with 16: fewer nodes, but slower memory.
const TABLE_BITS: u32 = 19;

/// Exact solver: alpha-beta with a window of one point, moves that lose at once left out, the others by the
/// threats they make, and bounds of both sides in a transposition table.
// CITE: Pons, "Solving Connect Four: how to build a perfect AI".
pub struct Connect4Solver<'a> {
    table: SolverTable,
    openings: &'a EarlyPositions,
}

impl Default for Connect4Solver<'static> {
    /// The solver with the embedded table of early positions.
    fn default() -> Self {
        Self::new(EarlyPositions::embedded(), TABLE_BITS)
    }
}

impl Connect4Solver<'static> {
    /// The solver alone, without the table of early positions.
    pub fn without_openings() -> Self {
        Self::new(EarlyPositions::none(), TABLE_BITS)
    }
}

impl<'a> Connect4Solver<'a> {
    /// The solver with these early positions and a transposition table of 2^`bits` entries of 8 bytes.
    pub(super) fn new(openings: &'a EarlyPositions, bits: u32) -> Self {
        Self { table: SolverTable::new(bits), openings }
    }

    /// Score for the side to move of an unfinished position: the winner's stones left plus one, negative for
    /// a loss, 0 for a draw. `None` if `go_on`, called at every node, has returned false.
    pub fn score(&mut self, pos: &Connect4, go_on: &mut dyn FnMut() -> bool) -> Option<i32> {
        self.search(go_on).score(pos)
    }

    fn search<'s>(&'s mut self, go_on: &'s mut dyn FnMut() -> bool) -> Search<'s> {
        Search { table: &mut self.table, openings: self.openings, go_on }
    }
}

impl ExactSolver<Connect4> for Connect4Solver<'_> {
    fn longest(&self, pos: &Connect4) -> u32 {
        CELLS as u32 - pos.stones()
    }

    fn solve(&mut self, pos: &Connect4, go_on: &mut dyn FnMut() -> bool) -> Option<Solution<u8>> {
        let mut search = self.search(go_on);
        let score = search.score(pos)?;
        let best = column_of(search.best(pos, score)?);
        let mover = pos.mover();
        let outcome = match score {
            1.. => Outcome::Win(mover),
            0 => Outcome::Draw,
            _ => Outcome::Win(mover.other()),
        };
        Some(Solution { outcome, plies: plies(pos.stones(), score), best })
    }
}
