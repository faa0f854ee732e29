//! Why a question gets no answer.

use games::notation::{Fault, FaultKind};

/// A question that cannot be answered, with what would be right instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// No game has this name.
    #[error("there is no game `{name}`; there are: {}", known.join(", "))]
    UnknownGame {
        /// The name asked for.
        name: String,
        /// All names.
        known: Vec<&'static str>,
    },
    /// No algorithm has this name.
    #[error("there is no algorithm `{name}`; there are: {}", known.join(", "))]
    UnknownAlgorithm {
        /// The name asked for.
        name: String,
        /// All names.
        known: Vec<&'static str>,
    },
    /// The algorithm cannot handle the game.
    #[error("`{algorithm}` cannot play this: {why}; offered here: {}", offered.join(", "))]
    Unsupported {
        /// The algorithm asked for.
        algorithm: &'static str,
        /// What it would need.
        why: String,
        /// What can be used instead.
        offered: Vec<&'static str>,
    },
    /// A part of the question is wrong; the pointer is that of the body.
    #[error("{0}")]
    Invalid(Fault),
}

impl Refusal {
    /// A value of the wrong type or range at a pointer of the body.
    pub fn shape(pointer: &[&str], detail: impl Into<String>) -> Self {
        let fault = pointer.iter().rev().fold(Fault::shape(detail), Fault::under);
        Self::Invalid(fault)
    }

    /// A stable code for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownGame { .. } => "unknown_game",
            Self::UnknownAlgorithm { .. } => "unknown_algorithm",
            Self::Unsupported { .. } => "unsupported_algorithm",
            Self::Invalid(fault) => match fault.kind {
                FaultKind::Shape => "invalid_request",
                FaultKind::Position => "impossible_position",
                FaultKind::Move => "illegal_move",
            },
        }
    }
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        Self::Invalid(fault)
    }
}
