//! Full-width node: same value as minimax at the same depth, except for sampled chance and what forward pruning
//! leaves out in `mc_alphabeta`, and what ProbCut does in `probcut`.

use std::ops::Range;

use super::engine::{Node, NodeSearch, Query, Searcher};
use super::forward_pruning::{ForwardPruning, PruningState, PruningVariants};
use super::mc::ChanceSampling;
use super::options::{Ordering, Pruning};
use super::probcut::ProbCutPairs;
use super::tt;
use crate::game::{Evaluator, Game, Lookahead, Side};
use crate::search::memory::{Bound, TableEntry};
use crate::search::order::{self, MoveOrder, NO_MOVE};
use crate::search::rollout_minimax::PlayoutLeaf;
use crate::search::trace::TraceEvent;
use crate::search::{Score, Stopped, Window};

/// Table salt of nodes without independent moves: any odd number without pattern.
const SKIPPED: u64 = 0x9E37_79B9_7F4A_7C15;

/// Learned move order and state of forward pruning.
pub(super) struct FullWidth<G: Game> {
    order: MoveOrder<G::Move>,
    pub(super) pruning: PruningState<G::Move>,
    /// Sampling of chance events; `None`: exact expectation.
    pub(super) sampling: Option<ChanceSampling<G>>,
    /// Evaluation of leaves by playouts; `None`: static evaluation.
    playouts: Option<PlayoutLeaf<G::Move>>,
    /// Pairs of depths of ProbCut; none: no ProbCut.
    pub(super) probcut: ProbCutPairs,
}

impl<G: Game> FullWidth<G> {
    /// Nodes with the value of minimax.
    pub(super) fn exact() -> Self {
        let (none, variants) = (ForwardPruning::all(false), PruningVariants::default());
        Self::new(PruningState::new(none, variants, None, 0), None)
    }

    /// Nodes with the value of minimax over leaves evaluated by playouts.
    pub(super) fn with_playouts(playouts: PlayoutLeaf<G::Move>) -> Self {
        Self { playouts: Some(playouts), ..Self::exact() }
    }

    /// Nodes that are cut where a shallower search is sure enough.
    pub(super) fn with_probcut(probcut: ProbCutPairs) -> Self {
        Self { probcut, ..Self::exact() }
    }

    pub(super) fn new(pruning: PruningState<G::Move>, sampling: Option<ChanceSampling<G>>) -> Self {
        let probcut = ProbCutPairs::default();
        Self { order: MoveOrder::new(), pruning, sampling, playouts: None, probcut }
    }
}

/// A searcher with full-width nodes.
pub(super) type FullWidthSearcher<'a, G, E> = Searcher<'a, G, E, FullWidth<G>>;

/// Properties of a node during the move loop.
#[derive(Clone, Copy)]
struct KnownNode {
    /// Table key.
    key: Option<u64>,
    /// True if the move list is complete.
    complete: bool,
    /// True if sleeping moves were removed.
    passed_over: bool,
}

impl<G: Game, E: Evaluator<G>> NodeSearch<G, E> for FullWidth<G> {
    fn enter(searcher: &mut FullWidthSearcher<'_, G, E>, _: &G, _: Side) {
        searcher.nodes.pruning.clear();
        if let Some(sampling) = &mut searcher.nodes.sampling {
            sampling.clear();
        }
    }

    fn bounds(&self, evaluator: &E) -> (i32, i32) {
        if self.playouts.is_some() {
            let bound = PlayoutLeaf::bound::<G, E>(evaluator);
            (bound, bound)
        } else {
            (evaluator.bound(), evaluator.reach())
        }
    }

    #[inline]
    fn note(searcher: &mut FullWidthSearcher<'_, G, E>, _: &G, _: G::Move, after: &G, _: u32) {
        searcher.tables.prefetch(after.hash());
    }

    fn is_selective(&self) -> bool {
        !self.probcut.is_empty()
    }

    #[inline]
    fn pruning(&mut self) -> &mut PruningState<G::Move> {
        &mut self.pruning
    }

    #[inline]
    fn chance(
        searcher: &mut FullWidthSearcher<'_, G, E>,
        pos: &G,
        event: G::Chance,
        query: Query,
    ) -> Result<Score, Stopped> {
        if searcher.nodes.sampling.is_some() {
            searcher.mean_of_chance(pos, event, query)
        } else {
            searcher.expected(pos, event, query)
        }
    }

    #[inline]
    fn merge_outcomes(searcher: &mut FullWidthSearcher<'_, G, E>, pos: &G, start: usize) {
        if let Some(sampling) = &searcher.nodes.sampling {
            sampling.merge_outcomes(&searcher.evaluator, pos, &mut searcher.outcomes, start);
        }
    }

    #[inline]
    fn best(
        searcher: &mut FullWidthSearcher<'_, G, E>,
        pos: &G,
        node: Node,
    ) -> Result<Score, Stopped> {
        searcher.best(pos, node)
    }
}

impl<G: Game, E: Evaluator<G>> FullWidthSearcher<'_, G, E> {
    fn best(&mut self, pos: &G, node: Node) -> Result<Score, Stopped> {
        if node.depth == 0 {
            self.horizons += 1;
            self.trace.note(TraceEvent::Evaluated);
            let value = self.evaluate_leaf(pos, node.mover);
            if self.nodes.playouts.is_some() {
                // A leaf may have used the time up: its value is not that of all its playouts.
                self.clock.time_left()?;
            }
            return Ok(Score::heuristic(value));
        }
        if let Some(score) = self.solved_payoff(pos, node) {
            self.trace.note(TraceEvent::Lookahead);
            return Ok(score);
        }
        let node = Node { depth: self.razored(pos, node), ..node };
        let uses_table = node.depth >= self.table_from() && !self.is_judged(node.ply);
        let key = uses_table.then(|| pos.hash() ^ self.salt(node));
        let known = key.and_then(|key| self.tables.probe(key, node.depth, node.ply));
        if let Some(entry) = &known
            && let Some(score) = self.tables.decides(entry, node.depth, node.ply, node.window)
        {
            self.hit();
            self.horizons += u64::from(!entry.resolved);
            return Ok(score);
        }
        if let Some(score) = self.handicap_cutoff(pos, node)? {
            self.horizons += 1;
            self.cutoffs += 1;
            self.trace.cut(TraceEvent::SelfLoss);
            return Ok(score);
        }
        if let Some(score) = self.foretold(pos, node, known, key)? {
            return Ok(score);
        }
        self.with_moves(pos, node, known, key)
    }

    /// Value by static lookahead, or by the moves.
    fn with_moves(
        &mut self,
        pos: &G,
        node: Node,
        known: Option<TableEntry>,
        key: Option<u64>,
    ) -> Result<Score, Stopped> {
        let start = self.moves.len();
        self.trace.note(TraceEvent::Lookahead);
        let score = match self.lookahead(pos, node) {
            Lookahead::Win(plies) => Score::win(node.ply + plies),
            Lookahead::Loss(plies) => Score::loss(node.ply + plies),
            Lookahead::Open { complete, win_from, loss_from } => {
                match self.mate_distance_bound(node, win_from, loss_from) {
                    Some(score) => score,
                    None if self.moves.len() == start => {
                        Score::of(pos.stuck(node.mover), node.mover, node.ply)
                    }
                    None => {
                        self.trace.undecided();
                        let complete = !self.remove_dominated(pos, node, start) && complete;
                        let complete = !self.remove_independent(pos, node, start) && complete;
                        let passed_over = self.remove_sleeping(node, start);
                        let remembered = known.map_or(NO_MOVE, |entry| entry.best);
                        self.rank(pos, node, start, remembered);
                        let known = KnownNode { key, complete, passed_over };
                        self.best_of(pos, node, start, known)?
                    }
                }
            }
        };
        self.moves.truncate(start);
        self.keys.truncate(start);
        Ok(score)
    }

    #[inline]
    fn evaluate_leaf(&mut self, pos: &G, mover: Side) -> i32 {
        match &mut self.nodes.playouts {
            None => self.evaluator.evaluate(pos, mover),
            Some(playouts) => playouts.value(&self.evaluator, pos, mover),
        }
    }

    /// Least depth at which the tables are used. Leaves with playouts cost more than any look-up.
    #[inline]
    fn table_from(&self) -> u32 {
        if self.nodes.playouts.is_some() { 1 } else { E::TUNING.table_from }
    }

    /// Distinguishes table entries of one position whose values depend on the samples still to come or on what
    /// is left out.
    #[inline]
    fn salt(&self, node: Node) -> u64 {
        let line = self.nodes.sampling.as_ref().map_or(0, ChanceSampling::salt);
        line ^ if self.nodes.pruning.skips_independent(node) { SKIPPED } else { 0 }
    }

    /// Payoff known to the evaluator, exact within the node's window.
    #[inline]
    fn solved_payoff(&self, pos: &G, node: Node) -> Option<Score> {
        if !G::PAYOFFS || self.options.pruning != Pruning::Both {
            return None;
        }
        let Window { alpha, beta } = node.window;
        let payoff =
            self.evaluator.solve_payoff(pos, node.mover, node.depth, alpha.raw(), beta.raw());
        payoff.map(Score::heuristic)
    }

    /// Appends the sort keys of `moves[start..]`.
    #[inline]
    fn rank(&mut self, pos: &G, node: Node, start: usize, remembered: u16) {
        let Self { moves, keys, nodes, evaluator, options, job, .. } = self;
        let FullWidth { order, pruning, .. } = nodes;
        evaluator.prepare_order(pos, node.mover, node.depth);
        keys.extend(moves[start..].iter().map(|&mv| match options.ordering {
            Ordering::None => 0,
            Ordering::Full => {
                let code = G::move_code(mv);
                let learned = order.learned(node.played(mv, code), options);
                let prior =
                    if options.static_order { pruning.prior(evaluator, pos, node, mv) } else { 0 };
                order::key(prior, learned, code == remembered && options.table_move)
            }
            ordering => {
                let prior = pruning.prior(evaluator, pos, node, mv);
                order::static_key(ordering, prior, pos.hash(), G::move_code(mv), job.seed)
            }
        }));
    }

    /// Searches `moves[start..]`, stores the result under the key if there is one, and returns the best
    /// score.
    fn best_of(
        &mut self,
        pos: &G,
        node: Node,
        start: usize,
        known: KnownNode,
    ) -> Result<Score, Stopped> {
        let KnownNode { key, complete, passed_over } = known;
        let horizons = self.horizons;
        let Window { mut alpha, beta } = node.window;
        let narrows = self.options.pruning.narrows(node.mover == self.job.mover);
        // An unlisted move may be better than a listed move that loses.
        let mut best = if passed_over {
            // Sleeping moves are not better than alpha.
            alpha
        } else if complete {
            Score::MIN
        } else {
            Score::likely_loss(node.ply)
        };
        // Nor do the results for sleeping moves hold at greater depths.
        self.horizons += u64::from(!complete) + u64::from(passed_over);
        let mut best_code = NO_MOVE;
        let end = self.moves.len();
        for n in start..end {
            let mv = self.next_move(key, node, start..end, n);
            self.put_to_sleep(pos, node, start, n);
            let scout = self.options.pvs && narrows && n > start && alpha > Score::MIN;
            let score = self.scouted(pos, mv, node, Window::new(alpha, beta), scout)?;
            self.releases(key, node, mv);
            if score <= best {
                continue;
            }
            best = score;
            if score > node.window.alpha {
                best_code = G::move_code(mv);
                self.pv.set(node.ply, mv);
            }
            if score >= beta {
                self.learn(node, start, n);
                break;
            }
            if narrows {
                alpha = alpha.max(score);
            }
        }
        let bound = if best <= node.window.alpha {
            Bound::Upper
        } else if best >= beta || passed_over {
            Bound::Lower
        } else {
            Bound::Exact
        };
        let resolved = self.horizons == horizons;
        if let Some(key) = key {
            let entry = tt::entry(best, bound, best_code, node.depth, node.ply, resolved);
            self.tables.store(key, node.depth, node.ply, entry);
        }
        Ok(best)
    }

    /// Moves the best of the moves from `n` on that no other thread searches to `n`.
    #[inline]
    fn next_move(
        &mut self,
        key: Option<u64>,
        node: Node,
        Range { start, end }: Range<usize>,
        n: usize,
    ) -> G::Move {
        loop {
            order::pick(&mut self.moves[start..end], &mut self.keys[start..end], n - start);
            if self.claims(key, node, n, n == start) {
                return self.moves[n];
            }
        }
    }

    /// Value of a move for the node's mover. With `scout`, a null window search tests first if it is above
    /// `alpha`.
    #[inline]
    fn scouted(
        &mut self,
        pos: &G,
        mv: G::Move,
        node: Node,
        window: Window,
        scout: bool,
    ) -> Result<Score, Stopped> {
        let query = node.ask(node.depth - 1, window);
        if scout && !window.is_null() {
            let guess =
                self.after(pos, mv, Query { window: Window::above(window.alpha), ..query })?;
            if !window.holds(guess) {
                return Ok(guess);
            }
        }
        self.after(pos, mv, query)
    }

    /// Rewards `moves[n]`, which caused a cutoff, and punishes `moves[start..n]`, which did not.
    fn learn(&mut self, node: Node, start: usize, n: usize) {
        self.cut();
        if self.options.ordering != Ordering::Full {
            return;
        }
        let Self { moves, nodes, .. } = self;
        let order = &mut nodes.order;
        let mv = moves[n];
        order.reward(node.played(mv, G::move_code(mv)), node.depth);
        for &tried in &moves[start..n] {
            order.punish(node.played(tried, G::move_code(tried)), node.depth);
        }
    }
}
