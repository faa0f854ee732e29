use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::queue::{Backlog, IdempotencyKey, JobState, NewPiece};

const LEASE: Duration = Duration::from_secs(3_600);
/// Ends before anything else can happen.
const NO_LEASE: Duration = Duration::ZERO;
const LIMITS: QueueLimits =
    QueueLimits { open_jobs: 3, tries: 2, keep: Duration::from_secs(3_600) };

async fn queue() -> Embedded {
    Embedded::open(Store::Memory(64 << 20), LIMITS).await.expect("memory")
}

/// A job of pieces of two items each.
fn job(owner: &str, pieces: u32) -> NewJob {
    let piece = |n: u32| NewPiece { items: vec![2 * n, 2 * n + 1], payload: vec![n as u8] };
    NewJob {
        owner: owner.into(),
        kind: "test".into(),
        head: b"head".to_vec(),
        key: None,
        pieces: (0..pieces).map(piece).collect(),
    }
}

async fn enqueue(queue: &Embedded, job: NewJob) -> JobId {
    match queue.enqueue(job).await {
        Ok(Enqueued::New(status)) => status.id,
        other => panic!("{other:?}"),
    }
}

async fn claim(queue: &Embedded, lease: Duration) -> Claim {
    queue.claim(lease).await.expect("it works").expect("there is something to do")
}

async fn state(queue: &Embedded, job: JobId) -> (JobState, u32, u32) {
    let status = queue.status(job).await.expect("it works").expect("it is known");
    (status.state, status.done, status.failed)
}

async fn store(queue: &Embedded, token: Token, item: u32) -> Hold {
    queue.checkpoint(token, item, ItemOutcome::Done, vec![item as u8]).await.expect("it works")
}

/// A lease of no time has ended a millisecond later.
async fn next_millisecond() {
    let begun = now_ms();
    while now_ms() == begun {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_job_goes_from_waiting_to_done_and_its_results_come_in_order() {
    let queue = queue().await;
    let id = enqueue(&queue, job("me", 2)).await;
    assert_eq!(state(&queue, id).await, (JobState::Waiting, 0, 0));
    let (first, second) = (claim(&queue, LEASE).await, claim(&queue, LEASE).await);
    assert_eq!((first.payload, &first.items, first.tries), (vec![0], &vec![0, 1], 1));
    assert_eq!(second.items, [2, 3]);
    assert!(queue.claim(LEASE).await.expect("it works").is_none());
    assert_eq!(state(&queue, id).await, (JobState::Running, 0, 0));
    for (token, item) in [(second.token, 3), (first.token, 0), (second.token, 2)] {
        assert_eq!(store(&queue, token, item).await, Hold::Held);
    }
    let failed = queue.checkpoint(first.token, 1, ItemOutcome::Failed, b"why".to_vec()).await;
    assert_eq!(failed, Ok(Hold::Held));
    assert_eq!(state(&queue, id).await, (JobState::Done, 3, 1));
    for token in [first.token, second.token] {
        assert_eq!(queue.complete(token).await, Ok(Hold::Held));
        assert_eq!(queue.complete(token).await, Ok(Hold::Lost));
    }
    let events = queue.events(id, 1, 2).await.expect("it works");
    assert_eq!(
        events.iter().map(|one| (one.event, one.item)).collect::<Vec<_>>(),
        [(2, 0), (3, 2)]
    );
    let results = queue.results(id, 1, 9).await.expect("it works");
    assert_eq!(results.iter().map(|one| one.item).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!((results[0].outcome, &results[0].body[..]), (ItemOutcome::Failed, &b"why"[..]));
    assert_eq!(queue.head(id).await, Ok(Some(b"head".to_vec())));
}

#[tokio::test]
async fn who_has_lost_the_lease_stores_nothing_and_a_result_is_stored_once() {
    let queue = queue().await;
    let id = enqueue(&queue, job("me", 1)).await;
    let late = claim(&queue, NO_LEASE).await.token;
    assert_eq!(store(&queue, late, 0).await, Hold::Held, "nobody else has it yet");
    next_millisecond().await;
    let next = claim(&queue, LEASE).await;
    assert_eq!((&next.done[..], next.tries), (&[0][..], 1), "there was progress");
    assert_eq!(store(&queue, late, 1).await, Hold::Lost);
    assert_eq!(queue.extend(late, LEASE).await, Ok(Hold::Lost));
    assert_eq!(queue.complete(late).await, Ok(Hold::Lost));
    assert_eq!(queue.release(late).await, Ok(Hold::Lost));
    let again = queue.checkpoint(next.token, 0, ItemOutcome::Done, b"other".to_vec()).await;
    assert_eq!(again, Ok(Hold::Held));
    assert_eq!(state(&queue, id).await, (JobState::Running, 1, 0));
    assert_eq!(queue.results(id, 0, 1).await.expect("it works")[0].body, [0], "the first one");
    let foreign = Token { job: JobId::draw(), ..next.token };
    assert_eq!(store(&queue, foreign, 1).await, Hold::Lost);
}

#[tokio::test]
async fn a_lease_that_is_extended_does_not_end() {
    let queue = queue().await;
    enqueue(&queue, job("me", 1)).await;
    let token = claim(&queue, NO_LEASE).await.token;
    assert_eq!(queue.extend(token, LEASE).await, Ok(Hold::Held));
    next_millisecond().await;
    assert!(queue.claim(LEASE).await.expect("it works").is_none());
}

#[tokio::test]
async fn an_item_that_ends_its_workers_is_abandoned_and_no_other() {
    let queue = queue().await;
    let id = enqueue(&queue, job("me", 1)).await;
    let mut deaths = Vec::new();
    while let Some(dying) = queue.claim(NO_LEASE).await.expect("it works") {
        deaths.push((dying.tries, dying.done.len()));
        if deaths.len() == 1 {
            assert_eq!(store(&queue, dying.token, 0).await, Hold::Held);
        }
        next_millisecond().await;
    }
    // The first delivery got somewhere.
    assert_eq!(deaths, [(1, 0), (1, 1), (2, 1)]);
    assert_eq!(state(&queue, id).await, (JobState::Done, 1, 1));
    let results = queue.results(id, 0, 9).await.expect("it works");
    let outcomes = results.iter().map(|one| one.outcome).collect::<Vec<_>>();
    assert_eq!(outcomes, [ItemOutcome::Done, ItemOutcome::Abandoned]);
}

#[tokio::test]
async fn a_piece_that_is_given_back_waits_again_and_has_lost_no_try() {
    let queue = queue().await;
    enqueue(&queue, job("me", 1)).await;
    for _ in 0..5 {
        let claim = claim(&queue, LEASE).await;
        assert_eq!(claim.tries, 1);
        assert_eq!(queue.release(claim.token).await, Ok(Hold::Held));
    }
    let backlog = queue.backlog().await.expect("it works");
    assert_eq!((backlog.waiting, backlog.held), (1, 0));
    next_millisecond().await;
    assert!(queue.backlog().await.expect("it works").oldest > Duration::ZERO);
    claim(&queue, LEASE).await;
    let backlog = queue.backlog().await;
    assert_eq!(backlog, Ok(Backlog { waiting: 0, held: 1, oldest: Duration::ZERO }));
}

#[tokio::test]
async fn no_piece_of_a_cancelled_job_starts_and_held_ones_are_lost() {
    let queue = queue().await;
    let id = enqueue(&queue, job("me", 2)).await;
    let held = claim(&queue, LEASE).await.token;
    let mut changes = queue.changes();
    changes.mark_unchanged();
    let cancelled = queue.cancel(id).await.expect("it works").expect("it is known");
    assert_eq!(cancelled.state, JobState::Cancelled);
    assert!(changes.has_changed().expect("the queue lives"));
    assert!(queue.claim(LEASE).await.expect("it works").is_none());
    assert_eq!(queue.extend(held, LEASE).await, Ok(Hold::Lost));
    assert_eq!(store(&queue, held, 0).await, Hold::Lost);
    assert_eq!(state(&queue, id).await, (JobState::Cancelled, 0, 0));
    assert_eq!(queue.cancel(JobId::draw()).await, Ok(None));
}

#[tokio::test]
async fn results_are_stored_short_and_read_whole() {
    let queue = Embedded::open(Store::Memory(1 << 20), LIMITS).await.expect("memory");
    let id = enqueue(&queue, job("me", 50)).await;
    let body = b"{\"move\":\"h8\",\"score\":{\"kind\":\"heuristic\",\"value\":1}}".repeat(1_000);
    while let Some(claim) = queue.claim(LEASE).await.expect("it works") {
        for item in claim.items {
            let stored = queue.checkpoint(claim.token, item, ItemOutcome::Done, body.clone()).await;
            assert_eq!(stored, Ok(Hold::Held), "five megabytes in one");
        }
    }
    assert!(queue.results(id, 99, 1).await.expect("it works")[0].body == body);
}

#[tokio::test]
async fn a_damaged_result_is_an_error_and_not_an_empty_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("jobs.sqlite");
    let queue = Embedded::open(Store::File(path.clone(), 1 << 20), LIMITS).await.expect("a file");
    let id = enqueue(&queue, job("me", 1)).await;
    let token = claim(&queue, LEASE).await.token;
    let body = b"{\"move\":\"h8\"}".to_vec();
    assert_eq!(queue.checkpoint(token, 0, ItemOutcome::Done, body).await, Ok(Hold::Held));
    let file = tokio_rusqlite::rusqlite::Connection::open(path).expect("it is a database");
    file.execute("UPDATE result SET body = x'ff00ff'", []).expect("it can be written");
    assert!(matches!(queue.results(id, 0, 9).await, Err(QueueError::Broken(_))));
}

#[tokio::test]
async fn owners_take_turns_and_their_jobs_go_in_order() {
    let queue = queue().await;
    let mut names = BTreeMap::new();
    for (owner, name) in [("a", "1"), ("a", "2"), ("b", "b")] {
        names.insert(enqueue(&queue, job(owner, 2)).await.to_string(), name);
    }
    let mut order = String::new();
    for n in 0..8 {
        if n == 3 {
            let later = enqueue(&queue, job("a", 2)).await;
            names.insert(later.to_string(), "3");
        }
        order += names[&claim(&queue, LEASE).await.token.job.to_string()];
        next_millisecond().await;
    }
    assert_eq!(order, "1b1b2233", "a job more is no turn more");
}

#[tokio::test]
async fn jobs_take_turns() {
    let queue = queue().await;
    let mut names = BTreeMap::new();
    for name in ["a", "b"] {
        names.insert(enqueue(&queue, job(name, 4)).await.to_string(), name);
    }
    let mut order = String::new();
    for n in 0..6 {
        if n == 3 {
            names.insert(enqueue(&queue, job("late", 1)).await.to_string(), "l");
        }
        order += names[&claim(&queue, LEASE).await.token.job.to_string()];
        // Turns are told apart by the microsecond.
        next_millisecond().await;
    }
    assert_eq!(order, "abalba");
}

#[tokio::test]
async fn the_same_name_with_the_same_body_is_the_same_job() {
    let queue = queue().await;
    let named = |owner: &str, key: &str, digest: u8| {
        let key = Some(IdempotencyKey { key: key.into(), digest: vec![digest] });
        NewJob { key, ..job(owner, 1) }
    };
    let id = enqueue(&queue, named("me", "k", 1)).await;
    let again = queue.enqueue(named("me", "k", 1)).await;
    assert!(matches!(&again, Ok(Enqueued::Known(status)) if status.id == id), "{again:?}");
    assert_eq!(queue.enqueue(named("me", "k", 2)).await, Ok(Enqueued::KeyReused));
    assert_ne!(enqueue(&queue, named("other", "k", 2)).await, id, "names are each owner's own");
    enqueue(&queue, named("me", "l", 1)).await;
    let third = enqueue(&queue, job("me", 1)).await;
    assert_eq!(queue.enqueue(job("me", 1)).await, Ok(Enqueued::TooMany));
    queue.cancel(third).await.expect("it works");
    enqueue(&queue, job("me", 1)).await;
    let filter = JobFilter { owner: "me".into(), state: None, kind: None, limit: 9 };
    let list = |state| queue.list(JobFilter { state, ..filter.clone() });
    assert_eq!(list(None).await.expect("it works").len(), 4);
    assert_eq!(list(Some(JobState::Cancelled)).await.expect("it works")[0].id, third);
    assert_eq!(list(Some(JobState::Waiting)).await.expect("it works").len(), 3);
    claim(&queue, LEASE).await;
    assert_eq!(list(Some(JobState::Running)).await.expect("it works")[0].id, id);
    assert_eq!(list(Some(JobState::Waiting)).await.expect("it works").len(), 2);
}

#[tokio::test]
async fn what_is_over_is_forgotten_in_time_and_nothing_else() {
    let limits = QueueLimits { keep: Duration::ZERO, ..LIMITS };
    let queue = Embedded::open(Store::Memory(64 << 20), limits).await.expect("memory");
    let (open, over) = (enqueue(&queue, job("me", 1)).await, enqueue(&queue, job("me", 1)).await);
    queue.cancel(over).await.expect("it works");
    next_millisecond().await;
    queue.expire().await.expect("it works");
    assert_eq!(queue.status(over).await, Ok(None));
    assert!(queue.status(open).await.expect("it works").is_some());
}

#[tokio::test]
async fn memory_is_bounded() {
    let queue = Embedded::open(Store::Memory(1 << 20), LIMITS).await.expect("memory");
    let mut large = job("me", 1);
    large.pieces[0].payload = vec![0; 2 << 20];
    assert_eq!(queue.enqueue(large).await, Err(QueueError::Full));
    enqueue(&queue, job("me", 1)).await;
}

#[tokio::test]
async fn a_file_is_shared_and_outlasts_its_processes() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = || Store::File(folder.path().join("jobs.sqlite"), 64 << 20);
    let open = || async { Embedded::open(file(), LIMITS).await.expect("a file") };
    let (one, other) = (open().await, open().await);
    let id = enqueue(&one, job("me", 2)).await;
    let mine = claim(&other, LEASE).await;
    assert_ne!(claim(&one, LEASE).await.items, mine.items);
    assert_eq!(store(&other, mine.token, 0).await, Hold::Held);
    let mut changes = one.changes();
    // Until what has happened so far is told.
    while tokio::time::timeout(10 * LOOK, changes.changed()).await.is_ok() {}
    assert_eq!(store(&other, mine.token, 1).await, Hold::Held);
    changes.changed().await.expect("another's change is told");
    drop((one, other));
    assert_eq!(state(&open().await, id).await, (JobState::Running, 2, 0));
    std::fs::write(folder.path().join("other"), vec![b'x'; 4_096]).expect("it can be written");
    let other = Embedded::open(Store::File(folder.path().join("other"), 64 << 20), LIMITS).await;
    assert!(matches!(other.err(), Some(QueueError::Broken(_))));
}

/// A random number below `end` (SplitMix64).
fn below(state: &mut u64, end: u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (mixed ^ (mixed >> 27)) % end
}

/// Does what is left to do, and what leases of up to 5 ms still hold.
async fn finish(queue: &Embedded) {
    let mut idle = 0;
    while idle < 5 {
        let Some(claim) = queue.claim(LEASE).await.expect("it works") else {
            idle += 1;
            next_millisecond().await;
            continue;
        };
        for &item in &claim.items {
            assert_eq!(store(queue, claim.token, item).await, Hold::Held);
        }
        let _ = queue.complete(claim.token).await.expect("it works");
    }
}

#[tokio::test]
async fn whatever_workers_do_every_item_ends_once() {
    for seed in 0..20 {
        let mut random = seed;
        let limits = QueueLimits { tries: 1_000, ..LIMITS };
        let queue = Embedded::open(Store::Memory(64 << 20), limits).await.expect("memory");
        let mut open = BTreeSet::new();
        for pieces in [1, 7, 4] {
            open.insert(enqueue(&queue, job("me", pieces)).await.to_string());
        }
        let mut claims: Vec<Claim> = Vec::new();
        for _ in 0..2_000 {
            let lease = Duration::from_millis(below(&mut random, 3));
            match below(&mut random, 12) {
                0..3 => claims.extend(queue.claim(lease).await.expect("it works")),
                _ if claims.is_empty() => {}
                what => {
                    let place = below(&mut random, claims.len() as u64) as usize;
                    let (token, items) = (claims[place].token, &claims[place].items);
                    let item = items[below(&mut random, 2) as usize];
                    let hold = match what {
                        3 => queue.extend(token, lease).await.expect("it works"),
                        4 => queue.release(token).await.expect("it works"),
                        // A worker dies: nobody knows.
                        5 => Hold::Lost,
                        _ => store(&queue, token, item).await,
                    };
                    if hold == Hold::Lost || what == 4 {
                        claims.remove(place);
                    }
                }
            }
            // A worker that has all results ends its piece.
            for claim in std::mem::take(&mut claims) {
                let stored = queue.results(claim.token.job, claim.items[0], 2).await;
                let stored =
                    stored.expect("it works").iter().map(|one| one.item).collect::<Vec<_>>();
                if stored == claim.items {
                    let _ = queue.complete(claim.token).await.expect("it works");
                } else {
                    claims.push(claim);
                }
            }
        }
        // What is left is done by a worker without bad luck.
        for claim in claims {
            let _ = queue.release(claim.token).await.expect("it works");
        }
        finish(&queue).await;
        let filter = JobFilter { owner: "me".into(), state: None, kind: None, limit: 9 };
        for status in queue.list(filter).await.expect("it works") {
            assert_eq!((status.state, status.done), (JobState::Done, status.items), "seed {seed}");
            let events = queue.events(status.id, 0, 99).await.expect("it works");
            assert!((1..).zip(&events).all(|(number, one)| one.event == number));
            assert_eq!(events.len() as u32, status.items);
        }
        assert_eq!(queue.backlog().await, Ok(Backlog::default()));
    }
}
