//! The loop over the moves of a node: pruning, extension, search and learning.

use super::extensions::Extension;
use super::ordering::Stage;
use super::{NodeInfo, SelectiveSearcher};
use crate::game::{Game, Tactics};
use crate::search::alphabeta::engine::Node;
use crate::search::alphabeta::tt;
use crate::search::memory::Bound;
use crate::search::order::NO_MOVE;
use crate::search::{Score, Stopped, Window};

/// Sort key of a pruned move.
pub(super) const UNTRIED: i64 = i64::MIN;

/// The moves of a node: a range of the move stack.
#[derive(Clone, Copy)]
pub(super) struct Listed {
    pub(super) start: usize,
    pub(super) end: usize,
    /// True if no unlisted move can be better.
    pub(super) complete: bool,
    /// True if sleeping moves were removed.
    pub(super) passed_over: bool,
}

/// A move about to be searched.
#[derive(Clone, Copy)]
pub(super) struct Try<M> {
    pub(super) mv: M,
    /// Move number, from 1.
    pub(super) number: usize,
    pub(super) stage: Stage,
    /// True for the table move.
    pub(super) remembered: bool,
    /// True if it gives check.
    pub(super) threatens: bool,
}

/// The best move of a node so far.
#[derive(Clone, Copy)]
struct BestSoFar {
    /// Lower bound for the next move.
    alpha: Score,
    score: Score,
    /// Index of the move that raised `alpha` last.
    at: Option<usize>,
}

impl BestSoFar {
    fn new(node: Node, listed: Listed) -> Self {
        let alpha = node.window.alpha;
        let score = if listed.passed_over {
            alpha
        } else if listed.complete {
            Score::MIN
        } else {
            Score::likely_loss(node.ply)
        };
        Self { alpha, score, at: None }
    }

    /// True if a win or a loss is at stake: nothing is pruned then.
    fn is_decided(self) -> bool {
        let Self { alpha, score, .. } = self;
        alpha.is_decided() && alpha > Score::DRAW || score.is_decided() && score < Score::DRAW
    }

    /// Takes in the score of the move at `n`; true if it raised `alpha`.
    fn raise(&mut self, score: Score, n: usize) -> bool {
        let raised = score > self.score && score > self.alpha;
        self.score = self.score.max(score);
        if raised {
            (self.alpha, self.at) = (score, Some(n));
        }
        raised
    }
}

impl<G: Game, E: Tactics<G>> SelectiveSearcher<'_, G, E> {
    /// Searches the listed moves, stores the result and returns the best score.
    pub(super) fn best_of_listed(
        &mut self,
        pos: &G,
        info: &NodeInfo,
        key: u64,
        mut listed: Listed,
        remembered: u16,
    ) -> Result<Score, Stopped> {
        let node = info.node;
        let beta = node.window.beta;
        let mut best = BestSoFar::new(node, listed);
        let (mut number, mut enough_quiet, mut n) = (0, false, listed.start);
        while n < listed.end {
            let stage = self.pick_move(pos, listed, n);
            if enough_quiet && stage == Stage::Quiet {
                listed = self.without_quiet(listed, n);
                continue;
            }
            let mv = self.moves[n];
            n += 1;
            if self.nodes.stack.at(node.ply).excluded == Some(mv) {
                continue;
            }
            number += 1;
            let threatens = self.evaluator.threatens(pos, mv);
            let remembered = G::move_code(mv) == remembered;
            let this = Try { mv, number, stage, remembered, threatens };
            if !best.is_decided() {
                enough_quiet |= self.has_enough_quiet(info, number);
                if self.is_futile(pos, info, &this, best.alpha) {
                    self.keys[n - 1] = UNTRIED;
                    continue;
                }
            }
            let extension = match self.extension(pos, info, &this)? {
                Extension::Plies(plies) => plies,
                Extension::Cutoff(score) => return Ok(score),
            };
            let depth = (node.depth as i32 - 1 + extension).max(0) as u32;
            self.put_to_sleep(pos, node, listed.start, n - 1);
            let window = Window::new(best.alpha, beta);
            let score = self.search_move(pos, info, &this, depth, window)?;
            if best.raise(score, n - 1) {
                if info.pv {
                    self.pv.set(node.ply, mv);
                }
                if score >= beta {
                    break;
                }
            }
        }
        if best.score == Score::MIN {
            // Only in a singular search: there is no other move.
            return Ok(node.window.alpha);
        }
        self.conclude(pos, info, key, listed, best);
        Ok(best.score)
    }

    /// Learns from the best of the listed moves and stores the result.
    fn conclude(&mut self, pos: &G, info: &NodeInfo, key: u64, listed: Listed, best: BestSoFar) {
        let node = info.node;
        let BestSoFar { score, at, .. } = best;
        if score >= node.window.beta {
            self.cut();
            self.nodes.stack.at_mut(node.ply).cutoffs += 1;
        }
        if let Some(n) = at {
            self.learn_moves(pos, info, listed, n);
        }
        if info.excluded {
            return;
        }
        let bound = if score >= node.window.beta {
            Bound::Lower
        } else if score <= node.window.alpha || !info.pv {
            Bound::Upper
        } else if listed.passed_over {
            Bound::Lower
        } else {
            Bound::Exact
        };
        self.store_result(pos, info, key, (score, bound), at.map(|n| self.moves[n]));
    }

    /// Stores the result in the tables, and the evaluation error in the correction history.
    fn store_result(
        &mut self,
        pos: &G,
        info: &NodeInfo,
        key: u64,
        (best, bound): (Score, Bound),
        mv: Option<G::Move>,
    ) {
        let node = info.node;
        // A fail low has no best move; the table move may still be good.
        let code = mv.map_or(info.known.map_or(NO_MOVE, |entry| entry.best), G::move_code);
        let entry = tt::entry(best, bound, code, node.depth, node.ply, false);
        if !self.is_judged(node.ply) {
            self.tables.store(key, node.depth, node.ply, entry);
        }
        let error = best.raw().saturating_sub(info.eval);
        let telling = match bound {
            Bound::Exact => true,
            Bound::Lower => error > 0,
            Bound::Upper => error < 0,
        };
        if self.nodes.switches.correction
            && telling
            && !info.threatened
            && !best.is_decided()
            && mv.is_none_or(|mv| self.evaluator.victim(pos, mv) == 0)
        {
            let error = best.raw() - info.raw;
            self.nodes.correction.learn(node.mover, info.structure_key, node.depth, error);
        }
    }

    /// Searches a move: with late move reduction first, then in a null window, then for its exact value.
    fn search_move(
        &mut self,
        pos: &G,
        info: &NodeInfo,
        this: &Try<G::Move>,
        depth: u32,
        mut window: Window,
    ) -> Result<Score, Stopped> {
        let node = info.node;
        let ply = node.ply + 1;
        let scout = Window::above(window.alpha);
        let first = this.number == 1;
        let reduced = if first { depth } else { self.reduced(pos, info, this, depth) };
        if reduced < depth {
            self.nodes.stack.at_mut(ply).cut = true;
            let score = self.after(pos, this.mv, node.ask(reduced, scout))?;
            if score <= window.alpha {
                return Ok(score);
            }
        }
        let mut won = Score::MIN;
        if !info.pv || !first {
            self.nodes.stack.at_mut(ply).cut = !info.cut;
            let score = self.after(pos, this.mv, node.ask(depth, scout))?;
            if !info.pv || !window.holds(score) {
                return Ok(score);
            }
            if score.is_win() {
                // Only shorter wins matter.
                won = score;
                window.alpha = Window::at_least(score).alpha;
            }
        }
        self.nodes.stack.at_mut(ply).cut = false;
        Ok(self.after(pos, this.mv, node.ask(depth, window))?.max(won))
    }
}
