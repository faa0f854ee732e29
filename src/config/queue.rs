//! The queue of jobs that the settings name.

use std::sync::Arc;
use std::time::Duration;

use job_queue::{Embedded, JobQueue, QueueLimits, Store};

use super::{Config, Role};

/// Deliveries of a piece without a single result after which its next item is abandoned. Where a process is killed every two seconds,
/// one of 100 ms is hit so often in a row once in three million times.
const TRIES: u32 = 5;

impl Config {
    /// The queue of jobs.
    ///
    /// # Errors
    /// When its file cannot be opened, or its servers are not there.
    pub async fn queue(&self) -> Result<Arc<dyn JobQueue>, String> {
        match (&self.queue, &self.data) {
            (Some(servers), _) => self.distributed_queue(servers).await,
            (None, Some(folder)) => {
                std::fs::create_dir_all(folder)
                    .map_err(|why| format!("{}: {why}", folder.display()))?;
                let path = folder.join("jobs.sqlite");
                let store = Store::File(path.clone(), self.data_bytes());
                let queue = Embedded::open(store, self.queue_limits()).await;
                Ok(Arc::new(queue.map_err(|why| format!("{}: {why}", path.display()))?))
            }
            (None, None) if self.role != Role::All => Err(
                "--role api and --role worker need --data, a folder that they share, or --queue"
                    .into(),
            ),
            (None, None) => {
                let store = Store::Memory(self.memory()?.jobs);
                let queue = Embedded::open(store, self.queue_limits()).await;
                Ok(Arc::new(queue.map_err(|why| why.to_string())?))
            }
        }
    }

    #[cfg(feature = "nats")]
    async fn distributed_queue(&self, servers: &str) -> Result<Arc<dyn JobQueue>, String> {
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
        let queue = JetStream::open(place, self.queue_limits()).await;
        Ok(Arc::new(queue.map_err(|why| format!("--queue: {why}"))?))
    }

    #[cfg(not(feature = "nats"))]
    #[expect(clippy::unused_async, reason = "as where it is built in")]
    async fn distributed_queue(&self, _servers: &str) -> Result<Arc<dyn JobQueue>, String> {
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
