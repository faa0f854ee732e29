//! What is kept for more than a request: jobs and known answers, in the place that the settings name.

use std::sync::Arc;
use std::time::Duration;

use job_queue::{AnswerStore, Embedded, JobQueue, QueueLimits, Store};

use super::{Config, Role};
use crate::service::KnownAnswers;

/// What is kept.
pub struct Kept {
    /// The queue of jobs.
    pub jobs: Arc<dyn JobQueue>,
    /// Known answers; `None` where they are not to be kept, or would end with the process.
    pub answers: Option<KnownAnswers>,
}

/// Deliveries of a piece without a single result after which its next item is abandoned. Where a process is killed every two seconds,
/// one of 100 ms is hit so often in a row once in three million times.
const TRIES: u32 = 5;

impl Config {
    /// Opens what is kept.
    ///
    /// # Errors
    /// When its file cannot be opened, or its servers are not there.
    pub async fn kept(&self) -> Result<Kept, String> {
        match (&self.queue, &self.data) {
            (Some(servers), _) => self.kept_by(servers).await,
            (None, Some(folder)) => {
                std::fs::create_dir_all(folder)
                    .map_err(|why| format!("{}: {why}", folder.display()))?;
                let path = folder.join("jobs.sqlite");
                let store = Store::File(path.clone(), self.data_bytes());
                let kept = Embedded::open(store, self.queue_limits()).await;
                Ok(self.lasting(kept.map_err(|why| format!("{}: {why}", path.display()))?))
            }
            (None, None) if self.role != Role::All => Err(
                "--role api and --role worker need --data, a folder that they share, or --queue"
                    .into(),
            ),
            (None, None) => {
                let store = Store::Memory(self.memory()?.jobs);
                let kept = Embedded::open(store, self.queue_limits()).await;
                let jobs = Arc::new(kept.map_err(|why| why.to_string())?);
                Ok(Kept { jobs, answers: None })
            }
        }
    }

    /// A place that outlasts the process.
    fn lasting(&self, kept: impl JobQueue + AnswerStore + 'static) -> Kept {
        let kept = Arc::new(kept);
        Kept { jobs: kept.clone(), answers: KnownAnswers::of(kept, self.known_answers) }
    }

    #[cfg(feature = "nats")]
    async fn kept_by(&self, servers: &str) -> Result<Kept, String> {
        use job_queue::{JetStream, JetStreamPlace, Knows};
        let place = JetStreamPlace {
            servers: servers.to_owned(),
            name: self.queue_name.clone(),
            replicas: self.queue_replicas.into(),
            bytes: self.data_bytes(),
            lease: self.lease(),
            knows: match self.role {
                Role::All | Role::Api => Knows::Everything,
                Role::Worker => Knows::Cancelled,
            },
        };
        let kept = JetStream::open(place, self.queue_limits()).await;
        Ok(self.lasting(kept.map_err(|why| format!("--queue: {why}"))?))
    }

    #[cfg(not(feature = "nats"))]
    #[expect(clippy::unused_async, reason = "as where it is built in")]
    async fn kept_by(&self, _servers: &str) -> Result<Kept, String> {
        Err("--queue needs a build with NATS: cargo build --release --features nats".into())
    }

    fn data_bytes(&self) -> u64 {
        u64::from(self.max_data_mib) << 20
    }

    fn queue_limits(&self) -> QueueLimits {
        QueueLimits {
            open_jobs: self.max_jobs,
            tries: TRIES,
            keep: Duration::from_secs(u64::from(self.keep_jobs_h) * 3_600),
        }
    }
}
