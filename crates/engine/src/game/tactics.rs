//! Knowledge of single moves in a game with captures, threats and material, for selective search.

use super::{Evaluator, Game, Side, retain_from};

/// Result by the history rules of a position reached by the search, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Draw.
    Draw,
    /// The side to move wins.
    Win,
    /// The side to move loses.
    Loss,
}

/// Knowledge of single moves.
///
/// Moves are *noisy* if they change so much that the position is not worth evaluating before they are
/// played out (captures), and *quiet* otherwise. All values are in the units of
/// [`Evaluator::evaluate`]. The search announces every move by [`Evaluator::push`] and every pass by
/// [`Tactics::push_pass`].
pub trait Tactics<G: Game>: Evaluator<G> {
    /// Number of [piece-to indices](Tactics::move_index).
    const MOVE_INDICES: usize;
    /// Number of [captured piece kinds](Tactics::victim), counting 0 for none.
    const VICTIMS: usize;
    /// Value of the smallest piece: the unit of all margins.
    const PAWN: i32;

    /// Evaluation for `mover`, smoothed with the previous position of the line: where every move of either
    /// side makes the evaluation swing, both together say more than the last alone. In units, within
    /// [`Evaluator::reach`]. Not a function of the position alone, so only used by a search that claims
    /// nothing by such values.
    // CITE: the mean of two positions in a row, as the gomoku engine Rapfi (2022) judges by patterns.
    fn smoothed(&mut self, pos: &G, mover: Side) -> i32 {
        self.evaluate(pos, mover)
    }

    /// Piece-to index of a move: the moved piece and its target square. Move history is shared by all moves
    /// with the same index.
    fn move_index(&self, pos: &G, mv: G::Move) -> usize;

    /// Captured piece kind of a noisy move; 0 for a quiet move.
    fn victim(&self, pos: &G, mv: G::Move) -> usize;

    /// Value of the captured piece, without recapture; 0 for a quiet move.
    fn victim_value(&self, pos: &G, mv: G::Move) -> i32;

    /// Static exchange evaluation: true if a move, with all recaptures on its target square, brings `least`
    /// or more.
    fn see_at_least(&self, pos: &G, mv: G::Move, least: i32) -> bool;

    /// Appends the noisy moves of the side to move.
    fn noisy(&self, pos: &G, out: &mut Vec<G::Move>);

    /// True if the side to move is in check: it must answer a direct threat or lose the game.
    fn threatened(&self, pos: &G) -> bool;

    /// True if a move gives check.
    fn threatens(&self, pos: &G, mv: G::Move) -> bool;

    /// Appends the moves that give check or win; for a mover in check, at least those that also answer it.
    /// Where one of them wins at once, it alone suffices.
    fn threats(&self, pos: &G, out: &mut Vec<G::Move>) {
        let start = out.len();
        pos.moves(out);
        retain_from(out, start, |mv| self.threatens(pos, mv));
    }

    /// True if a threat continues what an earlier threat of the same side began.
    fn continues_threat(&self, _pos: &G, _earlier: G::Move, _mv: G::Move) -> bool {
        true
    }

    /// True if the position is not worth evaluating before the threat is answered.
    #[inline]
    fn is_pressing(&self, pos: &G) -> bool {
        self.threatened(pos)
    }

    /// Appends the other moves that may prepare a win by threats.
    fn quiet_preparations(&self, pos: &G, out: &mut Vec<G::Move>) {
        let start = out.len();
        pos.moves(out);
        retain_from(out, start, |mv| !self.threatens(pos, mv));
    }

    /// Exact number of plies in which the mover wins with best play, if statically detectable.
    #[inline]
    fn wins_in(&self, _pos: &G, _mover: Side) -> Option<u32> {
        None
    }

    /// The position after a null move; `None` where zugzwang is possible. Not called where the mover is in
    /// check.
    fn pass(&self, pos: &G, mover: Side) -> Option<G>;

    /// The search makes a null move to `after`.
    fn push_pass(&mut self, after: &G);

    /// Hash of the slow-changing structure (e.g. the pawns): the static evaluation errs alike in positions
    /// with equal keys.
    fn structure_key(&self, pos: &G) -> u64;

    /// Result of the current position by the history rules.
    fn verdict(&self, pos: &G) -> Option<Verdict>;
}
