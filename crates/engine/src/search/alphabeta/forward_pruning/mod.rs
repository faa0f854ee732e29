//! Forward pruning by the evaluator's knowledge of margins, resources and commuting moves. Each technique may
//! err; none of them yields a proof. Shared by the nodes of `mc` and `selective`.
//!
//! - `variants`: options of the techniques
//! - `sleep`: sleep sets
//! - `independence`: the skip rule of order independence
//! - `left_out`: what both take from the moves of a full-width node

mod independence;
mod left_out;
mod sleep;
mod variants;

use super::engine::{Node, NodeSearch, Query, Searcher};
use crate::game::{Evaluator, Game, Rng, zobrist};
use crate::options::switches;
use crate::search::{MarginByDepth, Score, Stopped, Window};
use independence::{DependentPlies, FIRST};
use sleep::Sleep;
pub use variants::{EndgamePruning, IndependenceRule, PruningVariants, SelfLossMargin};

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
        /// Try independent moves in one order only, by the rule of the option independence.
        order_independence = false;
        /// The evaluator's continuation bonus in move ordering.
        continuation = true;
        /// Skip dominated moves.
        dominance = true;
    }
}

// Constants measured only as a whole: `benches/duel.py`, rows `razor`, `self_loss` and `probabilistic` of
// docs/card-duel.md.

/// Minimum depth of self-loss, in plies.
const SELF_LOSS_FROM: u32 = 2;
/// Minimum depth at which a cutoff is verified by a search without handicap, with the same reduction.
const VERIFY_FROM: u32 = 6;
/// Probability of a cutoff at margin 0.
const LEAST_SURE: f64 = 0.9;

/// State of forward pruning along the current line.
pub(super) struct PruningState<M> {
    pub(super) forward_pruning: ForwardPruning,
    variants: PruningVariants,
    /// Measured razoring margin; `None`: the evaluator's.
    razor_margin: Option<MarginByDepth>,
    /// Seed of the search.
    seed: u64,
    /// True if the current position is handicapped; true if a cutoff is being verified.
    handicapped: bool,
    verifying: bool,
    pub(super) sleep: Sleep<M>,
    dependent: DependentPlies,
}

impl<M: Copy + Eq> PruningState<M> {
    pub(super) fn new(
        forward_pruning: ForwardPruning,
        variants: PruningVariants,
        razor_margin: Option<MarginByDepth>,
        seed: u64,
    ) -> Self {
        Self {
            forward_pruning,
            variants,
            razor_margin,
            seed,
            handicapped: false,
            verifying: false,
            sleep: Sleep::default(),
            dependent: DependentPlies::default(),
        }
    }

    /// True if nothing is left out that could win sooner.
    pub(super) fn keeps_distances(&self) -> bool {
        let ForwardPruning { razor, self_loss, dominance, .. } = self.forward_pruning;
        !(razor || self_loss || dominance) && self.independent_from().is_none()
    }

    /// Static ordering score of a move plus its continuation bonus; independent moves first by the skip rule.
    #[inline]
    pub(super) fn prior<G: Game<Move = M>, E: Evaluator<G>>(
        &self,
        evaluator: &E,
        pos: &G,
        node: Node,
        mv: M,
    ) -> i32 {
        let order = evaluator.order_by_depth(pos, node.mover, mv, node.depth);
        let Some(hints) = evaluator.pruning_hints() else { return order };
        let bonus = match node.previous {
            Some(previous) if self.forward_pruning.continuation => {
                hints.continuation_bonus(pos, previous, mv)
            }
            _ => 0,
        };
        let is_first =
            self.independent_from().is_some_and(|least| hints.independence(pos, mv) >= least);
        order + bonus + if is_first { FIRST } else { 0 }
    }

    /// Resets the state for a new search.
    pub(super) fn clear(&mut self) {
        (self.handicapped, self.verifying) = (false, false);
        self.sleep.clear();
        self.dependent.clear();
    }
}

impl<G: Game, E: Evaluator<G>, N: NodeSearch<G, E>> Searcher<'_, G, E, N> {
    /// Razoring margin at this depth, if known.
    #[inline]
    fn razor_margin(&mut self, depth: u32) -> Option<i32> {
        match self.nodes.pruning().razor_margin {
            Some(measured) => Some(measured.at(depth)),
            None => self.evaluator.pruning_hints()?.razor_margin(depth),
        }
    }

    /// Margin that razor and self-loss ask for in addition, where the end of the game is near; `None`: neither is
    /// tried.
    #[inline]
    fn endgame_margin(&mut self, pos: &G, razor_margin: i32) -> Option<i32> {
        let rule = self.nodes.pruning().variants.endgame_pruning;
        let is_near = rule != EndgamePruning::Full
            && self.evaluator.pruning_hints().is_some_and(|hints| hints.is_endgame(pos));
        match rule {
            EndgamePruning::Less if is_near => Some(razor_margin),
            EndgamePruning::None if is_near => None,
            _ => Some(0),
        }
    }

    /// Depth of the node after razoring.
    // CITE: razoring, Birmingham and Kent 1977.
    #[inline]
    pub(super) fn razored(&mut self, pos: &G, node: Node) -> u32 {
        let razors = self.nodes.pruning().forward_pruning.razor;
        if razors { self.depth_after_razoring(pos, node) } else { node.depth }
    }

    fn depth_after_razoring(&mut self, pos: &G, node: Node) -> u32 {
        let alpha = node.window.alpha;
        let PruningVariants { full_plies, .. } = self.nodes.pruning().variants;
        if node.depth < 2 || node.ply < full_plies || alpha.is_decided() {
            return node.depth;
        }
        let Some(razor_margin) = self.razor_margin(node.depth) else { return node.depth };
        let Some(extra) = self.endgame_margin(pos, razor_margin) else { return node.depth };
        let stands = self.evaluator.evaluate(pos, node.mover);
        let lacking = alpha.raw().saturating_sub(stands).saturating_sub(razor_margin + extra);
        let cut = lacking > 0 && self.happens(pos, node.depth, lacking, razor_margin);
        node.depth - u32::from(cut)
    }

    /// Lower bound of a node that fails high even with a resource less.
    #[inline]
    pub(super) fn handicap_cutoff(
        &mut self,
        pos: &G,
        node: Node,
    ) -> Result<Option<Score>, Stopped> {
        let tries = self.nodes.pruning().forward_pruning.self_loss;
        if tries { self.try_handicap(pos, node) } else { Ok(None) }
    }

    fn try_handicap(&mut self, pos: &G, node: Node) -> Result<Option<Score>, Stopped> {
        let pruning = self.nodes.pruning();
        let again = std::mem::take(&mut pruning.handicapped);
        let variants = pruning.variants;
        let beta = node.window.beta;
        if pruning.verifying
            || node.depth < SELF_LOSS_FROM
            || node.ply < variants.full_plies
            || beta.is_decided()
            || again && node.depth < variants.self_loss_again_from
            || !self.hopes_for(pos, node, variants.self_loss_margin)
        {
            return Ok(None);
        }
        let hints = self.evaluator.pruning_hints();
        let handicap = hints.and_then(|hints| hints.handicap(pos, node.mover));
        let Some(handicap) = handicap else { return Ok(None) };
        let window = Window::new(Score::heuristic(beta.raw() - 1), beta);
        let depth = node.depth.saturating_sub(variants.self_loss_reduction);
        let query = Query { viewer: node.mover, depth, ply: node.ply, window };
        self.nodes.pruning().handicapped = true;
        self.traced_move = None;
        let score = self.value(&handicap, query, node.previous)?;
        self.nodes.pruning().handicapped = false;
        if score < beta {
            return Ok(None);
        }
        if variants.self_loss_verify && node.depth >= VERIFY_FROM {
            self.nodes.pruning().verifying = true;
            self.traced_move = None;
            let verified = self.value(pos, query, node.previous)?;
            self.nodes.pruning().verifying = false;
            if verified < beta {
                return Ok(None);
            }
        }
        Ok(Some(beta))
    }

    /// True if the evaluation plus a share of the razoring margin is above beta, and the prune is not left out by
    /// chance.
    fn hopes_for(&mut self, pos: &G, node: Node, share: SelfLossMargin) -> bool {
        let Some(razor_margin) = self.razor_margin(node.depth) else { return false };
        let Some(extra) = self.endgame_margin(pos, razor_margin) else { return false };
        let stands = self.evaluator.evaluate(pos, node.mover);
        let spare = stands + share.of(razor_margin) - extra - node.window.beta.raw();
        spare > 0 && self.happens(pos, node.depth, spare, razor_margin)
    }

    /// True if a cutoff with this `margin` happens: always if not probabilistic, else with a probability that
    /// reaches 1 where `margin` is `razor_margin`.
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
