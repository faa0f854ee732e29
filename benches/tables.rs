//! Cost of a complete table: time and memory to compute it, time to look a position up.
//!
//! `cargo bench --bench tables`

use std::hint::black_box;
use std::time::Instant;

use bestmove::game::{Game, Rng, Turn};
use bestmove::games::two_eat_one::TwoEatOne;
use bestmove::search::tablebase::Tablebase;

/// A figure of this process's memory in MiB.
fn memory(name: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kib = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
    kib.unwrap_or(f64::NAN) / 1024.0
}

/// Positions of random games.
fn positions(count: usize) -> Vec<TwoEatOne> {
    let mut rng = Rng::new(1);
    let mut all = Vec::new();
    while all.len() < count {
        let mut pos = TwoEatOne::default();
        while let Turn::Of(_) = pos.turn() {
            all.push(pos);
            let Some(mv) = pos.random_move(&mut rng, &mut Vec::new()) else { break };
            pos.play(mv);
        }
    }
    all
}

fn main() {
    let before = memory("VmRSS");
    let started = Instant::now();
    let table = Tablebase::<TwoEatOne>::build();
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "two_eat_one: {seconds:.2} s from nothing; {:.1} MiB for the table, {:.1} MiB more resident, {:.1} MiB at the peak",
        table.bytes() as f64 / f64::from(1 << 20),
        memory("VmRSS") - before,
        memory("VmHWM") - before,
    );
    let positions = positions(1_000_000);
    let started = Instant::now();
    for pos in &positions {
        black_box(table.verdict(pos));
    }
    let nanoseconds = started.elapsed().as_nanos() as f64 / positions.len() as f64;
    println!("a look-up: {nanoseconds:.0} ns, mean over {} positions", positions.len());
}
