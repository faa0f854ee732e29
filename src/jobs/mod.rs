//! Jobs: batches, reviews, matches, self-play and studies that outlast a request. The queue keeps them; workers search their pieces in idle slots.
//!
//! ```text
//! kind.rs      JobQuestion ─► pieces ─► queue ─► worker.rs: item after item ─► queue
//! result.rs                                      results of the items ─► the answer of the direct endpoint
//! ```

mod answer;
mod batch;
#[cfg(feature = "lab")]
pub(crate) mod command;
mod kind;
mod matches;
mod result;
mod review;
mod self_play;
mod study;
#[cfg(test)]
mod tests;
mod worker;

use std::sync::Arc;
use std::time::Duration;

use job_queue::{
    Backlog, Enqueued, IdempotencyKey, ItemResult, JobFilter, JobId, JobQueue, JobState, JobStatus,
    NewJob, QueueError,
};
use sha2::{Digest, Sha256};

pub(crate) use answer::{JobAnswer, JobItem, JobStateName};
pub(crate) use batch::{BatchItem, MOST_JOB_QUESTIONS};
pub(crate) use kind::{JobKind, JobQuestion, UnreadJob};
pub(crate) use matches::MatchAnswer;
pub(crate) use result::ResultBody;
pub(crate) use self_play::SelfPlayAnswer;
pub(crate) use study::StudyAnswer;
pub(crate) use worker::Workers;

use crate::problem::{Problem, ProblemCode};
use crate::service::{Client, RequestInfo, SearchTold, Service};

/// Results read at a time: answers have 10 to 45 KiB each.
const PAGE: u32 = 16;
/// Shortest and longest time between two looks at the queue, however often or seldom it changes. Not tuned.
const PAUSE: Duration = Duration::from_millis(20);
const LOOK: Duration = Duration::from_secs(1);
/// Time between two looks for jobs that may be forgotten. Not tuned.
const EXPIRY: Duration = Duration::from_secs(60);
/// Time until a client's job may have ended, or others have been forgotten. Not tuned.
const UNTIL_ROOM: Duration = Duration::from_secs(10);

/// A job that is taken.
pub(crate) struct TakenJob {
    pub(crate) status: JobStatus,
    /// False if it came before under the same idempotency key.
    pub(crate) is_new: bool,
}

/// The jobs of all clients.
#[derive(Clone)]
pub(crate) struct Jobs {
    queue: Arc<dyn JobQueue>,
    service: Arc<Service>,
    /// Longest question of a batch in bytes.
    longest_question: usize,
}

impl Jobs {
    /// The jobs of this queue.
    pub(crate) fn new(
        queue: Arc<dyn JobQueue>,
        service: Arc<Service>,
        longest_question: usize,
    ) -> Self {
        Self { queue, service, longest_question }
    }

    /// Begins to forget jobs that have been over for long enough.
    pub(crate) fn tidy(&self) {
        let expiring = Arc::clone(&self.queue);
        tokio::spawn(async move {
            loop {
                if let Err(why) = expiring.expire().await {
                    tracing::error!(%why, "jobs that are over stay");
                }
                tokio::time::sleep(EXPIRY).await;
            }
        });
    }

    /// Begins to work on pieces in idle slots, each held for so long without a sign of life.
    pub(crate) fn work(&self, lease: Duration, told: SearchTold) -> Workers {
        Workers::start(&self.queue, &self.service, lease, told)
    }

    /// Whether jobs outlast the process.
    pub(crate) fn are_durable(&self) -> bool {
        self.queue.is_durable()
    }

    /// A job as clients see it.
    pub(crate) fn answer(&self, status: &JobStatus) -> JobAnswer {
        JobAnswer::new(status, self.are_durable())
    }

    /// Takes a job.
    ///
    /// # Errors
    /// What is wrong with it, or that there is no room.
    pub(crate) async fn create(
        &self,
        job: UnreadJob,
        key: Option<String>,
        request: RequestInfo,
    ) -> Result<TakenJob, Problem> {
        let digest = Sha256::digest(job.body.get()).to_vec();
        let kind = job.kind;
        let cut = self.cut(job, request).await?;
        let new = NewJob {
            owner: request.client.to_string(),
            kind: kind.to_string(),
            head: cut.head,
            key: key.map(|key| IdempotencyKey { key, digest }),
            pieces: cut.pieces,
        };
        match self.queue.enqueue(new).await? {
            Enqueued::New(status) => Ok(TakenJob { status, is_new: true }),
            Enqueued::Known(status) => Ok(TakenJob { status, is_new: false }),
            Enqueued::KeyReused => {
                let detail = "another job has come with this `Idempotency-Key`";
                Err(Problem::new(ProblemCode::IdempotencyKeyReused, detail))
            }
            Enqueued::TooMany => {
                let detail = "you have as many open jobs as a client may have; wait, or cancel one";
                Err(Problem::new(ProblemCode::TooManyJobs, detail).retry(UNTIL_ROOM))
            }
        }
    }

    /// The job with this id, if this client may see it: a job of a key is nobody else's. All others are known by their
    /// ids alone, which nobody guesses: a client's address may change.
    ///
    /// # Errors
    /// When there is none.
    pub(crate) async fn find(&self, id: &str, client: Client) -> Result<JobStatus, Problem> {
        let unknown = || {
            let detail = format!("no job `{id}`; it never was, has expired, or is another's");
            Problem::new(ProblemCode::UnknownJob, detail)
        };
        let id: JobId = id.parse().map_err(|_| unknown())?;
        let status = self.queue.status(id).await?.ok_or_else(unknown)?;
        let is_keyed = status.owner.starts_with(KEY_OWNER);
        let is_open = !is_keyed || status.owner == client.to_string();
        (is_open && is_shown(&status)).then_some(status).ok_or_else(unknown)
    }

    /// Jobs of a client, the latest first.
    ///
    /// # Errors
    /// When the queue fails.
    pub(crate) async fn list(
        &self,
        client: Client,
        state: Option<JobState>,
        kind: Option<JobKind>,
        limit: u32,
    ) -> Result<Vec<JobStatus>, Problem> {
        let kind = kind.map(|kind| kind.to_string());
        let filter = JobFilter { owner: client.to_string(), state, kind, limit };
        let mut jobs = self.queue.list(filter).await?;
        jobs.retain(is_shown);
        Ok(jobs)
    }

    /// Cancels a job that is not over.
    ///
    /// # Errors
    /// When the queue fails.
    pub(crate) async fn cancel(&self, job: &JobStatus) -> Result<JobStatus, Problem> {
        Ok(self.queue.cancel(job.id).await?.unwrap_or_else(|| job.clone()))
    }

    /// Results in the order in which they came, after this event.
    ///
    /// # Errors
    /// When the queue fails.
    pub(crate) async fn items(&self, job: &JobStatus, after: u64) -> Result<Vec<JobItem>, Problem> {
        let kind = JobKind::of(job);
        let events = self.queue.events(job.id, after, PAGE).await?;
        Ok(events.iter().map(|result| kind.item(result)).collect())
    }

    /// How the job is now, when anything has changed since `seen`.
    ///
    /// # Errors
    /// When the queue fails, or has forgotten the job.
    pub(crate) async fn changed(&self, seen: &JobStatus) -> Result<JobStatus, Problem> {
        let mut changes = self.queue.changes();
        loop {
            changes.mark_unchanged();
            let status = self.queue.status(seen.id).await?;
            let status = status
                .ok_or_else(|| Problem::new(ProblemCode::UnknownJob, "the job has expired"))?;
            if status != *seen {
                return Ok(status);
            }
            // Each change of any job wakes all that watch one.
            tokio::time::sleep(PAUSE).await;
            if let Ok(Err(_)) = tokio::time::timeout(LOOK, changes.changed()).await {
                std::future::pending::<()>().await;
            }
        }
    }

    /// What is to be done; nothing where the queue fails.
    pub(crate) async fn backlog(&self) -> Backlog {
        self.queue.backlog().await.unwrap_or_default()
    }
}

/// True if this version of the program knows the kind of the job.
fn is_shown(job: &JobStatus) -> bool {
    JobKind::named(&job.kind).is_some()
}

/// How owners begin that are keys.
const KEY_OWNER: &str = "key:";

impl From<QueueError> for Problem {
    fn from(why: QueueError) -> Self {
        match why {
            QueueError::Full => {
                let detail = "the store of jobs is full; with --data it is a file";
                Self::new(ProblemCode::Busy, detail).retry(UNTIL_ROOM)
            }
            QueueError::Broken(why) => {
                tracing::error!(why, "the store of jobs fails");
                crate::problem::internal()
            }
        }
    }
}
