//! Runs one search of one library, mostly of Connect Four, and prints its cost as a line of JSON.

mod board;
mod connect_four_ai_peer;
mod mcts_peers;
mod minimax_peer;
mod ours;
mod positions;

use std::{path::Path, process::ExitCode, time::Duration};

use rustix::time::{ClockId, clock_gettime};
use serde_json::Value;

use crate::board::Board;

/// The service's allocator, so that no peer suffers from a slower one.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const USAGE: &str = "usage: bestmove-peers minimax DEPTH [MOVES]
       bestmove-peers mcts PLAYOUTS [PEER]
       bestmove-peers exact FILE [MIN_PLY]
       bestmove-peers ours depth DEPTH [MOVES] | uct PLAYOUTS | othello PLAYOUTS
                           | exact FILE [MIN_PLY]";
const PLAYOUTS: u32 = 200_000;
const MIN_PLY: usize = 14;
const MAX_RUNS: usize = 5;
const ENOUGH_CPU_S: f64 = 1.0;

/// Runs `work` and measures the CPU seconds of the whole process, since `minimax` moves even a single
/// search thread off the caller's.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let now = || Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default();
    let start = now();
    let done = work();
    (done, (now() - start).as_secs_f64())
}

/// The run of median cost among a few, in a heap warmed by the first, like a service's.
fn median_run<T>(mut run: impl FnMut() -> (T, f64)) -> (T, f64) {
    let mut runs: Vec<(T, f64)> = Vec::new();
    while runs.len() < MAX_RUNS && runs.iter().map(|run| run.1).sum::<f64>() < ENOUGH_CPU_S {
        runs.push(run());
    }
    runs.sort_by(|a, b| a.1.total_cmp(&b.1));
    runs.swap_remove(runs.len() / 2)
}

/// Reports of one subcommand; `None` if the words are not a known one.
fn run(args: &[&str]) -> Option<Vec<Value>> {
    Some(match *args {
        ["minimax", depth, ref moves @ ..] => {
            let board = Board::from_moves(moves.first().unwrap_or(&""))?;
            vec![minimax_peer::depth(board, depth.parse().ok()?)]
        }
        ["mcts"] => mcts_peers::all(PLAYOUTS),
        ["mcts", playouts] => mcts_peers::all(playouts.parse().ok()?),
        ["mcts", playouts, peer] => vec![mcts_peers::one(peer, playouts.parse().ok()?)?],
        ["exact", file] => vec![connect_four_ai_peer::exact(Path::new(file), MIN_PLY)],
        ["exact", file, min_ply] => {
            vec![connect_four_ai_peer::exact(Path::new(file), min_ply.parse().ok()?)]
        }
        ["ours", "depth", depth, ref moves @ ..] => {
            vec![ours::depth(moves.first().unwrap_or(&""), depth.parse().ok()?)?]
        }
        ["ours", "uct", playouts] => vec![ours::uct(playouts.parse().ok()?)],
        ["ours", "othello", playouts] => vec![ours::othello(playouts.parse().ok()?)],
        ["ours", "exact", file] => vec![ours::exact(Path::new(file), MIN_PLY)],
        ["ours", "exact", file, min_ply] => {
            vec![ours::exact(Path::new(file), min_ply.parse().ok()?)]
        }
        _ => return None,
    })
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let Some(reports) = run(&args) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    for report in reports {
        println!("{report}");
    }
    ExitCode::SUCCESS
}
