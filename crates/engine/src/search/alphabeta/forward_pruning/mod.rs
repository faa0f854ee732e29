//! What is searched less deep, or not at all, by what an evaluator knows of hope, resources and the order of
//! moves. Each of these errs now and then; none of them makes a proof. The nodes of `mc` and of `selective`
//! have them in common.
//!
//! - `sleep`: moves whose order does not matter

mod sleep;

use super::engine::{Node, NodeSearch, Query, Searcher};
use crate::game::{Evaluator, Game, Rng, zobrist};
use crate::options::switches;
use crate::search::{MarginByDepth, Score, Stopped, Window};
use sleep::Sleep;

switches! {
    /// Switches of forward pruning. Defaults: what pays in the card duel, `docs/card-duel.md`.
    #[derive(Eq)]
    pub struct ForwardPruning {
        /// Razoring: search a position a ply less deep that is below the window by more than the razoring margin.
        razor = false;
        /// Self-loss: cut if a position is good enough even with a resource less.
        self_loss = false;
        /// Razor and self-loss with a probability that falls from 1 to 0.9 where they are least sure.
        probabilistic = true;
        /// Sleep sets: try commuting moves in one order only.
        order_independence = false;
        /// The evaluator's continuation bonus in move ordering.
        continuation = true;
        /// Skip dominated moves.
        dominance = true;
    }
}

/// The first plies are searched in full.
const FULL_PLIES: u32 = 2;
/// With a resource less a position is searched this much less deep.
const REDUCTION: u32 = 3;
const SELF_LOSS_FROM: u32 = 2;
/// Below this depth no second resource is given up at once.
const REPEAT_FROM: u32 = 4;
/// From this depth on a cut is verified by a search that is not poorer, but as shallow.
const VERIFY_FROM: u32 = 6;
/// The probability with which a cut happens at its border.
const LEAST_SURE: f64 = 0.9;

/// The state of these prunings along the line at hand.
pub(super) struct PruningState<M> {
    pub(super) forward_pruning: ForwardPruning,
    /// R as it was measured, in place of what the evaluator says.
    razor_margin: Option<MarginByDepth>,
    /// The seed of the search.
    seed: u64,
    /// Whether the position at hand is one that a side has made poorer, and whether a cut is being
    /// verified.
    handicapped: bool,
    verifying: bool,
    pub(super) sleep: Sleep<M>,
}

impl<M: Copy + Eq> PruningState<M> {
    pub(super) fn new(
        forward_pruning: ForwardPruning,
        razor_margin: Option<MarginByDepth>,
        seed: u64,
    ) -> Self {
        let sleep = Sleep::default();
        Self { forward_pruning, razor_margin, seed, handicapped: false, verifying: false, sleep }
    }

    /// How promising a move looks before anything is searched, by itself and after the one before it.
    #[inline]
    pub(super) fn prior<G: Game<Move = M>, E: Evaluator<G>>(
        &self,
        evaluator: &E,
        pos: &G,
        node: Node,
        mv: M,
    ) -> i32 {
        let bonus = match (node.previous, evaluator.pruning_hints()) {
            (Some(previous), Some(hints)) if self.forward_pruning.continuation => {
                hints.continuation_bonus(pos, previous, mv)
            }
            _ => 0,
        };
        evaluator.order(pos, node.mover, mv) + bonus
    }

    /// A search begins.
    pub(super) fn clear(&mut self) {
        (self.handicapped, self.verifying) = (false, false);
        self.sleep.clear();
    }
}

impl<G: Game, E: Evaluator<G>, N: NodeSearch<G, E>> Searcher<'_, G, E, N> {
    /// What a search may hope to find beyond the evaluation.
    #[inline]
    fn razor_margin(&mut self, depth: u32) -> Option<i32> {
        match self.nodes.pruning().razor_margin {
            Some(measured) => Some(measured.at(depth)),
            None => self.evaluator.pruning_hints()?.razor_margin(depth),
        }
    }

    /// The depth to search a node to.
    // CITE: razoring, Birmingham and Kent 1977.
    pub(super) fn razored(&mut self, pos: &G, node: Node) -> u32 {
        let alpha = node.window.alpha;
        if !self.nodes.pruning().forward_pruning.razor
            || node.depth < 2
            || node.ply < FULL_PLIES
            || alpha.is_decided()
        {
            return node.depth;
        }
        let Some(razor_margin) = self.razor_margin(node.depth) else { return node.depth };
        let stands = self.evaluator.evaluate(pos, node.mover);
        let lacking = alpha.raw().saturating_sub(stands).saturating_sub(razor_margin);
        let cut = lacking > 0 && self.happens(pos, node.depth, lacking, razor_margin);
        node.depth - u32::from(cut)
    }

    /// The bound that a node reaches even with a resource less.
    pub(super) fn handicap_cutoff(
        &mut self,
        pos: &G,
        node: Node,
    ) -> Result<Option<Score>, Stopped> {
        let pruning = self.nodes.pruning();
        let again = std::mem::take(&mut pruning.handicapped);
        let beta = node.window.beta;
        if !pruning.forward_pruning.self_loss
            || pruning.verifying
            || node.depth < SELF_LOSS_FROM
            || node.ply < FULL_PLIES
            || beta.is_decided()
            || again && node.depth < REPEAT_FROM
        {
            return Ok(None);
        }
        let Some(razor_margin) = self.razor_margin(node.depth) else { return Ok(None) };
        // Without what a search may hope for: with half of it most tries are in vain.
        let spare = self.evaluator.evaluate(pos, node.mover) - beta.raw();
        if spare <= 0 || !self.happens(pos, node.depth, spare, razor_margin) {
            return Ok(None);
        }
        let hints = self.evaluator.pruning_hints();
        let handicap = hints.and_then(|hints| hints.handicap(pos, node.mover));
        let Some(handicap) = handicap else { return Ok(None) };
        let Node { mover, ply, previous, .. } = node;
        let window = Window::new(Score::heuristic(beta.raw() - 1), beta);
        let depth = node.depth.saturating_sub(REDUCTION);
        let query = Query { viewer: mover, depth, ply, window };
        self.nodes.pruning().handicapped = true;
        let score = self.value(&handicap, query, previous)?;
        self.nodes.pruning().handicapped = false;
        if score < beta {
            return Ok(None);
        }
        if node.depth >= VERIFY_FROM {
            self.nodes.pruning().verifying = true;
            let verified = self.value(pos, query, previous)?;
            self.nodes.pruning().verifying = false;
            if verified < beta {
                return Ok(None);
            }
        }
        Ok(Some(beta))
    }

    /// Whether a cut happens that is certain by this `margin`, where `razor_margin` is a wide one.
    fn happens(&mut self, pos: &G, depth: u32, margin: i32, razor_margin: i32) -> bool {
        let PruningState { forward_pruning, seed, .. } = *self.nodes.pruning();
        if !forward_pruning.probabilistic {
            return true;
        }
        let sure = (f64::from(margin) / f64::from(razor_margin.max(1))).min(1.0);
        let p = LEAST_SURE + (1.0 - LEAST_SURE) * sure;
        Rng::new(zobrist::mix(pos.hash() ^ seed) ^ u64::from(depth)).unit() < p
    }
}
