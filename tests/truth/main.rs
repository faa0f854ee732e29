//! Known facts about the games: solved values, counts of positions and recorded evaluations, all computed
//! by other programs.

#[path = "../support/secret.rs"]
#[allow(dead_code, unreachable_pub, missing_docs, reason = "every test file uses its own part")]
mod secret;
#[path = "../support/stuck.rs"]
#[allow(dead_code, unreachable_pub, missing_docs, reason = "every test file uses its own part")]
mod stuck;
#[path = "../support/mod.rs"]
mod support;

mod connect4;
mod easycard;
mod genius;
mod genius_hidden;
mod gomoku;
mod gomoku_proofs;
mod gomoku_ratings;
mod nim;
mod othello;
mod perft;
mod pig;
mod snake_go;
mod tictactoe;
mod toys;
mod two_eat_one;
mod xiangqi;

use bestmove::game::{Game, Side};
use bestmove::search::{Report, Value};
use serde_json::Value as Json;

/// A recorded number.
fn whole(json: &Json) -> i64 {
    json.as_i64().unwrap_or_else(|| panic!("{json} is no whole number"))
}

/// A recorded number.
fn number(json: &Json) -> f64 {
    json.as_f64().unwrap_or_else(|| panic!("{json} is no number"))
}

/// A recorded text.
fn word(json: &Json) -> &str {
    json.as_str().unwrap_or_else(|| panic!("{json} is no text"))
}

/// A recorded list.
fn list(json: &Json) -> &[Json] {
    json.as_array().unwrap_or_else(|| panic!("{json} is no list"))
}

/// A recorded list of counts.
fn counts(json: &Json) -> Vec<u64> {
    list(json).iter().map(|count| whole(count) as u64).collect()
}

/// 1, 0 or -1 for a proved win, draw or loss of the side to move.
fn sign(value: Value) -> i64 {
    match value {
        Value::Win(_) => 1,
        Value::Draw => 0,
        Value::Loss(_) => -1,
        other => panic!("{other:?} is not solved"),
    }
}

/// The value of a root move in a report.
fn value_of<G: Game>(report: &Report<G::Move>, mv: G::Move) -> Value {
    let line = report.lines.iter().find(|line| line.moves[0] == mv);
    line.unwrap_or_else(|| panic!("{mv:?} is not rated")).value
}

/// Compares solved values of small games with those of another library's solver: the value of every first
/// move for the first player.
fn check_first_moves<G: Game>(
    spec: &str,
    report: &Report<G::Move>,
    find: impl Fn(&str) -> G::Move,
) {
    let data = support::data("openspiel_small_values.json");
    let game = list(&data["games"]).iter().find(|game| game["spec"] == spec);
    let game = game.unwrap_or_else(|| panic!("{spec} is not recorded"));
    let moves = game["root_moves_value_player0"].as_object().expect("values by move");
    assert_eq!(report.lines.len(), moves.len(), "{spec}: the moves");
    for (name, value) in moves {
        let ours = value_of::<G>(report, find(name));
        assert_eq!(sign(ours), number(value) as i64, "{spec}: {name}");
    }
    assert_eq!(sign(report.lines[0].value), number(&game["value_player0"]) as i64, "{spec}");
}

/// Unfinished positions visited by that solver in a game.
fn recorded_states(spec: &str) -> i64 {
    let data = support::data("openspiel_small_values.json");
    let game = list(&data["games"]).iter().find(|game| game["spec"] == spec);
    whole(&game.unwrap_or_else(|| panic!("{spec} is not recorded"))["states_nonterminal"])
}

/// Every reachable position, once.
fn reachable<G: Game>(start: &G) -> Vec<G> {
    let mut seen = std::collections::HashSet::from([start.hash()]);
    let mut all = vec![start.clone()];
    let mut next = 0;
    while let Some(pos) = all.get(next).cloned() {
        let after = pos.legal_moves().into_iter().map(|mv| pos.after(mv));
        all.extend(after.filter(|pos| seen.insert(pos.hash())));
        next += 1;
    }
    all
}

/// Recorded side, written by its mark.
fn side(json: &Json) -> Side {
    match json.as_str() {
        Some("X") => Side::First,
        Some("O") => Side::Second,
        _ => panic!("{json} is no side"),
    }
}
