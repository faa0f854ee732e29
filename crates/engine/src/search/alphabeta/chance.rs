//! Chance nodes: the exact expectation, and bounds that follow from what the other outcomes could
//! bring at most.
// CITE: Star1, Ballard 1983, "The *-minimax search procedure for trees containing chance nodes".

use super::engine::{NodeSearch, Query, Searcher};
use super::options::Pruning;
use crate::game::{Chance, Evaluator, Game, Turn};
use crate::search::{Score, Stopped, Window};

/// The expectation so far: what the outcomes seen contribute and what is left.
pub(super) struct Expectation {
    bound: f64,
    sum: f64,
    left: f64,
    /// The least and the largest score seen.
    least: Score,
    most: Score,
}

impl Expectation {
    pub(super) fn new(bound: i32) -> Self {
        Self { bound: f64::from(bound), sum: 0.0, left: 1.0, least: Score::MAX, most: Score::MIN }
    }

    fn add(&mut self, score: Score, p: f64) {
        self.sum += p * score.squashed(self.bound as i32);
        self.left -= p;
        self.least = self.least.min(score);
        self.most = self.most.max(score);
    }

    /// Between which bounds the next outcome's value matters, if the node's is asked for in
    /// `window`. One unit of slack keeps rounding on the safe side.
    pub(super) fn window(&self, p: f64, window: Window) -> Window {
        let others = (self.left - p).max(0.0) * self.bound;
        let alpha = (f64::from(window.alpha.raw()) - self.sum - others) / p - 1.0;
        let beta = (f64::from(window.beta.raw()) - self.sum + others) / p + 1.0;
        let clip = |value: f64, beyond: Score| {
            if value.abs() > self.bound { beyond } else { Score::heuristic(value.round() as i32) }
        };
        Window::new(clip(alpha.floor(), Score::MIN), clip(beta.ceil(), Score::MAX))
    }

    /// Counts in what an outcome of this probability is worth, which was asked for in the window `inner`;
    /// a score that suffices for the node, if it follows.
    pub(super) fn count(&mut self, score: Score, p: f64, inner: Window) -> Option<Score> {
        self.add(score, p);
        if score <= inner.alpha {
            Some(self.limit(1.0))
        } else if score >= inner.beta {
            Some(self.limit(-1.0))
        } else {
            None
        }
    }

    /// The expectation if the rest brings as much as possible (+1) or as little (-1).
    fn limit(&self, sign: f64) -> Score {
        Score::heuristic((self.sum + sign * self.left.max(0.0) * self.bound).round() as i32)
    }

    /// The value of the node; see `minimax::mean`.
    pub(super) fn value(&self) -> Score {
        if self.least.is_decided() && self.least > Score::DRAW {
            self.least
        } else if self.most.is_decided() && self.most < Score::DRAW {
            self.most
        } else {
            Score::heuristic(self.sum.round() as i32)
        }
    }
}

impl<G: Game, E: Evaluator<G>, N: NodeSearch<G, E>> Searcher<'_, G, E, N> {
    /// The expected value of a position where chance acts, over all that it may bring.
    pub(super) fn expected(
        &mut self,
        pos: &G,
        event: G::Chance,
        query: Query,
    ) -> Result<Score, Stopped> {
        let start = self.outcomes.len();
        self.list(pos, event);
        let end = self.outcomes.len();
        let prunes = self.prunes(query.window);
        let mut tally = Expectation::new(self.bound);
        let mut cut = None;
        for n in start..end {
            let (mv, p) = self.outcomes[n];
            let inner = if prunes { tally.window(p, query.window) } else { Window::FULL };
            let score = self.outcome(pos, mv, Query { window: inner, ..query })?;
            cut = tally.count(score, p, inner);
            if cut.is_some() {
                self.cutoffs += 1;
                break;
            }
        }
        self.outcomes.truncate(start);
        // Which outcome comes is not the players' choice: the line ends here.
        self.pv.clear(query.ply);
        Ok(cut.unwrap_or_else(|| tally.value()))
    }

    /// Appends the outcomes of an event.
    pub(super) fn list(&mut self, pos: &G, event: G::Chance) {
        let start = self.outcomes.len();
        event.outcomes(pos, &mut self.outcomes);
        N::merge_outcomes(self, pos, start);
    }

    /// Whether the bounds of a node where chance acts may cut.
    pub(super) fn prunes(&self, window: Window) -> bool {
        let bound = self.bound;
        // An expectation is no decided value: where the window asks for one, nothing is cut.
        self.options.star1
            && self.options.pruning == Pruning::Both
            && window.alpha.raw() < bound
            && window.beta.raw() > -bound
    }

    /// The value of the position after an outcome. Where chance goes on, it does so in the same manner.
    fn outcome(&mut self, pos: &G, mv: G::Move, query: Query) -> Result<Score, Stopped> {
        let next = pos.after(mv);
        self.evaluator.push(pos, mv, &next);
        let score = if let Turn::Chance(event) = next.turn() {
            self.clock.tick()?;
            self.expected(&next, event, query)?
        } else {
            self.value(&next, query, Some(G::move_code(mv)))?
        };
        self.evaluator.pop();
        Ok(score)
    }
}
