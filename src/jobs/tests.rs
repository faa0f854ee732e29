use std::env;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use catalog::Catalog;
use futures_util::StreamExt;
use job_queue::{Embedded, ItemOutcome, NewPiece, QueueLimits, Store};
use serde_json::json;
use tokio::runtime::Runtime;

use super::*;
use crate::service::{Priority, Searched, ServiceConfig};

/// Tells a copy of the test program where the jobs are that it works on.
const PLACE: &str = "BESTMOVE_TEST_JOBS";
/// Deliveries without a result.
const TRIES: u32 = 3;

/// The jobs of a folder, or of a server of NATS.
async fn open(place: &str) -> Jobs {
    #[cfg(feature = "nats")]
    if place.starts_with("nats://") {
        let place = job_queue::JetStreamPlace {
            servers: place.to_owned(),
            name: "test".to_owned(),
            replicas: 1,
            bytes: 64 << 20,
            lease: LEASE,
            knows: job_queue::Knows::Everything,
        };
        let queue = job_queue::JetStream::open(place, limits(TRIES)).await.expect("a server");
        return jobs_of(Arc::new(queue), 2);
    }
    open_in(Store::File(Path::new(place).join("jobs.sqlite"), 64 << 20), TRIES, 2).await
}

const fn limits(tries: u32) -> QueueLimits {
    QueueLimits { open_jobs: 9, tries, keep: Duration::from_secs(3_600) }
}

async fn open_in(store: Store, tries: u32, slots: usize) -> Jobs {
    let queue = Embedded::open(store, limits(tries)).await.expect("a store");
    jobs_of(Arc::new(queue), slots)
}

fn jobs_of(queue: Arc<dyn JobQueue>, slots: usize) -> Jobs {
    let service = Arc::new(Service::new(Catalog::default(), ServiceConfig::of_a_test(slots)));
    Jobs::new(queue, service, 1_000)
}

const MEMORY: Store = Store::Memory(16 << 20);
const LEASE: Duration = Duration::from_millis(300);

/// Takes a job of one piece that is stored as it is.
async fn enqueue(jobs: &Jobs, items: Vec<u32>, payload: Vec<u8>) -> JobStatus {
    let (owner, kind) = ("me".to_owned(), "batch".to_owned());
    let pieces = vec![NewPiece { items, payload }];
    match jobs.queue.enqueue(NewJob { owner, kind, head: Vec::new(), key: None, pieces }).await {
        Ok(Enqueued::New(status)) => status,
        other => panic!("{other:?}"),
    }
}

/// A piece of three questions.
fn payload() -> Vec<u8> {
    let questions = [1, 2, 3].map(|seed| json!({ "game": "nim", "seed": seed }));
    json!({ "questions": questions, "items": [0, 1, 2], "longest": null }).to_string().into_bytes()
}

/// The job when it is over.
async fn ended(jobs: &Jobs, mut status: JobStatus) -> JobStatus {
    let over = async {
        while !status.state.is_over() {
            status = jobs.changed(&status).await.expect("it is known");
        }
        status
    };
    tokio::time::timeout(Duration::from_secs(60), over).await.expect("it ends")
}

/// Takes a batch in which every third question is about a game that ends its process.
async fn create(jobs: &Jobs) -> JobStatus {
    let question = |n: u64| {
        let game = if n % 3 == 1 { POISON } else { "nim" };
        json!({ "game": game, "seed": n })
    };
    let questions: Vec<_> = (0..6).map(question).collect();
    let job = json!({ "kind": "batch", "body": { "questions": questions } }).to_string();
    let job = serde_json::from_str(&job).expect("a job");
    let client = std::net::IpAddr::from([192, 0, 2, 1]).into();
    let (arrived, priority) = (Instant::now(), Priority::Interactive);
    let request = RequestInfo { client, arrived, bytes: 100, longest: None, priority };
    let created = jobs.create(job, None, request).await;
    created.unwrap_or_else(|why| panic!("{why:?}")).status
}

const POISON: &str = "tictactoe";

fn end_the_process(searched: &Searched) {
    if searched.answer.game == POISON {
        std::process::abort();
    }
}

/// Works until all jobs are over.
async fn work(place: &str) {
    let jobs = open(place).await;
    let workers = jobs.work(LEASE, end_the_process);
    let owner = std::net::IpAddr::from([192, 0, 2, 1]).into();
    let status = jobs.list(owner, None, None, 1).await.expect("it works").remove(0);
    ended(&jobs, status).await;
    workers.stop().await;
}

#[test]
fn what_ends_the_process_is_reported_and_nothing_else() {
    if let Ok(place) = env::var(PLACE) {
        return Runtime::new().expect("a runtime").block_on(work(&place));
    }
    let folder = tempfile::tempdir().expect("a folder");
    poisoned(folder.path().to_str().expect("a path"));
}

#[cfg(feature = "nats")]
#[path = "../../tests/support/nats.rs"]
mod nats;

#[cfg(feature = "nats")]
#[test]
fn what_ends_the_process_is_reported_by_other_machines() {
    poisoned(&nats::NatsServer::start().url());
}

/// A job, of which some items end the process of whoever searches them.
fn poisoned(place: &str) {
    let runtime = Runtime::new().expect("a runtime");
    let (jobs, status) = runtime.block_on(async {
        let jobs = open(place).await;
        let status = create(&jobs).await;
        (jobs, status)
    });
    let mut copy = Command::new(env::current_exe().expect("this program has a path"));
    copy.args(["--exact", "jobs::tests::what_ends_the_process_is_reported_and_nothing_else"]);
    copy.env(PLACE, place);
    let mut deaths = 0;
    while !copy.output().expect("it runs").status.success() {
        deaths += 1;
        assert!(deaths <= 2 * TRIES, "it comes again and again");
    }
    let results = runtime.block_on(jobs.queue.results(status.id, 0, 9)).expect("it works");
    let outcomes: Vec<_> = results.iter().map(|result| result.outcome).collect();
    let (done, abandoned) = (ItemOutcome::Done, ItemOutcome::Abandoned);
    assert_eq!(outcomes, [done, abandoned, done, done, abandoned, done]);
    let told = JobKind::Batch.item(&results[1]);
    let told = serde_json::to_value(&told).expect("JSON");
    assert_eq!(told["result"]["problem"]["code"], "abandoned");
    // Two of them, of which only the first deaths may be common.
    assert!(deaths >= 2 * TRIES - 1, "{deaths} processes have ended");
}

static SEARCHES: AtomicUsize = AtomicUsize::new(0);

#[tokio::test]
async fn what_has_a_result_is_not_searched_again() {
    let jobs = open_in(MEMORY, TRIES, 1).await;
    let status = enqueue(&jobs, vec![0, 1, 2], payload()).await;
    let claim = jobs.queue.claim(LEASE).await.expect("it works").expect("a piece");
    let early = jobs.queue.checkpoint(claim.token, 1, ItemOutcome::Done, b"early".to_vec()).await;
    assert_eq!(early, Ok(job_queue::Hold::Held));
    assert_eq!(jobs.queue.release(claim.token).await, Ok(job_queue::Hold::Held));
    let workers = jobs.work(LEASE, |_| {
        SEARCHES.fetch_add(1, Ordering::SeqCst);
    });
    assert_eq!(ended(&jobs, status).await.done, 3);
    workers.stop().await;
    assert_eq!(SEARCHES.load(Ordering::SeqCst), 2);
}

static HAS_PANICKED: AtomicBool = AtomicBool::new(false);

#[tokio::test]
async fn a_worker_goes_on_after_a_panic() {
    let jobs = open_in(MEMORY, TRIES, 1).await;
    let status = enqueue(&jobs, vec![0, 1, 2], payload()).await;
    let workers = jobs.work(LEASE, |_| {
        assert!(HAS_PANICKED.swap(true, Ordering::SeqCst), "for once");
    });
    assert_eq!(ended(&jobs, status).await.done, 3);
    workers.stop().await;
}

#[tokio::test]
async fn a_piece_that_cannot_be_read_is_not_to_blame() {
    let jobs = open_in(MEMORY, 1, 1).await;
    let odd = enqueue(&jobs, vec![0], b"of another version".to_vec()).await;
    let mut changes = jobs.queue.changes();
    let workers = jobs.work(LEASE, |_| {});
    // It is claimed and given back, again and again.
    for _ in 0..5 {
        let changed = tokio::time::timeout(Duration::from_secs(5), changes.changed()).await;
        assert!(matches!(changed, Ok(Ok(()))), "nobody tries any more");
    }
    workers.stop().await;
    let status = jobs.queue.status(odd.id).await.expect("it works").expect("it is known");
    assert_eq!((status.done, status.failed, status.state.is_over()), (0, 0, false));
}

#[tokio::test]
async fn jobs_of_kinds_that_later_versions_know_are_not_shown() {
    let jobs = open_in(MEMORY, TRIES, 1).await;
    let client = Client::from(std::net::IpAddr::from([192, 0, 2, 1]));
    let new = |kind: &str| NewJob {
        owner: client.to_string(),
        kind: kind.to_owned(),
        head: Vec::new(),
        key: None,
        pieces: Vec::new(),
    };
    for kind in ["batch", "tournament"] {
        let Ok(Enqueued::New(status)) = jobs.queue.enqueue(new(kind)).await else {
            panic!("{kind}")
        };
        assert_eq!(jobs.find(&status.id.to_string(), client).await.is_ok(), kind == "batch");
    }
    let listed = jobs.list(client, None, None, 9).await.expect("it works");
    assert_eq!(listed.iter().map(|job| &*job.kind).collect::<Vec<_>>(), ["batch"]);
}

#[tokio::test]
async fn an_answer_whose_results_are_gone_is_cut_off() {
    let jobs = open_in(MEMORY, TRIES, 1).await;
    let status = enqueue(&jobs, vec![0, 1, 2], payload()).await;
    let done = JobStatus { state: JobState::Done, ..status };
    let request = RequestInfo::of_job(0, None);
    let Ok(ResultBody::Stream(pieces)) = jobs.result(&done, request).await else {
        panic!("no list")
    };
    let pieces: Vec<_> = pieces.collect().await;
    assert!(pieces.iter().any(Result::is_err), "{pieces:?}");
}
