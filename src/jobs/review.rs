//! Reviews: each position that has to be searched is an item, the last one of the game first.

use std::time::Duration;

use catalog::review::{ReviewPlan, ReviewQuestion, SearchedPosition};
use job_queue::{ItemOutcome, ItemResult, NewPiece};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::{JobItemResult, written};
use super::batch::abandoned;
use super::kind::{CutJob, JobReading, cut_alike};
use crate::problem::Problem;
use crate::service::{Failure, RequestInfo, SearchTold, Service};

/// What is known of a position of the game.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ReviewedPosition {
    /// The expected result of its side to move, from 0 to 1.
    #[schema(required = true)]
    win_probability: Option<f64>,
    /// Its best move.
    #[schema(required = true)]
    best_move: Option<String>,
}

/// Positions for one worker.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ReviewPiece {
    question: ReviewQuestion,
    /// Numbers of the positions, in the order of the plan.
    positions: Vec<u32>,
    /// Longest search that the client may ask for.
    longest: Option<Duration>,
    /// Made for the first of them.
    #[serde(skip)]
    plan: Option<ReviewPlan>,
}

/// Checks a game, and cuts its review.
pub(super) fn cut(question: &ReviewQuestion, reading: &JobReading<'_>) -> Result<CutJob, Problem> {
    let plan = reading.catalog.plan_review(question)?;
    // All positions are searched alike: what is wrong with one search is wrong with all.
    let expected = match plan.whole_question() {
        Some(question) => reading.expected(&question)?,
        None => Duration::ZERO,
    };
    let piece = |positions: Vec<u32>| {
        let (question, longest) = (question.clone(), reading.request.longest);
        let piece = ReviewPiece { question, positions, longest, plan: None };
        NewPiece { payload: written(&piece), items: piece.positions }
    };
    let pieces = cut_alike(plan.positions() as u32, expected);
    Ok(CutJob { pieces: pieces.into_iter().map(piece).collect(), head: written(question) })
}

impl ReviewPiece {
    pub(super) async fn item(
        &mut self,
        place: usize,
        service: &Service,
        told: SearchTold,
    ) -> Result<(ItemOutcome, Vec<u8>), Failure> {
        let request = RequestInfo::of_job(0, self.longest);
        let searched = async {
            let plan = match self.plan.take() {
                Some(plan) => plan,
                None => service.plan_review(self.question.clone(), request).await?,
            };
            let plan = self.plan.insert(plan);
            let index = self.positions[place] as usize;
            if index >= plan.positions() {
                // Another version of the program has cut it.
                return Err(Failure::Panicked);
            }
            service.search_position(plan, index, request, told).await
        };
        match searched.await {
            Ok(position) => Ok((ItemOutcome::Done, position_written(&position))),
            Err(why) if why.is_of_the_moment() => Err(why),
            Err(why) => Ok((ItemOutcome::Failed, written(&Problem::from(why)))),
        }
    }
}

/// A searched position with every digit of its numbers: as CBOR.
fn position_written(position: &SearchedPosition) -> Vec<u8> {
    let mut bytes = Vec::new();
    ciborium::into_writer(position, &mut bytes).expect("a vector takes all");
    bytes
}

/// What a review says of a problem in place of a position.
#[derive(Deserialize)]
struct StoredProblem {
    detail: String,
}

/// The searched position of a result; one about which nothing is known where there is none.
pub(super) fn position(result: &ItemResult) -> SearchedPosition {
    let position = match result.outcome {
        ItemOutcome::Done => ciborium::from_reader(result.body.as_slice()).ok(),
        ItemOutcome::Failed | ItemOutcome::Abandoned => None,
    };
    let problem = || serde_json::from_slice::<StoredProblem>(&result.body).ok();
    position.unwrap_or_else(|| {
        let why = problem().map_or_else(|| abandoned().detail, |problem| problem.detail);
        SearchedPosition::unknown(&why)
    })
}

/// A result as clients see it.
pub(super) fn told(result: &ItemResult) -> JobItemResult {
    match result.outcome {
        ItemOutcome::Done => {
            let SearchedPosition { win_probability, best_move, .. } = position(result);
            JobItemResult::of(&ReviewedPosition { win_probability, best_move })
        }
        ItemOutcome::Failed => JobItemResult::read(&result.body),
        ItemOutcome::Abandoned => JobItemResult::of(&abandoned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_review_says_why_it_knows_nothing_of_a_position() {
        let result = |outcome, body| ItemResult { event: 1, item: 0, outcome, body };
        let failed = written(&crate::problem::internal());
        let unknown = SearchedPosition::unknown(&crate::problem::internal().detail);
        assert_eq!(position(&result(ItemOutcome::Failed, failed)), unknown);
        let unknown = SearchedPosition::unknown(&abandoned().detail);
        assert_eq!(position(&result(ItemOutcome::Abandoned, Vec::new())), unknown);
        let mut known = unknown;
        known.win_probability = Some(1.0 / 3.0);
        let read = position(&result(ItemOutcome::Done, position_written(&known)));
        assert_eq!(read, known, "to the last digit");
    }
}
