//! Hostile neighbours: what one client does, others must not feel.

mod support;

use std::io::{BufReader, Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};
use support::http2::{ask_and_take, ends_within};
use support::server::{Reply, Server, post_bytes, read_reply};

/// Long enough never to end by itself.
const ENDLESS: u64 = 60_000;

fn server(args: &[&str]) -> Server {
    let proxy = ["--trusted-proxies", "127.0.0.1"];
    Server::start(env!("CARGO_BIN_EXE_bestmove"), &[&proxy, args].concat())
}

/// Sends the question of a client, named as a proxy does.
fn send(server: &Server, client: &str, question: &Value) -> TcpStream {
    let request = post_bytes("/v1/bestmove", &question.to_string());
    let request = request.replacen("\r\n", &format!("\r\nx-forwarded-for: {client}\r\n"), 1);
    let mut stream = server.connect();
    stream.write_all(request.as_bytes()).expect("the service reads");
    stream
}

fn reply(stream: TcpStream) -> Reply {
    read_reply(&mut BufReader::new(stream))
}

fn ask(server: &Server, client: &str, question: &Value) -> Reply {
    reply(send(server, client, question))
}

/// A search of a full-width game for this long.
fn search(ms: u64, seed: u64) -> Value {
    json!({ "game": "xiangqi", "budget": { "time_ms": ms }, "seed": seed, "ratings": "none" })
}

/// A figure of the metrics.
fn figure(server: &Server, name: &str) -> Option<f64> {
    let text = server.get("/metrics").body;
    let line = text.lines().find(|line| line.starts_with(name));
    line.and_then(|line| line.rsplit(' ').next()?.parse().ok())
}

/// True if no answer has come.
fn is_waiting(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).expect("it can be set");
    let waits = stream.peek(&mut [0]).is_err();
    stream.set_nonblocking(false).expect("it can be set");
    waits
}

/// Holds two slots by endless searches: a further one is refused then.
fn hold_all_slots(server: &Server, client: &str) -> Vec<TcpStream> {
    let mut held = Vec::new();
    for seed in 0.. {
        // Earlier searches may have held a slot still.
        held.retain(is_waiting);
        while held.len() < 2 {
            held.push(send(server, client, &search(ENDLESS, 100 * seed + held.len() as u64)));
        }
        if ask(server, client, &search(1_500, 99)).status != 200 && held.iter().all(is_waiting) {
            break;
        }
    }
    held
}

#[test]
fn endless_searches_do_not_shut_others_out() {
    let server = server(&["--slots", "2", "--max-wait-ms", "200"]);
    let held = hold_all_slots(&server, "192.0.2.1");
    for question in [
        json!({ "game": "nim" }),
        search(50, 1),
        json!({ "game": "connect4", "budget": { "depth": 4 } }),
    ] {
        let reply = ask(&server, "192.0.2.2", &question);
        assert_eq!(reply.status, 200, "{question}: {}", reply.body);
    }
    drop(held);
}

#[test]
fn a_client_with_all_slots_gives_one_to_another_that_asks() {
    let server = server(&["--slots", "2", "--max-wait-ms", "1000"]);
    let mut held = hold_all_slots(&server, "192.0.2.1");
    let other = ask(&server, "192.0.2.2", &search(1_500, 7));
    assert_eq!(other.status, 200, "{}", other.body);
    // One of them has given way, with the move that it had.
    let ended = held.iter().position(|stream| !is_waiting(stream)).expect("one has ended");
    let ended = held.swap_remove(ended);
    let answer = reply(ended).json();
    assert_eq!(answer["stats"]["stopped_by"], "preempted", "{answer}");
    assert!(answer["best_move"].is_string() && answer["warnings"][0].is_string(), "{answer}");
    assert!(is_waiting(&held[0]), "the other one goes on");
}

#[test]
fn a_deadline_counts_in_the_queue() {
    let server = server(&["--slots", "1", "--max-wait-ms", "60000"]);
    let long = send(&server, "192.0.2.1", &search(1_000, 1));
    let late = json!({ "game": "xiangqi", "deadline_ms": 40, "ratings": "none" });
    // The first ones may come before the long search holds the slot.
    let mut replies = std::iter::repeat_with(|| ask(&server, "192.0.2.1", &late));
    let refusal = replies.find(|reply| reply.status != 200).expect("it is refused in the end");
    assert_eq!((refusal.status, &refusal.json()["code"]), (503, &json!("busy")));
    assert!(is_waiting(&long), "refused at once, not after the long search");
}

/// Searches that run, short and long.
fn running(server: &Server) -> [f64; 2] {
    ["short", "long"].map(|kind| {
        let name = format!("bestmove_work_running{{kind=\"{kind}\"}}");
        figure(server, &name).expect("it is always shown")
    })
}

#[test]
fn cancelled_searches_teach_nothing() {
    let server = server(&["--slots", "2"]);
    for seed in 0..4 {
        let leaves = send(&server, "192.0.2.1", &search(ENDLESS, seed));
        let begun = std::iter::repeat_with(|| running(&server)).find(|count| *count != [0.0, 0.0]);
        assert_eq!(
            begun,
            Some([0.0, 1.0]),
            "a search of a minute is long, however short the last was"
        );
        drop(leaves);
        while running(&server) != [0.0, 0.0] {}
    }
}

#[test]
fn silent_connections_are_closed_and_make_room() {
    let limits =
        ["--read-timeout-ms", "700", "--max-connections", "8", "--max-client-connections", "8"];
    let server = Server::start(env!("CARGO_BIN_EXE_bestmove"), &limits);
    for beginning in ["", "P", "PRI * HTTP/2.0\r\n"] {
        let mut silent: Vec<_> = (0..40).map(|_| server.connect()).collect();
        for stream in &mut silent {
            // The oldest have been closed already.
            let _ = stream.write_all(beginning.as_bytes());
        }
        assert_eq!(server.get("/healthz").status, 200, "{beginning:?}");
        for mut stream in silent {
            let mut rest = Vec::new();
            // Closed or reset; else this read waits for a minute and fails.
            let read = stream.read_to_end(&mut rest);
            let is_open = read.is_err_and(|why| why.kind() == std::io::ErrorKind::WouldBlock);
            assert!(!is_open, "{beginning:?}");
        }
    }
}

#[test]
fn what_is_too_much_is_logged_once_and_refusals_are_no_errors() {
    let server = server(&["--max-connections", "4"]);
    let level = |entry: &Value| entry["level"].as_str().map(str::to_owned);
    let of = |entry: &Value, message: &str| entry["fields"]["message"] == message;
    let answer = ask(&server, "192.0.2.7", &json!({ "game": "nim", "id": "a" }));
    let line = server.logged(|entry| of(entry, "answered"));
    let fields = &line["fields"];
    assert_eq!(level(&line).as_deref(), Some("INFO"));
    assert_eq!(fields["client"], "192.0.2.7", "{line}");
    assert_eq!(fields["game"], "nim", "{line}");
    assert_eq!(fields["stopped_by"], "solved", "{line}");
    assert_eq!(fields["id"].as_str(), answer.header("x-request-id"), "{line}");
    assert_eq!(server.get("/nowhere").status, 404);
    assert_eq!(level(&server.logged(|entry| of(entry, "refused"))).as_deref(), Some("INFO"));
    let _silent: Vec<_> = (0..9).map(|_| server.connect()).collect();
    let line = server.logged(|entry| of(entry, "too many connections"));
    assert_eq!(level(&line).as_deref(), Some("WARN"));
}

#[test]
fn what_happens_is_counted() {
    let server = server(&["--slots", "2"]);
    let figure = |name: &str| figure(&server, name);
    let nodes = r#"bestmove_nodes_total{algorithm="selective",game="xiangqi"}"#;
    assert_eq!((figure("bestmove_slots"), figure(nodes)), (Some(2.0), None));
    let answer = server.best_move(&search(50, 1));
    assert_eq!(figure(nodes), answer["stats"]["nodes"].as_f64(), "{answer}");
    let seconds =
        r#"bestmove_search_seconds_count{algorithm="selective",game="xiangqi",stopped_by="time"}"#;
    assert_eq!(figure(seconds), Some(1.0));
    server.get("/nowhere");
    server.post("/bestmove", "{");
    assert_eq!(figure(r#"bestmove_refusals_total{code="not_json"}"#), Some(1.0));
    assert_eq!(figure(r#"bestmove_requests_total{route="other",status="404"}"#), Some(1.0));
    assert_eq!(figure(r#"bestmove_requests_total{route="/v1/bestmove",status="200"}"#), Some(1.0));
    // However little a search does in its time where it has no core, one of some depth does enough.
    server.best_move(&json!({ "game": "xiangqi", "budget": { "depth": 3 }, "ratings": "none" }));
    assert!(figure("bestmove_table_entries").is_some_and(|entries| entries > 0.0));
    let held = hold_all_slots(&server, "192.0.2.1");
    assert_eq!(figure(r#"bestmove_work_running{kind="long"}"#), Some(2.0));
    drop(held);
}

#[test]
fn ids_of_clients_are_echoed_only_if_they_are_ids() {
    let server = server(&[]);
    let echoed = |id: &str| {
        let request = format!("GET /nowhere HTTP/1.1\r\nhost: test\r\nx-request-id: {id}\r\n\r\n");
        let reply = server.raw(request.as_bytes());
        let header = reply.header("x-request-id").expect("every answer has one").to_owned();
        assert_eq!(reply.json()["request_id"], header.as_str());
        header
    };
    assert_eq!(echoed("mine-1"), "mine-1");
    for odd in ["x".repeat(129), "\u{e9}".to_owned(), "a b".to_owned()] {
        assert_eq!(echoed(&odd).len(), 36, "one of the service's own");
    }
}

#[test]
fn paths_that_are_no_text_are_problems_too() {
    let reply = server(&[]).get("/v1/games/%ff");
    assert_eq!((reply.status, &reply.json()["code"]), (404, &json!("not_found")));
}

/// A renju game of 53 stones: each move computes the forbidden points of all empty ones.
const RENJU: &str = "e12 m5 l7 stay j15 m8 n15 g4 k2 c10 b7 b12 i15 c13 c8 g8 c2 i9 d9 d6 m1 d14 d8 h14 e5 o8 f10 \
                     k7 n6 e13 n12 h15 e7 a5 h1 h3 l4 a11 a8 l11 g11 j7 b2 a14 h7 g7 i13 n3 l15 m15 d12 b10 m12 j5 j8";

#[test]
fn dear_work_of_the_rules_waits_for_slots_and_not_the_probes() {
    let server = server(&["--slots", "1", "--max-wait-ms", "60000"]);
    let moves: Vec<_> = RENJU.split_whitespace().collect();
    let question = json!({ "game": "gomoku_swap2", "options": { "rules": "renju" }, "moves": moves, "search_moves": ["zz"] });
    let asked: Vec<_> = (0..6).map(|n| send(&server, &format!("192.0.2.{n}"), &question)).collect();
    let of = |what: &str| figure(&server, &format!("bestmove_work_{what}{{kind=\"reading\"}}"));
    let seen =
        std::iter::repeat_with(|| (of("running"), of("waiting"))).find(|&(running, waiting)| {
            running == Some(1.0) && waiting >= Some(1.0) || !asked.iter().any(is_waiting)
        });
    assert_eq!(
        seen.map(|(running, _)| running),
        Some(Some(1.0)),
        "read in slots, one after the other"
    );
    for stream in asked {
        assert_eq!(reply(stream).json()["errors"][0]["pointer"], "/search_moves/0");
    }
}

#[test]
fn under_load_budgets_shrink_if_the_operator_says_so() {
    let server = server(&["--slots", "1", "--max-wait-ms", "60000", "--shrink-budgets", "2"]);
    // The last one waits for two others, which outlast their budgets a little.
    let send = |ms, seed| send(&server, "192.0.2.1", &search(ms, seed));
    let mut held = vec![send(800, 1), send(800, 2)];
    let waits = || figure(&server, "bestmove_work_waiting{kind=\"short\"}") == Some(1.0);
    assert!(std::iter::repeat_with(waits).take(100_000).any(|waits| waits), "one runs, one waits");
    held.push(send(1_000, 3));
    let answers: Vec<_> = held.into_iter().map(|stream| reply(stream).json()).collect();
    let thought = |answer: &Value| answer["stats"]["time_ms"].as_u64().expect("it is answered");
    let mut thought: Vec<_> = answers.iter().map(thought).collect();
    thought.sort_unstable();
    // One with another behind it has half of its budget; the last one has nobody behind it and has more than any half.
    assert!(thought[0] < 800 && thought[2] > 800, "{thought:?}");
}

#[test]
fn a_client_has_its_number_of_connections() {
    let limits = ["--max-connections", "50", "--max-client-connections", "3"];
    let server = Server::start(env!("CARGO_BIN_EXE_bestmove"), &limits);
    let speak = || {
        let mut stream = server.connect();
        stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: test\r\n\r\n").ok()?;
        let mut first = [0];
        (stream.read(&mut first).ok()? == 1).then_some(stream)
    };
    let held: Vec<_> = (0..3).map(|_| speak().expect("a place is free")).collect();
    assert!(speak().is_none(), "a fourth one is closed");
    drop(held);
    let again = std::iter::repeat_with(speak).take(10_000).flatten().next();
    assert!(again.is_some(), "a place is free again");
}

#[test]
fn a_client_that_does_not_take_its_answers_is_left() {
    let server = Server::start(env!("CARGO_BIN_EXE_bestmove"), &["--read-timeout-ms", "700"]);
    let mut stream = server.connect();
    let patience = std::time::Duration::from_secs(20);
    stream.set_write_timeout(Some(patience)).expect("it can be set");
    // The server reads no further once its answers are not taken, so that this blocks.
    let ended = std::iter::repeat_with(|| {
        stream.write_all(b"GET /v1/games HTTP/1.1\r\nhost: test\r\n\r\n")
    })
    .find_map(Result::err)
    .expect("it does not take requests for ever");
    assert_ne!(ended.kind(), std::io::ErrorKind::WouldBlock, "closed by the server: {ended}");
}

#[test]
fn a_client_of_http2_that_does_not_take_its_answers_is_left() {
    let server = Server::start(env!("CARGO_BIN_EXE_bestmove"), &["--read-timeout-ms", "500"]);
    for window in [0, 1] {
        let mut stream = server.connect();
        ask_and_take(&mut stream, window, "/v1/games", 3);
        // Twenty seconds, by its pings.
        assert!(ends_within(stream, 40), "a window of {window}");
    }
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn a_client_that_leaves_is_logged_and_counted() {
    let server = server(&["--slots", "1"]);
    drop(send(&server, "192.0.2.1", &search(ENDLESS, 1)));
    let line = server.logged(|entry| entry["fields"]["message"] == "left");
    assert_eq!(line["fields"]["client"], "192.0.2.1", "{line}");
    let left = r#"bestmove_requests_total{route="/v1/bestmove",status="499"}"#;
    assert_eq!(figure(&server, left), Some(1.0));
}

#[test]
fn a_second_signal_ends_the_process_at_once() {
    let mut server = server(&["--drain-ms", "600000"]);
    server.terminate();
    server.logged(|entry| entry["fields"]["message"] == "shutting down");
    server.terminate();
    assert_eq!(server.wait(), Some(1));
}

#[test]
fn times_of_reproducible_answers_are_counted_too() {
    let server = server(&[]);
    let question = json!({ "game": "xiangqi", "reproducible": true, "budget": { "nodes": 200_000 }, "ratings": "none" });
    assert_eq!(server.best_move(&question)["stats"]["time_ms"], 0);
    let seconds =
        r#"bestmove_search_seconds_sum{algorithm="selective",game="xiangqi",stopped_by="nodes"}"#;
    assert!(figure(&server, seconds).is_some_and(|seconds| seconds > 0.0));
}

#[test]
fn a_client_that_has_sent_all_is_answered_and_one_that_has_left_is_not_waited_for() {
    let server = server(&["--slots", "1"]);
    let mut stream = send(&server, "192.0.2.1", &search(300, 1));
    stream.shutdown(std::net::Shutdown::Write).expect("it is connected");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer comes");
    let answer = answer.strip_prefix("HTTP/1.1 100 Continue\r\n\r\n").expect("it is asked for");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    drop(send(&server, "192.0.2.1", &search(ENDLESS, 2)));
    let ended = std::iter::repeat_with(|| ask(&server, "192.0.2.1", &search(1, 3)));
    ended.take(100_000).find(|reply| reply.status == 200).expect("the slot is free again");
    let old = b"GET /healthz HTTP/1.0\r\n\r\n";
    assert_eq!(server.raw(old).status, 200);
}
