//! The recursion of alpha-beta.

use super::busy::BusyMoves;
use super::forward_pruning::PruningState;
use super::options::{Options, Pruning};
use super::tt::Tables;
use crate::game::{Evaluator, Game, Lookahead, MoveList, Outcome, Side, Turn};
use crate::search::order::NodeMove;
use crate::search::pv::PvTable;
use crate::search::trace::{TraceEvent, Tracing, Visit};
use crate::search::{Clock, JUDGED_PLIES, Job, Score, SharedMemory, Stopped, Wanted, Window};

/// Search of a decision node, and what it learns. Everything around it is common to all searches: side to
/// move, chance, tables, root, threads.
pub(super) trait NodeSearch<G: Game, E: Evaluator<G>>: Sized {
    /// True if moves that the evaluator does not list are searched where all others lose.
    const TRIES_UNLISTED: bool = false;
    /// True if a thread defers the moves that another one searches (ABDADA).
    const DEFERS: bool = true;
    /// Plies between the iterations of a helper thread of a search to a given depth.
    const HELPER_STEP: u32 = 1;

    /// Moves of the root, where every other position has those of `list`.
    fn root_list(list: MoveList, _wanted: Wanted) -> MoveList {
        list
    }

    /// Sort key of a root move before the first iteration, larger first.
    fn root_key(evaluator: &E, job: &Job<'_, G>, mv: G::Move) -> i64 {
        evaluator.order(job.root, job.mover, mv).into()
    }

    /// Takes over the history tables of an earlier search, where there are any.
    fn recall(&mut self, _memory: &dyn SharedMemory) {}

    /// Leaves the history tables for a later search.
    fn leave(self, _memory: &dyn SharedMemory) {}

    /// Starts a search of `root`.
    fn enter(_searcher: &mut Searcher<'_, G, E, Self>, _root: &G, _mover: Side) {}

    /// Notes the move `mv` from `pos`, `ply` plies from the root, to `after`.
    #[inline]
    fn note(
        _searcher: &mut Searcher<'_, G, E, Self>,
        _pos: &G,
        _mv: G::Move,
        _after: &G,
        _ply: u32,
    ) {
    }

    /// Bound of all values and bound of evaluations alone; see [`Evaluator::bound`] and [`Evaluator::reach`].
    fn bounds(&self, evaluator: &E) -> (i32, i32) {
        (evaluator.bound(), evaluator.reach())
    }

    /// True if values are not those of minimax: table entries of greater depth decide a node, too, and iterations cost little.
    fn is_selective(&self) -> bool {
        false
    }

    /// State of forward pruning.
    fn pruning(&mut self) -> &mut PruningState<G::Move>;

    /// Value of the node for its mover.
    fn best(searcher: &mut Searcher<'_, G, E, Self>, pos: &G, node: Node)
    -> Result<Score, Stopped>;

    /// Value of a chance node for `viewer`; default: the exact expectation.
    #[inline]
    fn chance(
        searcher: &mut Searcher<'_, G, E, Self>,
        pos: &G,
        event: G::Chance,
        query: Query,
    ) -> Result<Score, Stopped> {
        searcher.expected(pos, event, query)
    }

    /// May merge equivalent outcomes of `outcomes[start..]`.
    #[inline]
    fn merge_outcomes(_searcher: &mut Searcher<'_, G, E, Self>, _pos: &G, _start: usize) {}

    /// A win of the mover found without full search. `so_far` is the current score of the root.
    fn seen_at_once(
        _searcher: &mut Searcher<'_, G, E, Self>,
        _root: &G,
        _mover: Side,
        _so_far: Score,
    ) -> Result<Option<FoundWin<G::Move>>, Stopped> {
        Ok(None)
    }

    /// A line from `pos` to the end in which `winner` wins within `plies`, if found without full search. The
    /// evaluator has entered `pos`.
    fn line_to_end(
        _searcher: &mut Searcher<'_, G, E, Self>,
        _pos: &G,
        _winner: Side,
        _plies: u32,
    ) -> Result<Option<Vec<G::Move>>, Stopped> {
        Ok(None)
    }

    /// Reduced depth of the first search of a root move; `_number` counts from 0.
    fn reduced_root_depth(_searcher: &Searcher<'_, G, E, Self>, depth: u32, _number: usize) -> u32 {
        depth
    }
}

/// Sort key of a move that another thread searches: after all others.
const DEFERRED: i64 = i64::MIN;

/// One search thread with all its state.
pub(super) struct Searcher<'a, G: Game, E, N> {
    pub(super) nodes: N,
    pub(super) options: &'a Options,
    pub(super) evaluator: E,
    pub(super) job: &'a Job<'a, G>,
    /// Moves to look at.
    pub(super) list: MoveList,
    /// Plies from the root at which the history of the game counts.
    pub(super) judged_plies: u32,
    pub(super) clock: Clock,
    pub(super) tables: Tables<'a>,
    /// Moves that other threads are looking at.
    pub(super) busy: Option<&'a BusyMoves>,
    pub(super) pv: PvTable<G::Move>,
    /// Stack of the moves of all nodes on the path, and their sort keys.
    pub(super) moves: Vec<G::Move>,
    pub(super) keys: Vec<i64>,
    /// Stack of the outcomes of all chance nodes on the path.
    pub(super) outcomes: Vec<(G::Move, f64)>,
    /// Count of values that depend on a depth limit or an incomplete move list.
    pub(super) horizons: u64,
    pub(super) cutoffs: u64,
    pub(super) table_hits: u64,
    /// Depth reached by earlier searches of the same root moves.
    pub(super) reached: u32,
    /// Bound of all values, and bound of static evaluations.
    pub(super) bound: i32,
    pub(super) reach: i32,
    pub(super) trace: Tracing<G::Move>,
    /// The move that leads to the next visit.
    pub(super) traced_move: Option<G::Move>,
}

/// A detected win: maximum plies and first moves.
#[derive(Clone, Debug)]
pub(super) struct FoundWin<M> {
    pub(super) plies: u32,
    /// May end before the end of the game.
    pub(super) line: Vec<M>,
}

/// A query for the value of a position.
#[derive(Clone, Copy)]
pub(super) struct Query {
    /// Side whose perspective the value has.
    pub(super) viewer: Side,
    /// Plies left to search.
    pub(super) depth: u32,
    /// Plies from the root.
    pub(super) ply: u32,
    /// Bounds in the viewer's perspective.
    pub(super) window: Window,
}

/// A decision node of `mover`.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) mover: Side,
    /// Plies left to search.
    pub(super) depth: u32,
    /// Plies from the root.
    pub(super) ply: u32,
    /// Bounds in the mover's perspective.
    pub(super) window: Window,
    /// Code of the move that led here.
    pub(super) previous: Option<u16>,
}

impl Node {
    /// Query for a position one ply below.
    #[inline]
    pub(super) fn ask(self, depth: u32, window: Window) -> Query {
        Query { viewer: self.mover, depth, ply: self.ply + 1, window }
    }

    /// A move of this node.
    #[inline]
    pub(super) fn played<M>(self, mv: M, code: u16) -> NodeMove<M> {
        let Self { mover, previous, ply, .. } = self;
        NodeMove { mv, code, mover, previous, ply }
    }
}

impl<'a, G: Game, E: Evaluator<G>, N: NodeSearch<G, E>> Searcher<'a, G, E, N> {
    pub(super) fn new(
        nodes: N,
        options: &'a Options,
        evaluator: E,
        job: &'a Job<'a, G>,
        list: MoveList,
        clock: Clock,
        tables: Tables<'a>,
    ) -> Self {
        let (bound, reach) = nodes.bounds(&evaluator);
        Self {
            nodes,
            options,
            evaluator,
            job,
            list,
            judged_plies: if job.judge.is_some() { JUDGED_PLIES } else { 0 },
            clock,
            tables,
            busy: None,
            pv: PvTable::new(),
            moves: Vec::new(),
            keys: Vec::new(),
            outcomes: Vec::new(),
            horizons: 0,
            cutoffs: 0,
            table_hits: 0,
            reached: 0,
            bound,
            reach,
            trace: Tracing::of(job),
            traced_move: None,
        }
    }

    /// True if values at this ply depend on the history of the game: no table has them.
    #[inline]
    pub(super) fn is_judged(&self, ply: u32) -> bool {
        ply < self.judged_plies
    }

    /// Value of the position after `mv`.
    #[inline]
    pub(super) fn after(&mut self, pos: &G, mv: G::Move, query: Query) -> Result<Score, Stopped> {
        let next = pos.after(mv);
        self.traced_move = Some(mv);
        if query.ply <= self.judged_plies
            && let Some(outcome) = self.job.judged(pos, &next, query.ply)
        {
            return self.ended_by_history(outcome, query);
        }
        N::note(self, pos, mv, &next, query.ply - 1);
        self.evaluator.push(pos, mv, &next);
        let score = self.value(&next, query, Some(G::move_code(mv)))?;
        self.evaluator.pop();
        Ok(score)
    }

    /// Value of a position at which the history of the game ends it.
    #[cold]
    fn ended_by_history(&mut self, outcome: Outcome, query: Query) -> Result<Score, Stopped> {
        self.visit(query)?;
        self.trace.note(TraceEvent::History);
        self.horizons += u64::from(self.evaluator.contempt() > 0);
        let Query { viewer, ply, .. } = query;
        let score = self.job.ended(outcome, &self.evaluator, viewer, ply);
        Ok(self.left(score, viewer))
    }

    /// Counts a node and begins its visit.
    #[inline]
    pub(super) fn visit(&mut self, query: Query) -> Result<(), Stopped> {
        let Query { viewer, depth, ply, window } = query;
        self.clock.tick()?;
        self.pv.clear(ply);
        let window = if viewer == self.job.mover { window } else { -window };
        self.trace.enter(Visit { mv: self.traced_move, ply, depth, window });
        Ok(())
    }

    /// Ends a visit.
    #[inline]
    pub(super) fn left(&mut self, score: Score, viewer: Side) -> Score {
        self.trace.leave(if viewer == self.job.mover { score } else { -score });
        score
    }

    /// Counts a cutoff.
    #[inline]
    pub(super) fn cut(&mut self) {
        self.cutoffs += 1;
        self.trace.cut(TraceEvent::Cutoff);
    }

    /// Counts a node decided by a table entry.
    #[inline]
    pub(super) fn hit(&mut self) {
        self.table_hits += 1;
        self.trace.hit();
    }

    /// Value for the viewer; `previous` is the code of the last move. Perspective flips here and nowhere
    /// else: a side may move twice in a row.
    #[inline]
    pub(super) fn value(
        &mut self,
        pos: &G,
        query: Query,
        previous: Option<u16>,
    ) -> Result<Score, Stopped> {
        let Query { viewer, depth, ply, window } = query;
        self.visit(query)?;
        let score = match pos.turn() {
            Turn::Over(outcome) => Score::of(outcome, viewer, ply),
            Turn::Chance(event) => N::chance(self, pos, event, query)?,
            Turn::Of(mover) if mover == viewer => {
                N::best(self, pos, Node { mover, depth, ply, window, previous })?
            }
            Turn::Of(mover) => {
                -N::best(self, pos, Node { mover, depth, ply, window: -window, previous })?
            }
        };
        Ok(self.left(score, viewer))
    }

    /// Claims a move of a node for this thread, unless another one searches it. A move is deferred once, the
    /// first of a node never; nodes without a `hash` are for every thread.
    #[inline]
    pub(super) fn claims(&mut self, hash: Option<u64>, node: Node, n: usize, first: bool) -> bool {
        let (Some(busy), Some(hash)) = (self.busy, hash) else { return true };
        if node.depth < E::TUNING.defer_from {
            return true;
        }
        let key = BusyMoves::key(hash, G::move_code(self.moves[n]), node.depth);
        if !first && self.keys[n] > DEFERRED && busy.has(key) {
            self.keys[n] = DEFERRED;
            return false;
        }
        busy.begin(key);
        true
    }

    /// Ends the search of a claimed move.
    #[inline]
    pub(super) fn releases(&self, hash: Option<u64>, node: Node, mv: G::Move) {
        if let (Some(busy), Some(hash)) = (self.busy, hash)
            && node.depth >= E::TUNING.defer_from
        {
            busy.end(BusyMoves::key(hash, G::move_code(mv), node.depth));
        }
    }

    /// Static lookahead of the evaluator; appends the moves to search.
    pub(super) fn lookahead(&mut self, pos: &G, node: Node) -> Lookahead {
        if self.options.pruning == Pruning::Both {
            self.evaluator.lookahead(pos, node.mover, node.depth, self.list, &mut self.moves)
        } else {
            let complete = self.evaluator.listed(pos, node.mover, self.list, &mut self.moves);
            Lookahead::Open { complete, win_from: 0, loss_from: 0 }
        }
    }

    /// Bound that decides the node by the earliest possible win or loss: beyond the horizon only evaluations
    /// are left, and these are bounded.
    // CITE: mate distance pruning.
    #[inline]
    pub(super) fn mate_distance_bound(
        &mut self,
        node: Node,
        win_from: u32,
        loss_from: u32,
    ) -> Option<Score> {
        if self.options.pruning != Pruning::Both {
            return None;
        }
        let (no_win, no_loss) = (node.depth < win_from, node.depth < loss_from);
        let reach = Score::heuristic(if G::PAYOFFS { self.bound } else { self.reach });
        let most = if no_win { reach } else { Score::win(node.ply + win_from) };
        let least = if no_loss { -reach } else { Score::loss(node.ply + loss_from) };
        if most <= node.window.alpha || most == least {
            self.horizons += u64::from(no_win);
            Some(most)
        } else if least >= node.window.beta {
            self.horizons += u64::from(no_loss);
            Some(least)
        } else {
            None
        }
    }

    /// Clears the state of an interrupted search.
    pub(super) fn reset(&mut self, root: &G) {
        self.moves.clear();
        self.keys.clear();
        self.outcomes.clear();
        self.evaluator.enter(root);
        let mover = self.job.mover;
        N::enter(self, root, mover);
    }
}
