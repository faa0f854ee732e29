//! `bestmove tune`: weights of an evaluation, fitted to the results of self-play games, and numbers of a search, tuned
//! by games between them.
//!
//! - `samples`: positions of self-play games, read from a file
//! - `regression`, `optimizer`: the fit of the weights
//! - `search`, `spsa`: the games of a search's numbers, and where they go

mod optimizer;
mod regression;
mod samples;
mod search;
mod spsa;

use std::io::Write;
use std::path::PathBuf;

use crate::JobRunner;
use crate::self_play::{Play, Practice, SelfPlayTerms};
use arena::self_play;
use catalog::{AnyGame, Catalog, Linear};
use clap::Args;
use regression::{Fit, FitSettings, Observations};
use search::SearchTuning;

/// Games to play and settings of the fit.
#[derive(Args, Clone, Debug)]
pub struct Tune {
    /// Game with an evaluation linear in its weights, such as `xiangqi`
    #[arg(long)]
    game: String,

    /// Tune these numbers of the search in place of weights, all at once by SPSA: names of its options, each with how far
    /// it is tried from where it stands, a tenth by default, such as late_moves:6,reduction:20
    #[arg(long, value_name = "OPTIONS", value_delimiter = ',',
          conflicts_with_all = ["jobs_on", "blend", "spread", "write"])]
    search: Vec<String>,

    /// Games of these settings that the file shall hold; those it lacks are played. 0 fits the weights to what is in it
    #[arg(long, default_value_t = 1_000)]
    games: u64,

    /// Positions to visit per move; 2,000 unless given, with `--search` 20,000: of fewer, depth is too little to prune
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

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

    /// Play on the workers of these servers, as nats://host:4222, in place of this machine
    #[arg(long, value_name = "URLS")]
    jobs_on: Option<String>,

    /// File that positions are appended to and learned from, one `state | result | score` per line, an
    /// empty line after each game; the score is `-` where a search gives a win frequency and no value in
    /// units. A line `# {...}` tells the settings of the games below it. With `--search`: where its numbers stand after every 16 pairs of games, in JSON; the same command goes on
    /// where it ends
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

/// Positions to visit per move unless given, where weights are fitted and where numbers of a search are tuned.
const NODES: u64 = 2_000;
const SEARCH_NODES: u64 = 20_000;
/// Number of random moves at the beginning of a game.
const OPENING: [usize; 2] = [4, 10];
/// Largest value of an opening for either side, in points.
const BALANCE: f64 = 1.5;
/// Maximum number of positions kept of a game.
const MOST_OF_A_GAME: usize = 40;

/// Rows in the table of weights.
const SHOWN: usize = 30;

impl Tune {
    /// Plays, fits and writes.
    ///
    /// # Errors
    /// When the game has no such evaluation, a file cannot be read or written, or has nothing to learn
    /// from.
    pub(super) fn run(
        &self,
        out: &mut (impl Write + Send),
        runner: &dyn JobRunner,
    ) -> Result<(), String> {
        let catalog = Catalog::default();
        let game = catalog.game(&self.game).map_err(|why| why.to_string())?;
        if !self.search.is_empty() {
            let question =
                self_play::question(&self.play, game.name(), self.nodes.unwrap_or(SEARCH_NODES))?;
            let (deal, jobs) = (self.deal.clone(), self.jobs);
            let tuning = SearchTuning { catalog: &catalog, game, question, deal, jobs };
            return tuning.run(&self.search, [self.games, self.seed], &self.samples, out);
        }
        let linear = game.linear().ok_or_else(|| not_linear(&catalog, game))?;
        match &self.jobs_on {
            Some(servers) => self.practice().run_elsewhere(servers, &self.game, out, runner)?,
            None => self.practice().run(&catalog, game, out)?,
        }
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

    /// The games to play.
    fn practice(&self) -> Practice {
        Practice {
            terms: SelfPlayTerms {
                nodes: self.nodes.unwrap_or(NODES),
                seed: self.seed,
                play: self.play.clone(),
                opening: OPENING,
                balanced: Some(BALANCE),
                stray: 0.0,
                deal: self.deal.clone(),
                most_of_a_game: MOST_OF_A_GAME,
                moves: false,
            },
            games: self.games,
            jobs: self.jobs,
            samples: self.samples.clone(),
        }
    }
}

fn not_linear(catalog: &Catalog, game: &dyn AnyGame) -> String {
    let linear = catalog.games().filter(|game| game.linear().is_some());
    let names: Vec<_> = linear.map(AnyGame::name).collect();
    let (name, names) = (game.name(), names.join(", "));
    format!("the evaluation of `{name}` is not linear in weights; that of these games is: {names}")
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
