//! The tree that a search visited: for students, and for tests of its counts.

use std::sync::OnceLock;

use super::{Job, Score, Window};
use crate::game::Game;

/// Receives the trace of a search when it ends.
pub type TraceCell<M> = OnceLock<Trace<M>>;

/// The nodes of a search in the order of its visits. A node searched again, in another window or iteration,
/// stands here again.
#[derive(Clone, Debug)]
pub struct Trace<M> {
    /// All visits.
    pub nodes: Vec<TraceNode<M>>,
    /// Indices of the visits that have not ended, the innermost last.
    open: Vec<u32>,
    iteration: u32,
}

/// How a visit was decided, if not by its children alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceEvent {
    /// The static evaluation, at the depth limit.
    Evaluated,
    /// A table entry.
    Table,
    /// A child reached the bound: its later siblings were not visited.
    Cutoff,
    /// The evaluator's static lookahead, or the earliest possible end of the game.
    Lookahead,
    /// The history of the game.
    History,
    /// Razoring.
    Razor,
    /// Self-loss.
    SelfLoss,
    /// Reverse futility pruning.
    ReverseFutility,
    /// A null move.
    NullMove,
    /// ProbCut.
    Probcut,
    /// A search of threats alone.
    Threats,
}

/// A visit. Bounds and score are for the side to move at the root.
#[derive(Clone, Debug)]
pub struct TraceNode<M> {
    /// Index of the visit above; `None` below the root.
    pub parent: Option<u32>,
    /// Depth of the iteration, in plies.
    pub iteration: u32,
    /// The move or outcome that led here; `None` where the position did not change by one.
    pub mv: Option<M>,
    /// Plies from the root.
    pub ply: u32,
    /// Plies left to search.
    pub depth: u32,
    /// Bounds at entry.
    pub window: Window,
    /// Result; `None` if the search was stopped here.
    pub score: Option<Score>,
    /// What decided it.
    pub event: Option<TraceEvent>,
    /// Nodes that it stands for: 1, or those of a search of its own.
    pub count: u64,
    /// Cutoffs at this node; more than one where a technique searches it before its moves.
    pub cutoffs: u64,
    /// Table hits at this node.
    pub table_hits: u64,
}

/// A visit that begins.
#[derive(Clone, Copy)]
pub(super) struct Visit<M> {
    pub(super) mv: Option<M>,
    pub(super) ply: u32,
    pub(super) depth: u32,
    /// Bounds for the root's mover.
    pub(super) window: Window,
}

/// The trace of a search, if the job asks for one.
pub(super) struct Tracing<M>(Option<Box<Trace<M>>>);

impl<M: Copy> Tracing<M> {
    pub(super) fn of<G: Game<Move = M>>(job: &Job<'_, G>) -> Self {
        let trace = || Box::new(Trace { nodes: Vec::new(), open: Vec::new(), iteration: 0 });
        Self(job.trace.map(|_| trace()))
    }

    /// A trace of nothing.
    pub(super) fn off() -> Self {
        Self(None)
    }

    /// An iteration begins.
    pub(super) fn iteration(&mut self, depth: u32) {
        if let Some(trace) = &mut self.0 {
            trace.open.clear();
            trace.iteration = depth;
        }
    }

    #[inline]
    pub(super) fn enter(&mut self, visit: Visit<M>) {
        if let Some(trace) = &mut self.0 {
            trace.enter(visit);
        }
    }

    #[inline]
    pub(super) fn leave(&mut self, score: Score) {
        if let Some(trace) = &mut self.0
            && let Some(index) = trace.open.pop()
        {
            trace.nodes[index as usize].score = Some(score);
        }
    }

    /// Notes what decides the innermost visit.
    #[inline]
    pub(super) fn note(&mut self, event: TraceEvent) {
        if let Some(node) = self.innermost() {
            node.event = Some(event);
        }
    }

    /// Counts a cutoff of the innermost visit, by its last child or by a technique.
    #[inline]
    pub(super) fn cut(&mut self, event: TraceEvent) {
        self.note(event);
        if let Some(node) = self.innermost() {
            node.cutoffs += 1;
        }
    }

    /// Counts a table hit of the innermost visit.
    #[inline]
    pub(super) fn hit(&mut self) {
        self.note(TraceEvent::Table);
        if let Some(node) = self.innermost() {
            node.table_hits += 1;
        }
    }

    #[inline]
    fn innermost(&mut self) -> Option<&mut TraceNode<M>> {
        let trace = self.0.as_mut()?;
        let index = *trace.open.last()?;
        trace.nodes.get_mut(index as usize)
    }

    /// The innermost visit is not decided by what was noted.
    #[inline]
    pub(super) fn undecided(&mut self) {
        if let Some(node) = self.innermost() {
            node.event = None;
        }
    }

    /// A search of threats with this many nodes, none of them visited here.
    pub(super) fn threats(&mut self, visit: Visit<M>, score: Score, count: u64) {
        if let Some(trace) = self.0.as_mut().filter(|_| count > 0) {
            trace.enter(visit);
            let index = trace.open.pop().expect("a visit was entered") as usize;
            let node = &mut trace.nodes[index];
            (node.score, node.count) = (Some(score), count);
            node.event = Some(TraceEvent::Threats);
        }
    }

    /// Gives the trace to the job.
    pub(super) fn hand_over<G: Game<Move = M>>(&mut self, job: &Job<'_, G>) {
        if let (Some(trace), Some(cell)) = (self.0.take(), job.trace) {
            // A second search of the same job would find it full: only the first one leads.
            let _ = cell.set(*trace);
        }
    }
}

impl<M> Trace<M> {
    fn enter(&mut self, visit: Visit<M>) {
        let Visit { mv, ply, depth, window } = visit;
        let (parent, iteration) = (self.open.last().copied(), self.iteration);
        self.open.push(self.nodes.len() as u32);
        let (score, event) = (None, None);
        self.nodes.push(TraceNode {
            parent,
            iteration,
            mv,
            ply,
            depth,
            window,
            score,
            event,
            count: 1,
            cutoffs: 0,
            table_hits: 0,
        });
    }
}
