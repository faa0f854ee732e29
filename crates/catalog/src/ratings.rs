//! Ratings of root moves: values in points, held against the reference of the scheme.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::answer::MoveRating;
use super::explain::{round, score};
use super::plan::MOST_TOLERANCE;
use super::rating::{Bar, Bonus, Class, Label, Rating, RatingScheme, Reference, TOLERANCE, rate};
use super::stability::Stability;
use super::written::{WrittenLine, WrittenReport};
use engine::search::{Line, Value, mean_and_stderr};
use games::notation::Facts;

/// Points of a proved win, far above any evaluation; less 0.001 per ply.
const DECIDED_POINTS: f64 = 1e7;
/// Points per unit of an estimated result: one point is one percent.
const ESTIMATE_POINTS: f64 = 100.0;

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

/// The ratings of an answer.
#[derive(Default)]
pub(super) struct RatedMoves {
    /// Best first.
    pub(super) moves: Vec<MoveRating>,
    /// The scheme with its tolerance.
    pub(super) scheme: Option<RatingScheme>,
}

/// Lines that lead to different positions.
struct DistinctLines<'a> {
    /// The first with a value for each position.
    first: Vec<&'a WrittenLine>,
    /// Number of those with an upper bound alone: worse than all that have a value.
    below: usize,
    /// Place among the first of each position that a move leads to.
    places: HashMap<u64, Option<usize>>,
}

fn distinct<'a>(lines: &'a [WrittenLine], facts: &Facts) -> DistinctLines<'a> {
    let mut found = DistinctLines { first: Vec::new(), below: 0, places: HashMap::new() };
    for line in lines.iter().filter(|line| points(line.value, facts).is_some()) {
        if let Entry::Vacant(place) = found.places.entry(line.state) {
            place.insert(line.rated.then_some(found.first.len()));
            if line.rated {
                found.first.push(line);
            } else {
                found.below += 1;
            }
        }
    }
    found
}

/// Ratings of the first `shown` lines, in their order, among all of them. Moves that lead to the same position
/// count once.
pub(super) fn ratings(
    report: &WrittenReport,
    shown: usize,
    scheme: RatingScheme,
    facts: &Facts,
) -> RatedMoves {
    let lines = &report.lines;
    let DistinctLines { first, below, places } = distinct(lines, facts);
    let values = as_far_as_told_apart(&first, facts);
    let unit = Unit::of(report, facts);
    let tolerance = scheme.tolerance.unwrap_or(unit.tolerance);
    let is_static = scheme.reference == Reference::Static;
    let bar = Bar {
        reference: is_static.then_some(unit.standing),
        tolerance: tolerance * unit.points,
        ties: scheme.ties,
    };
    let rated = rate(&values, below, bar);
    let best = lines.iter().filter_map(|line| line.win_probability).fold(0.0, f64::max);
    let stderr = |value| doubt(value, facts) / unit.points * unit.slope;
    let stability = scheme.one_depth.then(|| Stability {
        best,
        earlier_best: lines.iter().filter_map(|line| line.earlier).reduce(f64::max),
        reference: if is_static { report.standing.win_probability } else { best },
        tolerance: tolerance * unit.slope,
        stderr: &stderr,
    });
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let rate_line = |line: &WrittenLine| {
        let place = places.get(&line.state).copied().flatten();
        let place = place.filter(|_| line.win_probability.is_some());
        let ties = place.is_some_and(|place| values[place] == most);
        let best = if ties { line.win_probability.unwrap_or(0.0) } else { best };
        let reference = if is_static { report.standing.win_probability } else { best };
        let rating = place.map(|place| &rated[place]);
        let label =
            |p: f64| Label::of((reference - p).max(0.0), ties, rating.map(|rating| rating.class));
        MoveRating {
            label: line.win_probability.map(label),
            stable: stability.as_ref().and_then(|stability| stability.of(line)),
            ..move_rating(line, rating, best, scheme.pass_bonus, facts)
        }
    };
    let moves = lines[..shown].iter().map(rate_line).collect();
    let scheme = RatingScheme { tolerance: Some(round(tolerance)), ..scheme };
    RatedMoves { moves, scheme: Some(scheme) }
}

/// What the values of a report are measured in: the game's units, or expected result where playouts estimate
/// them.
struct Unit {
    /// Points in one of it.
    points: f64,
    /// Value of the root without search, in points.
    standing: f64,
    /// Tolerance unless the question has one.
    tolerance: f64,
    /// Expected result that one of it is worth in an even position.
    slope: f64,
}

impl Unit {
    fn of(report: &WrittenReport, facts: &Facts) -> Self {
        let WrittenReport { lines, standing, .. } = report;
        if lines.iter().any(|line| matches!(line.value, Value::Estimate { .. })) {
            let standing = (standing.win_probability - 0.5) * ESTIMATE_POINTS;
            return Self { points: ESTIMATE_POINTS, standing, tolerance: TOLERANCE, slope: 1.0 };
        }
        let (scale, points) = (f64::from(facts.scale), 1.0 / facts.point);
        // Where an evaluation says next to nothing, only results differ by more than the tolerance.
        let tolerance = (standing.tolerance / scale).min(MOST_TOLERANCE);
        Self {
            points,
            standing: standing.value / scale * points,
            tolerance,
            slope: if tolerance > 0.0 { TOLERANCE / tolerance } else { 0.0 },
        }
    }
}

/// Values of lines in points. A value within two standard errors of a better one is replaced by it.
fn as_far_as_told_apart(lines: &[&WrittenLine], facts: &Facts) -> Vec<f64> {
    let mut values: Vec<_> =
        lines.iter().map(|line| points(line.value, facts).unwrap_or(f64::NEG_INFINITY)).collect();
    let is_certain =
        |line: &&WrittenLine| line.worlds.len() <= 1 && doubt(line.value, facts) == 0.0;
    if lines.iter().all(is_certain) {
        return values;
    }
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
    pass_bonus: bool,
    facts: &Facts,
) -> MoveRating {
    let win_probability = line.win_probability;
    // What a client gets by subtracting the two that it sees.
    let loss = win_probability.map(|p| round(round(best) - round(p)));
    let bonus = rating.and_then(|rating| rating.bonus);
    let is_correct = rating.is_some_and(|rating| rating.class == Class::Correct);
    let patient = (line.patient && pass_bonus && is_correct).then_some(Bonus::PatientPass);
    MoveRating {
        mv: line.moves[0].clone(),
        score: score(line.known(), facts),
        exact: line.exact,
        win_probability,
        loss,
        class: rating.map(|rating| rating.class),
        points: rating.map(|rating| round(rating.points + patient.map_or(0.0, Bonus::points))),
        bonus: bonus.into_iter().chain(patient).collect(),
        label: None,
        stable: None,
        principal_variation: line.moves.clone(),
        notations: line.notations.clone(),
        bounded: line.bounded,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Notations;
    use crate::rating::{Class, Ties};
    use games::genius::Genius;
    use games::notation::Notation;

    fn line(value: Value, worlds: &[f64]) -> WrittenLine {
        let moves = vec!["a".to_owned()];
        let worlds = worlds.to_vec();
        let (exact, rated) = (false, true);
        WrittenLine {
            moves,
            notations: Notations::new(),
            value,
            exact,
            rated,
            bounded: false,
            worlds,
            win_probability: None,
            earlier: None,
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
    fn a_patient_pass_has_its_bonus_if_it_is_correct() {
        let bar = Bar { reference: None, tolerance: 1.0, ties: Ties::Mean };
        let points = |values: &[f64], pass: usize, patient: bool| {
            let rated = rate(values, 0, bar);
            let of = |(place, rating): (usize, &Rating)| {
                let line =
                    WrittenLine { patient: patient && place == pass, ..line(Value::Unknown, &[]) };
                move_rating(&line, Some(rating), 0.5, true, &Genius::facts()).points
            };
            rated.iter().enumerate().filter_map(of).collect::<Vec<_>>()
        };
        assert_eq!(points(&[8.0, 3.0, 1.0], 0, true), [30.0, 5.0, 0.0]);
        assert_eq!(points(&[8.0, 3.0, 1.0], 0, false), [20.0, 5.0, 0.0], "with Liben");
        assert_eq!(points(&[9.0, 2.0, -5.0], 2, true), [20.0, 5.0, -10.0], "a mistake");
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
        let rated =
            rate(&points_of(&lines), 0, Bar { reference: None, tolerance: 1.0, ties: Ties::Mean });
        assert_eq!(rated[0], rated[1]);
        assert_eq!(rated[0].class, Class::Correct);
        assert_eq!((rated[2].class, rated[2].bonus), (Class::Mistake, Some(Bonus::OnlyMistake)));
    }
}
