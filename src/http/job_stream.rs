//! The results of a job as a stream: each once, as they come, and at last the job.

use futures_util::stream::{self, Stream, StreamExt};
use job_queue::JobStatus;

use super::events::{StreamEvent, StreamStep};
use crate::jobs::Jobs;
use crate::problem::Problem;

/// A client that watches a job.
pub(super) struct JobWatch {
    pub(super) jobs: Jobs,
    pub(super) status: JobStatus,
    /// The last result that was told.
    pub(super) after: u64,
}

impl JobWatch {
    /// What is told: results as they come, how far the job is after each of them, and at last the job as it ended.
    pub(super) fn steps(self) -> impl Stream<Item = StreamStep> + Send {
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
            let job = self.jobs.answer(&self.status);
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
