//! `bestmove tune`: weights of an evaluation, fitted to the results of self-play games.
//!
//! - `self_play`: the games
//! - `samples`: their positions in a file
//! - `regression`, `optimizer`: the fit of the weights

mod optimizer;
mod regression;
mod samples;
mod self_play;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Args;
use serde_json::{Map, Value};

use crate::run_plan;
use catalog::{AnyGame, Catalog, Linear};
use regression::{Fit, FitSettings, Observations};
use self_play::{Played, SelfPlay};

/// Games to play and settings of the fit.
#[derive(Args, Clone, Debug)]
pub struct Tune {
    /// Game with an evaluation linear in its weights, such as `xiangqi`
    #[arg(long)]
    game: String,

    /// Games to play; 0 fits the weights to the samples in the file
    #[arg(long, default_value_t = 1_000)]
    games: u64,

    /// Positions to visit per move
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Seed of the openings; another seed gives other games
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Settings by which games are played, by default the game's best method: the body of a question, such
    /// as {"algorithm":"uct","options":{"playout_depth":8}}
    #[arg(long, value_name = "QUESTION", value_parser = question, default_value = "{}")]
    play: Play,

    /// Option of the game that receives a seed per game, for games with a dealt start; there are no random
    /// moves then
    #[arg(long, value_name = "OPTION")]
    deal: Option<String>,

    /// Threads
    #[arg(long, default_value_t = 1)]
    jobs: usize,

    /// File that positions are appended to and learned from, one `state | result | score` per line, an
    /// empty line after each game; the score is `-` where a search gives a win frequency and no value in
    /// units
    #[arg(long, value_name = "FILE")]
    samples: PathBuf,

    /// Weight of the game's result against the search score of a position, 0 to 1
    #[arg(long, default_value_t = 0.7, value_parser = share)]
    blend: f64,

    /// Prior standard deviation of a weight around its old value, as a fraction of the scale
    #[arg(long, default_value_t = 0.5, value_parser = positive)]
    spread: f64,

    /// Write the source of the new weights to this file
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// Members of a question.
type Play = Map<String, Value>;

fn question(text: &str) -> Result<Play, String> {
    serde_json::from_str(text).map_err(|why| format!("expected an object in JSON: {why}"))
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".into())
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "expected a number above 0".into())
}

/// Rows in the table of weights.
const SHOWN: usize = 30;

impl Tune {
    /// Plays, fits and writes.
    ///
    /// # Errors
    /// When the game has no such evaluation, a file cannot be read or written, or has nothing to learn
    /// from.
    pub(super) fn run(&self, out: &mut (impl Write + Send)) -> Result<(), String> {
        let catalog = Catalog::default();
        let game = catalog.game(&self.game).map_err(|why| why.to_string())?;
        let linear = game.linear().ok_or_else(|| not_linear(&catalog, game))?;
        self.practise(&catalog, game, linear, out)?;
        let named = |why: &dyn std::fmt::Display| format!("{}:{why}", self.samples.display());
        let text =
            std::fs::read_to_string(&self.samples).map_err(|why| named(&format!(" {why}")))?;
        let [learned, held_out] = samples::read(&text, linear).map_err(|why| named(&why))?;
        let old = linear.weights();
        let scale = learned.scale(&old).ok_or_else(|| {
            named(
                &" no scale at which the evaluation predicts the results; more games \
                    may help",
            )
        })?;
        let terms = FitSettings { scale, blend: self.blend, spread: self.spread, jobs: self.jobs };
        let fit = regression::fit(&learned, &held_out, &old, &terms);
        let parts = [&learned, &held_out];
        print(linear, parts, scale, &fit, out).map_err(|why| format!("cannot print: {why}"))?;
        let Some(path) = &self.write else { return Ok(()) };
        std::fs::write(path, linear.source(&fit.weights, scale))
            .map_err(|why| format!("{}: {why}", path.display()))
    }

    /// Plays games and appends their positions to the file, in the order of their numbers.
    fn practise(
        &self,
        catalog: &Catalog,
        game: &dyn AnyGame,
        linear: &dyn Linear,
        out: &mut (impl Write + Send),
    ) -> Result<(), String> {
        if self.games == 0 {
            return Ok(());
        }
        let self_play = SelfPlay::new(catalog, game, linear, self)?;
        let next = AtomicU64::new(0);
        let ledger = Mutex::new(Ledger::open(&self.samples, self.games, out)?);
        run_plan::side_by_side(self.jobs, || {
            let mut player = self_play.player();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= self.games {
                    return Ok(());
                }
                let played = self_play.play(&mut player, number)?;
                ledger.lock().expect("no panic while locked").add(number, played)?;
            }
        })
    }
}

fn not_linear(catalog: &Catalog, game: &dyn AnyGame) -> String {
    let linear = catalog.games().filter(|game| game.linear().is_some());
    let names: Vec<_> = linear.map(AnyGame::name).collect();
    let (name, names) = (game.name(), names.join(", "));
    format!("the evaluation of `{name}` is not linear in weights; that of these games is: {names}")
}

/// Finished games, and those waiting for games with a lower number.
struct Ledger<'a, W> {
    path: &'a Path,
    file: File,
    out: W,
    waiting: BTreeMap<u64, Played>,
    games: u64,
    written: u64,
    positions: usize,
    /// Wins, draws and losses of the first side.
    results: [u64; 3],
}

impl<'a, W: Write> Ledger<'a, W> {
    fn open(path: &'a Path, games: u64, out: W) -> Result<Self, String> {
        let file = File::options().create(true).append(true).open(path);
        let file = file.map_err(|why| format!("{}: {why}", path.display()))?;
        let (waiting, results) = (BTreeMap::new(), [0; 3]);
        Ok(Self { path, file, out, waiting, games, written: 0, positions: 0, results })
    }

    fn add(&mut self, number: u64, played: Played) -> Result<(), String> {
        self.waiting.insert(number, played);
        while let Some(played) = self.waiting.remove(&self.written) {
            let written = self.file.write_all(played.text.as_bytes());
            written.map_err(|why| format!("{}: {why}", self.path.display()))?;
            self.written += 1;
            self.positions += played.positions;
            self.results[(2.0 - 2.0 * played.result) as usize] += 1;
            let [wins, draws, losses] = self.results;
            if self.written.is_multiple_of(self.games.div_ceil(10)) || self.written == self.games {
                let (games, positions) = (self.written, self.positions);
                let told = writeln!(
                    self.out,
                    "{games} games: +{wins} ={draws} -{losses} for the first side, {positions} positions"
                );
                told.map_err(|why| format!("cannot print: {why}"))?;
            }
        }
        Ok(())
    }
}

/// Prints the prediction loss of the weights and the largest changes.
fn print(
    linear: &dyn Linear,
    [learned, held_out]: [&Observations; 2],
    scale: f64,
    fit: &Fit,
    out: &mut impl Write,
) -> std::io::Result<()> {
    let Fit { weights, before, after, steps } = fit;
    writeln!(out, "\nscale {scale:.1}, {steps} steps; mean cross-entropy:")?;
    writeln!(out, "{:<12} {:>8} {:>10} {:>9} {:>9}", "", "games", "positions", "before", "after")?;
    let parts = [("learned from", learned), ("held out", held_out)];
    for (n, (name, part)) in parts.into_iter().enumerate() {
        let (games, positions, before, after) = (part.games(), part.len(), before[n], after[n]);
        writeln!(out, "{name:<12} {games:>8} {positions:>10} {before:>9.5} {after:>9.5}")?;
    }
    let mut changes: Vec<_> = linear.weights().into_iter().zip(weights).enumerate().collect();
    changes.sort_by(|(_, (old, new)), (_, (other_old, other_new))| {
        (*other_new - other_old).abs().total_cmp(&(*new - old).abs())
    });
    writeln!(out, "\n{:<24} {:>7} {:>7} {:>7}", "weight", "old", "new", "change")?;
    for (n, (old, new)) in changes.into_iter().take(SHOWN) {
        let (name, change) = (linear.name(n), new - old);
        writeln!(out, "{name:<24} {old:>7.0} {new:>7.0} {change:>+7.0}")?;
    }
    Ok(())
}
