//! The tree that a search visited, as an answer.

use engine::search::{Score, ScoreScale, Trace, TraceEvent, TraceNode, Value};
use games::notation::{Facts, Served};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::ScoreAnswer;
use super::explain;

/// How a visit of a search was decided, if not by its children alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecidedBy {
    /// The static evaluation, at the depth limit.
    Evaluated,
    /// An entry of the transposition table.
    Table,
    /// Its last child: the later ones were not visited.
    Cutoff,
    /// The static lookahead of the game, or its earliest possible end.
    Lookahead,
    /// The history of the game, as by repetition.
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

/// A visit of a search. Scores and bounds are for the side to move at the root.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TraceVisit {
    /// Index of the visit above; null below the root.
    pub parent: Option<u32>,
    /// Depth of the iteration in plies.
    pub iteration: u32,
    /// The move or chance outcome that led here; null for a null move, a handicap or a search of its own, and below
    /// them.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// Plies from the root.
    pub ply: u32,
    /// Plies left to search.
    pub depth: u32,
    /// Lower bound at entry; null for none.
    pub alpha: Option<ScoreAnswer>,
    /// Upper bound at entry; null for none.
    pub beta: Option<ScoreAnswer>,
    /// Result, within the bounds the value and else a bound of it; null where the search was stopped.
    pub score: Option<ScoreAnswer>,
    /// What decided it; null for its children alone.
    pub event: Option<DecidedBy>,
    /// Positions that it stands for: 1, or those of a search of its own.
    pub nodes: u64,
    /// Cutoffs here; more than one where a technique searches a position before its moves.
    pub cutoffs: u64,
    /// Table hits here.
    pub table_hits: u64,
}

impl From<TraceEvent> for DecidedBy {
    fn from(event: TraceEvent) -> Self {
        match event {
            TraceEvent::Evaluated => Self::Evaluated,
            TraceEvent::Table => Self::Table,
            TraceEvent::Cutoff => Self::Cutoff,
            TraceEvent::Lookahead => Self::Lookahead,
            TraceEvent::History => Self::History,
            TraceEvent::Razor => Self::Razor,
            TraceEvent::SelfLoss => Self::SelfLoss,
            TraceEvent::ReverseFutility => Self::ReverseFutility,
            TraceEvent::NullMove => Self::NullMove,
            TraceEvent::Probcut => Self::Probcut,
            TraceEvent::Threats => Self::Threats,
        }
    }
}

/// The visits of a search from `root`, with moves as text.
pub(super) fn visits<G: Served>(
    root: &G,
    trace: &Trace<G::Move>,
    scale: ScoreScale,
    facts: &Facts,
) -> Vec<TraceVisit> {
    // The line of the current visit: its indices, and the positions if known.
    let mut line: Vec<(u32, Option<G>)> = Vec::new();
    let mut visits = Vec::with_capacity(trace.nodes.len());
    for (index, node) in (0..).zip(&trace.nodes) {
        while line.last().is_some_and(|(above, _)| Some(*above) != node.parent) {
            line.pop();
        }
        let above = line.last().map_or(Some(root), |(_, pos)| pos.as_ref());
        let step = above.zip(node.mv);
        let text = step.map(|(pos, mv)| pos.move_text(mv));
        let pos = step.map(|(pos, mv)| pos.after(mv));
        line.push((index, pos));
        visits.push(visit(node, text, scale, facts));
    }
    visits
}

fn visit<M>(
    node: &TraceNode<M>,
    mv: Option<String>,
    scale: ScoreScale,
    facts: &Facts,
) -> TraceVisit {
    let score = |score: Score| explain::score(Value::from_score(score, false, scale), facts);
    let bound = |bound: Score| (![Score::MIN, Score::MAX].contains(&bound)).then(|| score(bound));
    TraceVisit {
        parent: node.parent,
        iteration: node.iteration,
        mv,
        ply: node.ply,
        depth: node.depth,
        alpha: bound(node.window.alpha),
        beta: bound(node.window.beta),
        score: node.score.map(score),
        event: node.event.map(DecidedBy::from),
        nodes: node.count,
        cutoffs: node.cutoffs,
        table_hits: node.table_hits,
    }
}
