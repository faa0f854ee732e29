//! Handlers of jobs.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::time::Instant;

use axum::Json;
use axum::body::Body;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Extension, Path, Query, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Version, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream, StreamExt};
use job_queue::JobStatus;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::accept::StreamForm;
use super::batch::BatchAnswer;
use super::body::JsonBody;
use super::events::{self, StreamEvent, StreamStep};
use super::half_closed::StreamLink;
use super::places::BatchPlace;
use super::questions::UnreadProblems;
use super::{AppState, request_id};
use crate::jobs::{JobAnswer, JobKind, JobQuestion, JobStateName, Jobs, ResultBody, UnreadJob};
use crate::problem::{Problem, ProblemCode};
use crate::service::{Client, Priority, RequestInfo};
use catalog::review::ReviewAnswer;

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
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
}

/// Which results are wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ResultsWanted {
    /// Those after this id; 0, before the first one, unless given.
    #[param(maximum = 9_007_199_254_740_991_i64)]
    after: Option<u64>,
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
}

impl AppState {
    fn job_answer(&self, status: &JobStatus) -> JobAnswer {
        JobAnswer::new(status, self.jobs.are_durable())
    }
}

/// The value of a query, or a problem.
fn queried<T>(query: Result<Query<T>, QueryRejection>) -> Result<T, Problem> {
    let Query(value) =
        query.map_err(|why| Problem::new(ProblemCode::InvalidRequest, why.body_text()))?;
    Ok(value)
}

/// A number of the query, or a problem if it is none of these.
fn within<T: PartialOrd + Display>(
    name: &str,
    value: T,
    range: RangeInclusive<T>,
) -> Result<T, Problem> {
    if range.contains(&value) {
        return Ok(value);
    }
    let detail = format!("`{name}` must be from {} to {}, got {value}", range.start(), range.end());
    Err(Problem::new(ProblemCode::InvalidRequest, detail))
}

/// The last event that a client has received.
fn last_event_id(headers: &HeaderMap) -> Result<u64, Problem> {
    let Some(id) = headers.get(LAST_EVENT_ID) else { return Ok(0) };
    let id = id.to_str().ok().and_then(|id| id.parse().ok());
    let detail = "`Last-Event-ID` must be the id of an event of this job, a whole number";
    let id = id.ok_or_else(|| Problem::new(ProblemCode::InvalidRequest, detail))?;
    within("Last-Event-ID", id, 0..=LAST_ID)
}

/// The job that a request is about.
async fn found(
    state: &AppState,
    client: Client,
    id: Result<Path<String>, PathRejection>,
) -> Result<JobStatus, Problem> {
    let Path(id) = id.map_err(|why| Problem::new(ProblemCode::UnknownJob, why.body_text()))?;
    state.jobs.find(&id, client).await
}

/// Takes work that outlasts the request: a long batch, or the review of a game. It is done when slots are idle, and goes on
/// after a restart where the service has a place to keep it.
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
    let created = async {
        let key = idempotency_key(&headers)?;
        let (status, is_new) = state.jobs.create(body.value, key, body.request).await?;
        let job = state.job_answer(&status);
        let code = if is_new { StatusCode::ACCEPTED } else { StatusCode::OK };
        let location = [(header::LOCATION, job.links.own.clone())];
        Ok((code, location, Json(job)).into_response())
    };
    created.await.map_err(|why: Problem| why.with_request_id(&request_id(&headers)))
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
    headers: HeaderMap,
    query: Result<Query<JobsWanted>, QueryRejection>,
) -> Result<Json<JobList>, Problem> {
    let listed = async {
        let JobsWanted { state: wanted, kind, limit } = queried(query)?;
        let limit = within("limit", limit.unwrap_or(MOST_LISTED), 1..=MOST_LISTED)?;
        let jobs = state.jobs.list(client, wanted.map(Into::into), kind, limit).await?;
        Ok(Json(JobList { jobs: jobs.iter().map(|status| state.job_answer(status)).collect() }))
    };
    listed.await.map_err(|why: Problem| why.with_request_id(&request_id(&headers)))
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
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    id: Result<Path<String>, PathRejection>,
    query: Result<Query<ResultsWanted>, QueryRejection>,
) -> Result<Json<JobAnswer>, Problem> {
    let told = async {
        let after = within("after", queried(query)?.after.unwrap_or_default(), 0..=LAST_ID)?;
        let status = found(&state, client, id).await?;
        let results = Some(state.jobs.items(&status, after).await?);
        Ok(Json(JobAnswer { results, ..state.job_answer(&status) }))
    };
    told.await.map_err(|why: Problem| why.with_request_id(&request_id(&headers)))
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
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    id: Result<Path<String>, PathRejection>,
) -> Result<Json<JobAnswer>, Problem> {
    let cancelled = async {
        let status = found(&state, client, id).await?;
        Ok(Json(state.job_answer(&state.jobs.cancel(&status).await?)))
    };
    cancelled.await.map_err(|why: Problem| why.with_request_id(&request_id(&headers)))
}

/// The answer of a job that is done: a batch's, or a review.
#[utoipa::path(
    get, path = "/v1/jobs/{id}/result", tag = "jobs",
    params(("id" = String, Path, description = "The job's id")),
    responses(
        (
            status = 200,
            description = "As the direct endpoint of the kind answers",
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
    headers: HeaderMap,
    id: Result<Path<String>, PathRejection>,
) -> Result<Response, Problem> {
    let answered = async {
        let status = found(&state, client, id).await?;
        let (arrived, priority) = (Instant::now(), Priority::Interactive);
        let request = RequestInfo { client, arrived, bytes: 0, longest: None, priority };
        let body = match state.jobs.result(&status, request).await? {
            ResultBody::Whole(body) => Body::from(body),
            ResultBody::Stream(pieces) => Body::from_stream(pieces),
        };
        let json = HeaderValue::from_static("application/json");
        Ok(([(header::CONTENT_TYPE, json)], body).into_response())
    };
    answered.await.map_err(|why: Problem| why.with_request_id(&request_id(&headers)))
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
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    version: Version,
    link: Option<Extension<StreamLink>>,
    id: Result<Path<String>, PathRejection>,
) -> Result<Response, Problem> {
    let streamed = async {
        let status = found(&state, client, id).await?;
        let after = last_event_id(&headers)?;
        let form = StreamForm::wanted(&headers).unwrap_or(StreamForm::Lines);
        let durable = state.jobs.are_durable();
        let watch = JobWatch { jobs: state.jobs.clone(), durable, status, after };
        let link = StreamLink::of(link.as_ref(), version);
        Ok(events::respond(form, watch.steps().boxed(), request_id(&headers), link))
    };
    streamed.await.map_err(|why: Problem| why.with_request_id(&request_id(&headers)))
}

/// A client that watches a job.
struct JobWatch {
    jobs: Jobs,
    durable: bool,
    status: JobStatus,
    /// The last result that was told.
    after: u64,
}

impl JobWatch {
    /// What is told: results as they come, how far the job is after each of them, and at last the job as it ended.
    fn steps(self) -> impl Stream<Item = StreamStep> + Send {
        let steps = stream::unfold(Some(self), |watch| async move {
            let mut watch = watch?;
            match watch.next().await {
                Ok((steps, is_over)) => Some((steps, (!is_over).then_some(watch))),
                Err(why) => Some((vec![StreamStep::Failed(Box::new(why))], None)),
            }
        });
        steps.flat_map(stream::iter)
    }

    /// The next steps, and whether they are the last ones.
    async fn next(&mut self) -> Result<(Vec<StreamStep>, bool), Problem> {
        loop {
            let told = u64::from(self.status.done + self.status.failed);
            let items = self.jobs.items(&self.status, self.after).await?;
            let job = JobAnswer::new(&self.status, self.durable);
            if let Some(last) = items.last() {
                self.after = last.id;
                let item = |item| StreamStep::Event(StreamEvent::Item(Box::new(item)));
                let mut steps: Vec<_> = items.into_iter().map(item).collect();
                if self.after >= told && !self.status.state.is_over() {
                    steps.push(StreamStep::Event(StreamEvent::Job(Box::new(job))));
                }
                return Ok((steps, false));
            }
            if self.status.state.is_over() {
                return Ok((
                    vec![StreamStep::End(Ok((StreamEvent::JobEnd(Box::new(job)), None)))],
                    true,
                ));
            }
            self.status = self.jobs.changed(&self.status).await?;
        }
    }
}
