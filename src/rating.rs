//! Ratings of moves: a pure function of what a search says they are worth.
//!
//! A move keeps the value of the position (correct), gives some of it away but keeps it from being
//! bad (slack), or makes it bad (mistake). Its points say where it stands among the others.

/// Where the value to be kept comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reference {
    /// The value of the best move.
    Search,
    /// The static value of the position before the move, in points.
    Static(f64),
}

/// What moves of equal value get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The mean of the places they share.
    Mean,
    /// The best of the places they share.
    Best,
}

/// How to rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scheme {
    /// How much a correct move may lose, in points: 0 to 2.
    pub tau: f64,
    /// What it is measured against.
    pub reference: Reference,
    /// What equal moves get.
    pub ties: Ties,
}

impl Default for Scheme {
    fn default() -> Self {
        Self { tau: 1.0, reference: Reference::Search, ties: Ties::Mean }
    }
}

/// A pass that keeps dice for later, as in the card duel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass {
    /// The index of the pass among the moves.
    pub index: usize,
    /// Dice not spent.
    pub unspent_dice: u32,
    /// Whether the mover has a Liben, who would use them up.
    pub has_liben: bool,
    /// Whether the mover has a Vanarana, which keeps two of them anyway.
    pub has_vanarana: bool,
}

impl Pass {
    fn is_patient(self) -> bool {
        let enough = if self.has_vanarana { 5 } else { 3 };
        !self.has_liben && self.unspent_dice >= enough
    }
}

/// What a move does to the value of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Keeps it, but for `tau`.
    Correct,
    /// Loses some; the mover does not stand worse than even.
    Slack,
    /// Leaves the mover worse than even.
    Mistake,
}

/// Points beside those for the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bonus {
    /// +10: no other move is correct.
    OnlyCorrect,
    /// -10: no other move is a mistake.
    OnlyMistake,
    /// +10: a correct pass that keeps enough dice.
    PatientPass,
}

impl Bonus {
    const fn points(self) -> f64 {
        match self {
            Self::OnlyCorrect | Self::PatientPass => 10.0,
            Self::OnlyMistake => -10.0,
        }
    }
}

/// The rating of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Rating {
    /// What it does to the value.
    pub class: Class,
    /// 10 for the best place down to 0 for the last, and the bonuses.
    pub points: f64,
    /// The bonuses counted in.
    pub bonus: Vec<Bonus>,
}

/// Rates moves by their values for the mover, in points; 0 is even. The moves must lead to
/// different positions. `pass` is given where one of them is a pass that may earn a bonus.
pub fn rate(values: &[f64], pass: Option<Pass>, scheme: &Scheme) -> Vec<Rating> {
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let kept = match scheme.reference {
        Reference::Search => best,
        Reference::Static(value) => value,
    };
    let class = |value: f64| {
        if value >= kept - scheme.tau {
            Class::Correct
        } else if value >= 0.0 {
            Class::Slack
        } else {
            Class::Mistake
        }
    };
    let count = |wanted: Class| values.iter().filter(|&&value| class(value) == wanted).count();
    let (correct, mistakes) = (count(Class::Correct), count(Class::Mistake));
    let rate_one = |(index, &value): (usize, &f64)| {
        let class = class(value);
        let mut bonus = Vec::new();
        if values.len() >= 2 && class == Class::Correct && correct == 1 {
            bonus.push(Bonus::OnlyCorrect);
        }
        if values.len() >= 2 && class == Class::Mistake && mistakes == 1 {
            bonus.push(Bonus::OnlyMistake);
        }
        let patient = pass.is_some_and(|pass| pass.index == index && pass.is_patient());
        if values.len() >= 2 && class == Class::Correct && patient {
            bonus.push(Bonus::PatientPass);
        }
        let extra: f64 = bonus.iter().map(|bonus| bonus.points()).sum();
        Rating { class, points: place_points(values, value, scheme.ties) + extra, bonus }
    };
    values.iter().enumerate().map(rate_one).collect()
}

/// 10 points for the first place, 0 for the last, the rest evenly between.
fn place_points(values: &[f64], value: f64, ties: Ties) -> f64 {
    if values.len() == 1 {
        return 10.0;
    }
    let better = values.iter().filter(|&&other| other > value).count() as f64;
    let equal = values.iter().filter(|&&other| other == value).count() as f64;
    let place = match ties {
        Ties::Mean => better + (equal - 1.0) / 2.0,
        Ties::Best => better,
    };
    let last = (values.len() - 1) as f64;
    10.0 * (last - place) / last
}

/// What a move gives away, on the scale of the expected result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
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
pub fn label(loss: f64) -> Label {
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

    fn assert_rated(
        values: &[f64],
        pass: Option<Pass>,
        scheme: Scheme,
        classes: &str,
        points: &[f64],
    ) {
        let ratings = rate(values, pass, &scheme);
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

    fn pass(index: usize, unspent_dice: u32) -> Pass {
        Pass { index, unspent_dice, has_liben: false, has_vanarana: false }
    }

    #[test]
    fn the_worked_examples_come_out() {
        let plain = Scheme::default();
        let of = |values, classes, points| assert_rated(values, None, plain, classes, points);
        of(&[12.0, 11.5, 3.0, 0.0, -4.0], "ccssm", &[10.0, 7.5, 5.0, 2.5, -10.0]);
        of(&[20.0, 5.0, 5.0, -1.0, -2.0], "cssmm", &[20.0, 6.25, 6.25, 2.5, 0.0]);
        of(&[4.0, -6.0], "cm", &[20.0, -10.0]);
        of(&[-30.0], "c", &[10.0]);
        of(&[0.0; 4], "cccc", &[5.0; 4]);
        of(&[-50.0, -50.5, -60.0, -70.0], "ccmm", &[10.0, 6.67, 3.33, 0.0]);
        let wide = Scheme { tau: 2.0, ..plain };
        assert_rated(&[12.0, 10.5, 10.0, 9.9], None, wide, "cccs", &[10.0, 6.67, 3.33, 0.0]);
    }

    #[test]
    fn the_worked_examples_with_a_static_reference_come_out() {
        let fixed = |value| Scheme { reference: Reference::Static(value), ..Scheme::default() };
        assert_rated(&[6.0, 4.0, -3.0], None, fixed(15.0), "ssm", &[10.0, 5.0, -10.0]);
        assert_rated(&[6.0, 4.0, -3.0], None, fixed(-10.0), "ccc", &[10.0, 5.0, 0.0]);
    }

    #[test]
    fn the_worked_examples_with_a_pass_come_out() {
        let of = |values, pass, points, classes| {
            assert_rated(values, Some(pass), Scheme::default(), classes, points);
        };
        of(&[8.0, 3.0, 1.0], pass(0, 4), &[30.0, 5.0, 0.0], "css");
        let vanarana = Pass { has_vanarana: true, ..pass(0, 4) };
        of(&[8.0, 3.0, 1.0], vanarana, &[20.0, 5.0, 0.0], "css");
        let liben = Pass { has_liben: true, ..pass(0, 4) };
        of(&[8.0, 3.0, 1.0], liben, &[20.0, 5.0, 0.0], "css");
        of(&[9.0, 2.0, -5.0], pass(2, 6), &[20.0, 5.0, -10.0], "csm");
    }

    #[test]
    fn equal_moves_may_share_the_best_place() {
        let best = Scheme { ties: Ties::Best, ..Scheme::default() };
        assert_rated(&[0.0; 3], None, best, "ccc", &[10.0; 3]);
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
