//! Every invalid input gets a problem that says what is wrong and where, and the next request works.

mod support;

use std::io::{BufReader, Read, Write};

use serde_json::{Value, json};
use support::server::{Reply, Server, read_reply};

fn server() -> Server {
    Server::start(
        env!("CARGO_BIN_EXE_bestmove"),
        &["--read-timeout-ms", "500", "--max-time-ms", "5000", "--slots", "2"],
    )
}

/// Asserts a problem document with this status and code, whose first error is at this pointer.
fn assert_problem(reply: &Reply, status: u16, code: &str, pointer: Option<&str>) -> Value {
    assert_eq!(reply.header("content-type"), Some("application/problem+json"), "{reply:?}");
    let problem = reply.json();
    assert_eq!((reply.status, &problem["code"]), (status, &json!(code)), "{problem}");
    assert_eq!(problem["status"], status);
    assert_eq!(problem["request_id"].as_str(), reply.header("x-request-id"), "{problem}");
    assert!(problem["detail"].as_str().is_some_and(|detail| detail.len() > 10), "{problem}");
    if let Some(pointer) = pointer {
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{problem}");
    }
    problem
}

/// Questions, with status, code and pointer of the problem that answers each.
const WRONG_QUESTIONS: &[(&str, u16, &str, &str)] = &[
    ("{}", 422, "invalid_request", ""),
    (r#"{ "game": 7 }"#, 422, "invalid_request", "/game"),
    (r#"{ "game": "nim", "gmae": 1 }"#, 422, "invalid_request", "/gmae"),
    (
        r#"{ "game": "gomoku", "options": { "rules": "renju", "size": 13 } }"#,
        422,
        "invalid_request",
        "/options/size",
    ),
    (
        r#"{ "game": "gomoku_swap2", "options": { "rules": "renju", "size": 13 } }"#,
        422,
        "invalid_request",
        "/options/size",
    ),
    (r#"{ "game": "go" }"#, 404, "unknown_game", "/game"),
    (r#"{ "game": "nim", "algorithm": "magic" }"#, 404, "unknown_algorithm", "/algorithm"),
    (
        r#"{ "game": "gomoku", "algorithm": "tablebase" }"#,
        422,
        "unsupported_algorithm",
        "/algorithm",
    ),
    (r#"{ "game": "nim", "budget": { "depth": 0 } }"#, 422, "invalid_request", "/budget/depth"),
    (r#"{ "game": "nim", "budget": { "time_ms": 0 } }"#, 422, "invalid_request", "/budget/time_ms"),
    (
        r#"{ "game": "nim", "budget": { "time_ms": 5001 } }"#,
        422,
        "invalid_request",
        "/budget/time_ms",
    ),
    (r#"{ "game": "nim", "budget": { "nodes": -1 } }"#, 422, "invalid_request", "/budget/nodes"),
    (r#"{ "game": "nim", "budget": { "nodes": 1.5 } }"#, 422, "invalid_request", "/budget/nodes"),
    (r#"{ "game": "nim", "budget": { "seconds": 1 } }"#, 422, "invalid_request", "/budget/seconds"),
    (r#"{ "game": "nim", "level": 11 }"#, 422, "invalid_request", "/level"),
    (r#"{ "game": "nim", "threads": 0 }"#, 422, "invalid_request", "/threads"),
    (r#"{ "game": "nim", "threads": 10000 }"#, 422, "invalid_request", "/threads"),
    (r#"{ "game": "nim", "ratings": "some" }"#, 422, "invalid_request", "/ratings"),
    (r#"{ "game": "nim", "ratings": 0 }"#, 422, "invalid_request", "/ratings"),
    (r#"{ "game": "nim", "scheme": 7 }"#, 422, "invalid_request", "/scheme"),
    (r#"{ "game": "nim", "scheme": { "tau": 1 } }"#, 422, "invalid_request", "/scheme/tau"),
    (
        r#"{ "game": "othello", "scheme": { "tolerance": -0.5 } }"#,
        422,
        "invalid_request",
        "/scheme/tolerance",
    ),
    (
        r#"{ "game": "othello", "algorithm": "uct", "scheme": { "tolerance": 2 } }"#,
        422,
        "invalid_request",
        "/scheme/tolerance",
    ),
    (r#"{ "game": "nim", "scheme": {}, "ratings": "none" }"#, 422, "invalid_request", "/scheme"),
    (
        r#"{ "game": "nim", "choose": "random", "ratings": "none" }"#,
        422,
        "invalid_request",
        "/choose",
    ),
    (r#"{ "game": "nim", "choose": "worst" }"#, 422, "invalid_request", "/choose"),
    (r#"{ "game": "nim", "perspective": "white" }"#, 422, "invalid_request", "/perspective"),
    (r#"{ "game": "nim", "seed": -1 }"#, 422, "invalid_request", "/seed"),
    (r#"{ "game": "nim", "options": { "depht": 1 } }"#, 422, "invalid_request", "/options/depht"),
    (r#"{ "game": "nim", "options": { "misere": 1 } }"#, 422, "invalid_request", "/options/misere"),
    (
        r#"{ "game": "nim", "reproducible": true, "budget": { "time_ms": 9 } }"#,
        422,
        "invalid_request",
        "/budget/time_ms",
    ),
    (r#"{ "game": "gomoku", "reproducible": true }"#, 422, "invalid_request", "/budget"),
    (
        r#"{ "game": "nim", "algorithm": "sg", "budget": { "depth": 3 } }"#,
        422,
        "invalid_request",
        "/budget/depth",
    ),
    (
        r#"{ "game": "nim", "algorithm": "sg", "reproducible": true }"#,
        422,
        "invalid_request",
        "/budget",
    ),
    (
        r#"{ "game": "nim", "algorithm": "minimax", "options": { "moves": "few" } }"#,
        422,
        "invalid_request",
        "/options/moves",
    ),
    (r#"{ "game": "nim", "algorithm": "uct", "trace": true }"#, 422, "invalid_request", "/trace"),
    (
        r#"{ "game": "nim", "algorithm": "minimax", "tree_nodes": 5 }"#,
        422,
        "invalid_request",
        "/tree_nodes",
    ),
    (r#"{ "game": "nim", "choose": 7 }"#, 422, "invalid_request", "/choose"),
    (r#"{ "game": "nim", "perspective": true }"#, 422, "invalid_request", "/perspective"),
    (r#"{ "game": "nim", "scheme": { "ties": 1 } }"#, 422, "invalid_request", "/scheme/ties"),
    (
        r#"{ "game": "nim", "algorithm": "uct", "tree_nodes": 2001 }"#,
        422,
        "invalid_request",
        "/tree_nodes",
    ),
    (
        r#"{ "game": "genius", "algorithm": "uct", "tree_nodes": 5 }"#,
        422,
        "invalid_request",
        "/tree_nodes",
    ),
    (
        r#"{ "game": "nim", "algorithm": "uct", "tree_nodes": 5, "level": 3 }"#,
        422,
        "invalid_request",
        "/tree_nodes",
    ),
    (
        r#"{ "game": "nim", "algorithm": "minimax", "trace": true, "threads": 2 }"#,
        422,
        "invalid_request",
        "/trace",
    ),
    (
        r#"{ "game": "nim", "algorithm": "minimax", "trace": true, "budget": { "nodes": 10001 } }"#,
        422,
        "invalid_request",
        "/trace",
    ),
    (
        r#"{ "game": "genius", "algorithm": "mc_alphabeta", "trace": true }"#,
        422,
        "invalid_request",
        "/trace",
    ),
    (
        r#"{ "game": "two_eat_one", "options": { "contempt": 3 } }"#,
        422,
        "invalid_request",
        "/options/contempt",
    ),
    (r#"{ "game": "tictactoe", "search_moves": ["z9"] }"#, 422, "illegal_move", "/search_moves/0"),
    (
        r#"{ "game": "tictactoe", "search_moves": ["a1"], "avoid_moves": ["a1"] }"#,
        422,
        "invalid_request",
        "/avoid_moves",
    ),
];

#[test]
fn wrong_questions_are_told_what_is_wrong_and_where() {
    let server = server();
    for &(question, status, code, pointer) in WRONG_QUESTIONS {
        let reply = server.post("/v1/bestmove", question);
        assert_problem(&reply, status, code, Some(pointer));
    }
    let long = json!({ "game": "nim", "id": "x".repeat(200) });
    let reply = server.post("/v1/bestmove", &long.to_string());
    assert_problem(&reply, 422, "invalid_request", Some("/id"));
    assert_eq!(server.best_move(&json!({ "game": "nim" }))["best_move"], "1:2");
}

/// Questions about positions, with code and pointer of the problem that answers each.
const WRONG_POSITIONS: &[(&str, &str, &str)] = &[
    (r#"{ "game": "tictactoe", "state": "xxx/.../... o" }"#, "impossible_position", "/state"),
    (r#"{ "game": "tictactoe", "state": "xxx/ooo/... x" }"#, "impossible_position", "/state"),
    (r#"{ "game": "tictactoe", "state": "x../.../... x" }"#, "impossible_position", "/state"),
    (r#"{ "game": "tictactoe", "state": "x.." }"#, "invalid_request", "/state"),
    (r#"{ "game": "tictactoe", "state": "x?./.../... o" }"#, "invalid_request", "/state"),
    (
        r#"{ "game": "connect4", "state": { "board": [
            ".......", ".......", ".......", ".......", "...x...", "......."] } }"#,
        "impossible_position",
        "/state/board",
    ),
    (
        r#"{ "game": "connect4", "state": { "board": [
            "xx.....", ".......", ".......", ".......", ".......", "......."] } }"#,
        "impossible_position",
        "/state/board",
    ),
    (
        r#"{ "game": "connect4", "state": { "board": [
            ".......", ".......", "ox.....", "ox.....", "ox.....", "ox....."] } }"#,
        "impossible_position",
        "/state/board",
    ),
    (r#"{ "game": "connect4", "state": "4444444" }"#, "impossible_position", "/state"),
    (r#"{ "game": "connect4", "state": "48" }"#, "invalid_request", "/state"),
    (r#"{ "game": "connect4", "moves": ["4", "9"] }"#, "illegal_move", "/moves/1"),
    (
        r#"{ "game": "connect4", "moves": ["1", "2", "1", "2", "1", "2", "1", "2"] }"#,
        "illegal_move",
        "/moves/7",
    ),
    (
        r#"{ "game": "gomoku", "state": "x..../...../...../...../..... x" }"#,
        "impossible_position",
        "/state",
    ),
    (
        r#"{ "game": "gomoku", "state": "xxxxx/ooooo/...../...../..... x" }"#,
        "impossible_position",
        "/state",
    ),
    (r#"{ "game": "gomoku", "options": { "size": 99 } }"#, "invalid_request", "/options/size"),
    (r#"{ "game": "gomoku", "moves": ["h8", "h8"] }"#, "illegal_move", "/moves/1"),
    (r#"{ "game": "nim", "state": "3;400" }"#, "invalid_request", "/state"),
    (r#"{ "game": "nim", "moves": ["1:9"] }"#, "illegal_move", "/moves/0"),
    (r#"{ "game": "tree", "state": "[A, (B, 1), (B, 2)]" }"#, "invalid_request", "/state"),
    (r#"{ "game": "tree", "state": "[A, (B, NaN)]" }"#, "invalid_request", "/state"),
    (r#"{ "game": "tree", "state": "[A, (B, 1)" }"#, "invalid_request", "/state"),
    (
        r#"{ "game": "xiangqi", "state": "3k5/9/9/9/9/9/9/9/9/4K4 w - - 120 1" }"#,
        "invalid_request",
        "/state",
    ),
    (r#"{ "game": "xiangqi", "state": "3k5/9/9/9/9/9/9/9/4R4/4K4" }"#, "invalid_request", "/state"),
    (
        r#"{ "game": "xiangqi", "state": "3k5/9/9/9/9/9/9/9/9/3K5 w" }"#,
        "impossible_position",
        "/state",
    ),
    (
        r#"{ "game": "xiangqi", "state": { "board": [
            "...k.....", ".........", ".........", ".........", ".........",
            ".........", ".........", ".........", "K........", "........."], "turn": "red" } }"#,
        "impossible_position",
        "/state/board/8",
    ),
    (
        r#"{ "game": "xiangqi", "options": { "rules": "asian" } }"#,
        "invalid_request",
        "/options/rules",
    ),
    (r#"{ "game": "xiangqi", "moves": ["h2e2", "h2e2"] }"#, "illegal_move", "/moves/1"),
    // Either cannon may be meant.
    (
        r#"{ "game": "xiangqi", "state": "4k4/9/9/9/9/9/9/7C1/7C1/3K5 w", "moves": ["炮二平五"] }"#,
        "illegal_move",
        "/moves/0",
    ),
    (
        r#"{ "game": "xiangqi", "search_moves": ["C2=5", "C1=5"] }"#,
        "illegal_move",
        "/search_moves/1",
    ),
];

#[test]
fn impossible_positions_and_illegal_moves_are_told_apart_and_placed() {
    let server = server();
    let deep = format!("{}(X, 1){}", "[A, ".repeat(9_000), "]".repeat(9_000));
    let deep = json!({ "game": "tree", "state": deep }).to_string();
    let cases = [(deep.as_str(), "invalid_request", "/state")];
    for &(question, code, pointer) in WRONG_POSITIONS.iter().chain(&cases) {
        let problem = assert_problem(&server.post("/v1/bestmove", question), 422, code, None);
        let at = problem["errors"][0]["pointer"].as_str().expect("a pointer");
        assert!(at.starts_with(pointer), "{at} lies in {pointer}: {problem}");
    }
    // A list nested so deeply is not a question, whatever it holds.
    let nested = (0..100)
        .fold(json!(["leaf", 1]), |tree, n| json!([format!("n{n}"), tree, [format!("m{n}"), 0]]));
    let reply = server.post("/v1/bestmove", &nested.to_string());
    assert!((400..500).contains(&reply.status), "{reply:?}");
}

#[test]
fn a_state_of_the_wrong_kind_is_told_both_forms() {
    let problem = server().post("/v1/bestmove", r#"{ "game": "xiangqi", "state": 5 }"#).json();
    let why = problem["errors"][0]["detail"].as_str().expect("a detail");
    assert!(why.contains("an object with `board`") && why.contains("or a text: FEN"), "{why}");
}

#[test]
fn what_is_no_json_at_all_is_refused_in_kind() {
    let server = server();
    let deep = format!("{{\"game\":\"tree\",\"state\":{}", "[".repeat(30_000));
    for body in ["", "nim", "{\"game\":", "{\"game\":\"nim\"} x", "{\"seed\":NaN}", deep.as_str()] {
        assert_problem(&server.post("/v1/bestmove", body), 400, "not_json", None);
    }
    let huge = format!("{{\"game\":\"{}\"}}", "x".repeat(10 << 20));
    let mut stream = server.connect();
    // The service may answer and close before all of it is written.
    let _ = stream.write_all(support::server::post_bytes("/v1/bestmove", &huge).as_bytes());
    let mut answer = String::new();
    let _ = BufReader::new(stream).read_to_string(&mut answer);
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 413"), "{answer}");
    let post = |header: &str| {
        let raw = format!(
            "POST /v1/bestmove HTTP/1.1\r\nhost: x\r\n{header}content-length: 2\r\n\r\n{{}}"
        );
        server.raw(raw.as_bytes())
    };
    assert_problem(&post("content-type: text/xml\r\n"), 415, "unsupported_media_type", None);
    let packed = post("content-encoding: gzip\r\n");
    assert_problem(&packed, 415, "unsupported_media_type", None);
    assert!(
        packed.json()["detail"]
            .as_str()
            .is_some_and(|why| why.contains("without `content-encoding`"))
    );
    // `curl -d` says that it sends a form, and other clients say nothing.
    for header in ["", "content-type: application/x-www-form-urlencoded\r\n"] {
        assert_problem(&post(header), 422, "invalid_request", Some(""));
    }
    let slightly = format!("{{\"game\":\"{}\"}}", "x".repeat(70_000));
    assert_problem(&server.post("/v1/bestmove", &slightly), 413, "body_too_large", None);
}

#[test]
fn wrong_paths_and_verbs_are_problems_too() {
    let server = server();
    assert_problem(&server.get("/nowhere"), 404, "not_found", None);
    assert_problem(&server.get("/v1/bestmove"), 405, "method_not_allowed", None);
    assert_problem(&server.post("/v1/games", "{}"), 405, "method_not_allowed", None);
    assert_problem(&server.get("/v1/games/go"), 404, "unknown_game", None);
    let problem = assert_problem(&server.get("/problems/zugzwang"), 404, "not_found", None);
    assert!(!problem["detail"].as_str().is_some_and(|why| why.contains("did you mean")));
    let problem = assert_problem(&server.get("/problems/ilegal-move"), 404, "not_found", None);
    let why = problem["detail"].as_str().expect("a detail");
    assert!(why.contains("did you mean `illegal-move`?"), "{why}");
}

#[test]
fn the_type_of_every_problem_can_be_looked_up() {
    let server = server();
    for row in WRONG_QUESTIONS {
        let problem = server.post("/v1/bestmove", row.0).json();
        let kind = server.get(problem["type"].as_str().expect("a path")).json();
        for member in ["type", "title", "status", "code"] {
            assert_eq!(kind[member], problem[member], "{problem}");
        }
    }
}

#[test]
fn what_is_nearly_right_is_suggested() {
    let server = server();
    for (body, name) in [
        (r#"{ "gaem": "nim" }"#, "game"),
        (r#"{ "game": "conect4" }"#, "connect4"),
        (r#"{ "game": "nim", "algorithm": "alpha-beta" }"#, "alphabeta"),
        (r#"{ "game": "nim", "budget": { "timeMs": 5 } }"#, "time_ms"),
        (r#"{ "game": "nim", "options": { "miser": true } }"#, "misere"),
        (r#"{ "game": "nim", "perspective": "sideToMove" }"#, "side_to_move"),
        (r#"{ "game": "nim", "state": { "heap": [3] } }"#, "heaps"),
        (r#"{ "game": "nim", "time_ms": 5 }"#, "budget.time_ms"),
        (r#"{ "game": "gomoku", "options": { "rules": "renjuu" } }"#, "renju"),
        (r#"{ "game": "easycard", "moves": ["atack"] }"#, "attack"),
    ] {
        let problem = server.post("/v1/bestmove", body).json();
        let detail = problem["detail"].as_str().expect("a detail");
        assert!(detail.contains(&format!("did you mean `{name}`?")), "{detail}");
    }
}

#[test]
fn a_list_is_no_object_and_an_object_is_no_word() {
    let server = server();
    for (member, given, why) in [
        ("budget", json!([5]), "expected an object, got a list"),
        ("scheme", json!(["best"]), "expected an object, got a list"),
        ("perspective", json!({ "first": null }), "expected a string, got an object"),
        ("choose", json!({ "random": 5 }), "expected a string, got an object"),
        ("choose", json!(5), "expected a string, got 5"),
    ] {
        let mut question = json!({ "game": "nim", "state": "1;2" });
        question[member] = given;
        let problem = server.post("/v1/bestmove", &question.to_string()).json();
        let error = &problem["errors"][0];
        assert_eq!(error["pointer"], format!("/{member}"), "{problem}");
        assert_eq!(error["detail"], why, "{problem}");
    }
    let scheme = json!({ "game": "nim", "scheme": { "reference": { "best": null } } });
    let problem = server.post("/v1/bestmove", &scheme.to_string()).json();
    assert_eq!(problem["errors"][0]["pointer"], "/scheme/reference", "{problem}");
    for (path, body) in [("/v1/bestmove", r#"["nim"]"#), ("/v1/batch", "[[]]"), ("/v1/jobs", "[]")]
    {
        let reply = server.post(path, body);
        assert_eq!(reply.status, 422, "{body}: {}", reply.body);
        assert_eq!(reply.json()["detail"], "expected an object, got a list");
    }
}

#[test]
fn a_problem_is_not_as_long_as_what_it_answers() {
    let server = server();
    let long = "x".repeat(30_000);
    for question in [
        json!({ "game": long }),
        json!({ "game": "nim", "algorithm": long }),
        json!({ "game": "nim", "state": long }),
        json!({ "game": "nim", "moves": [long] }),
        json!({ "game": "nim", "options": { "misere": long } }),
        json!({ "game": "nim", long: 1 }),
    ] {
        let reply = server.post("/v1/bestmove", &question.to_string());
        assert!((400..500).contains(&reply.status), "{}", reply.status);
        assert!(reply.body.len() < 10_000, "{} bytes", reply.body.len());
    }
}

#[test]
fn a_client_that_stops_in_the_middle_of_its_body_does_not_hold_anything() {
    let server = server();
    let half = "POST /v1/bestmove HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{\"game\":";
    let mut stream = server.connect();
    stream.write_all(half.as_bytes()).expect("the service reads");
    let reply = read_reply(&mut BufReader::new(stream));
    assert_problem(&reply, 408, "body_too_slow", None);
    let mut stream = server.connect();
    stream.write_all(half.as_bytes()).expect("the service reads");
    drop(stream);
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn a_client_that_leaves_frees_its_slot() {
    let server =
        Server::start(env!("CARGO_BIN_EXE_bestmove"), &["--slots", "1", "--max-wait-ms", "60000"]);
    let long = json!({ "game": "othello", "budget": { "time_ms": 50_000 } }).to_string();
    let mut leaving = server.connect();
    let request = support::server::post_bytes("/v1/bestmove", &long);
    leaving.write_all(request.as_bytes()).expect("the service reads");
    drop(leaving);
    // The only slot is free at once: this would otherwise wait most of a minute.
    let answer = server.best_move(&json!({ "game": "nim" }));
    assert!(answer["stats"]["queue_ms"].as_u64().expect("a time") < 10_000, "{answer}");
}

#[test]
fn too_many_at_once_are_refused_at_once_with_a_time_to_come_back() {
    let server =
        Server::start(env!("CARGO_BIN_EXE_bestmove"), &["--slots", "1", "--max-wait-ms", "0"]);
    let long = |seed: u64| {
        json!({ "game": "othello", "seed": seed, "budget": { "time_ms": 3_000 } }).to_string()
    };
    std::thread::scope(|scope| {
        let clients: Vec<_> = (0..4)
            .map(|seed| {
                let (server, question) = (&server, long(seed));
                scope.spawn(move || server.post("/v1/bestmove", &question))
            })
            .collect();
        let replies: Vec<_> = clients.into_iter().map(|c| c.join().expect("an answer")).collect();
        assert!(replies.iter().any(|reply| reply.status == 200));
        for reply in replies.iter().filter(|reply| reply.status != 200) {
            assert_problem(reply, 503, "busy", None);
            let seconds = reply.header("retry-after").and_then(|value| value.parse::<u64>().ok());
            assert!(seconds.is_some_and(|seconds| (1..=4).contains(&seconds)), "{reply:?}");
            let ms = reply.json()["retry_after_ms"].as_u64();
            assert_eq!(ms.map(|ms| ms.div_ceil(1_000)), seconds, "{reply:?}");
        }
    });
}
