//! Minimax as textbooks write it: recursion over positions, no table, nothing learned. Two functions in
//! `minimax`, one in `negamax`; both with or without the cutoffs of alpha-beta. The oracle of every test.
//!
//! A search with a depth searches that depth once, so that its counts are those of the tree: positions
//! reached by a move, the root not among them.

pub mod minimax;
pub mod negamax;

use super::alphabeta::{Ordering, Pruning};
use super::deepen::{Deepening, RootMove, deepen, last_depth};
use super::pv::PvTable;
use super::root_moves::listed_moves;
use super::score::ScoreScale;
use super::trace::{TraceEvent, Tracing, Visit};
use super::{Clock, Job, Report, Score, Stats, Stopped, Wanted, Window, order};
use crate::game::{Evaluator, Game, MoveList, Side};
use crate::options::options;

options! {
    /// Options of the textbook searches.
    #[derive(Eq)]
    pub struct TextbookOptions {
        /// Bounds that cut: none, the root side's, its opponent's, both. Both is alpha-beta.
        pruning: Pruning = Pruning::None;
        /// Moves tried first: as listed, by the evaluator, by the evaluator with the worst first, shuffled by
        /// seed. Nothing is learned, so that `full` is `static`.
        ordering: Ordering = Ordering::None;
        /// Moves looked at in every position: all legal ones, or those that the game lists. The default is the
        /// game's.
        moves: MoveList = MoveList::All;
    }
}

/// State of a textbook search.
struct Textbook<'a, G: Game, E> {
    evaluator: E,
    job: &'a Job<'a, G>,
    options: TextbookOptions,
    list: MoveList,
    clock: Clock,
    pv: PvTable<G::Move>,
    /// Count of lines cut by the depth limit.
    horizons: u64,
    cutoffs: u64,
    trace: Tracing<G::Move>,
}

/// A position to value: plies left, plies from the root, bounds.
#[derive(Clone, Copy)]
struct TextbookQuery {
    depth: u32,
    ply: u32,
    window: Window,
}

/// Value for the root's mover of the position after a root move.
type Recursion<'a, G, E> = fn(&mut Textbook<'a, G, E>, &G, TextbookQuery) -> Result<Score, Stopped>;

/// Moves of a position in the order of the search.
struct TextbookMoves<M> {
    moves: Vec<M>,
    /// Lower bound by the moves not listed.
    unlisted: Score,
}

fn run<'a, G: Game, E: Evaluator<G>>(
    job: &'a Job<'a, G>,
    evaluator: &E,
    options: TextbookOptions,
    recursion: Recursion<'a, G, E>,
) -> Report<G::Move> {
    let list = options.moves.of::<G, E>();
    let scale =
        ScoreScale { distances: list == MoveList::All, ..ScoreScale::of::<G, E>(evaluator) };
    let mut search = Textbook {
        evaluator: evaluator.clone(),
        job,
        options,
        list,
        clock: Clock::start(&job.budget, &job.cancel, 1),
        pv: PvTable::new(),
        horizons: 0,
        cutoffs: 0,
        trace: Tracing::of(job),
    };
    search.evaluator.enter(job.root);
    let by_order = |mv| search.key(job.root, job.mover, mv);
    let roots = listed_moves(job, &search.evaluator, list, by_order);
    let complete = roots.complete;
    let last = last_depth(job);
    let mut depths = if job.budget.depth.is_some() { last..=last } else { 1..=last };
    let deepening = Deepening::of(job, scale);
    let mut found = deepen(&deepening, roots, &mut depths, &mut |depth, roots| {
        search.iterate(depth, roots, recursion)?;
        Ok(search.stats())
    });
    found.doubt_unless(complete);
    search.trace.hand_over(job);
    found.report(search.stats(), scale)
}

impl<G: Game, E: Evaluator<G>> Textbook<'_, G, E> {
    fn stats(&self) -> Stats {
        Stats { cutoffs: self.cutoffs, ..self.clock.stats() }
    }

    /// True if a node of this side narrows the window of its children.
    fn narrows(&self, mover: Side) -> bool {
        self.options.pruning.narrows(mover == self.job.mover)
    }
}

impl<'a, G: Game, E: Evaluator<G>> Textbook<'a, G, E> {
    fn iterate(
        &mut self,
        depth: u32,
        roots: &mut [RootMove<G::Move>],
        recursion: Recursion<'a, G, E>,
    ) -> Result<(), Stopped> {
        self.evaluator.enter(self.job.root);
        self.trace.iteration(depth);
        // Bounds would leave other moves without a value of their own.
        let narrows = self.job.wanted == Wanted::One && self.narrows(self.job.mover);
        let mut window = Window::FULL;
        for root in roots {
            let before = self.horizons;
            let query = TextbookQuery { depth: depth - 1, ply: 1, window };
            root.score = self.after(self.job.root, root.mv(), query, recursion)?;
            root.rated = root.score > window.alpha;
            root.resolved = self.horizons == before;
            if root.rated {
                root.line.truncate(1);
                root.line.extend_from_slice(self.pv.get(1));
                window.alpha = if narrows { root.score } else { window.alpha };
            }
        }
        Ok(())
    }

    /// Value of the position after a move.
    fn after(
        &mut self,
        pos: &G,
        mv: G::Move,
        query: TextbookQuery,
        recursion: Recursion<'a, G, E>,
    ) -> Result<Score, Stopped> {
        let TextbookQuery { depth, ply, window } = query;
        let next = pos.after(mv);
        self.clock.tick()?;
        self.pv.clear(ply);
        self.trace.enter(Visit { mv: Some(mv), ply, depth, window });
        let score = match self.job.judged(pos, &next, ply) {
            Some(outcome) => {
                self.trace.note(TraceEvent::History);
                self.horizons += u64::from(self.evaluator.contempt() > 0);
                self.job.ended(outcome, &self.evaluator, self.job.mover, ply)
            }
            None => {
                self.evaluator.push(pos, mv, &next);
                let score = recursion(self, &next, query)?;
                self.evaluator.pop();
                score
            }
        };
        self.trace.leave(score);
        Ok(score)
    }

    /// Static evaluation of a leaf for its mover.
    fn leaf(&mut self, pos: &G, mover: Side) -> Score {
        self.horizons += 1;
        self.trace.note(TraceEvent::Evaluated);
        Score::heuristic(self.evaluator.evaluate(pos, mover))
    }

    /// Counts a cutoff.
    fn cut(&mut self) {
        self.cutoffs += 1;
        self.trace.cut(TraceEvent::Cutoff);
    }

    /// The moves of a position; empty where the mover is stuck.
    fn moves(&mut self, pos: &G, mover: Side, ply: u32) -> TextbookMoves<G::Move> {
        let mut moves = Vec::new();
        let complete = self.evaluator.listed(pos, mover, self.list, &mut moves);
        if self.options.ordering != Ordering::None {
            moves.sort_by_cached_key(|&mv| -self.key(pos, mover, mv));
        }
        // An unlisted move may be better than a listed move that loses.
        let unlisted = if complete { Score::MIN } else { Score::likely_loss(ply) };
        self.horizons += u64::from(!complete);
        TextbookMoves { moves, unlisted }
    }

    /// Sort key of a move, larger first.
    fn key(&self, pos: &G, mover: Side, mv: G::Move) -> i64 {
        let prior = self.evaluator.order(pos, mover, mv);
        order::static_key(self.options.ordering, prior, pos.hash(), G::move_code(mv), self.job.seed)
    }
}
