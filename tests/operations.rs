//! What operators set: where the service listens, keys and quotas, TLS, browsers, traces.

mod support;

use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use command_fds::{CommandFdExt, FdMapping};
use rustls::pki_types::ServerName;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use serde_json::{Value, json};
use support::server::{Reply, Server, post_bytes, read_reply};
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_bestmove");
const QUESTION: &str = r#"{"game":"nim","state":"1;2"}"#;

/// A request with these header lines.
fn with(server: &Server, headers: &str, body: &str) -> Reply {
    let request = post_bytes("/v1/bestmove", body);
    server.raw(request.replacen("\r\n", &format!("\r\n{headers}"), 1).as_bytes())
}

#[test]
fn it_listens_on_names_and_unix_sockets_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("socket");
    // Left over by a process that was killed.
    drop(std::os::unix::net::UnixListener::bind(&path).expect("a socket"));
    let listen = format!("localhost:0,127.0.0.1:0,unix:{}", path.display());
    let mut server = Server::start(PROGRAM, &["--listen", &listen]);
    assert_eq!(server.post("/v1/bestmove", QUESTION).status, 200);
    let last = format!("unix:{}", path.display());
    server.logged(|entry| entry["fields"]["address"] == last.as_str());
    let mut stream = UnixStream::connect(&path).expect("it listens");
    stream.write_all(post_bytes("/v1/bestmove", QUESTION).as_bytes()).expect("it reads");
    assert_eq!(read_reply(&mut BufReader::new(stream)).status, 200);
    let healthy = Command::new(PROGRAM).args(["healthcheck", "--listen", &last]).status();
    assert!(healthy.expect("the program starts").success());
    let busy = Command::new(PROGRAM).args(["serve", "--listen", &last]).output();
    let said = String::from_utf8(busy.expect("the program starts").stderr).expect("text");
    assert!(said.contains(&format!("cannot listen on {last}")), "{said}");
    server.terminate();
    assert_eq!(server.wait(), Some(0));
    assert!(!path.exists(), "it removes its socket");
}

#[test]
fn it_serves_a_socket_that_the_service_manager_hands_over() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it has an address");
    let mut command = Command::new(PROGRAM);
    command.args(["serve", "--log-format", "json", "--listen", "systemd"]).env("LISTEN_FDS", "1");
    let handed = FdMapping { parent_fd: listener.into(), child_fd: 3 };
    command.fd_mappings(vec![handed]).expect("no number twice");
    let server = Server::spawn(&mut command);
    assert_eq!(server.address, address);
    assert_eq!(server.get("/healthz").status, 200);
    let none = Command::new(PROGRAM).args(["serve", "--listen", "systemd"]).output();
    let said = String::from_utf8(none.expect("the program starts").stderr).expect("text");
    assert!(
        said.contains("cannot listen on systemd: the service manager has handed over no socket"),
        "{said}"
    );
}

#[test]
fn probes_have_addresses_of_their_own() {
    let server = Server::start(PROGRAM, &["--probe-listen", "127.0.0.1:0"]);
    let entry = server.logged(|entry| entry["fields"]["probe_address"].is_string());
    let address = entry["fields"]["probe_address"].as_str().expect("an address").to_owned();
    let ask = |path: &str| {
        let mut stream = TcpStream::connect(&address).expect("it listens");
        write!(stream, "GET {path} HTTP/1.1\r\nhost: test\r\n\r\n").expect("it reads");
        read_reply(&mut BufReader::new(stream))
    };
    assert_eq!(["/healthz", "/livez", "/metrics"].map(|path| ask(path).status), [200; 3]);
    assert_eq!(ask("/v1/games").status, 404, "probes and nothing else");
    assert!(ask("/metrics").body.contains("bestmove_slots"));
    let healthy = Command::new(PROGRAM)
        .args(["healthcheck", "--listen", "127.0.0.1:1", "--probe-listen", &address])
        .status();
    assert!(healthy.expect("the program starts").success());
}

#[test]
fn probes_answer_beside_silent_connections() {
    let args = ["--probe-listen", "127.0.0.1:0", "--read-timeout-ms", "700"];
    let server = Server::start(PROGRAM, &args);
    let entry = server.logged(|entry| entry["fields"]["probe_address"].is_string());
    let address = entry["fields"]["probe_address"].as_str().expect("an address");
    let silent: Vec<_> =
        (0..100).map(|_| TcpStream::connect(address).expect("it listens")).collect();
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: test\r\n\r\n").expect("it reads");
    assert_eq!(read_reply(&mut BufReader::new(stream)).status, 200);
    for mut stream in silent {
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("it can be set");
        let read = stream.read_to_end(&mut Vec::new());
        assert!(!read.is_err_and(|why| why.kind() == ErrorKind::WouldBlock), "closed or reset");
    }
    server.logged(|entry| entry["fields"]["message"] == "too many connections");
}

#[test]
fn what_is_read_again_is_said_for_each_file() {
    let folder = tempfile::tempdir().expect("a folder");
    certificate(folder.path());
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    let (cert, key, keys_file) = (path("cert.pem"), path("key.pem"), path("keys.toml"));
    keys(Path::new(&keys_file), "anonymous = \"open\"", &DIGESTS[..1]);
    let args = ["--tls-cert", &cert, "--tls-key", &key, "--keys", &keys_file];
    let server = Server::start(PROGRAM, &args);
    fs::write(&cert, "nonsense").expect("the folder can be written");
    server.signal("HUP");
    server.logged(|entry| is_read_again(entry, "keys"));
    let entry = server.logged(|entry| entry["level"] == "ERROR");
    assert_eq!(entry["fields"]["file"], "certificate", "{entry}");
}

/// True for a line of the log that says so of a file.
fn is_read_again(entry: &Value, file: &str) -> bool {
    entry["fields"]["message"] == "read again" && entry["fields"]["file"] == file
}

/// SHA-256 of `test` and of `other`.
const DIGESTS: [&str; 2] = [
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa",
];

/// A server whose clients have keys, with the file of these in its folder.
fn keyed(head: &str, digests: &[&str], args: &[&str]) -> (TempDir, PathBuf, Server) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("keys.toml");
    keys(&path, head, digests);
    let file = ["--keys", path.to_str().expect("text")];
    let server = Server::start(PROGRAM, &[&file, args].concat());
    (folder, path, server)
}

fn keys(path: &Path, head: &str, keys: &[&str]) {
    let mut text = format!(
        "{head}\n[tiers.club]\nrate = 0.001\nburst = 3\nconcurrency = 2\nlongest_ms = 500\n\
         [tiers.long]\nrate = 1000000.0\nburst = 1000000\nconcurrency = 2\nlongest_ms = 60000\n\
         [tiers.open]\nrate = 1000000.0\nburst = 1000000\nconcurrency = 1\nlongest_ms = 60000\n"
    );
    for (digest, tier) in keys.iter().zip(["club", "long"]) {
        text += &format!("[keys.a{}]\ntier = \"{tier}\"\nsha256 = \"{digest}\"\n", &digest[..4]);
    }
    fs::write(path, text).expect("the folder can be written");
}

#[test]
fn who_has_a_key_has_a_quota() {
    let (_folder, path, server) = keyed("", &DIGESTS[..1], &[]);
    let refused = server.post("/v1/bestmove", QUESTION);
    assert_eq!((refused.status, refused.header("www-authenticate")), (401, Some("Bearer")));
    assert_eq!(refused.json()["code"], "unauthorized");
    assert_eq!(with(&server, "x-api-key: other\r\n", QUESTION).status, 401);
    assert_eq!(server.get("/v1/games").status, 200, "documents are open");

    let first = with(&server, "authorization: bearer test\r\n", QUESTION);
    assert_eq!(first.status, 200, "{}", first.body);
    assert_eq!(first.header("ratelimit-policy"), Some("\"club\";q=3;w=3000"));
    assert_eq!(first.header("ratelimit"), Some("\"club\";r=2;t=1000"));
    let long = r#"{"game":"nim","budget":{"time_ms":501}}"#;
    let problem = with(&server, "x-api-key: test\r\n", long);
    assert_eq!(problem.status, 422);
    assert_eq!(problem.json()["errors"][0]["pointer"], "/budget/time_ms");
    assert_eq!(with(&server, "x-api-key: test\r\n", QUESTION).status, 200);
    let spent = with(&server, "x-api-key: test\r\n", QUESTION);
    assert_eq!((spent.status, spent.header("retry-after")), (429, Some("1000")));
    assert_eq!(spent.header("ratelimit"), Some("\"club\";r=0;t=1000"));
    assert_eq!(spent.json()["code"], "quota_exceeded");

    keys(&path, "", &DIGESTS);
    server.signal("HUP");
    server.logged(|entry| is_read_again(entry, "keys"));
    assert_eq!(with(&server, "x-api-key: other\r\n", QUESTION).status, 200);
    fs::write(&path, "nonsense").expect("the folder can be written");
    server.signal("HUP");
    let entry = server.logged(|entry| entry["level"] == "ERROR");
    assert!(
        entry["fields"]["why"].as_str().is_some_and(|why| why.contains("keys.toml")),
        "{entry}"
    );
    assert_eq!(with(&server, "x-api-key: other\r\n", QUESTION).status, 200, "as before");
}

#[test]
fn a_tier_bounds_what_is_asked_at_a_time_and_by_the_nameless() {
    let (_folder, _, server) = keyed("anonymous = \"open\"", &DIGESTS[..1], &[]);
    let mut held = server.connect();
    let endless = r#"{"game":"xiangqi","budget":{"time_ms":60000}}"#;
    held.write_all(post_bytes("/v1/bestmove", endless).as_bytes()).expect("it reads");
    let runs = || server.get("/metrics").body.contains("bestmove_work_running{kind=\"long\"} 1");
    assert!(std::iter::repeat_with(runs).take(100_000).any(|runs| runs), "it is being answered");
    let second = server.post("/v1/bestmove", QUESTION);
    assert_eq!((second.status, second.header("retry-after")), (429, Some("1")));
    assert!(second.body.contains("1 requests at a time"), "{}", second.body);
    assert_eq!(with(&server, "x-api-key: test\r\n", QUESTION).status, 200, "another client");
    drop(held);
    let freed = std::iter::repeat_with(|| server.post("/v1/bestmove", QUESTION));
    freed.take(100_000).find(|reply| reply.status == 200).expect("who leaves is not counted");
    let entry = server.logged(|entry| entry["fields"]["client"] == "key:9f86d081884c7d65");
    assert_eq!(entry["fields"]["message"], "answered");
}

#[test]
fn slots_are_shared_by_key() {
    let args = ["--slots", "2", "--short-ms", "10"];
    let (_folder, _, server) = keyed("anonymous = \"open\"", &DIGESTS, &args);
    let search = |ms: u64, seed: u64| {
        json!({ "game": "xiangqi", "budget": { "time_ms": ms }, "seed": seed }).to_string()
    };
    let _held = [1, 2].map(|seed| {
        let request = post_bytes("/v1/bestmove", &search(60_000, seed));
        let mut stream = server.connect();
        let request = request.replacen("\r\n", "\r\nx-api-key: other\r\n", 1);
        stream.write_all(request.as_bytes()).expect("it reads");
        stream
    });
    let runs = || server.get("/metrics").body.contains("bestmove_work_running{kind=\"long\"} 2");
    assert!(std::iter::repeat_with(runs).take(100_000).any(|runs| runs), "both slots are held");
    // From the same address, but another client: one of the two gives way. A search may wait in proportion to its
    // budget, and a busy machine takes some milliseconds.
    let reply = server.post("/v1/bestmove", &search(500, 3));
    assert_eq!(reply.status, 200, "{}", reply.body);
}

#[test]
fn web_pages_may_call_as_the_operator_says() {
    let allowed = |server: &Server, origin: &str| {
        let reply = with(server, &format!("origin: {origin}\r\n"), QUESTION);
        reply.header("access-control-allow-origin").map(str::to_owned)
    };
    let listed = "https://play.example";
    let server =
        Server::start(PROGRAM, &["--cors-origins", "https://a.example, https://play.example"]);
    assert_eq!(allowed(&server, listed).as_deref(), Some(listed));
    assert_eq!(allowed(&server, "https://evil.example"), None);
    let server = Server::start(PROGRAM, &["--cors-origins", "none"]);
    assert_eq!(allowed(&server, listed), None);
    let preflight = |server: &Server| {
        let request = "OPTIONS /v1/bestmove HTTP/1.1\r\nhost: test\r\norigin: https://play.example\r\n\
                       access-control-request-method: POST\r\naccess-control-request-private-network: true\r\n\r\n";
        let reply = server.raw(request.as_bytes());
        reply.header("access-control-allow-private-network").map(str::to_owned)
    };
    let server = Server::start(PROGRAM, &[]);
    assert_eq!(allowed(&server, listed).as_deref(), Some("*"));
    assert_eq!(preflight(&server), None);
    let server = Server::start(PROGRAM, &["--cors-private-network", "true"]);
    assert_eq!(preflight(&server).as_deref(), Some("true"));
}

#[test]
fn a_trace_goes_through() {
    let server = Server::start(PROGRAM, &[]);
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    let reply =
        with(&server, &format!("traceparent: 00-{trace}-00f067aa0ba902b7-01\r\n"), QUESTION);
    let continued = reply.header("traceparent").expect("it is named");
    assert!(
        continued.starts_with(&format!("00-{trace}-")) && !continued.contains("00f067aa0ba902b7")
    );
    server.logged(|entry| entry["fields"]["trace"] == trace);
    let reply = with(&server, "traceparent: 00-odd\r\n", QUESTION);
    assert_eq!((reply.status, reply.header("traceparent")), (200, None));
}

#[test]
fn it_says_what_it_is() {
    let version = Server::start(PROGRAM, &[]).get("/version").json();
    assert_eq!(version["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(version["commit"], json!(option_env!("BESTMOVE_COMMIT")));
}

#[test]
fn the_operator_bounds_threads_and_worlds() {
    let server =
        Server::start(PROGRAM, &["--slots", "4", "--max-threads", "2", "--max-worlds", "8"]);
    let ask = |more: &str| {
        let reply = server.post(
            "/v1/bestmove",
            &format!(r#"{{"game":"genius","budget":{{"nodes":50}},{more}}}"#),
        );
        (reply.status, reply.json()["errors"][0]["pointer"].as_str().map(str::to_owned))
    };
    assert_eq!(ask(r#""threads":3"#), (422, Some("/threads".to_owned())));
    let worlds = |count| format!(r#""algorithm":"mc_alphabeta","options":{{"worlds":{count}}}"#);
    assert_eq!(ask(&worlds(9)), (422, Some("/options/worlds".to_owned())));
    assert_eq!(ask(&worlds(8)), (200, None));
    assert_eq!(ask(r#""threads":2"#), (200, None));
}

#[test]
fn the_operator_bounds_depth_alone_and_the_memory_of_options() {
    let server = Server::start(
        PROGRAM,
        &["--max-untimed-ms", "50", "--max-search-mib", "6", "--slots", "1"],
    );
    let deep = server.best_move(&json!({ "game": "othello", "budget": { "depth": 60 } }));
    assert_eq!(deep["stats"]["stopped_by"], "time", "{deep}");
    let timed = json!({ "game": "othello", "budget": { "depth": 60, "time_ms": 120 } });
    let took = server.best_move(&timed)["stats"]["time_ms"].as_u64();
    assert!(took.is_some_and(|ms| ms > 50), "a time of its own is its own: {took:?}");
    let awaited = json!({ "game": "othello", "budget": { "depth": 60 }, "deadline_ms": 150 });
    let took = server.best_move(&awaited)["stats"]["time_ms"].as_u64();
    assert!(took.is_some_and(|ms| ms > 50), "a deadline is one, too: {took:?}");
    let tree = |mib: u64| {
        let body = json!({
            "game": "gomoku", "algorithm": "uct", "options": { "tree_mib": mib },
            "budget": { "simulations": 10 },
        });
        let reply = server.post("/v1/bestmove", &body.to_string());
        (reply.status, reply.json()["errors"][0]["pointer"].as_str().map(str::to_owned))
    };
    assert_eq!(tree(6), (200, None));
    assert_eq!(tree(7), (422, Some("/options/tree_mib".to_owned())));
}

/// The program with a log that nobody reads after the line that names the address.
fn with_unread_log() -> (Child, BufReader<ChildStderr>, String) {
    let mut command = Command::new(PROGRAM);
    command.args(["serve", "--listen", "127.0.0.1:0"]).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut log = BufReader::new(child.stderr.take().expect("it is piped"));
    let line = log
        .by_ref()
        .lines()
        .map(|line| line.expect("text"))
        .find(|line| line.contains("listening"));
    (child, log, line.expect("it listens"))
}

#[test]
fn a_log_that_is_no_terminal_has_no_colours() {
    let (mut child, _log, line) = with_unread_log();
    child.kill().expect("it runs");
    child.wait().expect("it is ours");
    assert!(line.contains("address=127.0.0.1:") && !line.contains('\u{1b}'), "{line:?}");
}

#[test]
fn a_log_that_nobody_reads_holds_up_nobody() {
    let (mut child, _log, line) = with_unread_log();
    let address = line.trim_end().split("address=").nth(1).expect("it is named");
    let mut stream = TcpStream::connect(address).expect("it listens");
    let mut reader = BufReader::new(stream.try_clone().expect("a socket has two ends"));
    // Their lines fill a pipe of 64 KiB several times.
    for _ in 0..1_000 {
        let request = post_bytes("/v1/bestmove", QUESTION);
        stream.write_all(request.as_bytes()).expect("it reads");
        assert_eq!(read_reply(&mut reader).status, 200);
    }
    let killed = Command::new("kill").arg(child.id().to_string()).status();
    assert!(killed.expect("kill exists").success());
    drop((stream, reader));
    assert_eq!(child.wait().expect("it is ours").code(), Some(0), "nor the end");
}

/// Writes a fresh certificate for localhost with its key and returns it.
fn certificate(folder: &Path) -> String {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    fs::write(folder.join("cert.pem"), made.cert.pem()).expect("the folder can be written");
    fs::write(folder.join("key.pem"), made.signing_key.serialize_pem()).expect("it can be written");
    made.cert.pem()
}

/// Asks over TLS; an error if the certificate is not this one.
fn ask_tls(server: &Server, trusted: &str) -> std::io::Result<Reply> {
    let mut roots = RootCertStore::empty();
    let trusted = rustls::pki_types::CertificateDer::from_pem_slice(trusted.as_bytes());
    roots.add(trusted.expect("a certificate")).expect("it can be trusted");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("ring speaks them")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("localhost").expect("a name");
    let tls = ClientConnection::new(Arc::new(config), name).expect("a connection");
    let mut stream = StreamOwned::new(tls, server.connect());
    stream.write_all(post_bytes("/v1/bestmove", QUESTION).as_bytes())?;
    Ok(read_reply(&mut BufReader::new(stream)))
}

#[test]
fn it_speaks_tls_and_takes_a_new_certificate() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = certificate(folder.path());
    let [cert, key] = ["cert.pem", "key.pem"].map(|name| folder.path().join(name));
    let [cert, key] = [&cert, &key].map(|path| path.to_str().expect("text"));
    let args = ["--tls-cert", cert, "--tls-key", key, "--read-timeout-ms", "500"];
    let server = Server::start(PROGRAM, &args);
    assert_eq!(ask_tls(&server, &first).expect("it is trusted").status, 200);
    let second = certificate(folder.path());
    server.signal("HUP");
    server.logged(|entry| is_read_again(entry, "certificate"));
    assert!(ask_tls(&server, &first).is_err(), "the old one is gone");
    assert_eq!(ask_tls(&server, &second).expect("it is trusted").status, 200);
    let mut silent = server.connect();
    silent.write_all(b"\x16\x03\x01").expect("it reads");
    let ended = std::io::copy(&mut silent, &mut std::io::sink());
    assert!(
        ended.is_ok() || ended.is_err_and(|why| why.kind() == std::io::ErrorKind::ConnectionReset)
    );
    let wrong = Command::new(PROGRAM)
        .args(["serve", "--listen", "127.0.0.1:0", "--tls-cert", key, "--tls-key", key])
        .output();
    let said = String::from_utf8(wrong.expect("the program starts").stderr).expect("text");
    assert!(said.contains("cannot serve: "), "{said}");
}
