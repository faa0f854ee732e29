//! Traces that a collector gets. A build with `--features otlp` has them.

mod support;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::Command;

use support::server::{Server, post_bytes};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER: &str = "00f067aa0ba902b7";
/// Ms between two exports: longer than a test.
const AT_THE_END: &str = "600000";

/// A collector, and a server that exports to it.
fn exporting() -> (TcpListener, Server) {
    let collector = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let mut command = Command::new(env!("CARGO_BIN_EXE_bestmove"));
    command.args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json"]);
    let address = collector.local_addr().expect("it listens");
    command.env("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://{address}"));
    command.env("OTEL_BSP_SCHEDULE_DELAY", AT_THE_END);
    let server = Server::spawn(&mut command);
    (collector, server)
}

/// Takes one request of an exporter: its first line and its body.
fn collected(listener: &TcpListener) -> (String, Vec<u8>) {
    let (mut stream, _) = listener.accept().expect("the exporter connects");
    let mut reader = BufReader::new(stream.try_clone().expect("a socket has two ends"));
    let mut lines = Vec::new();
    while lines.last().is_none_or(|line: &String| !line.trim_end().is_empty()) {
        let mut line = String::new();
        reader.read_line(&mut line).expect("a head");
        lines.push(line);
    }
    let length = lines.iter().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok()).flatten()
    });
    let mut body = vec![0; length.expect("a length")];
    reader.read_exact(&mut body).expect("a body");
    write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").expect("it reads");
    (lines.remove(0), body)
}

fn bytes(hexadecimal: &str) -> Vec<u8> {
    let byte = |at| u8::from_str_radix(&hexadecimal[at..at + 2], 16).expect("two digits");
    (0..hexadecimal.len()).step_by(2).map(byte).collect()
}

fn contains(body: &[u8], part: &[u8]) -> bool {
    body.windows(part.len()).any(|window| window == part)
}

#[test]
fn a_collector_gets_the_span_of_a_request_under_that_of_its_caller() {
    let (collector, mut server) = exporting();
    let request = post_bytes("/v1/bestmove", r#"{"game":"nim","state":"1;2"}"#);
    let head = format!("\r\ntraceparent: 00-{TRACE}-{CALLER}-01\r\n");
    let reply = server.raw(request.replacen("\r\n", &head, 1).as_bytes());
    let named = reply.header("traceparent").expect("the answer names its span").to_owned();
    let parts: Vec<_> = named.split('-').collect();
    assert_eq!((parts[1], reply.status), (TRACE, 200), "{reply:?}");
    // What is left is exported at the end.
    server.terminate();
    let (line, body) = collected(&collector);
    assert_eq!(server.wait(), Some(0));
    assert!(line.starts_with("POST /v1/traces "), "{line}");
    for part in [bytes(TRACE), bytes(CALLER), bytes(parts[2])] {
        assert!(contains(&body, &part), "an id is missing");
    }
    for text in ["bestmove", "/v1/bestmove", "http.response.status_code"] {
        assert!(contains(&body, text.as_bytes()), "`{text}` is missing");
    }
}

#[test]
fn a_request_outside_of_a_trace_begins_one() {
    let (collector, mut server) = exporting();
    let reply = server.get("/healthz");
    let named = reply.header("traceparent").expect("it has a trace now").to_owned();
    server.terminate();
    let (_, body) = collected(&collector);
    assert_eq!(server.wait(), Some(0));
    assert!(contains(&body, &bytes(named.split('-').nth(1).expect("a trace"))));
}

#[test]
fn without_a_collector_there_are_no_traces() {
    let server = Server::start(env!("CARGO_BIN_EXE_bestmove"), &[]);
    assert_eq!(server.get("/healthz").header("traceparent"), None);
}

#[test]
fn a_collector_that_is_silent_or_away_costs_its_traces_alone() {
    for is_away in [false, true] {
        let (collector, mut server) = exporting();
        let silent = (!is_away).then_some(collector);
        assert_eq!(server.get("/healthz").status, 200);
        server.terminate();
        server.logged(|entry| entry["level"] == "ERROR");
        assert_eq!(server.wait(), Some(0), "away: {is_away}");
        drop(silent);
    }
}
