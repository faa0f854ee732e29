//! Known answers: a question is searched once, and what is known is what was found.

mod support;

use serde_json::{Value, json};
use support::server::Server;

const PROGRAM: &str = env!("CARGO_BIN_EXE_bestmove");

/// A service that keeps these answers in a folder.
fn start(folder: &tempfile::TempDir, which: &str) -> Server {
    let data = folder.path().to_str().expect("a path");
    Server::start(PROGRAM, &["--slots", "1", "--data", data, "--known-answers", which])
}

fn source(answer: &Value) -> &str {
    answer["stats"]["source"].as_str().expect("a source")
}

/// Asks until the answer is a known one: it is kept beside the first answer.
fn known(server: &Server, question: &Value) -> Value {
    let mut answers = std::iter::repeat_with(|| server.best_move(question)).take(1_000);
    answers.find(|answer| source(answer) == "store").expect("it is kept")
}

/// An answer without its figures.
fn found(mut answer: Value) -> Value {
    answer["stats"] = Value::Null;
    answer
}

/// A position that takes a while to solve.
fn solvable() -> Value {
    let moves = ["1", "2", "3", "4", "5", "6", "7", "1", "2", "3"];
    json!({ "game": "connect4", "moves": moves, "budget": { "time_ms": 20_000 }, "id": "a" })
}

#[test]
fn an_exact_answer_is_found_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = start(&folder, "exact");
    let first = server.best_move(&solvable());
    assert_eq!((source(&first), &first["stats"]["stopped_by"]), ("search", &json!("solved")));
    let again = known(&server, &solvable());
    assert_eq!(found(again.clone()), found(first.clone()));
    assert_eq!(again["stats"]["nodes"], first["stats"]["nodes"], "of the search that found it");
    // The same position by another way, with less to spend, under another id.
    let mut other = solvable();
    other["state"] = server
        .post("/v1/position", &json!({ "game": "connect4", "moves": other["moves"] }).to_string())
        .json()["state"]["json"]
        .clone();
    (other["moves"], other["budget"], other["id"]) =
        (json!([]), json!({ "time_ms": 50 }), json!("b"));
    let other = server.best_move(&other);
    assert_eq!((source(&other), &other["id"]), ("store", &json!("b")));
    assert_eq!(other["score"], first["score"]);
    for (name, value) in [
        ("ratings", json!(3)),
        ("perspective", json!("first")),
        ("choose", json!("random")),
        ("avoid_moves", json!(["1"])),
        ("algorithm", json!("minimax")),
    ] {
        let mut differs = solvable();
        differs["budget"] = json!({ "time_ms": 50 });
        assert_eq!(source(&server.best_move(&differs)), "store");
        differs[name] = value;
        assert_eq!(source(&server.best_move(&differs)), "search", "{name}");
    }
    drop(server);
    assert_eq!(
        source(&start(&folder, "exact").best_move(&solvable())),
        "store",
        "it outlasts the process"
    );
    assert_eq!(source(&start(&folder, "none").best_move(&solvable())), "search");
    assert_eq!(source(&Server::start(PROGRAM, &[]).best_move(&solvable())), "search", "no place");
}

#[test]
fn a_deep_answer_serves_who_asks_for_no_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = start(&folder, "deep");
    let ask = |nodes: u64, moves: &[&str]| json!({ "game": "xiangqi", "moves": moves, "budget": { "nodes": nodes } });
    let opening = ["h2e2", "h9g7"];
    let first = server.best_move(&ask(60_000, &opening));
    assert_eq!(found(known(&server, &ask(60_000, &opening))), found(first.clone()));
    assert_eq!(source(&server.best_move(&ask(30_000, &opening))), "store", "less is enough");
    let more = server.best_move(&ask(120_000, &opening));
    assert_eq!(source(&more), "search");
    assert_eq!(found(known(&server, &ask(120_000, &opening))), found(more.clone()), "deeper");
    assert_eq!(found(server.best_move(&ask(60_000, &opening))), found(more), "replaces shallower");
    // The same position, but it has been there before: repetition counts.
    let there_and_back = ["h2e2", "h9g7", "e2e1", "g7h9", "e1e2", "h9g7"];
    assert_eq!(source(&server.best_move(&ask(60_000, &there_and_back))), "search");
    let exact = start(&tempfile::tempdir().expect("a folder"), "exact");
    exact.best_move(&ask(60_000, &opening));
    assert_eq!(source(&exact.best_move(&ask(60_000, &opening))), "search", "not by default");
}
