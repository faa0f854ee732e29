//! Ratings of moves, a pure function of their search values.
//!
//! A move keeps the value of the position (correct), loses some of it without falling below even (slack), or
//! falls below even (mistake). Its points give its rank among the others.

use serde::Serialize;
use utoipa::ToSchema;

/// Maximum loss of a correct move against the best one, in points, 0 to 2.
pub(super) const TAU: f64 = 1.0;

/// Effect of a move on the value of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Loses at most `tau`.
    Correct,
    /// Loses more; the mover is not worse than even.
    Slack,
    /// Loses more, and the mover is worse than even.
    Mistake,
}

/// Points added to those for the rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Bonus {
    /// +10: no other move is correct.
    OnlyCorrect,
    /// -10: no other move is a mistake.
    OnlyMistake,
    /// +10: in the card duel, the move ends the round with three dice or more and no Liben, with Vanarana more
    /// than five.
    PatientPass,
}

impl Bonus {
    pub(super) const fn points(self) -> f64 {
        match self {
            Self::OnlyCorrect | Self::PatientPass => 10.0,
            Self::OnlyMistake => -10.0,
        }
    }
}

/// Rating of a move.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rating {
    /// Effect on the value.
    pub(super) class: Class,
    /// 10 for the first rank down to 0 for the last, plus the bonus.
    pub(super) points: f64,
    /// Bonus included in the points.
    pub(super) bonus: Option<Bonus>,
}

/// Rates moves by their values for the side to move, in points; 0 is even. A correct move loses at most
/// `tau`. The moves must lead to different positions; `below` more are worse than all of them.
pub(super) fn rate(values: &[f64], below: usize, tau: f64) -> Vec<Rating> {
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let class = |value: f64| {
        if value >= best - tau {
            Class::Correct
        } else if value >= 0.0 {
            Class::Slack
        } else {
            Class::Mistake
        }
    };
    let count = |wanted: Class| values.iter().filter(|&&value| class(value) == wanted).count();
    let (correct, mistakes) = (count(Class::Correct), count(Class::Mistake));
    let rate_one = |&value: &f64| {
        let class = class(value);
        let bonus = match class {
            _ if values.len() < 2 => None,
            Class::Correct if correct == 1 => Some(Bonus::OnlyCorrect),
            // Whatever is worse than a mistake is one.
            Class::Mistake if mistakes + below == 1 => Some(Bonus::OnlyMistake),
            _ => None,
        };
        let extra = bonus.map_or(0.0, Bonus::points);
        Rating { class, points: place_points(values, below, value) + extra, bonus }
    };
    values.iter().map(rate_one).collect()
}

/// Points by rank: 10 for the first, 0 for the last, linear between; tied moves get the mean of their ranks.
fn place_points(values: &[f64], below: usize, value: f64) -> f64 {
    if values.len() + below == 1 {
        return 10.0;
    }
    let better = values.iter().filter(|&&other| other > value).count() as f64;
    let equal = values.iter().filter(|&&other| other == value).count() as f64;
    let place = better + (equal - 1.0) / 2.0;
    let last = (values.len() + below - 1) as f64;
    10.0 * (last - place) / last
}

/// Class of a move by its loss of expected result, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Label {
    /// 0.
    Best,
    /// At most 0.02.
    Excellent,
    /// At most 0.05.
    Good,
    /// At most 0.10.
    Inaccuracy,
    /// At most 0.20.
    Mistake,
    /// More.
    Blunder,
}

/// Label for a loss of expected result, 0 to 1.
pub(super) fn label(loss: f64) -> Label {
    // Rounding error of a difference of probabilities.
    const ROUNDING: f64 = 1e-9;
    match loss - ROUNDING {
        loss if loss <= 0.0 => Label::Best,
        loss if loss <= 0.02 => Label::Excellent,
        loss if loss <= 0.05 => Label::Good,
        loss if loss <= 0.10 => Label::Inaccuracy,
        loss if loss <= 0.20 => Label::Mistake,
        _ => Label::Blunder,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_rated(values: &[f64], tau: f64, classes: &str, points: &[f64]) {
        let ratings = rate(values, 0, tau);
        let letter = |rating: &Rating| match rating.class {
            Class::Correct => 'c',
            Class::Slack => 's',
            Class::Mistake => 'm',
        };
        assert_eq!(ratings.iter().map(letter).collect::<String>(), classes, "{values:?}");
        for (rating, wanted) in ratings.iter().zip(points) {
            assert!((rating.points - wanted).abs() < 0.005, "{values:?}: {ratings:?}");
        }
    }

    #[test]
    fn the_worked_examples_come_out() {
        let of = |values, classes, points| assert_rated(values, TAU, classes, points);
        of(&[12.0, 11.5, 3.0, 0.0, -4.0], "ccssm", &[10.0, 7.5, 5.0, 2.5, -10.0]);
        of(&[20.0, 5.0, 5.0, -1.0, -2.0], "cssmm", &[20.0, 6.25, 6.25, 2.5, 0.0]);
        of(&[4.0, -6.0], "cm", &[20.0, -10.0]);
        of(&[-30.0], "c", &[10.0]);
        of(&[0.0; 4], "cccc", &[5.0; 4]);
        of(&[-50.0, -50.5, -60.0, -70.0], "ccmm", &[10.0, 6.67, 3.33, 0.0]);
        assert_rated(&[12.0, 10.5, 10.0, 9.9], 2.0, "cccs", &[10.0, 6.67, 3.33, 0.0]);
    }

    #[test]
    fn the_best_few_are_rated_as_among_all() {
        let values = [12.0, 11.5, 3.0, 3.0, -4.0, -5.0];
        let all = rate(&values, 0, TAU);
        for count in [2, 4, 5] {
            assert_eq!(rate(&values[..count], values.len() - count, TAU), all[..count], "{count}");
        }
    }

    #[test]
    fn labels_change_at_their_bounds() {
        let bounds = [0.0, 0.02, 0.05, 0.10, 0.20, 1.0];
        let labels = [
            Label::Best,
            Label::Excellent,
            Label::Good,
            Label::Inaccuracy,
            Label::Mistake,
            Label::Blunder,
        ];
        for (bound, wanted) in bounds.into_iter().zip(labels) {
            assert_eq!(label(bound), wanted, "a loss of {bound}");
        }
        assert_eq!(label(0.0200001), Label::Good);
    }
}
