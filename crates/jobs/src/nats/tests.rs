use super::*;
use crate::queue::{IdempotencyKey, JobState};
use crate::tests::{LIMITS, job};

#[path = "../../../../tests/support/nats.rs"]
mod server;

use server::NatsServer;

/// A server and its queue.
pub(crate) struct Server(NatsServer);

impl Server {
    pub(crate) fn start() -> Self {
        Self(NatsServer::start())
    }

    fn place(&self, lease: Duration, knows: Knows) -> JetStreamPlace {
        JetStreamPlace {
            servers: self.0.url(),
            name: "test".into(),
            replicas: 1,
            bytes: 64 << 20,
            lease,
            knows,
        }
    }

    pub(crate) async fn open(&self, limits: QueueLimits, lease: Duration) -> JetStream {
        let place = self.place(lease, Knows::Everything);
        JetStream::open(place, limits).await.expect("the server runs")
    }
}

const LEASE: Duration = Duration::from_secs(3_600);

async fn taken(queue: &JetStream, new: NewJob) -> JobId {
    match queue.enqueue(new).await {
        Ok(Enqueued::New(status)) => status.id,
        other => panic!("{other:?}"),
    }
}

/// Claims as soon as there is something.
async fn claim(queue: &JetStream) -> Claim {
    loop {
        // A server that has just started has no consumers for a moment.
        if let Ok(Some(claim)) = queue.claim(LEASE).await {
            return claim;
        }
        tokio::task::yield_now().await;
    }
}

async fn until(queue: &JetStream, job: JobId, state: JobState) -> JobStatus {
    let mut changes = queue.changes();
    loop {
        changes.mark_unchanged();
        match queue.status(job).await.expect("it works") {
            Some(status) if status.state == state => return status,
            _ => changes.changed().await.expect("the queue lives"),
        }
    }
}

#[tokio::test]
async fn processes_share_a_queue_and_each_answers_for_all() {
    let server = Server::start();
    let api = server.open(LIMITS, LEASE).await;
    let place = server.place(LEASE, Knows::Cancelled);
    let worker = JetStream::open(place, LIMITS).await.expect("the server runs");
    let id = taken(&api, job("me", 2)).await;
    for _ in 0..2 {
        let claim = claim(&worker).await;
        for item in claim.items {
            let stored = worker.checkpoint(claim.token, item, ItemOutcome::Done, vec![7; 9]).await;
            assert_eq!(stored, Ok(Hold::Held));
        }
        assert_eq!(worker.complete(claim.token).await, Ok(Hold::Held));
    }
    until(&api, id, JobState::Done).await;
    let later = server.open(LIMITS, LEASE).await;
    let status = later.status(id).await.expect("it works").expect("it has read the log");
    assert_eq!((status.state, status.done), (JobState::Done, 4));
    assert_eq!(later.results(id, 3, 1).await.expect("it works")[0].body, [7; 9]);
    let other = taken(&later, job("me", 1)).await;
    let held = claim(&worker).await.token;
    assert_eq!(worker.extend(held, LEASE).await, Ok(Hold::Held));
    let mut changes = worker.changes();
    changes.mark_unchanged();
    api.cancel(other).await.expect("it works").expect("one tells the other of it");
    changes.changed().await.expect("a worker is told");
    assert_eq!(worker.extend(held, LEASE).await, Ok(Hold::Lost));
}

#[test]
fn what_one_process_has_taken_another_knows_at_once() {
    // A runtime each: one reads nothing while the other takes jobs.
    let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build();
    let (here, there) = (runtime().expect("a runtime"), runtime().expect("a runtime"));
    let server = Server::start();
    let limits = QueueLimits { open_jobs: 3_000, ..LIMITS };
    let one = here.block_on(server.open(limits, LEASE));
    let other = there.block_on(server.open(limits, LEASE));
    let take = |new| here.block_on(taken(&one, new));
    let id = take(job("me", 1));
    assert!(there.block_on(other.status(id)).expect("it works").is_some());
    let id = take(job("me", 1));
    assert!(there.block_on(other.head(id)).expect("it works").is_some());
    let id = take(job("me", 1));
    let cancelled = there.block_on(other.cancel(id)).expect("it works").expect("it is known");
    assert_eq!(cancelled.state, JobState::Cancelled);
    let key = IdempotencyKey { key: "name".into(), digest: vec![1] };
    let named = NewJob { key: Some(key), ..job("you", 1) };
    // So many that the log is not read while the name is asked for.
    for _ in 0..2_000 {
        take(job("they", 0));
    }
    let id = take(named.clone());
    let again = there.block_on(other.enqueue(named));
    assert!(matches!(&again, Ok(Enqueued::Known(known)) if known.id == id), "{again:?}");
    assert_eq!(there.block_on(other.status(JobId::draw())), Ok(None));
}

#[tokio::test]
async fn a_server_that_is_killed_has_lost_nothing() {
    let mut server = Server::start();
    let queue = server.open(LIMITS, LEASE).await;
    let id = taken(&queue, job("me", 2)).await;
    let held = claim(&queue).await;
    let stored = queue.checkpoint(held.token, 0, ItemOutcome::Done, vec![1]).await;
    assert_eq!(stored, Ok(Hold::Held));
    server.0.kill();
    // The claim outlasts the server: its lease has not ended.
    let store = || queue.checkpoint(held.token, 1, ItemOutcome::Done, vec![2]);
    while store().await != Ok(Hold::Held) {}
    while queue.extend(held.token, LEASE).await != Ok(Hold::Held) {}
    assert_eq!(queue.complete(held.token).await, Ok(Hold::Held));
    let rest = claim(&queue).await;
    assert_eq!(rest.items, [2, 3]);
    for item in rest.items {
        let stored = queue.checkpoint(rest.token, item, ItemOutcome::Done, vec![3]).await;
        assert_eq!(stored, Ok(Hold::Held));
    }
    let status = until(&queue, id, JobState::Done).await;
    assert_eq!(status.done, 4);
    let results = queue.results(id, 0, 9).await.expect("it works");
    assert_eq!(results.iter().map(|one| one.body[0]).collect::<Vec<_>>(), [1, 2, 3, 3]);
}

#[tokio::test]
async fn a_claim_that_is_extended_outlasts_its_lease() {
    let server = Server::start();
    let lease = Duration::from_secs(1);
    let queue = server.open(LIMITS, lease).await;
    taken(&queue, job("me", 1)).await;
    let token = claim(&queue).await.token;
    let begun = std::time::Instant::now();
    while begun.elapsed() < 5 * lease / 2 {
        assert_eq!(queue.extend(token, lease).await, Ok(Hold::Held));
        assert_eq!(queue.claim(lease).await.map(|claim| claim.is_none()), Ok(true));
    }
    let again = claim(&queue).await;
    assert_eq!(again.tries, 2, "at last it has ended");
}

#[tokio::test]
async fn half_a_job_is_not_seen_and_is_taken_whole_when_it_comes_again() {
    let server = Server::start();
    let queue = server.open(LIMITS, LEASE).await;
    let key = IdempotencyKey { key: "k".into(), digest: vec![1] };
    let new = || NewJob { key: Some(key.clone()), ..job("me", 2) };
    // What a process has written that died before the record.
    let subject = queue.subjects.key("me", "k");
    let Ok(Named::New(id)) = queue.named(&subject, &key, "test").await else { panic!("a name") };
    let half = NewJob { pieces: new().pieces[..1].to_vec(), ..new() };
    queue.publish_pieces(id, &half).await.expect("it works");
    assert_eq!(queue.status(id).await, Ok(None));
    assert_eq!(taken(&queue, new()).await, id);
    let mut ended = Vec::new();
    while queue.status(id).await.expect("it works").expect("known").state != JobState::Done {
        let Some(claim) = queue.claim(LEASE).await.expect("it works") else { continue };
        for item in claim.items {
            let body = vec![item as u8];
            let stored = queue.checkpoint(claim.token, item, ItemOutcome::Done, body).await;
            assert_eq!(stored, Ok(Hold::Held));
            ended.push(item);
        }
        let _ = queue.complete(claim.token).await.expect("it works");
    }
    let results = queue.results(id, 0, 9).await.expect("it works");
    assert_eq!(results.iter().map(|one| (one.event, one.item)).collect::<Vec<_>>().len(), 4);
    assert!(ended.len() <= 6, "a piece that was published twice is searched twice at most");
    assert!(
        (1..).zip(queue.events(id, 0, 9).await.expect("it works")).all(|(n, one)| one.event == n)
    );
}

#[tokio::test]
async fn what_does_not_fit_is_refused() {
    let server = Server::start();
    let place = JetStreamPlace { bytes: 20_000, ..server.place(LEASE, Knows::Everything) };
    let queue = JetStream::open(place, LIMITS).await.expect("the server runs");
    let mut large = job("me", 1);
    // Nothing that deflating makes smaller.
    let mut noise = 1_u32;
    let mut byte = || {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (noise >> 24) as u8
    };
    large.pieces[0].payload = (0..40_000).map(|_| byte()).collect();
    assert_eq!(queue.enqueue(large).await, Err(QueueError::Full));
    taken(&queue, job("me", 1)).await;
    let none = JetStreamPlace {
        servers: "nats://127.0.0.1:1".into(),
        ..server.place(LEASE, Knows::Everything)
    };
    assert!(matches!(JetStream::open(none, LIMITS).await.err(), Some(QueueError::Broken(_))));
}

#[tokio::test]
async fn of_two_results_of_an_item_the_first_counts() {
    let server = Server::start();
    let queue = server.open(LIMITS, LEASE).await;
    let id = taken(&queue, job("me", 1)).await;
    // What workers write that hold copies of a piece: after a lost answer it was published again.
    let outcome = ItemOutcome::Done.into();
    for (item, body) in [(0, b"first"), (0, b"other"), (1, b"third")] {
        let event = LogEvent::Ended { item, outcome };
        let body = Deflated::of(body).0;
        queue.append(queue.subjects.piece_log(id, 0), &event, body).await.expect("it works");
    }
    assert_eq!(until(&queue, id, JobState::Done).await.done, 2);
    let results = queue.results(id, 0, 9).await.expect("it works");
    let found: Vec<_> = results.iter().map(|one| (one.event, &one.body[..])).collect();
    assert_eq!(found, [(1, &b"first"[..]), (2, b"third")]);
}
