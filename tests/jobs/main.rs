//! Jobs: what they answer is what the direct endpoints answer, whatever happens to the process meanwhile.

mod games;
#[path = "../support/mod.rs"]
mod support;

use std::io::Write;

use serde_json::{Value, json};
use support::jobs::{BACKGROUND, LINES, ask, create, ended, game, get, questions, wait_for, work};
use support::server::Server;

const PROGRAM: &str = env!("CARGO_BIN_EXE_bestmove");
/// Long enough never to end by itself.
const ENDLESS: u64 = 60_000;

#[test]
fn a_job_answers_what_the_direct_endpoint_answers() {
    let server = Server::start(PROGRAM, &["--slots", "2"]);
    for (kind, body) in [("batch", json!({ "questions": questions() })), ("review", game())] {
        let path = create(&server, kind, &body);
        let job = ended(&server, &path);
        assert_eq!((&job["state"], &job["failed"]), (&json!("done"), &json!(0)), "{job}");
        assert_eq!((&job["items"], &job["kind"]), (&job["done"], &json!(kind)));
        let answer = get(&server, &format!("{path}/result"));
        let direct = server.post(&format!("/v1/{kind}"), &body.to_string());
        assert_eq!((answer.status, direct.status), (200, 200));
        assert_eq!(answer.body, direct.body);
        assert!(answer.head.contains("content-type: application/json"), "{}", answer.head);
    }
    let empty = create(&server, "batch", &json!({ "questions": [] }));
    assert_eq!(ended(&server, &empty)["state"], "done");
    assert_eq!(get(&server, &format!("{empty}/result")).body, r#"{"answers":[]}"#);
}

#[test]
fn a_review_with_dice_is_put_together_to_the_last_digit() {
    let server = Server::start(PROGRAM, &["--slots", "2"]);
    let position = json!({ "game": "easycard" });
    let mut moves: Vec<String> = Vec::new();
    // The first legal move, or outcome, each time.
    for _ in 0..12 {
        let mut asked = position.clone();
        asked["moves"] = json!(moves);
        let found = server.post("/v1/position", &asked.to_string()).json();
        let Some(mv) = found["legal_moves"][0].as_str() else { break };
        moves.push(mv.to_owned());
    }
    let body = json!({ "game": "easycard", "moves": moves, "budget": { "depth": 6 }, "reproducible": true });
    let path = create(&server, "review", &body);
    ended(&server, &path);
    let direct = server.post("/v1/review", &body.to_string());
    assert_eq!(direct.status, 200, "{}", direct.body);
    assert_eq!(get(&server, &format!("{path}/result")).body, direct.body);
}

#[test]
fn events_come_once_each_and_go_on_where_a_client_has_left() {
    let server = Server::start(PROGRAM, &["--slots", "2"]);
    let path = create(&server, "batch", &json!({ "questions": questions() }));
    let events = format!("{path}/events");
    let lines = ask(&server, "GET", &events, LINES, "").body;
    let told: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let items: Vec<_> = told.iter().filter(|told| told["event"] == "item").collect();
    assert!(items.iter().map(|told| &told["data"]["id"]).eq(&[1, 2, 3, 4, 5, 6]), "{lines}");
    let mut numbers: Vec<_> = items.iter().map(|told| told["data"]["item"].as_u64()).collect();
    numbers.sort();
    assert_eq!(numbers, (0..6).map(Some).collect::<Vec<_>>());
    let page = get(&server, &format!("{path}?after=4")).json()["results"].clone();
    assert_eq!(page, json!([items[4]["data"], items[5]["data"]]));
    let rest =
        ask(&server, "GET", &events, "accept: text/event-stream\r\nlast-event-id: 5\r\n", "").body;
    let (item, end) = rest.split_once("\n\n").expect("two events");
    let data = item.strip_prefix("event: item\nid: 6\ndata: ").expect("the sixth result");
    assert_eq!(serde_json::from_str::<Value>(data).expect("JSON"), items[5]["data"]);
    assert!(end.starts_with("event: result\n"), "{end}");
    let past = ask(&server, "GET", &events, "last-event-id: 6\r\n", "").body;
    assert!(past.starts_with("{\"event\":\"result\""), "{past}");
}

#[test]
fn a_job_waits_for_an_idle_slot() {
    let server = Server::start(PROGRAM, &["--slots", "1"]);
    let mut stream = server.connect();
    let question =
        json!({ "game": "xiangqi", "budget": { "time_ms": ENDLESS }, "ratings": "none" })
            .to_string();
    let request = support::server::post_bytes("/v1/bestmove", &question);
    stream.write_all(request.as_bytes()).expect("the service reads");
    wait_for("it runs", || work(&server, "bestmove_work_running{kind=\"long\"}") == 1.0);
    let body = json!({ "questions": [{ "game": "nim" }] });
    let path = create(&server, "batch", &body);
    assert_eq!(server.post("/v1/batch", &body.to_string()).status, 200, "who waits is answered");
    assert_eq!(get(&server, &path).json()["state"], "waiting");
    assert_eq!(work(&server, "bestmove_job_pieces{state=\"waiting\"}"), 1.0);
    drop(stream);
    assert_eq!(ended(&server, &path)["state"], "done");
}

#[test]
fn a_cancelled_job_stops_and_has_no_answer() {
    let server = Server::start(PROGRAM, &["--slots", "2"]);
    // Equal questions are one search.
    let long = |seed| json!({ "game": "xiangqi", "budget": { "time_ms": ENDLESS }, "ratings": "none", "seed": seed });
    let path = create(&server, "batch", &json!({ "questions": [long(1), long(2), long(3)] }));
    wait_for("two run", || work(&server, BACKGROUND) == 2.0);
    let early = get(&server, &format!("{path}/result"));
    assert_eq!((early.status, &early.json()["code"]), (409, &json!("job_unfinished")));
    assert!(early.head.contains("retry-after: "), "{}", early.head);
    let cancelled = ask(&server, "DELETE", &path, "", "");
    assert_eq!((cancelled.status, &cancelled.json()["state"]), (200, &json!("cancelled")));
    wait_for("nothing runs", || work(&server, BACKGROUND) == 0.0);
    let job = ended(&server, &path);
    assert_eq!((&job["state"], &job["done"]), (&json!("cancelled"), &json!(0)));
    let gone = get(&server, &format!("{path}/result"));
    assert_eq!((gone.status, &gone.json()["code"]), (410, &json!("job_cancelled")));
    let again = ask(&server, "DELETE", &path, "", "");
    assert_eq!((again.status, &again.json()["state"]), (200, &json!("cancelled")));
}

#[test]
fn jobs_outlast_the_process_and_end_as_if_nothing_had_happened() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().to_str().expect("a path");
    let start = || Server::start(PROGRAM, &["--slots", "2", "--data", data, "--lease-ms", "300"]);
    let mut questions = questions();
    questions.extend(questions.clone());
    let batch = json!({ "questions": questions });
    let mut server = start();
    let paths = [create(&server, "batch", &batch), create(&server, "review", &game())];
    assert_eq!(get(&server, &paths[0]).json()["durable"], true);
    for signal in ["KILL", "KILL", "TERM"] {
        wait_for("something is being done", || {
            work(&server, BACKGROUND) > 0.0
                || paths.iter().all(|path| get(&server, path).json()["state"] == "done")
        });
        server.signal(signal);
        server.wait();
        server = start();
    }
    for (path, (kind, body)) in paths.iter().zip([("batch", batch), ("review", game())]) {
        let job = ended(&server, path);
        assert_eq!((&job["state"], &job["failed"]), (&json!("done"), &json!(0)));
        let direct = server.post(&format!("/v1/{kind}"), &body.to_string());
        assert_eq!(get(&server, &format!("{path}/result")).body, direct.body);
    }
}

#[test]
fn one_process_takes_jobs_and_others_do_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().to_str().expect("a path");
    let role = |role| Server::start(PROGRAM, &["--slots", "1", "--data", data, "--role", role]);
    let api = role("api");
    let path = create(&api, "batch", &json!({ "questions": questions() }));
    assert_eq!(get(&api, &path).json()["state"], "waiting");
    let workers = [role("worker"), role("worker")];
    assert_eq!(ended(&api, &path)["state"], "done");
    for worker in &workers {
        assert_eq!(worker.get("/healthz").status, 200);
        assert_eq!(worker.post("/v1/bestmove", r#"{"game":"nim"}"#).status, 404);
    }
}

#[test]
fn the_same_name_is_the_same_job() {
    let server = Server::start(PROGRAM, &["--slots", "1", "--max-jobs", "1"]);
    let long = json!({ "game": "xiangqi", "budget": { "time_ms": ENDLESS }, "ratings": "none" });
    let job = |question: &Value| {
        json!({ "kind": "batch", "body": { "questions": [question] } }).to_string()
    };
    let named = |body: &str| ask(&server, "POST", "/v1/jobs", "idempotency-key: k\r\n", body);
    let (first, again) = (named(&job(&long)), named(&job(&long)));
    assert_eq!((first.status, again.status), (202, 200));
    assert_eq!(first.json()["id"], again.json()["id"]);
    let other = named(&job(&json!({ "game": "nim" })));
    assert_eq!((other.status, &other.json()["code"]), (422, &json!("idempotency_key_reused")));
    let more = ask(&server, "POST", "/v1/jobs", "", &job(&json!({ "game": "nim" })));
    assert_eq!((more.status, &more.json()["code"]), (429, &json!("too_many_jobs")));
    let wrong = ask(&server, "POST", "/v1/jobs", "idempotency-key: \r\n", &job(&long));
    assert_eq!(wrong.status, 422, "{}", wrong.body);
    let list = |query: &str| get(&server, &format!("/v1/jobs{query}")).json()["jobs"].clone();
    assert_eq!(list("?kind=batch&limit=1")[0]["id"], first.json()["id"]);
    assert_eq!(list("?kind=review"), json!([]));
    assert_eq!(list("?state=done"), json!([]));
}

#[test]
fn a_job_of_a_key_is_nobody_elses() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("keys.toml");
    let tier = "anonymous = \"all\"\n[tiers.all]\nrate = 1000\nburst = 1000\nconcurrency = 100\nlongest_ms = 60000\n";
    // Digests of `test` and of `other`.
    let keys = "[keys.one]\ntier = \"all\"\nsha256 = \"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\"\n\
                [keys.two]\ntier = \"all\"\nsha256 = \"d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa\"\n";
    std::fs::write(&path, format!("{tier}{keys}")).expect("a file");
    let server = Server::start(PROGRAM, &["--keys", path.to_str().expect("a path")]);
    let body = r#"{"kind":"batch","body":{"questions":[]}}"#;
    let one = ask(&server, "POST", "/v1/jobs", "x-api-key: test\r\n", body).json();
    let path = one["links"]["self"].as_str().expect("a path");
    let seen = |key: &str, path: &str| ask(&server, "GET", path, key, "").status;
    for path in [path.to_owned(), format!("{path}/events"), format!("{path}/result")] {
        assert_eq!(seen("x-api-key: test\r\n", &path), 200, "{path}");
        assert_eq!(seen("x-api-key: other\r\n", &path), 404, "{path}");
        assert_eq!(seen("", &path), 404, "{path}");
    }
    assert_eq!(ask(&server, "DELETE", path, "x-api-key: other\r\n", "").status, 404);
    assert_eq!(ask(&server, "GET", "/v1/jobs", "", "").json()["jobs"], json!([]));
}

#[test]
fn wrong_jobs_are_problems_that_point() {
    let server = Server::start(PROGRAM, &[]);
    let mut questions = vec![json!({ "game": "nim" }); 800];
    questions[731]["budget"] = json!({ "depth": "deep" });
    let too_many = vec![json!({ "game": "nim" }); 10_001];
    let job = |kind: &str, body: Value| json!({ "kind": kind, "body": body });
    for (job, code, pointer) in [
        (job("party", json!({})), "invalid_request", "/kind"),
        (
            job("batch", json!({ "questions": questions })),
            "invalid_request",
            "/body/questions/731/budget/depth",
        ),
        (
            job("batch", json!({ "questions": [{ "game": "go" }] })),
            "unknown_game",
            "/body/questions/0/game",
        ),
        (job("batch", json!({ "questions": too_many })), "invalid_request", "/body/questions"),
        (job("batch", json!({})), "invalid_request", "/body"),
        (job("review", json!({ "game": "nim", "moves": ["9"] })), "illegal_move", "/body/moves/0"),
        (job("review", json!({ "game": "nim", "moves": [] })), "invalid_request", "/body/moves"),
        (
            job("review", json!({ "game": "nim", "moves": ["1:1"], "budget": { "time_ms": 0 } })),
            "invalid_request",
            "/body/budget/time_ms",
        ),
        (json!({ "kind": "batch" }), "invalid_request", ""),
    ] {
        let text = job.to_string();
        let answered = ask(&server, "POST", "/v1/jobs", "", &text);
        let problem = answered.json();
        assert_eq!(problem["code"], code, "{problem}");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{problem}");
        assert!((400..500).contains(&answered.status) && problem["request_id"] != "", "{problem}");
    }
    let direct = json!({ "questions": vec![json!({ "game": "nim" }); 257] });
    assert!(server.post("/v1/batch", &direct.to_string()).body.contains("POST /v1/jobs"));
}

#[test]
fn wrong_paths_and_queries_of_jobs_are_problems() {
    let server = Server::start(PROGRAM, &[]);
    let padded = format!("{}1:1", " ".repeat(70_000));
    let padded =
        json!({ "kind": "review", "body": { "game": "nim", "moves": [padded] } }).to_string();
    let answered = ask(&server, "POST", "/v1/jobs", "", &padded);
    assert_eq!((answered.status, &answered.json()["code"]), (413, &json!("body_too_large")));
    let never = "/v1/jobs/00000000-0000-4000-8000-000000000000";
    for path in [never, "/v1/jobs/7", "/v1/jobs/%ff"] {
        let problem = get(&server, path);
        assert_eq!(
            (problem.status, &problem.json()["code"]),
            (404, &json!("unknown_job")),
            "{path}"
        );
    }
    let empty = create(&server, "batch", &json!({ "questions": [] }));
    let after = |after| format!("{empty}?after={after}");
    let listed = |query: &str| format!("/v1/jobs?{query}");
    for (path, told) in [
        (listed("state=odd"), "`state` in the query: unknown value `odd`, expected one of"),
        (listed("limit=x"), "`limit` in the query: expected a whole number"),
        (listed("limit=0"), "`limit` in the query: must be from 1 to 100, got 0"),
        (listed("limit=101"), "`limit` in the query: must be from 1 to 100, got 101"),
        (listed("sate=done"), "did you mean `state`?"),
        (after("-1"), "`after` in the query: expected a whole number"),
        (after("9007199254740992"), "`after` in the query: must be at most 9007199254740991"),
    ] {
        let answered = get(&server, &path);
        let detail = answered.json()["detail"].as_str().unwrap_or_default().to_owned();
        assert!(answered.status == 422 && detail.contains(told), "{path}: {detail}");
    }
    let events = format!("{empty}/events");
    for id in ["x", "-1", "9007199254740992"] {
        let header = format!("last-event-id: {id}\r\n");
        assert_eq!(ask(&server, "GET", &events, &header, "").status, 422, "{id}");
    }
}
