//! Positions of a file as active rows.

use std::path::Path;

use serde_json::Value;
use sha2::{Digest, Sha256};

use engine::game::Turn;
use engine::network::NetworkInput;
use games::notation::{Served, Settings, StateInput};
use lab::self_play::{fields, terms_of};

/// A position as the network sees it, with what it shall learn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// First of its active rows in [`Samples::rows`], those of the side to move before those of the other.
    first: u32,
    /// Number of active rows per view.
    counts: [u16; 2],
    pub(crate) bucket: u8,
    /// Logit of the value that the network corrects.
    pub(crate) base: f32,
    /// Result and forecast of the search for the side to move, 0 to 1; without a score the result twice.
    pub(crate) result: f32,
    pub(crate) forecast: f32,
}

/// Positions of whole games.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    pub(crate) all: Vec<Sample>,
    rows: Vec<u32>,
    pub(crate) games: usize,
}

/// One game in this many is held out.
const HELD_OUT: usize = 20;

impl Samples {
    /// The active rows of a view.
    pub(crate) fn rows(&self, sample: &Sample, view: usize) -> &[u32] {
        let first = sample.first as usize;
        let middle = first + usize::from(sample.counts[0]);
        match view {
            0 => &self.rows[first..middle],
            _ => &self.rows[middle..][..usize::from(sample.counts[1])],
        }
    }

    /// Samples of random rows.
    #[cfg(test)]
    pub(crate) fn random(
        count: usize,
        shape: crate::model::NetworkShape,
        rng: &mut engine::game::Rng,
    ) -> Self {
        let mut samples = Self::default();
        for _ in 0..count {
            let sample = Sample {
                first: samples.rows.len() as u32,
                counts: [3, 2],
                bucket: rng.below(shape.buckets) as u8,
                base: 0.4,
                result: 0.0,
                forecast: 0.0,
            };
            samples.all.push(sample);
            samples.rows.extend((0..5).map(|_| rng.below(shape.rows) as u32));
        }
        samples
    }

    fn add<G: Served, I: NetworkInput<G>>(&mut self, pos: &G, result: f64, score: Option<f64>) {
        let Turn::Of(mover) = pos.turn() else { return };
        let seen = I::seen(pos, mover);
        let logit = |units: f64| (units / f64::from(I::SCALE)) as f32;
        let own = |first: f64| 0.5 + f64::from(mover.sign()) * (first - 0.5);
        let result = own(result) as f32;
        let units = f64::from(G::facts().scale);
        let forecast =
            score.map(|score| sigmoid(f64::from(mover.sign()) as f32 * logit(score * units)));
        let count = |view: usize| seen.get(view).map_or(0, Vec::len) as u16;
        self.all.push(Sample {
            first: self.rows.len() as u32,
            counts: [count(0), count(1)],
            bucket: I::bucket(pos) as u8,
            base: logit(I::base(pos, mover).into()),
            result,
            forecast: forecast.unwrap_or(result),
        });
        self.rows.extend(seen.iter().flatten());
    }
}

/// Expected result at a logit.
pub(crate) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// Where positions come from.
#[derive(Debug)]
pub(crate) struct DataOrigin {
    /// SHA-256 of all text.
    pub(crate) hash: String,
    /// Terms of the games, in the order of the files.
    pub(crate) terms: Vec<Value>,
}

/// Reads files: the positions to learn from, those held out, and where they come from.
///
/// # Errors
/// Names the faulty line and the expected form.
pub(crate) fn read<G: Served, I: NetworkInput<G>>(
    paths: &[impl AsRef<Path>],
) -> Result<([Samples; 2], DataOrigin), String> {
    let settings = Settings::defaults(G::facts().options);
    let mut read = [Samples::default(), Samples::default()];
    let mut hash = Sha256::new();
    let (mut games, mut terms) = (0, Vec::new());
    for path in paths {
        let path = path.as_ref();
        let text =
            std::fs::read_to_string(path).map_err(|why| format!("{}: {why}", path.display()))?;
        hash.update(&text);
        let mut inside = false;
        for (n, line) in text.lines().enumerate() {
            if let Some(told) = terms_of(line) {
                terms.extend(serde_json::from_str::<Value>(told));
                continue;
            }
            if line.trim().is_empty() {
                inside = false;
                continue;
            }
            games += usize::from(!inside);
            let part = &mut read[usize::from(games % HELD_OUT == 0)];
            part.games += usize::from(!inside);
            inside = true;
            let named =
                |why: &dyn std::fmt::Display| format!("{}:{}: {why}", path.display(), n + 1);
            let (state, result, score) = fields(line).map_err(|why| named(&why))?;
            let pos = position::<G>(state, &settings).map_err(|why| named(&why))?;
            part.add::<G, I>(&pos, result, score);
        }
    }
    if read.iter().any(|part| part.all.is_empty()) {
        return Err(format!("{games} games are too few; expected at least {HELD_OUT}"));
    }
    let hash = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((read, DataOrigin { hash, terms }))
}

fn position<G: Served>(state: &str, settings: &Settings) -> Result<G, String> {
    let read = match serde_json::from_str(state) {
        Ok(json @ serde_json::Value::Object(_)) => G::read(StateInput::Json(&json), settings),
        _ => G::read(StateInput::Text(state), settings),
    };
    read.map_err(|why| why.to_string())
}
