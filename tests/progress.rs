//! Progress reports of a search: after each iteration, best move first, and without any effect on its
//! result.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Instant;

use bestmove::SharedTable;
use bestmove::catalog::answer::{Answer, ScoreAnswer, StoppedBy};
use bestmove::catalog::{Allowance, Catalog, Context};
use serde_json::{Value, json};

/// Interim answers, and the final one.
fn told(catalog: &Catalog, question: &Value) -> (Vec<Answer>, Answer) {
    let news = Mutex::new(Vec::new());
    let observer = |answer: &dyn Fn() -> Answer| news.lock().expect("no panic").push(answer());
    let answer = run(catalog, question, Some(&observer));
    (news.into_inner().expect("no panic"), answer)
}

fn run(
    catalog: &Catalog,
    question: &Value,
    observer: Option<&bestmove::catalog::AnswerObserver<'_>>,
) -> Answer {
    let question = serde_json::from_value(question.clone()).expect("a question");
    let plan = catalog.plan(&question, &Allowance::unlimited(), Instant::now());
    (plan.expect("it can be answered").run)(&Context {
        observer,
        ..Context::alone(&SharedTable::new(10_000))
    })
}

/// Asserts that a line can be played.
fn assert_legal(catalog: &Catalog, game: &str, moves: &[&str], line: &[String]) {
    let moves = moves.iter().map(|&mv| mv.to_owned()).chain(line.iter().cloned());
    let question = json!({ "game": game, "moves": moves.collect::<Vec<_>>() });
    let question = serde_json::from_value(question).expect("a question");
    catalog.position(&question).expect("the line is legal");
}

fn playouts(score: &ScoreAnswer) -> Option<u64> {
    match score {
        ScoreAnswer::Estimate { simulations, .. } => Some(*simulations),
        _ => None,
    }
}

#[test]
fn every_iteration_is_told_and_the_last_one_is_the_answer() {
    let catalog = Catalog::default();
    // A textbook search with a depth has one iteration.
    let nodes =
        |algorithm| if algorithm == "minimax" || algorithm == "negamax" { 400_000 } else { 0 };
    for algorithm in ["minimax", "negamax", "alphabeta", "expectiminimax"] {
        let budget = match nodes(algorithm) {
            0 => json!({ "depth": 6 }),
            nodes => json!({ "nodes": nodes }),
        };
        let question = json!({
            "game": "connect4", "state": "4455", "algorithm": algorithm, "budget": budget,
            "reproducible": true,
        });
        let (news, answer) = told(&catalog, &question);
        let depths: Vec<_> = news.iter().map(|known| known.stats.depth).collect();
        // Alpha-beta rates the moves after it has found the best one, in silence.
        let rates_later = ["alphabeta", "expectiminimax"].contains(&algorithm);
        let last = if rates_later { news.len() as u32 } else { answer.stats.depth };
        assert!(last > 2, "{algorithm}");
        assert_eq!(depths, Vec::from_iter(1..=last), "{algorithm}");
        assert!(news.is_sorted_by_key(|known| known.stats.nodes), "{algorithm}");
        for known in &news {
            assert_eq!(known.stats.stopped_by, StoppedBy::Running);
            assert_eq!(known.best_move.as_ref(), known.principal_variation.first());
            assert_eq!(known.ratings.len(), 7);
            assert_legal(&catalog, "connect4", &["4", "4", "5", "5"], &known.principal_variation);
        }
        let last = news.last().expect("news");
        if rates_later {
            assert_eq!(last.score, answer.score, "{algorithm}");
            assert!(answer.best_moves.contains(last.best_move.as_ref().expect("a move")));
            continue;
        }
        assert_eq!(last.best_moves, answer.best_moves, "{algorithm}");
        // Tied moves are in the order in which the search found them.
        let scores = |answer: &Answer| {
            let rated = answer.ratings.iter().map(|rated| (rated.mv.clone(), rated.score.clone()));
            rated.collect::<HashMap<_, _>>()
        };
        assert_eq!(scores(last), scores(&answer), "{algorithm}");
    }
}

#[test]
fn who_looks_on_changes_nothing() {
    let catalog = Catalog::default();
    for game in catalog.games() {
        for method in game.methods() {
            if ["sg", "tablebase"].contains(&method.name) {
                continue;
            }
            // A leaf of it costs a hundred playouts.
            let nodes = if method.name == "rollout_minimax" { 100 } else { 3_000 };
            let budget = if method.budgets.contains(&"simulations") {
                json!({ "nodes": nodes, "simulations": 5_000 })
            } else {
                json!({ "nodes": nodes })
            };
            let question = json!({
                "game": game.name(), "algorithm": method.name, "reproducible": true, "seed": 3,
                "budget": budget,
            });
            let alone = run(&catalog, &question, None);
            let (_, observed) = told(&catalog, &question);
            let bytes = |answer| serde_json::to_string(answer).expect("an answer can be written");
            assert_eq!(bytes(&alone), bytes(&observed), "{} {}", game.name(), method.name);
        }
    }
}

#[test]
fn one_of_several_threads_tells() {
    let question = json!({
        "game": "connect4", "algorithm": "alphabeta", "budget": { "depth": 9 }, "threads": 3,
    });
    let (news, _) = told(&Catalog::default(), &question);
    let depths: Vec<_> = news.iter().map(|known| known.stats.depth).collect();
    assert!(depths.is_sorted_by(|a, b| a < b), "{depths:?}");
    assert!(!depths.is_empty());
}

#[test]
fn a_tree_search_tells_whenever_its_playouts_have_doubled() {
    let question = json!({
        "game": "connect4", "algorithm": "uct", "budget": { "simulations": 5_000 },
        "reproducible": true,
    });
    let catalog = Catalog::default();
    let (news, _) = told(&catalog, &question);
    let simulations: Vec<_> = news.iter().map(|known| known.stats.simulations).collect();
    assert_eq!(simulations, [1_024, 2_048, 4_096]);
    for known in &news {
        let seen: u64 = known.ratings.iter().filter_map(|rated| playouts(&rated.score)).sum();
        assert!(seen <= known.stats.simulations);
        assert_legal(&catalog, "connect4", &[], &known.principal_variation);
    }
}

#[test]
fn a_loss_of_some_moves_is_no_news_of_the_position() {
    // An open four: every reply loses, blocks included.
    let question = json!({
        "game": "gomoku", "moves": ["h8", "a1", "i8", "c1", "j8", "e1", "k8"],
        "algorithm": "alphabeta", "ratings": "none", "budget": { "depth": 4 },
    });
    let (news, answer) = told(&Catalog::default(), &question);
    let kind = |answer: &Answer| answer.score.as_ref().map(ScoreAnswer::kind);
    assert_eq!(kind(&answer), Some("loss"));
    assert!(news.iter().all(|known| known.exact == (kind(known) == Some("loss"))), "{news:?}");
}
