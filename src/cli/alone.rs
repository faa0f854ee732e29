//! Searches outside of the service: what one finds helps the next only where that is meant.

use std::time::Duration;

use crate::catalog::answer::Answer;
use crate::catalog::{Context, Plan};
use crate::search::{Cancel, STACK, SharedMemory, TableEntry};

struct Nothing;

impl SharedMemory for Nothing {
    fn probe(&self, _: u64) -> Option<TableEntry> {
        None
    }

    fn store(&self, _: u64, _: TableEntry) {}
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

/// Does the same work on so many threads at once, each with a stack that searches fit on.
///
/// # Errors
/// When a thread cannot be started, and what goes wrong in the work.
pub(super) fn side_by_side(
    jobs: usize,
    work: impl Fn() -> Result<(), String> + Sync,
) -> Result<(), String> {
    std::thread::scope(|scope| {
        let start = |_| {
            let thread = std::thread::Builder::new().stack_size(STACK);
            thread.spawn_scoped(scope, &work).map_err(|why| format!("no thread: {why}"))
        };
        let others = (1..jobs).map(start).collect::<Result<Vec<_>, _>>()?;
        let joined = others
            .into_iter()
            .map(|other| other.join().unwrap_or_else(|_| Err("a search has panicked".to_owned())));
        std::iter::once(work()).chain(joined).collect()
    })
}
