//! Batches: many questions in one request, each answered as if it had come alone.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, StreamExt};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::body::{JsonBody, JsonText};
use super::places::BatchPlace;
use super::questions::UnreadProblems;
use super::quota::Admitted;
use super::{AppState, RequestId, metrics};
use crate::jobs::{BatchItem, MOST_JOB_QUESTIONS};
use crate::json::{longer_than, parse};
use crate::problem::{Problem, ProblemCode};
use crate::service::{Failure, RequestInfo, Searched};
use catalog::question::Question;

/// Where batches are asked.
pub(super) const ROUTE: &str = "/v1/batch";

/// Most questions of a batch.
const MOST_QUESTIONS: usize = 256;

/// Questions that are asked together.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct BatchQuestion {
    /// Questions as for `/v1/bestmove`; `deadline_ms` counts from the time when the turn comes to its question.
    #[schema(value_type = Vec<Question>, max_items = 256)]
    questions: Vec<Box<RawValue>>,
}

/// Answers in the order of their questions.
#[derive(Serialize, ToSchema)]
pub(super) struct BatchAnswer {
    /// An answer or a problem for each question.
    answers: Vec<BatchItem>,
}

/// What the log says of a batch.
#[derive(Clone, Copy, Debug)]
pub(super) struct BatchSummary {
    pub(super) questions: usize,
    pub(super) failed: usize,
}

/// Best moves of many positions: each question is answered as if it had come alone, by the same client. All answers together
/// have 16 MiB at most, less where the service has little memory.
#[utoipa::path(
    post, path = "/v1/batch", tag = "search", request_body = BatchQuestion,
    responses(
        (status = 200, description = "An answer or a problem for each question, in their order", body = BatchAnswer),
        UnreadProblems,
        (status = 422, description = "No list of at most 256 questions, or more than the client's quota ever allows at once", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "As many batches are being answered as there are places for; see Retry-After", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn batch(
    State(state): State<AppState>,
    RequestId(id): RequestId,
    _place: BatchPlace,
    admitted: Option<Extension<Admitted>>,
    body: JsonBody<BatchQuestion>,
) -> Result<Response, Problem> {
    let questions = body.value.questions;
    check_length(questions.len())?;
    let mut at_once = state.service.slots() as usize;
    let mut left = None;
    if let Some(Extension(admitted)) = admitted {
        left = admitted.count_all(questions.len())?.map(Extension);
        at_once = at_once.min(admitted.at_a_time());
    }
    let left_over = LeftOver { patience: state.service.max_wait(), bytes: state.batches.answers };
    let (left_over, failed) = (Mutex::new(left_over), AtomicUsize::new(0));
    let runner = BatchRunner { state, request: body.request, id: &id, left_over, failed };
    let items = questions.into_iter().enumerate().map(|(index, text)| runner.item(index, text));
    let answers: Vec<_> = stream::iter(items).buffered(at_once).collect().await;
    let summary = BatchSummary { questions: answers.len(), failed: runner.failed.into_inner() };
    Ok((Extension(summary), left, JsonText(whole(&answers))).into_response())
}

fn check_length(questions: usize) -> Result<(), Problem> {
    if questions <= MOST_QUESTIONS {
        return Ok(());
    }
    let detail = format!(
        "a batch has at most {MOST_QUESTIONS} questions, this one has {questions}; as a job, POST /v1/jobs, it may have \
         {MOST_JOB_QUESTIONS}"
    );
    Err(Problem::new(ProblemCode::InvalidRequest, &detail).at("/questions", detail))
}

/// What the questions of a batch share and have not used up.
struct LeftOver {
    /// Time to ask busy slots again.
    patience: Duration,
    /// Length of answers.
    bytes: usize,
}

/// Answers the questions of one batch.
struct BatchRunner<'a> {
    state: AppState,
    request: RequestInfo,
    id: &'a str,
    left_over: Mutex<LeftOver>,
    failed: AtomicUsize,
}

impl BatchRunner<'_> {
    /// What becomes of a question, as JSON.
    async fn item(&self, index: usize, text: Box<RawValue>) -> Box<RawValue> {
        let answered = self.answer(text.get().as_bytes()).await;
        let written = answered.and_then(|searched| {
            metrics::searched(&searched);
            let item = raw(&BatchItem::answered(searched.answer));
            self.take_bytes(item.get().len()).map(|()| item)
        });
        written.unwrap_or_else(|why| {
            metrics::refusal(why.code);
            self.failed.fetch_add(1, Ordering::Relaxed);
            let why = why.under(&format!("/questions/{index}")).with_request_id(self.id);
            raw(&BatchItem::failed(why))
        })
    }

    async fn answer(&self, text: &[u8]) -> Result<Searched, Problem> {
        if text.len() > self.state.max_body_bytes {
            return Err(longer_than(self.state.max_body_bytes));
        }
        let question: Question = parse(text)?;
        loop {
            let request =
                RequestInfo { arrived: Instant::now(), bytes: text.len(), ..self.request };
            match self.ask(question.clone(), request).await {
                Err(Failure::Busy(busy)) if self.may_wait(busy.retry_after) => {
                    tokio::time::sleep(busy.retry_after).await;
                }
                answered => return Ok(answered?),
            }
        }
    }

    async fn ask(&self, question: Question, request: RequestInfo) -> Result<Searched, Failure> {
        self.state.service.ask(question, request).await?.answer().await
    }

    fn left_over(&self) -> MutexGuard<'_, LeftOver> {
        self.left_over.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes so much of the batch's patience, if that is left.
    fn may_wait(&self, time: Duration) -> bool {
        let mut left_over = self.left_over();
        let left = left_over.patience.checked_sub(time);
        left_over.patience = left.unwrap_or(left_over.patience);
        left.is_some()
    }

    /// Takes so much of the length of the answers, if that is left.
    fn take_bytes(&self, bytes: usize) -> Result<(), Problem> {
        let mut left_over = self.left_over();
        let left = left_over.bytes.checked_sub(bytes);
        left_over.bytes = left.unwrap_or(left_over.bytes);
        left.map(drop).ok_or_else(|| {
            let most = self.state.batches.answers;
            let detail = format!(
                "the answers of a batch have at most {most} bytes in all; leave out `trace` and ratings, or ask in \
                 several batches, or as a job: POST /v1/jobs"
            );
            Problem::new(ProblemCode::InvalidRequest, &detail).at("", detail)
        })
    }
}

/// A [`BatchAnswer`] with these answers: written at once, they need no more memory than that.
fn whole(answers: &[Box<RawValue>]) -> Vec<u8> {
    let length = answers.iter().map(|answer| answer.get().len() + 1).sum::<usize>();
    let mut text = Vec::with_capacity(length + 16);
    text.extend(b"{\"answers\":[");
    for (index, answer) in answers.iter().enumerate() {
        if index > 0 {
            text.push(b',');
        }
        text.extend_from_slice(answer.get().as_bytes());
    }
    text.extend(b"]}");
    text
}

fn raw(item: &BatchItem) -> Box<RawValue> {
    serde_json::value::to_raw_value(item).expect("answers have names as keys")
}
