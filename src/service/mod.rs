//! Runs searches for clients: admission, shared memory and cancellation.

mod client;
mod costs;
mod flights;
mod games;
mod known;
mod pool;
mod queue;
mod reading;
mod reviews;
mod searches;
mod slots;
mod waiters;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub use client::{Client, Priority};
pub use queue::{Busy, Load};

use catalog::answer::PositionAnswer;
use catalog::game_files::{FileGames, FileQuestion};
use catalog::question::{PositionQuestion, Question, WholeNumber};
use catalog::{Allowance, Catalog, Refusal};
use costs::{CostKey, Costs};
use engine::SharedTable;
use engine::game::drawn_seed;
use engine::search::Cancel;
use flights::Flights;
pub use games::GameLimits;
pub use known::{KeptAnswers, KnownAnswers};
use pool::lower_priority;
use reading::UnreadQuestion;
pub use reviews::{ReviewNews, SearchTold};
pub use searches::Searched;
use searches::{Inner, fly};
pub use slots::IdleSlot;
use slots::{Slots, Work};
use waiters::{Awaited, Landed, Progress};
pub use waiters::{News, Onlooker, Waiter};

/// Seeds drawn for questions without one. So few that questions about one game often share what the table holds:
/// entries belong to a seed where the evaluation has preferences by it.
const SEEDS: u64 = 16;

/// Time beyond its budget after which work is reported. Not tuned: no search was ever so late.
const OVERDUE: Duration = Duration::from_secs(2);

/// Settings of the service.
#[derive(Clone, Copy, Debug)]
pub struct ServiceConfig {
    /// Concurrent threads of short searches, and again of long ones.
    pub slots: usize,
    /// Longest wait for a slot: a question that would wait longer is refused.
    pub max_wait: Duration,
    /// Longest expected duration of a short search, and the time slice of a long one where clients outnumber slots.
    pub short: Duration,
    /// Part of its budget that a search gets at least when others wait, as a divisor.
    pub shrink: u32,
    /// Entries of the shared transposition table.
    pub table_entries: usize,
    /// Limits of one question.
    pub allowance: Allowance,
    /// Nice value added by search threads to that of the process, so that the server stays responsive.
    pub nice: i32,
}

/// Longer than anybody waits.
const FOREVER: Duration = Duration::from_secs(365 * 24 * 3_600);

impl ServiceConfig {
    /// Settings for tests: so many slots, and no limits.
    #[cfg(test)]
    pub(crate) fn of_a_test(slots: usize) -> Self {
        let (max_wait, short) = (Duration::from_secs(1), Duration::from_secs(1));
        let allowance = Allowance::unlimited();
        Self { slots, max_wait, short, shrink: 1, table_entries: 1_000, allowance, nice: 0 }
    }

    /// Longest wait for a slot.
    const fn patience(&self, priority: Priority) -> Duration {
        match priority {
            Priority::Interactive => self.max_wait,
            Priority::Background => FOREVER,
        }
    }
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
    inner: Arc<Inner>,
    flights: Flights<Landed, Progress>,
    known: Option<KnownAnswers>,
}

/// What is known of a request before its question is read.
#[derive(Clone, Copy, Debug)]
pub struct RequestInfo {
    /// The client.
    pub client: Client,
    /// Time at which the head of the request had been read.
    pub arrived: Instant,
    /// Length of the body in bytes.
    pub bytes: usize,
    /// Longest search that the client may ask for, where its quota says so.
    pub longest: Option<Duration>,
    /// Who goes first.
    pub priority: Priority,
}

impl RequestInfo {
    /// A question of so many bytes that belongs to a job.
    pub fn of_job(bytes: usize, longest: Option<Duration>) -> Self {
        let (client, priority) = (Client::Workers, Priority::Background);
        Self { client, arrived: Instant::now(), bytes, longest, priority }
    }
}

impl Failure {
    /// True if the same question may be answered later.
    pub const fn is_of_the_moment(&self) -> bool {
        matches!(self, Self::Busy(_) | Self::ShuttingDown)
    }
}

impl Service {
    /// A service with these games.
    pub fn new(catalog: Catalog, config: ServiceConfig) -> Self {
        let inner = Inner {
            config,
            slots: Slots::new(config.slots, config.short),
            costs: Costs::default(),
            table: SharedTable::new(config.table_entries),
            prepared: AtomicBool::new(false),
            draining: AtomicBool::new(false),
            stopping: AtomicBool::new(false),
            stop: Cancel::default(),
        };
        let (catalog, inner) = (Arc::new(catalog), Arc::new(inner));
        Self { catalog, inner, flights: Flights::default(), known: None }
    }

    /// The same with answers that are known from earlier questions.
    #[must_use]
    pub fn with_known(self, known: Option<KnownAnswers>) -> Self {
        Self { known, ..self }
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
            lower_priority(inner.config.nice);
            let started = Instant::now();
            catalog.prepare();
            inner.prepared.store(true, Ordering::Relaxed);
            tracing::info!(ms = started.elapsed().as_millis() as u64, "tables are ready");
        };
        std::thread::Builder::new().name("prepare".into()).spawn(work).map(drop)
    }

    /// How much there is of each kind of work.
    pub fn load(&self) -> [(&'static str, Load); 4] {
        let kinds = [
            ("reading", Work::Reading),
            ("short", Work::Short),
            ("long", Work::Long),
            ("background", Work::Background),
        ];
        kinds.map(|(name, work)| (name, self.inner.slots.load(work)))
    }

    /// Waits for an idle slot: there are fewer threads of searches, those of jobs included, than slots.
    pub async fn idle_slot(&self) -> IdleSlot {
        self.inner.slots.idle_slot().await
    }

    /// True if no new questions are answered: searches end before their time.
    pub fn is_stopping(&self) -> bool {
        self.inner.stopping.load(Ordering::Relaxed)
    }

    /// Work in slots that has long outlasted its budget: it does not look at the time any more.
    pub fn overdue(&self) -> usize {
        self.inner.slots.overdue(OVERDUE)
    }

    /// Reports overdue work in the log, each time that there is more or less of it, as long as the service lives.
    ///
    /// # Errors
    /// When the system refuses a thread.
    pub fn watch(self: &Arc<Self>) -> std::io::Result<()> {
        let service = Arc::downgrade(self);
        let watch = move || {
            let mut reported = 0;
            while let Some(service) = service.upgrade() {
                let overdue = service.overdue();
                if overdue > 0 && overdue != reported {
                    tracing::error!(
                        overdue,
                        "slots are held by work that has outlasted its budget"
                    );
                }
                reported = overdue;
                drop(service);
                std::thread::sleep(OVERDUE);
            }
        };
        std::thread::Builder::new().name("watchdog".into()).spawn(watch).map(drop)
    }

    /// Slots of each kind of work.
    pub fn slots(&self) -> u32 {
        self.inner.slots.count()
    }

    /// Longest wait for a slot.
    pub fn max_wait(&self) -> Duration {
        self.inner.config.max_wait
    }

    /// Entries of the shared table.
    pub fn table_entries(&self) -> usize {
        self.inner.table.len()
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

    /// Reads a question, and answers it at once or joins the search for its answer.
    ///
    /// # Errors
    /// When it is wrong, or cannot be read now.
    pub async fn ask(
        &self,
        mut question: Question,
        request: RequestInfo,
    ) -> Result<Waiter, Failure> {
        if self.is_stopping() {
            return Err(Failure::ShuttingDown);
        }
        let asked_seed = question.seed;
        if !question.reproducible {
            question.seed.get_or_insert_with(|| WholeNumber(drawn_seed(SEEDS)));
        }
        let lists = [&question.moves, &question.search_moves, &question.avoid_moves];
        let half = |deadline: WholeNumber| request.arrived + Duration::from_millis(deadline.0) / 2;
        let reading = UnreadQuestion {
            game: question.game.clone(),
            is_light: lists.iter().all(|list| list.is_empty()),
            halfway: question.deadline_ms.map(half),
        };
        let halfway = reading.halfway;
        let allowance = self.inner.config.allowance.for_client(request.longest);
        let work = move |catalog: &Catalog| {
            let plan = catalog.plan(&question, &allowance, request.arrived);
            (question, plan)
        };
        let (mut question, plan) = self.read(reading, request, work).await?;
        let plan = plan.map_err(Failure::Refused)?;
        let depth = question.budget.depth.map(|depth| depth.0);
        let budget = plan.expected.as_millis().max(1).ilog2();
        let key = CostKey::Search(plan.game, plan.algorithm, budget, depth);
        // What a search may remember depends on its time: a reproducible one has all of it.
        if !question.reproducible
            && let Some(searched) = self.inner.at_once(&plan, &key, request)
        {
            return Ok(Waiter { id: None, awaited: Awaited::Now(Box::new(searched)) });
        }
        let lesson = self.known.as_ref().and_then(|known| known.lesson(&question, &plan));
        if let Some(searched) = known::answer(lesson.as_ref(), question.id.as_ref()).await {
            return Ok(Waiter { id: None, awaited: Awaited::Now(Box::new(searched)) });
        }
        // Neither the id of a question nor a seed that it leaves open makes it another one.
        let id = question.id.take();
        question.seed = asked_seed;
        let mut text = serde_json::to_string(&question).expect("a question can be written again");
        if request.priority == Priority::Background {
            // Who waits for an answer does not share a search that gives way to all others.
            text.insert(0, 'b');
        }
        let inner = Arc::clone(&self.inner);
        let fly =
            move |news| known::learning(lesson, fly(inner, plan, key, halfway, request, news));
        Ok(Waiter { id, awaited: Awaited::Flight(self.flights.join(text, fly)) })
    }

    /// Says what the rules say about a position.
    ///
    /// # Errors
    /// The reason for a missing answer.
    pub async fn position(
        &self,
        question: PositionQuestion,
        request: RequestInfo,
    ) -> Result<PositionAnswer, Failure> {
        let (game, is_light) = (question.game.clone(), question.moves.is_empty());
        let reading = UnreadQuestion { game, is_light, halfway: None };
        let work = move |catalog: &Catalog| catalog.position(&question);
        self.read(reading, request, work).await?.map_err(Failure::Refused)
    }

    /// Reads a job, which has many questions.
    ///
    /// # Errors
    /// When it cannot be read now.
    pub async fn read_job<T: Send + 'static>(
        &self,
        request: RequestInfo,
        work: impl FnOnce(&Catalog, &Allowance) -> T + Send + 'static,
    ) -> Result<T, Failure> {
        if self.is_stopping() {
            return Err(Failure::ShuttingDown);
        }
        let allowance = self.inner.config.allowance.for_client(request.longest);
        let work = move |catalog: &Catalog| work(catalog, &allowance);
        self.read(UnreadQuestion::of_any_game(), request, work).await
    }

    /// The games of a file. A text may be of any game: it is never trivial to read.
    ///
    /// # Errors
    /// The reason for a missing answer.
    pub async fn game_files(
        &self,
        question: FileQuestion,
        request: RequestInfo,
    ) -> Result<FileGames, Failure> {
        let work = move |catalog: &Catalog| catalog.game_files(&question);
        self.read(UnreadQuestion::of_any_game(), request, work).await?.map_err(Failure::Refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_is_ready_when_its_tables_are_and_until_it_is_to_end() {
        let config = ServiceConfig::of_a_test(1);
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

    #[tokio::test]
    async fn searches_of_jobs_teach_nothing_about_what_others_cost() {
        let service = Service::new(Catalog::default(), ServiceConfig::of_a_test(1));
        let ask = async |request| {
            let question = Question::about("connect4");
            let waiter =
                service.ask(question, request).await.unwrap_or_else(|why| panic!("{why:?}"));
            waiter.answer().await.expect("an answer");
        };
        ask(RequestInfo::of_job(10, None)).await;
        assert_eq!(service.inner.costs.searches(), 0);
        ask(RequestInfo { priority: Priority::Interactive, ..RequestInfo::of_job(10, None) }).await;
        assert_eq!(service.inner.costs.searches(), 1);
    }
}
