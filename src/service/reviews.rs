//! Ratings and reviews: questions of one client, one after the other, each admitted like any other.

use std::sync::Arc;
use std::time::Instant;

use catalog::question::Question;
use catalog::review::{
    PositionSearches, RateAnswer, RateQuestion, ReviewAnswer, ReviewPlan, ReviewProgress,
    ReviewQuestion, SearchedPosition,
};
use catalog::{Catalog, Refusal};
use futures_util::stream::{self, Stream};

use super::reading::UnreadQuestion;
use super::{Failure, RequestInfo, Searched, Service};

/// Is told of each search of a review.
pub type SearchTold = fn(&Searched);

impl Service {
    /// Rates a played move.
    ///
    /// # Errors
    /// The reason for a missing answer.
    pub async fn rate(
        &self,
        question: RateQuestion,
        request: RequestInfo,
        told: SearchTold,
    ) -> Result<RateAnswer, Failure> {
        let plan = self.plan(question.into(), request, Catalog::plan_rating).await?;
        let searched = self.positions_of(&plan, request, told).await?;
        Ok(plan.rating(&searched[0]))
    }

    /// Reviews a game.
    ///
    /// # Errors
    /// The reason for a missing answer.
    pub async fn review(
        &self,
        question: ReviewQuestion,
        request: RequestInfo,
        told: SearchTold,
    ) -> Result<ReviewAnswer, Failure> {
        let plan = self.plan_review(question, request).await?;
        let searched = self.positions_of(&plan, request, told).await?;
        Ok(plan.review(&searched))
    }

    /// Reviews a game and tells how far it is.
    ///
    /// # Errors
    /// When the question is wrong, or cannot be read now.
    pub async fn look_on_review(
        self: &Arc<Self>,
        question: ReviewQuestion,
        request: RequestInfo,
        told: SearchTold,
    ) -> Result<impl Stream<Item = ReviewNews> + Send + use<>, Failure> {
        let plan = self.plan_review(question, request).await?;
        let run =
            ReviewRun { service: Arc::clone(self), plan, request, told, searched: Vec::new() };
        Ok(stream::unfold(Some(run), |run| async { run?.next().await }))
    }

    /// The searches of a review.
    ///
    /// # Errors
    /// When the question is wrong, or cannot be read now.
    pub async fn plan_review(
        &self,
        question: ReviewQuestion,
        request: RequestInfo,
    ) -> Result<ReviewPlan, Failure> {
        self.plan(question, request, Catalog::plan_review).await
    }

    async fn plan(
        &self,
        question: ReviewQuestion,
        request: RequestInfo,
        plan: fn(&Catalog, &ReviewQuestion) -> Result<ReviewPlan, Refusal>,
    ) -> Result<ReviewPlan, Failure> {
        let (game, is_light) = (question.game.clone(), false);
        let reading = UnreadQuestion { game, is_light, halfway: None };
        let allowance = self.inner.config.allowance.for_client(request.longest);
        let question = question.within(&allowance).map_err(Failure::Refused)?;
        let work = move |catalog: &Catalog| plan(catalog, &question);
        self.read(reading, request, work).await?.map_err(Failure::Refused)
    }

    /// Searches the positions of a plan. The client has one of them in a slot at a time; between two, others
    /// have their turn.
    async fn positions_of(
        &self,
        plan: &ReviewPlan,
        request: RequestInfo,
        told: SearchTold,
    ) -> Result<Vec<SearchedPosition>, Failure> {
        let mut positions = Vec::new();
        for index in 0..plan.positions() {
            positions.push(self.search_position(plan, index, request, told).await?);
        }
        Ok(positions)
    }

    /// Searches the position of a plan with this number.
    ///
    /// # Errors
    /// The reason for a missing answer.
    pub async fn search_position(
        &self,
        plan: &ReviewPlan,
        index: usize,
        request: RequestInfo,
        told: SearchTold,
    ) -> Result<SearchedPosition, Failure> {
        let mut so_far = PositionSearches::default();
        while let Some((step, question)) = plan.next_question(index, &so_far) {
            let searched = self.patiently(&question, request).await?;
            told(&searched);
            so_far.note(step, searched.answer);
        }
        Ok(plan.settled(index, &so_far))
    }

    /// Answers a question that may be refused as often as a question may wait: what has been searched before it
    /// would be lost.
    async fn patiently(
        &self,
        question: &Question,
        request: RequestInfo,
    ) -> Result<Searched, Failure> {
        let latest = Instant::now() + self.inner.config.patience(request.priority);
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
                answered => return answered,
            }
        }
    }
}

/// What is told of a review.
pub enum ReviewNews {
    /// A position has been searched.
    Position(ReviewProgress),
    /// The last news.
    End(Result<Box<ReviewAnswer>, Failure>),
}

/// A review at work.
struct ReviewRun {
    service: Arc<Service>,
    plan: ReviewPlan,
    request: RequestInfo,
    told: SearchTold,
    searched: Vec<SearchedPosition>,
}

impl ReviewRun {
    /// The next news, and the rest of the work.
    async fn next(mut self) -> Option<(ReviewNews, Option<Self>)> {
        let (done, of) = (self.searched.len(), self.plan.positions());
        if done == of {
            return Some((ReviewNews::End(Ok(Box::new(self.plan.review(&self.searched)))), None));
        }
        let searched =
            self.service.search_position(&self.plan, done, self.request, self.told).await;
        let position = match searched {
            Ok(position) => position,
            Err(why) => return Some((ReviewNews::End(Err(why)), None)),
        };
        let news = ReviewNews::Position(ReviewProgress {
            done: done + 1,
            of,
            win_probability: position.win_probability,
            best_move: position.best_move.clone(),
        });
        self.searched.push(position);
        Some((news, Some(self)))
    }
}
