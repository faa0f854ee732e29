//! A search that is ready to run, and what it runs in.

use std::time::Duration;

use super::answer::Answer;
use engine::search::{Cancel, SharedMemory};

/// Environment of a running search.
pub struct Context<'a> {
    /// Transposition table shared with other searches.
    pub shared: &'a dyn SharedMemory,
    /// Set when the last client has left.
    pub cancel: Cancel,
    /// Waiting time of the question for a slot.
    pub queued: Duration,
    /// Time limit of the search, in addition to its budget.
    pub patience: Duration,
    /// Receives interim answers.
    pub observer: Option<&'a AnswerObserver<'a>>,
}

impl<'a> Context<'a> {
    /// Environment of a search outside the service, limited by its budget only.
    pub fn alone(shared: &'a dyn SharedMemory) -> Self {
        Self {
            shared,
            cancel: Cancel::default(),
            queued: Duration::ZERO,
            patience: Duration::MAX,
            observer: None,
        }
    }
}

/// Receives an interim answer after each completed iteration, with `stopped_by` = `running`. It is written when it is
/// called for. The search waits until the observer returns.
pub type AnswerObserver<'a> = dyn Fn(&dyn Fn() -> Answer) + Sync + 'a;

/// Search that is ready to run.
pub(super) type PlannedRun = Box<dyn Fn(&Context<'_>) -> Answer + Send + Sync>;

/// Writes the positions of a history, in their canonical form.
pub(super) type PlannedHistory = Box<dyn Fn() -> Vec<String> + Send + Sync>;

/// Validated question, ready to be searched.
pub struct Plan {
    /// Name of the game.
    pub game: &'static str,
    /// Name of the method.
    pub algorithm: &'static str,
    /// Expected maximum duration; zero if there is nothing to search.
    pub expected: Duration,
    /// Number of search threads.
    pub threads: u64,
    /// The position and those before it that its rules look at, the current one last.
    pub history: PlannedHistory,
    /// Runs the search; may be called again if a first run exceeded its patience.
    pub run: PlannedRun,
}
