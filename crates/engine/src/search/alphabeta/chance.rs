//! Chance nodes: exact expectation, and bounds from the largest and smallest possible values of the
//! remaining outcomes.
// CITE: Star1, Ballard 1983, "The *-minimax search procedure for trees containing chance nodes".

use super::engine::{NodeSearch, Query, Searcher};
use super::options::Pruning;
use crate::game::{Chance, Evaluator, Game, Turn};
use crate::search::{Score, Stopped, Window};

/// Partial expectation: contribution of the searched outcomes and remaining probability.
pub(super) struct Expectation {
    bound: f64,
    sum: f64,
    left: f64,
    /// Minimum and maximum score so far.
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

    /// Window of the next outcome, of probability `p`, for a node searched in `window`. One unit of slack
    /// keeps rounding on the safe side.
    pub(super) fn window(&self, p: f64, window: Window) -> Window {
        let others = (self.left - p).max(0.0) * self.bound;
        let alpha = (f64::from(window.alpha.raw()) - self.sum - others) / p - 1.0;
        let beta = (f64::from(window.beta.raw()) - self.sum + others) / p + 1.0;
        let clip = |value: f64, beyond: Score| {
            if value.abs() > self.bound { beyond } else { Score::heuristic(value.round() as i32) }
        };
        Window::new(clip(alpha.floor(), Score::MIN), clip(beta.ceil(), Score::MAX))
    }

    /// Adds the score of an outcome of probability `p`, searched in the window `inner`; returns the node's
    /// bound if it fails low or high.
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

    /// Upper (`sign` = 1) or lower (`sign` = -1) bound of the expectation.
    fn limit(&self, sign: f64) -> Score {
        Score::heuristic((self.sum + sign * self.left.max(0.0) * self.bound).round() as i32)
    }

    /// Value of the node; see `minimax::mean`.
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
    /// Expected value of a chance node over all outcomes.
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
                self.cut();
                break;
            }
        }
        self.outcomes.truncate(start);
        // The outcome is no player's choice: the principal variation ends here.
        self.pv.clear(query.ply);
        Ok(cut.unwrap_or_else(|| tally.value()))
    }

    /// Appends the outcomes of an event, merged.
    pub(super) fn list(&mut self, pos: &G, event: G::Chance) {
        let start = self.outcomes.len();
        event.outcomes(pos, &mut self.outcomes);
        N::merge_outcomes(self, pos, start);
    }

    /// True if Star1 bounds may cut in this window.
    pub(super) fn prunes(&self, window: Window) -> bool {
        let bound = self.bound;
        // An expectation is not a decided score: no cutoffs where the window asks for one.
        self.options.star1
            && self.options.pruning == Pruning::Both
            && window.alpha.raw() < bound
            && window.beta.raw() > -bound
    }

    /// Value of the position after an outcome; consecutive chance events are chance nodes of their own.
    fn outcome(&mut self, pos: &G, mv: G::Move, query: Query) -> Result<Score, Stopped> {
        let next = pos.after(mv);
        self.evaluator.push(pos, mv, &next);
        self.traced_move = Some(mv);
        let score = if let Turn::Chance(event) = next.turn() {
            self.visit(query)?;
            let score = self.expected(&next, event, query)?;
            self.left(score, query.viewer)
        } else {
            self.value(&next, query, Some(G::move_code(mv)))?
        };
        self.evaluator.pop();
        Ok(score)
    }
}
