//! Ratings of moves: a pure function of what a search says they are worth.
//!
//! A move keeps the value of the position (correct), gives some of it away but keeps it from being
//! bad (slack), or makes it bad (mistake). Its points say where it stands among the others.

/// Points that a correct move may lose against the best one, 0 to 2.
pub(super) const TAU: f64 = 1.0;

/// What a move does to the value of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Keeps it, but for `tau`.
    Correct,
    /// Loses some; the mover does not stand worse than even.
    Slack,
    /// Leaves the mover worse than even.
    Mistake,
}

/// Points beside those for the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bonus {
    /// +10: no other move is correct.
    OnlyCorrect,
    /// -10: no other move is a mistake.
    OnlyMistake,
}

impl Bonus {
    const fn points(self) -> f64 {
        match self {
            Self::OnlyCorrect => 10.0,
            Self::OnlyMistake => -10.0,
        }
    }
}

/// The rating of a move.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rating {
    /// What it does to the value.
    pub(super) class: Class,
    /// 10 for the best place down to 0 for the last, and the bonus.
    pub(super) points: f64,
    /// The bonus counted in.
    pub(super) bonus: Option<Bonus>,
}

/// Rates moves by their values for the mover, in points; 0 is even. A correct move loses at most `tau`. The
/// moves must lead to different positions.
pub(super) fn rate(values: &[f64], tau: f64) -> Vec<Rating> {
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
            Class::Mistake if mistakes == 1 => Some(Bonus::OnlyMistake),
            _ => None,
        };
        let extra = bonus.map_or(0.0, Bonus::points);
        Rating { class, points: place_points(values, value) + extra, bonus }
    };
    values.iter().map(rate_one).collect()
}

/// 10 points for the first place, 0 for the last, the rest evenly between; equal moves get the mean of the
/// places they share.
fn place_points(values: &[f64], value: f64) -> f64 {
    if values.len() == 1 {
        return 10.0;
    }
    let better = values.iter().filter(|&&other| other > value).count() as f64;
    let equal = values.iter().filter(|&&other| other == value).count() as f64;
    let place = better + (equal - 1.0) / 2.0;
    let last = (values.len() - 1) as f64;
    10.0 * (last - place) / last
}

/// What a move gives away, on the scale of the expected result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    /// Nothing.
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

/// The label for an expected result given away, 0 to 1.
pub(super) fn label(loss: f64) -> Label {
    // Differences of probabilities carry rounding errors of this size.
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
        let ratings = rate(values, tau);
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
