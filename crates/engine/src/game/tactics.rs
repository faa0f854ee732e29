//! What a game with captures, threats and material knows about single moves: what a search needs that
//! leaves moves out.

use super::{Evaluator, Game, Side};

/// What rules that look back say of a position that the search has come to, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nobody wins.
    Draw,
    /// The side to move wins.
    Win,
    /// The side to move loses.
    Loss,
}

/// Knowledge of single moves.
///
/// Moves are *noisy* when they change so much at once that a position is not worth judging before
/// they are played out (captures), and *quiet* otherwise. All values are in the units of
/// [`Evaluator::evaluate`]. The search tells the evaluator of every move by [`Evaluator::push`] and of every
/// pass by [`Tactics::push_pass`].
pub trait Tactics<G: Game>: Evaluator<G> {
    /// How many [topics](Tactics::topic) there are.
    const MOVE_INDICES: usize;
    /// How many kinds of [loot](Tactics::loot) there are.
    const VICTIMS: usize;
    /// What a piece of the smallest kind is worth: the unit of all margins.
    const PAWN: i32;

    /// What the position is worth to `mover`, judged together with the one before it on the line that led here:
    /// where every move of either side makes the evaluation swing, both together say more than the last alone.
    /// In units, within [`Evaluator::reach`]; no function of the position alone, so that only a search asks for it
    /// that claims nothing by such values.
    // CITE: the mean of two positions in a row, as the gomoku engine Rapfi (2022) judges by patterns.
    fn smoothed(&mut self, pos: &G, mover: Side) -> i32 {
        self.evaluate(pos, mover)
    }

    /// What a move is about: what is moved, and where to. What was learned about a move is used for
    /// all moves on the same topic.
    fn move_index(&self, pos: &G, mv: G::Move) -> usize;

    /// What kind of thing a noisy move takes; 0 for a quiet move.
    fn victim(&self, pos: &G, mv: G::Move) -> usize;

    /// What a noisy move wins at once, if nothing is taken back; 0 for a quiet move.
    fn victim_value(&self, pos: &G, mv: G::Move) -> i32;

    /// Whether a move, with all that follows on its target square, brings `least` or more.
    fn see_at_least(&self, pos: &G, mv: G::Move, least: i32) -> bool;

    /// Appends the noisy moves of the side to move.
    fn noisy(&self, pos: &G, out: &mut Vec<G::Move>);

    /// Whether the side to move must answer a direct threat to lose the game (check).
    fn threatened(&self, pos: &G) -> bool;

    /// Whether a move makes such a threat.
    fn threatens(&self, pos: &G, mv: G::Move) -> bool;

    /// Appends the moves that make such a threat or win; of a mover who is threatened himself at least
    /// those that are an answer too. Where one of them wins at once, it alone will do.
    fn threats(&self, pos: &G, out: &mut Vec<G::Move>) {
        let start = out.len();
        pos.moves(out);
        let mut kept = start;
        for n in start..out.len() {
            if self.threatens(pos, out[n]) {
                out[kept] = out[n];
                kept += 1;
            }
        }
        out.truncate(kept);
    }

    /// Whether a threat goes on with what an earlier one of the same side began.
    fn continues_threat(&self, _pos: &G, _earlier: G::Move, _mv: G::Move) -> bool {
        true
    }

    /// Whether the threat is such that a position is not worth judging before it is answered.
    #[inline]
    fn is_pressing(&self, pos: &G) -> bool {
        self.threatened(pos)
    }

    /// Appends the other moves that may prepare a win by threats.
    fn quiet_preparations(&self, pos: &G, out: &mut Vec<G::Move>) {
        let start = out.len();
        pos.moves(out);
        let mut kept = start;
        for n in start..out.len() {
            if !self.threatens(pos, out[n]) {
                out[kept] = out[n];
                kept += 1;
            }
        }
        out.truncate(kept);
    }

    /// In exactly how many plies the mover wins with best play, if that can be seen at once.
    #[inline]
    fn wins_in(&self, _pos: &G, _mover: Side) -> Option<u32> {
        None
    }

    /// The position with the other side to move, if having to move is no burden here: `None` where the
    /// mover might be glad not to have to move. Not asked where the mover is threatened.
    fn pass(&self, pos: &G, mover: Side) -> Option<G>;

    /// The search passes on to `after`.
    fn push_pass(&mut self, after: &G);

    /// What is slow to change in a position, in a few bits: positions with the same structure are
    /// misjudged by the evaluation in the same way.
    fn structure_key(&self, pos: &G) -> u64;

    /// What rules that look back make of the position at hand.
    fn verdict(&self, pos: &G) -> Option<Verdict>;
}
