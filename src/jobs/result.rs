//! The answer of a job that is done: what the direct endpoint would have answered.

use axum::body::Bytes;
use catalog::review::ReviewQuestion;
use catalog::{Allowance, Catalog};
use futures_util::stream::{self, BoxStream, StreamExt, TryStreamExt};
use job_queue::{ItemResult, JobState, JobStatus, QueueError};

use super::answer::written;
use super::kind::JobKind;
use super::study::StudyQuestion;
use super::{Jobs, PAGE, matches, review, self_play, study};
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
            JobKind::Match => {
                Ok(ResultBody::Whole(written(&matches::answer(&self.all(job).await?))))
            }
            JobKind::Selfplay => {
                Ok(ResultBody::Whole(written(&self_play::answer(&self.all(job).await?))))
            }
            JobKind::Study => self.study_result(job, request).await.map(ResultBody::Whole),
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
        let results = self.all(job).await?;
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

    async fn study_result(
        &self,
        job: &JobStatus,
        request: RequestInfo,
    ) -> Result<Vec<u8>, Problem> {
        let results = self.all(job).await?;
        let head = self.queue.head(job.id).await?.unwrap_or_default();
        let question: StudyQuestion = crate::json::parse(&head)?;
        let answer = move |catalog: &Catalog, _: &Allowance| {
            study::answer(&question, catalog, &results).map(|answer| written(&answer))
        };
        self.service.read_job(request, answer).await?
    }

    /// All results, whole.
    async fn all(&self, job: &JobStatus) -> Result<Vec<ItemResult>, Problem> {
        Ok(self.results(job).try_collect().await?)
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
