//! Which of several searches of one position decides.

use std::time::Instant;

use engine::search::{SharedMemory, TableEntry};
use serde_json::{Value, json};

use super::verify::{PositionSearches, SearchStep, settled};
use crate::answer::{Answer, MoveRating};
use crate::{Allowance, Catalog, Context};

/// A memory that keeps nothing.
struct NoMemory;

impl SharedMemory for NoMemory {
    fn probe(&self, _: u64) -> Option<TableEntry> {
        None
    }

    fn store(&self, _: u64, _: TableEntry) {}
}

const BEST: &str = "4";
const PLAYED: &str = "1";

/// Searches of the start of connect four, all of one depth.
fn searches() -> [Answer; 3] {
    let ask = |more: Value| {
        let mut question = json!({ "game": "connect4", "budget": { "depth": 4 } });
        question.as_object_mut().expect("an object").extend(more.as_object().expect("one").clone());
        let question = serde_json::from_value(question).expect("a question");
        let plan = Catalog::default().plan(&question, &Allowance::unlimited(), Instant::now());
        (plan.expect("it is valid").run)(&Context::alone(&NoMemory))
    };
    let one = |mv: &str| ask(json!({ "ratings": "none", "search_moves": [mv] }));
    [ask(json!({})), one(BEST), one(PLAYED)]
}

/// The rating of the played move by these searches.
fn rating(list: &Answer, best: &Answer, played: &Answer) -> MoveRating {
    let mut so_far = PositionSearches::default();
    so_far.note(SearchStep::All, list.clone());
    so_far.note(SearchStep::Best, best.clone());
    so_far.note(SearchStep::Played, played.clone());
    let settled = settled(Some(&PLAYED.to_owned()), &so_far, None);
    settled.ratings.into_iter().find(|rating| rating.mv == PLAYED).expect("it is rated")
}

#[test]
fn a_class_is_stable_if_both_values_are_of_one_depth_or_proved() {
    let [list, mut best, mut played] = searches();
    assert_eq!(rating(&list, &best, &played).stable, Some(true), "one depth, as in the list");
    best.stats.depth += 1;
    assert_eq!(rating(&list, &best, &played).stable, Some(false), "two depths");
    played.proved = true;
    assert_eq!(rating(&list, &best, &played).stable, Some(false), "one of them proved");
    best.proved = true;
    assert_eq!(rating(&list, &best, &played).stable, Some(true), "both proved");
}

#[test]
fn a_shallower_search_decides_only_where_the_list_knows_nothing() {
    let [mut list, mut best, mut played] = searches();
    (best.win_probability, played.win_probability) = (Some(0.9), Some(0.1));
    assert_eq!(rating(&list, &best, &played).loss, Some(0.8), "as deep as the list");
    list.stats.depth += 1;
    let listed = list.ratings.iter_mut().find(|rating| rating.mv == PLAYED).expect("a rating");
    let loss = listed.loss;
    assert!(loss < Some(0.5), "{loss:?}");
    assert_eq!(rating(&list, &best, &played).loss, loss, "shallower than the list");
    let listed = list.ratings.iter_mut().find(|rating| rating.mv == PLAYED).expect("a rating");
    listed.win_probability = None;
    assert_eq!(rating(&list, &best, &played).loss, Some(0.8), "the list knows nothing");
}
