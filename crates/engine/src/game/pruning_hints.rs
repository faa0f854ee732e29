//! Knowledge for forward pruning and for merging chance outcomes.

use super::{Game, Side};

/// How far the order of a move and the others of its side does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Independence {
    /// It matters.
    Dependent,
    /// It does not matter among other moves, but a second copy in a row brings less.
    Ordinary,
    /// Nor does it among copies of the move.
    Strong,
}

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

    /// Order independence of a legal move.
    fn independence(&self, _pos: &G, _mv: G::Move) -> Independence {
        Independence::Dependent
    }

    /// True if the end of the game is near, where forward pruning errs more often.
    fn is_endgame(&self, _pos: &G) -> bool {
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
