//! The recursion.

use super::line::Lines;
use super::options::{Options, Pruning};
use super::recall::Recall;
use crate::game::{Expert, Game, Side, Survey, Turn};
use crate::search::{Clock, Score, Stopped, Window};

/// What is done at a node where somebody moves, with what is learned on the way. Everything around it
/// is common to all searches: whose turn it is, chance, tables, the root, threads.
pub(super) trait Nodes<G: Game, E: Expert<G>>: Sized {
    /// Whether what was found at a greater depth counts at a smaller one.
    const DEEPER_COUNTS: bool = false;

    /// A search of `root` begins.
    fn enter(searcher: &mut Searcher<'_, G, E, Self>, root: &G, mover: Side) {
        let _ = (searcher, root, mover);
    }

    /// The search goes on from `pos`, `ply` plies from the root, by `mv` to `after`.
    #[inline]
    fn note(searcher: &mut Searcher<'_, G, E, Self>, pos: &G, mv: G::Move, after: &G, ply: u32) {
        let _ = (searcher, pos, mv, after, ply);
    }

    /// The value for the node's mover.
    fn best(searcher: &mut Searcher<'_, G, E, Self>, pos: &G, node: Node)
    -> Result<Score, Stopped>;

    /// The value for `viewer` where chance acts: the exact expectation.
    #[inline]
    fn chance(
        searcher: &mut Searcher<'_, G, E, Self>,
        pos: &G,
        event: G::Chance,
        asked: Asked,
    ) -> Result<Score, Stopped> {
        searcher.expected(pos, event, asked)
    }

    /// Of the outcomes from `start` on those that nothing can tell apart may become one.
    #[inline]
    fn merge(searcher: &mut Searcher<'_, G, E, Self>, pos: &G, start: usize) {
        let _ = (searcher, pos, start);
    }

    /// A win of the mover, if one can be seen without searching everything. `so_far` is what the root
    /// seems to be worth.
    fn seen_at_once(
        searcher: &mut Searcher<'_, G, E, Self>,
        root: &G,
        mover: Side,
        so_far: Score,
    ) -> Result<Option<Seen<G::Move>>, Stopped> {
        let _ = (searcher, root, mover, so_far);
        Ok(None)
    }

    /// A line from `pos` to the end in which `winner` wins in at most so many plies, if it can be found without
    /// searching everything. The expert has entered `pos`.
    fn line_to_end(
        searcher: &mut Searcher<'_, G, E, Self>,
        pos: &G,
        winner: Side,
        plies: u32,
    ) -> Result<Option<Vec<G::Move>>, Stopped> {
        let _ = (searcher, pos, winner, plies);
        Ok(None)
    }

    /// The depth to which the root move with this number, from 0, is looked at before it is searched to
    /// `depth`.
    fn glance(searcher: &Searcher<'_, G, E, Self>, depth: u32, number: usize) -> u32 {
        let _ = (searcher, number);
        depth
    }
}

/// One search thread with everything it owns.
pub(super) struct Searcher<'a, G: Game, E, N> {
    pub(super) nodes: N,
    pub(super) options: &'a Options,
    pub(super) expert: E,
    pub(super) root_side: Side,
    pub(super) clock: Clock,
    pub(super) recall: Recall<'a>,
    pub(super) lines: Lines<G::Move>,
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
    /// No evaluation or payoff is larger.
    reach: Score,
}

/// A win that was seen: within so many plies, and how it begins.
#[derive(Clone, Debug)]
pub(super) struct Seen<M> {
    pub(super) plies: u32,
    /// Nothing is said of what comes after its end.
    pub(super) line: Vec<M>,
}

/// What is asked of a position.
#[derive(Clone, Copy)]
pub(super) struct Asked {
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
    pub(super) fn ask(self, depth: u32, window: Window) -> Asked {
        Asked { viewer: self.mover, depth, ply: self.ply + 1, window }
    }
}

impl<'a, G: Game, E: Expert<G>, N: Nodes<G, E>> Searcher<'a, G, E, N> {
    pub(super) fn new(
        nodes: N,
        options: &'a Options,
        expert: E,
        root_side: Side,
        clock: Clock,
        recall: Recall<'a>,
    ) -> Self {
        let reach = if G::PAYOFFS { expert.bound() } else { expert.reach() };
        Self {
            nodes,
            options,
            expert,
            root_side,
            clock,
            recall,
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

    /// What is asked of the position after `mv`.
    #[inline]
    pub(super) fn after(&mut self, pos: &G, mv: G::Move, asked: Asked) -> Result<Score, Stopped> {
        let next = pos.after(mv);
        N::note(self, pos, mv, &next, asked.ply - 1);
        self.expert.push(pos, mv, &next);
        let score = self.value(&next, asked, Some(G::move_code(mv)))?;
        self.expert.pop();
        Ok(score)
    }

    /// The value for the viewer, where the move of code `previous` led. Perspective flips here and nowhere
    /// else: a mover may move twice.
    #[inline]
    pub(super) fn value(
        &mut self,
        pos: &G,
        asked: Asked,
        previous: Option<u16>,
    ) -> Result<Score, Stopped> {
        let Asked { viewer, depth, ply, window } = asked;
        self.clock.tick()?;
        self.lines.clear(ply);
        match pos.turn() {
            Turn::Over(outcome) => Ok(Score::of(outcome, viewer, ply)),
            Turn::Chance(event) => N::chance(self, pos, event, asked),
            Turn::Of(mover) if mover == viewer => {
                N::best(self, pos, Node { mover, depth, ply, window, previous })
            }
            Turn::Of(mover) => {
                Ok(-N::best(self, pos, Node { mover, depth, ply, window: -window, previous })?)
            }
        }
    }

    /// What the expert sees at once; the moves to search are appended.
    pub(super) fn survey(&mut self, pos: &G, node: Node) -> Survey {
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
    pub(super) fn foreseen(&mut self, node: Node, win_from: u32, loss_from: u32) -> Option<Score> {
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

    /// Empties what an interrupted search left behind.
    pub(super) fn reset(&mut self, root: &G) {
        self.moves.clear();
        self.keys.clear();
        self.outcomes.clear();
        self.expert.enter(root);
        let mover = self.root_side;
        N::enter(self, root, mover);
    }
}
