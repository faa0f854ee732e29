//! Textbook minimax: one function for the maximising side, one for the minimising side, and the mean at
//! chance nodes. No pruning, no table: the oracle of every test.
// CITE: Shannon 1950, "Programming a computer for playing chess".

use super::deepen::{Deepening, Roots, deepen, last_depth};
use super::report::Report;
use super::{Algorithm, Clock, Job, Score, Stopped};
use crate::game::{Chance, Evaluator, Game, Perfect, Side, Turn};

/// Plain minimax. Without a depth limit it deepens until another limit is reached.
#[derive(Clone, Debug)]
pub struct Minimax<E>(pub E);

struct MinimaxSearch<'a, E> {
    evaluator: E,
    clock: &'a mut Clock,
    /// Count of lines cut by the depth limit.
    horizons: u64,
}

/// Value of a chance node, by the rule of all searches: a side that wins in every outcome has a proved win
/// at the largest distance; otherwise decided outcomes count `bound`.
pub(super) fn mean(scores: &[(Score, f64)], bound: i32) -> Score {
    let all = |won: bool| {
        scores.iter().all(|(score, _)| score.is_decided() && (*score > Score::DRAW) == won)
    };
    let of = scores.iter().map(|(score, _)| *score);
    if all(true) {
        of.min().unwrap_or(Score::DRAW)
    } else if all(false) {
        of.max().unwrap_or(Score::DRAW)
    } else {
        let sum: f64 = scores.iter().map(|(score, p)| p * score.squashed(bound)).sum();
        Score::heuristic(sum.round() as i32)
    }
}

impl<E> MinimaxSearch<'_, E> {
    /// Value for the first side.
    fn value<G: Game>(&mut self, pos: &G, depth: u32, ply: u32) -> Result<Score, Stopped>
    where
        E: Evaluator<G>,
    {
        self.clock.tick()?;
        let mover = match pos.turn() {
            Turn::Over(outcome) => return Ok(Score::of(outcome, Side::First, ply)),
            Turn::Chance(event) => {
                let mut outcomes = Vec::new();
                event.outcomes(pos, &mut outcomes);
                let values =
                    outcomes.into_iter().map(|(mv, p)| Ok((self.after(pos, mv, depth, ply)?, p)));
                return Ok(mean(&values.collect::<Result<Vec<_>, _>>()?, self.evaluator.bound()));
            }
            Turn::Of(mover) => mover,
        };
        if depth == 0 {
            self.horizons += 1;
            let value = Score::heuristic(self.evaluator.evaluate(pos, mover));
            return Ok(if mover == Side::First { value } else { -value });
        }
        let mut moves = Vec::new();
        let complete = self.evaluator.candidates(pos, mover, &mut moves);
        if moves.is_empty() {
            return Ok(Score::of(pos.stuck(mover), Side::First, ply));
        }
        // An unlisted move may be better than a listed move that loses.
        let unlisted = if complete { Score::MIN } else { Score::likely_loss(ply) };
        self.horizons += u64::from(!complete);
        match mover {
            Side::First => self.max(pos, &moves, unlisted, depth, ply),
            Side::Second => self.min(pos, &moves, -unlisted, depth, ply),
        }
    }

    fn max<G: Game>(
        &mut self,
        pos: &G,
        moves: &[G::Move],
        least: Score,
        depth: u32,
        ply: u32,
    ) -> Result<Score, Stopped>
    where
        E: Evaluator<G>,
    {
        moves
            .iter()
            .try_fold(least, |best, &mv| Ok(best.max(self.after(pos, mv, depth - 1, ply + 1)?)))
    }

    fn min<G: Game>(
        &mut self,
        pos: &G,
        moves: &[G::Move],
        most: Score,
        depth: u32,
        ply: u32,
    ) -> Result<Score, Stopped>
    where
        E: Evaluator<G>,
    {
        moves
            .iter()
            .try_fold(most, |best, &mv| Ok(best.min(self.after(pos, mv, depth - 1, ply + 1)?)))
    }

    fn after<G: Game>(
        &mut self,
        pos: &G,
        mv: G::Move,
        depth: u32,
        ply: u32,
    ) -> Result<Score, Stopped>
    where
        E: Evaluator<G>,
    {
        let next = pos.after(mv);
        self.evaluator.push(pos, mv, &next);
        let value = self.value(&next, depth, ply)?;
        self.evaluator.pop();
        Ok(value)
    }
}

impl<G: Game<Info = Perfect>, E: Evaluator<G>> Algorithm<G> for Minimax<E> {
    fn run(&self, job: &Job<'_, G>) -> Report<G::Move> {
        let mut clock = Clock::start(&job.budget, &job.cancel, 1);
        let roots = Roots::all(job.moves.iter().copied());
        let found =
            deepen(&Deepening::of(job), roots, &mut (1..=last_depth(job)), &mut |depth, roots| {
                let mut search =
                    MinimaxSearch { evaluator: self.0.clone(), clock: &mut clock, horizons: 0 };
                search.evaluator.enter(job.root);
                for root in roots {
                    let before = search.horizons;
                    let value = search.after(job.root, root.mv(), depth - 1, 1)?;
                    root.score = if job.mover == Side::First { value } else { -value };
                    root.resolved = search.horizons == before;
                    root.rated = true;
                }
                Ok(clock.stats())
            });
        found.report(clock.stats(), G::PAYOFFS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_that_wins_whatever_happens_wins_at_the_latest_moment() {
        let even = |a, b| mean(&[(a, 0.5), (b, 0.5)], 100);
        assert_eq!(even(Score::win(3), Score::win(7)), Score::win(7));
        assert_eq!(even(Score::loss(3), Score::loss(7)), Score::loss(7));
    }

    #[test]
    fn a_win_that_may_not_come_counts_the_bound() {
        let score = mean(&[(Score::win(3), 0.25), (Score::heuristic(20), 0.75)], 100);
        assert_eq!(score, Score::heuristic(40));
        let score = mean(&[(Score::win(3), 0.5), (Score::loss(2), 0.5)], 100);
        assert_eq!(score, Score::DRAW);
    }
}
