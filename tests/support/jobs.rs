//! Jobs over HTTP.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "tests use their own part")]

use std::io::{Read, Write};

use serde_json::{Value, json};

use super::server::Server;

/// An answer: status, head and body.
pub struct Answered {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answered {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|why| panic!("{why} in {}", self.body))
    }
}

/// Sends a request, and reads the answer to its end: in HTTP/1.0 that is the end of the connection.
pub fn ask(server: &Server, method: &str, path: &str, headers: &str, body: &str) -> Answered {
    let mut stream = server.connect();
    let length = body.len();
    write!(stream, "{method} {path} HTTP/1.0\r\n{headers}content-length: {length}\r\n\r\n{body}")
        .expect("the service reads");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("the service answers");
    let (head, body) = text.split_once("\r\n\r\n").expect("a head");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    Answered { status, head: head.to_owned(), body: body.to_owned() }
}

pub fn get(server: &Server, path: &str) -> Answered {
    ask(server, "GET", path, "", "")
}

pub fn create(server: &Server, kind: &str, body: &Value) -> String {
    let job = json!({ "kind": kind, "body": body }).to_string();
    let answered = ask(server, "POST", "/v1/jobs", "", &job);
    assert_eq!(answered.status, 202, "{}", answered.body);
    let path = answered.json()["links"]["self"].as_str().expect("a path").to_owned();
    assert!(answered.head.contains(&format!("location: {path}")), "{}", answered.head);
    path
}

/// The job, once it is over: its events end then.
pub fn ended(server: &Server, path: &str) -> Value {
    let events = ask(server, "GET", &format!("{path}/events"), LINES, "");
    let last = events.body.lines().last().expect("an event");
    let last: Value = serde_json::from_str(last).expect("JSON");
    assert_eq!(last["event"], "result", "{last}");
    last["data"].clone()
}

pub const LINES: &str = "accept: application/x-ndjson\r\n";

pub fn work(server: &Server, line: &str) -> f64 {
    let text = server.get("/metrics").body;
    let found = text.lines().find_map(|known| known.strip_prefix(line)).map(str::trim);
    found.unwrap_or_else(|| panic!("{line} is not in {text}")).parse().expect("a number")
}

pub fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    assert!((0..100_000).any(|_| is_so()), "{what}");
}

pub const BACKGROUND: &str = "bestmove_work_running{kind=\"background\"}";

/// Questions whose answers are the same each time.
pub fn questions() -> Vec<Value> {
    let question = |game: &str, nodes: u64, id: usize| json!({ "game": game, "budget": { "nodes": nodes }, "reproducible": true, "id": id.to_string() });
    let games = ["connect4", "xiangqi", "nim", "connect4", "gomoku", "xiangqi"];
    (0..).zip(games).map(|(id, game)| question(game, 20_000, id)).collect()
}

pub fn game() -> Value {
    json!({
        "game": "xiangqi", "moves": ["h2e2", "h9g7", "h0g2", "i9h9", "b0c2", "c6c5", "g3g4", "g6g5"],
        "budget": { "nodes": 3_000 }, "reproducible": true, "id": "mine",
    })
}
