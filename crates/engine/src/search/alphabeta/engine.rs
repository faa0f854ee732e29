//! The recursion.

use super::forward_pruning::PruningState;
use super::line::PvTable;
use super::options::{Options, Pruning};
use super::tt::Tables;
use crate::game::{Evaluator, Game, Lookahead, Side, Turn};
use crate::search::{Clock, Score, Stopped, Window};

/// What is done at a node where somebody moves, with what is learned on the way. Everything around it
/// is common to all searches: whose turn it is, chance, tables, the root, threads.
pub(super) trait NodeSearch<G: Game, E: Evaluator<G>>: Sized {
    /// Whether what was found at a greater depth counts at a smaller one.
    const DEEPER_COUNTS: bool = false;

    /// A search of `root` begins.
    fn enter(_searcher: &mut Searcher<'_, G, E, Self>, _root: &G, _mover: Side) {}

    /// The search goes on from `pos`, `ply` plies from the root, by `mv` to `after`.
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

    /// State of forward pruning.
    fn pruning(&mut self) -> &mut PruningState<G::Move>;

    /// The value for the node's mover.
    fn best(searcher: &mut Searcher<'_, G, E, Self>, pos: &G, node: Node)
    -> Result<Score, Stopped>;

    /// The value for `viewer` where chance acts: the exact expectation.
    #[inline]
    fn chance(
        searcher: &mut Searcher<'_, G, E, Self>,
        pos: &G,
        event: G::Chance,
        query: Query,
    ) -> Result<Score, Stopped> {
        searcher.expected(pos, event, query)
    }

    /// Of the outcomes from `start` on those that nothing can tell apart may become one.
    #[inline]
    fn merge_outcomes(_searcher: &mut Searcher<'_, G, E, Self>, _pos: &G, _start: usize) {}

    /// A win of the mover, if one can be seen without searching everything. `so_far` is what the root
    /// seems to be worth.
    fn seen_at_once(
        _searcher: &mut Searcher<'_, G, E, Self>,
        _root: &G,
        _mover: Side,
        _so_far: Score,
    ) -> Result<Option<FoundWin<G::Move>>, Stopped> {
        Ok(None)
    }

    /// A line from `pos` to the end in which `winner` wins in at most so many plies, if it can be found without
    /// searching everything. The evaluator has entered `pos`.
    fn line_to_end(
        _searcher: &mut Searcher<'_, G, E, Self>,
        _pos: &G,
        _winner: Side,
        _plies: u32,
    ) -> Result<Option<Vec<G::Move>>, Stopped> {
        Ok(None)
    }

    /// The depth to which the root move with this number, from 0, is looked at before it is searched to
    /// `depth`.
    fn reduced_root_depth(_searcher: &Searcher<'_, G, E, Self>, depth: u32, _number: usize) -> u32 {
        depth
    }
}

/// One search thread with everything it owns.
pub(super) struct Searcher<'a, G: Game, E, N> {
    pub(super) nodes: N,
    pub(super) options: &'a Options,
    pub(super) evaluator: E,
    pub(super) root_side: Side,
    pub(super) clock: Clock,
    pub(super) tables: Tables<'a>,
    pub(super) pv: PvTable<G::Move>,
    /// The moves of all nodes on the path, and beside them their sort keys.
    pub(super) moves: Vec<G::Move>,
    pub(super) keys: Vec<i64>,
    /// The outcomes of all chance nodes on the path.
    pub(super) outcomes: Vec<(G::Move, f64)>,
    /// How often a value depended on a depth limit or an incomplete list of moves.
    pub(super) horizons: u64,
    pub(super) cutoffs: u64,
    pub(super) table_hits: u64,
    /// The depth that earlier searches of the same root moves reached.
    pub(super) reached: u32,
    /// Bound of all values, and bound of evaluations alone.
    pub(super) bound: i32,
    pub(super) reach: i32,
}

/// A win that was seen: within so many plies, and how it begins.
#[derive(Clone, Debug)]
pub(super) struct FoundWin<M> {
    pub(super) plies: u32,
    /// Nothing is said of what comes after its end.
    pub(super) line: Vec<M>,
}

/// What is asked of a position.
#[derive(Clone, Copy)]
pub(super) struct Query {
    /// For whom its value is asked.
    pub(super) viewer: Side,
    /// Plies left to search.
    pub(super) depth: u32,
    /// Plies from the root.
    pub(super) ply: u32,
    /// The bounds as the viewer sees them.
    pub(super) window: Window,
}

/// A node where `mover` chooses.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) mover: Side,
    /// Plies left to search.
    pub(super) depth: u32,
    /// Plies from the root.
    pub(super) ply: u32,
    /// The bounds as the mover sees them.
    pub(super) window: Window,
    /// The code of the move that led here.
    pub(super) previous: Option<u16>,
}

impl Node {
    /// What is asked of a position one ply further.
    #[inline]
    pub(super) fn ask(self, depth: u32, window: Window) -> Query {
        Query { viewer: self.mover, depth, ply: self.ply + 1, window }
    }
}

impl<'a, G: Game, E: Evaluator<G>, N: NodeSearch<G, E>> Searcher<'a, G, E, N> {
    pub(super) fn new(
        nodes: N,
        options: &'a Options,
        evaluator: E,
        root_side: Side,
        clock: Clock,
        tables: Tables<'a>,
    ) -> Self {
        let (bound, reach) = nodes.bounds(&evaluator);
        Self {
            nodes,
            options,
            evaluator,
            root_side,
            clock,
            tables,
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
        }
    }

    /// What is asked of the position after `mv`.
    #[inline]
    pub(super) fn after(&mut self, pos: &G, mv: G::Move, query: Query) -> Result<Score, Stopped> {
        let next = pos.after(mv);
        N::note(self, pos, mv, &next, query.ply - 1);
        self.evaluator.push(pos, mv, &next);
        let score = self.value(&next, query, Some(G::move_code(mv)))?;
        self.evaluator.pop();
        Ok(score)
    }

    /// The value for the viewer, where the move of code `previous` led. Perspective flips here and nowhere
    /// else: a mover may move twice.
    #[inline]
    pub(super) fn value(
        &mut self,
        pos: &G,
        query: Query,
        previous: Option<u16>,
    ) -> Result<Score, Stopped> {
        let Query { viewer, depth, ply, window } = query;
        self.clock.tick()?;
        self.pv.clear(ply);
        match pos.turn() {
            Turn::Over(outcome) => Ok(Score::of(outcome, viewer, ply)),
            Turn::Chance(event) => N::chance(self, pos, event, query),
            Turn::Of(mover) if mover == viewer => {
                N::best(self, pos, Node { mover, depth, ply, window, previous })
            }
            Turn::Of(mover) => {
                Ok(-N::best(self, pos, Node { mover, depth, ply, window: -window, previous })?)
            }
        }
    }

    /// What the evaluator sees at once; the moves to search are appended.
    pub(super) fn lookahead(&mut self, pos: &G, node: Node) -> Lookahead {
        if self.options.pruning == Pruning::Both {
            self.evaluator.lookahead(pos, node.mover, node.depth, &mut self.moves)
        } else {
            let complete = self.evaluator.candidates(pos, node.mover, &mut self.moves);
            Lookahead::Open { complete, win_from: 0, loss_from: 0 }
        }
    }

    /// A score that suffices because of how soon a win or a loss could come at all: beyond the
    /// horizon only evaluations are left, and these have their bound.
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

    /// Empties what an interrupted search left behind.
    pub(super) fn reset(&mut self, root: &G) {
        self.moves.clear();
        self.keys.clear();
        self.outcomes.clear();
        self.evaluator.enter(root);
        let mover = self.root_side;
        N::enter(self, root, mover);
    }
}
