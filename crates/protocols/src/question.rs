//! The question behind a protocol command, answered by the same catalog as over HTTP.

use std::time::Instant;

use serde_json::{Map, Value, json};

use crate::uci::EngineSettings;
use catalog::question::Question;
use catalog::{Allowance, AnyPosition, Plan, methods};

/// Maximum search depth in plies.
const MAX_DEPTH: u64 = 250;

/// Limits and root moves of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct GoLimits {
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
/// Says what is wrong with it.
pub(super) fn plan(
    settings: &EngineSettings,
    position: &dyn AnyPosition,
    limits: &GoLimits,
) -> Result<Plan, String> {
    let allowance = Allowance::unlimited();
    let most = allowance.max_time.as_millis() as u64;
    let lines = settings.lines;
    let body = json!({
        "game": settings.game,
        "algorithm": settings.algorithm,
        "budget": {
            "depth": limits.depth.map(|depth| depth.clamp(1, MAX_DEPTH)),
            "nodes": limits.nodes.map(|nodes| nodes.max(1)),
            "time_ms": limits.time_ms.map(|ms| ms.clamp(1, most)),
        },
        "ratings": if lines == 1 { Value::from("none") } else { lines.into() },
        "search_moves": limits.only,
        "avoid_moves": limits.avoid,
        "threads": settings.threads,
        "seed": settings.seed,
        "reproducible": settings.reproducible,
    });
    let question: Question = serde_json::from_value(body).map_err(|why| why.to_string())?;
    let plan = |question: &Question, options| {
        let planned = position.plan(question, options, &allowance, Instant::now());
        planned.map_err(|why| why.to_string())
    };
    // The available options depend on the method that `auto` selects here.
    let draft = Question { reproducible: false, ..question.clone() };
    let method = methods::method(plan(&draft, Map::new())?.algorithm);
    plan(&question, settings.of_method(method.expect("a plan has a method")))
}
