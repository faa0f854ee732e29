//! Simultaneous perturbation stochastic approximation (SPSA): all numbers move a little at once, each up or down by
//! chance, and then the way of those that won.
//!
//! ```text
//! values + signs * width ──┐
//!                          ├─ a pair of games ─► values += rate * signs * width * (won - lost)
//! values - signs * width ──┘
//! ```
// CITE: Spall, "Implementation of the simultaneous perturbation algorithm for stochastic optimization", 1998. Gains given
// by their last values: tests of chess engines since Kiiski 2011.

use engine::game::{Rng, zobrist};

/// Exponents by which widths and gains fall, and the share of all pairs after which gains begin to fall.
// CITE: Spall 1998.
const WIDTHS_FALL: f64 = 0.101;
const GAINS_FALL: f64 = 0.602;
const STEADY: f64 = 0.1;
/// Last rate: in so many pairs of games, each decided, a number could go as far as sixty of its widths.
// CITE: 0.002 for 30,000 pairs, as in published tests of chess engines.
const WAY: f64 = 60.0;
/// Greatest last rate. Not tuned: a few pairs should not carry a number away.
const MOST_RATE: f64 = 0.1;

/// A number to be tuned.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TunedNumber {
    pub(super) name: &'static str,
    /// Least and greatest value.
    pub(super) range: [f64; 2],
    /// False if it may lie between whole numbers when it is used.
    pub(super) is_whole: bool,
    /// Width of the last trials: how far a value is tried from where it stands.
    pub(super) width: f64,
    /// Where it stands.
    pub(super) value: f64,
}

/// Two sets of values, on either side of where the numbers stand.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    /// How far each number is moved, in the first set up and in the second down.
    moved: Vec<f64>,
    rate: f64,
}

/// The numbers on their way.
#[derive(Clone, Debug)]
pub(super) struct Spsa {
    pub(super) numbers: Vec<TunedNumber>,
    /// Pairs of games of the whole course.
    pub(super) pairs: u64,
    pub(super) seed: u64,
}

impl Spsa {
    /// The trial of this pair of games, the first being 0: the same for the same seed.
    pub(super) fn trial(&self, pair: u64) -> Trial {
        let (all, now) = (self.pairs as f64, (pair + 1) as f64);
        let steady = STEADY * all;
        let wider = (all / now).powf(WIDTHS_FALL);
        let last_rate = (WAY / all).min(MOST_RATE);
        let rate = last_rate * ((steady + all) / (steady + now)).powf(GAINS_FALL) / wider.powi(2);
        let mut rng = Rng::new(zobrist::mix(self.seed) ^ zobrist::mix(pair));
        let mut move_one = |number: &TunedNumber| {
            let sign = if rng.below(2) == 0 { 1.0 } else { -1.0 };
            sign * number.width * wider
        };
        Trial { moved: self.numbers.iter().map(&mut move_one).collect(), rate }
    }

    /// The values of a trial: of the first set with `sign` 1, of the second with -1.
    pub(super) fn values(&self, trial: &Trial, sign: f64) -> Vec<f64> {
        let tried =
            |(number, moved): (&TunedNumber, &f64)| number.within(number.value + sign * moved);
        self.numbers.iter().zip(&trial.moved).map(tried).collect()
    }

    /// Moves the numbers after a trial whose first set has won so many more games than it lost.
    pub(super) fn learn(&mut self, trial: &Trial, won_more: f64) {
        for (number, moved) in self.numbers.iter_mut().zip(&trial.moved) {
            number.value = number.within(number.value + trial.rate * moved * won_more);
        }
    }
}

impl TunedNumber {
    fn within(&self, value: f64) -> f64 {
        value.clamp(self.range[0], self.range[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(width: f64, value: f64) -> TunedNumber {
        TunedNumber { name: "a number", range: [-100.0, 100.0], is_whole: true, width, value }
    }

    /// A pair of games between two sets, the better the nearer to `best`: 1 in the distance of a width is 40 Elo.
    fn play(best: &[f64], sets: [&[f64]; 2], rng: &mut Rng) -> f64 {
        let strength = |set: &[f64]| -> f64 {
            -set.iter().zip(best).map(|(value, best)| 0.4 * (value - best).powi(2)).sum::<f64>()
        };
        let [first, second] = sets.map(strength);
        let wins = 1.0 / (1.0 + 10_f64.powf((second - first) / 400.0));
        [rng.unit(), rng.unit()].iter().map(|chance| if *chance < wins { 1.0 } else { -1.0 }).sum()
    }

    #[test]
    fn numbers_go_where_games_are_won() {
        let best = [30.0, -20.0, 5.0];
        let numbers = [0.0, 0.0, 20.0].map(|value| number(10.0, value)).to_vec();
        let mut spsa = Spsa { numbers, pairs: 20_000, seed: 1 };
        let mut rng = Rng::new(1);
        for pair in 0..spsa.pairs {
            let trial = spsa.trial(pair);
            let [first, second] = [1.0, -1.0].map(|sign| spsa.values(&trial, sign));
            let won_more = play(&best, [&first, &second], &mut rng);
            spsa.learn(&trial, won_more);
        }
        for (number, best) in spsa.numbers.iter().zip(best) {
            assert!((number.value - best).abs() < 5.0, "{} in place of {best}", number.value);
        }
    }

    #[test]
    fn the_last_trial_has_the_width_and_rate_that_are_given() {
        let spsa = Spsa { numbers: vec![number(10.0, 0.0)], pairs: 30_000, seed: 1 };
        let last = spsa.trial(29_999);
        assert_eq!(last.moved[0].abs(), 10.0);
        assert!((last.rate - 0.002).abs() < 1e-12, "{}", last.rate);
        let first = spsa.trial(0);
        assert!(first.moved[0].abs() > 20.0 && first.rate < 2.0 * last.rate, "{first:?}");
    }

    #[test]
    fn values_stay_in_their_range() {
        let mut spsa = Spsa { numbers: vec![number(10.0, 99.0)], pairs: 1, seed: 1 };
        let trial = Trial { moved: vec![10.0], rate: 1.0 };
        assert_eq!(spsa.values(&trial, 1.0), [100.0]);
        assert_eq!(spsa.values(&trial, -1.0), [89.0]);
        spsa.learn(&trial, 2.0);
        assert_eq!(spsa.numbers[0].value, 100.0);
    }
}
