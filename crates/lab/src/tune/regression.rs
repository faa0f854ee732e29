//! Logistic regression of game results on the weights of an evaluation.
// CITE: Oesterlund 2014, "Texel's tuning method".

use engine::game::logistic;
use std::ops::Range;

use super::optimizer::Optimizer;

/// Positions with the results of their games, for the first side.
#[derive(Default)]
pub(super) struct Observations {
    /// Factors of all positions in sequence, and the end of each position's factors.
    factors: Vec<(u32, f32)>,
    ends: Vec<usize>,
    /// Results of their games, 0 to 1.
    results: Vec<f64>,
    /// Search scores in units, where given.
    scores: Vec<Option<f64>>,
    games: usize,
}

impl Observations {
    /// Adds a position of the game begun last.
    pub(super) fn add(&mut self, factors: &[(u32, f32)], result: f64, score: Option<f64>) {
        self.factors.extend_from_slice(factors);
        self.ends.push(self.factors.len());
        self.results.push(result);
        self.scores.push(score);
    }

    /// Begins another game.
    pub(super) fn begin(&mut self) {
        self.games += 1;
    }

    pub(super) fn games(&self) -> usize {
        self.games
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    fn factors(&self, n: usize) -> &[(u32, f32)] {
        let start = if n == 0 { 0 } else { self.ends[n - 1] };
        &self.factors[start..self.ends[n]]
    }

    /// Value of position `n`.
    fn value(&self, weights: &[f64], n: usize) -> f64 {
        let part = |&(number, factor): &(u32, f32)| weights[number as usize] * f64::from(factor);
        self.factors(n).iter().map(part).sum()
    }

    /// Scale at which the values by these weights predict the results best: a side at `value` scores 1 / (1
    /// + exp(-value / scale)). `None` where values say nothing of results, or everything.
    pub(super) fn scale(&self, weights: &[f64]) -> Option<f64> {
        let values: Vec<_> = (0..self.len()).map(|n| self.value(weights, n)).collect();
        // The loss is convex in the steepness 1 / scale: its slope changes sign once.
        let falls = |steepness: f64| {
            let slope =
                |(value, result): (&f64, &f64)| (logistic(steepness * value, 1.0) - result) * value;
            values.iter().zip(&self.results).map(slope).sum::<f64>() < 0.0
        };
        let largest = values.iter().fold(1.0, |most: f64, value| most.max(value.abs()));
        let (mut low, mut high) = (0.0, 1_000.0 / largest);
        if !falls(low) || falls(high) {
            return None;
        }
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            *(if falls(middle) { &mut low } else { &mut high }) = middle;
        }
        Some(1.0 / high)
    }

    /// Target of each position: a blend of the result and the search score.
    fn targets(&self, terms: &FitSettings) -> Vec<f64> {
        let FitSettings { blend, scale, .. } = terms;
        let target = |(result, score): (&f64, &Option<f64>)| match score {
            Some(score) => blend * result + (1.0 - blend) * logistic(score / scale, 1.0),
            None => *result,
        };
        self.results.iter().zip(&self.scores).map(target).collect()
    }

    /// Upper bound on the curvature of the mean loss along each weight.
    fn curvature(&self, weights: usize, terms: &FitSettings) -> Vec<f64> {
        let mut sums = vec![0.0; weights];
        for &(number, factor) in &self.factors {
            sums[number as usize] += f64::from(factor).powi(2);
        }
        let most = 0.25 / (terms.scale * terms.scale * self.len() as f64);
        sums.iter().map(|sum| most * sum).collect()
    }

    /// Mean loss and its gradient. Sums are added in the order of the chunks: they do not depend on the
    /// number of threads.
    fn slope(&self, targets: &[f64], weights: &[f64], terms: &FitSettings) -> Slope {
        let (jobs, chunks) = (terms.jobs.max(1), self.len().div_ceil(CHUNK));
        let of_chunk = |n: usize| {
            let range = n * CHUNK..self.len().min((n + 1) * CHUNK);
            self.slope_of(range, targets, weights, terms.scale)
        };
        let work = |job: usize| (job..chunks).step_by(jobs).map(of_chunk).collect::<Vec<_>>();
        let parts: Vec<_> = std::thread::scope(|scope| {
            let others: Vec<_> = (1..jobs).map(|job| scope.spawn(move || work(job))).collect();
            let joined = others.into_iter().map(|other| other.join().expect("sums do not panic"));
            std::iter::once(work(0)).chain(joined).collect()
        });
        let mut sum = Slope { loss: 0.0, by_weight: vec![0.0; weights.len()] };
        for n in 0..chunks {
            let part = &parts[n % jobs][n / jobs];
            sum.loss += part.loss / self.len() as f64;
            for (sum, part) in sum.by_weight.iter_mut().zip(&part.by_weight) {
                *sum += part / self.len() as f64;
            }
        }
        sum
    }

    /// Sums over a range of positions.
    fn slope_of(&self, range: Range<usize>, targets: &[f64], weights: &[f64], scale: f64) -> Slope {
        let mut sum = Slope { loss: 0.0, by_weight: vec![0.0; weights.len()] };
        for n in range {
            let (value, target) = (self.value(weights, n) / scale, targets[n]);
            // -t ln p - (1 - t) ln (1 - p), in a form that does not overflow.
            sum.loss += value.max(0.0) - target * value + (-value.abs()).exp().ln_1p();
            let error = (logistic(value, 1.0) - target) / scale;
            for &(number, factor) in self.factors(n) {
                sum.by_weight[number as usize] += error * f64::from(factor);
            }
        }
        sum
    }
}

/// Positions per chunk of a thread.
const CHUNK: usize = 4_096;
/// Bisection steps that find the scale to the last digit.
const HALVINGS: usize = 60;

/// Mean cross-entropy and its gradient.
struct Slope {
    loss: f64,
    by_weight: Vec<f64>,
}

/// Settings of a fit.
#[derive(Clone, Copy, Debug)]
pub(super) struct FitSettings {
    /// Units at which a side is expected to score 73 %.
    pub(super) scale: f64,
    /// Weight of the result against the search score, 0 to 1.
    pub(super) blend: f64,
    /// Prior standard deviation of a weight around its old value, as a fraction of the scale.
    pub(super) spread: f64,
    /// Number of threads.
    pub(super) jobs: usize,
}

/// Weights and their mean cross-entropy on the training set and on the held-out set.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    pub(super) weights: Vec<f64>,
    pub(super) before: [f64; 2],
    pub(super) after: [f64; 2],
    /// Steps taken.
    pub(super) steps: u32,
}

const MOST_STEPS: u32 = 500;
/// Steps in a row without improvement on the held-out set that end the fit.
const PATIENCE: u32 = 15;
/// Smallest change that counts as an improvement.
const NOTHING: f64 = 1e-7;

/// Fits the weights to the training set until the held-out loss no longer improves.
pub(super) fn fit(
    learned: &Observations,
    held_out: &Observations,
    old: &[f64],
    terms: &FitSettings,
) -> Fit {
    let targets = [learned, held_out].map(|some| some.targets(terms));
    // Positions of a game share its result: together they count as one observation.
    let pull = 1.0 / ((terms.spread * terms.scale).powi(2) * learned.games() as f64);
    let pulled = |weights: &[f64]| {
        let mut slope = learned.slope(&targets[0], weights, terms);
        for ((slope_of, weight), old) in slope.by_weight.iter_mut().zip(weights).zip(old) {
            slope.loss += 0.5 * pull * (weight - old).powi(2);
            *slope_of += pull * (weight - old);
        }
        (slope.loss, slope.by_weight)
    };
    let loss =
        |n: usize, weights: &[f64]| [learned, held_out][n].slope(&targets[n], weights, terms).loss;
    let losses = |weights: &[f64]| [0, 1].map(|n| loss(n, weights));
    let mut curvature = learned.curvature(old.len(), terms);
    curvature.iter_mut().for_each(|curvature| *curvature += pull);
    let mut optimizer = Optimizer::new(pulled, old.to_vec(), curvature);
    let before = losses(old);
    let (mut weights, mut least, mut steps) = (old.to_vec(), before[1], 0);
    for step in 1..=MOST_STEPS {
        if !optimizer.step() || step > steps + PATIENCE {
            break;
        }
        let now = loss(1, optimizer.weights());
        if now < least - NOTHING {
            (weights, least, steps) = (optimizer.weights().to_vec(), now, step);
        }
    }
    Fit { after: losses(&weights), weights, before, steps }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::game::Rng;

    const TRUE: [f64; 5] = [300.0, -120.0, 45.0, 0.0, 80.0];
    const SCALE: f64 = 200.0;
    const TERMS: FitSettings = FitSettings { scale: SCALE, blend: 1.0, spread: 1.0, jobs: 1 };

    /// Games with results drawn from the predictions of the true weights. The last weight never counts.
    fn games(seed: u64, games: usize) -> Observations {
        let mut rng = Rng::new(seed);
        let mut drawn = Observations::default();
        for _ in 0..games {
            drawn.begin();
            let factor = |n: u32| (n, (rng.below(5) as f32 - 2.0) / 2.0);
            let factors: Vec<_> = (0..4).map(factor).collect();
            drawn.add(&factors, 0.0, Some(0.0));
            let value = drawn.value(&TRUE, drawn.len() - 1);
            let last = drawn.results.last_mut().expect("one was added");
            *last = f64::from(u8::from(rng.unit() < logistic(value / SCALE, 1.0)));
        }
        drawn
    }

    #[test]
    fn the_weights_are_found_that_the_results_were_drawn_by() {
        let (learned, held_out) = (games(1, 40_000), games(2, 40_000));
        let old = [100.0, 0.0, 0.0, 50.0, 33.0];
        let fit = fit(&learned, &held_out, &old, &TERMS);
        for (n, (found, wanted)) in fit.weights.iter().zip(TRUE).enumerate().take(4) {
            // More than three standard errors, each about SCALE / sqrt(p (1 - p) n E[factor^2]).
            assert!((found - wanted).abs() < 12.0, "weight {n} is {found}, not {wanted}");
        }
        assert_eq!(fit.weights[4], 33.0, "what never counts stays as it is");
        assert!(fit.after[0] < fit.before[0] - 0.02 && fit.after[1] < fit.before[1] - 0.02);
    }

    #[test]
    fn the_scale_is_found_that_the_results_were_drawn_by() {
        let drawn = games(3, 40_000);
        let scale = drawn.scale(&TRUE).expect("values foretell results");
        assert!((scale - SCALE).abs() < 6.0, "{scale}");
        let opposite = TRUE.map(|weight| -weight);
        assert_eq!(drawn.scale(&opposite), None, "no scale makes losses of wins");
        assert_eq!(Observations::default().scale(&TRUE), None);
    }

    #[test]
    fn a_slope_is_how_the_loss_changes() {
        let drawn = games(4, 9_000);
        let terms = FitSettings { blend: 0.6, ..TERMS };
        let targets = drawn.targets(&terms);
        let at = |weights: &[f64]| drawn.slope(&targets, weights, &terms);
        let slope = at(&TRUE);
        for n in 0..TRUE.len() {
            let [less, more] = [-0.5, 0.5].map(|by| {
                let mut weights = TRUE;
                weights[n] += by;
                at(&weights).loss
            });
            assert!((slope.by_weight[n] - (more - less)).abs() < 1e-7, "weight {n}");
        }
    }

    #[test]
    fn threads_change_nothing_to_the_last_bit() {
        let (learned, held_out) = (games(5, 20_000), games(6, 2_000));
        let with = |jobs| fit(&learned, &held_out, &[0.0; 5], &FitSettings { jobs, ..TERMS });
        let (one, three) = (with(1), with(3));
        assert_eq!(one.weights, three.weights);
        assert_eq!((one.before, one.after), (three.before, three.after));
    }

    #[test]
    fn what_seldom_counts_stays_near_where_it_was() {
        let drawn = games(7, 40);
        let far = |spread| {
            let fit = fit(&drawn, &games(8, 4_000), &[0.0; 5], &FitSettings { spread, ..TERMS });
            fit.weights.iter().map(|weight| weight.abs()).fold(0.0, f64::max)
        };
        assert!(far(0.05) < 0.5 * far(1.0), "{} and {}", far(0.05), far(1.0));
    }
}
