//! Measured search figures of a game, used in place of the evaluator's figures or a method's assumptions.

use crate::game::{ProbCutRow, logistic};

/// Empty where nothing was measured. Values are in the units of [`Evaluator`](crate::game::Evaluator).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Calibration {
    /// Scale of the win probability: the lead that makes a win e times as likely as a loss.
    pub scale: Option<f64>,
    /// Razoring margin R by depth.
    pub razor_margin: Option<MarginByDepth>,
    /// ProbCut regressions: shallow against deep search values.
    pub probcut: Vec<ProbCutRow>,
}

/// Razoring margin by depth: 90 % quantile of (search value - static evaluation).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MarginByDepth {
    /// Margin at one ply.
    pub at_depth_1: f64,
    /// Slope: increase per unit of ln(depth).
    pub by_ln_depth: f64,
}

impl MarginByDepth {
    /// Margin at `depth >= 1` plies, at least 0.
    #[inline]
    pub fn at(self, depth: u32) -> i32 {
        (self.at_depth_1 + self.by_ln_depth * f64::from(depth).ln()).max(0.0) as i32
    }
}

impl Calibration {
    /// No measurements.
    pub const NOTHING: Self = Self { scale: None, razor_margin: None, probcut: Vec::new() };

    /// The same calibration in units smaller by `factor`.
    pub fn times(&self, factor: f64) -> Self {
        let growth = |razor_margin: MarginByDepth| MarginByDepth {
            at_depth_1: razor_margin.at_depth_1 * factor,
            by_ln_depth: razor_margin.by_ln_depth * factor,
        };
        let pair = |&pair: &ProbCutRow| ProbCutRow {
            b: pair.b * factor,
            sigma: pair.sigma * factor,
            ..pair
        };
        Self {
            scale: self.scale.map(|scale| scale * factor),
            razor_margin: self.razor_margin.map(growth),
            probcut: self.probcut.iter().map(pair).collect(),
        }
    }

    /// Expected result, 0 to 1, for a side at `value` units; `None` if not measured.
    pub fn win_probability(&self, value: f64) -> Option<f64> {
        self.scale.map(|scale| logistic(value, scale))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hope_grows_with_the_logarithm_of_the_depth() {
        let razor_margin = MarginByDepth { at_depth_1: 300.0, by_ln_depth: 100.0 };
        assert_eq!([1, 2, 8].map(|depth| razor_margin.at(depth)), [300, 369, 507]);
        let falling = MarginByDepth { at_depth_1: 10.0, by_ln_depth: -100.0 };
        assert_eq!([1, 8].map(|depth| falling.at(depth)), [10, 0]);
    }

    #[test]
    fn a_lead_of_the_scale_makes_a_win_e_times_as_likely() {
        let measured = Calibration { scale: Some(200.0), ..Calibration::default() };
        let odds = |value| measured.win_probability(value).map(|p| p / (1.0 - p));
        assert!(odds(200.0).is_some_and(|odds| (odds - std::f64::consts::E).abs() < 1e-9));
        assert!(odds(0.0).is_some_and(|odds| (odds - 1.0).abs() < 1e-9));
        assert_eq!(Calibration::default().win_probability(200.0), None);
    }

    #[test]
    fn smaller_units_change_nothing_but_numbers() {
        let pair = ProbCutRow { shallow: 2, deep: 6, a: 2.0, b: 10.0, sigma: 20.0 };
        let razor_margin = Some(MarginByDepth { at_depth_1: 300.0, by_ln_depth: 100.0 });
        let measured = Calibration { scale: Some(200.0), razor_margin, probcut: vec![pair] };
        let finer = measured.times(4.0);
        assert_eq!(finer.win_probability(400.0), measured.win_probability(100.0));
        assert_eq!(
            finer.razor_margin.map(|razor_margin| razor_margin.at(8)),
            Some(2_031),
            "4 * (300 + 100 ln 8)"
        );
        assert_eq!(finer.probcut[0].needed(400, 1.5), pair.needed(100, 1.5).map(|n| 4.0 * n));
    }

    #[test]
    fn what_is_needed_at_less_depth_makes_up_for_the_error() {
        let pair = ProbCutRow { shallow: 2, deep: 6, a: 2.0, b: 10.0, sigma: 20.0 };
        assert_eq!(pair.needed(100, 0.0), Some(45.0));
        assert_eq!(pair.needed(100, 1.5), Some(60.0));
        assert_eq!(ProbCutRow { a: -2.0, ..pair }.needed(100, 1.5), None);
    }
}
