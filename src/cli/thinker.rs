//! The thread that searches while the client goes on talking.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use crate::catalog::answer::Answer;
use crate::catalog::{Context, Plan};
use crate::search::{Cancel, STACK};
use crate::service::SharedTable;

/// A search to be done.
pub(super) struct SearchTask {
    pub(super) plan: Plan,
    pub(super) table: Arc<SharedTable>,
    /// How many lines the client wants to see.
    pub(super) lines: usize,
    /// Whether the move is kept back until the client asks for it.
    pub(super) held: bool,
}

/// Is told what a search finds, by the thread that searches.
pub(super) trait Listener: Send + Sync + 'static {
    /// What is known so far, and at the end of a search that found a move; of `lines` moves.
    fn known(&self, answer: &Answer, lines: usize);

    /// The end of a search; `None` is one that has panicked. The next may begin as soon as this returns, and
    /// a thread that begins it before waits.
    fn found(&self, answer: Option<Answer>);
}

/// What is said of a search that has panicked.
pub(super) const PANICKED: &str = "the search has panicked; that is a bug";

/// Where a search stands.
#[derive(Debug, Default)]
struct State {
    running: bool,
    held: bool,
    cancel: Cancel,
}

/// What the thread that talks and the one that searches both know.
#[derive(Default)]
struct Desk {
    state: Mutex<State>,
    changed: Condvar,
}

impl Desk {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nobody panics with it")
    }

    /// Waits as long as this holds.
    fn wait_while(&self, holds: impl Fn(&State) -> bool) {
        let waited = self.changed.wait_while(self.state(), |state| holds(state));
        drop(waited.expect("nobody panics with it"));
    }
}

/// One search at a time, all by the same thread: its private table is taken over from search to search.
pub(super) struct Thinker {
    tasks: Sender<(SearchTask, Cancel)>,
    desk: Arc<Desk>,
}

impl Thinker {
    /// A thread that waits for something to search.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn new(listener: impl Listener) -> Result<Self, String> {
        let (tasks, inbox) = channel();
        let desk = Arc::new(Desk::default());
        let here = Arc::clone(&desk);
        let thread = std::thread::Builder::new().name("search".into()).stack_size(STACK);
        let spawned = thread.spawn(move || work(&inbox, &here, &listener));
        spawned.map_err(|why| format!("no thread: {why}"))?;
        Ok(Self { tasks, desk })
    }

    /// Whether a search is running or its move is kept back.
    pub(super) fn is_busy(&self) -> bool {
        self.desk.state().running
    }

    /// Begins a search; there must be none.
    pub(super) fn start(&self, task: SearchTask) {
        let mut state = self.desk.state();
        *state = State { running: true, held: task.held, cancel: Cancel::default() };
        let sent = self.tasks.send((task, state.cancel.clone()));
        sent.expect("the thread lives as long as this");
    }

    /// Ends the search and returns when its move has been said.
    pub(super) fn stop(&self) {
        let mut state = self.desk.state();
        state.held = false;
        state.cancel.cancel();
        drop(state);
        self.desk.changed.notify_all();
        self.wait();
    }

    /// Keeps the move back no longer. The search goes on for this long, or to its own end.
    pub(super) fn release(&self, time: Option<Duration>) {
        let mut state = self.desk.state();
        state.held = false;
        let cancel = state.cancel.clone();
        drop(state);
        self.desk.changed.notify_all();
        let Some(time) = time else { return };
        let timer = std::thread::Builder::new().name("timer".into());
        let alarm = cancel.clone();
        let spawned = timer.spawn(move || {
            std::thread::sleep(time);
            alarm.cancel();
        });
        // Without a thread that watches the time, the time is over.
        if spawned.is_err() {
            cancel.cancel();
        }
    }

    /// Waits for the end of the search.
    pub(super) fn wait(&self) {
        self.desk.wait_while(|state| state.running);
    }
}

/// Searches what comes in, until nothing can come any more.
fn work(inbox: &Receiver<(SearchTask, Cancel)>, desk: &Desk, listener: &impl Listener) {
    while let Ok((task, cancel)) = inbox.recv() {
        let tell = |answer: Answer| listener.known(&answer, task.lines);
        let search = || {
            (task.plan.run)(&Context {
                shared: &*task.table,
                cancel,
                queued: Duration::ZERO,
                patience: Duration::MAX,
                observer: Some(&tell),
            })
        };
        let answer = catch_unwind(AssertUnwindSafe(search)).ok();
        if let Some(answer) = answer.as_ref().filter(|answer| answer.best_move.is_some()) {
            listener.known(answer, task.lines);
        }
        desk.wait_while(|state| state.held);
        // Who has read the move may ask for the next at once.
        let mut state = desk.state();
        listener.found(answer);
        state.running = false;
        drop(state);
        desk.changed.notify_all();
        task.table.sweep();
    }
}
