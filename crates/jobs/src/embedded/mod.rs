//! The queue of one machine: an SQLite file that its processes share, or a database in memory.

mod answers;
mod jobs;
mod pieces;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use tokio::sync::watch;
use tokio_rusqlite::rusqlite::{self, ErrorCode, Transaction, TransactionBehavior};
use tokio_rusqlite::{Connection, Error};

use crate::answers::{AnswerKey, AnswerStore, KnownAnswer};
use crate::deflated::Deflated;
use crate::queue::{
    Backlog, Claim, Enqueued, Hold, ItemOutcome, ItemResult, JobFilter, JobId, JobQueue, JobStatus,
    NewJob, QueueError, QueueLimits, Token,
};

/// Time for which a writer waits for those of other processes.
const PATIENCE: Duration = Duration::from_secs(5);
/// Time between two looks at what other processes have changed.
const LOOK: Duration = Duration::from_millis(20);

/// Where the jobs are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Store {
    /// In this file, which outlasts the process, of so many bytes at most.
    File(PathBuf, u64),
    /// In so many bytes of memory at most.
    Memory(u64),
}

/// A queue in an SQLite database.
pub struct Embedded {
    connection: Connection,
    is_durable: bool,
    limits: QueueLimits,
    changes: watch::Sender<u64>,
}

impl Embedded {
    /// Opens the queue; a file is made if there is none.
    ///
    /// # Errors
    /// When the file cannot be opened, or is something else.
    pub async fn open(place: Store, limits: QueueLimits) -> Result<Self, QueueError> {
        let is_durable = matches!(place, Store::File(..));
        let connection = match &place {
            Store::File(path, _) => Connection::open(path).await,
            Store::Memory(_) => Connection::open_in_memory().await,
        };
        let connection = connection.map_err(|why| broken(&why))?;
        let prepared = connection.call(move |db| prepare(db, &place)).await;
        prepared.map_err(failed)?;
        let changes = watch::Sender::new(0);
        if is_durable {
            tokio::spawn(look(connection.clone(), changes.clone()));
        }
        Ok(Self { connection, is_durable, limits, changes })
    }

    /// Writes, all or nothing, and tells who waits for a change.
    async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, QueueError> {
        let written = self.connection.call(move |db| {
            let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let done = work(&transaction)?;
            transaction.commit().map(|()| done)
        });
        let written = written.await.map_err(failed)?;
        self.changes.send_modify(|count| *count += 1);
        Ok(written)
    }

    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&rusqlite::Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, QueueError> {
        self.connection.call(move |db| work(db)).await.map_err(failed)
    }
}

fn prepare(db: &mut rusqlite::Connection, place: &Store) -> rusqlite::Result<()> {
    db.busy_timeout(PATIENCE)?;
    // There are fewer than so many statements.
    db.set_prepared_statement_cache_capacity(64);
    db.pragma_update(None, "foreign_keys", true)?;
    let (Store::File(_, bytes) | Store::Memory(bytes)) = place;
    let page: i64 = db.pragma_query_value(None, "page_size", |row| row.get(0))?;
    let pages = i64::try_from(*bytes).unwrap_or(i64::MAX) / page;
    db.pragma_update(None, "max_page_count", pages)?;
    match place {
        Store::File(..) => {
            db.pragma_update(None, "journal_mode", "wal")?;
            // Outlasts any death of the process; a loss of power may take the last moments with it.
            db.pragma_update(None, "synchronous", "normal")?;
        }
        Store::Memory(_) => {}
    }
    db.execute_batch(include_str!("schema.sql"))
}

/// Tells of what other processes change, as long as anybody may want to know.
async fn look(connection: Connection, changes: watch::Sender<u64>) {
    let mut known = 0;
    loop {
        tokio::time::sleep(LOOK).await;
        let version =
            connection.call(|db| db.pragma_query_value(None, "data_version", |row| row.get(0)));
        let version = match version.await {
            Ok(version) => version,
            Err(Error::ConnectionClosed) => return,
            // Another process may hold the file for a moment.
            Err(_) => continue,
        };
        if version != std::mem::replace(&mut known, version) {
            changes.send_modify(|count| *count += 1);
        }
        // The queue itself has the other sender.
        if changes.sender_count() == 1 {
            return;
        }
    }
}

fn broken(why: &rusqlite::Error) -> QueueError {
    match why.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => QueueError::Full,
        _ => QueueError::Broken(why.to_string()),
    }
}

fn failed(why: Error) -> QueueError {
    match why {
        Error::Error(why) => broken(&why),
        other => QueueError::Broken(other.to_string()),
    }
}

/// Time since 1970.
fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

fn now_ms() -> u64 {
    ms(now())
}

fn ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX >> 1)
}

#[async_trait]
impl JobQueue for Embedded {
    fn is_durable(&self) -> bool {
        self.is_durable
    }

    async fn enqueue(&self, job: NewJob) -> Result<Enqueued, QueueError> {
        let limits = self.limits;
        self.write(move |db| jobs::enqueue(db, &job, &limits)).await
    }

    async fn claim(&self, lease: Duration) -> Result<Option<Claim>, QueueError> {
        let tries = self.limits.tries;
        // Looking for a piece changes nothing where there is none: nobody needs to be told.
        if !self.read(pieces::is_any).await? {
            return Ok(None);
        }
        // Where there is no room to say that an item is abandoned, other pieces can still be claimed.
        if let Err(why) = self.write(move |db| pieces::reclaim(db, tries)).await {
            tracing::error!(%why, "pieces whose leases have ended stay held");
        }
        self.write(move |db| pieces::claim(db, lease)).await
    }

    async fn extend(&self, token: Token, lease: Duration) -> Result<Hold, QueueError> {
        // That a claim still holds is no news.
        let extended = self.connection.call(move |db| pieces::extend(db, token, lease));
        extended.await.map_err(failed)
    }

    async fn checkpoint(
        &self,
        token: Token,
        item: u32,
        outcome: ItemOutcome,
        body: Vec<u8>,
    ) -> Result<Hold, QueueError> {
        // Before the transaction, for which others wait.
        let body = Deflated::of(&body);
        self.write(move |db| pieces::checkpoint(db, token, item, outcome, &body)).await
    }

    async fn complete(&self, token: Token) -> Result<Hold, QueueError> {
        self.write(move |db| pieces::complete(db, token)).await
    }

    async fn release(&self, token: Token) -> Result<Hold, QueueError> {
        self.write(move |db| pieces::release(db, token)).await
    }

    async fn cancel(&self, job: JobId) -> Result<Option<JobStatus>, QueueError> {
        let keep = self.limits.keep;
        self.write(move |db| {
            jobs::cancel(db, job)?;
            jobs::status(db, job, keep)
        })
        .await
    }

    async fn status(&self, job: JobId) -> Result<Option<JobStatus>, QueueError> {
        let keep = self.limits.keep;
        self.read(move |db| jobs::status(db, job, keep)).await
    }

    async fn list(&self, filter: JobFilter) -> Result<Vec<JobStatus>, QueueError> {
        let keep = self.limits.keep;
        self.read(move |db| jobs::list(db, &filter, keep)).await
    }

    async fn head(&self, job: JobId) -> Result<Option<Vec<u8>>, QueueError> {
        self.read(move |db| jobs::head(db, job)).await
    }

    async fn events(
        &self,
        job: JobId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<ItemResult>, QueueError> {
        self.read(move |db| jobs::events(db, job, after, limit)).await
    }

    async fn results(
        &self,
        job: JobId,
        from: u32,
        limit: u32,
    ) -> Result<Vec<ItemResult>, QueueError> {
        self.read(move |db| jobs::results(db, job, from, limit)).await
    }

    async fn backlog(&self) -> Result<Backlog, QueueError> {
        self.read(jobs::backlog).await
    }

    async fn expire(&self) -> Result<(), QueueError> {
        let ended = now_ms().saturating_sub(ms(self.limits.keep));
        self.write(move |db| jobs::expire(db, ended)).await
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }
}

#[async_trait]
impl AnswerStore for Embedded {
    async fn known(&self, key: AnswerKey) -> Result<Option<KnownAnswer>, QueueError> {
        self.read(move |db| answers::known(db, &key)).await
    }

    async fn learn(&self, key: AnswerKey, answer: KnownAnswer) -> Result<(), QueueError> {
        let body = Deflated::of(&answer.body);
        // No job has changed: nobody needs to be told.
        let learned = self.connection.call(move |db| answers::learn(db, &key, answer.rank, &body));
        learned.await.map_err(failed)
    }
}
