//! The bodies of `/v1/review`, `/v1/rate` and `/v1/game-files`: refused, or answered.

#![no_main]

use std::time::{Duration, Instant};

use bestmove_fuzz::CATALOG;
use catalog::game_files::FileQuestion;
use catalog::question::Question;
use catalog::review::{RateQuestion, ReviewPlan, ReviewQuestion, SearchedPosition};
use catalog::{Allowance, Context, Refusal};
use engine::SharedTable;
use libfuzzer_sys::fuzz_target;

const TIME: Duration = Duration::from_millis(1);
const TABLE_ENTRIES: usize = 1 << 12;

fuzz_target!(|body: &[u8]| {
    if let Ok(question) = serde_json::from_slice::<FileQuestion>(body) {
        let _refused_or_read = CATALOG.game_files(&question);
    }
    if let Ok(question) = serde_json::from_slice::<ReviewQuestion>(body)
        && let Some((plan, searched)) = reviewed(&question, CATALOG.plan_review(&question))
    {
        let review = plan.review(&searched);
        assert!(review.moves.len() <= question.moves.len());
        serde_json::to_string(&review).expect("a review can be written");
    }
    if let Ok(question) = serde_json::from_slice::<RateQuestion>(body) {
        let question = question.into();
        let Some((plan, searched)) = reviewed(&question, CATALOG.plan_rating(&question)) else {
            return;
        };
        serde_json::to_string(&plan.rating(&searched[0])).expect("a rating can be written");
    }
});

/// A plan with what its searches have found, in a millisecond each; none if a search is refused.
fn reviewed(
    question: &ReviewQuestion,
    plan: Result<ReviewPlan, Refusal>,
) -> Option<(ReviewPlan, Vec<SearchedPosition>)> {
    // Options that cost memory by themselves.
    let costs_memory =
        ["table_mib", "max_states"].iter().any(|&name| question.options.contains_key(name));
    let plan = plan.ok().filter(|_| !costs_memory)?;
    let allowance = Allowance { default_time: TIME, ..Allowance::unlimited() };
    let table = SharedTable::new(TABLE_ENTRIES);
    let search = |question: &Question| {
        let plan = CATALOG.plan(question, &allowance, Instant::now())?;
        Ok::<_, Refusal>((plan.run)(&Context { patience: TIME, ..Context::alone(&table) }))
    };
    let searched = plan.search(search).ok()?;
    Some((plan, searched))
}
