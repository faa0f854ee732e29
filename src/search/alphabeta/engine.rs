//! The recursion.

use super::line::Lines;
use super::options::{Options, Ordering, Pruning};
use super::recall::{self, Recall};
use crate::game::{Expert, Game, Side, Survey, Turn};
use crate::search::memory::Bound;
use crate::search::order::{self, NO_MOVE, Order};
use crate::search::{Clock, Score, Stopped, Window};

/// One search thread with everything it owns.
pub(super) struct Searcher<'a, G: Game, E> {
    pub(super) options: &'a Options,
    pub(super) expert: E,
    pub(super) root_side: Side,
    pub(super) clock: Clock,
    pub(super) recall: Recall<'a>,
    pub(super) order: Order<G::Move>,
    pub(super) lines: Lines<G::Move>,
    /// The moves of all nodes on the path, and beside them their sort keys.
    moves: Vec<G::Move>,
    keys: Vec<i64>,
    /// The outcomes of all chance nodes on the path.
    pub(super) outcomes: Vec<(G::Move, f64)>,
    /// How often a value depended on a depth limit or an incomplete list of moves.
    pub(super) horizons: u64,
    pub(super) cutoffs: u64,
    pub(super) table_hits: u64,
    /// The depth that earlier searches of the same root moves reached.
    pub(super) reached: u32,
    /// No evaluation or payoff is larger.
    reach: Score,
}

/// A node where `mover` chooses.
#[derive(Clone, Copy)]
struct Node {
    mover: Side,
    /// Plies left to search.
    depth: u32,
    /// Plies from the root.
    ply: u32,
    /// The bounds as the mover sees them.
    window: Window,
    /// The code of the move that led here.
    previous: Option<u16>,
}

impl<'a, G: Game, E: Expert<G>> Searcher<'a, G, E> {
    pub(super) fn new(
        options: &'a Options,
        expert: E,
        root_side: Side,
        clock: Clock,
        recall: Recall<'a>,
    ) -> Self {
        let reach = if G::PAYOFFS { expert.bound() } else { expert.reach() };
        Self {
            options,
            expert,
            root_side,
            clock,
            recall,
            order: Order::new(),
            lines: Lines::new(),
            moves: Vec::new(),
            keys: Vec::new(),
            outcomes: Vec::new(),
            horizons: 0,
            cutoffs: 0,
            table_hits: 0,
            reached: 0,
            reach: Score::heuristic(reach),
        }
    }

    /// The value of the position after `mv` for `viewer`, with `depth` plies left.
    #[inline]
    pub(super) fn after(
        &mut self,
        pos: &G,
        mv: G::Move,
        viewer: Side,
        depth: u32,
        ply: u32,
        window: Window,
    ) -> Result<Score, Stopped> {
        let next = pos.after(mv);
        self.expert.push(pos, mv, &next);
        let score = self.value(&next, viewer, depth, ply, window, Some(G::move_code(mv)))?;
        self.expert.pop();
        Ok(score)
    }

    /// The value for `viewer`. Perspective flips here and nowhere else: a mover may move twice.
    #[inline]
    fn value(
        &mut self,
        pos: &G,
        viewer: Side,
        depth: u32,
        ply: u32,
        window: Window,
        previous: Option<u16>,
    ) -> Result<Score, Stopped> {
        self.clock.tick()?;
        self.lines.clear(ply);
        match pos.turn() {
            Turn::Over(outcome) => Ok(Score::of(outcome, viewer, ply)),
            Turn::Chance(event) => self.expected(pos, event, viewer, depth, ply, window),
            Turn::Of(mover) if mover == viewer => {
                self.best(pos, Node { mover, depth, ply, window, previous })
            }
            Turn::Of(mover) => {
                Ok(-self.best(pos, Node { mover, depth, ply, window: -window, previous })?)
            }
        }
    }

    fn best(&mut self, pos: &G, node: Node) -> Result<Score, Stopped> {
        if node.depth == 0 {
            self.horizons += 1;
            return Ok(Score::heuristic(self.expert.evaluate(pos, node.mover)));
        }
        if let Some(score) = self.settled(pos, node) {
            return Ok(score);
        }
        let key = (node.depth >= E::REMEMBER_FROM).then(|| pos.hash());
        let known = key.and_then(|key| self.recall.probe(key, node.depth, node.ply));
        if let Some(entry) = &known
            && let Some(score) = self.recall.decides(entry, node.depth, node.ply, node.window)
        {
            self.table_hits += 1;
            self.horizons += u64::from(!entry.resolved);
            return Ok(score);
        }
        let start = self.moves.len();
        let score = match self.survey(pos, node) {
            Survey::Win(plies) => Score::win(node.ply + plies),
            Survey::Loss(plies) => Score::loss(node.ply + plies),
            Survey::Open { complete, win_from, loss_from } => {
                match self.foreseen(node, win_from, loss_from) {
                    Some(score) => score,
                    None if self.moves.len() == start => {
                        Score::of(pos.stuck(node.mover), node.mover, node.ply)
                    }
                    None => {
                        let remembered = known.map_or(NO_MOVE, |entry| entry.best);
                        self.rank(pos, node, start, remembered);
                        self.best_of(pos, node, key, start, complete)?
                    }
                }
            }
        };
        self.moves.truncate(start);
        self.keys.truncate(start);
        Ok(score)
    }

    /// The payoff that the expert knows, exact in the node's window.
    #[inline]
    fn settled(&self, pos: &G, node: Node) -> Option<Score> {
        if !G::PAYOFFS || self.options.pruning != Pruning::Both {
            return None;
        }
        let Window { alpha, beta } = node.window;
        let payoff = self.expert.settle(pos, node.mover, node.depth, alpha.raw(), beta.raw());
        payoff.map(Score::heuristic)
    }

    fn survey(&mut self, pos: &G, node: Node) -> Survey {
        if self.options.pruning == Pruning::Both {
            self.expert.survey(pos, node.mover, node.depth, &mut self.moves)
        } else {
            let complete = self.expert.candidates(pos, node.mover, &mut self.moves);
            Survey::Open { complete, win_from: 0, loss_from: 0 }
        }
    }

    /// A score that suffices because of how soon a win or a loss could come at all: beyond the
    /// horizon only evaluations are left, and these have their bound.
    // CITE: mate distance pruning.
    #[inline]
    fn foreseen(&mut self, node: Node, win_from: u32, loss_from: u32) -> Option<Score> {
        if self.options.pruning != Pruning::Both {
            return None;
        }
        let (no_win, no_loss) = (node.depth < win_from, node.depth < loss_from);
        let most = if no_win { self.reach } else { Score::win(node.ply + win_from) };
        let least = if no_loss { -self.reach } else { Score::loss(node.ply + loss_from) };
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

    /// Gives the moves from `start` on their sort keys.
    #[inline]
    fn rank(&mut self, pos: &G, node: Node, start: usize, remembered: u16) {
        let Self { moves, keys, order, expert, options, .. } = self;
        keys.extend(moves[start..].iter().map(|&mv| match options.ordering {
            Ordering::None => 0,
            Ordering::Static => i64::from(expert.order(pos, node.mover, mv)),
            Ordering::Full => {
                let code = G::move_code(mv);
                let learned = order.learned(node.ply, node.mover, node.previous, mv, code);
                order::key(expert.order(pos, node.mover, mv), learned, code == remembered)
            }
        }));
    }

    /// The best of the moves from `start` on, remembered under `key` if there is one.
    fn best_of(
        &mut self,
        pos: &G,
        node: Node,
        key: Option<u64>,
        start: usize,
        complete: bool,
    ) -> Result<Score, Stopped> {
        let horizons = self.horizons;
        let Window { mut alpha, beta } = node.window;
        let narrows = self.options.pruning.narrows(node.mover == self.root_side);
        // A move that nobody looks at may be better than a lost one that is listed.
        let mut best = if complete { Score::MIN } else { Score::likely_loss(node.ply) };
        self.horizons += u64::from(!complete);
        let mut best_code = NO_MOVE;
        let end = self.moves.len();
        for n in start..end {
            order::pick(&mut self.moves[start..end], &mut self.keys[start..end], n - start);
            let mv = self.moves[n];
            let scout = self.options.pvs && narrows && n > start && alpha > Score::MIN;
            let score = self.scouted(pos, mv, node, Window::new(alpha, beta), scout)?;
            if score <= best {
                continue;
            }
            best = score;
            if score > node.window.alpha {
                best_code = G::move_code(mv);
                self.lines.set(node.ply, mv);
            }
            if score >= beta {
                self.learn(node, start, n);
                break;
            }
            if narrows {
                alpha = alpha.max(score);
            }
        }
        let bound = match () {
            () if best >= beta => Bound::Lower,
            () if best <= node.window.alpha => Bound::Upper,
            () => Bound::Exact,
        };
        let resolved = self.horizons == horizons;
        if let Some(key) = key {
            let entry = recall::entry(best, bound, best_code, node.depth, node.ply, resolved);
            self.recall.store(key, node.depth, node.ply, entry);
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
        let (depth, ply) = (node.depth - 1, node.ply + 1);
        if scout && !window.is_null() {
            let guess = self.after(pos, mv, node.mover, depth, ply, Window::above(window.alpha))?;
            if !window.holds(guess) {
                return Ok(guess);
            }
        }
        self.after(pos, mv, node.mover, depth, ply, window)
    }

    /// The move at `n` caused a cutoff; those before it, from `start` on, did not.
    fn learn(&mut self, node: Node, start: usize, n: usize) {
        self.cutoffs += 1;
        if self.options.ordering != Ordering::Full {
            return;
        }
        let Self { moves, order, .. } = self;
        let mv = moves[n];
        order.reward(node.ply, node.mover, node.previous, mv, G::move_code(mv), node.depth);
        for &tried in &moves[start..n] {
            order.punish(node.mover, node.previous, G::move_code(tried), node.depth);
        }
    }

    /// Empties what an interrupted search left behind.
    pub(super) fn reset(&mut self, root: &G) {
        self.moves.clear();
        self.keys.clear();
        self.outcomes.clear();
        self.expert.enter(root);
    }
}
