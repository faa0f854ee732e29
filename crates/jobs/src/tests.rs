//! What every queue promises, asked of each of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use crate::answers::{AnswerStore, KnownAnswer};
use crate::queue::{
    Backlog, Claim, Enqueued, Hold, IdempotencyKey, ItemOutcome, JobFilter, JobId, JobQueue,
    JobState, NewJob, NewPiece, QueueLimits, Token,
};
use crate::{Embedded, Store};

/// Longer than any test.
const LEASE: Duration = Duration::from_secs(3_600);
/// Ends in a moment.
const SHORT: Duration = Duration::from_millis(50);
/// Longest time until a change is told.
const PATIENCE: Duration = Duration::from_secs(60);
pub(crate) const LIMITS: QueueLimits =
    QueueLimits { open_jobs: 3, tries: 2, keep: Duration::from_secs(3_600) };

/// Who keeps a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Engine {
    Embedded,
    #[cfg(feature = "nats")]
    Nats,
}

/// A queue, and its server where it has one.
struct Rig {
    queue: Arc<dyn JobQueue>,
    answers: Arc<dyn AnswerStore>,
    lease: Duration,
    #[cfg(feature = "nats")]
    _server: Option<crate::nats::tests::Server>,
}

impl Rig {
    async fn open(engine: Engine, limits: QueueLimits, lease: Duration) -> Self {
        match engine {
            Engine::Embedded => {
                let queue = Embedded::open(Store::Memory(64 << 20), limits).await;
                let queue = Arc::new(queue.expect("memory"));
                Self {
                    queue: queue.clone(),
                    answers: queue,
                    lease,
                    #[cfg(feature = "nats")]
                    _server: None,
                }
            }
            #[cfg(feature = "nats")]
            Engine::Nats => {
                let server = crate::nats::tests::Server::start();
                let queue = Arc::new(server.open(limits, lease).await);
                Self { queue: queue.clone(), answers: queue, lease, _server: Some(server) }
            }
        }
    }

    async fn enqueue(&self, job: NewJob) -> JobId {
        match self.queue.enqueue(job).await {
            Ok(Enqueued::New(status)) => status.id,
            other => panic!("{other:?}"),
        }
    }

    async fn try_claim(&self) -> Option<Claim> {
        self.queue.claim(self.lease).await.expect("it works")
    }

    /// The next piece as soon as there is one.
    async fn claim(&self) -> Claim {
        let claimed = async {
            loop {
                if let Some(claim) = self.try_claim().await {
                    return claim;
                }
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(PATIENCE, claimed).await.expect("there is something to do")
    }

    async fn store(&self, token: Token, item: u32) -> Hold {
        let body = vec![item as u8];
        self.queue.checkpoint(token, item, ItemOutcome::Done, body).await.expect("it works")
    }

    /// Waits until a job is in this state, with so many items done and failed.
    async fn expect(&self, job: JobId, expected: (JobState, u32, u32)) {
        let mut changes = self.queue.changes();
        loop {
            changes.mark_unchanged();
            let status = self.queue.status(job).await.expect("it works").expect("it is known");
            let found = (status.state, status.done, status.failed);
            if found == expected {
                return;
            }
            let told = tokio::time::timeout(PATIENCE, changes.changed()).await;
            assert!(told.is_ok(), "{found:?} is not {expected:?}");
        }
    }
}

/// A job of pieces of two items each.
pub(crate) fn job(owner: &str, pieces: u32) -> NewJob {
    let piece = |n: u32| NewPiece { items: vec![2 * n, 2 * n + 1], payload: vec![n as u8] };
    NewJob {
        owner: owner.into(),
        kind: "test".into(),
        head: b"head".to_vec(),
        key: None,
        pieces: (0..pieces).map(piece).collect(),
    }
}

/// A test of each engine for each promise.
macro_rules! promises {
    ($($promise:ident),+ $(,)?) => {
        mod embedded {
            $(#[tokio::test]
            async fn $promise() {
                super::$promise(super::Engine::Embedded).await;
            })+
        }
        #[cfg(feature = "nats")]
        mod nats {
            $(#[tokio::test]
            async fn $promise() {
                super::$promise(super::Engine::Nats).await;
            })+
        }
    };
}

promises!(
    a_job_goes_from_waiting_to_done_and_its_results_come_in_order,
    who_has_lost_the_lease_stores_nothing_and_a_result_is_stored_once,
    an_item_that_ends_its_workers_is_abandoned_and_no_other,
    a_piece_that_is_given_back_waits_again_and_has_lost_no_try,
    no_piece_of_a_cancelled_job_starts_and_held_ones_are_lost,
    a_job_without_items_is_done,
    a_job_keeps_its_head_and_its_end,
    jobs_are_listed_by_owner_state_and_kind,
    owners_take_turns_and_their_jobs_go_in_order,
    the_same_name_with_the_same_body_is_the_same_job,
    what_is_over_is_forgotten_in_time_and_nothing_else,
    whatever_workers_do_every_item_ends_once,
    more_knowledge_replaces_less,
);

async fn a_job_goes_from_waiting_to_done_and_its_results_come_in_order(engine: Engine) {
    let rig = Rig::open(engine, LIMITS, LEASE).await;
    let id = rig.enqueue(job("me", 2)).await;
    rig.expect(id, (JobState::Waiting, 0, 0)).await;
    let (first, second) = (rig.claim().await, rig.claim().await);
    assert_eq!((first.payload, first.items, first.tries), (vec![0], vec![0, 1], 1));
    assert!(rig.try_claim().await.is_none());
    rig.expect(id, (JobState::Running, 0, 0)).await;
    for (token, item) in [(second.token, 3), (first.token, 0), (second.token, 2)] {
        assert_eq!(rig.store(token, item).await, Hold::Held);
    }
    let queue = &rig.queue;
    let failed = queue.checkpoint(first.token, 1, ItemOutcome::Failed, b"why".to_vec()).await;
    assert_eq!(failed, Ok(Hold::Held));
    rig.expect(id, (JobState::Done, 3, 1)).await;
    assert_eq!(queue.complete(first.token).await, Ok(Hold::Held));
    assert_eq!(queue.complete(first.token).await, Ok(Hold::Lost));
    let events = queue.events(id, 1, 2).await.expect("it works");
    let told = events.iter().map(|one| (one.event, one.item)).collect::<Vec<_>>();
    assert_eq!(told, [(2, 0), (3, 2)]);
    let results = queue.results(id, 1, 9).await.expect("it works");
    assert_eq!(results.iter().map(|one| one.item).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!((results[0].outcome, &results[0].body[..]), (ItemOutcome::Failed, &b"why"[..]));
}

async fn a_job_keeps_its_head_and_its_end(engine: Engine) {
    let rig = Rig::open(engine, LIMITS, LEASE).await;
    let id = rig.enqueue(job("me", 0)).await;
    assert_eq!(rig.queue.head(id).await, Ok(Some(b"head".to_vec())));
    assert_eq!(rig.queue.head(JobId::draw()).await, Ok(None));
    let cancelled = rig.queue.cancel(id).await.expect("it works").expect("it is known");
    assert_eq!(cancelled.state, JobState::Done, "what is over stays as it is");
}

async fn who_has_lost_the_lease_stores_nothing_and_a_result_is_stored_once(engine: Engine) {
    let rig = Rig::open(engine, LIMITS, SHORT).await;
    let queue = &rig.queue;
    let id = rig.enqueue(job("me", 1)).await;
    let late = rig.claim().await.token;
    assert_eq!(rig.store(late, 0).await, Hold::Held, "nobody else has it yet");
    let next = rig.claim().await;
    assert_eq!((&next.done[..], next.tries), (&[0][..], 1), "there was progress");
    assert_eq!(rig.store(late, 1).await, Hold::Lost);
    assert_eq!(queue.extend(late, LEASE).await, Ok(Hold::Lost));
    assert_eq!(queue.complete(late).await, Ok(Hold::Lost));
    assert_eq!(queue.release(late).await, Ok(Hold::Lost));
    let again = queue.checkpoint(next.token, 0, ItemOutcome::Done, b"other".to_vec()).await;
    assert_eq!(again, Ok(Hold::Held));
    rig.expect(id, (JobState::Running, 1, 0)).await;
    assert_eq!(queue.results(id, 0, 1).await.expect("it works")[0].body, [0], "the first one");
    let foreign = Token { job: JobId::draw(), ..next.token };
    assert_eq!(rig.store(foreign, 1).await, Hold::Lost);
}

async fn an_item_that_ends_its_workers_is_abandoned_and_no_other(engine: Engine) {
    let rig = Rig::open(engine, LIMITS, SHORT).await;
    let id = rig.enqueue(job("me", 1)).await;
    let mut deaths = Vec::new();
    for n in 0..3 {
        let dying = rig.claim().await;
        deaths.push((dying.tries, dying.done.len()));
        if n == 0 {
            assert_eq!(rig.store(dying.token, 0).await, Hold::Held);
        }
    }
    // The first delivery got somewhere.
    assert_eq!(deaths, [(1, 0), (1, 1), (2, 1)]);
    // Where there is nothing left to do but to say so, nobody has to search it.
    let over = async {
        while rig.queue.status(id).await.expect("it works").expect("known").failed == 0 {
            if let Some(claim) = rig.try_claim().await {
                assert_eq!(claim.done, claim.items);
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, over).await.expect("it is abandoned");
    rig.expect(id, (JobState::Done, 1, 1)).await;
    let results = rig.queue.results(id, 0, 9).await.expect("it works");
    let outcomes = results.iter().map(|one| one.outcome).collect::<Vec<_>>();
    assert_eq!(outcomes, [ItemOutcome::Done, ItemOutcome::Abandoned]);
}

async fn a_piece_that_is_given_back_waits_again_and_has_lost_no_try(engine: Engine) {
    let rig = Rig::open(engine, LIMITS, LEASE).await;
    rig.enqueue(job("me", 1)).await;
    for _ in 0..5 {
        let claim = rig.claim().await;
        assert_eq!(claim.tries, 1);
        assert_eq!(rig.queue.release(claim.token).await, Ok(Hold::Held));
        assert_eq!(rig.store(claim.token, 0).await, Hold::Lost);
    }
    let waits = async {
        loop {
            let backlog = rig.queue.backlog().await.expect("it works");
            // A server may count it as held until somebody asks for it.
            let is_older = engine != Engine::Embedded || backlog.oldest > Duration::ZERO;
            if backlog.waiting + backlog.held == 1 && is_older {
                return;
            }
        }
    };
    tokio::time::timeout(PATIENCE, waits).await.expect("it waits, longer and longer");
    rig.claim().await;
    let backlog = rig.queue.backlog().await;
    assert_eq!(backlog, Ok(Backlog { waiting: 0, held: 1, oldest: Duration::ZERO }));
}

async fn no_piece_of_a_cancelled_job_starts_and_held_ones_are_lost(engine: Engine) {
    let rig = Rig::open(engine, LIMITS, LEASE).await;
    let queue = &rig.queue;
    let id = rig.enqueue(job("me", 2)).await;
    let held = rig.claim().await.token;
    rig.expect(id, (JobState::Running, 0, 0)).await;
    let mut changes = queue.changes();
    changes.mark_unchanged();
    let cancelled = queue.cancel(id).await.expect("it works").expect("it is known");
    assert_eq!(cancelled.state, JobState::Cancelled);
    assert!(changes.has_changed().expect("the queue lives"));
    assert!(rig.try_claim().await.is_none());
    assert_eq!(queue.extend(held, LEASE).await, Ok(Hold::Lost));
    assert_eq!(rig.store(held, 0).await, Hold::Lost);
    rig.expect(id, (JobState::Cancelled, 0, 0)).await;
    assert_eq!(queue.cancel(JobId::draw()).await, Ok(None));
}

async fn a_job_without_items_is_done(engine: Engine) {
    let rig = Rig::open(engine, LIMITS, LEASE).await;
    let id = rig.enqueue(job("me", 0)).await;
    rig.expect(id, (JobState::Done, 0, 0)).await;
    assert!(rig.try_claim().await.is_none());
}

async fn owners_take_turns_and_their_jobs_go_in_order(engine: Engine) {
    let rig = Rig::open(engine, LIMITS, LEASE).await;
    let mut names = BTreeMap::new();
    for (owner, name) in [("a", "1"), ("a", "2"), ("b", "b")] {
        names.insert(rig.enqueue(job(owner, 2)).await.to_string(), name);
    }
    let mut order = String::new();
    for n in 0..8 {
        if n == 3 {
            let later = rig.enqueue(job("a", 2)).await;
            names.insert(later.to_string(), "3");
        }
        order += names[&rig.claim().await.token.job.to_string()];
        // Turns are told apart by the microsecond.
        let then = std::time::Instant::now();
        while then.elapsed() < Duration::from_millis(1) {
            tokio::task::yield_now().await;
        }
    }
    let turns = ["1b1b2233", "b1b12233"];
    assert!(turns.contains(&&*order), "{order}: a job more is no turn more");
}

async fn the_same_name_with_the_same_body_is_the_same_job(engine: Engine) {
    let rig = Rig::open(engine, LIMITS, LEASE).await;
    let queue = &rig.queue;
    let named = |owner: &str, key: &str, digest: u8| {
        let key = Some(IdempotencyKey { key: key.into(), digest: vec![digest] });
        NewJob { key, ..job(owner, 1) }
    };
    let id = rig.enqueue(named("me", "k", 1)).await;
    let again = queue.enqueue(named("me", "k", 1)).await;
    assert!(matches!(&again, Ok(Enqueued::Known(status)) if status.id == id), "{again:?}");
    assert_eq!(queue.enqueue(named("me", "k", 2)).await, Ok(Enqueued::KeyReused));
    assert_ne!(rig.enqueue(named("other", "k", 2)).await, id, "names are each owner's own");
    rig.enqueue(named("me", "l", 1)).await;
    let third = rig.enqueue(job("me", 1)).await;
    assert_eq!(queue.enqueue(job("me", 1)).await, Ok(Enqueued::TooMany));
    queue.cancel(third).await.expect("it works");
    rig.enqueue(job("me", 1)).await;
}

async fn jobs_are_listed_by_owner_state_and_kind(engine: Engine) {
    let rig = Rig::open(engine, LIMITS, LEASE).await;
    let queue = &rig.queue;
    let first = rig.enqueue(job("me", 1)).await;
    let second = rig.enqueue(job("me", 1)).await;
    let third = rig.enqueue(job("me", 1)).await;
    let others = rig.enqueue(job("other", 1)).await;
    queue.cancel(others).await.expect("it works");
    queue.cancel(second).await.expect("it works");
    let begun = rig.claim().await.token.job;
    rig.expect(begun, (JobState::Running, 0, 0)).await;
    assert_eq!(begun, first);
    let all = JobFilter { owner: "me".into(), state: None, kind: None, limit: 9 };
    let expected = [
        (all.clone(), vec![third, second, first]),
        (JobFilter { limit: 2, ..all.clone() }, vec![third, second]),
        (JobFilter { state: Some(JobState::Cancelled), ..all.clone() }, vec![second]),
        (JobFilter { state: Some(JobState::Running), ..all.clone() }, vec![first]),
        (JobFilter { state: Some(JobState::Waiting), ..all.clone() }, vec![third]),
        (JobFilter { kind: Some("other".into()), ..all }, vec![]),
    ];
    for (filter, ids) in expected {
        let listed = queue.list(filter.clone()).await.expect("it works");
        let listed = listed.iter().map(|status| status.id).collect::<Vec<_>>();
        assert_eq!(listed, ids, "{filter:?}");
    }
}

async fn what_is_over_is_forgotten_in_time_and_nothing_else(engine: Engine) {
    let limits = QueueLimits { keep: Duration::ZERO, ..LIMITS };
    let rig = Rig::open(engine, limits, LEASE).await;
    let queue = &rig.queue;
    let key = || Some(IdempotencyKey { key: "k".into(), digest: vec![1] });
    let open = rig.enqueue(job("me", 1)).await;
    let over = rig.enqueue(NewJob { key: key(), ..job("me", 1) }).await;
    queue.cancel(over).await.expect("it works");
    let forgotten = async {
        while queue.status(over).await.expect("it works").is_some() {
            queue.expire().await.expect("it works");
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, forgotten).await.expect("it is forgotten");
    assert!(queue.status(open).await.expect("it works").is_some());
    assert_ne!(rig.enqueue(NewJob { key: key(), ..job("me", 1) }).await, over, "its name is free");
}

/// A random number below `end` (SplitMix64).
fn below(state: &mut u64, end: u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (mixed ^ (mixed >> 27)) % end
}

/// Does what is left to do, until these jobs are over.
async fn finish(rig: &Rig, jobs: &BTreeSet<String>) {
    for id in jobs {
        let id: JobId = id.parse().expect("an id");
        while !rig.queue.status(id).await.expect("it works").expect("known").state.is_over() {
            let Some(claim) = rig.try_claim().await else {
                tokio::task::yield_now().await;
                continue;
            };
            // A lease may end at any time.
            let mut hold = Hold::Held;
            for &item in &claim.items {
                if hold == Hold::Held {
                    hold = rig.store(claim.token, item).await;
                }
            }
            if hold == Hold::Held {
                let _ = rig.queue.complete(claim.token).await.expect("it works");
            }
        }
    }
}

async fn whatever_workers_do_every_item_ends_once(engine: Engine) {
    let (seeds, steps) = if engine == Engine::Embedded { (20, 2_000) } else { (4, 500) };
    for seed in 0..seeds {
        let mut random = seed;
        let limits = QueueLimits { tries: 1_000, ..LIMITS };
        let rig = Rig::open(engine, limits, Duration::from_millis(2)).await;
        let queue = &rig.queue;
        let mut open = BTreeSet::new();
        for pieces in [1, 7, 4] {
            open.insert(rig.enqueue(job("me", pieces)).await.to_string());
        }
        let mut claims: Vec<Claim> = Vec::new();
        for _ in 0..steps {
            match below(&mut random, 12) {
                0..3 => claims.extend(rig.try_claim().await),
                _ if claims.is_empty() => {}
                what => {
                    let place = below(&mut random, claims.len() as u64) as usize;
                    let (token, items) = (claims[place].token, &claims[place].items);
                    let item = items[below(&mut random, 2) as usize];
                    let hold = match what {
                        3 => queue.extend(token, rig.lease).await.expect("it works"),
                        4 => queue.release(token).await.expect("it works"),
                        // A worker dies: nobody knows.
                        5 => Hold::Lost,
                        _ => rig.store(token, item).await,
                    };
                    if hold == Hold::Lost || what == 4 {
                        claims.remove(place);
                    }
                }
            }
        }
        // What is left is done by a worker without bad luck.
        for claim in claims {
            let _ = queue.release(claim.token).await.expect("it works");
        }
        finish(&rig, &open).await;
        let filter = JobFilter { owner: "me".into(), state: None, kind: None, limit: 9 };
        for status in queue.list(filter).await.expect("it works") {
            assert_eq!((status.state, status.done), (JobState::Done, status.items), "seed {seed}");
            let events = queue.events(status.id, 0, 99).await.expect("it works");
            assert!((1..).zip(&events).all(|(number, one)| one.event == number));
            assert_eq!(events.len() as u32, status.items);
            assert!(events.iter().all(|one| one.body == [one.item as u8]));
        }
    }
}

async fn more_knowledge_replaces_less(engine: Engine) {
    let rig = Rig::open(engine, LIMITS, LEASE).await;
    let (key, other) = ([1; 32], [2; 32]);
    assert_eq!(rig.answers.known(key).await, Ok(None));
    let answer = |rank: u64| KnownAnswer { rank, body: vec![rank as u8; 100] };
    for (learned, known) in [(5, 5), (3, 5), (5, 5), (8, 8)] {
        assert_eq!(rig.answers.learn(key, answer(learned)).await, Ok(()));
        assert_eq!(rig.answers.known(key).await, Ok(Some(answer(known))));
    }
    assert_eq!(rig.answers.known(other).await, Ok(None));
}
