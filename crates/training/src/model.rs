//! The network in floating point, with its gradients. The layout of the parameters is that of the file: rows, bias,
//! outputs per bucket and view, offsets per bucket. The parts that rows have in common come after the rows; the file
//! holds their sums.
// CITE: rows with a common part ("factoriser"), Stockfish's trainer, 2020.

use engine::game::Rng;

use crate::samples::{Sample, Samples, sigmoid};

/// Sizes of a network.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NetworkShape {
    pub(crate) rows: usize,
    /// See [`NetworkInput::SHARED_ROWS`](engine::network::NetworkInput::SHARED_ROWS).
    pub(crate) shared_rows: usize,
    pub(crate) views: usize,
    pub(crate) buckets: usize,
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
    pub(crate) offsets: Vec<f32>,
}

impl<const HIDDEN: usize> Model<HIDDEN> {
    pub(crate) fn zero(shape: NetworkShape) -> Self {
        Self {
            shape,
            rows: vec![[0.0; HIDDEN]; shape.rows + shape.shared_rows],
            bias: [0.0; HIDDEN],
            outputs: vec![[0.0; HIDDEN]; shape.buckets * shape.views],
            offsets: vec![0.0; shape.buckets],
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

    /// Logit of a sample, and the sums of its views. `image` is applied to every row.
    fn forward(
        &self,
        samples: &Samples,
        sample: &Sample,
        image: impl Fn(u32) -> u32,
    ) -> (f32, [[f32; HIDDEN]; 2]) {
        let mut views = [[0.0; HIDDEN]; 2];
        let bucket = usize::from(sample.bucket);
        let mut logit = sample.base + self.offsets[bucket];
        for (view, sums) in views.iter_mut().enumerate().take(self.shape.views) {
            *sums = self.sums(samples.rows(sample, view).iter().map(|&row| image(row)));
            let output = &self.outputs[bucket * self.shape.views + view];
            logit += sums.iter().zip(output).map(|(sum, out)| activation(*sum) * out).sum::<f32>();
        }
        (logit, views)
    }

    /// Cross-entropy of a sample with its target.
    pub(crate) fn loss(&self, samples: &Samples, sample: &Sample, target: f32) -> f32 {
        entropy(self.forward(samples, sample, |row| row).0, target)
    }

    /// Adds the gradient of a sample's cross-entropy to `gradient` and returns the loss.
    pub(crate) fn learn(
        &self,
        samples: &Samples,
        sample: &Sample,
        target: f32,
        image: impl Fn(u32) -> u32,
        gradient: &mut Self,
    ) -> f32 {
        let (logit, views) = self.forward(samples, sample, &image);
        let slope = sigmoid(logit) - target;
        let bucket = usize::from(sample.bucket);
        gradient.offsets[bucket] += slope;
        for (view, sums) in views.iter().enumerate().take(self.shape.views) {
            let at = bucket * self.shape.views + view;
            let mut below = [0.0; HIDDEN];
            for n in 0..HIDDEN {
                let active = sums[n].clamp(0.0, 1.0);
                gradient.outputs[at][n] += slope * active * active;
                let inside = if sums[n] > 0.0 && sums[n] < 1.0 { 2.0 * active } else { 0.0 };
                below[n] = slope * self.outputs[at][n] * inside;
            }
            add(&mut gradient.bias, &below);
            for part in
                samples.rows(sample, view).iter().flat_map(|&row| self.shape.parts(image(row)))
            {
                add(&mut gradient.rows[part], &below);
            }
        }
        entropy(logit, target)
    }

    /// All parameters in the order of the file.
    pub(crate) fn parameters(&mut self) -> impl Iterator<Item = &mut f32> {
        let rows = self.rows.as_flattened_mut().iter_mut();
        let outputs = self.outputs.as_flattened_mut().iter_mut();
        rows.chain(&mut self.bias).chain(outputs).chain(&mut self.offsets)
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

fn activation(sum: f32) -> f32 {
    let active = sum.clamp(0.0, 1.0);
    active * active
}

fn add<const N: usize>(to: &mut [f32; N], what: &[f32; N]) {
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
        let shape = NetworkShape { rows: 40, shared_rows: 10, views: 2, buckets: 3 };
        let mut rng = Rng::new(1);
        let model = Model::<8>::random(shape, 4.0, &mut rng);
        let samples = Samples::random(20, shape, &mut rng);
        let image = |row| (row + 1) % 40;
        let mut gradient = Model::zero(shape);
        for sample in &samples.all {
            model.learn(&samples, sample, 0.3, image, &mut gradient);
        }
        let loss = |model: &Model<8>| -> f64 {
            let of = |sample| f64::from(entropy(model.forward(&samples, sample, image).0, 0.3));
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
            let measured = (moved(0.01) - moved(-0.01)) / 0.02;
            // A sum near 0 or 1 has a kink.
            checked += usize::from((measured - f64::from(slope)).abs() < 0.02);
        }
        let all = model.clone().parameters().count();
        assert!(checked * 100 >= all * 95, "{checked} of {all} slopes");
    }

    #[test]
    fn a_row_of_the_file_is_worth_as_much_as_its_parts() {
        let shape = NetworkShape { rows: 40, shared_rows: 10, views: 2, buckets: 3 };
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
            let [one, other] =
                [&model, &whole].map(|model| model.forward(&samples, sample, |row| row).0);
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
