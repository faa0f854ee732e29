//! Ratings of moves, a pure function of their search values.
//!
//! A move keeps the value of the position (correct), loses some of it without falling below even (slack), or
//! falls below even (mistake). Its points give its rank among the others.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::shape::word;

/// Loss of expected result that a correct move may have, where the question names no tolerance: the bound of
/// the label `excellent`.
pub(super) const TOLERANCE: f64 = 0.02;

/// What the value of a move is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reference {
    /// The value of the best move.
    #[default]
    Best,
    /// The static evaluation of the position before the move.
    Static,
}

/// Places of moves with equal values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ties {
    /// The mean of their places.
    #[default]
    Mean,
    /// The best of their places.
    Best,
}

/// How moves are rated.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RatingScheme {
    /// What the value of a move is compared with for its class and label; `best` unless given.
    #[serde(default, deserialize_with = "word")]
    #[schema(value_type = Option<Reference>, nullable = false)]
    pub reference: Reference,
    /// What a correct move may lose, in units of the game's values; for estimates in expected result, 0 to 1.
    /// Unless given, what costs 0.02 of expected result in an even position.
    #[serde(default)]
    #[schema(minimum = 0)]
    pub tolerance: Option<f64>,
    /// Places of moves with equal values; `mean` unless given.
    #[serde(default, deserialize_with = "word")]
    #[schema(value_type = Option<Ties>, nullable = false)]
    pub ties: Ties,
    /// Whether a patient pass in the card duel earns its bonus; true unless given.
    #[serde(default = "yes")]
    #[schema(value_type = Option<bool>, nullable = false)]
    pub pass_bonus: bool,
    /// Whether the best move is searched no deeper than the others, so that losses compare values of one depth and
    /// the rating says whether it is stable; false unless given.
    #[serde(default)]
    #[schema(value_type = Option<bool>, nullable = false)]
    pub one_depth: bool,
}

fn yes() -> bool {
    true
}

impl Default for RatingScheme {
    fn default() -> Self {
        let (reference, ties) = (Reference::Best, Ties::Mean);
        Self { reference, tolerance: None, ties, pass_bonus: true, one_depth: false }
    }
}

/// Effect of a move on the value of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Loses at most the tolerance against the reference.
    Correct,
    /// Loses more; the mover is not worse than even.
    Slack,
    /// Loses more, and the mover is worse than even.
    Mistake,
}

/// Points added to those for the rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Bonus {
    /// +10: no other move is correct.
    OnlyCorrect,
    /// -10: no other move is a mistake.
    OnlyMistake,
    /// +10: in the card duel, a correct move ends the round with three dice or more and no Liben, with Vanarana more
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

/// What moves are held against, in the unit of their values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bar {
    /// Value of the reference; `None`: the best move.
    pub(super) reference: Option<f64>,
    /// What a correct move may lose.
    pub(super) tolerance: f64,
    pub(super) ties: Ties,
}

/// Rates moves by their values for the side to move; 0 is even. The moves must lead to different positions;
/// `below` more are worse than all of them.
pub(super) fn rate(values: &[f64], below: usize, bar: Bar) -> Vec<Rating> {
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let kept = bar.reference.unwrap_or(best) - bar.tolerance;
    let class = |value: f64| {
        if value >= kept {
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
        Rating { class, points: place_points(values, below, value, bar.ties) + extra, bonus }
    };
    values.iter().map(rate_one).collect()
}

/// Points by rank: 10 for the first, 0 for the last, linear between.
fn place_points(values: &[f64], below: usize, value: f64, ties: Ties) -> f64 {
    if values.len() + below == 1 {
        return 10.0;
    }
    let better = values.iter().filter(|&&other| other > value).count() as f64;
    let equal = values.iter().filter(|&&other| other == value).count() as f64;
    let place = match ties {
        Ties::Mean => better + (equal - 1.0) / 2.0,
        Ties::Best => better,
    };
    let last = (values.len() + below - 1) as f64;
    10.0 * (last - place) / last
}

/// How much expected result a move loses, in words. They agree with its class: a correct move is at least
/// `good`, one of class `mistake` at most an `inaccuracy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Label {
    /// Ties for the best value, and is not below the reference.
    Best,
    /// Loses at most 0.02.
    Excellent,
    /// Loses at most 0.05.
    Good,
    /// Loses at most 0.10.
    Inaccuracy,
    /// Loses at most 0.20.
    Mistake,
    /// Loses more.
    Blunder,
}

impl Label {
    /// The label for a loss of expected result, 0 to 1. `ties` with the best value?
    pub(super) fn of(loss: f64, ties: bool, class: Option<Class>) -> Self {
        // Rounding error of a difference of probabilities.
        const ROUNDING: f64 = 1e-9;
        let by_loss = match loss - ROUNDING {
            _ if ties && class.is_none_or(|class| class == Class::Correct) => Self::Best,
            loss if loss <= 0.02 => Self::Excellent,
            loss if loss <= 0.05 => Self::Good,
            loss if loss <= 0.10 => Self::Inaccuracy,
            loss if loss <= 0.20 => Self::Mistake,
            _ => Self::Blunder,
        };
        match class {
            Some(Class::Correct) => by_loss.min(Self::Good),
            Some(Class::Mistake) => by_loss.max(Self::Inaccuracy),
            Some(Class::Slack) | None => by_loss,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEST: Bar = Bar { reference: None, tolerance: 1.0, ties: Ties::Mean };

    fn assert_rated(values: &[f64], bar: Bar, classes: &str, points: &[f64]) {
        let ratings = rate(values, 0, bar);
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
        let of = |values, classes, points| assert_rated(values, BEST, classes, points);
        of(&[12.0, 11.5, 3.0, 0.0, -4.0], "ccssm", &[10.0, 7.5, 5.0, 2.5, -10.0]);
        of(&[20.0, 5.0, 5.0, -1.0, -2.0], "cssmm", &[20.0, 6.25, 6.25, 2.5, 0.0]);
        of(&[4.0, -6.0], "cm", &[20.0, -10.0]);
        of(&[-30.0], "c", &[10.0]);
        of(&[0.0; 4], "cccc", &[5.0; 4]);
        of(&[-50.0, -50.5, -60.0, -70.0], "ccmm", &[10.0, 6.67, 3.33, 0.0]);
        let wide = Bar { tolerance: 2.0, ..BEST };
        assert_rated(&[12.0, 10.5, 10.0, 9.9], wide, "cccs", &[10.0, 6.67, 3.33, 0.0]);
        let before = |value| Bar { reference: Some(value), ..BEST };
        assert_rated(&[6.0, 4.0, -3.0], before(15.0), "ssm", &[10.0, 5.0, -10.0]);
        assert_rated(&[6.0, 4.0, -3.0], before(-10.0), "ccc", &[10.0, 5.0, 0.0]);
        let ties = Bar { ties: Ties::Best, ..BEST };
        assert_rated(&[20.0, 5.0, 5.0, -1.0, -2.0], ties, "cssmm", &[20.0, 7.5, 7.5, 2.5, 0.0]);
    }

    #[test]
    fn the_best_few_are_rated_as_among_all() {
        let values = [12.0, 11.5, 3.0, 3.0, -4.0, -5.0];
        let all = rate(&values, 0, BEST);
        for count in [2, 4, 5] {
            assert_eq!(rate(&values[..count], values.len() - count, BEST), all[..count], "{count}");
        }
    }

    #[test]
    fn labels_change_at_their_bounds() {
        let bounds = [
            (0.02, Label::Excellent),
            (0.05, Label::Good),
            (0.10, Label::Inaccuracy),
            (0.20, Label::Mistake),
            (1.0, Label::Blunder),
        ];
        for (bound, wanted) in bounds {
            assert_eq!(Label::of(bound, false, None), wanted, "a loss of {bound}");
        }
        assert_eq!(Label::of(0.0200001, false, None), Label::Good);
        assert_eq!(Label::of(0.0, true, Some(Class::Correct)), Label::Best);
        assert_eq!(Label::of(0.0, false, Some(Class::Slack)), Label::Excellent);
    }

    #[test]
    fn labels_agree_with_classes() {
        assert_eq!(Label::of(0.3, false, Some(Class::Correct)), Label::Good);
        assert_eq!(Label::of(0.01, false, Some(Class::Mistake)), Label::Inaccuracy);
        assert_eq!(Label::of(0.3, false, Some(Class::Slack)), Label::Blunder);
        assert_eq!(Label::of(0.3, true, Some(Class::Slack)), Label::Blunder);
        assert_eq!(Label::of(0.3, true, Some(Class::Mistake)), Label::Blunder);
        assert_eq!(Label::of(0.0, true, Some(Class::Mistake)), Label::Inaccuracy);
    }
}
