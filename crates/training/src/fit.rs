//! Training: shuffled batches on several threads, steps of Adam, a check on games held out.

use std::io::Write;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};

use engine::game::Rng;
use engine::network::{Network, NetworkInput};
use games::notation::Served;

use crate::Train;
use crate::file;
use crate::model::{Model, NetworkShape, Targets, entropy};
use crate::policy::Losses;
use crate::samples::{self, Sample, Samples};

/// Decay of the means of Adam, and what keeps its divisor above zero.
// CITE: Kingma, Ba, "Adam: a method for stochastic optimization", 2015.
const FIRST_MOMENT: f32 = 0.9;
const SECOND_MOMENT: f32 = 0.999;
const EPSILON: f32 = 1e-8;
/// Last size of a step, as a share of the first.
const LAST_RATE: f32 = 0.01;

/// Trains a network and writes its file.
pub(crate) fn run<G: Served, I: NetworkInput<G>, const HIDDEN: usize>(
    train: &Train,
    out: &mut impl Write,
) -> Result<(), String> {
    let mut tell =
        |line: String| writeln!(out, "{line}").map_err(|why| format!("cannot print: {why}"));
    let began = Instant::now();
    let ([learned, held_out], data) = samples::read::<G, I>(&train.samples)?;
    let positions = learned.all.len();
    tell(format!(
        "{} games, {positions} positions; {} games, {} positions held out",
        learned.games,
        held_out.games,
        held_out.all.len()
    ))?;
    let shape = NetworkShape {
        rows: I::ROWS,
        shared_rows: I::SHARED_ROWS,
        views: I::VIEWS,
        buckets: I::BUCKETS,
        move_rows: I::MOVE_ROWS,
    };
    let mut rng = Rng::new(train.seed);
    let active = learned.rows(&learned.all[0], 0).len() as f32;
    let mut course = Course::<HIDDEN> {
        model: Model::random(shape, active, &mut rng),
        means: Model::zero(shape),
        squares: Model::zero(shape),
        steps: 0,
        all: (train.epochs * positions.div_ceil(train.batch)).max(1),
        train,
    };
    tell(format!("without the network: {:.5}", without(&held_out, train)))?;
    let mut order: Vec<u32> = (0..positions as u32).collect();
    for epoch in 1..=train.epochs {
        shuffle(&mut order, &mut rng);
        let loss = course.epoch(epoch, &learned, &order, I::mirrored);
        let check = course.check(&held_out);
        tell(format!(
            "pass {epoch}: loss {loss}; held out {check}; {:.0} s",
            began.elapsed().as_secs_f64()
        ))?;
    }
    let origin = file::Origin {
        game: G::facts().name,
        features: I::FEATURES,
        terms: &data.terms,
        hash: &data.hash,
        games: learned.games,
        positions,
        minutes: began.elapsed().as_secs_f64() / 60.0,
        loss: course.check(&held_out).mean_value(),
    };
    file::write(&course.model, &origin, &train.write)?;
    let whole = in_whole_numbers::<G, I, HIDDEN>(&held_out, train)?;
    tell(format!("in whole numbers: held out {whole:.5}"))?;
    Ok(())
}

/// Loss of the written file, as the engine computes its values.
fn in_whole_numbers<G: Served, I: NetworkInput<G>, const HIDDEN: usize>(
    samples: &Samples,
    train: &Train,
) -> Result<f32, String> {
    let named = |why: &dyn std::fmt::Display| format!("{}: {why}", train.write.display());
    let file = std::fs::read(&train.write).map_err(|why| named(&why))?;
    let network = Network::<HIDDEN>::read::<G, I>(&file).map_err(|why| named(&why))?;
    Ok(mean_of_values(samples, |sample| {
        let sums = [0, 1].map(|view| {
            let mut sums = network.empty();
            samples.rows(sample, view).iter().for_each(|&row| network.add(&mut sums, row));
            sums
        });
        let views = sums.each_ref();
        let value = network.value(&views[..I::VIEWS], usize::from(sample.bucket));
        entropy(
            sample.base + (f64::from(value) / f64::from(I::SCALE)) as f32,
            target(sample, train),
        )
    }))
}

/// What a position shall be worth: result and forecast of the search, mixed.
fn target(sample: &Sample, train: &Train) -> f32 {
    train.blend * sample.result + (1.0 - train.blend) * sample.forecast
}

/// Mean loss of the value that the network corrects.
fn without(samples: &Samples, train: &Train) -> f32 {
    mean_of_values(samples, |sample| entropy(sample.base, target(sample, train)))
}

fn mean_of_values(samples: &Samples, of: impl Fn(&Sample) -> f32) -> f32 {
    let mut losses = Losses::default();
    for sample in samples.all.iter().filter(|sample| sample.has_value) {
        losses.value(of(sample));
    }
    losses.mean_value()
}

fn shuffle(order: &mut [u32], rng: &mut Rng) {
    for n in (1..order.len()).rev() {
        order.swap(n, rng.below(n + 1));
    }
}

/// A training on its way.
struct Course<'a, const HIDDEN: usize> {
    model: Model<HIDDEN>,
    means: Model<HIDDEN>,
    squares: Model<HIDDEN>,
    steps: usize,
    /// Steps of the whole course.
    all: usize,
    train: &'a Train,
}

impl<const HIDDEN: usize> Course<'_, HIDDEN> {
    /// One pass; the losses before each step. Half of the positions are mirrored, the others in the next pass.
    fn epoch(
        &mut self,
        epoch: usize,
        learned: &Samples,
        order: &[u32],
        image: fn(u32) -> u32,
    ) -> Losses {
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {eta} left {msg}");
        let bar = ProgressBar::new(order.len() as u64)
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let (mut losses, mut seen) = (Losses::default(), 0);
        for batch in order.chunks(self.train.batch) {
            losses += self.step(learned, batch, |at, row| {
                if (at as usize + epoch) % 2 == 1 { image(row) } else { row }
            });
            seen += batch.len();
            bar.set_position(seen as u64);
        }
        bar.finish_and_clear();
        losses
    }

    /// One step, with what is seen of each row of a position; the losses of its positions.
    fn step(
        &mut self,
        learned: &Samples,
        batch: &[u32],
        seen: impl Fn(u32, u32) -> u32 + Sync,
    ) -> Losses {
        let (model, train) = (&self.model, self.train);
        let share = |part: &[u32]| {
            let mut gradient = Model::zero(model.shape);
            let mut losses = Losses::default();
            for &at in part {
                let sample = &learned.all[at as usize];
                let seen = |row| seen(at, row);
                let targets = Targets { target: target(sample, train), policy: train.policy };
                losses += model.learn(learned, sample, targets, seen, &mut gradient);
            }
            (gradient, losses)
        };
        let parts: Vec<_> = std::thread::scope(|scope| {
            let share = &share;
            let size = batch.len().div_ceil(train.jobs.max(1));
            let threads: Vec<_> =
                batch.chunks(size).map(|part| scope.spawn(move || share(part))).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        let mut parts = parts.into_iter();
        let (mut gradient, mut losses) = parts.next().expect("a batch is not empty");
        for (mut other, more) in parts {
            losses += more;
            for (sum, part) in gradient.parameters().zip(other.parameters()) {
                *sum += *part;
            }
        }
        self.adam(gradient, batch.len());
        losses
    }

    fn adam(&mut self, mut gradient: Model<HIDDEN>, size: usize) {
        self.steps += 1;
        let done = self.steps as f32 / self.all as f32;
        let cosine = 0.5 + 0.5 * (std::f32::consts::PI * done.min(1.0)).cos();
        let rate = self.train.rate * (LAST_RATE + (1.0 - LAST_RATE) * cosine);
        let unbias = |decay: f32| 1.0 - decay.powi(self.steps.min(100_000) as i32);
        let (first, second) = (unbias(FIRST_MOMENT), unbias(SECOND_MOMENT));
        let all = self.model.parameters().zip(gradient.parameters());
        let moments = self.means.parameters().zip(self.squares.parameters());
        for ((weight, slope), (mean, square)) in all.zip(moments) {
            let slope = *slope / size as f32;
            *mean = FIRST_MOMENT * *mean + (1.0 - FIRST_MOMENT) * slope;
            *square = SECOND_MOMENT * *square + (1.0 - SECOND_MOMENT) * slope * slope;
            *weight -= rate * (*mean / first) / ((*square / second).sqrt() + EPSILON);
        }
        self.model.clip();
    }

    fn check(&self, held_out: &Samples) -> Losses {
        let mut losses = Losses::default();
        for sample in &held_out.all {
            losses += self.model.losses(held_out, sample, target(sample, self.train));
        }
        losses
    }
}
