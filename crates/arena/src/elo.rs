//! Elo statistics of a match.

use serde::Serialize;
use utoipa::ToSchema;

/// Pairs of games with one opening and the seats exchanged, counted by the half points, 0 to 4, of the
/// engine under test in both. Games of a pair are not independent, pairs are.
// CITE: pairs and their variance: "pentanomial" statistics of engine tests, Van den Bergh 2018.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairScores(pub [u64; 5]);

/// Mean result, 0 to 1, and the Elo difference that it implies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct Strength {
    /// Mean result of a game, 0 to 1.
    pub score: f64,
    /// Half width of its 95 % interval.
    pub score_error: f64,
    /// Elo difference; `None` when everything was won or lost, which any difference explains.
    pub elo: Option<f64>,
    /// Half width of its 95 % interval.
    pub elo_error: Option<f64>,
}

/// Sequential test of two hypotheses: the difference is `elo0`, or it is `elo1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// Lower Elo difference.
    pub elo0: f64,
    /// Higher Elo difference.
    pub elo1: f64,
}

/// State of a sequential test, both kinds of error at 5 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Evidence {
    /// Log-likelihood ratio of the higher difference to the lower.
    pub llr: f64,
    /// `accepted` (the higher), `rejected` (the lower) or `open`.
    pub state: &'static str,
}

const QUANTILE_95: f64 = 1.96;
/// ln((1 - 0.05) / 0.05): decision threshold at 5 % error.
const ENOUGH: f64 = 2.944;

/// Expected result at an Elo difference.
// CITE: Elo 1978.
fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// Elo difference of an expected result.
fn elo(score: f64) -> Option<f64> {
    (0.0 < score && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10())
}

impl PairScores {
    /// Counts a pair by its two results, 0, 0.5 or 1.
    pub fn add(&mut self, results: [f64; 2]) {
        self.0[(2.0 * (results[0] + results[1])) as usize] += 1;
    }

    fn count(self) -> f64 {
        self.0.iter().sum::<u64>() as f64
    }

    /// Mean result of a game, and variance of a pair's mean.
    fn moments(self) -> (f64, f64) {
        let weighted = |f: &dyn Fn(f64) -> f64| -> f64 {
            let each =
                self.0.iter().enumerate().map(|(n, &count)| count as f64 * f(n as f64 / 4.0));
            each.sum::<f64>() / self.count()
        };
        let mean = weighted(&|score| score);
        (mean, weighted(&|score| (score - mean).powi(2)))
    }

    /// The same pairs and two more, one won and one lost: a few equal results do not prove that all will
    /// be, so errors are computed from these.
    // CITE: Agresti and Coull 1998.
    fn with_doubt(self) -> Self {
        let [lost, .., won] = self.0;
        let mut pairs = self;
        (pairs.0[0], pairs.0[4]) = (lost + 1, won + 1);
        pairs
    }

    /// Strength implied by the pairs; `None` without any.
    pub fn strength(self) -> Option<Strength> {
        if self.count() == 0.0 {
            return None;
        }
        let (score, _) = self.moments();
        let doubt = self.with_doubt();
        let (_, variance) = doubt.moments();
        let score_error = QUANTILE_95 * (variance / doubt.count()).sqrt();
        // The slope of the Elo curve converts an error of the score into one of the difference.
        let slope = 400.0 / (std::f64::consts::LN_10 * score * (1.0 - score));
        let elo = elo(score);
        Some(Strength { score, score_error, elo, elo_error: elo.map(|_| slope * score_error) })
    }

    /// State of a sequential test after these pairs.
    // CITE: Wald 1945; the ratio for results of unknown variance, Van den Bergh 2019.
    pub fn evidence(self, test: Sprt) -> Evidence {
        let (_, variance) = self.with_doubt().moments();
        let (low, high) = (expected(test.elo0), expected(test.elo1));
        let llr = match self.count() {
            0.0 => 0.0,
            count => {
                let (score, _) = self.moments();
                count * (high - low) * (2.0 * score - low - high) / (2.0 * variance)
            }
        };
        let state = match llr {
            llr if llr >= ENOUGH => "accepted",
            llr if llr <= -ENOUGH => "rejected",
            _ => "open",
        };
        Evidence { llr, state }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_quarters_are_191_elo() {
        let pairs = PairScores([0, 0, 0, 100, 0]);
        let strength = pairs.strength().expect("there are results");
        assert_eq!(strength.score, 0.75);
        // All results are equal, and yet some doubt is left.
        assert!((0.01..0.03).contains(&strength.score_error), "{strength:?}");
        assert!((strength.elo.expect("finite") - 190.85).abs() < 0.01);
    }

    #[test]
    fn the_error_is_that_of_independent_pairs() {
        // 101 pairs won and 101 lost: a variance of 1/4, so 1.96 * 0.5 / sqrt(202).
        let strength = PairScores([100, 0, 0, 0, 100]).strength().expect("there are results");
        assert!((strength.score_error - 0.06895).abs() < 1e-4);
        assert!((strength.elo_error.expect("finite") - 47.91).abs() < 0.05);
        assert_eq!(strength.elo, Some(0.0));
        assert_eq!(PairScores([0, 0, 0, 0, 7]).strength().expect("results").elo, None);
        assert_eq!(PairScores::default().strength(), None);
    }

    #[test]
    fn a_sequential_test_ends_on_the_right_side() {
        let test = Sprt { elo0: 0.0, elo1: 50.0 };
        assert_eq!(PairScores::default().evidence(test).state, "open");
        assert_eq!(PairScores([5, 10, 30, 10, 5]).evidence(test).state, "open");
        assert_eq!(PairScores([0, 5, 30, 60, 40]).evidence(test).state, "accepted");
        assert_eq!(PairScores([40, 60, 30, 5, 0]).evidence(test).state, "rejected");
    }
}
