//! Helper threads of a search.

use super::STACK;

/// Runs `lead` on this thread and `help(1)` to `help(count)` on helper threads; `lead` must make them stop.
/// Returns what the helpers found. A helper without a thread from the system is left out.
pub(super) fn with_helpers<T: Send>(
    count: usize,
    help: &(dyn Fn(usize) -> T + Sync),
    lead: &mut dyn FnMut(),
) -> Vec<T> {
    std::thread::scope(|scope| {
        let start = |index| {
            let thread = std::thread::Builder::new().stack_size(STACK);
            thread.spawn_scoped(scope, move || help(index)).ok()
        };
        let running: Vec<_> = (1..=count).filter_map(start).collect();
        lead();
        let join = |helper: std::thread::ScopedJoinHandle<'_, T>| {
            helper.join().expect("a helper panics only where the search would")
        };
        running.into_iter().map(join).collect()
    })
}
