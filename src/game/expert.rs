//! What a game knows about itself for the sake of search.

use super::{Game, Rng, Side};

/// What an expert sees at once in a position where somebody is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookahead {
    /// The mover wins in exactly this many plies with best play.
    Win(u32),
    /// The mover loses in exactly this many plies with best play.
    Loss(u32),
    /// Undecided; the moves to search have been appended.
    Open {
        /// Whether no move that was left out can be better than the best one listed. Without it
        /// a draw or a loss found here is no proof.
        complete: bool,
        /// No win of the mover takes fewer plies than this.
        win_from: u32,
        /// No loss of the mover takes fewer plies than this.
        loss_from: u32,
    },
}

/// `win_from` and `loss_from` of an expert who sees nothing ahead.
pub const EARLIEST: u32 = 0;

/// Evaluation, ordering and other knowledge of one game. Every search thread owns a clone.
///
/// Knowledge that is expensive to recompute is kept here along the line being searched: the
/// search calls [`enter`](Expert::enter) at the root and [`push`](Expert::push) and
/// [`pop`](Expert::pop) around every move.
pub trait Expert<G: Game>: Clone + Send + Sync + 'static {
    /// The largest amount that [`evaluate`](Expert::evaluate) and payoffs reach, up or down, at
    /// most 10^9. Where chance averages, a certain win counts this much and a certain loss minus
    /// this much: keep it tight.
    fn bound(&self) -> i32;

    /// Positions with fewer plies left to search are cheaper to search again than to look up: a
    /// look-up in a large table waits for memory as long as several plain nodes take.
    const TABLE_FROM: u32 = 1;

    /// Positions with at least so many plies left are shared with other searches: the cheaper a
    /// node, the larger the tree that pays for the visit to the common table.
    const SHARE_FROM: u32 = 4;

    /// What [`evaluate`](Expert::evaluate) itself never exceeds, up or down; at most `bound`.
    fn reach(&self) -> i32 {
        self.bound()
    }

    /// The game has gone through these positions, the oldest first, since a position could last come
    /// again; the root of the next search is the last of them.
    fn set_history(&mut self, _history: &[G]) {}

    /// Takes on small preferences by a seed, so that not every game is the same; tells whether there are
    /// any. None by seed 0. [`evaluate`](Expert::evaluate) stays a function of the position.
    fn randomize(&mut self, _seed: u64) -> bool {
        false
    }

    /// A search begins at `root`.
    fn enter(&mut self, _root: &G) {}

    /// The search goes from `before` to `after` by `mv`.
    #[inline]
    fn push(&mut self, _before: &G, _mv: G::Move, _after: &G) {}

    /// The search returns from the last pushed move.
    #[inline]
    fn pop(&mut self) {}

    /// The value of an unfinished position for `mover`, who is to move, in the game's units. A
    /// function of the position alone.
    fn evaluate(&mut self, pos: &G, mover: Side) -> i32;

    /// Appends the moves worth searching (by default all); returns whether the list is complete in
    /// the sense of [`Lookahead::Open`]. Never empty where a legal move exists.
    #[inline]
    fn candidates(&self, pos: &G, _mover: Side, out: &mut Vec<G::Move>) -> bool {
        pos.moves(out);
        true
    }

    /// What can be seen at once, with `depth >= 1` plies left to search: either a result within
    /// `depth` plies, or the moves to search, which are the candidates without those proved to
    /// lose within `depth` plies as long as another is left. The value that a search of `depth`
    /// plies over the candidates gives must not change.
    #[inline]
    fn lookahead(&self, pos: &G, mover: Side, _depth: u32, out: &mut Vec<G::Move>) -> Lookahead {
        let complete = self.candidates(pos, mover, out);
        Lookahead::Open { complete, win_from: EARLIEST, loss_from: EARLIEST }
    }

    /// What the mover receives with best play, where that can be told at once: only where the game
    /// ends in an amount within `depth >= 1` plies whatever is played. An amount at or below
    /// `alpha` may be any upper bound that is not above `alpha`, one at or above `beta` any lower
    /// bound that is not below `beta`.
    #[inline]
    fn solve_payoff(
        &self,
        _pos: &G,
        _mover: Side,
        _depth: u32,
        _alpha: i32,
        _beta: i32,
    ) -> Option<i32> {
        None
    }

    /// How promising a move looks before anything is searched; larger is tried earlier.
    #[inline]
    fn order(&self, _pos: &G, _mover: Side, _mv: G::Move) -> i32 {
        0
    }

    /// The outcome of the chance event at hand that stands for this one: one for all that lead to
    /// positions which nothing can tell apart but their names.
    #[inline]
    fn canonical_outcome(&self, _pos: &G, outcome: G::Move) -> G::Move {
        outcome
    }

    /// Takes out of the moves from `start` on, which are all, those that another one outdoes: it brings the
    /// mover nearly the same for less. Tells whether there were any. A search that may err need not look at
    /// them.
    #[inline]
    fn remove_dominated(
        &self,
        _pos: &G,
        _mover: Side,
        _moves: &mut Vec<G::Move>,
        _start: usize,
    ) -> bool {
        false
    }

    /// What a search of `depth >= 1` plies finds beyond the evaluation at most, nine times in ten, in the
    /// game's units: what stands further below what is needed hardly gets there. `None` where nobody has
    /// measured it. A search that may err looks less deep there.
    #[inline]
    fn razor_margin(&self, _depth: u32) -> Option<i32> {
        None
    }

    /// The position after the mover has given up a resource, which must make it worse for him; it is his
    /// move still. Only for experts that judge every position at first sight.
    // CITE: after the null move, for games where a pass is no threat.
    #[inline]
    fn handicap(&self, _pos: &G, _mover: Side) -> Option<G> {
        None
    }

    /// Whether two moves of the mover lead to the same position in either order, wherever both orders can
    /// be played; he moves again after each.
    #[inline]
    fn commutes(&self, _pos: &G, _a: G::Move, _b: G::Move) -> bool {
        false
    }

    /// What [`order`](Expert::order) does not see: how well a move follows the one before it, by its code;
    /// in the same units.
    #[inline]
    fn continuation_bonus(&self, _pos: &G, _previous: u16, _mv: G::Move) -> i32 {
        0
    }

    /// The depth to search after `depth` when a search of `root` deepens: more than `depth`. Where
    /// the end of the game is near enough, going there at once costs less than the steps on the way.
    fn next_depth(&self, _root: &G, depth: u32) -> u32 {
        depth + 1
    }

    /// A sensible move for a playout, `None` when there is no legal one.
    #[inline]
    fn playout_move(&self, pos: &G, rng: &mut Rng, scratch: &mut Vec<G::Move>) -> Option<G::Move> {
        pos.random_move(rng, scratch)
    }

    /// The expected result, 0 to 1, for a side that stands at `value` units.
    fn win_probability(&self, value: f64) -> f64 {
        0.5 + 0.5 * (value / f64::from(self.bound())).clamp(-1.0, 1.0)
    }

    /// The result, 0 to 1, of a finished game in which a side receives `payoff`. Where amounts only
    /// say who has won, this is no expectation.
    fn result(&self, payoff: i32) -> f64 {
        self.win_probability(f64::from(payoff))
    }
}

/// The expert of a game that knows nothing but its rules: every position is worth 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl<G: Game> Expert<G> for Plain {
    fn bound(&self) -> i32 {
        1_000_000_000
    }

    fn reach(&self) -> i32 {
        0
    }

    fn evaluate(&mut self, _: &G, _: Side) -> i32 {
        0
    }
}
