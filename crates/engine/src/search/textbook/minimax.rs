//! Textbook minimax: one function for the maximising side, one for the minimising side, and the mean at
//! chance nodes.
// CITE: Shannon 1950, "Programming a computer for playing chess"; with cutoffs, Edwards and Hart 1961.

use super::{Textbook, TextbookMoves, TextbookOptions, TextbookQuery, run};
use crate::game::{Chance, Evaluator, Game, Perfect, Turn};
use crate::search::{Algorithm, Job, Report, Score, Stopped, Window};

/// Minimax in two functions. Without a depth limit it deepens until another limit is reached.
#[derive(Clone, Debug)]
pub struct Minimax<E> {
    /// Knowledge of the game.
    pub evaluator: E,
    /// Options.
    pub options: TextbookOptions,
}

impl<E> Minimax<E> {
    /// The default options.
    pub fn new(evaluator: E) -> Self {
        Self { evaluator, options: TextbookOptions::default() }
    }
}

/// Value of a chance node, by the rule of all searches: a side that wins in every outcome has a proved win
/// at the largest distance; otherwise decided outcomes count `bound`.
pub(in crate::search) fn mean(scores: &[(Score, f64)], bound: i32) -> Score {
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

impl<G: Game, E: Evaluator<G>> Textbook<'_, G, E> {
    /// Value for the root's mover, the maximising side.
    fn minimax(&mut self, pos: &G, query: TextbookQuery) -> Result<Score, Stopped> {
        let root_side = self.job.mover;
        let mover = match pos.turn() {
            Turn::Over(outcome) => return Ok(Score::of(outcome, root_side, query.ply)),
            Turn::Chance(event) => return self.mean(pos, event, query),
            Turn::Of(mover) => mover,
        };
        let maximises = mover == root_side;
        if query.depth == 0 {
            let value = self.leaf(pos, mover);
            return Ok(if maximises { value } else { -value });
        }
        let listed = self.moves(pos, mover, query.ply);
        if listed.moves.is_empty() {
            return Ok(Score::of(pos.stuck(mover), root_side, query.ply));
        }
        if maximises { self.max(pos, &listed, query) } else { self.min(pos, &listed, query) }
    }

    fn max(
        &mut self,
        pos: &G,
        listed: &TextbookMoves<G::Move>,
        query: TextbookQuery,
    ) -> Result<Score, Stopped> {
        let TextbookQuery { depth, ply, mut window } = query;
        let narrows = self.options.pruning.narrows(true);
        let mut best = listed.unlisted;
        for &mv in &listed.moves {
            let below = TextbookQuery { depth: depth - 1, ply: ply + 1, window };
            let score = self.after(pos, mv, below, Self::minimax)?;
            if score > best {
                best = score;
                self.pv.set(ply, mv);
            }
            if best >= window.beta {
                self.cut();
                break;
            }
            if narrows {
                window.alpha = window.alpha.max(best);
            }
        }
        Ok(best)
    }

    fn min(
        &mut self,
        pos: &G,
        listed: &TextbookMoves<G::Move>,
        query: TextbookQuery,
    ) -> Result<Score, Stopped> {
        let TextbookQuery { depth, ply, mut window } = query;
        let narrows = self.options.pruning.narrows(false);
        let mut best = -listed.unlisted;
        for &mv in &listed.moves {
            let below = TextbookQuery { depth: depth - 1, ply: ply + 1, window };
            let score = self.after(pos, mv, below, Self::minimax)?;
            if score < best {
                best = score;
                self.pv.set(ply, mv);
            }
            if best <= window.alpha {
                self.cut();
                break;
            }
            if narrows {
                window.beta = window.beta.min(best);
            }
        }
        Ok(best)
    }

    /// Expectation of a chance event. A bound of one outcome is none of the others: every one is searched
    /// with an open window.
    fn mean(&mut self, pos: &G, event: G::Chance, query: TextbookQuery) -> Result<Score, Stopped> {
        let mut outcomes = Vec::new();
        event.outcomes(pos, &mut outcomes);
        let TextbookQuery { depth, ply, .. } = query;
        let below = TextbookQuery { depth, ply, window: Window::FULL };
        let values =
            outcomes.into_iter().map(|(mv, p)| Ok((self.after(pos, mv, below, Self::minimax)?, p)));
        let values = values.collect::<Result<Vec<_>, _>>()?;
        self.pv.clear(ply);
        Ok(mean(&values, self.evaluator.bound()))
    }
}

impl<G: Game<Info = Perfect>, E: Evaluator<G>> Algorithm<G> for Minimax<E> {
    fn run(&self, job: &Job<'_, G>) -> Report<G::Move> {
        run(job, &self.evaluator, self.options, Textbook::minimax)
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
