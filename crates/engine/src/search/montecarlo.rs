//! Methods that look no further than playouts from the root's moves, and the evaluation of a
//! position by playouts.

use super::alphabeta::{self, AlphaBeta};
use super::playout::{End, Playout, seen_by};
use super::report::{Line, Report, Stats};
use super::worlds::worlds;
use super::{Algorithm, Cancel, Clock, Job, Limits, Observer, StopReason, Value};
use crate::game::{Evaluator, Game, Info, Lookahead, Outcome, Perfect, Rng, Side, zobrist};

/// A legal move by seed and by what the mover sees, so that one seed does for a whole game.
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
            worlds: Vec::new(),
        };
        Report {
            lines: moves.into_iter().map(line).collect(),
            best_ties: 1,
            stats: Stats { nodes: 1, ..Stats::default() },
            stopped: StopReason::Depth,
        }
    }
}

/// Sums of playout results as the first side sees them.
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

/// The standard error of a mean of results between 0 and 1; never quite 0, since a sample without a
/// loss does not prove that there is none.
pub(super) fn stderr(mean: f64, count: u64) -> f64 {
    let n = count as f64;
    // CITE: Agresti and Coull 1998: two successes and two failures are added.
    let p = (mean * n + 2.0) / (n + 4.0);
    (p * (1.0 - p) / (n + 4.0)).sqrt()
}

/// The same number of playouts for every move.
#[derive(Clone, Copy, Debug)]
pub struct FlatMonteCarlo<E> {
    /// The game's knowledge.
    pub evaluator: E,
    /// How games are played out.
    pub playout: Playout,
    /// Worlds drawn where something is hidden.
    pub worlds: usize,
}

impl<G: Game, E: Evaluator<G>> Algorithm<G> for FlatMonteCarlo<E> {
    fn run(&self, job: &Job<'_, G>) -> Report<G::Move> {
        let mut clock = Clock::start(&job.limits, &job.cancel, 1);
        let mut rng = Rng::new(job.seed);
        let worlds = worlds(job.root, job.mover, self.worlds, job.seed);
        let mut samples = vec![PlayoutSample::default(); job.moves.len()];
        let mut scratch = Vec::new();
        let mut simulations = 0;
        let stopped = 'search: loop {
            for (sample, &mv) in samples.iter_mut().zip(job.moves) {
                if job.limits.simulations.is_some_and(|most| simulations >= most) {
                    break 'search StopReason::Simulations;
                }
                if let Err(stopped) = clock.tick() {
                    break 'search stopped.0;
                }
                let round = simulations as usize / job.moves.len();
                let next = worlds[round % worlds.len()].after(mv);
                let end = self.playout.run(next, &self.evaluator, &mut rng, &mut scratch);
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
                Line { moves: vec![mv], value, exact: false, rated, worlds: Vec::new() }
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
        Report { lines, best_ties, stats, stopped }
    }
}

/// Minimax whose leaves are judged by playouts.
#[derive(Clone, Debug)]
pub struct RolloutMinimax<E> {
    /// The game's knowledge.
    pub evaluator: E,
    /// How games are played out.
    pub playout: Playout,
    /// Playouts a leaf.
    pub playouts: u32,
    /// Plies to look ahead where the budget names no depth.
    pub depth: u32,
}

/// An evaluator who judges by playouts: a value of 0 is an even result, `bound` a sure win; payoffs count
/// as they are. The random numbers depend on seed and position alone, so a position has one value, unless
/// time runs out in the middle of it.
#[derive(Clone, Debug)]
struct Judge<G: Game, E> {
    evaluator: E,
    playout: Playout,
    playouts: u32,
    seed: u64,
    /// When to stop, in time alone: a leaf takes many times as long as a node.
    limits: Limits,
    cancel: Cancel,
    scratch: Vec<G::Move>,
}

const ROLLOUT_BOUND: i32 = 1_000_000;

impl<G: Game, E: Evaluator<G>> Evaluator<G> for Judge<G, E> {
    // Payoffs keep their own scale: means of them are compared with those of finished games.
    fn bound(&self) -> i32 {
        if G::PAYOFFS { self.evaluator.bound() } else { ROLLOUT_BOUND }
    }

    fn evaluate(&mut self, pos: &G, mover: Side) -> i32 {
        let mut rng = Rng::new(self.seed ^ pos.hash());
        let bound = f64::from(self.bound());
        let mut clock = Clock::start(&self.limits, &self.cancel, 1);
        let Self { evaluator, playout, playouts, scratch, .. } = self;
        let amount = |end: End| match end {
            End::Over(Outcome::Payoff(value)) => f64::from(value),
            End::Judged(judged, value) if G::PAYOFFS => f64::from(judged.sign() * value),
            end => (2.0 * end.result::<G, E>(evaluator) - 1.0) * bound,
        };
        let mut sum = 0.0;
        let mut count = 0;
        while count < *playouts && clock.tick().is_ok() {
            sum += amount(playout.run(pos.clone(), evaluator, &mut rng, scratch));
            count += 1;
        }
        let mean = sum / f64::from(count.max(1));
        (f64::from(mover.sign()) * mean).round() as i32
    }

    fn candidates(&self, pos: &G, mover: Side, out: &mut Vec<G::Move>) -> bool {
        self.evaluator.candidates(pos, mover, out)
    }

    fn lookahead(&self, pos: &G, mover: Side, depth: u32, out: &mut Vec<G::Move>) -> Lookahead {
        self.evaluator.lookahead(pos, mover, depth, out)
    }

    fn solve_payoff(&self, pos: &G, mover: Side, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        self.evaluator.solve_payoff(pos, mover, depth, alpha, beta)
    }

    fn order(&self, pos: &G, mover: Side, mv: G::Move) -> i32 {
        self.evaluator.order(pos, mover, mv)
    }
}

impl<G: Game<Info = Perfect>, E: Evaluator<G>> Algorithm<G> for RolloutMinimax<E> {
    fn run(&self, job: &Job<'_, G>) -> Report<G::Move> {
        let judge = Judge {
            evaluator: self.evaluator.clone(),
            playout: self.playout,
            playouts: self.playouts,
            seed: job.seed,
            limits: job.limits.end(),
            cancel: job.cancel.clone(),
            scratch: Vec::new(),
        };
        let bound = f64::from(judge.bound());
        let mut limits = job.limits.clone();
        limits.depth = limits.depth.or(Some(self.depth));
        let options =
            alphabeta::Options { table: alphabeta::TableUse::Private, ..Default::default() };
        let inner = AlphaBeta { evaluator: judge, options };
        let estimated = |mut report: Report<G::Move>| {
            for line in &mut report.lines {
                if let (Value::Heuristic(value), false) = (line.value, line.exact) {
                    let mean = if G::PAYOFFS {
                        self.evaluator.win_probability(value)
                    } else {
                        0.5 + value / bound / 2.0
                    };
                    let simulations = u64::from(self.playouts);
                    let stderr = stderr(mean, simulations);
                    line.value = Value::Estimate { mean, simulations, stderr };
                }
            }
            report
        };
        let tell = job
            .observer
            .map(|observer| move |report: &Report<G::Move>| observer(&estimated(report.clone())));
        let observer = tell.as_ref().map(|tell| tell as &Observer<'_, G::Move>);
        let cancel = job.cancel.clone();
        estimated(inner.run(&Job { limits, cancel, observer, ..*job }))
    }
}
