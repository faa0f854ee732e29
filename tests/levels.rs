//! Levels: what they must see, what they may lose, and how they are asked for.

mod support;

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use support::server::Server;

fn server() -> Server {
    Server::start(env!("CARGO_BIN_EXE_bestmove"), &["--max-time-ms", "5000", "--slots", "2"])
}

/// Moves that a level plays in a position, by seed.
fn moves(server: &Server, question: &Value, level: u64, seeds: u64) -> Vec<String> {
    let ask = |seed| {
        let mut question = question.clone();
        (question["level"], question["seed"]) = (json!(level), json!(seed));
        question["ratings"] = json!("none");
        let answer = server.best_move(&question);
        assert_eq!(answer["level"].as_u64(), Some(level).filter(|&level| level < 10), "{answer}");
        assert_eq!(answer["best_move"], answer["principal_variation"][0]);
        answer["best_move"].as_str().expect("a move").to_owned()
    };
    (0..seeds).map(ask).collect()
}

#[test]
fn a_win_in_one_is_played_above_level_two() {
    let server = server();
    let open_four = json!({ "game": "connect4", "moves": ["4", "1", "4", "1", "4", "2"] });
    let two = json!({ "game": "tictactoe", "moves": ["a1", "a3", "b1", "b3"] });
    for (question, win) in [(&open_four, "4"), (&two, "c1")] {
        for level in 3..=10 {
            let played = moves(&server, question, level, 12);
            assert!(played.iter().all(|mv| mv == win), "level {level}: {played:?}");
        }
        let played = moves(&server, question, 1, 40);
        assert!(played.iter().any(|mv| mv != win), "level 1 misses some: {played:?}");
    }
}

#[test]
fn a_win_once_seen_is_kept_above_level_six() {
    let server = server();
    // Won by nim sums with one move of many; the complete search sees it.
    let nim = json!({ "game": "nim", "state": "3;4;5" });
    for level in 7..=10 {
        assert_eq!(moves(&server, &nim, level, 12), vec!["1:2"; 12], "level {level}");
    }
    let played = moves(&server, &nim, 2, 40);
    assert!(played.iter().any(|mv| mv != "1:2"), "level 2 gives it away: {played:?}");
}

#[test]
fn a_won_game_is_won_above_level_six() {
    let server = server();
    for level in 7..=9 {
        for seed in 1..=3 {
            let mut question =
                json!({ "game": "two_eat_one", "state": "..o./o.x./.o.x/x..x o", "moves": [] });
            let outcome = loop {
                let place = server.post("/v1/position", &question.to_string()).json();
                if !place["outcome"].is_null() {
                    break place["outcome"].clone();
                }
                let mut asked = question.clone();
                asked["seed"] = json!(seed);
                asked["level"] = json!(if place["side_to_move"] == "white" { level } else { 10 });
                let mv = server.best_move(&asked)["best_move"].clone();
                question["moves"].as_array_mut().expect("moves").push(mv);
            };
            assert_eq!(outcome["result"], "white", "level {level}, seed {seed}: {question}");
        }
    }
}

#[test]
fn the_same_seed_plays_the_same_move_and_others_vary() {
    let server = server();
    let mut question = json!({
        "game": "othello", "level": 2, "seed": 7, "reproducible": true, "ratings": 3,
    });
    let first = server.post("/v1/bestmove", &question.to_string());
    assert_eq!(first.status, 200, "{}", first.body);
    assert_eq!(first.json()["ratings"].as_array().map(Vec::len), Some(3));
    for _ in 0..3 {
        assert_eq!(server.post("/v1/bestmove", &question.to_string()).body, first.body);
    }
    question["game"] = json!("connect4");
    let mut played = moves(&server, &question, 2, 40);
    played.sort_unstable();
    played.dedup();
    assert!(played.len() > 3, "{played:?}");
}

#[test]
fn perspective_does_not_change_what_is_played() {
    let server = server();
    for level in [1, 4, 7] {
        for seed in 0..8 {
            let ask = |perspective: &str| {
                let question = json!({
                    "game": "tictactoe", "moves": ["a1"], "level": level, "seed": seed,
                    "perspective": perspective,
                });
                server.best_move(&question)
            };
            let (own, first) = (ask("side_to_move"), ask("first"));
            assert_eq!(own["best_move"], first["best_move"]);
            let p = |answer: &Value| answer["win_probability"].as_f64().expect("a number");
            assert!((p(&own) + p(&first) - 1.0).abs() < 1e-9, "{own} {first}");
        }
    }
}

#[test]
fn upper_levels_search_their_best_move_deeper_than_the_others() {
    let server = server();
    for (level, is_deeper) in [(6, false), (7, false), (8, true), (9, true)] {
        // On a busy machine the time of one answer may end before the next depth.
        let goes_deeper = (1..=20).any(|seed| {
            let answer =
                server.best_move(&json!({ "game": "xiangqi", "level": level, "seed": seed }));
            assert_eq!(answer["scheme"]["one_depth"], !is_deeper, "level {level}");
            let depth = |name: &str| answer["stats"][name].as_u64().expect("a depth");
            depth("depth") > depth("rated_depth")
        });
        assert_eq!(goes_deeper, is_deeper, "level {level}");
    }
}

#[test]
fn every_game_lists_its_levels_and_plays_them() {
    let server = server();
    let games = server.get("/v1/games").json();
    for game in games["games"].as_array().expect("a list") {
        let levels = game["levels"].as_array().expect("a list");
        assert_eq!(levels.len(), 10, "{}", game["name"]);
        for level in levels {
            let mut question = game["example"].clone();
            let members = question.as_object_mut().expect("an object");
            for other in ["budget", "algorithm", "ratings", "deadline_ms"] {
                members.remove(other);
            }
            members.insert("level".into(), level["level"].clone());
            members.insert("ratings".into(), json!("none"));
            let answer = server.best_move(&question);
            assert!(answer["best_move"].is_string(), "{question}: {answer}");
        }
    }
}

#[test]
fn what_does_not_go_with_a_level_is_refused() {
    let server = server();
    let with = |name: &str, value: Value| {
        let mut question = json!({ "game": "connect4", "level": 3 });
        question[name] = value;
        question
    };
    let wrong = [
        (with("budget", json!({ "depth": 3 })), "/level", "takes the place of a budget"),
        (with("level", json!(0)), "/level", "from 1 to 10"),
        (with("level", json!(11)), "/level", "from 1 to 10, got 11"),
        (with("algorithm", json!("random")), "/level", "does not rate"),
        (with("trace", json!(true)), "/level", "a trace"),
        (with("level", json!("easy")), "/level", "whole number"),
    ];
    for (question, pointer, words) in wrong {
        let reply = server.post("/v1/bestmove", &question.to_string());
        let problem = reply.json();
        assert_eq!(reply.status, 422, "{question}: {problem}");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{problem}");
        assert!(problem["detail"].as_str().expect("text").contains(words), "{problem}");
    }
}

/// Runs a ladder of nim in a folder.
fn ladder(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bestmove"));
    let common = ["ladder", "--game", "nim", "--games", "2", "--full-ms", "1"];
    command.args(common).args(args).current_dir(folder).output().expect("the program starts")
}

#[test]
fn a_ladder_goes_on_where_it_was_left_and_only_on_its_own_terms() {
    let folder = std::env::temp_dir().join(format!("bestmove-{}-resumed", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("nim.json");
    let record = || -> Value {
        serde_json::from_str(&std::fs::read_to_string(&path).expect("a record")).expect("JSON")
    };
    assert!(ladder(&folder, &["--file", "nim.json"]).status.success());
    let whole = record();
    let mut part = whole.clone();
    let scores = part["scores"].as_object_mut().expect("scores");
    assert_eq!(scores.len(), 11, "two anchors and nine neighbours");
    scores.remove("5 4");
    // A mark of its own: what stands in the file is not played again.
    scores["3 2"]["score"] = json!(0.125);
    std::fs::write(&path, part.to_string()).expect("it can be written");
    assert!(ladder(&folder, &["--file", "nim.json"]).status.success());
    let resumed = record();
    assert_eq!(resumed["scores"]["3 2"]["score"], 0.125);
    assert_eq!(resumed["scores"]["5 4"], whole["scores"]["5 4"], "the same games again");
    for other in [["--seed", "2"], ["--deal", "seed"]] {
        let refused = ladder(&folder, &["--file", "nim.json", other[0], other[1]]);
        let why = String::from_utf8(refused.stderr).expect("UTF-8");
        assert!(
            !refused.status.success() && why.contains("its matches are of"),
            "{other:?}: {why}"
        );
    }
    assert_eq!(record(), resumed, "a refusal changes nothing");
    std::fs::remove_dir_all(&folder).expect("it was there");
}

#[test]
fn a_ladder_draws_what_it_has_measured_and_what_stands_beside_it() {
    let folder = std::env::temp_dir().join(format!("bestmove-{}-ladder", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let ladder = |args: &[&str]| ladder(&folder, args);
    assert!(ladder(&["--file", "other.json"]).status.success());
    let output = ladder(&["--file", "nim.json", "--svg", "elo.svg", "--beside", "other.json"]);
    assert!(output.status.success(), "{output:?}");
    let svg = std::fs::read_to_string(folder.join("elo.svg")).expect("a chart");
    assert!(svg.starts_with("<svg") && svg.contains("Elo against level 1"), "{svg}");
    for name in ["nim", "other"] {
        assert!(svg.lines().any(|line| line.trim() == name), "{name} is named: {svg}");
    }
    assert_eq!(svg.matches("<circle").count(), 20, "a point for each level of both: {svg}");
    let refused = ladder(&["--file", "nim.json", "--svg", "elo.svg", "--beside", "none.json"]);
    let why = String::from_utf8(refused.stderr).expect("UTF-8");
    assert!(!refused.status.success() && why.contains("none.json"), "{why}");
    std::fs::remove_dir_all(&folder).expect("it was there");
}
