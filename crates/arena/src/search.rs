//! Searches outside the service; memory is shared only on request.

use catalog::answer::Answer;
use catalog::{Context, Plan};
use engine::search::{Cancel, SharedMemory, TableEntry};

/// No shared memory.
pub struct Nothing;

impl SharedMemory for Nothing {
    fn probe(&self, _: u64) -> Option<TableEntry> {
        None
    }

    fn store(&self, _: u64, _: TableEntry) {}
}

/// Runs a plan to its own end without shared memory.
pub fn search(plan: &Plan) -> Answer {
    search_with(plan, &Nothing)
}

/// Runs a plan with this shared memory, unless it is cancelled before its own end.
///
/// # Errors
/// When it is.
pub fn search_until(
    plan: &Plan,
    shared: &dyn SharedMemory,
    cancel: &Cancel,
) -> Result<Answer, String> {
    let answer = (plan.run)(&Context { cancel: cancel.clone(), ..Context::alone(shared) });
    if cancel.is_cancelled() { Err("the games are cancelled".to_owned()) } else { Ok(answer) }
}

/// Runs a plan to its own end with this shared memory.
pub fn search_with(plan: &Plan, shared: &dyn SharedMemory) -> Answer {
    (plan.run)(&Context::alone(shared))
}
