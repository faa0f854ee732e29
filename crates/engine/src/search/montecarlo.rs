//! Methods without lookahead beyond the root moves: random, and flat Monte-Carlo.

use super::playout::{Playout, seen_by};
use super::report::{Line, Report, Stats};
use super::worlds::worlds;
use super::{Algorithm, Clock, Job, StopReason, Value};
use crate::game::{Evaluator, Game, Info, Rng, Side, zobrist};
use crate::options::options;

/// A legal move drawn by seed and the mover's view, so that one seed suffices for a whole game.
#[derive(Clone, Copy, Debug)]
pub struct Random;

impl<G: Game> Algorithm<G> for Random {
    fn run(&self, job: &Job<'_, G>) -> Report<G::Move> {
        let mut moves = job.moves.to_vec();
        let seen = G::Info::view(job.root, job.mover);
        Rng::new(zobrist::mix(seen) ^ job.seed).shuffle(&mut moves);
        let line = |mv| Line {
            moves: vec![mv],
            value: Value::Unknown,
            exact: false,
            rated: false,
            bounded: false,
            worlds: Vec::new(),
        };
        Report {
            lines: moves.into_iter().map(line).collect(),
            settled: false,
            best_ties: 1,
            stats: Stats { nodes: 1, ..Stats::default() },
            stopped: StopReason::Depth,
            top: Vec::new(),
        }
    }
}

/// Sum of playout results for the first side.
#[derive(Clone, Copy, Debug, Default)]
struct PlayoutSample {
    sum: f64,
    count: u64,
}

impl PlayoutSample {
    fn value(self, viewer: Side) -> Value {
        if self.count == 0 {
            return Value::Unknown;
        }
        let mean = seen_by(viewer, self.sum / self.count as f64);
        Value::Estimate { mean, simulations: self.count, stderr: stderr(mean, self.count) }
    }
}

/// Standard error of a mean of results between 0 and 1; never quite 0, since a sample without losses does
/// not prove that there are none.
pub(super) fn stderr(mean: f64, count: u64) -> f64 {
    let n = count as f64;
    // CITE: Agresti and Coull 1998: two successes and two failures are added.
    let p = (mean * n + 2.0) / (n + 4.0);
    (p * (1.0 - p) / (n + 4.0)).sqrt()
}

options! {
    /// Options of flat Monte-Carlo.
    #[derive(Eq)]
    pub struct FlatOptions {
        /// Determinizations where something is hidden.
        worlds: u32 = 16, [1, 256];
    }
}

/// Flat Monte-Carlo: the same number of playouts for every move.
#[derive(Clone, Copy, Debug)]
pub struct FlatMonteCarlo<E> {
    /// Knowledge of the game.
    pub evaluator: E,
    /// Playout policy.
    pub playout: Playout,
    /// Options.
    pub options: FlatOptions,
}

impl<G: Game, E: Evaluator<G>> Algorithm<G> for FlatMonteCarlo<E> {
    fn run(&self, job: &Job<'_, G>) -> Report<G::Move> {
        let mut clock = Clock::start(&job.budget, &job.cancel, 1);
        let mut rng = Rng::new(job.seed);
        let worlds = worlds(job.root, job.mover, self.options.worlds as usize, job.seed);
        let mut samples = vec![PlayoutSample::default(); job.moves.len()];
        let mut scratch = Vec::new();
        let mut simulations = 0;
        let stopped = 'search: loop {
            for (sample, &mv) in samples.iter_mut().zip(job.moves) {
                if job.budget.simulations.is_some_and(|most| simulations >= most) {
                    break 'search StopReason::Simulations;
                }
                if let Err(stopped) = clock.tick() {
                    break 'search stopped.0;
                }
                let round = simulations as usize / job.moves.len();
                let next = worlds[round % worlds.len()].after(mv);
                let end =
                    self.playout.run(next, &self.evaluator, &mut clock, &mut rng, &mut scratch);
                sample.sum += end.result::<G, E>(&self.evaluator);
                sample.count += 1;
                simulations += 1;
            }
        };
        let mut lines: Vec<_> = job
            .moves
            .iter()
            .zip(samples)
            .map(|(&mv, sample)| {
                let value = sample.value(job.mover);
                let rated = sample.count > 0;
                Line {
                    moves: vec![mv],
                    value,
                    exact: false,
                    rated,
                    bounded: false,
                    worlds: Vec::new(),
                }
            })
            .collect();
        let mean = |line: &Line<G::Move>| match line.value {
            Value::Estimate { mean, .. } => mean,
            _ => -1.0,
        };
        lines.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
        let best_ties = lines.iter().take_while(|line| mean(line) == mean(&lines[0])).count();
        let stats = Stats {
            depth: 1,
            nodes: clock.nodes(),
            simulations,
            time: clock.elapsed(),
            ..Stats::default()
        };
        Report { lines, settled: false, best_ties, stats, stopped, top: Vec::new() }
    }
}
