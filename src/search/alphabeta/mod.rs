//! The one engine: alpha-beta with everything that makes it faster and nothing that changes its
//! value. At a given depth it agrees with minimax to the last unit.
//!
//! - `options`: what can be switched off
//! - `engine`: the recursion over positions where somebody moves
//! - `chance`: the same where nature moves (Star1)
//! - `recall`: what the tables say about a position
//! - `root`: the root moves, how many of them get an exact value, aspiration
//! - `threads`: several searchers over one shared table
// CITE: Knuth and Moore 1975; PVS, Marsland and Campbell 1982 and Reinefeld 1983.

mod chance;
mod engine;
mod line;
mod options;
mod recall;
mod root;
mod threads;

pub use options::{Options, Ordering, Pruning, TableUse};

use super::{Algorithm, Job, Report};
use crate::game::{Expert, Game, Perfect};

/// Alpha-beta with this expert. Where chance acts it takes the exact expectation.
#[derive(Clone, Debug)]
pub struct AlphaBeta<E> {
    /// The game's knowledge.
    pub expert: E,
    /// What is switched on.
    pub options: Options,
}

impl<E> AlphaBeta<E> {
    /// Everything switched on.
    pub fn new(expert: E) -> Self {
        Self { expert, options: Options::default() }
    }
}

impl<G: Game<Info = Perfect>, E: Expert<G>> Algorithm<G> for AlphaBeta<E> {
    fn run(&self, job: &Job<'_, G>) -> Report<G::Move> {
        let (found, stats) = threads::search(job, self);
        found.report(stats, G::PAYOFFS)
    }
}
