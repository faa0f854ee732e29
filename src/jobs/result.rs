//! The answer of a job that is done: what the direct endpoint would have answered.

use axum::body::Bytes;
use catalog::review::ReviewQuestion;
use futures_util::stream::{self, BoxStream, StreamExt};
use job_queue::{ItemResult, JobState, JobStatus, QueueError};

use super::answer::written;
use super::kind::JobKind;
use super::{Jobs, PAGE, review};
use crate::problem::{Problem, ProblemCode};
use crate::service::RequestInfo;

/// An answer in JSON.
pub(crate) enum ResultBody {
    /// Whole.
    Whole(Vec<u8>),
    /// Piece by piece: ten thousand answers have a hundred megabytes.
    Stream(BoxStream<'static, Result<Bytes, QueueError>>),
}

impl Jobs {
    /// The answer.
    ///
    /// # Errors
    /// When there is none yet, or will be none.
    pub(crate) async fn result(
        &self,
        job: &JobStatus,
        request: RequestInfo,
    ) -> Result<ResultBody, Problem> {
        match job.state {
            JobState::Done => {}
            JobState::Cancelled => {
                let detail = "the job was cancelled: it has no answer, only the results so far";
                return Err(Problem::new(ProblemCode::JobCancelled, detail));
            }
            JobState::Waiting | JobState::Running => {
                let ended = job.done + job.failed;
                let detail = format!("{ended} of {} items have ended; see its events", job.items);
                let problem = Problem::new(ProblemCode::JobUnfinished, detail);
                return Err(problem.retry(super::UNTIL_ROOM));
            }
        }
        match JobKind::of(job) {
            JobKind::Batch => Ok(ResultBody::Stream(self.batch_result(job))),
            JobKind::Review => self.review_result(job, request).await.map(ResultBody::Whole),
        }
    }

    /// Answers of a batch in the order of its questions.
    fn batch_result(&self, job: &JobStatus) -> BoxStream<'static, Result<Bytes, QueueError>> {
        let item = |result: Result<ItemResult, QueueError>| {
            let result = result?;
            let comma = if result.item == 0 { "" } else { "," };
            let item = JobKind::Batch.item(&result).result;
            Ok(Bytes::from(format!("{comma}{}", item.text())))
        };
        let ends = |text: &'static str| stream::iter([Ok(Bytes::from(text))]);
        let items = self.results(job).map(item);
        ends("{\"answers\":[").chain(items).chain(ends("]}")).boxed()
    }

    async fn review_result(
        &self,
        job: &JobStatus,
        request: RequestInfo,
    ) -> Result<Vec<u8>, Problem> {
        let results: Vec<_> = self.results(job).collect().await;
        let results = results.into_iter().collect::<Result<Vec<_>, _>>()?;
        let positions: Vec<_> = results.iter().map(review::position).collect();
        let head = self.queue.head(job.id).await?.unwrap_or_default();
        let question: ReviewQuestion = crate::json::parse(&head)?;
        let plan = self.service.plan_review(question, request).await?;
        if plan.positions() != positions.len() {
            tracing::error!(job = %job.id, "another version of the program has cut this review");
            return Err(crate::problem::internal());
        }
        Ok(written(&plan.review(&positions)))
    }

    /// All results in the order of the items; an error if some are gone, for a job expires whoever reads it.
    fn results(&self, job: &JobStatus) -> BoxStream<'static, Result<ItemResult, QueueError>> {
        let (queue, items, job) = (self.queue.clone(), job.items, job.id);
        let page = move |from: Option<u32>| {
            let queue = queue.clone();
            async move {
                let from = from.filter(|&from| from < items)?;
                let page = queue.results(job, from, PAGE).await.and_then(|page| {
                    let gone = || QueueError::Broken("the job has expired".to_owned());
                    page.last().map(|last| last.item + 1).map(|next| (page, next)).ok_or_else(gone)
                });
                Some(match page {
                    Ok((page, next)) => {
                        (stream::iter(page.into_iter().map(Ok).collect::<Vec<_>>()), Some(next))
                    }
                    Err(why) => (stream::iter(vec![Err(why)]), None),
                })
            }
        };
        stream::unfold(Some(0), page).flatten().boxed()
    }
}
