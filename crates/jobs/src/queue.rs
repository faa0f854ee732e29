//! What a queue of jobs is, whoever keeps it.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::watch;
use uuid::Uuid;

/// Id of a job, drawn at random: nobody guesses that of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct JobId(Uuid);

impl JobId {
    /// A new one.
    pub fn draw() -> Self {
        Self(Uuid::new_v4())
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for JobId {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

/// A client's name for a job: the same name with the same body is the same job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey {
    /// The client's word.
    pub key: String,
    /// Digest of the body.
    pub digest: Vec<u8>,
}

/// A job to be done.
#[derive(Clone, Debug)]
pub struct NewJob {
    /// Whose it is.
    pub owner: String,
    /// What kind of work.
    pub kind: String,
    /// What is needed to make one result of those of the items.
    pub head: Vec<u8>,
    /// The client's name for it.
    pub key: Option<IdempotencyKey>,
    /// The pieces, in the order in which they are to be begun. Each item is in one of them.
    pub pieces: Vec<NewPiece>,
}

impl NewJob {
    /// Number of items in all pieces.
    pub fn items(&self) -> usize {
        self.pieces.iter().map(|piece| piece.items.len()).sum()
    }
}

/// A part of a job for one worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPiece {
    /// Numbers of its items among those of the job, from 0.
    pub items: Vec<u32>,
    /// What the worker needs to know.
    pub payload: Vec<u8>,
}

/// One delivery of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Token {
    /// The job.
    pub job: JobId,
    /// Number of the piece in the job.
    pub piece: u32,
    /// Number of the delivery: a later one makes this one worthless.
    pub delivery: u64,
}

/// A claimed piece.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Proves the claim.
    pub token: Token,
    /// Kind of the job.
    pub kind: String,
    /// What the worker needs to know.
    pub payload: Vec<u8>,
    /// The items of the piece.
    pub items: Vec<u32>,
    /// Those of them that have a result already.
    pub done: Vec<u32>,
    /// Deliveries without any progress, this one included: above 1 the piece may have ended its process.
    pub tries: u32,
}

/// Whether a claim still holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Hold {
    /// It does.
    Held,
    /// Another worker has the piece, or the job is over or cancelled.
    Lost,
}

/// How an item has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemOutcome {
    /// With a result.
    Done,
    /// With a problem in place of a result.
    Failed,
    /// Without either: it has ended its worker too often.
    Abandoned,
}

/// Result of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemResult {
    /// Its place in the order in which the results of the job came, from 1.
    pub event: u64,
    /// Number of the item.
    pub item: u32,
    /// How it has ended.
    pub outcome: ItemOutcome,
    /// The result; empty where it was abandoned.
    pub body: Vec<u8>,
}

/// State of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobState {
    /// No piece has been begun.
    Waiting,
    /// Some have.
    Running,
    /// Every item has ended.
    Done,
    /// The client has cancelled it.
    Cancelled,
}

impl JobState {
    /// True if nothing more happens to it.
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Done | Self::Cancelled)
    }
}

/// What is known of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobStatus {
    /// Its id.
    pub id: JobId,
    /// Whose it is.
    pub owner: String,
    /// Its kind.
    pub kind: String,
    /// Its state.
    pub state: JobState,
    /// Number of items.
    pub items: u32,
    /// Items that have a result.
    pub done: u32,
    /// Items that have a problem, or were abandoned.
    pub failed: u32,
    /// When it came, in ms since 1970.
    pub created_ms: u64,
    /// When it ended.
    pub ended_ms: Option<u64>,
    /// When it is forgotten; unknown while it is not over.
    pub expires_ms: Option<u64>,
}

/// Which jobs are wanted.
#[derive(Clone, Debug)]
pub struct JobFilter {
    /// Those of this owner.
    pub owner: String,
    /// Those in this state.
    pub state: Option<JobState>,
    /// Those of this kind.
    pub kind: Option<String>,
    /// No more than so many, the latest first.
    pub limit: u32,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Pieces that wait.
    pub waiting: u64,
    /// Pieces that are held.
    pub held: u64,
    /// How long the oldest job waits for the end of its last piece that waits.
    pub oldest: Duration,
}

/// What became of a new job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Enqueued {
    /// It waits.
    New(JobStatus),
    /// It came before, under the same name.
    Known(JobStatus),
    /// Another one came before under the same name.
    KeyReused,
    /// Its owner has as many open jobs as it may.
    TooMany,
}

/// Bounds of a queue.
#[derive(Clone, Copy, Debug)]
pub struct QueueLimits {
    /// Open jobs of one owner.
    pub open_jobs: u32,
    /// Deliveries of a piece without any progress, after which its next item is abandoned.
    pub tries: u32,
    /// Time for which a job is kept when it is over.
    pub keep: Duration,
}

/// Why a queue does not work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueueError {
    /// There is no room for more.
    #[error("the store of jobs is full")]
    Full,
    /// It cannot be read or written.
    #[error("the store of jobs fails: {0}")]
    Broken(String),
}

/// A durable queue of jobs.
#[async_trait]
pub trait JobQueue: Send + Sync {
    /// Whether jobs outlast the process.
    fn is_durable(&self) -> bool;

    /// Takes a job.
    async fn enqueue(&self, job: NewJob) -> Result<Enqueued, QueueError>;

    /// Hands out the next piece, which is the caller's for so long; `None` if there is nothing to do.
    async fn claim(&self, lease: Duration) -> Result<Option<Claim>, QueueError>;

    /// Holds a claim for so long from now.
    async fn extend(&self, token: Token, lease: Duration) -> Result<Hold, QueueError>;

    /// Stores the result of an item, once.
    async fn checkpoint(
        &self,
        token: Token,
        item: u32,
        outcome: ItemOutcome,
        body: Vec<u8>,
    ) -> Result<Hold, QueueError>;

    /// Ends a piece, all of whose items have ended.
    async fn complete(&self, token: Token) -> Result<Hold, QueueError>;

    /// Gives a piece back: it waits again, and this delivery does not count.
    async fn release(&self, token: Token) -> Result<Hold, QueueError>;

    /// Cancels a job that is not over, and says how it is now; `None` if nobody knows it.
    async fn cancel(&self, job: JobId) -> Result<Option<JobStatus>, QueueError>;

    /// How a job is; `None` if nobody knows it.
    async fn status(&self, job: JobId) -> Result<Option<JobStatus>, QueueError>;

    /// Jobs, the latest first.
    async fn list(&self, filter: JobFilter) -> Result<Vec<JobStatus>, QueueError>;

    /// The head of a job.
    async fn head(&self, job: JobId) -> Result<Option<Vec<u8>>, QueueError>;

    /// Results in the order in which they came, after this event.
    async fn events(
        &self,
        job: JobId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<ItemResult>, QueueError>;

    /// Results in the order of the items, from this one on.
    async fn results(
        &self,
        job: JobId,
        from: u32,
        limit: u32,
    ) -> Result<Vec<ItemResult>, QueueError>;

    /// What waits.
    async fn backlog(&self) -> Result<Backlog, QueueError>;

    /// Forgets what has been over for long enough.
    async fn expire(&self) -> Result<(), QueueError>;

    /// Changes whenever anything does.
    fn changes(&self) -> watch::Receiver<u64>;
}
