//! Jobs of commands: put into a queue as by a client, and watched to their end. Without servers this process does the
//! work itself, on all cores.

use std::io::Write;
use std::sync::Arc;

use clap::Parser;
use engine::search::STACK;
use futures_util::StreamExt;
use job_queue::{JobState, JobStatus};
use lab::{CommandJob, EndedItem, ItemTold, JobRunner};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Jobs, ResultBody, UnreadJob};
use crate::config::Config;
use crate::problem::Problem;
use crate::service::{Priority, RequestInfo, Service};

/// Longest question of a command in bytes.
const LONGEST: usize = 4 << 20;

/// Runs jobs of commands by the settings of the environment.
pub(crate) struct QueueRunner;

/// The settings of a service that is asked by a command alone.
#[derive(Parser)]
struct QueueSettings {
    #[command(flatten)]
    config: Config,
}

impl JobRunner for QueueRunner {
    fn run(&self, job: &CommandJob<'_>, told: &mut ItemTold<'_>) -> Result<Option<Value>, String> {
        let mut args = vec!["bestmove"];
        if let Some(servers) = job.servers {
            args.extend(["--role", "api", "--queue", servers]);
        }
        let QueueSettings { config } =
            QueueSettings::try_parse_from(args).map_err(|why| why.to_string())?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .thread_stack_size(STACK)
            .build();
        let runtime = runtime.map_err(|why| why.to_string())?;
        runtime.block_on(run(&config, job, told))
    }
}

/// The client that asks: nobody waits for another one here.
fn request() -> RequestInfo {
    RequestInfo { priority: Priority::Interactive, ..RequestInfo::of_job(0, None) }
}

/// What is wrong, and where.
fn said(why: &Problem) -> String {
    let place = why.errors.first().map_or("", |first| first.pointer.as_str());
    if place.is_empty() { why.detail.clone() } else { format!("{}: {}", place, why.detail) }
}

async fn run(
    config: &Config,
    job: &CommandJob<'_>,
    told: &mut ItemTold<'_>,
) -> Result<Option<Value>, String> {
    let catalog = config.calibrations.catalog()?;
    let service = Arc::new(Service::new(catalog, config.service()?));
    let jobs = Jobs::new(config.kept().await?.jobs, Arc::clone(&service), LONGEST);
    let workers = job.servers.is_none().then(|| jobs.work(config.lease(), |_| {}));
    let text = json!({ "kind": job.kind, "body": job.body }).to_string();
    let unread: UnreadJob = serde_json::from_str(&text).map_err(|why| why.to_string())?;
    // The same command again is the same job: it goes on where it was left.
    let key: String =
        Sha256::digest(&text).iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let created = jobs.create(unread, Some(key), request()).await.map_err(|why| said(&why))?;
    if let Some(servers) = job.servers {
        // Standard error may be closed; nothing can be done about it.
        let _ = writeln!(std::io::stderr(), "job {} on {servers}", created.status.id);
    }
    let ended = watch(&jobs, created.status, told).await;
    if let Some(workers) = workers {
        service.finish_searches();
        workers.stop().await;
    }
    ended
}

/// Tells every result once, and gives the answer.
async fn watch(
    jobs: &Jobs,
    mut status: JobStatus,
    told: &mut ItemTold<'_>,
) -> Result<Option<Value>, String> {
    let mut after = 0;
    loop {
        let items = jobs.items(&status, after).await.map_err(|why| said(&why))?;
        for item in &items {
            after = item.id;
            let result = serde_json::from_str(item.result.text()).map_err(|why| why.to_string())?;
            if !told(EndedItem { number: item.item, of: status.items, result })? {
                jobs.cancel(&status).await.map_err(|why| said(&why))?;
                return Ok(None);
            }
        }
        match status.state {
            _ if !items.is_empty() => {}
            JobState::Done => break,
            JobState::Cancelled => return Ok(None),
            JobState::Waiting | JobState::Running => {
                status = jobs.changed(&status).await.map_err(|why| said(&why))?;
            }
        }
    }
    let body = match jobs.result(&status, request()).await.map_err(|why| said(&why))? {
        ResultBody::Whole(body) => body,
        ResultBody::Stream(mut parts) => {
            let mut body = Vec::new();
            while let Some(part) = parts.next().await {
                body.extend_from_slice(&part.map_err(|why| why.to_string())?);
            }
            body
        }
    };
    serde_json::from_slice(&body).map(Some).map_err(|why| why.to_string())
}
