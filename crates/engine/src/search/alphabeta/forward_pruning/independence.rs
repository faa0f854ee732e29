//! Skip rule of order independence: independent moves come first, and none after a dependent move of the same
//! side, since it could have come before.
//!
//! ```text
//!        s
//!   d /     \ i          i independent, d dependent
//!    u       v
//!  i ┊       | d         below u, i is skipped; v has both orders' position
//! ```
//!
//! Unlike a sleep set this loses what `i` brings only after `d`, and what `d` made possible.

use super::PruningState;
use crate::game::{Evaluator, Game, Independence, Side};
use crate::search::alphabeta::engine::Node;

/// Bonus that puts independent moves before all others, in units of
/// [`Evaluator::order`](crate::game::Evaluator::order): larger than any order of the games here.
pub(super) const FIRST: i32 = 1_000;

/// For each ply of the current line, the side that reached it by a dependent move.
#[derive(Default)]
pub(super) struct DependentPlies(Vec<Option<Side>>);

impl DependentPlies {
    pub(super) fn clear(&mut self) {
        self.0.fill(None);
    }

    /// Forgets how a ply was reached.
    pub(super) fn forget(&mut self, ply: u32) {
        if let Some(side) = self.0.get_mut(ply as usize) {
            *side = None;
        }
    }

    /// The mover of `node` is about to make a move.
    pub(super) fn note(&mut self, node: Node, is_dependent: bool) {
        let next = node.ply as usize + 1;
        if self.0.len() <= next {
            self.0.resize(next + 1, None);
        }
        self.0[next] = is_dependent.then_some(node.mover);
    }

    /// True if the mover reached this node by a dependent move.
    pub(super) fn contains(&self, node: Node) -> bool {
        self.0.get(node.ply as usize).copied().flatten() == Some(node.mover)
    }
}

impl<M: Copy + Eq> PruningState<M> {
    /// Least independence of the moves that the skip rule is about; `None` without that rule.
    #[inline]
    pub(super) fn independent_from(&self) -> Option<Independence> {
        self.variants.independence.least().filter(|_| self.forward_pruning.order_independence)
    }

    /// True if the skip rule leaves out independent moves at this node, so that its value is not that of the
    /// position.
    #[inline]
    pub(in crate::search::alphabeta) fn skips_independent(&self, node: Node) -> bool {
        self.independent_from().is_some() && self.dependent.contains(node)
    }

    /// Removes independent moves from `moves[start..]` by the skip rule, unless there are no others; true if any
    /// was removed.
    pub(in crate::search::alphabeta) fn remove_independent<G: Game<Move = M>, E: Evaluator<G>>(
        &self,
        evaluator: &E,
        pos: &G,
        node: Node,
        moves: &mut Vec<M>,
        start: usize,
    ) -> bool {
        let Some(least) = self.independent_from().filter(|_| self.dependent.contains(node)) else {
            return false;
        };
        let Some(hints) = evaluator.pruning_hints() else { return false };
        let is_independent = |mv: &M| hints.independence(pos, *mv) >= least;
        !moves[start..].iter().all(is_independent)
            && moves.extract_if(start.., |mv| is_independent(mv)).count() > 0
    }

    /// `mv` is searched next, after the moves `tried`: notes what is left out below it.
    pub(in crate::search::alphabeta) fn follow<G: Game<Move = M>, E: Evaluator<G>>(
        &mut self,
        evaluator: &E,
        pos: &G,
        node: Node,
        tried: impl Iterator<Item = M>,
        mv: M,
    ) {
        match (self.independent_from(), evaluator.pruning_hints()) {
            (Some(least), Some(hints)) => {
                self.dependent.note(node, hints.independence(pos, mv) < least);
            }
            _ => self.sleep.put_to_sleep(evaluator, pos, node, tried, mv),
        }
    }

    /// A chance event leads to this ply: its moves have not been searched elsewhere.
    pub(in crate::search::alphabeta) fn wake(&mut self, ply: u32) {
        self.sleep.wake(ply);
        self.dependent.forget(ply);
    }
}
