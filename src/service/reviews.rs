//! Ratings and reviews: questions of one client, one after the other, each admitted like any other.

use std::time::Instant;

use catalog::answer::Answer;
use catalog::question::Question;
use catalog::review::{RateAnswer, RateQuestion, ReviewAnswer, ReviewPlan, ReviewQuestion};
use catalog::{Catalog, Refusal};

use super::reading::UnreadQuestion;
use super::{Failure, RequestInfo, Service};

impl Service {
    /// Rates a played move.
    ///
    /// # Errors
    /// The reason for a missing answer.
    pub async fn rate(
        &self,
        question: RateQuestion,
        request: RequestInfo,
    ) -> Result<RateAnswer, Failure> {
        let plan = self.plan(question.into(), request, Catalog::plan_rating).await?;
        let answers = self.answers(&plan, request).await?;
        Ok(plan.rating(&answers[0]))
    }

    /// Reviews a game.
    ///
    /// # Errors
    /// The reason for a missing answer.
    pub async fn review(
        &self,
        question: ReviewQuestion,
        request: RequestInfo,
    ) -> Result<ReviewAnswer, Failure> {
        let plan = self.plan(question, request, Catalog::plan_review).await?;
        let answers = self.answers(&plan, request).await?;
        Ok(plan.review(&answers))
    }

    async fn plan(
        &self,
        question: ReviewQuestion,
        request: RequestInfo,
        plan: fn(&Catalog, &ReviewQuestion) -> Result<ReviewPlan, Refusal>,
    ) -> Result<ReviewPlan, Failure> {
        let (game, is_light) = (question.game.clone(), false);
        let reading = UnreadQuestion { game, is_light, halfway: None };
        let work = move |catalog: &Catalog| plan(catalog, &question);
        self.read(reading, request, work).await?.map_err(Failure::Refused)
    }

    /// Answers to the questions of a plan. The client has one of them in a slot at a time; between two, others
    /// have their turn.
    async fn answers(
        &self,
        plan: &ReviewPlan,
        request: RequestInfo,
    ) -> Result<Vec<Answer>, Failure> {
        let mut answers = Vec::new();
        for question in plan.questions() {
            answers.push(self.patiently(question, request).await?);
        }
        Ok(answers)
    }

    /// Answers a question that may be refused as often as a question may wait: what has been searched before it
    /// would be lost.
    async fn patiently(
        &self,
        question: &Question,
        request: RequestInfo,
    ) -> Result<Answer, Failure> {
        let latest = Instant::now() + self.inner.config.max_wait;
        loop {
            let request = RequestInfo { arrived: Instant::now(), ..request };
            let answered = match self.ask(question.clone(), request).await {
                Ok(waiter) => waiter.answer().await,
                Err(why) => Err(why),
            };
            match answered {
                Err(Failure::Busy(busy)) if Instant::now() + busy.retry_after < latest => {
                    tokio::time::sleep(busy.retry_after).await;
                }
                answered => return answered.map(|searched| searched.answer),
            }
        }
    }
}
