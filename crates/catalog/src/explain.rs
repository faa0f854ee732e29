//! Conversion of a search report to the answer of the HTTP contract: scores in units, ratings, warnings.

use std::borrow::Cow;

use serde_json::Number;

use super::answer::{Answer, Notations, OutcomeAnswer, ScoreAnswer, StatsAnswer, StoppedBy};
use super::plan::Inquiry;
use super::planned::Context;
use super::question::Ratings;
use super::ratings::{RatedMoves, ratings};
use super::written::WrittenReport;
use engine::game;
use engine::search::{StopReason, Value, Wanted};
use games::notation::Facts;

/// Warning about a proved result that the rules on repetition or quiet moves may still change.
const PAST: &str = "the score ignores the history of the game: repetition or too many quiet moves may \
                    make it a draw";

/// JSON number; integral values are written as integers.
pub(super) fn number(value: f64) -> Number {
    if value.fract() == 0.0 && value.abs() < 9e15 {
        Number::from(value as i64)
    } else {
        Number::from_f64(round(value)).unwrap_or_else(|| Number::from(0))
    }
}

/// Rounds to six decimals; further digits are noise.
pub(super) fn round(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

pub(super) fn score(value: Value, facts: &Facts) -> ScoreAnswer {
    let unit = Cow::Borrowed(facts.unit);
    let in_units = |value: f64| value / f64::from(facts.scale);
    match value {
        Value::Win(plies) => ScoreAnswer::Win { plies },
        Value::Loss(plies) => ScoreAnswer::Loss { plies },
        Value::Draw => ScoreAnswer::Draw,
        Value::Payoff(payoff) => {
            ScoreAnswer::Payoff { value: number(in_units(payoff.into())), unit }
        }
        Value::Heuristic(value) => {
            ScoreAnswer::Heuristic { value: number(in_units(value)), stderr: None, unit }
        }
        Value::Sampled { mean, stderr } => {
            let stderr = Some(round(in_units(stderr)));
            ScoreAnswer::Heuristic { value: number(in_units(mean)), stderr, unit }
        }
        Value::Estimate { mean, simulations, stderr } => {
            let stderr = round(stderr);
            ScoreAnswer::Estimate { value: number(round(mean)), simulations, stderr }
        }
        Value::Unknown => ScoreAnswer::Unknown,
    }
}

/// Warning of an answer that was to be reproducible.
const CUT: &str = "time ended the search before its budget: this answer is not reproducible; one with a smaller budget is";

/// Answer without any result: the fields that depend on the question alone.
fn blank(inquiry: &Inquiry, game: &'static str, context: &Context<'_>) -> Answer {
    let Inquiry { question, method, planned_budget, .. } = inquiry;
    Answer {
        id: question.id.clone(),
        game,
        algorithm: method.name,
        side_to_move: None,
        best_move: None,
        best_moves: Vec::new(),
        principal_variation: Vec::new(),
        notations: Notations::new(),
        score: None,
        win_probability: None,
        level: None,
        exact: true,
        proved: true,
        moves: None,
        ratings: Vec::new(),
        scheme: None,
        position: None,
        outcome: None,
        stats: StatsAnswer {
            queue_ms: if question.reproducible { 0 } else { context.queued.as_millis() as u64 },
            stopped_by: StoppedBy::Solved,
            threads: question.threads.0,
            seed: question.seed.map_or(0, |seed| seed.0),
            reproducible: question.reproducible,
            ..StatsAnswer::default()
        },
        trace: None,
        tree: None,
        warnings: planned_budget.warnings.clone(),
    }
}

/// Answer for a finished game.
pub(super) fn over(
    inquiry: &Inquiry,
    game: &'static str,
    context: &Context<'_>,
    outcome: &OutcomeAnswer,
) -> Answer {
    Answer { outcome: Some(outcome.clone()), ..blank(inquiry, game, context) }
}

/// Value of a position whose best move is worth this. Unless it is `settled`, another move may turn out better.
fn of_position(best: Value, settled: bool) -> Value {
    match best {
        Value::Draw if !settled => Value::Heuristic(0.0),
        Value::Payoff(payoff) if !settled => Value::Heuristic(payoff.into()),
        value => value,
    }
}

/// What a client should know about a report.
fn warnings(inquiry: &Inquiry, report: &WrittenReport) -> Vec<String> {
    let mut warnings = Vec::new();
    if report.may_change {
        warnings.push(PAST.into());
    }
    if report.lines[0].value == Value::Unknown && inquiry.method.evaluates {
        warnings.push("the budget was too small for any result".into());
    }
    let (most, all) = (inquiry.max_ratings, report.lines.len());
    if inquiry.question.ratings == Ratings::All && all > most {
        warnings.push(format!("{all} moves are rated; this server lists the best {most}"));
    }
    warnings
}

/// Answer from a report.
pub(super) fn answer(
    inquiry: &Inquiry,
    facts: &Facts,
    context: &Context<'_>,
    report: &WrittenReport,
) -> Answer {
    let WrittenReport { lines, stats, .. } = report;
    let best = &lines[0];
    let wanted = inquiry.wanted();
    let blank = blank(inquiry, facts.name, context);
    let warnings = [blank.warnings, warnings(inquiry, report)].concat();
    let ties = if matches!(wanted, Wanted::All | Wanted::Even) { report.ties } else { 1 };
    let shown = inquiry.shown(lines.len());
    let rated = (shown > 0).then(|| ratings(report, shown, inquiry.scheme(), facts));
    let RatedMoves { moves: ratings, scheme } = rated.unwrap_or_default();
    let value = of_position(best.known(), report.settled);
    let exact = best.exact && report.settled && !report.may_change;
    let final_lines = &lines[..shown.max(1)];
    let reproducible = inquiry.question.reproducible;
    let stopped_by = stopped_by(report.stopped, exact && final_lines.iter().all(|line| line.exact));
    let is_cut = reproducible && stopped_by.is_by_time();
    let cut = (is_cut && stopped_by == StoppedBy::Time).then(|| CUT.to_owned());
    Answer {
        side_to_move: Some(report.mover),
        best_move: Some(best.moves[0].clone()),
        best_moves: lines.iter().take(ties).map(|line| line.moves[0].clone()).collect(),
        principal_variation: best.moves.clone(),
        notations: best.notations.clone(),
        score: Some(score(value, facts)),
        win_probability: best.win_probability,
        exact,
        proved: value.is_proved() && !report.may_change,
        ratings,
        scheme,
        stats: StatsAnswer {
            depth: stats.depth,
            rated_depth: (shown > 0).then_some(if stats.rated_depth > 0 {
                stats.rated_depth
            } else {
                stats.depth
            }),
            rating_ms: if reproducible { 0 } else { stats.rating_time.as_millis() as u64 },
            nodes: stats.nodes,
            simulations: stats.simulations,
            cutoffs: stats.cutoffs,
            table_hits: stats.table_hits,
            time_ms: if reproducible { 0 } else { stats.time.as_millis() as u64 },
            stopped_by,
            reproducible: reproducible && !is_cut,
            ..blank.stats
        },
        warnings: warnings.into_iter().chain(cut).collect(),
        ..blank
    }
}

fn stopped_by(reason: StopReason, exact: bool) -> StoppedBy {
    match reason {
        StopReason::Solved if !exact => StoppedBy::Final,
        StopReason::Depth => StoppedBy::Depth,
        StopReason::Nodes => StoppedBy::Nodes,
        StopReason::Simulations => StoppedBy::Simulations,
        StopReason::Time => StoppedBy::Time,
        StopReason::Deadline => StoppedBy::Deadline,
        StopReason::Solved => StoppedBy::Solved,
        StopReason::OnlyMove => StoppedBy::OnlyMove,
        StopReason::Shutdown => StoppedBy::Shutdown,
        StopReason::Running => StoppedBy::Running,
    }
}

/// Outcome of a finished game; `sides` are the names of both sides.
pub(super) fn outcome(
    outcome: game::Outcome,
    reason: &'static str,
    sides: &[&'static str; 2],
    facts: &Facts,
) -> OutcomeAnswer {
    let payoff = match outcome {
        game::Outcome::Payoff(value) => Some(number(f64::from(value) / f64::from(facts.scale))),
        _ => None,
    };
    let result = match outcome {
        game::Outcome::Win(side) => sides[side.index()],
        game::Outcome::Payoff(value) if value > 0 => sides[0],
        game::Outcome::Payoff(value) if value < 0 => sides[1],
        _ => "draw",
    };
    OutcomeAnswer { result: result.to_owned(), reason, payoff }
}
