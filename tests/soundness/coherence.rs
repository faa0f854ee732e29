//! An answer does not contradict itself: best move and list, class and label, some ratings and all of them, one
//! perspective and the other.

use bestmove::catalog::answer::{Answer, MoveRating, ScoreAnswer};
use bestmove::catalog::methods::method;
use bestmove::game::Rng;
use serde_json::{Map, Value, json};

use crate::questions::{Setup, genius, random, with};
use crate::{Service, setting};

/// Order of scores for the side to move; an unknown one is no better than any other.
fn worth(score: &ScoreAnswer) -> (i32, f64) {
    let plies = f64::from(score.plies().unwrap_or(0));
    match score {
        ScoreAnswer::Win { .. } => (1, -plies),
        ScoreAnswer::Loss { .. } => (-1, plies),
        ScoreAnswer::Draw => (0, 0.0),
        ScoreAnswer::Estimate { .. } => (0, score.value().unwrap_or(0.0) - 0.5),
        ScoreAnswer::Unknown => (-2, 0.0),
        _ => (0, score.value().unwrap_or(0.0)),
    }
}

/// The best move is the first of the list, and no listed value is above it.
fn check_list(answer: &Answer, what: &str) {
    let Some(first) = answer.ratings.first() else { return };
    assert_eq!(Some(&first.mv), answer.best_move.as_ref(), "{what}: the first of the list");
    assert_eq!(answer.best_moves.first(), answer.best_move.as_ref(), "{what}: the best moves");
    assert_eq!(first.principal_variation, answer.principal_variation, "{what}: the line");
    let is_estimate = |score: &ScoreAnswer| matches!(score, ScoreAnswer::Estimate { .. });
    for rated in &answer.ratings {
        if is_estimate(&rated.score) != is_estimate(&first.score) {
            // Units differ: the expected result is common to both.
            assert!(rated.win_probability <= first.win_probability, "{what}: {}", rated.mv);
            continue;
        }
        let (other, mut best) = (worth(&rated.score), worth(&first.score));
        if first.score == ScoreAnswer::Unknown {
            // Anything but a loss that is known.
            best = (-1, f64::INFINITY);
        }
        assert!(other <= best, "{what}: {} {:?} above {:?}", rated.mv, rated.score, first.score);
    }
}

/// Class, label, loss and bonus of a move agree.
fn check_words(rated: &MoveRating, what: &str) {
    let word = |value: Value| value.as_str().unwrap_or("none").to_owned();
    let class = word(json!(rated.class));
    let label = word(json!(rated.label));
    let is_fine = ["best", "excellent", "good"].contains(&&*label);
    let agree = match &*class {
        "correct" => is_fine,
        "slack" => label != "best",
        "mistake" => !is_fine,
        _ => rated.points.is_none() && rated.bonus.is_empty(),
    };
    assert!(agree, "{what}: {} is {class} and {label}", rated.mv);
    if label == "best" {
        assert_eq!(rated.loss, Some(0.0), "{what}: {} is the best", rated.mv);
    }
    assert!(rated.loss.is_none_or(|loss| loss >= 0.0), "{what}: {:?}", rated.loss);
}

fn with_member(question: &Value, name: &str, value: &Value) -> Value {
    with(question, &json!({ name: value }), &Map::new())
}

/// The same question about fewer moves, and seen by the first side, has the same answer.
fn check_forms(service: &Service, question: &Value, all: &Answer, rng: &mut Rng) -> u64 {
    let count = 1 + rng.below(all.ratings.len());
    let few = service.ask(&with_member(question, "ratings", &json!(count)), false);
    assert_eq!(few.ratings, all.ratings[..count], "{question}: {count} ratings");
    assert_eq!((&few.best_move, &few.score), (&all.best_move, &all.score), "{question}: {count}");
    let sides = service.catalog.game(all.game).expect("the game is known").sides();
    let seen = service.ask(&with_member(question, "perspective", &json!("first")), false);
    let is_mirrored = all.side_to_move == Some(sides[1]);
    assert_eq!(seen.best_move, all.best_move, "{question}: perspective");
    for (seen, own) in seen.ratings.iter().zip(&all.ratings) {
        let sum = seen.win_probability.zip(own.win_probability).map(|(a, b)| a + b);
        if is_mirrored {
            assert!(sum.is_none_or(|sum| (sum - 1.0).abs() < 2e-6), "{question}: {seen:?} {own:?}");
            let (seen, own) = (worth(&seen.score), worth(&own.score));
            assert!(seen.0 + own.0 == 0 || seen.0 == -2, "{question}: {seen:?} {own:?}");
            assert!((seen.1 + own.1).abs() < 2e-6, "{question}: {seen:?} {own:?}");
        } else {
            assert_eq!(seen, own, "{question}: perspective");
        }
    }
    2
}

/// A random method with a small random budget, and a random scheme.
fn asked(service: &Service, setup: &Setup, question: &Value, rng: &mut Rng) -> Value {
    let info = service.catalog.game(setup.game).expect("the game is known").describe();
    let exact = ["sg", "tablebase"];
    let offered: Vec<_> = info.algorithms.iter().filter(|name| !exact.contains(name)).collect();
    let name = *offered[rng.below(offered.len())];
    let budgets = method(name).expect("it is listed").budgets;
    let budget = match () {
        // A node costs several games.
        () if name == "rollout_minimax" => json!({ "nodes": 10 << rng.below(4) }),
        () if budgets.contains(&"simulations") => json!({ "simulations": 5 << rng.below(9) }),
        () if budgets.contains(&"nodes") => json!({ "nodes": 20 << rng.below(9) }),
        () => json!({}),
    };
    let schemes = [
        json!(null),
        json!({ "reference": "static" }),
        json!({ "ties": "best", "tolerance": 0.5 }),
        json!({ "tolerance": 0 }),
    ];
    let members = json!({
        "algorithm": name,
        "budget": budget,
        "seed": rng.below(4),
        "scheme": schemes[rng.below(schemes.len())],
        "choose": if rng.below(2) == 0 { "first" } else { "random" },
        "reproducible": true,
    });
    with(question, &members, &Map::new())
}

#[test]
fn an_answer_does_not_contradict_itself() {
    let service = Service::new();
    let mut rng = Rng::new(setting("BESTMOVE_SEED", 3));
    let (mut answers, wanted) = (0, setting("BESTMOVE_QUESTIONS", 1_000));
    while answers < wanted {
        let found = if rng.below(8) == 0 { genius(&service, &mut rng) } else { None };
        let (setup, question) = found.unwrap_or_else(|| random(&service, &mut rng));
        let question = asked(&service, &setup, &question, &mut rng);
        let answer = service.ask(&question, false);
        let what = question.to_string();
        check_list(&answer, &what);
        answer.ratings.iter().for_each(|rated| check_words(rated, &what));
        answers += 1 + check_forms(&service, &question, &answer, &mut rng);
    }
}

/// The search for the best move leaves its depth in the shared table: the list of all moves starts from the first ply
/// all the same, and has a value for each within its part of the budget.
#[test]
fn all_moves_are_rated_within_a_budget_whatever_the_table_holds() {
    let service = Service::new();
    for game in ["xiangqi", "gomoku", "othello", "snake_go", "easycard"] {
        for (nodes, warm) in
            [(100_000, false), (300_000, true), (100_000, true), (100_000, true), (30_000, true)]
        {
            let question = json!({ "game": game, "budget": { "nodes": nodes }, "seed": 1 });
            let answer = service.ask(&question, warm);
            let unknown = answer.ratings.iter().filter(|rated| rated.score == ScoreAnswer::Unknown);
            assert_eq!(unknown.count(), 0, "{game}, {nodes} nodes: {:?}", answer.stats);
        }
    }
}
