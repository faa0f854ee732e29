//! One-ply search: the move with the best static evaluation after it.

use super::report::{Line, Report, Stats};
use super::worlds::worlds;
use super::{Algorithm, Clock, Job, Score, ScoreScale, StopReason, Value};
use crate::game::{Chance, Evaluator, Game, Info, Rng, Side, Turn};

/// Determinizations and chance samples drawn where something is hidden or random. Not tuned.
const DRAWS: usize = 32;

/// Rates each move by the static evaluation of the next position with a side to move. Ties are broken by the
/// evaluator's move order.
#[derive(Clone, Debug)]
pub struct Greedy<E>(pub E);

/// Sum over the draws of a move.
#[derive(Clone, Copy, Debug, Default)]
struct MoveSum {
    sum: f64,
    count: u32,
    /// Result without chance or hidden information: the score, and true if the game ends with it.
    sure: Option<(Score, bool)>,
}

impl MoveSum {
    fn value(self, scale: ScoreScale) -> Value {
        match self {
            Self { sure: Some((score, ended)), .. } => Value::from_score(score, ended, scale),
            Self { count: 0, .. } => Value::Unknown,
            Self { sum, count, .. } => Value::Heuristic(sum / f64::from(count)),
        }
    }

    /// Sort key; larger is better.
    fn key(self) -> f64 {
        match self {
            Self { sure: Some((score, _)), .. } => score.raw().into(),
            Self { count: 0, .. } => f64::NEG_INFINITY,
            Self { sum, count, .. } => sum / f64::from(count),
        }
    }
}

impl<G: Game, E: Evaluator<G>> Algorithm<G> for Greedy<E> {
    fn run(&self, job: &Job<'_, G>) -> Report<G::Move> {
        let mut clock = Clock::start(&job.budget, &job.cancel, 1);
        let mut evaluator = self.0.clone();
        let worlds = worlds(job.root, job.mover, DRAWS, job.seed);
        let mut seen = vec![MoveSum::default(); job.moves.len()];
        let mut stopped = StopReason::Depth;
        'draws: for draw in 0..DRAWS {
            let world = &worlds[draw % worlds.len()];
            evaluator.enter(world);
            for (seen, &mv) in seen.iter_mut().zip(job.moves) {
                if seen.sure.is_some() {
                    continue;
                }
                if let Err(why) = clock.tick() {
                    stopped = why.0;
                    break 'draws;
                }
                // All moves of a draw share their random numbers: they differ by their effects only.
                let mut luck = Rng::new(job.seed.wrapping_add(draw as u64));
                look(&mut evaluator, world, mv, job.mover, &mut luck, seen);
            }
        }
        evaluator.enter(job.root);
        let mut lines: Vec<_> = job.moves.iter().copied().zip(seen).collect();
        lines.sort_by_cached_key(|(mv, _)| -i64::from(evaluator.order(job.root, job.mover, *mv)));
        lines.sort_by(|(_, a), (_, b)| b.key().total_cmp(&a.key()));
        let best_ties = lines.iter().take_while(|(_, seen)| seen.key() == lines[0].1.key()).count();
        let scale = ScoreScale::of::<G, E>(&evaluator);
        let line = |(mv, seen): (G::Move, MoveSum)| Line {
            moves: vec![mv],
            value: seen.value(scale),
            exact: seen.sure.is_some_and(|(_, ended)| ended),
            rated: seen.key().is_finite(),
            bounded: false,
            worlds: Vec::new(),
        };
        let lines: Vec<_> = lines.into_iter().map(line).collect();
        let settled = lines.iter().all(|line| line.exact) || lines[0].value == Value::Win(1);
        let stats = Stats { depth: 1, ..clock.stats() };
        Report { lines, settled, best_ties, stats, stopped, top: Vec::new() }
    }
}

/// Plays a move with its chance events, and adds the mover's evaluation to `seen`.
fn look<G: Game, E: Evaluator<G>>(
    evaluator: &mut E,
    world: &G,
    mv: G::Move,
    mover: Side,
    luck: &mut Rng,
    seen: &mut MoveSum,
) {
    let (mut pos, mut mv, mut pushed) = (world.clone(), mv, 0);
    let (score, ended) = loop {
        let next = pos.after(mv);
        evaluator.push(&pos, mv, &next);
        pushed += 1;
        pos = next;
        match pos.turn() {
            Turn::Over(outcome) => break (Score::of(outcome, mover, 1), true),
            Turn::Chance(event) => mv = event.sample(&pos, luck),
            Turn::Of(side) => {
                let value = Score::heuristic(evaluator.evaluate(&pos, side));
                break (if side == mover { value } else { -value }, false);
            }
        }
    };
    (0..pushed).for_each(|_| evaluator.pop());
    seen.sum += score.squashed(evaluator.bound());
    seen.count += 1;
    if !G::Info::HIDDEN && pushed == 1 {
        seen.sure = Some((score, ended));
    }
}
