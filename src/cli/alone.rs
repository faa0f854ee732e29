//! Searches that share nothing: what one finds must not help the next.

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

/// Runs a plan to its own end.
pub(super) fn search(plan: &Plan) -> Answer {
    (plan.run)(&Context {
        shared: &Nothing,
        cancel: Cancel::default(),
        queued: Duration::ZERO,
        patience: Duration::MAX,
        observer: None,
    })
}
