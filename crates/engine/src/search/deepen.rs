//! Iterative deepening: search one ply deeper as long as the budget lasts.
// CITE: Slate and Atkin 1977, "CHESS 4.5".

use super::report::{Line, Report, Stats};
use super::score::ScoreScale;
use super::{Job, Observer, Score, StopReason, Stopped, Value, Wanted};
use crate::game::Game;

/// Maximum depth in plies; fits the 8-bit depth of a table entry. Not tuned.
pub const MAX_DEPTH: u32 = 250;
/// Depth after which a search for time alone stops if there is only one legal move. Not tuned.
const ONLY_MOVE_DEPTH: u32 = 4;

/// A root move and its result of an iteration.
#[derive(Clone, Debug)]
pub(super) struct RootMove<M> {
    /// The principal variation, the root move first.
    pub(super) line: Vec<M>,
    pub(super) score: Score,
    /// True if the score depends on finished games only.
    pub(super) resolved: bool,
    /// True if the score is the value; otherwise it is an upper bound.
    pub(super) rated: bool,
    /// True if the score of a rated move is the bound of a deeper search.
    pub(super) bounded: bool,
    /// Value in each world, where the score is their mean and an estimate.
    pub(super) worlds: Vec<f64>,
}

impl<M: Copy> RootMove<M> {
    pub(super) fn unknown(mv: M) -> Self {
        Self {
            line: vec![mv],
            score: Score::MIN,
            resolved: false,
            rated: false,
            bounded: false,
            worlds: Vec::new(),
        }
    }

    pub(super) fn mv(&self) -> M {
        self.line[0]
    }

    /// The move, where a better search has found it to be no better than `most`.
    pub(super) fn at_most(self, most: Score) -> Self {
        let score = if most.is_decided() { most } else { most.just_below() };
        Self { score, resolved: false, bounded: true, ..self }
    }

    /// True if a greater depth cannot change the result, value or upper bound.
    fn is_final(&self, depth: u32) -> bool {
        self.resolved || (self.score.is_proved() && self.score.plies() <= depth)
    }

    /// True for a proved loss.
    pub(super) fn is_lost(&self) -> bool {
        self.score.is_proved() && self.score < Score::DRAW && self.score != Score::MIN
    }

    /// True for a proved win that no other move can shorten.
    fn is_won(&self, depth: u32) -> bool {
        self.rated && self.score.is_win() && self.is_final(depth)
    }
}

/// Result of iterative deepening, best move first.
#[derive(Clone)]
pub(super) struct Deepened<M> {
    pub(super) moves: Vec<RootMove<M>>,
    pub(super) depth: u32,
    pub(super) stopped: StopReason,
}

/// What a search finds, with its statistics.
pub(super) type Finding<M> = (Deepened<M>, Stats);

/// Root moves to search, most promising first.
pub(super) struct Roots<M> {
    pub(super) moves: Vec<RootMove<M>>,
    /// True if no unlisted move can be better.
    pub(super) complete: bool,
}

impl<M: Copy> Roots<M> {
    /// A complete list of these moves.
    pub(super) fn all(moves: impl IntoIterator<Item = M>) -> Self {
        Self { moves: moves.into_iter().map(RootMove::unknown).collect(), complete: true }
    }
}

/// Maximum depth allowed by a job.
pub(super) fn last_depth<G: Game>(job: &Job<'_, G>) -> u32 {
    job.budget.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH)
}

/// A job without its game: one instance of iterative deepening serves all games with the same move type.
pub(super) struct Deepening<'a, M> {
    wanted: Wanted,
    /// Number of root moves.
    moves: usize,
    /// True if nothing but time limits the search.
    only_time: bool,
    observer: Option<&'a Observer<'a, M>>,
    scale: ScoreScale,
}

impl<'a, M> Deepening<'a, M> {
    pub(super) fn of<G: Game<Move = M>>(job: &Job<'a, G>, scale: ScoreScale) -> Self {
        Self {
            wanted: job.wanted,
            moves: job.moves.len(),
            only_time: job.budget.depth.is_none() && job.budget.nodes.is_none(),
            observer: job.observer,
            scale,
        }
    }
}

/// One iteration: searches the root moves in their order and writes their scores; when stopped midway, those
/// not reached are not `rated`. Returns the statistics so far.
pub(super) type Iteration<'a, M> =
    dyn FnMut(u32, &mut [RootMove<M>]) -> Result<Stats, Stopped> + 'a;

/// Runs `iterate` at these increasing depths.
pub(super) fn deepen<M: Copy>(
    job: &Deepening<'_, M>,
    roots: Roots<M>,
    depths: &mut dyn Iterator<Item = u32>,
    iterate: &mut Iteration<'_, M>,
) -> Deepened<M> {
    let Roots { moves, complete } = roots;
    let mut found = Deepened { moves, depth: 0, stopped: StopReason::Depth };
    for depth in depths {
        let mut trial = found.moves.clone();
        for root in &mut trial {
            root.rated = false;
        }
        let result = iterate(depth, &mut trial);
        rank(&mut trial);
        let stats = match result {
            Ok(stats) => stats,
            Err(Stopped(reason)) => {
                // The previous best move was searched first: a move that beats it since is better. But
                // ratings must compare like with like, so several values count only when all are complete.
                let useful = trial.iter().any(|root| root.rated);
                if useful && (job.wanted == Wanted::One || found.depth == 0) {
                    found.moves = trial;
                }
                found.stopped = reason;
                return found;
            }
        };
        found.moves = trial;
        found.depth = depth;
        if let Some(observer) = job.observer {
            found.tell(complete, stats, observer, job.scale);
        }
        // Where others are rated, the first moves may tie with them, or be the only correct ones.
        let one_wins = job.wanted == Wanted::One && found.moves[0].is_won(depth);
        if one_wins || found.moves.iter().all(|root| root.is_final(depth)) {
            found.stopped = StopReason::Solved;
            return found;
        }
        if job.only_time && job.moves == 1 && depth >= ONLY_MOVE_DEPTH {
            found.stopped = StopReason::OnlyMove;
            return found;
        }
    }
    found
}

/// Stable sort by key: one instance of the sort per type of key, not per type of item.
pub(super) fn sort_by_keys<T, K: Ord>(items: &mut Vec<T>, key: impl Fn(&T) -> K) {
    let mut order: Vec<_> = items.iter().enumerate().map(|(n, item)| (key(item), n)).collect();
    order.sort_unstable();
    let mut left: Vec<_> = items.drain(..).map(Some).collect();
    items.extend(order.into_iter().filter_map(|(_, n)| left[n].take()));
}

/// Sorts best first, stably. A move that was not reached comes before a proved loss.
pub(super) fn rank<M: Copy>(moves: &mut Vec<RootMove<M>>) {
    sort_by_keys(moves, |root| (root.is_lost(), !root.rated, -root.score));
}

impl<M: Copy + PartialEq> Deepened<M> {
    /// Restores the order of `preferred` among moves that tie, whatever the order of the search.
    pub(super) fn prefer(&mut self, preferred: &[M]) {
        let place = |mv| preferred.iter().position(|&other| other == mv);
        sort_by_keys(&mut self.moves, |root| place(root.mv()));
        rank(&mut self.moves);
    }
}

impl<M: Copy> Deepened<M> {
    /// True if no other move can turn out better than the first.
    fn is_settled(&self) -> bool {
        let Some((first, others)) = self.moves.split_first() else { return false };
        first.is_won(self.depth) || others.iter().all(|root| root.is_final(self.depth))
    }

    /// True if every move searched is a proved loss.
    pub(super) fn all_lost(&self) -> bool {
        self.moves.iter().all(RootMove::is_lost)
    }

    /// Unless the moves are `complete`, nothing but a win is proved: an unlisted move may be better.
    pub(super) fn doubt_unless(&mut self, complete: bool) {
        if complete {
            return;
        }
        let lost = self.all_lost();
        for root in &mut self.moves {
            root.resolved &= root.score.is_proved() && !lost;
            root.score = if lost { root.score.without_proof() } else { root.score };
        }
    }

    /// Reports the current result to the observer, unless all moves of an incomplete list lose.
    fn tell(&self, complete: bool, stats: Stats, observer: &Observer<'_, M>, scale: ScoreScale) {
        if !complete && self.all_lost() {
            return;
        }
        let mut known = Self { stopped: StopReason::Running, ..self.clone() };
        known.doubt_unless(complete);
        observer(&known.report(stats, scale));
    }

    /// The report.
    pub(super) fn report(self, stats: Stats, scale: ScoreScale) -> Report<M> {
        let worth = |root: &RootMove<M>| (root.rated, root.bounded, root.score);
        let best = self.moves.first().map(worth);
        let tie = |root: &&RootMove<M>| Some(worth(root)) == best;
        let best_ties = self.moves.iter().take_while(tie).count();
        let settled = self.is_settled();
        let lines = self.moves.into_iter().map(|root| Line {
            value: match root.worlds.as_slice() {
                _ if root.score == Score::MIN => Value::Unknown,
                // An upper bound of 0 is not a draw.
                [] => Value::from_score(root.score, root.resolved && root.rated, scale),
                worlds => Value::of_worlds(worlds),
            },
            exact: root.rated
                && !root.bounded
                && root.worlds.is_empty()
                && (root.resolved || root.score.is_proved() && scale.is_exact(root.score)),
            rated: root.rated,
            bounded: root.bounded,
            moves: root.line,
            worlds: root.worlds,
        });
        let stats = Stats { depth: self.depth, ..stats };
        let (lines, stopped) = (lines.collect(), self.stopped);
        Report { lines, settled, best_ties, stats, stopped, top: Vec::new() }
    }
}
