use std::collections::BTreeMap;

use super::*;
use crate::queue::JobState;
use crate::tests::{LIMITS, job};

const LEASE: Duration = Duration::from_secs(3_600);
/// Ends before anything else can happen.
const NO_LEASE: Duration = Duration::ZERO;

async fn queue() -> Embedded {
    Embedded::open(Store::Memory(64 << 20), LIMITS).await.expect("memory")
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
async fn a_lease_that_is_extended_does_not_end() {
    let queue = queue().await;
    enqueue(&queue, job("me", 1)).await;
    let token = claim(&queue, NO_LEASE).await.token;
    assert_eq!(queue.extend(token, LEASE).await, Ok(Hold::Held));
    next_millisecond().await;
    assert!(queue.claim(LEASE).await.expect("it works").is_none());
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
