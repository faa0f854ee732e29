use std::env;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use catalog::Catalog;
use job_queue::{Embedded, ItemOutcome, QueueLimits, Store};
use serde_json::json;
use tokio::runtime::Runtime;

use super::*;
use crate::service::{Priority, Searched, ServiceConfig};

/// Tells a copy of the test program where the jobs are that it works on.
const FOLDER: &str = "BESTMOVE_TEST_JOBS";
/// Deliveries without a result.
const TRIES: u32 = 3;

async fn open(folder: &Path) -> Jobs {
    let limits = QueueLimits { open_jobs: 9, tries: TRIES, keep: Duration::from_secs(3_600) };
    let queue = Embedded::open(Store::File(folder.join("jobs.sqlite"), 64 << 20), limits).await;
    let config = ServiceConfig::of_a_test(2);
    let service = Arc::new(Service::new(Catalog::default(), config));
    Jobs::new(Arc::new(queue.expect("a file")), service, 1_000)
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
async fn work(folder: &Path) {
    let jobs = open(folder).await;
    let workers = jobs.work(Duration::from_millis(300), end_the_process);
    let owner = std::net::IpAddr::from([192, 0, 2, 1]).into();
    let mut status = jobs.list(owner, None, None, 1).await.expect("it works").remove(0);
    while !status.state.is_over() {
        status = jobs.changed(&status).await.expect("it is known");
    }
    workers.stop().await;
}

#[test]
fn what_ends_the_process_is_reported_and_nothing_else() {
    if let Some(folder) = env::var_os(FOLDER) {
        return Runtime::new().expect("a runtime").block_on(work(Path::new(&folder)));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let runtime = Runtime::new().expect("a runtime");
    let (jobs, status) = runtime.block_on(async {
        let jobs = open(folder.path()).await;
        let status = create(&jobs).await;
        (jobs, status)
    });
    let mut copy = Command::new(env::current_exe().expect("this program has a path"));
    copy.args(["--exact", "jobs::tests::what_ends_the_process_is_reported_and_nothing_else"]);
    copy.env(FOLDER, folder.path());
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
