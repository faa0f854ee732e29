//! Root search: all root moves, or the best few, get an exact value at the same depth.

use std::time::Duration;

use super::busy::BusyMoves;
use super::engine::{FoundWin, NodeSearch, Query, Searcher};
use super::options::Pruning;
use super::tt;
use crate::game::{Evaluator, Game, Turn, zobrist};
use crate::search::deepen::{Deepened, RootMove, last_depth};
use crate::search::memory::Bound;
use crate::search::trace::{Tracing, Visit};
use crate::search::{Budget, Clock, Job, Score, Stopped, Window};

// The aspiration constants are measured only as a whole: `benches/ablation.py aspiration`, docs/selective.md.

/// Half-width of the first aspiration window: the reach of the evaluation divided by this.
const ASPIRATION_PARTS: i32 = 200;
/// Failures on one side before that side of the window is opened.
const ASPIRATION_TRIES: u32 = 3;
/// Limits for completing principal variations with a known end, beyond the budget of the search. The time
/// limit applies only where answers may depend on time (shared table). Not tuned.
const FINISH_NODES: u64 = 4_000;
const FINISH_TIME: Duration = Duration::from_millis(3);

/// Key salt for the entry of a root: it may search other moves than an inner node, all legal ones or those that the
/// request allows. A search for the best move alone has not reached a depth for those that want several values.
const fn as_root(values: usize) -> u64 {
    zobrist::mix(0x524f_4f54 + values as u64)
}

impl<G: Game, E: Evaluator<G>, N: NodeSearch<G, E>> Searcher<'_, G, E, N> {
    /// One iteration over the root moves.
    pub(super) fn iterate(
        &mut self,
        job: &Job<'_, G>,
        depth: u32,
        roots: &mut [RootMove<G::Move>],
    ) -> Result<(), Stopped> {
        self.reset(job.root);
        self.trace.iteration(depth);
        self.tables.catch_up(depth < self.reached.min(last_depth(job)));
        let wanted = job.wanted.of(roots.len());
        let narrows = self.options.pruning.narrows(true);
        // Exact values found so far, best first: a further move matters only if it beats the last of the
        // wanted ones.
        let mut found: Vec<Score> = Vec::new();
        let before = self.horizons;
        let (mut number, mut seen) = (0, false);
        // Moves from here on were deferred: another thread searches them.
        let mut fresh = roots.len();
        while number < roots.len() {
            if !seen && self.win_at_once(job, roots)? {
                // Bounds relative to other moves are searched again.
                found.clear();
                found.push(roots[0].score);
                (number, seen) = (1, true);
                continue;
            }
            let key = BusyMoves::key(job.root.hash(), G::move_code(roots[number].mv()), depth);
            if (1..fresh).contains(&number) && self.busy.is_some_and(|busy| busy.has(key)) {
                roots[number..].rotate_left(1);
                fresh -= 1;
                continue;
            }
            let to_beat = found.get(wanted - 1).copied().filter(|_| narrows);
            // A move equal to the last of several wanted ones shares its rank: it needs its value too.
            let to_beat = to_beat.map(|last| if wanted > 1 { last.just_below() } else { last });
            self.busy.inspect(|busy| busy.begin(key));
            let root = &mut roots[number];
            self.search_root(job, root, number, depth, to_beat)?;
            self.busy.inspect(|busy| busy.end(key));
            if root.rated {
                let place = found.partition_point(|&other| other >= root.score);
                found.insert(place, root.score);
            }
            number += 1;
        }
        if !seen && roots.iter().any(|root| root.score.is_win()) {
            // Looks for a shorter win; a time-out does not affect the win already found.
            let _ = self.win_at_once(job, roots);
        }
        let rated = roots.iter().filter(|root| root.rated);
        if let Some(best) = rated.max_by_key(|root| root.score) {
            let resolved = self.horizons == before;
            self.remember(job, depth, wanted, &RootMove { resolved, ..best.clone() });
        }
        Ok(())
    }

    /// Searches a root move: its value, or an upper bound if that is not above `to_beat`.
    fn search_root(
        &mut self,
        job: &Job<'_, G>,
        root: &mut RootMove<G::Move>,
        number: usize,
        depth: u32,
        to_beat: Option<Score>,
    ) -> Result<(), Stopped> {
        let horizons = self.horizons;
        let score = match to_beat {
            None => self.near(job, root.mv(), root.score, depth)?,
            Some(alpha) => self.beats(job, root.mv(), number, depth, alpha)?,
        };
        root.rated = to_beat.is_none_or(|alpha| score > alpha);
        root.score = score;
        root.resolved = self.horizons == horizons;
        if root.rated {
            root.line.truncate(1);
            root.line.extend_from_slice(self.pv.get(1));
        }
        Ok(())
    }

    /// Moves a root move with a detected win to the front, with its line.
    fn win_at_once(
        &mut self,
        job: &Job<'_, G>,
        roots: &mut [RootMove<G::Move>],
    ) -> Result<bool, Stopped> {
        let so_far = roots.iter().map(|root| root.score).max().unwrap_or(Score::MIN);
        let before = self.clock.nodes();
        let seen = N::seen_at_once(self, job.root, job.mover, so_far);
        let visit = Visit { mv: None, ply: 0, depth: 0, window: Window::FULL };
        self.trace.threats(visit, so_far, self.clock.nodes() - before);
        let seen = seen?;
        let Some(FoundWin { plies, line }) = seen else { return Ok(false) };
        let place = roots.iter().position(|root| line.first() == Some(&root.mv()));
        let Some(place) = place else { return Ok(false) };
        roots[..=place].rotate_right(1);
        let score = Score::win(plies);
        let mv = roots[0].mv();
        roots[0] = RootMove { line, score, rated: true, ..RootMove::unknown(mv) };
        Ok(true)
    }

    pub(super) fn root_value(
        &mut self,
        job: &Job<'_, G>,
        mv: G::Move,
        depth: u32,
        window: Window,
    ) -> Result<Score, Stopped> {
        self.after(job.root, mv, Query { viewer: job.mover, depth: depth - 1, ply: 1, window })
    }

    /// Exact value of a root move, with an aspiration window around its last value.
    // CITE: aspiration windows, Gillogly 1978.
    pub(super) fn near(
        &mut self,
        job: &Job<'_, G>,
        mv: G::Move,
        last: Score,
        depth: u32,
    ) -> Result<Score, Stopped> {
        let aspires = self.options.aspiration && self.options.pruning == Pruning::Both;
        if !aspires || last == Score::MIN || last.is_decided() {
            return self.root_value(job, mv, depth, Window::FULL);
        }
        let mut width = (self.reach / ASPIRATION_PARTS).max(1);
        let centre = last.raw();
        let mut window = Window::new(
            Score::heuristic(centre.saturating_sub(width)),
            Score::heuristic(centre.saturating_add(width)),
        );
        for tries in 1.. {
            let score = self.root_value(job, mv, depth, window)?;
            if window.holds(score) {
                return Ok(score);
            }
            if score.is_win() {
                return self.at_least(job, mv, depth, score);
            }
            width = width.saturating_mul(4);
            let give_up = tries >= ASPIRATION_TRIES || score.is_decided();
            if score <= window.alpha {
                let lower = Score::heuristic(score.raw().saturating_sub(width));
                window.alpha = if give_up { Score::MIN } else { lower };
            } else {
                let upper = Score::heuristic(score.raw().saturating_add(width));
                window.beta = if give_up { Score::MAX } else { upper };
            }
        }
        unreachable!("an open window holds every score")
    }

    /// Value of a root move with a known win: only shorter wins are searched for.
    fn at_least(
        &mut self,
        job: &Job<'_, G>,
        mv: G::Move,
        depth: u32,
        win: Score,
    ) -> Result<Score, Stopped> {
        let score = self.root_value(job, mv, depth, Window::at_least(win))?;
        Ok(score.max(win))
    }

    /// Exact value of a root move if it is above `alpha`, otherwise an upper bound.
    fn beats(
        &mut self,
        job: &Job<'_, G>,
        mv: G::Move,
        number: usize,
        depth: u32,
        alpha: Score,
    ) -> Result<Score, Stopped> {
        let reduced_root_depth = N::reduced_root_depth(self, depth, number);
        if reduced_root_depth < depth {
            let guess = self.root_value(job, mv, reduced_root_depth, Window::above(alpha))?;
            if guess <= alpha {
                return Ok(guess);
            }
        }
        if self.options.pvs {
            let guess = self.root_value(job, mv, depth, Window::above(alpha))?;
            if guess <= alpha {
                return Ok(guess);
            }
            if guess.is_win() {
                return self.at_least(job, mv, depth, guess);
            }
        }
        self.root_value(job, mv, depth, Window::new(alpha, Score::MAX))
    }

    /// Resumes an earlier search from the shared table: depth reached, and best move first.
    pub(super) fn resume(&mut self, job: &Job<'_, G>, roots: &mut [RootMove<G::Move>]) {
        let key = job.root.hash();
        let values = job.wanted.of(roots.len());
        let entry = |key| self.tables.probe(key, u32::MAX, 0).filter(|_| self.tables.is_shared());
        let inner = entry(key);
        let one = entry(key ^ as_root(1)).or(inner);
        let same = if values == 1 { one } else { entry(key ^ as_root(values)) };
        let last = last_depth(job);
        self.reached = match (same, inner) {
            (Some(same), _) if values == 1 || u32::from(same.depth) == last => same.depth.into(),
            // The values are not those of this depth: the last iteration needs others before it.
            (Some(known), _) | (None, Some(known)) => u32::from(known.depth).min(last - 1),
            (None, None) => 0,
        };
        let Some(entry) = same.or(one) else { return };
        if let Some(n) = roots.iter().position(|root| G::move_code(root.mv()) == entry.best) {
            roots[..=n].rotate_right(1);
        }
    }

    /// Stores the result of an iteration for the root itself.
    fn remember(&mut self, job: &Job<'_, G>, depth: u32, values: usize, best: &RootMove<G::Move>) {
        let code = G::move_code(best.mv());
        let entry = tt::entry(best.score, Bound::Exact, code, depth, 0, best.resolved);
        self.tables.store(job.root.hash() ^ as_root(values), depth, 0, entry);
    }

    /// Extends the lines of the root moves, best first: neither a table cutoff nor a statically detected
    /// result has a line of its own.
    pub(super) fn complete(&mut self, job: &Job<'_, G>, found: &mut Deepened<G::Move>) {
        for root in &mut found.moves {
            self.continue_by_table(job, root, found.depth);
        }
        self.reset(job.root);
        let time = job.shared.map(|_| FINISH_TIME);
        let budget = Budget { nodes: Some(FINISH_NODES), time, ..Budget::default() };
        let clock = std::mem::replace(&mut self.clock, Clock::start(&budget, &job.cancel, 1));
        // Other roots are searched here: they have no history, and no place in the trace.
        let judged_plies = std::mem::take(&mut self.judged_plies);
        let mut trace = std::mem::replace(&mut self.trace, Tracing::off());
        let is_known = |root: &&mut RootMove<G::Move>| {
            root.rated && (root.score.is_proved() || G::PAYOFFS && root.resolved)
        };
        for root in found.moves.iter_mut().filter(is_known) {
            if self.finish(job, root, found.depth).is_err() {
                break;
            }
        }
        trace.hand_over(job);
        (self.clock, self.judged_plies) = (clock, judged_plies);
    }

    /// Extends a line by the exact table entries.
    fn continue_by_table(&self, job: &Job<'_, G>, root: &mut RootMove<G::Move>, depth: u32) {
        let mut pos = end_of_line(job.root, &root.line);
        let mut moves = Vec::new();
        while (root.line.len() as u32) < depth {
            let Turn::Of(_) = pos.turn() else { return };
            let left = depth - root.line.len() as u32;
            let ply = root.line.len() as u32;
            let Some(entry) = self.tables.probe(pos.hash(), left, ply) else { return };
            moves.clear();
            pos.moves(&mut moves);
            let best = moves.iter().find(|&&mv| G::move_code(mv) == entry.best);
            // A line to a known end goes on by moves that lead there, not by those of shallower iterations.
            let leads_there = entry.resolved || !root.resolved;
            let is_best = entry.bound == Bound::Exact && leads_there;
            let Some(&mv) = best.filter(|_| is_best) else { return };
            root.line.push(mv);
            pos.play(mv);
        }
    }

    /// Extends a line to its known end, by a search as deep as the one that found it.
    fn finish(
        &mut self,
        job: &Job<'_, G>,
        root: &mut RootMove<G::Move>,
        depth: u32,
    ) -> Result<(), Stopped> {
        let mut pos = end_of_line(job.root, &root.line);
        while let Turn::Of(mover) = pos.turn() {
            let score = if mover == job.mover { root.score } else { -root.score };
            let proved = score.is_proved();
            let last = if proved { score.plies() } else { depth };
            let left = last.saturating_sub(root.line.len() as u32);
            if left == 0 {
                break;
            }
            let wanted = if !proved {
                score
            } else if score > Score::DRAW {
                Score::win(left)
            } else {
                Score::loss(left)
            };
            self.evaluator.enter(&pos);
            if proved {
                let winner = if score.is_win() { mover } else { mover.other() };
                if let Some(line) = N::line_to_end(self, &pos, winner, left)? {
                    root.line.extend(line);
                    break;
                }
            }
            let mut moves = Vec::new();
            self.evaluator.listed(&pos, mover, self.list, &mut moves);
            let mut next = None;
            for mv in moves {
                let query = Query { viewer: mover, depth: left - 1, ply: 1, window: Window::FULL };
                if self.after(&pos, mv, query)? == wanted {
                    next = Some(mv);
                    break;
                }
            }
            let Some(mv) = next else { break };
            root.line.push(mv);
            pos.play(mv);
        }
        Ok(())
    }
}

fn end_of_line<G: Game>(root: &G, line: &[G::Move]) -> G {
    let mut pos = root.clone();
    for &mv in line {
        pos.play(mv);
    }
    pos
}
