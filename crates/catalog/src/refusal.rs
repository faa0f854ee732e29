//! Reasons for a refused question.

use super::did_you_mean;
use games::notation::Fault;

/// Reason for a refused question, with the valid alternatives.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// No game has this name.
    #[error("unknown game `{name}`{}; known: {}", did_you_mean(name, known.iter().copied()), known.join(", "))]
    UnknownGame {
        /// Requested name.
        name: String,
        /// Known names.
        known: Vec<&'static str>,
    },
    /// No algorithm has this name.
    #[error("unknown algorithm `{name}`{}; known: {}", did_you_mean(name, known.iter().copied()), known.join(", "))]
    UnknownAlgorithm {
        /// Requested name.
        name: String,
        /// Known names.
        known: Vec<&'static str>,
    },
    /// The algorithm cannot handle the game.
    #[error("`{algorithm}` cannot play this: {why}; offered here: {}", offered.join(", "))]
    Unsupported {
        /// Requested algorithm.
        algorithm: &'static str,
        /// Missing capabilities of the game.
        why: String,
        /// Algorithms offered for this game.
        offered: Vec<&'static str>,
    },
    /// Invalid part of the question, with a pointer into the body.
    #[error("{0}")]
    Invalid(Fault),
}

impl Refusal {
    /// Value of the wrong type or range at a pointer into the body.
    pub fn shape(pointer: &[&str], detail: impl Into<String>) -> Self {
        let fault = pointer.iter().rev().fold(Fault::shape(detail), Fault::under);
        Self::Invalid(fault)
    }
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        Self::Invalid(fault)
    }
}
