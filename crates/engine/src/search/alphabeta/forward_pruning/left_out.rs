//! Moves of a full-width node that forward pruning leaves out.

use crate::game::{Evaluator, Game};
use crate::search::alphabeta::engine::Node;
use crate::search::alphabeta::full_width::FullWidthSearcher;

impl<G: Game, E: Evaluator<G>> FullWidthSearcher<'_, G, E> {
    /// Removes independent moves from `moves[start..]` by the skip rule; true if there were any.
    #[inline]
    pub(in crate::search::alphabeta) fn remove_independent(
        &mut self,
        pos: &G,
        node: Node,
        start: usize,
    ) -> bool {
        let Self { nodes, moves, evaluator, .. } = self;
        nodes.pruning.remove_independent(evaluator, pos, node, moves, start)
    }

    /// Removes dominated moves from `moves[start..]`; true if there were any.
    #[inline]
    pub(in crate::search::alphabeta) fn remove_dominated(
        &mut self,
        pos: &G,
        node: Node,
        start: usize,
    ) -> bool {
        self.nodes.pruning.forward_pruning.dominance
            && self.evaluator.pruning_hints().is_some_and(|hints| {
                hints.remove_dominated(pos, node.mover, &mut self.moves, start)
            })
    }

    /// Removes sleeping moves from `moves[start..]`; true if there were any.
    #[inline]
    pub(in crate::search::alphabeta) fn remove_sleeping(
        &mut self,
        node: Node,
        start: usize,
    ) -> bool {
        let Self { nodes, moves, .. } = self;
        nodes.pruning.forward_pruning.order_independence
            && nodes.pruning.sleep.remove_sleeping(node, moves, start)
    }

    /// `moves[n]` is searched next: below it the commuting moves of `moves[start..n]` sleep, or the skip rule
    /// looks at it.
    #[inline]
    pub(in crate::search::alphabeta) fn put_to_sleep(
        &mut self,
        pos: &G,
        node: Node,
        start: usize,
        n: usize,
    ) {
        let Self { nodes, moves, evaluator, .. } = self;
        // Leaves have no moves that could sleep.
        if nodes.pruning.forward_pruning.order_independence && node.depth > 1 {
            let tried = moves[start..n].iter().copied();
            nodes.pruning.follow(evaluator, pos, node, tried, moves[n]);
        }
    }
}
