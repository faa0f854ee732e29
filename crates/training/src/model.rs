//! The network in floating point, with its gradients. The layout of the parameters is that of the file: rows, bias,
//! outputs per bucket and view, rows of moves, offsets per bucket and per row of moves. The parts that rows have in common
//! come after the rows; the file holds their sums.
// CITE: rows with a common part ("factoriser"), Stockfish's trainer, 2020.

use engine::game::Rng;

use crate::policy::{Losses, active};
use crate::samples::{Sample, Samples, sigmoid};

/// Sizes of a network.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NetworkShape {
    pub(crate) rows: usize,
    /// See [`NetworkInput::SHARED_ROWS`](engine::network::NetworkInput::SHARED_ROWS).
    pub(crate) shared_rows: usize,
    pub(crate) views: usize,
    pub(crate) buckets: usize,
    /// Rows of the policy head.
    pub(crate) move_rows: usize,
}

impl NetworkShape {
    /// The row and its common part.
    fn parts(self, row: u32) -> impl Iterator<Item = usize> {
        let row = row as usize;
        let shared = row.checked_rem(self.shared_rows).map(|shared| self.rows + shared);
        [Some(row), shared].into_iter().flatten()
    }
}

/// Largest output weight that the file can hold.
pub(crate) const MOST_OUTPUT: f32 = 127.0 / 64.0;

/// Parameters, or their gradients.
#[derive(Clone, Debug)]
pub(crate) struct Model<const HIDDEN: usize> {
    pub(crate) shape: NetworkShape,
    pub(crate) rows: Vec<[f32; HIDDEN]>,
    pub(crate) bias: [f32; HIDDEN],
    /// Per bucket, then per view.
    pub(crate) outputs: Vec<[f32; HIDDEN]>,
    /// Of the policy head.
    pub(crate) moves: Vec<[f32; HIDDEN]>,
    pub(crate) offsets: Vec<f32>,
    pub(crate) move_offsets: Vec<f32>,
}

impl<const HIDDEN: usize> Model<HIDDEN> {
    pub(crate) fn zero(shape: NetworkShape) -> Self {
        Self {
            shape,
            rows: vec![[0.0; HIDDEN]; shape.rows + shape.shared_rows],
            bias: [0.0; HIDDEN],
            outputs: vec![[0.0; HIDDEN]; shape.buckets * shape.views],
            moves: vec![[0.0; HIDDEN]; shape.move_rows],
            offsets: vec![0.0; shape.buckets],
            move_offsets: vec![0.0; shape.move_rows],
        }
    }

    /// Small random weights; the outputs of all buckets begin alike.
    pub(crate) fn random(shape: NetworkShape, active: f32, rng: &mut Rng) -> Self {
        let mut model = Self::zero(shape);
        let mut even = |most: f32| most * (rng.below(20_001) as f32 / 10_000.0 - 1.0);
        let most = (1.0 / active).sqrt() * 0.3;
        for row in &mut model.rows[..shape.rows] {
            *row = row.map(|_| even(most));
        }
        model.bias = model.bias.map(|_| 0.25);
        let outputs: Vec<[f32; HIDDEN]> =
            (0..shape.views).map(|_| [0.0; HIDDEN].map(|_: f32| even(0.2))).collect();
        for (n, output) in model.outputs.iter_mut().enumerate() {
            *output = outputs[n % shape.views];
        }
        model
    }

    fn sums(&self, rows: impl Iterator<Item = u32>) -> [f32; HIDDEN] {
        let mut sums = self.bias;
        for part in rows.flat_map(|row| self.shape.parts(row)) {
            add(&mut sums, &self.rows[part]);
        }
        sums
    }

    /// The sums of a sample's views. `image` is applied to every row.
    fn views(
        &self,
        samples: &Samples,
        sample: &Sample,
        image: impl Fn(u32) -> u32,
    ) -> [[f32; HIDDEN]; 2] {
        let mut views = [[0.0; HIDDEN]; 2];
        for (view, sums) in views.iter_mut().enumerate().take(self.shape.views) {
            *sums = self.sums(samples.rows(sample, view).iter().map(|&row| image(row)));
        }
        views
    }

    /// Logit of a sample's value.
    fn logit(&self, sample: &Sample, views: &[[f32; HIDDEN]; 2]) -> f32 {
        let bucket = usize::from(sample.bucket);
        let outputs = &self.outputs[bucket * self.shape.views..][..self.shape.views];
        let products =
            views.iter().zip(outputs).flat_map(|(sums, outputs)| sums.iter().zip(outputs));
        let sum: f32 = products.map(|(sum, output)| activation(*sum) * output).sum();
        sample.base + self.offsets[bucket] + sum
    }

    /// Losses of a sample: cross-entropy of its value with this target, and of its policy.
    pub(crate) fn losses(&self, samples: &Samples, sample: &Sample, target: f32) -> Losses {
        let views = self.views(samples, sample, |row| row);
        let mut losses = Losses::default();
        if sample.has_value {
            losses.value(entropy(self.logit(sample, &views), target));
        }
        if let Some((best, choices)) = samples.choices(sample) {
            losses.policy(best, &self.policy(&active(&views[0]), choices));
        }
        losses
    }

    /// Adds the gradient of a sample's losses to `gradient` and returns them. The first layer learns from the policy with
    /// this weight.
    pub(crate) fn learn(
        &self,
        samples: &Samples,
        sample: &Sample,
        Targets { target, policy }: Targets,
        image: impl Fn(u32) -> u32,
        gradient: &mut Self,
    ) -> Losses {
        let views = self.views(samples, sample, &image);
        let mut losses = Losses::default();
        let mut below = [[0.0; HIDDEN]; 2];
        if sample.has_value {
            let logit = self.logit(sample, &views);
            self.learn_value(sample, &views, sigmoid(logit) - target, gradient, &mut below);
            losses.value(entropy(logit, target));
        }
        if let Some((best, choices)) = samples.choices(sample) {
            let active = active(&views[0]);
            let shares = self.policy(&active, choices);
            let slopes = self.learn_policy(best, choices, &active, &shares, gradient);
            for ((below, slope), sum) in below[0].iter_mut().zip(slopes).zip(views[0]) {
                *below += if sum > 0.0 && sum < 1.0 { policy * slope } else { 0.0 };
            }
            losses.policy(best, &shares);
        }
        for (view, below) in below.iter().enumerate().take(self.shape.views) {
            add(&mut gradient.bias, below);
            for part in
                samples.rows(sample, view).iter().flat_map(|&row| self.shape.parts(image(row)))
            {
                add(&mut gradient.rows[part], below);
            }
        }
        losses
    }

    /// Adds the gradient of a value to the outputs, and that of the sums to `below`.
    fn learn_value(
        &self,
        sample: &Sample,
        views: &[[f32; HIDDEN]; 2],
        slope: f32,
        gradient: &mut Self,
        below: &mut [[f32; HIDDEN]; 2],
    ) {
        let bucket = usize::from(sample.bucket);
        gradient.offsets[bucket] += slope;
        for (view, sums) in views.iter().enumerate().take(self.shape.views) {
            let at = bucket * self.shape.views + view;
            for n in 0..HIDDEN {
                let active = sums[n].clamp(0.0, 1.0);
                gradient.outputs[at][n] += slope * active * active;
                let inside = if sums[n] > 0.0 && sums[n] < 1.0 { 2.0 * active } else { 0.0 };
                below[view][n] += slope * self.outputs[at][n] * inside;
            }
        }
    }

    /// All parameters in the order of the file.
    pub(crate) fn parameters(&mut self) -> impl Iterator<Item = &mut f32> {
        let rows = self.rows.as_flattened_mut().iter_mut();
        let outputs = self.outputs.as_flattened_mut().iter_mut();
        let moves = self.moves.as_flattened_mut().iter_mut();
        let offsets = self.offsets.iter_mut().chain(&mut self.move_offsets);
        rows.chain(&mut self.bias).chain(outputs).chain(moves).chain(offsets)
    }

    /// The rows of the file: each with its common part.
    pub(crate) fn whole_rows(&self) -> Vec<[f32; HIDDEN]> {
        let whole = |row: usize| {
            let mut sum = [0.0; HIDDEN];
            self.shape.parts(row as u32).for_each(|part| add(&mut sum, &self.rows[part]));
            sum
        };
        (0..self.shape.rows).map(whole).collect()
    }

    /// Keeps the output weights within what the file can hold.
    pub(crate) fn clip(&mut self) {
        for output in self.outputs.as_flattened_mut() {
            *output = output.clamp(-MOST_OUTPUT, MOST_OUTPUT);
        }
    }
}

/// What a sample shall teach.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Targets {
    /// Expected result, 0 to 1.
    pub(crate) target: f32,
    /// Weight of the policy in the first layer.
    pub(crate) policy: f32,
}

fn activation(sum: f32) -> f32 {
    let active = sum.clamp(0.0, 1.0);
    active * active
}

pub(crate) fn add<const N: usize>(to: &mut [f32; N], what: &[f32; N]) {
    for (to, what) in to.iter_mut().zip(what) {
        *to += what;
    }
}

/// Cross-entropy of a logit with a target, less the entropy of the target: 0 for a perfect forecast.
pub(crate) fn entropy(logit: f32, target: f32) -> f32 {
    let of = |share: f32| if share <= 0.0 { 0.0 } else { share * share.ln() };
    let log = |logit: f32| logit.min(0.0) - (-logit.abs()).exp().ln_1p();
    of(target) + of(1.0 - target) - target * log(logit) - (1.0 - target) * log(-logit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradients_are_slopes() {
        let shape = NetworkShape { rows: 40, shared_rows: 10, views: 2, buckets: 3, move_rows: 12 };
        let mut rng = Rng::new(1);
        let mut model = Model::<8>::random(shape, 4.0, &mut rng);
        for (n, weight) in model.moves.as_flattened_mut().iter_mut().enumerate() {
            *weight = (n % 5) as f32 / 5.0;
        }
        let samples = Samples::random(20, shape, &mut rng);
        let image = |row| (row + 1) % 40;
        let mut gradient = Model::zero(shape);
        for sample in &samples.all {
            let targets = Targets { target: 0.3, policy: 1.0 };
            model.learn(&samples, sample, targets, image, &mut gradient);
        }
        let loss = |model: &Model<8>| -> f64 {
            let of = |sample| {
                let views = model.views(&samples, sample, image);
                let (best, choices) = samples.choices(sample).expect("random choices");
                let shares = model.policy(&active(&views[0]), choices);
                let value = entropy(model.logit(sample, &views), 0.3);
                f64::from(if sample.has_value { value } else { 0.0 } - shares[best].ln())
            };
            samples.all.iter().map(of).sum::<f64>()
        };
        let (mut checked, slopes) =
            (0, gradient.parameters().map(|slope| *slope).collect::<Vec<_>>());
        for (n, slope) in slopes.into_iter().enumerate() {
            let moved = |by: f32| {
                let mut model = model.clone();
                *model.parameters().nth(n).expect("a parameter") += by;
                loss(&model)
            };
            let measured = (moved(0.002) - moved(-0.002)) / 0.004;
            // A sum near 0 or 1 has a kink.
            checked += usize::from((measured - f64::from(slope)).abs() < 0.02);
        }
        let all = model.clone().parameters().count();
        assert!(checked * 100 >= all * 95, "{checked} of {all} slopes");
    }

    #[test]
    fn a_row_of_the_file_is_worth_as_much_as_its_parts() {
        let shape = NetworkShape { rows: 40, shared_rows: 10, views: 2, buckets: 3, move_rows: 12 };
        let mut rng = Rng::new(2);
        let mut model = Model::<8>::random(shape, 4.0, &mut rng);
        for (n, weight) in model.parameters().enumerate() {
            *weight += (n % 7) as f32 / 20.0;
        }
        let alone = NetworkShape { shared_rows: 0, ..shape };
        let whole = Model { shape: alone, rows: model.whole_rows(), ..model.clone() };
        assert_eq!((model.rows.len(), whole.rows.len()), (50, 40));
        let samples = Samples::random(20, shape, &mut rng);
        for sample in &samples.all {
            let logit =
                |model: &Model<8>| model.logit(sample, &model.views(&samples, sample, |row| row));
            let [one, other] = [&model, &whole].map(logit);
            assert!((one - other).abs() < 1e-4, "{one} {other}");
        }
    }

    #[test]
    fn a_right_forecast_costs_nothing_and_a_wrong_one_does() {
        for (logit, target) in [(0.0, 0.5), (-20.0, 0.0), (20.0, 1.0), (1.0, sigmoid(1.0))] {
            assert!(entropy(logit, target).abs() < 1e-5, "{logit} for {target}");
        }
        assert!((entropy(0.0, 1.0) - std::f32::consts::LN_2).abs() < 1e-6);
        assert!(entropy(-3.0, 0.9) > entropy(-1.0, 0.9));
    }
}
