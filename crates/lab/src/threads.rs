//! Work on several threads.

use engine::search::STACK;

/// Runs the same work on several threads in parallel, each with a stack large enough for searches.
///
/// # Errors
/// When a thread cannot be started, or the work fails.
pub(super) fn side_by_side(
    jobs: usize,
    work: impl Fn() -> Result<(), String> + Sync,
) -> Result<(), String> {
    std::thread::scope(|scope| {
        let start = |_| {
            let thread = std::thread::Builder::new().stack_size(STACK);
            thread.spawn_scoped(scope, &work).map_err(|why| format!("cannot start a thread: {why}"))
        };
        let others = (1..jobs).map(start).collect::<Result<Vec<_>, _>>()?;
        let joined = others
            .into_iter()
            .map(|other| other.join().unwrap_or_else(|_| Err("a search has panicked".to_owned())));
        std::iter::once(work()).chain(joined).collect()
    })
}
