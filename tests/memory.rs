//! The memory of the process stays below its setting, whatever questions name.

mod support;

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::process::Command;

use serde_json::{Value, json};
use support::http2::ask_and_take;
use support::server::{Server, post_bytes};

const PROGRAM: &str = env!("CARGO_BIN_EXE_bestmove");
const MEMORY_MIB: u64 = 256;

/// Questions whose option takes as much memory as the server allows.
fn greedy_questions() -> [(Value, &'static str); 6] {
    let gomoku = json!({ "game": "gomoku", "algorithm": "uct", "options": { "size": 20 } });
    let nim =
        json!({ "game": "nim", "algorithm": "mcts", "state": "255;255;255;255;255;255;255;255" });
    let genius = json!({ "game": "genius", "algorithm": "uct", "options": { "worlds": 256 } });
    let othello = json!({ "game": "othello", "algorithm": "sg" });
    let xiangqi =
        json!({ "game": "xiangqi", "algorithm": "alphabeta", "options": { "table": "private" } });
    let selective = json!({ "game": "xiangqi", "algorithm": "selective", "threads": 2 });
    [
        (gomoku, "tree_mib"),
        (othello, "max_states"),
        (xiangqi, "table_mib"),
        (selective, "table_mib"),
        (nim, "tree_mib"),
        (genius, "tree_mib"),
    ]
}

/// The most that the server allows of an option, as its refusal of more says.
fn most(server: &Server, question: &Value, option: &str) -> u64 {
    let mut question = question.clone();
    question["options"][option] = json!(1_000_000_000);
    let problem = server.post("/v1/bestmove", &question.to_string()).json();
    let detail = problem["errors"][0]["detail"].as_str().expect("a detail").to_owned();
    let words: Vec<_> = detail.split([' ', ',']).collect();
    let to = words.iter().position(|&word| word == "to").expect("it names the range");
    words[to + 1].parse().unwrap_or_else(|_| panic!("{detail}"))
}

/// Highest memory in use so far, in KiB.
fn peak(server: &Server) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", server.pid())).expect("it runs");
    let line = status.lines().find(|line| line.starts_with("VmHWM")).expect("the kernel knows");
    line.split_whitespace().nth(1).and_then(|kib| kib.parse().ok()).expect("a number")
}

/// Many requests that are never sent to their ends.
fn half_sent(server: &Server) -> Vec<TcpStream> {
    let open = |_| {
        let mut stream = server.connect();
        let head = "POST /v1/bestmove HTTP/1.1\r\nhost: test\r\ncontent-length: 60000\r\n\r\n";
        // A connection over the limit is closed.
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&[b' '; 40_000]));
        stream
    };
    (0..300).map(open).collect()
}

#[test]
fn the_hungriest_questions_at_once_stay_within_the_memory() {
    let memory = MEMORY_MIB.to_string();
    let args =
        ["--memory-mib", &memory, "--slots", "2", "--table-entries", "20000", "--short-ms", "1000"];
    let server = Server::start(PROGRAM, &[&args[..], &["--trusted-proxies", "127.0.0.1"]].concat());
    let questions = greedy_questions().map(|(question, option)| {
        let most = most(&server, &question, option);
        let mut question = question;
        question["options"][option] = json!(most);
        question
    });
    let _half_sent = half_sent(&server);
    for wave in 0..questions.len() {
        std::thread::scope(|scope| {
            // Two short searches and two long ones run at a time.
            for (place, ms) in [(0, 900), (1, 900), (2, 1_500), (3, 1_500)] {
                let mut question = questions[(wave + place) % questions.len()].clone();
                question["budget"] = json!({ "time_ms": ms });
                let server = &server;
                scope.spawn(move || {
                    let reply = server.post("/v1/bestmove", &question.to_string());
                    assert!([200, 503].contains(&reply.status), "{question}: {}", reply.body);
                });
            }
        });
        let peak = peak(&server) / 1_024;
        assert!(peak <= MEMORY_MIB, "{peak} MiB after wave {wave}");
    }
    assert!(
        peak(&server) / 1_024 > MEMORY_MIB / 2,
        "the questions are no test: {} KiB",
        peak(&server)
    );
}

#[test]
fn answers_on_their_way_stay_within_the_memory() {
    let memory = MEMORY_MIB.to_string();
    let args = ["--memory-mib", &memory, "--slots", "2", "--table-entries", "20000"];
    let server = Server::start(PROGRAM, &[&args[..], &["--trusted-proxies", "127.0.0.1"]].concat());
    let traced = |nodes: u64| json!({ "game": "connect4", "algorithm": "alphabeta", "trace": true, "budget": { "nodes": nodes } });
    let (long, batch) = (traced(10_000), json!({ "questions": vec![traced(1_000); 64] }));
    let reply = server.post("/v1/batch", &batch.to_string());
    assert!(reply.status == 200 && reply.body.len() < 3 << 20, "{} bytes", reply.body.len());
    let items = &reply.json()["answers"];
    assert_eq!((&items[0]["status"], &items[63]["status"]), (&json!(200), &json!(422)));
    let why = &items[63]["problem"]["errors"][0];
    assert_eq!(why["pointer"], "/questions/63", "{why}");
    // Nobody takes these.
    let _held: Vec<_> = (0..100)
        .map(|_| {
            let mut stream = server.connect();
            ask_and_take(&mut stream, 1, "/openapi.json", 100);
            stream
        })
        .collect();
    let mut unread: Vec<_> = (0..20).map(|_| server.connect()).collect();
    for stream in &mut unread {
        let request = post_bytes("/v1/bestmove", &long.to_string());
        stream.write_all(request.as_bytes()).expect("it reads");
    }
    let refused = std::iter::repeat_with(|| server.post("/v1/bestmove", &long.to_string()));
    let refused = refused.take(1_000).find(|reply| reply.status == 503);
    assert!(refused.is_some(), "there is no room for more long answers");
    assert_eq!(server.get("/healthz").status, 200, "short ones need none");
    assert!(peak(&server) / 1_024 <= MEMORY_MIB, "{} KiB", peak(&server));
}

#[test]
fn too_little_memory_is_refused_at_the_start() {
    let args = ["serve", "--listen", "127.0.0.1:0", "--memory-mib", "64"];
    let refused = Command::new(PROGRAM).args(args).output().expect("the program starts");
    let said = String::from_utf8(refused.stderr).expect("text");
    assert!(!refused.status.success() && said.contains("set --memory-mib to at least"), "{said}");
}

#[test]
fn long_lists_of_ratings_are_cut() {
    let server = Server::start(PROGRAM, &["--max-ratings", "3"]);
    let answer = server.best_move(&json!({ "game": "nim", "state": "9;9;8" }));
    assert_eq!(answer["ratings"].as_array().map(Vec::len), Some(3));
    let warned = answer["warnings"].as_array().expect("a list").iter();
    assert!(
        warned.filter_map(Value::as_str).any(|text| text.contains("26 moves are rated")),
        "{answer}"
    );
    let few = server.best_move(&json!({ "game": "nim", "state": "1;2" }));
    assert_eq!(
        (few["ratings"].as_array().map(Vec::len), few["warnings"] == json!([])),
        (Some(3), true)
    );
}
