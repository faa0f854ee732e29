//! Batches: many questions in one request, each answered as if it had come alone.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, StreamExt};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::body::{JsonAnswer, JsonBody};
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
#[derive(Debug, Serialize, ToSchema)]
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

/// Best moves of many positions: each question is answered as if it had come alone, by the same client.
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
    let patience = Mutex::new(state.service.max_wait());
    let runner = BatchRunner { state, request: body.request, id: &id, patience };
    let items = questions.into_iter().enumerate().map(|(index, text)| runner.item(index, text));
    let answers: Vec<_> = stream::iter(items).buffered(at_once).collect().await;
    let failed = answers.iter().filter(|item| matches!(item, BatchItem::Failed { .. })).count();
    let summary = BatchSummary { questions: answers.len(), failed };
    Ok((Extension(summary), left, JsonAnswer(BatchAnswer { answers })).into_response())
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

/// Answers the questions of one batch.
struct BatchRunner<'a> {
    state: AppState,
    request: RequestInfo,
    id: &'a str,
    /// Time that the batch may still wait to ask busy slots again; all of its questions share it.
    patience: Mutex<Duration>,
}

impl BatchRunner<'_> {
    /// What becomes of a question.
    async fn item(&self, index: usize, text: Box<RawValue>) -> BatchItem {
        match self.answer(text.get().as_bytes()).await {
            Ok(searched) => {
                metrics::searched(&searched);
                BatchItem::answered(searched.answer)
            }
            Err(why) => {
                metrics::refusal(why.code);
                let why = why.under(&format!("/questions/{index}")).with_request_id(self.id);
                BatchItem::failed(why)
            }
        }
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

    /// Takes so much of the batch's patience, if that is left.
    fn may_wait(&self, time: Duration) -> bool {
        let mut patience = self.patience.lock().unwrap_or_else(PoisonError::into_inner);
        let left = patience.checked_sub(time);
        *patience = left.unwrap_or(*patience);
        left.is_some()
    }
}
