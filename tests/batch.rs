//! Batches: each question is answered as if it had come alone.

mod support;

use std::io::{BufReader, Write};
use std::net::TcpStream;

use serde_json::{Value, json};
use support::keyed::start_open_tier;
use support::server::{Reply, Server, post_bytes, read_reply};

const PROGRAM: &str = env!("CARGO_BIN_EXE_bestmove");
/// Long enough never to end by itself.
const ENDLESS: u64 = 60_000;

fn post(server: &Server, questions: &[Value]) -> Reply {
    server.post("/v1/batch", &json!({ "questions": questions }).to_string())
}

fn send(server: &Server, path: &str, question: &Value) -> TcpStream {
    let mut stream = server.connect();
    let request = post_bytes(path, &question.to_string());
    stream.write_all(request.as_bytes()).expect("the service reads");
    stream
}

fn answers(reply: &Reply) -> Vec<Value> {
    assert_eq!(reply.status, 200, "{}", reply.body);
    reply.json()["answers"].as_array().expect("a list").clone()
}

/// A search for this long.
fn search(ms: u64, seed: u64) -> Value {
    json!({ "game": "xiangqi", "budget": { "time_ms": ms }, "seed": seed, "ratings": "none" })
}

/// Work of all kinds that runs or waits.
fn work(server: &Server, what: &str) -> f64 {
    let (text, name) = (server.get("/metrics").body, format!("bestmove_work_{what}{{"));
    let lines = text.lines().filter(|line| line.starts_with(&name));
    // A question that is being read is no search yet.
    let lines = lines.filter(|line| !line.contains("reading"));
    lines.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok()).sum()
}

fn wait_for_running(server: &Server, count: f64) {
    let runs = || work(server, "running") == count;
    assert!(std::iter::repeat_with(runs).take(100_000).any(|runs| runs), "{count} run");
}

#[test]
fn each_question_has_the_answer_that_it_has_alone() {
    let server = Server::start(PROGRAM, &["--slots", "2"]);
    let questions = [
        json!({ "game": "connect4", "budget": { "depth": 9 }, "reproducible": true, "id": "a" }),
        json!({ "game": "nim", "state": "1;2", "budget": { "nodes": 9 }, "reproducible": true }),
        json!({ "game": "go" }),
        json!({ "game": "nim", "sed": 1 }),
        json!({ "game": "nim", "seed": "1" }),
        json!({ "game": "connect4", "moves": ["4", "9"] }),
        json!(5),
        json!({ "game": "tictactoe", "budget": { "depth": 9 }, "reproducible": true, "id": "z" }),
    ];
    let found = answers(&post(&server, &questions));
    assert_eq!(found.len(), questions.len());
    for (index, (question, found)) in questions.iter().zip(&found).enumerate() {
        let alone = server.post("/v1/bestmove", &question.to_string());
        assert_eq!(found["status"], alone.status, "{question}");
        if alone.status == 200 {
            assert_eq!((&found["answer"], found.get("problem")), (&alone.json(), None));
            continue;
        }
        let (mut problem, alone) = (found["problem"].clone(), alone.json());
        let errors = problem["errors"].as_array_mut().expect("a list");
        assert!(!errors.is_empty(), "{found}");
        for error in errors {
            let pointer = error["pointer"].as_str().expect("a pointer");
            let inner = pointer.strip_prefix(&format!("/questions/{index}"));
            error["pointer"] = json!(inner.unwrap_or_else(|| panic!("{pointer}")));
        }
        problem["request_id"] = alone["request_id"].clone();
        assert_eq!((&problem, found.get("answer")), (&alone, None));
    }
    let line = server.logged(|entry| entry["fields"]["path"] == "/v1/batch");
    assert_eq!((&line["fields"]["questions"], &line["fields"]["failed"]), (&json!(8), &json!(5)));
}

#[test]
fn the_slow_ones_keep_their_places() {
    let server = Server::start(PROGRAM, &["--slots", "2"]);
    let mut questions = vec![search(300, 1), search(1, 2), search(1, 3), search(100, 4)];
    for (index, question) in questions.iter_mut().enumerate() {
        question["id"] = json!(index.to_string());
    }
    let found = answers(&post(&server, &questions));
    let ids: Vec<_> = found.iter().map(|item| item["answer"]["id"].clone()).collect();
    assert_eq!(ids, ["0", "1", "2", "3"]);
}

#[test]
fn a_batch_has_at_most_256_questions() {
    let server = Server::start(PROGRAM, &["--slots", "2"]);
    let questions = vec![json!({ "game": "nim", "state": "1;2" }); 257];
    let found = answers(&post(&server, &questions[1..]));
    assert_eq!(found.len(), 256);
    assert!(found.iter().all(|item| item["status"] == 200), "{found:?}");
    let problem = post(&server, &questions);
    assert_eq!((problem.status, &problem.json()["code"]), (422, &json!("invalid_request")));
    assert_eq!(problem.json()["errors"][0]["pointer"], "/questions");
    assert!(problem.body.contains("at most 256 questions, this one has 257"), "{}", problem.body);
    assert_eq!(post(&server, &[]).body, r#"{"answers":[]}"#);
}

#[test]
fn what_is_no_batch_is_a_plain_problem() {
    let server = Server::start(PROGRAM, &[]);
    for (body, status) in [
        ("{}", 422),
        ("[]", 422),
        (r#"{"questions":{}}"#, 422),
        (r#"{"questions":[],"game":"nim"}"#, 422),
        (r#"{"questions":[{"game":"nim"}"#, 400),
        (r#"{"questions":[{"game":nim}]}"#, 400),
    ] {
        let reply = server.post("/v1/batch", body);
        assert_eq!(reply.status, status, "{body}: {}", reply.body);
        assert_eq!(reply.header("content-type"), Some("application/problem+json"));
    }
    assert_eq!(server.get("/v1/batch").json()["code"], "method_not_allowed");
}

#[test]
fn a_batch_may_be_longer_than_a_question_and_its_questions_may_not() {
    let server = Server::start(PROGRAM, &["--max-body-bytes", "1000"]);
    let padded = |bytes: usize| format!("{{{}\"game\":\"nim\"}}", " ".repeat(bytes - 14));
    let (most, long) = (padded(1_000), padded(1_001));
    let batch = |questions: &[&str]| format!("{{\"questions\":[{}]}}", questions.join(","));
    let found = answers(&server.post("/v1/batch", &batch(&[&most, &long, &most])));
    let statuses: Vec<_> = found.iter().map(|item| item["status"].clone()).collect();
    assert_eq!(statuses, [200, 413, 200]);
    assert_eq!(found[1]["problem"]["code"], "body_too_large");
    assert_eq!(server.post("/v1/bestmove", &long).status, 413);
    let all = batch(&[most.as_str(); 16]);
    let mut stream = server.connect();
    let chunked = "POST /v1/batch HTTP/1.1\r\nhost: test\r\ntransfer-encoding: chunked\r\n\r\n";
    let body = format!("{chunked}{:x}\r\n{all}\r\n0\r\n\r\n", all.len());
    stream.write_all(body.as_bytes()).expect("the service reads");
    for reply in [server.post("/v1/batch", &all), read_reply(&mut BufReader::new(stream))] {
        assert_eq!((reply.status, &reply.json()["code"]), (413, &json!("body_too_large")));
        assert!(reply.body.contains("at most 16000 bytes"), "{}", reply.body);
    }
}

#[test]
fn a_batch_holds_no_more_than_the_slots_and_leaves_with_its_client() {
    // Long enough for all of them to wait in the queue.
    let server = Server::start(PROGRAM, &["--slots", "2", "--max-wait-ms", "600000"]);
    let questions: Vec<_> = (0..6).map(|seed| search(ENDLESS, seed)).collect();
    let held = send(&server, "/v1/batch", &json!({ "questions": questions }));
    wait_for_running(&server, 2.0);
    assert_eq!(work(&server, "waiting"), 0.0);
    drop(held);
    wait_for_running(&server, 0.0);
    assert_eq!(work(&server, "waiting"), 0.0);
    assert_eq!(answers(&post(&server, &[search(10, 7)]))[0]["status"], 200);
}

#[test]
fn busy_slots_are_asked_again_as_long_as_the_service_lets_clients_wait() {
    let server = Server::start(PROGRAM, &["--slots", "1", "--max-wait-ms", "10000"]);
    let held = send(&server, "/v1/bestmove", &search(900, 1));
    wait_for_running(&server, 1.0);
    // Alone it waits for twice its budget at most, and is refused.
    let found = answers(&post(&server, &[search(20, 2), search(20, 3)]));
    assert!(found.iter().all(|item| item["status"] == 200), "{found:?}");
    drop(held);
    let _held = send(&server, "/v1/bestmove", &search(ENDLESS, 4));
    wait_for_running(&server, 1.0);
    let found = answers(&post(&server, &[search(30_000, 5), search(20, 6)]));
    assert_eq!(found[0]["problem"]["code"], "busy", "{found:?}");
    assert_eq!((&found[0]["status"], &found[1]["status"]), (&json!(503), &json!(200)));
    let metrics = server.get("/metrics").body;
    assert!(metrics.contains("bestmove_refusals_total{code=\"busy\"} 1"), "{metrics}");
}

#[test]
fn each_question_counts_in_the_quota() {
    let (_folder, server) = start_open_tier(PROGRAM, 1, 4);
    let nim = json!({ "game": "nim", "state": "1;2" });
    let ask = |count: usize| post(&server, &vec![nim.clone(); count]);
    let too_many = ask(5);
    assert_eq!(too_many.status, 422, "{}", too_many.body);
    assert!(too_many.body.contains("allows 4 questions at once"), "{}", too_many.body);
    assert_eq!(too_many.header("ratelimit"), Some("\"open\";r=3;t=1000"));
    let first = ask(2);
    assert_eq!((first.status, first.header("ratelimit")), (200, Some("\"open\";r=1;t=3000")));
    let spent = ask(2);
    assert_eq!((spent.status, spent.header("retry-after")), (429, Some("1000")));
    assert_eq!(spent.json()["code"], "quota_exceeded");
    assert_eq!(ask(1).status, 429, "the refused one was counted as one");
}

#[test]
fn batches_have_places_and_a_client_has_some_of_them() {
    let args = ["--slots", "1", "--memory-mib", "260", "--trusted-proxies", "127.0.0.1"];
    let server = Server::start(PROGRAM, &args);
    let ask = |client: u8| {
        let body = r#"{"questions":[{"game":"nim","state":"1;2"}]}"#;
        let forwarded = format!("\r\nx-forwarded-for: 192.0.2.{client}\r\n");
        server.raw(post_bytes("/v1/batch", body).replacen("\r\n", &forwarded, 1).as_bytes())
    };
    let held = send(&server, "/v1/batch", &json!({ "questions": [search(ENDLESS, 1)] }));
    wait_for_running(&server, 1.0);
    let second = post(&server, &[]);
    assert_eq!((second.status, second.header("retry-after")), (503, Some("1")), "{}", second.body);
    assert_eq!(second.json()["code"], "busy");
    assert_eq!(ask(7).status, 200, "another client");
    assert_eq!(server.post("/v1/bestmove", r#"{"game":"nim"}"#).status, 200, "no batch");
    drop(held);
    let freed = std::iter::repeat_with(|| post(&server, &[]));
    freed.take(100_000).find(|reply| reply.status == 200).expect("who leaves gives its place back");
}

#[test]
fn each_search_is_counted() {
    let server = Server::start(PROGRAM, &["--slots", "2"]);
    let questions = [4, 5, 6].map(
        |depth| json!({ "game": "connect4", "budget": { "depth": depth }, "reproducible": true }),
    );
    let answers = answers(&post(&server, &questions));
    let nodes: u64 =
        answers.iter().filter_map(|item| item["answer"]["stats"]["nodes"].as_u64()).sum();
    let metrics = server.get("/metrics").body;
    let name = r#"bestmove_nodes_total{algorithm="alphabeta",game="connect4"}"#;
    assert!(metrics.contains(&format!("{name} {nodes}\n")), "{nodes}: {metrics}");
    let searches = r#"bestmove_search_seconds_count{algorithm="alphabeta",game="connect4",stopped_by="depth"} 3"#;
    assert!(metrics.contains(searches), "{metrics}");
}
