//! Iterative deepening: search one ply deeper as long as the budget lasts.
// CITE: Slate and Atkin 1977, "CHESS 4.5".

use super::report::{Line, Report, Stats};
use super::{Job, Observer, Score, StopReason, Stopped, Value, Wanted};
use crate::game::Game;

/// No search goes deeper.
pub(super) const MAX_DEPTH: u32 = 250;
/// With one legal move and nothing but time to spend, this depth gives an idea of the score.
const ONLY_MOVE_DEPTH: u32 = 4;

/// A root move with what an iteration found out about it.
#[derive(Clone, Debug)]
pub(super) struct RootMove<M> {
    /// The principal variation, the root move first.
    pub(super) line: Vec<M>,
    pub(super) score: Score,
    /// Nothing but finished games stands behind the score.
    pub(super) resolved: bool,
    /// The score is the value, not just an upper bound.
    pub(super) rated: bool,
    /// The value in each world, where the score is their mean and no more than an estimate.
    pub(super) worlds: Vec<f64>,
}

impl<M: Copy> RootMove<M> {
    pub(super) fn unknown(mv: M) -> Self {
        Self {
            line: vec![mv],
            score: Score::MIN,
            resolved: false,
            rated: false,
            worlds: Vec::new(),
        }
    }

    pub(super) fn mv(&self) -> M {
        self.line[0]
    }

    /// Whether a greater depth cannot change what is known of it, value or upper bound.
    fn is_final(&self, depth: u32) -> bool {
        self.resolved || (self.score.is_proved() && self.score.plies() <= depth)
    }

    /// Whether it is known to lose.
    pub(super) fn is_lost(&self) -> bool {
        self.score.is_proved() && self.score < Score::DRAW && self.score != Score::MIN
    }

    /// Whether it wins, and no other move can turn out to win sooner.
    fn is_won(&self, depth: u32) -> bool {
        self.rated && self.score.is_win() && self.is_final(depth)
    }
}

/// The outcome of deepening, best move first.
#[derive(Clone)]
pub(super) struct Deepened<M> {
    pub(super) moves: Vec<RootMove<M>>,
    pub(super) depth: u32,
    pub(super) stopped: StopReason,
}

/// The root moves to search, the most promising first.
pub(super) struct Roots<M> {
    pub(super) moves: Vec<RootMove<M>>,
    /// Whether none that was left out can be better.
    pub(super) complete: bool,
}

impl<M: Copy> Roots<M> {
    /// These and no others.
    pub(super) fn all(moves: impl IntoIterator<Item = M>) -> Self {
        Self { moves: moves.into_iter().map(RootMove::unknown).collect(), complete: true }
    }
}

/// The greatest depth that a job allows.
pub(super) fn last_depth<G: Game>(job: &Job<'_, G>) -> u32 {
    job.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH)
}

/// Runs `iterate` at these growing depths. It searches the root moves in the order in which it finds them
/// and writes their scores; when it is stopped midway, those it did not reach are not `rated`. It returns
/// the figures of the search so far.
pub(super) fn deepen<G: Game>(
    job: &Job<'_, G>,
    roots: Roots<G::Move>,
    depths: impl Iterator<Item = u32>,
    mut iterate: impl FnMut(u32, &mut [RootMove<G::Move>]) -> Result<Stats, Stopped>,
) -> Deepened<G::Move> {
    let only_time = job.limits.depth.is_none() && job.limits.nodes.is_none();
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
                // The old best move was searched first: whatever beat it since is better. But ratings
                // must compare like with like, so several values count only when all are complete.
                let useful = trial.iter().any(|root| root.rated);
                if useful && (job.wanted == Wanted::One || found.depth == 0) {
                    found.take_over(trial, depth);
                }
                found.stopped = reason;
                return found;
            }
        };
        found.moves = trial;
        found.depth = depth;
        if let Some(observer) = job.observer {
            found.tell(complete, stats, observer, G::PAYOFFS);
        }
        let wanted = job.wanted.of(job.moves.len());
        if found.moves.iter().all(|root| root.is_final(depth))
            || found.moves.iter().take(wanted).all(|root| root.is_won(depth))
        {
            found.stopped = StopReason::Solved;
            return found;
        }
        if only_time && job.moves.len() == 1 && depth >= ONLY_MOVE_DEPTH {
            found.stopped = StopReason::OnlyMove;
            return found;
        }
    }
    found
}

/// Best first; equal ones keep their order. Rather a move that was not reached than one that is known to
/// lose.
pub(super) fn rank<M: Copy>(moves: &mut [RootMove<M>]) {
    moves.sort_by_key(|root| (root.is_lost(), !root.rated, -root.score));
}

impl<M: Copy> Deepened<M> {
    /// Takes over what an iteration of this depth found out that was stopped midway.
    fn take_over(&mut self, trial: Vec<RootMove<M>>, depth: u32) {
        self.moves = trial;
        let open = self.moves[1..].iter().any(|root| !root.is_final(depth));
        let best = &mut self.moves[0];
        // A move not reached may be better than what is known of the best one.
        best.resolved &= !open || best.is_won(depth);
    }

    /// Takes back what is known for certain of moves that neither win nor lose: one that was left out
    /// may be better.
    pub(super) fn doubt(&mut self) {
        let unproved = self.moves.iter_mut().filter(|root| !root.score.is_proved());
        unproved.for_each(|root| root.resolved = false);
    }

    /// Tells what is known now. Where all of some moves lose, that is nothing yet.
    fn tell(&self, complete: bool, stats: Stats, observer: &Observer<'_, M>, payoffs: bool) {
        if !complete && self.moves.iter().all(RootMove::is_lost) {
            return;
        }
        let mut known = Self { stopped: StopReason::Running, ..self.clone() };
        if !complete {
            known.doubt();
        }
        observer(&known.report(stats, payoffs));
    }

    /// The report; `payoffs` says whether the game ends in amounts.
    pub(super) fn report(self, stats: Stats, payoffs: bool) -> Report<M> {
        let best = self.moves.first().map(|root| (root.rated, root.score));
        let tie = |root: &&RootMove<M>| Some((root.rated, root.score)) == best;
        let best_ties = self.moves.iter().take_while(tie).count();
        let lines = self.moves.into_iter().map(|root| Line {
            value: match root.worlds.as_slice() {
                _ if root.score == Score::MIN => Value::Unknown,
                // An upper bound of 0 is no draw.
                [] => Value::from_score(root.score, root.resolved && root.rated, payoffs),
                worlds => Value::of_worlds(worlds),
            },
            exact: root.rated
                && root.worlds.is_empty()
                && (root.resolved || root.score.is_proved()),
            rated: root.rated,
            moves: root.line,
            worlds: root.worlds,
        });
        let stats = Stats { depth: self.depth, ..stats };
        Report { lines: lines.collect(), best_ties, stats, stopped: self.stopped }
    }
}
