//! The question behind a protocol command, answered by the same catalog as over HTTP.

use std::time::Instant;

use catalog::question::{BudgetQuestion, Question, Ratings, WholeNumber};
use catalog::{Allowance, AnyPosition, Plan};
use engine::search::MAX_DEPTH;

use crate::uci::EngineSettings;

/// Limits and root moves of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct GoBudget {
    /// Depth in plies.
    pub(super) depth: Option<u64>,
    /// Positions to visit.
    pub(super) nodes: Option<u64>,
    /// Time in ms.
    pub(super) time_ms: Option<u64>,
    /// Root moves to consider; empty for all.
    pub(super) only: Vec<String>,
    /// Root moves to leave out.
    pub(super) avoid: Vec<String>,
}

/// Builds the question for the best move of a position. Limits out of range are clamped.
///
/// # Errors
/// The fault of the question.
pub(super) fn plan(
    settings: &EngineSettings,
    position: &dyn AnyPosition,
    go: &GoBudget,
) -> Result<Plan, String> {
    let allowance = Allowance::unlimited();
    let most_ms = allowance.max_time.as_millis() as u64;
    let question = Question {
        algorithm: settings.algorithm.clone(),
        budget: BudgetQuestion {
            time_ms: go.time_ms.map(|ms| WholeNumber(ms.clamp(1, most_ms))),
            depth: go.depth.map(|depth| WholeNumber(depth.clamp(1, MAX_DEPTH.into()))),
            nodes: go.nodes.map(|nodes| WholeNumber(nodes.max(1))),
            simulations: None,
        },
        ratings: if settings.lines == 1 { Ratings::None } else { Ratings::Best(settings.lines) },
        lines: (settings.lines > 1).then_some(settings.lines),
        search_moves: go.only.clone(),
        avoid_moves: go.avoid.clone(),
        threads: WholeNumber(settings.threads),
        seed: Some(WholeNumber(settings.seed)),
        reproducible: settings.reproducible,
        ..Question::about(&settings.game)
    };
    let planned = || {
        let options = settings.of_method(position.method(&question.algorithm)?);
        position.plan(&question, options, &allowance, Instant::now())
    };
    planned().map_err(|why| why.to_string())
}
