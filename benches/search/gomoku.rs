//! Gomoku: positions with a forced win by threats or a single defence, and speed.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use bestmove::SharedTable;
use bestmove::games::gomoku::{Gomoku, GomokuEvaluation, GomokuEvaluator, Point};
use bestmove::notation::{Notation, Settings, StateInput};
use bestmove::search::alphabeta::Selective;
use bestmove::search::{Budget, Report, Value, Wanted};
use serde_json::Value as Json;

use super::{run, run_watched};

const TACTICS: &str = include_str!("../../tests/data/gomoku_tactics.json");

/// Length in moves above which wins by fours are listed apart.
const LONG: u64 = 8;

/// Figures of every run; `speed` on the command line runs only the first.
pub(super) fn figures() {
    nodes_per_second();
    if std::env::args().any(|arg| arg == "speed") {
        return;
    }
    let time = |millis| Budget { time: Some(Duration::from_millis(millis)), ..Budget::default() };
    tactics("5 ms", &time(5));
    tactics("300 ms", &time(300));
    let report = run(&engine(), &opening(), time(1_000), Wanted::All);
    println!("gomoku, every fourth move rated in 1 s: depth {}", report.stats.depth);
}

fn engine() -> Selective<GomokuEvaluator> {
    Selective::new(GomokuEvaluator::new(GomokuEvaluation::Patterns))
}

/// Three stones in the middle.
fn opening() -> Gomoku {
    let state = serde_json::json!({ "moves": ["h8", "i9", "h9"] });
    read(&state)
}

fn read(state: &Json) -> Gomoku {
    let settings = Settings::defaults(Gomoku::facts().options);
    Gomoku::read(StateInput::Json(state), &settings).expect("a position")
}

fn nodes_per_second() {
    let budget = Budget { time: Some(Duration::from_secs(3)), ..Budget::default() };
    let stats = run(&engine(), &opening(), budget, Wanted::One).stats;
    let rate = stats.nodes as f64 / stats.time.as_secs_f64() / 1e6;
    println!("gomoku after three stones: {rate:.2} M nodes/s, depth {} in 3 s", stats.depth);
}

/// Results on the positions of one kind.
#[derive(Default)]
struct Tally {
    count: u32,
    solved: u32,
    proved: u32,
    /// Proofs no longer than recorded, and the total time to find them.
    short: u32,
    until_short: Duration,
    time: Duration,
    missed: Vec<String>,
}

/// Number of positions of each kind answered by a winning or saving move, and of proved wins.
fn tactics(name: &str, budget: &Budget) {
    let data: Json = serde_json::from_str(TACTICS).expect("JSON");
    let mut tallies = BTreeMap::<&str, Tally>::new();
    for row in data["positions"].as_array().expect("positions") {
        let kind = row["kind"].as_str().expect("a kind");
        if kind == "quiet" {
            continue;
        }
        let is_long = kind == "vcf" && row["length"].as_u64().is_some_and(|moves| moves > LONG);
        let board = row["board"].as_array().expect("rows").clone();
        let pos = read(&serde_json::json!({ "board": board }));
        let table = SharedTable::new(1 << 20);
        let recorded = row["length_plies"].as_u64();
        let is_short = |report: &Report<Point>| {
            proved(report).zip(recorded).is_some_and(|(plies, length)| u64::from(plies) <= length)
        };
        let first_short = Mutex::new(None);
        let watch = |report: &Report<Point>| {
            if is_short(report) {
                first_short.lock().expect("no panic").get_or_insert(report.stats.time);
            }
        };
        let wanted = Wanted::One;
        let report = run_watched(&engine(), &pos, budget.clone(), wanted, Some(&table), &watch);
        let mv = Json::from(pos.move_text(report.lines[0].moves[0]));
        let right = if kind.starts_with("block") { &row["saving"] } else { &row["winning"] };
        let solved = right.as_array().is_some_and(|moves| moves.contains(&mv));
        let tally = tallies.entry(if is_long { "long vcf" } else { kind }).or_default();
        tally.count += 1;
        tally.solved += u32::from(solved);
        tally.proved += u32::from(proved(&report).is_some());
        if is_short(&report) {
            tally.short += 1;
            let seen = first_short.into_inner().expect("no panic");
            tally.until_short += seen.unwrap_or(report.stats.time);
        }
        tally.time += report.stats.time;
        if !solved {
            tally.missed.push(format!("{} {mv}", row["id"].as_str().unwrap_or_default()));
        }
    }
    for (kind, Tally { count, solved, proved, short, until_short, time, missed }) in tallies {
        let millis =
            |time: Duration, count: u32| time.as_secs_f64() * 1e3 / f64::from(count.max(1));
        let (mean, until) = (millis(time, count), millis(until_short, short));
        println!(
            "gomoku {kind}, {name}: {solved} of {count}, {proved} proved ({short} no longer than recorded, \
             after {until:.1} ms), {mean:.1} ms each; missed: {}",
            missed.join(", ")
        );
    }
}

/// Plies of a proved win.
fn proved<M>(report: &Report<M>) -> Option<u32> {
    match report.lines[0].value {
        Value::Win(plies) if report.lines[0].exact => Some(plies),
        _ => None,
    }
}
