//! Search thread, running while the client goes on talking.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use catalog::answer::Answer;
use catalog::{Context, Plan};
use engine::SharedTable;
use engine::search::{Cancel, STACK};

/// A search to run.
pub(super) struct SearchTask {
    pub(super) plan: Plan,
    pub(super) table: Arc<SharedTable>,
    /// Number of lines that the client wants to see (multi-PV).
    pub(super) lines: usize,
    /// True if the move is withheld until the client asks for it.
    pub(super) held: bool,
}

/// Receiver of search results, called on the search thread.
pub(super) trait Listener: Send + Sync + 'static {
    /// Called with each interim answer, and at the end of a search that found a move; `lines` is the number
    /// of moves to report.
    fn known(&self, answer: &Answer, lines: usize);

    /// Called at the end of a search, with `None` if it has panicked. The next search may start as soon as
    /// this returns; a thread that starts it earlier waits.
    fn found(&self, answer: Option<Answer>);
}

/// Message about a search that has panicked.
pub(super) const PANICKED: &str = "the search has panicked; this is a bug";

/// State of the search.
#[derive(Debug, Default)]
struct State {
    running: bool,
    held: bool,
    cancel: Cancel,
}

/// State shared by the client's thread and the search thread.
#[derive(Default)]
struct Desk {
    state: Mutex<State>,
    changed: Condvar,
}

impl Desk {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no panic while locked")
    }

    /// Blocks while this holds.
    fn wait_while(&self, holds: impl Fn(&State) -> bool) {
        let waited = self.changed.wait_while(self.state(), |state| holds(state));
        drop(waited.expect("no panic while locked"));
    }
}

/// Runs one search at a time, all on one thread: its private table is kept from search to search.
pub(super) struct Thinker {
    tasks: Sender<(SearchTask, Cancel)>,
    desk: Arc<Desk>,
}

impl Thinker {
    /// Starts the search thread.
    ///
    /// # Errors
    /// When the system refuses a thread.
    pub(super) fn new(listener: impl Listener) -> Result<Self, String> {
        let (tasks, inbox) = channel();
        let desk = Arc::new(Desk::default());
        let here = Arc::clone(&desk);
        let thread = std::thread::Builder::new().name("search".into()).stack_size(STACK);
        let spawned = thread.spawn(move || work(&inbox, &here, &listener));
        spawned.map_err(|why| format!("cannot start a thread: {why}"))?;
        Ok(Self { tasks, desk })
    }

    /// True while a search is running or its move is withheld.
    pub(super) fn is_busy(&self) -> bool {
        self.desk.state().running
    }

    /// Starts a search; none may be running.
    pub(super) fn start(&self, task: SearchTask) {
        let mut state = self.desk.state();
        *state = State { running: true, held: task.held, cancel: Cancel::default() };
        let sent = self.tasks.send((task, state.cancel.clone()));
        sent.expect("the thread lives as long as this");
    }

    /// Stops the search and returns once its move has been reported.
    pub(super) fn stop(&self) {
        let mut state = self.desk.state();
        state.held = false;
        state.cancel.cancel();
        drop(state);
        self.desk.changed.notify_all();
        self.wait();
    }

    /// Stops withholding the move. The search goes on for this long, or to its own end.
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
        // Without a thread to watch the clock, the time is up at once.
        if spawned.is_err() {
            cancel.cancel();
        }
    }

    /// Waits for the end of the search.
    pub(super) fn wait(&self) {
        self.desk.wait_while(|state| state.running);
    }
}

/// Runs incoming searches until the channel is closed.
fn work(inbox: &Receiver<(SearchTask, Cancel)>, desk: &Desk, listener: &impl Listener) {
    while let Ok((task, cancel)) = inbox.recv() {
        let tell = |answer: &dyn Fn() -> Answer| listener.known(&answer(), task.lines);
        let search = || {
            (task.plan.run)(&Context {
                cancel,
                observer: Some(&tell),
                ..Context::alone(&*task.table)
            })
        };
        let answer = catch_unwind(AssertUnwindSafe(search)).ok();
        if let Some(answer) = answer.as_ref().filter(|answer| answer.best_move.is_some()) {
            listener.known(answer, task.lines);
        }
        desk.wait_while(|state| state.held);
        // A client that has read the move may ask for the next at once.
        let mut state = desk.state();
        listener.found(answer);
        state.running = false;
        drop(state);
        desk.changed.notify_all();
        task.table.sweep();
    }
}
