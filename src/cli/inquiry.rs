//! The question behind a command of a protocol: the same catalog answers it as answers over HTTP.

use std::time::Instant;

use serde_json::{Map, Value, json};

use super::engine::EngineSettings;
use crate::catalog::question::Question;
use crate::catalog::{Allowance, AnyPosition, Plan, methods};

/// Plies that a search may look ahead.
const MAX_DEPTH: u64 = 250;

/// What a search may spend, and on which moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct GoLimits {
    /// Plies.
    pub(super) depth: Option<u64>,
    /// Positions.
    pub(super) nodes: Option<u64>,
    /// Time in ms.
    pub(super) time_ms: Option<u64>,
    /// Only these moves are considered; none is all.
    pub(super) only: Vec<String>,
    /// These are not.
    pub(super) avoid: Vec<String>,
}

/// Reads the question for the best move of a position. Limits beyond what is possible are brought there.
///
/// # Errors
/// Says what of it is wrong.
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
    // Which options there are depends on what `auto` stands for here.
    let draft = Question { reproducible: false, ..question.clone() };
    let method = methods::method(plan(&draft, Map::new())?.algorithm);
    plan(&question, settings.of_method(method.expect("a plan has a method")))
}
