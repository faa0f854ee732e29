//! Answers as streams of events: interim answers, and at last the one that a plain request gets.

mod support;

use std::io::{BufReader, Read, Write};
use std::net::Shutdown;

use serde_json::{Value, json};
use support::keyed::start_open_tier;
use support::server::{Server, post_bytes, read_reply};
use support::streamed::{FORMS, StreamedReply, Told, read_stream, stream};

const PROGRAM: &str = env!("CARGO_BIN_EXE_bestmove");
/// Long enough never to end by itself.
const ENDLESS: u64 = 60_000;

fn accept(form: &str) -> String {
    format!("accept: {form}\r\n")
}

/// A search with many iterations, for this long.
fn search(ms: u64, seed: u64) -> String {
    json!({ "game": "xiangqi", "budget": { "time_ms": ms }, "seed": seed, "ratings": "none" })
        .to_string()
}

fn watch(server: &Server, question: &str) -> StreamedReply {
    stream(server, "/v1/bestmove", &accept(FORMS[0]), question)
}

/// Searches that run.
fn running(server: &Server) -> f64 {
    let text = server.get("/metrics").body;
    let lines = text.lines().filter(|line| line.starts_with("bestmove_work_running{"));
    lines.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok()).sum()
}

/// Waits until so many searches run.
fn wait_for_running(server: &Server, count: f64) {
    let runs = || running(server) == count;
    assert!(std::iter::repeat_with(runs).take(100_000).any(|runs| runs), "{count} run");
}

/// Asserts that the events are interim answers and one answer, and returns that.
fn assert_whole(told: &[Told]) -> &Told {
    let (last, interim) = told.split_last().expect("events");
    let searched = |told: &&Told| !["heartbeat", "queued", "begun"].contains(&&*told.event);
    for told in interim.iter().filter(searched) {
        assert_eq!(told.event, "progress");
        let answer = told.json();
        assert_eq!(answer["stats"]["stopped_by"], "running", "{answer}");
        assert!(answer["best_move"].is_string(), "{answer}");
    }
    assert_eq!(last.event, "result");
    last
}

#[test]
fn a_stream_ends_with_the_answer_that_a_plain_request_gets() {
    let server = Server::start(PROGRAM, &[]);
    for question in [
        json!({ "game": "connect4", "budget": { "depth": 10 }, "reproducible": true }),
        json!({ "game": "nim", "state": "1;2", "reproducible": true, "id": "mine", "budget": { "nodes": 100 } }),
        json!({ "game": "tictactoe", "moves": ["b2", "a1"], "reproducible": true, "budget": { "depth": 9 } }),
    ] {
        let question = question.to_string();
        let plain = server.post("/v1/bestmove", &question);
        assert_eq!(plain.status, 200, "{}", plain.body);
        for (form, path) in
            FORMS.iter().flat_map(|form| [(form, "/v1/bestmove"), (form, "/bestmove")])
        {
            let headers = accept(form) + "accept-encoding: gzip\r\n";
            let mut reply = stream(&server, path, &headers, &question);
            assert!(reply.has("HTTP/1.1 200 OK"), "{}", reply.head);
            assert!(reply.has(&format!("content-type: {form}")), "{}", reply.head);
            assert!(reply.has("cache-control: no-cache"), "{}", reply.head);
            assert!(!reply.head.contains("content-encoding"), "{}", reply.head);
            let told = reply.rest();
            assert_eq!(assert_whole(&told).data, plain.body, "to the byte");
        }
    }
}

#[test]
fn a_known_trivial_question_has_a_stream_of_one_event() {
    let server = Server::start(PROGRAM, &[]);
    for _ in 0..30 {
        let mut reply = watch(&server, r#"{"game":"nim","id":"a"}"#);
        let told = reply.rest();
        assert_eq!(assert_whole(&told).json()["id"], "a");
        // The connection goes on after it.
        let mut connection = reply.into_connection();
        let next = post_bytes("/v1/bestmove", r#"{"game":"nim"}"#);
        connection.write_all(next.as_bytes()).expect("it is open");
        assert_eq!(read_reply(&mut BufReader::new(connection)).status, 200);
    }
}

#[test]
fn a_plain_answer_is_the_default() {
    let server = Server::start(PROGRAM, &[]);
    for accepted in ["*/*", "text/html", "application/json, text/event-stream;q=0.5"] {
        let request = post_bytes("/v1/bestmove", r#"{"game":"nim"}"#);
        let request = request.replacen("\r\n", &format!("\r\n{}", accept(accepted)), 1);
        let reply = server.raw(request.as_bytes());
        assert_eq!(reply.header("content-type"), Some("application/json"), "{accepted}");
        assert_eq!(reply.json()["game"], "nim");
    }
}

#[test]
fn what_is_wrong_before_the_search_is_a_plain_problem() {
    let server = Server::start(PROGRAM, &["--slots", "1", "--max-wait-ms", "10"]);
    let mut held = watch(&server, &search(ENDLESS, 1));
    held.find("progress");
    let busy = search(ENDLESS, 2);
    for form in FORMS {
        for (question, status, code) in [
            ("{", 400, "not_json"),
            (r#"{"game":"go"}"#, 404, "unknown_game"),
            (r#"{"game":"nim","budget":{"time":1}}"#, 422, "invalid_request"),
            (r#"{"game":"connect4","moves":["9"]}"#, 422, "illegal_move"),
            (&busy, 503, "busy"),
        ] {
            let request = post_bytes("/v1/bestmove", question);
            let request = request.replacen("\r\n", &format!("\r\n{}", accept(form)), 1);
            let reply = server.raw(request.as_bytes());
            assert_eq!((reply.status, &reply.json()["code"]), (status, &json!(code)), "{question}");
            assert_eq!(reply.header("content-type"), Some("application/problem+json"));
        }
    }
}

#[test]
fn who_waits_for_a_slot_is_told_how_long() {
    let server = Server::start(PROGRAM, &["--slots", "1", "--max-wait-ms", "60000"]);
    for form in FORMS {
        let mut first = stream(&server, "/v1/bestmove", &accept(form), &search(1_500, 1));
        first.find("progress");
        let mut second = stream(&server, "/v1/bestmove", &accept(form), &search(1_200, 2));
        let queued = second.next().expect("an event");
        assert_eq!(queued.event, "queued", "{form}");
        let expected = queued.json()["expected_ms"].as_u64().expect("a time");
        // What is left of the first budget, and a little more for its end.
        assert!((1..=3_000).contains(&expected), "{expected} ms");
        let told = second.rest();
        assert_whole(&told);
        // An interim answer that comes at once says that it has begun, too.
        assert!(["begun", "progress"].contains(&&*told[0].event), "{form}: {}", told[0].event);
        let waits = |told: &Told| ["queued", "begun"].contains(&&*told.event);
        assert!(!told[1..].iter().any(waits), "it is told once");
        assert!(first.rest().iter().all(|told| told.event != "queued"), "it had a slot at once");
    }
}

#[test]
fn streams_and_plain_requests_of_one_question_share_its_search() {
    let server = Server::start(PROGRAM, &["--slots", "1"]);
    let question = |id: &str| {
        let mut question: Value = serde_json::from_str(&search(2_000, 5)).expect("JSON");
        question["id"] = json!(id);
        question.to_string()
    };
    let mut first = watch(&server, &question("a"));
    assert_eq!(first.find("progress").json()["id"], "a");
    let mut second = stream(&server, "/bestmove", &accept(FORMS[1]), &question("b"));
    let mut plain = server.connect();
    let request = post_bytes("/v1/bestmove", &question("c"));
    plain.write_all(request.as_bytes()).expect("the service reads");
    assert_eq!(second.find("progress").json()["id"], "b");
    let told = [first.rest(), second.rest()];
    let mut answers = told.each_ref().map(|told| assert_whole(told).json());
    let mut last = read_reply(&mut BufReader::new(plain)).json();
    for (answer, id) in answers.iter_mut().chain([&mut last]).zip(["a", "b", "c"]) {
        assert_eq!(answer["id"].take(), id);
    }
    // Nodes and times included.
    assert_eq!(answers, [last.clone(), last]);
}

#[test]
fn interim_answers_get_deeper_and_none_comes_twice() {
    let server = Server::start(PROGRAM, &[]);
    let mut reply = watch(&server, &search(1_500, 3));
    let told = reply.rest();
    let end = assert_whole(&told).json();
    let depths: Vec<_> = told.iter().map(|told| told.json()["stats"]["depth"].as_u64()).collect();
    assert!(depths.len() > 3, "{depths:?}");
    assert!(depths[..depths.len() - 1].is_sorted_by(|a, b| a < b), "{depths:?}");
    assert!(depths.last() >= depths.get(depths.len() - 2), "{depths:?}");
    assert_eq!(end["stats"]["stopped_by"], "time");
    let metrics = server.get("/metrics").body;
    let counted = "bestmove_requests_total{route=\"/v1/bestmove\",status=\"200\"} 1";
    assert!(metrics.contains(counted), "{metrics}");
    let nodes = format!(
        "bestmove_nodes_total{{algorithm=\"selective\",game=\"xiangqi\"}} {}",
        end["stats"]["nodes"]
    );
    assert!(metrics.contains(&nodes), "{metrics}");
    let line = server.logged(|entry| entry["fields"]["message"] == "answered");
    assert_eq!(line["fields"]["nodes"], end["stats"]["nodes"]);
    assert!(line["fields"]["ms"].as_u64() >= Some(1_400), "the whole stream: {line}");
}

#[test]
fn a_search_ends_when_its_last_onlooker_leaves() {
    let server = Server::start(PROGRAM, &["--slots", "1"]);
    for form in FORMS {
        let question = search(ENDLESS, 1);
        let mut held = stream(&server, "/v1/bestmove", &accept(form), &question);
        held.find("progress");
        let mut other = watch(&server, &question);
        drop(held);
        server.logged(|entry| entry["fields"]["message"] == "left");
        // What is known is told at once; news comes only from a search that goes on.
        let known = other.find("progress").json();
        assert!(
            other.find("progress").json()["stats"]["nodes"].as_u64()
                > known["stats"]["nodes"].as_u64()
        );
        assert_eq!(running(&server), 1.0);
        drop(other);
        wait_for_running(&server, 0.0);
    }
    assert_eq!(server.post("/v1/bestmove", &search(50, 2)).status, 200);
}

#[test]
fn who_has_sent_all_gets_its_stream_and_who_has_left_none() {
    let server = Server::start(PROGRAM, &["--slots", "1"]);
    for form in FORMS {
        let mut early = server.connect();
        let request = post_bytes("/v1/bestmove", &search(700, 1));
        let request = request.replacen("\r\n", &format!("\r\n{}", accept(form)), 1);
        early.write_all(request.as_bytes()).expect("the service reads");
        early.shutdown(Shutdown::Write).expect("it is connected");
        let mut early = read_stream(early);
        assert_whole(&early.rest());
        let mut late = stream(&server, "/v1/bestmove", &accept(form), &search(700, 2));
        late.find("progress");
        late.close_half();
        assert_whole(&late.rest());
        for reply in [early, late] {
            let mut rest = Vec::new();
            reply.into_connection().read_to_end(&mut rest).expect("it is closed in the end");
            assert!(rest.is_empty(), "{rest:?}");
        }
    }
    // Silent searches: nothing is sent that could tell who has left.
    let silent = json!({ "game": "connect4", "algorithm": "minimax", "budget": { "depth": 40, "time_ms": ENDLESS } });
    let reply = watch(&server, &silent.to_string());
    assert_eq!(running(&server), 1.0);
    reply.close_half();
    drop(reply);
    wait_for_running(&server, 0.0);
}

#[test]
fn a_silent_search_has_heartbeats() {
    let server = Server::start(PROGRAM, &["--slots", "1"]);
    let silent = json!({ "game": "connect4", "algorithm": "minimax", "budget": { "depth": 40, "time_ms": ENDLESS } });
    let headers = FORMS.map(accept);
    let mut replies =
        headers.map(|headers| stream(&server, "/v1/bestmove", &headers, &silent.to_string()));
    for reply in &mut replies {
        let told = reply.next().expect("an event");
        assert_eq!((&*told.event, &*told.data), ("heartbeat", ""));
    }
}

#[test]
fn a_stream_is_a_request_being_answered_until_it_ends() {
    let (_folder, server) = start_open_tier(PROGRAM, 1, 1_000_000);
    let mut held = watch(&server, &search(ENDLESS, 1));
    held.find("progress");
    assert!(held.head.contains("ratelimit"), "{}", held.head);
    let refused = server.post("/v1/bestmove", r#"{"game":"nim"}"#);
    assert_eq!(refused.status, 429, "{}", refused.body);
    drop(held);
    let freed = std::iter::repeat_with(|| server.post("/v1/bestmove", r#"{"game":"nim"}"#));
    freed.take(100_000).find(|reply| reply.status == 200).expect("who leaves is not counted");
}

#[test]
fn a_stream_has_its_result_when_the_service_shuts_down() {
    let mut server = Server::start(PROGRAM, &[]);
    let mut reply = watch(&server, &search(ENDLESS, 1));
    reply.find("progress");
    server.terminate();
    let told = reply.rest();
    assert_eq!(assert_whole(&told).json()["stats"]["stopped_by"], "shutdown");
    assert_eq!(server.wait(), Some(0));
}
