//! The service as seen by clients: requests per second, overload, punctuality, start.
//!
//! `cargo bench --bench service`, or a part of it: `cargo bench --bench service -- throughput`. Every figure stands
//! beside the one it is measured against. `PROGRAM=target/pgo/release/bestmove` measures another build of the program.

#[path = "../tests/support/server.rs"]
mod server;

use std::fs;
use std::io::{BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::Json;
use axum::routing::post;
use bestmove::SharedTable;
use bestmove::catalog::answer::Answer;
use bestmove::catalog::question::Question;
use bestmove::catalog::{Allowance, Catalog, Context};
use serde_json::{Value, json};
use server::{Server, post_bytes, read_reply};

const CONNECTIONS: usize = 8;
const LOAD_FOR: Duration = Duration::from_secs(3);

fn main() {
    let args: Vec<_> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--serve", what, port] => return serve_bare(what, port.parse().expect("a port")),
        _ if args.iter().any(|arg| arg == "--test") => return,
        _ => {}
    }
    let parts: [(&str, fn()); 4] = [
        ("start", start),
        ("throughput", throughput),
        ("punctuality", punctuality),
        ("overload", overload),
    ];
    let chosen = |name: &str| parts.iter().any(|&(part, _)| part == name);
    let all = !args.iter().any(|arg| chosen(arg));
    parts
        .iter()
        .filter(|(name, _)| all || args.iter().any(|arg| arg == name))
        .for_each(|(_, run)| run());
}

/// The service with its defaults, as cargo has built it or as the environment wants it.
fn service() -> Server {
    let program = std::env::var("PROGRAM");
    Server::start(program.as_deref().unwrap_or(env!("CARGO_BIN_EXE_bestmove")), &[])
}

/// Percentile of sorted figures.
fn percentile(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}

fn sorted(mut figures: Vec<f64>) -> Vec<f64> {
    figures.sort_by(f64::total_cmp);
    figures
}

fn start() {
    let times = (0..11).map(|_| {
        let begun = Instant::now();
        let server = service();
        assert_eq!(server.get("/healthz").status, 200);
        begun.elapsed().as_secs_f64() * 1e3
    });
    let times = sorted(times.collect());
    println!("start to the first /healthz: median {:.0} ms", percentile(&times, 0.5));
    let server = service();
    assert_eq!(server.get("/healthz").status, 200);
    let status = fs::read_to_string(format!("/proc/{}/status", server.pid()));
    let status = status.expect("the process is known to the kernel");
    let resident = status.lines().find(|line| line.starts_with("VmRSS")).unwrap_or_default();
    println!("memory idle: {}", resident.split_whitespace().skip(1).collect::<Vec<_>>().join(" "));
}

/// Answers per second over a few connections, each asking again as soon as it has its answer. No two
/// questions are equal: equal questions at the same time would be one search.
fn load(address: SocketAddr, path: &str) -> (f64, u64) {
    let (done, refused, over) = (AtomicU64::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for seed in 0..CONNECTIONS {
            let question =
                json!({ "game": "nim", "state": "1;2", "algorithm": "sg", "seed": seed });
            let request = post_bytes(path, &question.to_string());
            let (done, refused, over) = (&done, &refused, &over);
            scope.spawn(move || {
                let mut stream = TcpStream::connect(address).expect("it listens");
                stream.set_nodelay(true).expect("the option exists");
                let mut reader = BufReader::new(stream.try_clone().expect("a socket has two ends"));
                while !over.load(Ordering::Relaxed) {
                    stream.write_all(request.as_bytes()).expect("it reads");
                    let status = read_reply(&mut reader).status;
                    let count = if status == 200 { done } else { refused };
                    count.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        std::thread::sleep(LOAD_FOR);
        over.store(true, Ordering::Relaxed);
    });
    let rate = done.load(Ordering::Relaxed) as f64 / begun.elapsed().as_secs_f64();
    (rate, refused.load(Ordering::Relaxed))
}

/// A bare axum server. `constant`: answers every request with the same short JSON. `equal`: parses a question and
/// writes an answer as long as that of the service, without any work between.
fn serve_bare(what: &str, port: u16) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let constant = || async { Json(json!({ "best_move": "1:2" })) };
    let answer: &'static Answer = Box::leak(Box::new(trivial_answer()));
    let equal = move |Json(question): Json<Question>| async move {
        std::hint::black_box(question);
        Json(answer)
    };
    let route = if what == "equal" { post(equal) } else { post(constant) };
    runtime.block_on(async {
        let app = axum::Router::new().route("/", route);
        let listener =
            tokio::net::TcpListener::bind(("127.0.0.1", port)).await.expect("a free port");
        axum::serve(listener, app).await.expect("it serves");
    });
}

/// The answer to the question of the load.
fn trivial_answer() -> Answer {
    let question =
        Question { state: Some(json!("1;2")), algorithm: "sg".into(), ..Question::about("nim") };
    let catalog = Catalog::default();
    let plan = catalog.plan(&question, &Allowance::unlimited(), Instant::now());
    (plan.expect("it is valid").run)(&Context::alone(&SharedTable::new(1_000)))
}

/// A bare server in a process of its own.
struct Bare {
    process: Child,
    address: SocketAddr,
}

impl Bare {
    fn start(what: &str, port: u16) -> Self {
        let program = std::env::current_exe().expect("this program has a path");
        let process = Command::new(program).args(["--serve", what, &port.to_string()]).spawn();
        let address = ([127, 0, 0, 1], port).into();
        while TcpStream::connect(address).is_err() {
            std::thread::sleep(Duration::from_millis(5));
        }
        Self { process: process.expect("it starts"), address }
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        // It has no other way to end.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// CPU time of a process so far, in clock ticks of 10 ms.
fn cpu(pid: u32) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("the process runs");
    let fields: Vec<_> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    // utime and stime, the 14th and 15th field of the line.
    [11, 12].iter().map(|&n| fields[n].parse::<f64>().expect("a number")).sum()
}

/// Requests per second, CPU ticks per request, and requests refused.
fn measured(pid: u32, address: SocketAddr, path: &str) -> (f64, f64, u64) {
    let before = cpu(pid);
    let (rate, refused) = load(address, path);
    let ticks = cpu(pid) - before;
    (rate, ticks / (rate * LOAD_FOR.as_secs_f64()), refused)
}

fn throughput() {
    let ours = service();
    let constant = Bare::start("constant", 18_080);
    let equal = Bare::start("equal", 18_081);
    let (mut rates, mut costs) = (Vec::new(), Vec::new());
    for round in 0..5 {
        let (bare, _, _) = measured(constant.process.id(), constant.address, "/");
        let (_, plain, _) = measured(equal.process.id(), equal.address, "/");
        let (rate, cost, refused) = measured(ours.pid(), ours.address, "/v1/bestmove");
        println!(
            "round {round}: bare axum {bare:.0}/s, nim by sg {rate:.0}/s ({refused} refused), ratio {:.2}; \
             CPU against equal parsing and writing {:.2}",
            rate / bare,
            cost / plain
        );
        rates.push(rate / bare);
        costs.push(cost / plain);
    }
    println!(
        "requests/s against a bare axum route: median ratio {:.2}; CPU a request against a route that parses and \
         writes as much: {:.2}",
        percentile(&sorted(rates), 0.5),
        percentile(&sorted(costs), 0.5)
    );
}

fn punctuality() {
    let server = service();
    let mut late = Vec::new();
    for n in 0..200 {
        let question = json!({
            "game": "othello", "budget": { "time_ms": 50 }, "seed": n, "options": { "table": "private" }
        });
        let begun = Instant::now();
        server.best_move(&question);
        late.push(begun.elapsed().as_secs_f64() * 1e3 - 50.0);
    }
    let late = sorted(late);
    println!(
        "a 50 ms budget on an idle machine, request to answer: median {:+.1} ms, p99 {:+.1} ms",
        percentile(&late, 0.5),
        percentile(&late, 0.99)
    );
}

fn hundred_ms(seed: usize) -> Value {
    json!({ "game": "othello", "budget": { "time_ms": 100 }, "seed": seed })
}

fn nodes(answer: &Value) -> f64 {
    answer["stats"]["nodes"].as_f64().expect("an answer counts its nodes")
}

/// Latencies of `/healthz`, in ms, asked again and again until it is over.
fn probe_health(server: &Server, over: &AtomicBool) -> Vec<f64> {
    let mut times = Vec::new();
    while !over.load(Ordering::Relaxed) {
        let begun = Instant::now();
        assert_eq!(server.get("/healthz").status, 200);
        times.push(begun.elapsed().as_secs_f64() * 1e3);
        std::thread::sleep(Duration::from_millis(2));
    }
    times
}

fn overload() {
    let server = service();
    // Entries of an idle search would help the loaded ones, so none is shared here.
    let ask = |seed| {
        let mut question = hundred_ms(seed);
        question["options"] = json!({ "table": "private" });
        question
    };
    let idle = sorted((0..10).map(|n| nodes(&server.best_move(&ask(n)))).collect());
    let idle = percentile(&idle, 0.5);
    let over = AtomicBool::new(false);
    let (mut answers, mut refusals, mut health) = (Vec::new(), Vec::new(), Vec::new());
    std::thread::scope(|scope| {
        let (server, over) = (&server, &over);
        let probe = scope.spawn(move || probe_health(server, over));
        let clients: Vec<_> = (0..200)
            .map(|n| {
                scope.spawn(move || {
                    let begun = Instant::now();
                    let reply = server.post("/v1/bestmove", &ask(1_000 + n).to_string());
                    (reply, begun.elapsed())
                })
            })
            .collect();
        for client in clients {
            let (reply, took) = client.join().expect("a client ends");
            match reply.status {
                200 => answers.push(nodes(&reply.json()) / idle),
                503 => {
                    assert!(reply.header("retry-after").is_some(), "a refusal says when to retry");
                    refusals.push(took.as_secs_f64() * 1e3);
                }
                status => panic!("{status}: {}", reply.body),
            }
        }
        over.store(true, Ordering::Relaxed);
        health = probe.join().expect("the probe ends");
    });
    let (answers, refusals, health) = (sorted(answers), sorted(refusals), sorted(health));
    println!(
        "200 requests of 100 ms at once: {} answers, {} refusals",
        answers.len(),
        refusals.len()
    );
    println!(
        "  nodes against an idle search: median {:.2}, least {:.2}",
        percentile(&answers, 0.5),
        answers[0]
    );
    println!("  a refusal took at most {:.0} ms", refusals.last().copied().unwrap_or(0.0));
    println!("  /healthz p99 {:.0} ms", percentile(&health, 0.99));
}
