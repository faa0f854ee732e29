//! Textbook negamax: one function for both sides, with every value in the perspective of the side to move.
// CITE: Knuth and Moore 1975, "An analysis of alpha-beta pruning".

use super::{Textbook, TextbookMoves, TextbookOptions, TextbookQuery, run};
use crate::game::{Deterministic, Evaluator, Side, Turn};
use crate::search::{Algorithm, Job, Report, Score, Stopped};

/// Minimax in one function. Without a depth limit it deepens until another limit is reached.
#[derive(Clone, Debug)]
pub struct Negamax<E> {
    /// Knowledge of the game.
    pub evaluator: E,
    /// Options.
    pub options: TextbookOptions,
}

impl<E> Negamax<E> {
    /// The default options.
    pub fn new(evaluator: E) -> Self {
        Self { evaluator, options: TextbookOptions::default() }
    }
}

impl<G: Deterministic, E: Evaluator<G>> Textbook<'_, G, E> {
    /// Value for the root's mover. The perspective flips here: a side may move twice in a row.
    fn seen_by_root(&mut self, pos: &G, query: TextbookQuery) -> Result<Score, Stopped> {
        let root_side = self.job.mover;
        match pos.turn() {
            Turn::Over(outcome) => Ok(Score::of(outcome, root_side, query.ply)),
            Turn::Of(mover) if mover == root_side => self.negamax(pos, mover, query),
            Turn::Of(mover) => {
                Ok(-self.negamax(pos, mover, TextbookQuery { window: -query.window, ..query })?)
            }
        }
    }

    /// Value for the mover.
    fn negamax(&mut self, pos: &G, mover: Side, query: TextbookQuery) -> Result<Score, Stopped> {
        let TextbookQuery { depth, ply, mut window } = query;
        if depth == 0 {
            return Ok(self.leaf(pos, mover));
        }
        let TextbookMoves { moves, unlisted } = self.moves(pos, mover, ply);
        if moves.is_empty() {
            return Ok(Score::of(pos.stuck(mover), mover, ply));
        }
        let sign = |score: Score| if mover == self.job.mover { score } else { -score };
        let narrows = self.narrows(mover);
        let mut best = unlisted;
        for mv in moves {
            let seen = if mover == self.job.mover { window } else { -window };
            let below = TextbookQuery { depth: depth - 1, ply: ply + 1, window: seen };
            let score = sign(self.after(pos, mv, below, Self::seen_by_root)?);
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
}

impl<G: Deterministic, E: Evaluator<G>> Algorithm<G> for Negamax<E> {
    fn run(&self, job: &Job<'_, G>) -> Report<G::Move> {
        run(job, &self.evaluator, self.options, Textbook::seen_by_root)
    }
}
