//! What is written down of jobs: subjects of messages, and what their headers say.

use async_nats::HeaderMap;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::queue::{ItemOutcome, JobId};

/// Number of queues of pieces. Owners are spread over them, and they take turns; owners that share one go in their order.
/// Each costs an idle worker two questions a second.
pub(super) const LANES: usize = 16;

/// The header that holds a [`LogEvent`] or a [`PieceHeader`], as JSON.
pub(super) const HEADER: &str = "Bestmove";

/// What is known of a new job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct JobRecord {
    pub(super) owner: String,
    pub(super) kind: String,
    pub(super) items: u32,
    /// The subject of its idempotency key.
    pub(super) key: Option<String>,
}

/// An entry of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum LogEvent {
    /// A job is taken: its pieces have been published before.
    New(JobRecord),
    /// A client has cancelled it.
    Cancelled,
    /// A worker holds a piece: nobody who has held it before can write any more.
    Claimed,
    /// It has given it back.
    Released,
    /// An item has ended.
    Ended { item: u32, outcome: StoredOutcome },
}

/// How an item has ended, as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum StoredOutcome {
    Done,
    Failed,
    Abandoned,
}

impl From<ItemOutcome> for StoredOutcome {
    fn from(outcome: ItemOutcome) -> Self {
        match outcome {
            ItemOutcome::Done => Self::Done,
            ItemOutcome::Failed => Self::Failed,
            ItemOutcome::Abandoned => Self::Abandoned,
        }
    }
}

impl From<StoredOutcome> for ItemOutcome {
    fn from(outcome: StoredOutcome) -> Self {
        match outcome {
            StoredOutcome::Done => Self::Done,
            StoredOutcome::Failed => Self::Failed,
            StoredOutcome::Abandoned => Self::Abandoned,
        }
    }
}

/// What a piece in the queue says beside its payload.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct PieceHeader {
    pub(super) job: String,
    pub(super) piece: u32,
    pub(super) kind: String,
    pub(super) items: Vec<u32>,
}

/// The job of an idempotency key.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct KeyRecord {
    pub(super) id: String,
    pub(super) digest: Vec<u8>,
    pub(super) kind: String,
}

/// A header with this value.
pub(super) fn header(value: &impl Serialize) -> HeaderMap {
    let value = serde_json::to_string(value).expect("keys are names");
    let mut headers = HeaderMap::new();
    headers.insert(HEADER, value.as_str());
    headers
}

/// The value of a header; `None` if another version of the program has written it.
pub(super) fn read_header<T: for<'a> Deserialize<'a>>(headers: &HeaderMap) -> Option<T> {
    serde_json::from_str(headers.get(HEADER)?.as_str()).ok()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Subjects of one installation.
#[derive(Clone, Debug)]
pub(super) struct Subjects(pub(super) String);

impl Subjects {
    /// What workers need to know of a job.
    pub(super) fn news(&self, job: JobId) -> String {
        format!("{}.news.{job}", self.0)
    }

    /// What workers need to know.
    pub(super) fn all_news(&self) -> String {
        format!("{}.news.*", self.0)
    }

    /// All that happens.
    pub(super) fn log(&self) -> String {
        format!("{}.log.>", self.0)
    }

    pub(super) fn new_job(&self, job: JobId) -> String {
        format!("{}.log.job.{job}.new", self.0)
    }

    pub(super) fn cancelled(&self, job: JobId) -> String {
        format!("{}.log.job.{job}.cancelled", self.0)
    }

    /// What happens to a piece.
    pub(super) fn piece_log(&self, job: JobId, piece: u32) -> String {
        format!("{}.log.piece.{job}.{piece}", self.0)
    }

    /// All that is written of a job.
    pub(super) fn whole_job(&self, job: JobId) -> String {
        format!("{}.log.*.{job}.>", self.0)
    }

    /// The name that an owner has given to a job.
    pub(super) fn key(&self, owner: &str, key: &str) -> String {
        let digest = Sha256::new().chain_update(owner).chain_update([0]).chain_update(key);
        format!("{}.key.{}", self.0, hex(&digest.finalize()))
    }

    /// All keys.
    pub(super) fn keys(&self) -> String {
        format!("{}.key.*", self.0)
    }

    /// The lane of an owner. One subject: servers of version 2.9 go through all that they hold where a filter has a wildcard.
    pub(super) fn lane_of(&self, owner: &str) -> String {
        self.lane(usize::from(Sha256::digest(owner)[0]) % LANES)
    }

    /// Pieces of a lane.
    pub(super) fn lane(&self, lane: usize) -> String {
        format!("{}.piece.{lane}", self.0)
    }

    /// All pieces that wait.
    pub(super) fn pieces(&self) -> String {
        format!("{}.piece.*", self.0)
    }

    /// A known answer.
    pub(super) fn answer(&self, key: &[u8]) -> String {
        format!("{}.answer.{}", self.0, hex(key))
    }

    /// All known answers.
    pub(super) fn answers(&self) -> String {
        format!("{}.answer.*", self.0)
    }

    /// The job of a subject of the log, or of the news.
    pub(super) fn job_of(&self, subject: &str) -> Option<JobId> {
        let mut tokens = subject.strip_prefix(&self.0)?.strip_prefix('.')?.split('.');
        let place = if tokens.next() == Some("news") { 0 } else { 1 };
        tokens.nth(place)?.parse().ok()
    }
}
