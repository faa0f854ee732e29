//! Handlers of jobs.

use std::time::Instant;

use axum::Json;
use axum::body::Body;
use axum::extract::{Extension, FromRequestParts, Path, Query, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use job_queue::JobStatus;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::AppState;
use super::accept::StreamForm;
use super::batch::BatchAnswer;
use super::body::JsonBody;
use super::events::{StreamEvent, WantedStream};
use super::job_stream::JobWatch;
use super::places::BatchPlace;
use super::questions::UnreadProblems;
use crate::jobs::{
    JobAnswer, JobKind, JobQuestion, JobStateName, MatchAnswer, ResultBody, SelfPlayAnswer,
    StudyAnswer, TakenJob, UnreadJob,
};
use crate::problem::{Problem, ProblemCode};
use crate::service::{Client, Priority, RequestInfo};
use catalog::review::ReviewAnswer;
use games::notation::in_plain_words;

/// Where jobs are.
pub(super) const ROUTE: &str = "/v1/jobs";

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// Longest idempotency key in bytes.
const LONGEST_KEY: usize = 128;
/// Largest number that every JSON reader knows.
const LAST_ID: u64 = (1 << 53) - 1;
/// Most jobs in a list.
const MOST_LISTED: u32 = 100;

/// How many jobs are listed at most.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "u32")]
struct ListLimit(u32);

impl Default for ListLimit {
    fn default() -> Self {
        Self(MOST_LISTED)
    }
}

impl TryFrom<u32> for ListLimit {
    type Error = String;

    fn try_from(limit: u32) -> Result<Self, String> {
        let wrong = || format!("must be from 1 to {MOST_LISTED}, got {limit}");
        (1..=MOST_LISTED).contains(&limit).then_some(Self(limit)).ok_or_else(wrong)
    }
}

/// Id of a result of a job: its place in the order in which they came, from 1; 0 is before the first one.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(try_from = "u64")]
struct EventId(u64);

impl TryFrom<u64> for EventId {
    type Error = String;

    fn try_from(id: u64) -> Result<Self, String> {
        let wrong = || format!("must be at most {LAST_ID}, got {id}");
        (id <= LAST_ID).then_some(Self(id)).ok_or_else(wrong)
    }
}

/// Which jobs are wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct JobsWanted {
    /// Those in this state.
    state: Option<JobStateName>,
    /// Those of this kind.
    kind: Option<JobKind>,
    /// No more than so many; 100 unless given.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100)]
    limit: ListLimit,
}

/// Which results are wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ResultsWanted {
    /// Those after this id; 0, before the first one, unless given.
    #[serde(default)]
    #[param(value_type = Option<u64>, maximum = 9_007_199_254_740_991_i64)]
    after: EventId,
}

/// The client's jobs.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct JobList {
    /// The latest first.
    jobs: Vec<JobAnswer>,
}

/// The answer of a job that is done.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "read for the OpenAPI document only")]
pub(super) enum JobResult {
    /// Of a batch.
    #[schema(title = "BatchJobResult")]
    Batch(BatchAnswer),
    /// Of a review.
    #[schema(title = "ReviewJobResult")]
    Review(Box<ReviewAnswer>),
    /// Of a match.
    #[schema(title = "MatchJobResult")]
    Match(MatchAnswer),
    /// Of self-play.
    #[schema(title = "SelfPlayJobResult")]
    Selfplay(SelfPlayAnswer),
    /// Of a study.
    #[schema(title = "StudyJobResult")]
    Study(StudyAnswer),
}

/// The value of a query.
pub(super) struct Queried<T>(T);

impl<T: DeserializeOwned> FromRequestParts<AppState> for Queried<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let query = Query::from_request_parts(parts, state).await;
        query
            .map(|Query(value)| Self(value))
            .map_err(|why| Problem::new(ProblemCode::InvalidRequest, in_query(&why.body_text())))
    }
}

/// What is wrong in a query, such as `Failed to deserialize query string: limit: must be from 1 to 100, got 0`, in the
/// words of this service.
fn in_query(told: &str) -> String {
    let told = told.split_once("query string: ").map_or(told, |(_, told)| told);
    let told = told.replace("invalid digit found in string", "expected a whole number");
    match told.split_once(": ") {
        Some((name, told)) => format!("`{name}` in the query: {}", in_plain_words(told)),
        None => format!("in the query: {}", in_plain_words(&told)),
    }
}

/// The job that the path names, if the client may see it.
pub(super) struct FoundJob(JobStatus);

impl FromRequestParts<AppState> for FoundJob {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let client = parts.extensions.get::<Client>().copied().expect("the access log names it");
        match Path::<String>::from_request_parts(parts, state).await {
            Ok(Path(id)) => state.jobs.find(&id, client).await.map(Self),
            Err(why) => Err(Problem::new(ProblemCode::UnknownJob, why.body_text())),
        }
    }
}

/// Takes work that outlasts the request: a long batch, the review of a game, a match, self-play, or the study of an
/// opening. It is done when slots are idle, and goes on after a restart where the service has a place to keep it.
#[utoipa::path(
    post, path = "/v1/jobs", tag = "jobs", request_body = JobQuestion,
    params(("Idempotency-Key" = Option<String>, Header, description = "Your name for the job, at most 128 bytes: the same one with the same body is the same job", example = "game-of-tuesday")),
    responses(
        (status = 202, description = "It waits for idle slots; `Location` is its path", body = JobAnswer),
        (status = 200, description = "It came before under the same `Idempotency-Key`", body = JobAnswer),
        UnreadProblems,
        (status = 404, description = "Unknown game or algorithm", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "An unknown kind, or a question that the direct endpoint would refuse", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "Too busy to read it, or the store is full; see Retry-After", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn create(
    State(state): State<AppState>,
    headers: HeaderMap,
    _place: BatchPlace,
    body: JsonBody<UnreadJob>,
) -> Result<Response, Problem> {
    let key = idempotency_key(&headers)?;
    let TakenJob { status, is_new } = state.jobs.create(body.value, key, body.request).await?;
    let job = state.jobs.answer(&status);
    let code = if is_new { StatusCode::ACCEPTED } else { StatusCode::OK };
    let location = [(header::LOCATION, job.links.own.clone())];
    Ok((code, location, Json(job)).into_response())
}

fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let Some(key) = headers.get(IDEMPOTENCY_KEY) else { return Ok(None) };
    match key.to_str() {
        Ok(key) if (1..=LONGEST_KEY).contains(&key.len()) => Ok(Some(key.to_owned())),
        _ => {
            let detail = format!("`Idempotency-Key` must have 1 to {LONGEST_KEY} bytes of ASCII");
            Err(Problem::new(ProblemCode::InvalidRequest, detail))
        }
    }
}

/// The client's jobs, the latest first.
#[utoipa::path(
    get, path = "/v1/jobs", tag = "jobs", params(JobsWanted),
    responses(
        (status = 200, description = "Jobs of this key, or of this address", body = JobList),
        (status = 422, description = "A filter that is none", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn list(
    State(state): State<AppState>,
    Extension(client): Extension<Client>,
    Queried(wanted): Queried<JobsWanted>,
) -> Result<Json<JobList>, Problem> {
    let JobsWanted { state: wanted, kind, limit: ListLimit(limit) } = wanted;
    let jobs = state.jobs.list(client, wanted.map(Into::into), kind, limit).await?;
    Ok(Json(JobList { jobs: jobs.iter().map(|status| state.jobs.answer(status)).collect() }))
}

/// How a job is, with results so far.
#[utoipa::path(
    get, path = "/v1/jobs/{id}", tag = "jobs",
    params(("id" = String, Path, description = "The job's id"), ResultsWanted),
    responses(
        (status = 200, description = "The job", body = JobAnswer),
        (status = 404, description = "No such job", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "A query that is none", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn status(
    State(state): State<AppState>,
    FoundJob(status): FoundJob,
    Queried(ResultsWanted { after: EventId(after) }): Queried<ResultsWanted>,
) -> Result<Json<JobAnswer>, Problem> {
    let items = state.jobs.items(&status, after).await?;
    Ok(Json(JobAnswer { results: Some(items), ..state.jobs.answer(&status) }))
}

/// Cancels a job: no item is begun any more, and those that are being searched stop. A job that is over stays as it is.
#[utoipa::path(
    delete, path = "/v1/jobs/{id}", tag = "jobs",
    params(("id" = String, Path, description = "The job's id")),
    responses(
        (status = 200, description = "The job as it is now", body = JobAnswer),
        (status = 404, description = "No such job", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn cancel(
    State(state): State<AppState>,
    FoundJob(status): FoundJob,
) -> Result<Json<JobAnswer>, Problem> {
    let status = state.jobs.cancel(&status).await?;
    Ok(Json(state.jobs.answer(&status)))
}

/// The answer of a job that is done, by its kind.
#[utoipa::path(
    get, path = "/v1/jobs/{id}/result", tag = "jobs",
    params(("id" = String, Path, description = "The job's id")),
    responses(
        (
            status = 200,
            description = "As the direct endpoint of the kind answers, if there is one",
            body = JobResult,
        ),
        (status = 404, description = "No such job", body = Problem, content_type = "application/problem+json"),
        (status = 409, description = "Not done yet; see Retry-After", body = Problem, content_type = "application/problem+json"),
        (status = 410, description = "Cancelled", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn result(
    State(state): State<AppState>,
    Extension(client): Extension<Client>,
    FoundJob(status): FoundJob,
) -> Result<Response, Problem> {
    let (arrived, priority) = (Instant::now(), Priority::Interactive);
    let request = RequestInfo { client, arrived, bytes: 0, longest: None, priority };
    let body = match state.jobs.result(&status, request).await? {
        ResultBody::Whole(body) => Body::from(body),
        ResultBody::Stream(pieces) => Body::from_stream(pieces),
    };
    let json = HeaderValue::from_static("application/json");
    Ok(([(header::CONTENT_TYPE, json)], body).into_response())
}

/// The results of a job as they come, and at last the job. Who has lost the connection goes on with `Last-Event-ID`.
#[utoipa::path(
    get, path = "/v1/jobs/{id}/events", tag = "jobs",
    params(
        ("id" = String, Path, description = "The job's id"),
        ("Last-Event-ID" = Option<u64>, Header, description = "The last event that was received", minimum = 0, maximum = 9_007_199_254_740_991_i64),
    ),
    responses(
        (
            status = 200,
            description = "Lines, or server-sent events to those that prefer `text/event-stream` in `Accept`",
            content((StreamEvent = "application/x-ndjson"), (StreamEvent = "text/event-stream")),
        ),
        (status = 404, description = "No such job", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "A `Last-Event-ID` that is none", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn events(
    State(state): State<AppState>,
    headers: HeaderMap,
    stream: WantedStream,
    FoundJob(status): FoundJob,
) -> Result<Response, Problem> {
    let EventId(after) = last_event_id(&headers)?;
    let watch = JobWatch { jobs: state.jobs.clone(), status, after };
    let form = stream.form.unwrap_or(StreamForm::Lines);
    Ok(stream.respond(form, watch.steps().boxed()))
}

/// The last event that a client has received.
fn last_event_id(headers: &HeaderMap) -> Result<EventId, Problem> {
    let Some(id) = headers.get(LAST_EVENT_ID) else { return Ok(EventId::default()) };
    let id = id.to_str().ok().and_then(|id| EventId::try_from(id.parse::<u64>().ok()?).ok());
    let detail = "`Last-Event-ID` must be the id of an event of this job, a whole number";
    id.ok_or_else(|| Problem::new(ProblemCode::InvalidRequest, detail))
}
