//! Jobs that several processes do by way of a server of NATS. A build with `--features nats` has them.

mod support;

use serde_json::json;
use support::jobs::{BACKGROUND, create, ended, game, get, questions, wait_for, work};
use support::nats::NatsServer;
use support::server::Server;

const PROGRAM: &str = env!("CARGO_BIN_EXE_bestmove");

/// A process of this role, whose pieces are another's a second after it has died.
fn start(nats: &NatsServer, role: &str, more: &[&str]) -> Server {
    let url = nats.url();
    let args = ["--slots", "1", "--role", role, "--queue", &url, "--lease-ms", "1000"];
    Server::start(PROGRAM, &[&args[..], more].concat())
}

#[test]
fn processes_without_a_common_folder_share_jobs() {
    let nats = NatsServer::start();
    let (api, other) = (start(&nats, "api", &[]), start(&nats, "api", &[]));
    let _workers = [start(&nats, "worker", &[]), start(&nats, "worker", &[])];
    let calm = Server::start(PROGRAM, &["--slots", "1"]);
    for (kind, body) in [("batch", json!({ "questions": questions() })), ("review", game())] {
        let path = create(&api, kind, &body);
        let job = ended(&other, &path);
        assert_eq!((&job["state"], &job["failed"]), (&json!("done"), &json!(0)), "{job}");
        assert_eq!(job["durable"], true);
        let direct = calm.post(&format!("/v1/{kind}"), &body.to_string());
        assert_eq!(get(&other, &format!("{path}/result")).body, direct.body);
    }
}

#[test]
fn whoever_dies_every_job_ends_with_the_results_of_an_undisturbed_run() {
    let mut nats = NatsServer::start();
    let api = start(&nats, "api", &[]);
    let mut workers = [start(&nats, "worker", &[]), start(&nats, "worker", &[])];
    let mut questions = questions();
    questions.extend(questions.clone());
    let batch = json!({ "questions": questions });
    let paths = [create(&api, "batch", &batch), create(&api, "review", &game())];
    let is_busy = |server: &Server| {
        work(server, BACKGROUND) > 0.0
            || paths.iter().all(|path| get(&api, path).json()["state"] == "done")
    };
    for death in ["worker", "server", "sleep"] {
        wait_for("something is being done", || is_busy(&workers[0]));
        match death {
            "worker" => {
                workers[0].signal("KILL");
                workers[0].wait();
                workers[0] = start(&nats, "worker", &[]);
            }
            "server" => nats.kill(),
            _ => workers[0].signal("STOP"),
        }
    }
    let calm = Server::start(PROGRAM, &["--slots", "1"]);
    for (path, (kind, body)) in paths.iter().zip([("batch", batch), ("review", game())]) {
        let job = ended(&api, path);
        assert_eq!((&job["state"], &job["failed"]), (&json!("done"), &json!(0)), "{job}");
        let direct = calm.post(&format!("/v1/{kind}"), &body.to_string());
        assert_eq!(get(&api, &format!("{path}/result")).body, direct.body);
    }
    workers[0].signal("CONT");
    assert_eq!(workers[0].get("/healthz").status, 200, "it wakes late, and does no harm");
}

/// Runs a command; its output.
fn command(args: &[&str]) -> String {
    let output = std::process::Command::new(PROGRAM).args(args).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn a_command_finds_elsewhere_what_it_finds_here() {
    let nats = NatsServer::start();
    let _workers = [start(&nats, "worker", &[]), start(&nats, "worker", &[])];
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).to_str().expect("a path").to_owned();
    let read = |path: &str| std::fs::read_to_string(path).expect("a file");
    let url = nats.url();
    let on = ["--jobs-on", url.as_str()];
    let player = |depth: u64| {
        json!({ "game": "connect4", "algorithm": "alphabeta", "budget": { "depth": depth } })
            .to_string()
    };
    let (one, two) = (player(4), player(2));
    let record = |name: &str, more: &[&str]| {
        let path = file(name);
        let args = ["match", &one, &two, "--games", "8", "--opening", "4", "--json", &path];
        let told = command(&[&args[..], more].concat());
        let record: serde_json::Value = serde_json::from_str(&read(&path)).expect("JSON");
        let games = record["games"].as_array().expect("games").clone();
        let moves: Vec<_> = games.iter().map(|game| game["moves"].clone()).collect();
        (told.lines().last().map(str::to_owned), record["strength"].clone(), moves)
    };
    let here = record("here", &[]);
    assert_eq!(record("there", &on), here);
    assert_eq!(record("again", &on), here, "the same command finds the same match");
    let samples = |name: &str, more: &[&str]| {
        let path = file(name);
        let args =
            ["tune", "--game", "xiangqi", "--games", "4", "--nodes", "200", "--samples", &path];
        // Four games are too few to learn from.
        let output = std::process::Command::new(PROGRAM).args(args).args(more).output();
        output.expect("it runs");
        read(&path)
    };
    let played = samples("played", &[]);
    assert!(played.contains(" | "), "{played}");
    assert_eq!(samples("played there", &on), played);
    let question =
        json!({ "game": "othello", "budget": { "depth": 2 }, "reproducible": true }).to_string();
    let study = ["study", "opening", &question, "--plies", "2"];
    let here = command(&study);
    assert!(here.starts_with("17 positions; best play: "), "{here}");
    assert_eq!(command(&[&study[..], &on].concat()), here);
}

#[test]
fn a_queue_that_is_not_there_is_said() {
    let program = |args: &[&str]| {
        let output = std::process::Command::new(PROGRAM).arg("serve").args(args).output();
        let output = output.expect("it runs");
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(program(&["--queue", "nats://127.0.0.1:1"]).contains("cannot serve: --queue: "));
    assert!(program(&["--queue", "nats://h", "--data", "d"]).contains("cannot be used with"));
    assert!(program(&["--queue-name", "a.b"]).contains("letters, digits"));
}
