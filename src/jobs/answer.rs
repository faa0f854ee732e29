//! Jobs as clients see them.

use job_queue::{ItemOutcome, ItemResult, JobState, JobStatus};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::batch::BatchItem;
use super::kind::JobKind;
use super::review::ReviewedPosition;
use super::self_play::PlayedGame;
use crate::problem::Problem;
use arena::record::MatchRecord;

/// State of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum JobStateName {
    /// None of its items has been begun.
    Waiting,
    /// Some have.
    Running,
    /// Every item has ended.
    Done,
    /// It was cancelled.
    Cancelled,
}

impl From<JobState> for JobStateName {
    fn from(state: JobState) -> Self {
        match state {
            JobState::Waiting => Self::Waiting,
            JobState::Running => Self::Running,
            JobState::Done => Self::Done,
            JobState::Cancelled => Self::Cancelled,
        }
    }
}

impl From<JobStateName> for JobState {
    fn from(state: JobStateName) -> Self {
        match state {
            JobStateName::Waiting => Self::Waiting,
            JobStateName::Running => Self::Running,
            JobStateName::Done => Self::Done,
            JobStateName::Cancelled => Self::Cancelled,
        }
    }
}

/// When a job came and ended, in ms since 1970.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct JobTimes {
    /// When it came.
    pub(crate) created_ms: u64,
    /// When it ended; null while it is not over.
    pub(crate) ended_ms: Option<u64>,
    /// When it is forgotten; null while it is not over.
    pub(crate) expires_ms: Option<u64>,
}

/// Paths of a job.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct JobLinks {
    /// This answer.
    #[serde(rename = "self")]
    pub(crate) own: String,
    /// Its results as they come.
    pub(crate) events: String,
    /// Its answer when it is done.
    pub(crate) result: String,
}

/// How a job is.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Job)]
pub(crate) struct JobAnswer {
    /// Its id.
    pub(crate) id: String,
    /// Its kind.
    pub(crate) kind: JobKind,
    /// Its state.
    pub(crate) state: JobStateName,
    /// Number of its items: questions of a batch, positions of a review or study, pairs of a match, games of self-play.
    pub(crate) items: u32,
    /// Items that have a result.
    pub(crate) done: u32,
    /// Items that have a problem instead.
    pub(crate) failed: u32,
    /// Whether it outlasts the process; otherwise the service keeps its jobs in memory.
    pub(crate) durable: bool,
    /// When it came and ended.
    pub(crate) times: JobTimes,
    /// Its paths.
    pub(crate) links: JobLinks,
    /// Up to 16 results after the id that the query names, in the order in which they came; left out elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) results: Option<Vec<JobItem>>,
}

impl JobAnswer {
    /// A job of this status.
    pub(crate) fn new(status: &JobStatus, durable: bool) -> Self {
        let JobStatus { created_ms, ended_ms, expires_ms, .. } = *status;
        let own = format!("/v1/jobs/{}", status.id);
        Self {
            id: status.id.to_string(),
            kind: JobKind::of(status),
            state: status.state.into(),
            items: status.items,
            done: status.done,
            failed: status.failed,
            durable,
            times: JobTimes { created_ms, ended_ms, expires_ms },
            links: JobLinks {
                events: format!("{own}/events"),
                result: format!("{own}/result"),
                own,
            },
            results: None,
        }
    }
}

/// The result of an item.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct JobItem {
    /// Its place in the order in which results came, from 1: the id of its event.
    pub(crate) id: u64,
    /// Number of the item, from 0: a question of the batch; in a review a position, the last one of the game first.
    pub(crate) item: u32,
    /// What became of it.
    pub(crate) result: JobItemResult,
}

/// Result of an item: an answer or a problem of a batch or study, a position of a review, a pair of games of a match, a
/// game of self-play, or a problem in its place.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct JobItemResult(Box<RawValue>);

/// What a [`JobItemResult`] is, for the contract.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = JobItemResult)]
#[expect(dead_code, reason = "read for the OpenAPI document only")]
enum JobItemForms {
    #[schema(title = "BatchResult")]
    Batch(BatchItem),
    #[schema(title = "PositionResult")]
    Position(ReviewedPosition),
    #[schema(title = "PairResult")]
    Pair(Box<[MatchRecord; 2]>),
    #[schema(title = "GameResult")]
    Game(PlayedGame),
    #[schema(title = "ProblemResult")]
    Problem(Problem),
}

impl utoipa::PartialSchema for JobItemResult {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        JobItemForms::schema()
    }
}

impl ToSchema for JobItemResult {
    fn schemas(
        schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::schema::Schema>)>,
    ) {
        JobItemForms::schemas(schemas);
    }
}

impl JobItemResult {
    /// A value.
    pub(super) fn of(value: &impl Serialize) -> Self {
        Self(serde_json::value::to_raw_value(value).expect("answers have names as keys"))
    }

    /// It as JSON.
    pub(crate) fn text(&self) -> &str {
        self.0.get()
    }

    /// What [`written`] wrote.
    pub(super) fn read(bytes: &[u8]) -> Self {
        Self(serde_json::from_slice(bytes).unwrap_or_else(|_| RawValue::NULL.to_owned()))
    }
}

/// What an item has found, if it is done and of this version of the program.
pub(super) fn read_done<T: DeserializeOwned>(result: &ItemResult) -> Option<T> {
    let is_done = result.outcome == ItemOutcome::Done;
    is_done.then(|| serde_json::from_slice(&result.body).ok()).flatten()
}

/// A value as JSON.
pub(super) fn written(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("answers have names as keys")
}
