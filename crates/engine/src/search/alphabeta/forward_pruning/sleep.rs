//! Sleep sets: commuting moves are tried in one order only. After `b` there is no need for an `a` that was
//! tried before `b`, because `a` and then `b` has been searched.
//!
//! ```text
//!      s
//!   a / \ b        both lead to t, and the mover moves again in between:
//!    u   v         below v, a sleeps
//!   b \ / a
//!      t
//! ```
//!
//! The value of `a` is at most the mover's current alpha, and `t` is worth no more than that: where all moves
//! awake at `v` fail low, the value of `v` is at most alpha.
// CITE: sleep sets, Godefroid 1991, "Using partial orders to improve automatic verification methods".

use crate::game::{Evaluator, Game, Side};
use crate::search::alphabeta::engine::Node;

/// The sleep set of each ply of the current line, with its side.
pub(in crate::search::alphabeta) struct Sleep<M>(Vec<(Option<Side>, Vec<M>)>);

impl<M> Default for Sleep<M> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<M: Copy + Eq> Sleep<M> {
    /// Empties all sleep sets.
    pub(super) fn clear(&mut self) {
        self.0.iter_mut().for_each(|(side, _)| *side = None);
    }

    /// Empties the sleep set of a ply.
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

    /// Removes sleeping moves from `moves[start..]`; true if there were any.
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

    /// `mv` is searched next, after the moves `tried`: below it sleep those of them, and of the moves already
    /// asleep, that commute with it.
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
