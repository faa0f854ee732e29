//! Runs searches for clients: admission, shared memory and cancellation.

mod flights;
mod slots;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::task::JoinError;

pub use slots::Busy;

use catalog::answer::{Answer, StoppedBy};
use catalog::question::{Question, WholeNumber};
use catalog::{Allowance, Catalog, Context, Plan, Refusal};
use engine::SharedTable;
use engine::game::drawn_seed;
use engine::search::Cancel;
use flights::Flights;
use slots::{CostKey, Slots};

/// Seeds drawn for questions without one. So few that questions about one game often share what the table holds:
/// entries belong to a seed where the evaluation has preferences by it.
const SEEDS: u64 = 16;

/// Settings of the service.
#[derive(Clone, Copy, Debug)]
pub struct ServiceConfig {
    /// Concurrent search threads.
    pub slots: usize,
    /// Longest predicted wait for a slot before a question is refused.
    pub max_wait: Duration,
    /// Entries of the shared transposition table.
    pub table_entries: usize,
    /// Limits of one question.
    pub allowance: Allowance,
    /// Nice value added by search threads to that of the process, so that the server stays responsive.
    pub nice: i32,
}

/// Readiness for questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// Tables are still being computed.
    Preparing,
    /// Ready for questions.
    Ready,
    /// Shutting down soon.
    Stopping,
}

/// Reason for a question without an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Invalid question.
    Refused(Refusal),
    /// Too much load.
    Busy(Busy),
    /// The service is shutting down.
    ShuttingDown,
    /// A bug: the search panicked.
    Panicked,
}

/// The running service.
pub struct Service {
    catalog: Arc<Catalog>,
    config: ServiceConfig,
    inner: Arc<Inner>,
    flights: Flights<Result<Arc<Answer>, Failure>>,
}

/// State shared with the flights.
struct Inner {
    slots: Slots,
    table: SharedTable,
    nice: i32,
    prepared: AtomicBool,
    draining: AtomicBool,
    stopping: AtomicBool,
    /// Set at shutdown: searches return their best move so far.
    stop: Cancel,
}

/// Cancels a search when its last waiter leaves.
struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Service {
    /// A service with these games.
    pub fn new(catalog: Catalog, config: ServiceConfig) -> Self {
        let inner = Inner {
            slots: Slots::new(config.slots, config.max_wait),
            table: SharedTable::new(config.table_entries),
            nice: config.nice,
            prepared: AtomicBool::new(false),
            draining: AtomicBool::new(false),
            stopping: AtomicBool::new(false),
            stop: Cancel::default(),
        };
        Self {
            catalog: Arc::new(catalog),
            config,
            inner: Arc::new(inner),
            flights: Flights::default(),
        }
    }

    /// The catalog of games and methods.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Computes in the background the tables best ready before the first question. Earlier questions are
    /// answered too, only later.
    ///
    /// # Errors
    /// When the system refuses a thread.
    pub fn prepare(&self) -> std::io::Result<()> {
        let (catalog, inner) = (Arc::clone(&self.catalog), Arc::clone(&self.inner));
        let work = move || {
            lower_priority(inner.nice);
            let started = Instant::now();
            catalog.prepare();
            inner.prepared.store(true, Ordering::Relaxed);
            tracing::info!(ms = started.elapsed().as_millis() as u64, "tables are ready");
        };
        std::thread::Builder::new().name("prepare".into()).spawn(work).map(drop)
    }

    /// Current readiness for questions.
    pub fn readiness(&self) -> Readiness {
        if self.inner.draining.load(Ordering::Relaxed) {
            Readiness::Stopping
        } else if self.inner.prepared.load(Ordering::Relaxed) {
            Readiness::Ready
        } else {
            Readiness::Preparing
        }
    }

    /// Reports from now on that clients should go elsewhere, but still answers them.
    pub fn drain(&self) {
        self.inner.draining.store(true, Ordering::Relaxed);
    }

    /// Refuses new questions from now on.
    pub fn stop_accepting(&self) {
        self.inner.stopping.store(true, Ordering::Relaxed);
    }

    /// Asks running searches to return their best move so far.
    pub fn finish_searches(&self) {
        self.inner.stop.cancel();
    }

    /// Answers a question that arrived at `arrived`.
    ///
    /// # Errors
    /// The reason for a missing answer.
    pub async fn best_move(
        &self,
        mut question: Question,
        arrived: Instant,
    ) -> Result<Answer, Failure> {
        if self.inner.stopping.load(Ordering::Relaxed) {
            return Err(Failure::ShuttingDown);
        }
        let asked_seed = question.seed;
        if !question.reproducible {
            question.seed.get_or_insert_with(|| WholeNumber(drawn_seed(SEEDS)));
        }
        let plan = self.catalog.plan(&question, &self.config.allowance, arrived);
        let plan = plan.map_err(Failure::Refused)?;
        let game = question.game.clone();
        let kind = (game, plan.algorithm, plan.expected.as_millis().max(1).ilog2());
        if let Some(answer) = self.inner.at_once(&plan, &kind, arrived) {
            return Ok(answer);
        }
        // Neither the id of a question nor a seed that it leaves open makes it another one.
        let id = question.id.take();
        question.seed = asked_seed;
        let key = serde_json::to_string(&question).expect("a question can be written again");
        let inner = Arc::clone(&self.inner);
        let answer = self.flights.join(key, move || fly(inner, plan, kind, arrived)).await?;
        Ok(Answer { id, ..Answer::clone(&answer) })
    }
}

impl Inner {
    /// Answers a question known to be trivial at once, on the thread that reads requests. A search that
    /// turns out longer is aborted and then run like all others.
    fn at_once(&self, plan: &Plan, kind: &CostKey, arrived: Instant) -> Option<Answer> {
        let _permit = self.slots.take_for_trivial(kind).filter(|_| plan.threads == 1)?;
        let started = Instant::now();
        let answer = (plan.run)(&Context {
            shared: &self.table,
            cancel: self.stop.clone(),
            queued: started - arrived,
            patience: PATIENCE,
            observer: None,
        });
        let in_time = answer.stats.stopped_by != StoppedBy::Time;
        self.slots.learn(kind.clone(), if in_time { started.elapsed() } else { plan.expected });
        in_time.then_some(answer)
    }
}

/// Longest time that a search may block the thread that reads requests.
const PATIENCE: Duration = Duration::from_micros(200);

/// Waits for a slot and searches on the blocking pool. The slot is freed at the end of the search, not when
/// the client leaves.
async fn fly(
    inner: Arc<Inner>,
    plan: Plan,
    kind: CostKey,
    arrived: Instant,
) -> Result<Arc<Answer>, Failure> {
    let ticket = inner.slots.admit(&kind, plan.expected, plan.threads).map_err(Failure::Busy)?;
    let permit = inner.slots.wait(&ticket).await;
    let cancel = inner.stop.child();
    let _guard = CancelOnDrop(cancel.clone());
    let search = move || {
        let answer = search(&inner, &plan, kind, arrived, cancel);
        drop((permit, ticket));
        inner.table.sweep();
        answer
    };
    let done: Result<Answer, JoinError> = tokio::task::spawn_blocking(search).await;
    done.map(Arc::new).map_err(|why| {
        tracing::error!(%why, "a search has panicked");
        Failure::Panicked
    })
}

fn search(inner: &Inner, plan: &Plan, kind: CostKey, arrived: Instant, cancel: Cancel) -> Answer {
    lower_priority(inner.nice);
    let started = Instant::now();
    let queued = started - arrived;
    let patience = Duration::MAX;
    let context = Context { shared: &inner.table, cancel, queued, patience, observer: None };
    let answer = (plan.run)(&context);
    inner.slots.learn(kind, started.elapsed());
    answer
}

/// Lowers this thread's priority below those that answer probes. Once per thread is enough.
fn lower_priority(nice: i32) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_is_ready_when_its_tables_are_and_until_it_is_to_end() {
        let config = ServiceConfig {
            slots: 1,
            max_wait: Duration::from_secs(1),
            table_entries: 1_000,
            allowance: Allowance::unlimited(),
            nice: 0,
        };
        let service = Service::new(Catalog::default(), config);
        assert_eq!(service.readiness(), Readiness::Preparing);
        service.prepare().expect("a thread");
        while service.readiness() == Readiness::Preparing {
            std::thread::yield_now();
        }
        assert_eq!(service.readiness(), Readiness::Ready);
        service.drain();
        assert_eq!(service.readiness(), Readiness::Stopping);
    }
}
