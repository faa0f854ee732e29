//! Batches: each question is an item. Those of one game lie together, so that tables warm.

use std::time::Duration;

use catalog::answer::Answer;
use catalog::question::Question;
use job_queue::{ItemOutcome, ItemResult, NewPiece};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::answer::{JobItemResult, written};
use super::kind::{CutItem, CutJob, JobReading, cut_items};
use crate::json::{longer_than, parse};
use crate::problem::{Problem, ProblemCode};
use crate::service::{Failure, RequestInfo, SearchTold, Service};

/// Most questions of a batch that is a job.
pub(crate) const MOST_JOB_QUESTIONS: usize = 10_000;

/// What became of a question.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum BatchItem {
    /// It is answered.
    #[schema(title = "AnsweredItem")]
    Answered {
        /// 200.
        status: u16,
        /// The answer.
        answer: Box<Answer>,
    },
    /// It is not.
    #[schema(title = "FailedItem")]
    Failed {
        /// The status that it would have had alone.
        status: u16,
        /// Why; its pointers lead into the batch.
        problem: Box<Problem>,
    },
}

impl BatchItem {
    /// A question that is answered.
    pub(crate) fn answered(answer: Answer) -> Self {
        Self::Answered { status: 200, answer: Box::new(answer) }
    }

    /// A question that is not.
    pub(crate) fn failed(problem: Problem) -> Self {
        Self::Failed { status: problem.status, problem: Box::new(problem) }
    }
}

/// Questions that are asked together.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JobBatch {
    /// Questions as for `/v1/bestmove`; `deadline_ms` counts from the time when the turn comes to its question.
    #[schema(value_type = Vec<Question>, max_items = 10_000)]
    pub(super) questions: Vec<Box<RawValue>>,
}

/// Questions for one worker.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct BatchPiece {
    questions: Vec<Box<RawValue>>,
    /// Their places in the batch.
    items: Vec<u32>,
    /// Longest search that the client may ask for.
    longest: Option<Duration>,
}

/// Checks every question, and cuts the batch.
pub(super) fn cut(batch: &JobBatch, reading: &JobReading<'_>) -> Result<CutJob, Problem> {
    let questions = &batch.questions;
    if questions.len() > MOST_JOB_QUESTIONS {
        let detail = format!(
            "a job has at most {MOST_JOB_QUESTIONS} questions, this one has {}",
            questions.len()
        );
        return Err(Problem::new(ProblemCode::InvalidRequest, &detail).at("/questions", detail));
    }
    let mut items = Vec::with_capacity(questions.len());
    for (item, text) in (0..).zip(questions) {
        let checked = check(text, reading);
        let (game, expected) = checked.map_err(|why| why.under(&format!("/questions/{item}")))?;
        items.push((game, CutItem { item, expected, bytes: text.get().len() }));
    }
    items.sort();
    let in_order: Vec<_> = items.into_iter().map(|(_, item)| item).collect();
    let piece = |items: Vec<u32>| {
        let questions = items.iter().map(|&item| questions[item as usize].clone()).collect();
        let longest = reading.request.longest;
        let piece = BatchPiece { questions, items: items.clone(), longest };
        NewPiece { items, payload: written(&piece) }
    };
    Ok(CutJob { head: Vec::new(), pieces: cut_items(&in_order).into_iter().map(piece).collect() })
}

/// The game of a question, and how long it may take.
fn check(text: &RawValue, reading: &JobReading<'_>) -> Result<(String, Duration), Problem> {
    if text.get().len() > reading.longest_question {
        return Err(longer_than(reading.longest_question));
    }
    let question: Question = parse(text.get().as_bytes())?;
    let expected = reading.expected(&question)?;
    Ok((question.game, expected))
}

impl BatchPiece {
    pub(super) async fn item(
        &self,
        place: usize,
        service: &Service,
        told: SearchTold,
    ) -> Result<(ItemOutcome, Vec<u8>), Failure> {
        let text = self.questions[place].get();
        let failed = |why: Problem| {
            let why = why.under(&format!("/body/questions/{}", self.items[place]));
            Ok((ItemOutcome::Failed, written(&BatchItem::failed(why))))
        };
        let question: Question = match parse(text.as_bytes()) {
            Ok(question) => question,
            Err(why) => return failed(why),
        };
        let request = RequestInfo::of_job(text.len(), self.longest);
        let searched = async { service.ask(question, request).await?.answer().await };
        match searched.await {
            Ok(searched) => {
                told(&searched);
                Ok((ItemOutcome::Done, written(&BatchItem::answered(searched.answer))))
            }
            Err(why) if why.is_of_the_moment() => Err(why),
            Err(why) => failed(why.into()),
        }
    }
}

/// A result as clients see it: it was written so.
pub(super) fn told(result: &ItemResult) -> JobItemResult {
    if result.outcome == ItemOutcome::Abandoned {
        return JobItemResult::of(&BatchItem::failed(abandoned()));
    }
    JobItemResult::read(&result.body)
}

/// The problem of an item that ends the process of whoever searches it.
pub(super) fn abandoned() -> Problem {
    let detail =
        "every process that searched this has ended without a result; it is not tried again";
    Problem::new(ProblemCode::Abandoned, detail)
}
