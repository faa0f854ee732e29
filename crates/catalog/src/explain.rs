//! Conversion of a search report to the answer of the HTTP contract: scores in units, ratings, warnings.

use serde_json::Number;

use super::answer::{Answer, MoveRating, OutcomeAnswer, ScoreAnswer, StatsAnswer, StoppedBy};
use super::entry::Context;
use super::plan::Inquiry;
use super::written::{WrittenLine, WrittenReport};
use crate::rating::{Bonus, Rating, TAU, label, rate};
use engine::game::{self, Evaluator, Side};
use engine::search::{Line, StopReason, Value, Wanted, mean_and_stderr};
use games::notation::{Facts, Served};

/// Points of a proved win, far above any evaluation; less 0.001 per ply.
const DECIDED_POINTS: f64 = 1e7;
/// Points per unit of an estimated result: one point is one percent.
const ESTIMATE_POINTS: f64 = 100.0;

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
fn round(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

pub(super) fn score(value: Value, facts: &Facts) -> ScoreAnswer {
    let unit = facts.unit;
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

/// Value in rating points; `None` if unknown.
fn points(value: Value, facts: &Facts) -> Option<f64> {
    match value {
        Value::Win(plies) => Some(DECIDED_POINTS - f64::from(plies) / 1e3),
        Value::Loss(plies) => Some(f64::from(plies) / 1e3 - DECIDED_POINTS),
        Value::Draw => Some(0.0),
        Value::Payoff(payoff) => Some(f64::from(payoff) / f64::from(facts.scale) / facts.point),
        Value::Heuristic(value) | Value::Sampled { mean: value, .. } => {
            Some(value / f64::from(facts.scale) / facts.point)
        }
        Value::Estimate { mean, .. } => Some((mean - 0.5) * ESTIMATE_POINTS),
        Value::Unknown => None,
    }
}

/// Sorts lines best first and returns the number that tie for best. Lines with only an upper bound come last.
pub(super) fn rank<M>(lines: &mut [Line<M>], facts: &Facts) -> usize {
    let key = |line: &Line<M>| {
        let points = points(line.value, facts).filter(|_| line.rated);
        points.unwrap_or(f64::NEG_INFINITY)
    };
    lines.sort_by(|a, b| key(b).total_cmp(&key(a)));
    lines.iter().take_while(|line| key(line) == key(&lines[0])).count()
}

/// Ratings of the first `shown` lines, in their order, among all of them. Moves that lead to the same position
/// count once.
fn ratings(lines: &[WrittenLine], shown: usize, facts: &Facts) -> Vec<MoveRating> {
    let mut first: Vec<&WrittenLine> = Vec::new();
    // Lines with an upper bound alone: worse than all that have a value.
    let mut below: Vec<&WrittenLine> = Vec::new();
    for line in lines.iter().filter(|line| points(line.value, facts).is_some()) {
        let is_known = first.iter().chain(&below).any(|other| other.state == line.state);
        if !is_known {
            if line.rated { &mut first } else { &mut below }.push(line);
        }
    }
    let values = as_far_as_told_apart(&first, facts);
    let rated = rate(&values, below.len(), TAU);
    let best = lines.iter().filter_map(|line| line.win_probability).fold(0.0, f64::max);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let rate_line = |line: &WrittenLine| {
        let place = first.iter().position(|other| other.state == line.state);
        let is_best = place.is_some_and(|place| values[place] == most);
        let best = if is_best { line.win_probability.unwrap_or(0.0) } else { best };
        move_rating(line, place.map(|place| &rated[place]), round(best), facts)
    };
    lines[..shown].iter().map(rate_line).collect()
}

/// Values of lines in points. A value within two standard errors of a better one is replaced by it.
fn as_far_as_told_apart(lines: &[&WrittenLine], facts: &Facts) -> Vec<f64> {
    let mut values: Vec<_> =
        lines.iter().map(|line| points(line.value, facts).unwrap_or(f64::NEG_INFINITY)).collect();
    let mut order: Vec<_> = (0..lines.len()).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    let mut heads: Vec<usize> = Vec::new();
    for n in order {
        match heads.iter().find(|&&head| !is_told_apart(lines[head], lines[n], facts)) {
            Some(&head) => values[n] = values[head],
            None => heads.push(n),
        }
    }
    values
}

/// True if two values differ by more than two standard errors. Means over the same determinizations are
/// compared by their paired differences.
fn is_told_apart(a: &WrittenLine, b: &WrittenLine, facts: &Facts) -> bool {
    if a.worlds.len() == b.worlds.len() && a.worlds.len() > 1 {
        let differences: Vec<_> = a.worlds.iter().zip(&b.worlds).map(|(a, b)| a - b).collect();
        let (mean, stderr) = mean_and_stderr(&differences);
        return mean.abs() > 2.0 * stderr.unwrap_or(0.0);
    }
    let doubt = doubt(a.value, facts).hypot(doubt(b.value, facts));
    let values = [a.value, b.value].map(|value| points(value, facts).unwrap_or(0.0));
    (values[0] - values[1]).abs() > 2.0 * doubt
}

/// Standard error of a value in points; 0 for a deterministic one.
fn doubt(value: Value, facts: &Facts) -> f64 {
    match value {
        Value::Sampled { stderr, .. } => stderr / f64::from(facts.scale) / facts.point,
        Value::Estimate { stderr, .. } => stderr * ESTIMATE_POINTS,
        _ => 0.0,
    }
}

fn move_rating(
    line: &WrittenLine,
    rating: Option<&Rating>,
    best: f64,
    facts: &Facts,
) -> MoveRating {
    let win_probability = line.win_probability.map(round);
    let loss = win_probability.map(|p| round(best - p));
    let bonus = rating.and_then(|rating| rating.bonus);
    let patient = line.patient.then_some(Bonus::PatientPass).filter(|_| rating.is_some());
    MoveRating {
        mv: line.moves[0].clone(),
        score: score(line.known(), facts),
        exact: line.exact,
        win_probability,
        loss,
        class: rating.map(|rating| rating.class),
        points: rating.map(|rating| round(rating.points + patient.map_or(0.0, Bonus::points))),
        bonus: bonus.into_iter().chain(patient).collect(),
        label: loss.map(label),
        principal_variation: line.moves.clone(),
    }
}

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
        score: None,
        win_probability: None,
        exact: true,
        proved: true,
        moves: None,
        ratings: Vec::new(),
        position: None,
        outcome: None,
        stats: StatsAnswer {
            queue_ms: if question.reproducible { 0 } else { context.queued.as_millis() as u64 },
            stopped_by: StoppedBy::Solved,
            threads: question.threads.0,
            seed: question.seed.0,
            reproducible: question.reproducible,
            ..StatsAnswer::default()
        },
        trace: None,
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
    let mut warnings = blank.warnings;
    if report.may_change {
        warnings.push(PAST.into());
    }
    if best.value == Value::Unknown && inquiry.method.evaluates {
        warnings.push("the budget was too small for any result".into());
    }
    let ties = if wanted == Wanted::All { report.ties } else { 1 };
    let shown = inquiry.shown(lines.len());
    let ratings = if shown == 0 { Vec::new() } else { ratings(lines, shown, facts) };
    let value = of_position(best.known(), report.settled);
    let exact = best.exact && report.settled && !report.may_change;
    let final_lines = &lines[..shown.max(1)];
    let reproducible = inquiry.question.reproducible;
    Answer {
        side_to_move: Some(report.mover),
        best_move: Some(best.moves[0].clone()),
        best_moves: lines.iter().take(ties).map(|line| line.moves[0].clone()).collect(),
        principal_variation: best.moves.clone(),
        score: Some(score(value, facts)),
        win_probability: best.win_probability.map(round),
        exact,
        proved: value.is_proved() && !report.may_change,
        ratings,
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
            stopped_by: stopped_by(
                report.stopped,
                exact && final_lines.iter().all(|line| line.exact),
            ),
            ..blank.stats
        },
        warnings,
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

/// Static evaluation for a side.
pub(super) fn evaluation<G: Served>(
    pos: &G,
    mut evaluator: G::Evaluator,
    mover: Side,
    facts: &Facts,
) -> ScoreAnswer {
    evaluator.enter(pos);
    score(Value::Heuristic(f64::from(evaluator.evaluate(pos, mover))), facts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::{Bonus, Class};
    use games::genius::Genius;
    use games::notation::Notation;

    fn line(value: Value, worlds: &[f64]) -> WrittenLine {
        let moves = vec!["a".to_owned()];
        let worlds = worlds.to_vec();
        let (exact, rated) = (false, true);
        WrittenLine {
            moves,
            value,
            exact,
            rated,
            worlds,
            win_probability: None,
            patient: false,
            state: 0,
        }
    }

    fn over_worlds(worlds: &[f64]) -> WrittenLine {
        let (mean, stderr) = mean_and_stderr(worlds);
        let value = Value::Sampled { mean, stderr: stderr.expect("several worlds") };
        line(value, worlds)
    }

    fn estimated(mean: f64, stderr: f64) -> WrittenLine {
        let value = Value::Estimate { mean, simulations: 100, stderr };
        line(value, &[])
    }

    fn points_of(lines: &[WrittenLine]) -> Vec<f64> {
        as_far_as_told_apart(&lines.iter().collect::<Vec<_>>(), &Genius::facts())
    }

    #[test]
    fn differences_are_taken_world_by_world() {
        // The worlds differ far more than the moves, but the second move is worse in each world.
        let values = points_of(&[
            over_worlds(&[900.0, -700.0, 100.0, 300.0]),
            over_worlds(&[800.0, -810.0, 0.0, 195.0]),
        ]);
        assert_eq!(values, [1.5, 0.4625]);
        // Better in two worlds, worse in two: the difference is not significant.
        let values = points_of(&[
            over_worlds(&[900.0, -700.0, 100.0, 300.0]),
            over_worlds(&[400.0, -300.0, -300.0, 600.0]),
        ]);
        assert_eq!(values, [1.5, 1.5]);
    }

    #[test]
    fn estimates_are_told_apart_by_both_their_errors() {
        let values =
            points_of(&[estimated(0.5, 0.02), estimated(0.55, 0.02), estimated(0.4, 0.02)]);
        for (value, wanted) in values.into_iter().zip([5.0, 5.0, -10.0]) {
            assert!((value - wanted).abs() < 1e-9, "{value}, not {wanted}");
        }
    }

    #[test]
    fn what_cannot_be_told_from_the_best_move_is_correct_too() {
        let lines = [
            over_worlds(&[900.0, -700.0, 100.0, 300.0]),
            over_worlds(&[400.0, -300.0, -300.0, 600.0]),
            over_worlds(&[100.0, -1500.0, -700.0, -500.0]),
        ];
        let rated = rate(&points_of(&lines), 0, TAU);
        assert_eq!(rated[0], rated[1]);
        assert_eq!(rated[0].class, Class::Correct);
        assert_eq!((rated[2].class, rated[2].bonus), (Class::Mistake, Some(Bonus::OnlyMistake)));
    }
}
