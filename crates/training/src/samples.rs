//! Positions of a file as active rows.

use std::path::Path;

use serde_json::Value;
use sha2::{Digest, Sha256};

use engine::game::Turn;
use engine::network::{MoveRows, NetworkInput};
use games::notation::{Served, Settings, StateInput, take_options};
use lab::self_play::{PlayedScore, PositionLine, terms_of};

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
    /// False where the value says nothing: the next move changes too much.
    pub(crate) has_value: bool,
    /// First and number of its choices in [`Samples::choices`]; none if the best one is not known or not among them.
    first_choice: u32,
    choices: u16,
    /// Place of the best one.
    best: u16,
}

/// Positions of whole games.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    pub(crate) all: Vec<Sample>,
    rows: Vec<u32>,
    choices: Vec<MoveRows>,
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

    /// The best choice of a position and the rows of all.
    pub(crate) fn choices(&self, sample: &Sample) -> Option<(usize, &[MoveRows])> {
        let choices = &self.choices[sample.first_choice as usize..][..sample.choices.into()];
        (!choices.is_empty()).then_some((sample.best.into(), choices))
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
                has_value: rng.below(2) == 0,
                first_choice: samples.choices.len() as u32,
                choices: 4,
                best: rng.below(4) as u16,
            };
            let mut row = |_| rng.below(shape.move_rows) as u32;
            samples.choices.extend((0..4).map(|_| [0, 1].map(&mut row)));
            samples.all.push(sample);
            samples.rows.extend((0..5).map(|_| rng.below(shape.rows) as u32));
        }
        samples
    }

    fn add<G: Served, I: NetworkInput<G>>(
        &mut self,
        pos: &G,
        result: f64,
        score: PlayedScore,
        best: Option<G::Move>,
    ) {
        let Turn::Of(mover) = pos.turn() else { return };
        let seen = I::seen(pos, mover);
        let logit = |units: f64| (units / f64::from(I::SCALE)) as f32;
        let own = |first: f64| 0.5 + f64::from(mover.sign()) * (first - 0.5);
        let result = own(result) as f32;
        let units = f64::from(G::facts().scale);
        let forecast = score
            .units()
            .map(|score| sigmoid(f64::from(mover.sign()) as f32 * logit(score * units)));
        let choices = best.map_or(Vec::new(), |_| I::choices(pos, mover));
        let best = choices.iter().position(|&(mv, _)| Some(mv) == best);
        let choices = if best.is_some() { &choices[..] } else { &[] };
        let count = |view: usize| seen.get(view).map_or(0, Vec::len) as u16;
        self.all.push(Sample {
            first: self.rows.len() as u32,
            counts: [count(0), count(1)],
            bucket: I::bucket(pos) as u8,
            base: logit(I::base(pos, mover).into()),
            result,
            forecast: forecast.unwrap_or(result),
            has_value: score != PlayedScore::Unquiet,
            first_choice: self.choices.len() as u32,
            choices: choices.len() as u16,
            best: best.unwrap_or_default() as u16,
        });
        self.choices.extend(choices.iter().map(|(_, rows)| rows));
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
    let mut settings = Settings::defaults(G::facts().options);
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
            let named =
                |why: &dyn std::fmt::Display| format!("{}:{}: {why}", path.display(), n + 1);
            if let Some(told) = terms_of(line) {
                let told: Value = serde_json::from_str(told).map_err(|why| named(&why))?;
                settings = settings_of::<G>(&told).map_err(|why| named(&why))?;
                terms.push(told);
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
            let line = PositionLine::read(line).map_err(|why| named(&why))?;
            let pos = position::<G>(line.state, &settings).map_err(|why| named(&why))?;
            let best = line.best_move.map(|mv| pos.find_move(mv)).transpose();
            let best = best.map_err(|why| named(&why))?;
            part.add::<G, I>(&pos, line.result, line.score, best);
        }
    }
    if read.iter().any(|part| part.all.is_empty()) {
        return Err(format!("{games} games are too few; expected at least {HELD_OUT}"));
    }
    let hash = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((read, DataOrigin { hash, terms }))
}

/// Options of the games that these terms are of.
fn settings_of<G: Served>(terms: &Value) -> Result<Settings, String> {
    let given = terms["player"]["options"].as_object().cloned();
    take_options(G::facts().options, &mut given.unwrap_or_default()).map_err(|why| why.detail)
}

fn position<G: Served>(state: &str, settings: &Settings) -> Result<G, String> {
    let read = match serde_json::from_str(state) {
        Ok(json @ serde_json::Value::Object(_)) => G::read(StateInput::Json(&json), settings),
        _ => G::read(StateInput::Text(state), settings),
    };
    read.map_err(|why| why.to_string())
}
