//! Jobs of whole games: matches, self-play, studies of openings.

use serde_json::{Value, json};

use crate::PROGRAM;
use crate::support::jobs::{BACKGROUND, ask, create, ended, get, wait_for, work};
use crate::support::server::Server;

#[test]
fn a_match_is_played_pair_by_pair_and_says_who_is_stronger() {
    let server = Server::start(PROGRAM, &["--slots", "2"]);
    let player = |depth: u64| json!({ "game": "connect4", "algorithm": "alphabeta", "budget": { "depth": depth } });
    let body = json!({ "first": player(6), "second": player(1), "games": 20, "opening": 4 });
    let path = create(&server, "match", &body);
    let job = ended(&server, &path);
    assert_eq!(
        (&job["state"], &job["items"], &job["done"]),
        (&json!("done"), &json!(10), &json!(10))
    );
    let item = &get(&server, &path).json()["results"][0];
    assert_eq!(item["result"].as_array().map(Vec::len), Some(2), "{item}");
    let answer = get(&server, &format!("{path}/result")).json();
    let count = |name: &str| answer[name].as_u64().expect("a number");
    assert_eq!((count("games"), count("wins") + count("draws") + count("losses")), (20, 20));
    assert!(answer["strength"]["score"].as_f64() > Some(0.75), "six plies against one: {answer}");
    let records = answer["records"].as_array().expect("games");
    for (n, pair) in records.chunks(2).enumerate() {
        assert_eq!((&pair[0]["pair"], &pair[0]["first_plays"]), (&json!(n), &json!("first")));
        assert_eq!(pair[1]["first_plays"], "second", "the seats are exchanged");
        let opening = |game: &Value| {
            let moves = game["moves"].as_str().expect("moves");
            moves.split(' ').take(4).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(opening(&pair[0]), opening(&pair[1]), "both games begin alike");
    }
    let again = create(&server, "match", &body);
    ended(&server, &again);
    let again = get(&server, &format!("{again}/result")).json();
    let moves = |answer: &Value| {
        let records = answer["records"].as_array().expect("games").clone();
        records.iter().map(|record| record["moves"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(moves(&again), moves(&answer), "the seed decides");
}

#[test]
fn a_seed_in_a_question_is_that_of_all_its_games() {
    let server = Server::start(PROGRAM, &["--slots", "1"]);
    let games = |seed: Value| {
        let player = json!({ "game": "xiangqi", "ratings": "none", "budget": { "depth": 1 } });
        let player = with(player, &seed);
        let path =
            create(&server, "match", &json!({ "first": player, "second": player, "games": 6 }));
        ended(&server, &path);
        let answer = get(&server, &format!("{path}/result")).json();
        let records = answer["records"].as_array().expect("games").clone();
        let all = records.iter().map(|game| game["moves"].as_str().expect("moves").to_owned());
        all.collect::<std::collections::BTreeSet<_>>().len()
    };
    assert_eq!(games(json!({ "seed": 7 })), 1, "nothing differs from game to game");
    assert!(games(json!({})) > 1, "each pair has a seed of its own");
}

#[test]
fn games_that_are_cancelled_stop_even_while_an_opening_is_sought() {
    let server = Server::start(PROGRAM, &["--slots", "1"]);
    // No opening is as even as that: each of a thousand is searched.
    let player = json!({ "game": "xiangqi", "budget": { "depth": 1 } });
    let games = json!({ "opening": 8, "balanced": 0 });
    let of_match = json!({ "first": player, "second": player, "games": 2 });
    let mut self_play = json!({ "player": { "game": "xiangqi", "budget": { "nodes": 60_000 } }, "games": 1, "balanced": 0 });
    self_play["opening"] = json!([8, 8]);
    for (kind, body) in [("match", with(of_match, &games)), ("selfplay", self_play)] {
        let path = create(&server, kind, &body);
        wait_for("it runs", || work(&server, BACKGROUND) == 1.0);
        ask(&server, "DELETE", &path, "", "");
        assert!((0..3_000).any(|_| work(&server, BACKGROUND) == 0.0), "{kind} stops");
    }
}

#[test]
fn self_play_keeps_positions_with_their_scores() {
    let server = Server::start(PROGRAM, &["--slots", "2"]);
    let player = json!({ "game": "othello", "budget": { "nodes": 200 } });
    let body = json!({ "player": player, "games": 4, "opening": [2, 6], "balanced": 3, "stray": 0.1, "most_of_a_game": 9 });
    let path = create(&server, "selfplay", &body);
    assert_eq!(ended(&server, &path)["done"], 4);
    let answer = get(&server, &format!("{path}/result")).json();
    let games = answer["games"].as_array().expect("games");
    assert_eq!((games.len(), &answer["failed"]), (4, &json!(0)));
    let results = answer["results"].as_array().expect("counts");
    assert_eq!(results.iter().filter_map(Value::as_u64).sum::<u64>(), 4);
    for game in games {
        let lines = game["lines"].as_array().expect("lines");
        assert!((1..=9).contains(&lines.len()), "{game}");
        for line in lines {
            let line = lab::self_play::PositionLine::read(line.as_str().expect("text"));
            let line = line.expect("a line");
            assert_eq!(Some(line.result), game["result"].as_f64());
            assert!(line.score.units().is_some());
        }
    }
}

#[test]
fn a_study_backs_values_up_from_the_positions_that_it_searches() {
    let server = Server::start(PROGRAM, &["--slots", "2"]);
    // Black and white take from one heap of three: three moves at the start, and whoever takes the last one wins.
    let question = json!({ "game": "nim", "state": "3", "budget": { "depth": 9 } });
    let path = create(&server, "study", &json!({ "question": question, "plies": 2 }));
    assert_eq!(ended(&server, &path)["failed"], 0);
    let answer = get(&server, &format!("{path}/result")).json();
    let positions = answer["positions"].as_array().expect("positions");
    assert_eq!(answer["line"], json!(["1:3"]), "it takes all");
    assert_eq!(
        (&positions[0]["moves"], &positions[0]["win_probability"]),
        (&json!([]), &json!(1.0))
    );
    for position in positions {
        // Proved results: what is backed up is what each search has found by itself.
        if !position["searched"].is_null() {
            assert_eq!(position["win_probability"], position["searched"], "{position}");
        }
    }
    let moves = |n: usize| {
        positions.iter().filter(|one| one["moves"].as_array().map(Vec::len) == Some(n)).count()
    };
    assert_eq!(
        [moves(0), moves(1), moves(2)],
        [1, 3, 2],
        "3; 2, 1, none; 1 and none for the other side"
    );
    let othello =
        json!({ "question": { "game": "othello", "budget": { "depth": 1 } }, "plies": 4 });
    let path = create(&server, "study", &othello);
    // 4, 12, 56 and 244 lines; positions that two of them reach are one.
    let job = ended(&server, &path);
    assert!(job["items"].as_u64() < Some(1 + 4 + 12 + 56 + 244), "{job}");
    assert_eq!(
        get(&server, &format!("{path}/result")).json()["line"].as_array().map(Vec::len),
        Some(5)
    );
}

/// Asks for jobs that are wrong: each is a problem with this code, at this place.
fn assert_problems(server: &Server, cases: &[((&str, Value), &str, &str)]) {
    for ((kind, body), code, pointer) in cases {
        let job = json!({ "kind": kind, "body": body }).to_string();
        let answered = ask(server, "POST", "/v1/jobs", "", &job);
        let problem = answered.json();
        assert_eq!(problem["code"], *code, "{body}: {problem}");
        assert_eq!(problem["errors"][0]["pointer"], *pointer, "{body}: {problem}");
    }
}

/// A question that is long to write.
fn long_question() -> Value {
    json!({ "game": "nim", "avoid_moves": vec!["1:1"; 4_000], "budget": { "time_ms": 1_000 } })
}

/// A body with other members.
fn with(mut body: Value, more: &Value) -> Value {
    let more = more.as_object().expect("an object").clone();
    body.as_object_mut().expect("an object").extend(more);
    body
}

#[test]
fn wrong_matches_are_problems_that_point() {
    let server = Server::start(PROGRAM, &[]);
    let nim = json!({ "game": "nim" });
    let of_match =
        |more: Value| ("match", with(json!({ "first": nim, "second": nim, "games": 2 }), &more));
    assert_problems(
        &server,
        &[
            (of_match(json!({ "games": 3 })), "invalid_request", "/body/games"),
            (of_match(json!({ "games": 10_002 })), "invalid_request", "/body/games"),
            (
                of_match(json!({ "second": { "game": "othello" } })),
                "invalid_request",
                "/body/second/game",
            ),
            (
                of_match(json!({ "second": { "game": "nim", "state": "1;2" } })),
                "invalid_request",
                "/body/second",
            ),
            (of_match(json!({ "first": { "game": "go" } })), "unknown_game", "/body/first/game"),
            (
                of_match(json!({ "first": { "game": "nim", "budget": { "depth": "x" } } })),
                "invalid_request",
                "/body/first/budget/depth",
            ),
            (
                of_match(json!({ "second": { "game": "nim", "threads": 2 } })),
                "invalid_request",
                "/body/second/threads",
            ),
            (
                of_match(json!({ "second": { "game": "nim", "command": ["sh"] } })),
                "invalid_request",
                "/body/second/command",
            ),
            (of_match(json!({ "opening": 61 })), "invalid_request", "/body/opening"),
            (of_match(json!({ "balanced": 1 })), "invalid_request", "/body/balanced"),
            (of_match(json!({ "deal": "seed" })), "invalid_request", "/body/deal"),
            (
                of_match(json!({ "first": long_question(), "games": 10_000 })),
                "body_too_large",
                "/body",
            ),
        ],
    );
}

#[test]
fn wrong_self_play_and_studies_are_problems_that_point() {
    let server = Server::start(PROGRAM, &[]);
    let self_play =
        |more: Value| ("selfplay", with(json!({ "player": { "game": "nim" }, "games": 1 }), &more));
    let study =
        |question: Value, plies: u64| ("study", json!({ "question": question, "plies": plies }));
    assert_problems(
        &server,
        &[
            (self_play(json!({ "games": 0 })), "invalid_request", "/body/games"),
            (
                self_play(json!({ "player": { "game": "nim", "moves": ["1:1"] } })),
                "invalid_request",
                "/body/player",
            ),
            (self_play(json!({ "opening": [4, 2] })), "invalid_request", "/body/opening"),
            (self_play(json!({ "stray": 1.5 })), "invalid_request", "/body/stray"),
            (study(json!({ "game": "go" }), 1), "unknown_game", "/body/question/game"),
            (study(json!({ "game": "nim" }), 31), "invalid_request", "/body/plies"),
            (study(json!({ "game": "xiangqi" }), 4), "invalid_request", "/body/plies"),
            (study(json!({ "game": "genius" }), 1), "invalid_request", "/body/question/game"),
            (study(long_question(), 6), "body_too_large", "/body"),
        ],
    );
}
