//! Textbook negamax: one function for both sides, with every value in the perspective of the caller. No
//! pruning, no table.
// CITE: Knuth and Moore 1975, "An analysis of alpha-beta pruning".

use super::deepen::{Deepening, Roots, deepen, last_depth};
use super::report::Report;
use super::{Algorithm, Clock, Job, Score, Stopped};
use crate::game::{Deterministic, Evaluator, Side, Turn};

/// Plain negamax. Without a depth limit it deepens until another limit is reached.
#[derive(Clone, Debug)]
pub struct Negamax<E>(pub E);

struct NegamaxSearch<'a, G: Deterministic, E> {
    evaluator: E,
    clock: &'a mut Clock,
    moves: Vec<G::Move>,
    /// Count of lines cut by the depth limit.
    horizons: u64,
    /// Principal variation from each ply on.
    lines: Vec<Vec<G::Move>>,
}

impl<G: Deterministic, E: Evaluator<G>> NegamaxSearch<'_, G, E> {
    fn value(&mut self, pos: &G, viewer: Side, depth: u32, ply: u32) -> Result<Score, Stopped> {
        self.clock.tick()?;
        if self.lines.len() <= ply as usize + 1 {
            self.lines.resize_with(ply as usize + 2, Vec::new);
        }
        self.lines[ply as usize].clear();
        match pos.turn() {
            Turn::Over(outcome) => Ok(Score::of(outcome, viewer, ply)),
            Turn::Of(mover) if mover == viewer => self.best(pos, mover, depth, ply),
            Turn::Of(mover) => Ok(-self.best(pos, mover, depth, ply)?),
        }
    }

    fn best(&mut self, pos: &G, mover: Side, depth: u32, ply: u32) -> Result<Score, Stopped> {
        if depth == 0 {
            self.horizons += 1;
            return Ok(Score::heuristic(self.evaluator.evaluate(pos, mover)));
        }
        let start = self.moves.len();
        let complete = self.evaluator.candidates(pos, mover, &mut self.moves);
        let end = self.moves.len();
        if end == start {
            return Ok(Score::of(pos.stuck(mover), mover, ply));
        }
        // An unlisted move may be better than a listed move that loses.
        let mut best = if complete { Score::MIN } else { Score::likely_loss(ply) };
        self.horizons += u64::from(!complete);
        for n in start..end {
            let mv = self.moves[n];
            let value = self.after(pos, mv, mover, depth - 1, ply + 1)?;
            if value > best {
                best = value;
                let rest = std::mem::take(&mut self.lines[ply as usize + 1]);
                let line = &mut self.lines[ply as usize];
                line.clear();
                line.push(mv);
                line.extend(&rest);
                self.lines[ply as usize + 1] = rest;
            }
        }
        self.moves.truncate(start);
        Ok(best)
    }

    fn after(
        &mut self,
        pos: &G,
        mv: G::Move,
        viewer: Side,
        depth: u32,
        ply: u32,
    ) -> Result<Score, Stopped> {
        let next = pos.after(mv);
        self.evaluator.push(pos, mv, &next);
        let value = self.value(&next, viewer, depth, ply)?;
        self.evaluator.pop();
        Ok(value)
    }
}

impl<G: Deterministic, E: Evaluator<G>> Algorithm<G> for Negamax<E> {
    fn run(&self, job: &Job<'_, G>) -> Report<G::Move> {
        let mut clock = Clock::start(&job.budget, &job.cancel, 1);
        let roots = Roots::all(job.moves.iter().copied());
        let found =
            deepen(&Deepening::of(job), roots, &mut (1..=last_depth(job)), &mut |depth, roots| {
                let mut search = NegamaxSearch {
                    evaluator: self.0.clone(),
                    clock: &mut clock,
                    moves: Vec::new(),
                    horizons: 0,
                    lines: Vec::new(),
                };
                search.evaluator.enter(job.root);
                for root in roots {
                    let before = search.horizons;
                    root.score = search.after(job.root, root.mv(), job.mover, depth - 1, 1)?;
                    root.resolved = search.horizons == before;
                    root.rated = true;
                    root.line.truncate(1);
                    root.line.extend(&search.lines[1]);
                }
                Ok(clock.stats())
            });
        found.report(clock.stats(), G::PAYOFFS)
    }
}
