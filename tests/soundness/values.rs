//! A value of depth n is one number: the same by every sound method, whatever is rated, switched on, remembered
//! or shared between threads.

use std::collections::BTreeMap;

use bestmove::catalog::answer::{Answer, MoveRating, ScoreAnswer};
use bestmove::catalog::methods::METHODS;
use bestmove::game::Rng;
use bestmove::notation::OptionKind;
use serde_json::{Map, Value, json};

use crate::questions::{Setup, random, with};
use crate::{Service, setting};

/// Methods that have the value of minimax, and what must be switched off for it.
const SOUND: [(&str, &[&str]); 5] = [
    ("minimax", &[]),
    ("negamax", &[]),
    ("alphabeta", &[]),
    ("expectiminimax", &[]),
    ("mc_alphabeta", &["razor", "self_loss", "order_independence", "dominance"]),
];

/// A score without what one method may know and another not: that a draw or a payoff is proved.
fn plain(score: &ScoreAnswer) -> (&'static str, f64) {
    let value = score.value().unwrap_or(0.0);
    match score.kind() {
        "draw" => ("value", 0.0),
        "heuristic" | "payoff" => ("value", value),
        kind => (kind, f64::from(score.plies().unwrap_or(0))),
    }
}

fn by_move(answer: &Answer) -> BTreeMap<&str, &MoveRating> {
    answer.ratings.iter().map(|rated| (&rated.mv[..], rated)).collect()
}

/// Random values of all options of a method but those that change values.
fn options(rng: &mut Rng, method: &str, off: &[&str], moves: &str) -> Map<String, Value> {
    let method = METHODS.iter().find(|other| other.name == method).expect("it is listed");
    let mut options = Map::new();
    for spec in &method.options {
        let value = match spec.kind {
            _ if spec.name == "moves" => json!(moves),
            _ if off.contains(&spec.name) => json!(false),
            // A large table costs more than the search.
            _ if spec.name == "table_mib" => json!(rng.below(2)),
            _ if rng.below(3) > 0 => continue,
            OptionKind::Flag { .. } => json!(rng.below(2) == 0),
            OptionKind::Choice(words) => json!(words[rng.below(words.len())]),
            _ => continue,
        };
        options.insert(spec.name.to_owned(), value);
    }
    options
}

/// Asks one position in many forms; returns the number of questions.
fn compare(service: &Service, setup: &Setup, question: &Value, rng: &mut Rng) -> u64 {
    let moves = ["all", "expert"][rng.below(2)];
    let deepest = setup.depths[usize::from(moves == "expert")];
    let depth = 1 + rng.below(deepest);
    let only = json!({ "moves": moves }).as_object().cloned().expect("an object");
    let slow = json!({ "algorithm": "minimax", "budget": { "depth": depth } });
    let oracle = service.ask(&with(question, &slow, &only), false);
    check(service, setup, question, &oracle, &oracle);
    let asked = 1 + rng.below(4) as u64;
    for _ in 0..asked {
        let (method, off) = SOUND[rng.below(SOUND.len())];
        let ratings = [json!("all"), json!("none"), json!(1 + rng.below(4))];
        let threads = if rng.below(4) == 0 { 2 } else { 1 };
        let members = json!({
            "algorithm": method,
            "budget": { "depth": depth },
            "ratings": ratings[rng.below(3)],
            "threads": threads,
        });
        let asked = with(question, &members, &options(rng, method, off, moves));
        let answer = service.ask(&asked, rng.below(2) == 0);
        check(service, setup, &asked, &oracle, &answer);
    }
    asked + 1
}

/// Compares an answer with that of the oracle.
fn check(service: &Service, setup: &Setup, question: &Value, oracle: &Answer, answer: &Answer) {
    let scores = |answer: &Answer| plain(answer.score.as_ref().expect("somebody is to move"));
    assert_eq!(scores(answer), scores(oracle), "the score of {question}");
    let truth = by_move(oracle);
    let best = answer.best_move.as_deref().expect("somebody is to move");
    assert_eq!(plain(&truth[best].score), scores(oracle), "the best move {best} of {question}");
    for (mv, rated) in by_move(answer) {
        let other = truth[mv];
        assert_eq!(plain(&rated.score), plain(&other.score), "{mv} in {question}");
        assert_eq!((rated.class, &rated.bonus), (other.class, &other.bonus), "{mv} in {question}");
        assert_eq!(rated.points, other.points, "{mv} in {question}");
    }
    let all = answer.ratings.iter().map(|rated| &rated.score).chain(&answer.score);
    for score in all.filter(|score| score.kind() == "heuristic") {
        let value = plain(score).1;
        assert!(value.abs() <= setup.reach, "{value} is beyond {}: {question}", setup.reach);
    }
    service.assert_replays(question, &setup.options, answer);
}

#[test]
fn a_value_is_one_number() {
    let service = Service::new();
    let mut rng = Rng::new(setting("BESTMOVE_SEED", 1));
    let (mut asked, wanted) = (0, setting("BESTMOVE_QUESTIONS", 1_000));
    while asked < wanted {
        let (setup, question) = random(&service, &mut rng);
        asked += compare(&service, &setup, &question, &mut rng);
    }
}
