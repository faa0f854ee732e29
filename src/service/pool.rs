//! Threads of searches.

use tokio::sync::oneshot;

use super::slots::Work;
use engine::search::STACK;

/// Runs work off the threads that read requests: short work on the blocking pool, work of the lowest priority on a thread
/// of its own, since a thread cannot raise its priority again. `None` if it panicked.
pub(super) async fn run<T: Send + 'static>(
    kind: Work,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let done = match kind {
        Work::Reading | Work::Short => tokio::task::spawn_blocking(work).await.ok(),
        Work::Long | Work::Background => {
            let (tell, told) = oneshot::channel();
            // Nobody may want to know any more.
            let work = move || drop(tell.send(work()));
            let thread = std::thread::Builder::new().name("long search".into()).stack_size(STACK);
            match thread.spawn(work) {
                Ok(_) => told.await.ok(),
                Err(why) => {
                    tracing::error!(%why, "no thread for a long search");
                    None
                }
            }
        }
    };
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
