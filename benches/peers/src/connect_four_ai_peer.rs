//! The `connect-four-ai` crate's exact solver.

use std::path::Path;

use connect_four_ai::{Position, Solver};
use serde_json::Value;

use crate::{
    positions::{self, Solved},
    timed,
};

/// Solves each position without the opening book and with the table emptied beforehand.
pub fn exact(file: &Path, min_ply: usize) -> Value {
    let mut solver = Solver::empty();
    positions::solve("connect-four-ai", file, min_ply, |moves| {
        let position = Position::from_moves(moves).expect("the file's moves are legal");
        solver.reset();
        let (score, cpu_s) = timed(|| solver.solve(&position));
        Solved { score: score.into(), nodes: solver.explored_positions, cpu_s }
    })
}
