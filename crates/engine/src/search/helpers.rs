//! Helper threads of a search.

use super::STACK;
use super::report::Stats;

/// Runs `lead` here and `help(1)` to `help(count)` on threads of their own; `lead` has to make them end.
/// Returns their statistics. A helper that the system gives no thread for is done without.
pub(super) fn with_helpers(
    count: usize,
    help: &(dyn Fn(usize) -> Stats + Sync),
    lead: &mut dyn FnMut(),
) -> Vec<Stats> {
    std::thread::scope(|scope| {
        let start = |index| {
            let thread = std::thread::Builder::new().stack_size(STACK);
            thread.spawn_scoped(scope, move || help(index)).ok()
        };
        let running: Vec<_> = (1..=count).filter_map(start).collect();
        lead();
        let join = |helper: std::thread::ScopedJoinHandle<'_, Stats>| {
            helper.join().expect("a helper panics only where the search would")
        };
        running.into_iter().map(join).collect()
    })
}
