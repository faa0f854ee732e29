//! Runs searches for clients: who may search when, what searches share, and when they stop.

mod flights;
mod shared_table;
mod slots;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::task::JoinError;

pub use shared_table::SharedTable;
pub use slots::Busy;

use crate::catalog::answer::Answer;
use crate::catalog::question::Question;
use crate::catalog::{Allowance, Catalog, Context, Plan, Refusal};
use crate::search::Cancel;
use flights::Flights;
use slots::{CostKey, Slots};

/// How the service runs.
#[derive(Clone, Copy, Debug)]
pub struct ServiceConfig {
    /// Search threads at a time.
    pub slots: usize,
    /// The longest predicted wait for a slot before a question is refused.
    pub max_wait: Duration,
    /// Entries of the shared table.
    pub table_entries: usize,
    /// What one question may ask for.
    pub allowance: Allowance,
    /// The nice value that search threads add to the process's, so that the server stays awake.
    pub nice: i32,
}

/// Whether clients should send questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// Tables are still being computed.
    Preparing,
    /// They should.
    Ready,
    /// The service is about to end.
    Stopping,
}

/// Why a question got no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The question is wrong.
    Refused(Refusal),
    /// Too busy.
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

/// What flights keep alive.
struct Inner {
    slots: Slots,
    table: SharedTable,
    nice: i32,
    prepared: AtomicBool,
    draining: AtomicBool,
    stopping: AtomicBool,
    /// Set when the service ends: searches return the best they have.
    stop: Cancel,
}

/// Cancels a search when whoever waits for it goes away.
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

    /// The games and methods.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Computes in the background what is better known before the first question comes. Questions
    /// that come before are answered too, only later.
    ///
    /// # Errors
    /// When the system gives no thread for it.
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

    /// Whether clients should send questions here.
    pub fn readiness(&self) -> Readiness {
        if self.inner.draining.load(Ordering::Relaxed) {
            Readiness::Stopping
        } else if self.inner.prepared.load(Ordering::Relaxed) {
            Readiness::Ready
        } else {
            Readiness::Preparing
        }
    }

    /// Says from now on that clients should go elsewhere, but still answers them.
    pub fn drain(&self) {
        self.inner.draining.store(true, Ordering::Relaxed);
    }

    /// Refuses new questions from now on.
    pub fn stop_accepting(&self) {
        self.inner.stopping.store(true, Ordering::Relaxed);
    }

    /// Asks running searches to return the best they have.
    pub fn finish_searches(&self) {
        self.inner.stop.cancel();
    }

    /// Answers a question that arrived at `arrived`.
    ///
    /// # Errors
    /// Says why there is no answer.
    pub async fn best_move(
        &self,
        mut question: Question,
        arrived: Instant,
    ) -> Result<Answer, Failure> {
        if self.inner.stopping.load(Ordering::Relaxed) {
            return Err(Failure::ShuttingDown);
        }
        let plan = self.catalog.plan(&question, &self.config.allowance, arrived);
        let plan = plan.map_err(Failure::Refused)?;
        // Who asks does not matter to what is searched.
        let id = question.id.take();
        let key = serde_json::to_string(&question).expect("a question can be written again");
        let kind = (question.game, plan.algorithm, plan.expected.as_millis().max(1).ilog2());
        let inner = Arc::clone(&self.inner);
        let answer = self.flights.join(key, move || fly(inner, plan, kind, arrived)).await?;
        Ok(Answer { id, ..Answer::clone(&answer) })
    }
}

impl Inner {
    /// Answers at once, on the thread that reads requests, what is known to be trivial. A search that
    /// turns out longer is broken off and becomes one like all others.
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
        let in_time = answer.stats.stopped_by != "time";
        self.slots.learn(kind.clone(), if in_time { started.elapsed() } else { plan.expected });
        in_time.then_some(answer)
    }
}

/// The longest that a search may hold up the thread that reads requests.
const PATIENCE: Duration = Duration::from_micros(200);

/// Waits for a slot and searches on the blocking pool. The slot goes with the search: it is free
/// again when the search has ended, not when the client has left.
async fn fly(
    inner: Arc<Inner>,
    plan: Plan,
    kind: CostKey,
    arrived: Instant,
) -> Result<Arc<Answer>, Failure> {
    if let Some(answer) = inner.at_once(&plan, &kind, arrived) {
        return Ok(Arc::new(answer));
    }
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

/// Makes this thread yield to those that answer probes. Once is enough for a thread.
fn lower_priority(nice: i32) {
    thread_local! {
        static DONE: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
    }
    if nice == 0 || DONE.replace(true) {
        return;
    }
    // On Linux this call is about the calling thread.
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
