//! Moves whose order does not matter are tried in one order only: after `b` there is no need for an `a`
//! that was tried before `b`, because `a` and then `b` has been.
//!
//! ```text
//!      s
//!   a / \ b        both lead to t, and the mover moves again in between:
//!    u   v         below v, a sleeps
//!   b \ / a
//!      t
//! ```
//!
//! What `a` was found to be worth is at most what the mover has since, his alpha, and `t` is worth no more
//! than that: so where all that is awake at `v` fails low, `v` is worth alpha at most.
// CITE: sleep sets, Godefroid 1991, "Using partial orders to improve automatic verification methods".

use crate::game::{Evaluator, Game, Side};
use crate::search::alphabeta::engine::Node;

/// The moves that sleep, for each ply of the line at hand, and whose they are.
pub(in crate::search::alphabeta) struct Sleep<M>(Vec<(Option<Side>, Vec<M>)>);

impl<M> Default for Sleep<M> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<M: Copy + Eq> Sleep<M> {
    /// All moves wake up.
    pub(super) fn clear(&mut self) {
        self.0.iter_mut().for_each(|(side, _)| *side = None);
    }

    /// The moves of a ply wake up.
    pub(in crate::search::alphabeta) fn wake(&mut self, ply: u32) {
        if let Some((side, _)) = self.0.get_mut(ply as usize) {
            *side = None;
        }
    }

    fn asleep(&self, node: Node) -> &[M] {
        match self.0.get(node.ply as usize) {
            Some((side, moves)) if *side == Some(node.mover) => moves,
            _ => &[],
        }
    }

    /// Takes those that sleep out of the moves from `start` on; tells whether there were any.
    pub(in crate::search::alphabeta) fn remove_sleeping(
        &self,
        node: Node,
        moves: &mut Vec<M>,
        start: usize,
    ) -> bool {
        let asleep = self.asleep(node);
        if asleep.is_empty() {
            return false;
        }
        moves.extract_if(start.., |mv| asleep.contains(mv)).count() > 0
    }

    /// `mv` is searched next, after those that have been `tried`: those of them sleep below it that are
    /// independent of it, and so do those that sleep already.
    pub(in crate::search::alphabeta) fn put_to_sleep<G: Game<Move = M>, E: Evaluator<G>>(
        &mut self,
        evaluator: &E,
        pos: &G,
        node: Node,
        tried: impl Iterator<Item = M>,
        mv: M,
    ) {
        let ply = node.ply as usize;
        if self.0.len() < ply + 2 {
            self.0.resize_with(ply + 2, Default::default);
        }
        let (above, below) = self.0.split_at_mut(ply + 1);
        let (side, next) = &mut below[0];
        *side = Some(node.mover);
        next.clear();
        let already = match &above[ply] {
            (Some(side), moves) if *side == node.mover => moves.as_slice(),
            _ => &[],
        };
        let sleepers = already.iter().copied().chain(tried);
        if let Some(hints) = evaluator.pruning_hints() {
            next.extend(sleepers.filter(|&other| hints.commutes(pos, other, mv)));
        }
    }
}
