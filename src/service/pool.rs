//! Threads of searches.

use std::sync::LazyLock;

use tokio::runtime::{Builder, Runtime};

use super::slots::Work;
use engine::search::STACK;

/// Threads of the lowest priority: a thread cannot raise its own again. They stay for a while, and each keeps the table of
/// its last search.
static LOWEST: LazyLock<Runtime> = LazyLock::new(|| {
    let threads =
        Builder::new_current_thread().thread_name("background").thread_stack_size(STACK).build();
    threads.expect("a runtime without drivers needs nothing")
});

/// Runs work off the threads that read requests. `None` if it panicked.
pub(super) async fn run<T: Send + 'static>(
    kind: Work,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let done = match kind {
        Work::Reading | Work::Short => tokio::task::spawn_blocking(work),
        Work::Long | Work::Background => LOWEST.spawn_blocking(work),
    };
    let done = done.await.ok();
    if done.is_none() {
        tracing::error!("a search has panicked");
    }
    done
}

/// Lowers this thread's priority below those that answer probes. Once per thread is enough.
pub(super) fn lower_priority(nice: i32) {
    thread_local! {
        static DONE: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
    }
    if nice == 0 || DONE.replace(true) {
        return;
    }
    // On Linux this call affects the calling thread only.
    if let Err(why) = rustix::process::setpriority_process(None, nice) {
        tracing::warn!(%why, nice, "search threads keep their priority");
    }
}
