//! What a queue costs: `cargo bench -p bestmove-jobs --features nats`. Times of single steps with 100,000 pieces waiting, and the memory.

use std::fs;
use std::time::{Duration, Instant};

use bestmove_jobs::{
    Embedded, Enqueued, ItemOutcome, JobQueue, NewJob, NewPiece, QueueLimits, Store,
};

#[cfg(feature = "nats")]
#[path = "../../../tests/support/nats.rs"]
mod server;

const JOBS: u32 = 10;
const PIECES: u32 = 10_000;
const CLAIMS: usize = 20_000;
const WORKERS: usize = 32;
const LEASE: Duration = Duration::from_secs(60);

fn percentile(times: &mut [Duration], share: f64) -> f64 {
    times.sort();
    times[((times.len() - 1) as f64 * share).round() as usize].as_secs_f64() * 1e3
}

/// Memory of this process in MiB.
fn memory() -> f64 {
    let status = fs::read_to_string("/proc/self/status").expect("the kernel knows this process");
    let line = status.lines().find(|line| line.starts_with("VmRSS")).expect("it has memory");
    let kib: f64 =
        line.split_whitespace().nth(1).and_then(|kib| kib.parse().ok()).expect("a number");
    kib / 1_024.0
}

fn job(owner: u32) -> NewJob {
    let payload = br#"{"questions":[{"game":"xiangqi","moves":["h2e2","h9g7"]}]}"#.to_vec();
    let piece = |item| NewPiece { items: vec![item], payload: payload.clone() };
    let (kind, head) = ("batch".to_owned(), Vec::new());
    NewJob {
        owner: owner.to_string(),
        kind,
        head,
        key: None,
        pieces: (0..PIECES).map(piece).collect(),
    }
}

const LIMITS: QueueLimits = QueueLimits { open_jobs: JOBS, tries: 5, keep: LEASE };

async fn embedded(name: &str, place: Store) {
    measure(name, &Embedded::open(place, LIMITS).await.expect("a queue")).await;
}

#[cfg(feature = "nats")]
async fn nats() {
    use bestmove_jobs::{JetStream, JetStreamPlace, Knows};
    let server = server::NatsServer::start();
    let place = JetStreamPlace {
        servers: server.url(),
        name: "bench".into(),
        replicas: 1,
        bytes: 4 << 30,
        lease: LEASE,
        knows: Knows::Everything,
    };
    measure("nats", &JetStream::open(place, LIMITS).await.expect("a queue")).await;
}

async fn measure(name: &str, queue: &dyn JobQueue) {
    let begun = Instant::now();
    for owner in 0..JOBS {
        let taken = queue.enqueue(job(owner)).await.expect("it is taken");
        assert!(matches!(taken, Enqueued::New(_)));
    }
    let (enqueued, before) = (begun.elapsed(), memory());
    let (mut claims, mut whole) = (Vec::new(), Vec::new());
    for _ in 0..CLAIMS {
        let begun = Instant::now();
        let claim = queue.claim(LEASE).await.expect("it works").expect("pieces wait");
        claims.push(begun.elapsed());
        let stored =
            queue.checkpoint(claim.token, claim.items[0], ItemOutcome::Done, vec![b'x'; 4_096]);
        let _ = stored.await.expect("it works");
        let _ = queue.complete(claim.token).await.expect("it works");
        whole.push(begun.elapsed());
    }
    let together = together(queue).await;
    println!(
        "{name}: {} pieces taken in {:.2} s; claim median {:.3} ms, p99 {:.3} ms; claim, store and end {:.3} ms, p99 {:.3} ms; \
         memory {before:.0} MiB before, {:.0} MiB after {CLAIMS} pieces; {WORKERS} workers at once end {together:.0} pieces/s",
        JOBS * PIECES,
        enqueued.as_secs_f64(),
        percentile(&mut claims, 0.5),
        percentile(&mut claims, 0.99),
        percentile(&mut whole, 0.5),
        percentile(&mut whole, 0.99),
        memory(),
    );
}

/// Pieces that many workers end in a second, none of which takes time.
async fn together(queue: &dyn JobQueue) -> f64 {
    let work = async || {
        for _ in 0..CLAIMS / WORKERS {
            let claim = queue.claim(LEASE).await.expect("it works").expect("pieces wait");
            let stored =
                queue.checkpoint(claim.token, claim.items[0], ItemOutcome::Done, vec![b'x'; 4_096]);
            let _ = stored.await.expect("it works");
            let _ = queue.complete(claim.token).await.expect("it works");
        }
    };
    let begun = Instant::now();
    futures_util::future::join_all((0..WORKERS).map(|_| work())).await;
    CLAIMS as f64 / begun.elapsed().as_secs_f64()
}

fn main() {
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(embedded("file", Store::File(folder.path().join("jobs.sqlite"), 4 << 30)));
    runtime.block_on(embedded("memory", Store::Memory(1 << 30)));
    #[cfg(feature = "nats")]
    runtime.block_on(nats());
}
