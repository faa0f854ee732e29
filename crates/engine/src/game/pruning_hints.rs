//! Knowledge for forward pruning and for merging chance outcomes.

use super::{Game, Side};

/// Knowledge of resources, move order and equivalent outcomes, as card and dice games have it. An evaluator
/// returns itself from [`Evaluator::pruning_hints`](super::Evaluator::pruning_hints) to opt in.
///
/// The prunings that use it may err, so that nothing found with them is a proof.
pub trait PruningHints<G: Game> {
    /// Razoring margin: 90 % quantile of (search value - static evaluation) at `depth >= 1` plies, in the
    /// game's units; `None` if not measured.
    fn razor_margin(&self, _depth: u32) -> Option<i32> {
        None
    }

    /// Handicapped position: `mover` has given up a resource, which must make it worse for them, and is still
    /// to move. Only for evaluators that need no [`push`](super::Evaluator::push).
    // CITE: after the null move, for games where a pass is no threat.
    fn handicap(&self, _pos: &G, _mover: Side) -> Option<G> {
        None
    }

    /// True if two moves of the mover lead to the same position in either order, wherever both orders are
    /// legal; the mover is to move again after each.
    fn commutes(&self, _pos: &G, _a: G::Move, _b: G::Move) -> bool {
        false
    }

    /// Continuation bonus of a move after the move with code `previous`, in units of
    /// [`Evaluator::order`](super::Evaluator::order).
    fn continuation_bonus(&self, _pos: &G, _previous: u16, _mv: G::Move) -> i32 {
        0
    }

    /// Removes dominated moves from `moves[start..]`, which holds all legal moves: another move brings nearly
    /// the same for less. True if any was removed.
    fn remove_dominated(
        &self,
        _pos: &G,
        _mover: Side,
        _moves: &mut Vec<G::Move>,
        _start: usize,
    ) -> bool {
        false
    }

    /// Canonical representative of `outcome` among outcomes with equivalent successors.
    fn canonical_outcome(&self, _pos: &G, outcome: G::Move) -> G::Move {
        outcome
    }
}
