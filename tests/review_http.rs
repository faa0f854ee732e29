//! Ratings and reviews over HTTP: what is refused, logged, counted and told on the way.

mod support;

use serde_json::json;
use support::random_game;
use support::server::Server;
use support::streamed::{FORMS, stream};

fn server() -> Server {
    Server::start(env!("CARGO_BIN_EXE_bestmove"), &["--max-time-ms", "5000", "--slots", "2"])
}

#[test]
fn a_rating_is_that_of_the_review() {
    let server = server();
    for (game, plies) in [("xiangqi", 9), ("gomoku", 7), ("connect4", 8), ("easycard", 12)] {
        let moves = random_game(game, plies, 5);
        let mut whole = json!({
            "game": game, "moves": moves, "budget": { "depth": 3 }, "reproducible": true,
            "perspective": "first",
        });
        let review = server.post("/v1/review", &whole.to_string());
        assert_eq!(review.status, 200, "{}", review.body);
        assert_eq!(server.post("/v1/review", &whole.to_string()).body, review.body);
        whole.as_object_mut().expect("an object").remove("moves");
        for ply in [0, moves.len() / 2, moves.len() - 1] {
            let mut one = whole.clone();
            (one["moves"], one["move"]) = (json!(moves[..ply]), json!(moves[ply]));
            let rate = server.post("/v1/rate", &one.to_string());
            assert_eq!(rate.status, 200, "{}", rate.body);
            let rate = rate.json();
            let reviewed = review.json()["moves"][ply].clone();
            for (name, value) in reviewed.as_object().expect("an object") {
                assert_eq!(rate[name], *value, "{game}, ply {ply}: {name}");
            }
        }
    }
}

#[test]
fn what_cannot_be_reviewed_is_said_with_its_place() {
    let server = server();
    let long: Vec<_> = std::iter::repeat_n("a1a2", 1_001).collect();
    let wrong = [
        ("/v1/review", json!({ "game": "nim" }), "", "moves"),
        ("/v1/review", json!({ "game": "nim", "moves": [] }), "/moves", "at least one move"),
        ("/v1/review", json!({ "game": "two_eat_one", "moves": long }), "/moves", "at most 1000"),
        (
            "/v1/review",
            json!({ "game": "tictactoe", "moves": ["a1", "b2", "a1"] }),
            "/moves/2",
            "a1",
        ),
        (
            "/v1/review",
            json!({ "game": "nim", "state": "1", "moves": ["1:1", "1:1"] }),
            "/moves/1",
            "the game is over",
        ),
        (
            "/v1/review",
            json!({ "game": "nim", "moves": ["1:1"], "budget": { "depth": 0 } }),
            "/budget/depth",
            "must be from 1",
        ),
        ("/v1/review", json!({ "game": "nim", "moves": ["1:1"], "level": 3 }), "/level", "unknown"),
        ("/v1/rate", json!({ "game": "nim", "moves": ["1:1"] }), "", "move"),
        ("/v1/rate", json!({ "game": "nim", "move": "9:9" }), "/move", "9:9"),
        (
            "/v1/rate",
            json!({ "game": "nim", "state": "1", "moves": ["1:1"], "move": "1:1" }),
            "/move",
            "the game is over",
        ),
        ("/v1/rate", json!({ "game": "nim", "moves": ["9:9"], "move": "1:1" }), "/moves/0", "9:9"),
    ];
    for (path, body, pointer, words) in wrong {
        let reply = server.post(path, &body.to_string());
        let problem = reply.json();
        assert_eq!(reply.status, 422, "{body}: {problem}");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{problem}");
        assert!(problem["detail"].as_str().expect("text").contains(words), "{problem}");
    }
}

#[test]
fn a_budget_beyond_the_servers_is_refused_at_once_and_the_default_is_within_it() {
    let server = Server::start(env!("CARGO_BIN_EXE_bestmove"), &["--max-time-ms", "40"]);
    for path in ["/v1/rate", "/v1/review"] {
        let mut question =
            json!({ "game": "connect4", "moves": ["4", "4"], "budget": { "time_ms": 41 } });
        if path == "/v1/rate" {
            question["move"] = json!("3");
        }
        let problem = server.post(path, &question.to_string()).json();
        let why = &problem["errors"][0];
        assert_eq!(why["pointer"], "/budget/time_ms", "{problem}");
        assert_eq!(why["detail"], "must be at most 40, got 41");
        for budget in [json!({ "time_ms": 40 }), json!({})] {
            question["budget"] = budget;
            let reply = server.post(path, &question.to_string());
            assert_eq!(reply.status, 200, "{}", reply.body);
        }
    }
}

#[test]
fn a_rating_and_a_review_have_a_line_in_the_log() {
    let server = server();
    let game = json!({ "game": "nim", "state": "1;2", "moves": ["1:1"] });
    for (path, moves) in [("/v1/review", 1), ("/v1/rate", 1)] {
        let mut question = game.clone();
        if path == "/v1/rate" {
            question["move"] = json!("2:1");
        }
        let answer = server.post(path, &question.to_string()).json();
        let line = server.logged(|entry| entry["fields"]["path"] == path);
        let fields = &line["fields"];
        assert_eq!((&line["level"], &fields["message"]), (&json!("INFO"), &json!("answered")));
        assert_eq!((&fields["game"], &fields["moves"]), (&json!("nim"), &json!(moves)), "{line}");
        assert_eq!(fields["nodes"], answer["nodes"], "{line}");
    }
}

#[test]
fn a_review_is_told_position_by_position() {
    let server = server();
    let question = json!({
        "game": "connect4", "moves": ["4", "4", "3", "5"], "budget": { "depth": 3 },
        "reproducible": true,
    });
    let plain = server.post("/v1/review", &question.to_string()).body;
    for media in FORMS {
        let accept = format!("accept: {media}\r\n");
        let told = stream(&server, "/v1/review", &accept, &question.to_string()).rest();
        let (result, progress) = told.split_last().expect("events");
        assert_eq!((result.event.as_str(), &result.data), ("result", &plain));
        let done: Vec<_> = progress.iter().map(|told| told.json()["done"].clone()).collect();
        assert_eq!(done, [1, 2, 3, 4, 5], "four moves and the last position");
        assert!(progress.iter().all(|told| told.event == "progress" && told.json()["of"] == 5));
        let wrong = stream(&server, "/v1/review", &accept, r#"{"game":"nim","moves":["9:9"]}"#);
        assert!(wrong.head.starts_with("HTTP/1.1 422 "), "{}", wrong.head);
    }
}

#[test]
fn searches_of_ratings_and_reviews_are_counted() {
    let server = server();
    let counted = || {
        let name = r#"bestmove_nodes_total{algorithm="alphabeta",game="connect4"}"#;
        let text = server.get("/metrics").body;
        let line = text.lines().find(|line| line.starts_with(name));
        line.map_or(0.0, |line| {
            line.rsplit(' ').next().and_then(|n| n.parse().ok()).expect("number")
        })
    };
    let game = json!({
        "game": "connect4", "moves": ["4", "4", "3"], "budget": { "depth": 4 }, "reproducible": true,
    });
    let review = server.post("/v1/review", &game.to_string()).json();
    let mut nodes = review["nodes"].as_f64().expect("a count");
    assert!(nodes > 0.0, "{review}");
    assert_eq!(counted(), nodes);
    stream(&server, "/v1/review", "accept: text/event-stream\r\n", &game.to_string()).rest();
    nodes *= 2.0;
    assert_eq!(counted(), nodes, "a stream counts, too");
    let mut one = game;
    (one["moves"], one["move"]) = (json!(["4", "4"]), json!("3"));
    let rate = server.post("/v1/rate", &one.to_string()).json();
    assert_eq!(counted(), nodes + rate["nodes"].as_f64().expect("a count"));
}
