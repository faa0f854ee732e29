//! Searches outside of the service: what one finds helps the next only where that is meant.

use std::time::Duration;

use crate::catalog::answer::Answer;
use crate::catalog::{Context, Plan};
use crate::search::{Cancel, Entry, SharedMemory};

struct Nothing;

impl SharedMemory for Nothing {
    fn probe(&self, _: u64) -> Option<Entry> {
        None
    }

    fn store(&self, _: u64, _: Entry) {}
}

/// Runs a plan to its own end; nothing is shared with other searches.
pub(super) fn search(plan: &Plan) -> Answer {
    search_with(plan, &Nothing)
}

/// Runs a plan to its own end with what others have found.
pub(super) fn search_with(plan: &Plan, shared: &dyn SharedMemory) -> Answer {
    (plan.run)(&Context {
        shared,
        cancel: Cancel::default(),
        queued: Duration::ZERO,
        patience: Duration::MAX,
        observer: None,
    })
}
