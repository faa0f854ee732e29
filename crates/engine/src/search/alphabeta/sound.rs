//! The sound node: nothing here changes the value that minimax finds at the same depth. What else a
//! search may do is its policy.

use super::engine::{Node, NodeSearch, Query, Searcher};
use super::options::{Ordering, Pruning};
use super::tt;
use crate::game::{Evaluator, Game, Lookahead, Side};
use crate::search::memory::Bound;
use crate::search::order::{self, MoveOrder, NO_MOVE};
use crate::search::{Score, Stopped, Window};

/// Cuts by bounds and knowledge that is certain, and learns which moves to try first.
pub(super) struct Sound<M, P> {
    order: MoveOrder<M>,
    pub(super) policy: P,
}

impl<M: Copy + Eq, P> Sound<M, P> {
    pub(super) fn new(policy: P) -> Self {
        Self { order: MoveOrder::new(), policy }
    }
}

/// A searcher with sound nodes and this policy.
pub(super) type Sounding<'a, G, E, P> = Searcher<'a, G, E, Sound<<G as Game>::Move, P>>;

/// What a search does beside the sound: how it meets chance, and what it leaves out.
pub(super) trait Policy<G: Game, E: Evaluator<G>>: Sized {
    /// A search begins.
    fn enter(&mut self) {}

    /// Tells apart entries of the tables for one position that do not mean the same.
    #[inline]
    fn salt(&self) -> u64 {
        0
    }

    /// See [`NodeSearch::chance`].
    #[inline]
    fn chance(
        searcher: &mut Sounding<'_, G, E, Self>,
        pos: &G,
        event: G::Chance,
        query: Query,
    ) -> Result<Score, Stopped> {
        searcher.expected(pos, event, query)
    }

    /// The plies to search a node, at most `node.depth`, at least 1.
    #[inline]
    fn depth(_searcher: &mut Sounding<'_, G, E, Self>, _pos: &G, node: Node) -> u32 {
        node.depth
    }

    /// A score that suffices for the node, on evidence that is good but no proof.
    #[inline]
    fn suffices(
        _searcher: &mut Sounding<'_, G, E, Self>,
        _pos: &G,
        _node: Node,
    ) -> Result<Option<Score>, Stopped> {
        Ok(None)
    }

    /// How promising a move looks before anything is searched.
    #[inline]
    fn prior(&self, evaluator: &E, pos: &G, node: Node, mv: G::Move) -> i32 {
        evaluator.order(pos, node.mover, mv)
    }

    /// Takes out of the moves from `start` on those that another one outdoes, and tells whether there were
    /// any.
    #[inline]
    fn leave_out(
        _searcher: &mut Sounding<'_, G, E, Self>,
        _pos: &G,
        _node: Node,
        _start: usize,
    ) -> bool {
        false
    }

    /// Takes out of the moves from `start` on those that have been looked at elsewhere, and tells whether
    /// there were any.
    #[inline]
    fn pass_over(_searcher: &mut Sounding<'_, G, E, Self>, _node: Node, _start: usize) -> bool {
        false
    }

    /// Of the moves from `start` on the one at `n` is searched next.
    #[inline]
    fn turn_to(
        _searcher: &mut Sounding<'_, G, E, Self>,
        _pos: &G,
        _node: Node,
        _start: usize,
        _n: usize,
    ) {
    }

    /// See [`NodeSearch::merge_outcomes`].
    #[inline]
    fn merge_outcomes(_searcher: &mut Sounding<'_, G, E, Self>, _pos: &G, _start: usize) {}
}

/// What is known of a node when its moves are searched.
#[derive(Clone, Copy)]
struct KnownNode {
    /// The key to remember it by.
    key: Option<u64>,
    /// Whether its list of moves is complete.
    complete: bool,
    /// Whether some of them were passed over.
    passed_over: bool,
}

/// The policy that leaves out nothing.
pub(super) struct Whole;

impl<G: Game, E: Evaluator<G>> Policy<G, E> for Whole {}

impl<G: Game, E: Evaluator<G>, P: Policy<G, E>> NodeSearch<G, E> for Sound<G::Move, P> {
    fn enter(searcher: &mut Searcher<'_, G, E, Self>, _: &G, _: Side) {
        searcher.nodes.policy.enter();
    }

    #[inline]
    fn chance(
        searcher: &mut Searcher<'_, G, E, Self>,
        pos: &G,
        event: G::Chance,
        query: Query,
    ) -> Result<Score, Stopped> {
        P::chance(searcher, pos, event, query)
    }

    #[inline]
    fn merge_outcomes(searcher: &mut Searcher<'_, G, E, Self>, pos: &G, start: usize) {
        P::merge_outcomes(searcher, pos, start);
    }

    #[inline]
    fn best(
        searcher: &mut Searcher<'_, G, E, Self>,
        pos: &G,
        node: Node,
    ) -> Result<Score, Stopped> {
        searcher.best(pos, node)
    }
}

impl<G: Game, E: Evaluator<G>, P: Policy<G, E>> Sounding<'_, G, E, P> {
    fn best(&mut self, pos: &G, node: Node) -> Result<Score, Stopped> {
        if node.depth == 0 {
            self.horizons += 1;
            return Ok(Score::heuristic(self.evaluator.evaluate(pos, node.mover)));
        }
        if let Some(score) = self.solved_payoff(pos, node) {
            return Ok(score);
        }
        let node = Node { depth: P::depth(self, pos, node), ..node };
        let key =
            (node.depth >= E::TUNING.table_from).then(|| pos.hash() ^ self.nodes.policy.salt());
        let known = key.and_then(|key| self.tables.probe(key, node.depth, node.ply));
        if let Some(entry) = &known
            && let Some(score) = self.tables.decides(entry, node.depth, node.ply, node.window)
        {
            self.table_hits += 1;
            self.horizons += u64::from(!entry.resolved);
            return Ok(score);
        }
        if let Some(score) = P::suffices(self, pos, node)? {
            self.horizons += 1;
            self.cutoffs += 1;
            return Ok(score);
        }
        let start = self.moves.len();
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
                        let complete = !P::leave_out(self, pos, node, start) && complete;
                        let passed_over = P::pass_over(self, node, start);
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

    /// The payoff that the evaluator knows, exact in the node's window.
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

    /// Gives the moves from `start` on their sort keys.
    #[inline]
    fn rank(&mut self, pos: &G, node: Node, start: usize, remembered: u16) {
        let Self { moves, keys, nodes, evaluator, options, .. } = self;
        let Sound { order, policy } = nodes;
        keys.extend(moves[start..].iter().map(|&mv| match options.ordering {
            Ordering::None => 0,
            Ordering::Static => i64::from(policy.prior(evaluator, pos, node, mv)),
            Ordering::Full => {
                let code = G::move_code(mv);
                let learned = order.learned(node.ply, node.mover, node.previous, mv, code);
                order::key(policy.prior(evaluator, pos, node, mv), learned, code == remembered)
            }
        }));
    }

    /// The best of the moves from `start` on, remembered under the key if there is one.
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
        let narrows = self.options.pruning.narrows(node.mover == self.root_side);
        // A move that nobody looks at may be better than a lost one that is listed.
        let mut best = if passed_over {
            // What was looked at elsewhere was not better than what the mover has.
            alpha
        } else if complete {
            Score::MIN
        } else {
            Score::likely_loss(node.ply)
        };
        // Nor does what was looked at elsewhere say anything about greater depths.
        self.horizons += u64::from(!complete) + u64::from(passed_over);
        let mut best_code = NO_MOVE;
        let end = self.moves.len();
        for n in start..end {
            order::pick(&mut self.moves[start..end], &mut self.keys[start..end], n - start);
            let mv = self.moves[n];
            P::turn_to(self, pos, node, start, n);
            let scout = self.options.pvs && narrows && n > start && alpha > Score::MIN;
            let score = self.scouted(pos, mv, node, Window::new(alpha, beta), scout)?;
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

    /// The value of a move for the node's mover. A scout asks first whether it is above `alpha` at
    /// all, which is cheap to deny.
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

    /// The move at `n` caused a cutoff; those before it, from `start` on, did not.
    fn learn(&mut self, node: Node, start: usize, n: usize) {
        self.cutoffs += 1;
        if self.options.ordering != Ordering::Full {
            return;
        }
        let Self { moves, nodes, .. } = self;
        let order = &mut nodes.order;
        let mv = moves[n];
        order.reward(node.ply, node.mover, node.previous, mv, G::move_code(mv), node.depth);
        for &tried in &moves[start..n] {
            order.punish(node.mover, node.previous, G::move_code(tried), node.depth);
        }
    }
}
