//! `bestmove ladder`: levels of a game against each other, and their Elo.
//!
//! - `fit`: how much each level gives away, so that it beats the one below it as often as wanted
//! - `rating`: Elo by maximum likelihood

mod fit;
mod rating;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::matches::Match;
use crate::plot::{self, LevelPoint};
use crate::progress::CommandProgress;
use catalog::question::Question;
use catalog::{Catalog, LevelInfo, TOP_LEVEL};
use rating::{PairScore, ratings};

/// Levels of one game, and how they meet.
#[derive(Args, Clone, Debug)]
pub struct Ladder {
    /// Game
    #[arg(long)]
    game: String,

    /// Games between two levels, half of them with the seats exchanged
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(2..))]
    games: u64,

    /// Levels that meet: those at most so far apart. 9 is a round robin
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=9))]
    span: u64,

    /// Thinking time of level 10 in ms, where a question without a budget has a second
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    full_ms: u64,

    /// Seed of all games
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Option of the game that receives the seed of the pair, for games with a dealt start
    #[arg(long, value_name = "OPTION")]
    deal: Option<String>,

    /// Pairs played in parallel
    #[arg(long, default_value_t = 1)]
    jobs: usize,

    /// Fit the losses first, so that a level scores so much against the one below it
    #[arg(long, value_name = "SCORE")]
    fit: Option<f64>,

    /// Games for the fit of a level
    #[arg(long, default_value_t = 192)]
    fit_games: u64,

    /// Loss of level 1, instead of one fitted against random play
    #[arg(long, value_name = "LOSS", requires = "fit")]
    first_loss: Option<f64>,

    /// Results, written after every match; those in it are not played again
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,

    /// Chart of Elo over levels
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,

    /// Results of other games for the same chart, each named as its game
    #[arg(long, value_name = "FILE", requires = "svg")]
    beside: Vec<PathBuf>,
}

/// What all matches of a ladder have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct LadderTerms {
    game: String,
    games: u64,
    full_ms: u64,
    seed: u64,
    deal: Option<String>,
}

/// What has been measured so far.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct LadderRecord {
    terms: LadderTerms,
    levels: Vec<LevelInfo>,
    /// Levels whose losses are fitted.
    fitted: u64,
    /// Results of the first of two players, by their names.
    scores: BTreeMap<String, PairScore>,
}

/// Players that every ladder stands on: a random one and one that looks one ply ahead.
const ANCHORS: [&str; 2] = ["random", "greedy"];

impl Ladder {
    /// Plays, fits if that is wanted, rates and prints.
    ///
    /// # Errors
    /// When the game is unknown, or the file cannot be read or written.
    pub(super) fn run(&self, out: &mut impl Write) -> Result<(), String> {
        let mut record = self.read()?;
        if let Some(score) = self.fit {
            self.fit(score, &mut record, out)?;
        }
        let pairs = self.pairs();
        let progress = CommandProgress::new(pairs.len() as u64, "matches");
        for (one, other) in pairs {
            let line = self.meet(&one, &other, &mut record)?;
            progress.aside(|| say(out, &line))?;
            progress.advance(1);
        }
        drop(progress);
        let elo = ratings(&record.scores, "1");
        for level in &mut record.levels {
            let rated = elo.get(&level.level.to_string());
            level.elo = rated.map(|rated| rated.elo.round());
            level.elo_stderr = rated.map(|rated| rated.stderr.round());
        }
        self.write(&record)?;
        self.draw(&record)?;
        for (name, rated) in &elo {
            say(out, &format!("{name}: {:+.0} +- {:.0} Elo", rated.elo, rated.stderr))?;
        }
        say(out, &json!({ &self.game: record.levels }).to_string())
    }

    /// Draws these results and those beside them, if that is wanted.
    fn draw(&self, record: &LadderRecord) -> Result<(), String> {
        let Some(path) = &self.svg else { return Ok(()) };
        let mut curves = vec![(self.game.clone(), points(record))];
        for other in &self.beside {
            let name = other.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            curves.push((name, points(&read_record(other)?)));
        }
        let chart = plot::ladders(&curves)?;
        std::fs::write(path, chart).map_err(|why| format!("{}: {why}", path.display()))
    }

    /// Names of those that meet, the stronger first.
    fn pairs(&self) -> Vec<(String, String)> {
        let anchors = ANCHORS.iter().map(|anchor| ("1".to_owned(), (*anchor).to_owned()));
        let levels = (2..=TOP_LEVEL).flat_map(|level| {
            let lower = level.saturating_sub(self.span).max(1)..level;
            lower.rev().map(move |other| (level.to_string(), other.to_string()))
        });
        anchors.chain(levels).collect()
    }

    /// Plays a match unless it has been played, and says its result.
    fn meet(&self, one: &str, other: &str, record: &mut LadderRecord) -> Result<String, String> {
        let name = format!("{one} {other}");
        if !record.scores.contains_key(&name) {
            let engines = [self.player(one, record), self.player(other, record)];
            let games = Match::between(self.games, self.seed, self.deal.clone(), self.jobs);
            let score = PairScore::of(&games.results(engines)?);
            record.scores.insert(name.clone(), score);
            self.write(record)?;
        }
        let PairScore { score, stderr, games } = record.scores[&name];
        Ok(format!("{name}: {:.1} % +- {:.1} of {games}", 100.0 * score, 200.0 * stderr))
    }

    /// The question of a player.
    fn player(&self, name: &str, record: &LadderRecord) -> Question {
        let level = name.parse().ok();
        let body = match level {
            Some(TOP_LEVEL) => json!({ "budget": { "time_ms": self.full_ms } }),
            Some(level) => json!({ "level": level }),
            None => json!({ "algorithm": name }),
        };
        let mut body = body;
        (body["game"], body["ratings"]) = (json!(self.game), json!("none"));
        let question: Question = serde_json::from_value(body).expect("it has the right shape");
        let measured_level = record.levels.iter().find(|info| Some(info.level) == level).copied();
        Question { measured_level, ..question }
    }

    fn read(&self) -> Result<LadderRecord, String> {
        let catalog = Catalog::default();
        let game = catalog.game(&self.game).map_err(|why| why.to_string())?;
        let levels = game.describe().levels;
        let terms = LadderTerms {
            game: self.game.clone(),
            games: self.games,
            full_ms: self.full_ms,
            seed: self.seed,
            deal: self.deal.clone(),
        };
        let Some(path) = self.file.as_ref().filter(|path| path.exists()) else {
            return Ok(LadderRecord { terms, levels, fitted: 0, scores: BTreeMap::new() });
        };
        let record = read_record(path)?;
        if record.terms == terms {
            return Ok(record);
        }
        let text = |terms: &LadderTerms| serde_json::to_string(terms).unwrap_or_default();
        Err(format!(
            "{}: its matches are of {}, not of {}: name another file or the same terms",
            path.display(),
            text(&record.terms),
            text(&terms)
        ))
    }

    fn write(&self, record: &LadderRecord) -> Result<(), String> {
        let Some(path) = &self.file else { return Ok(()) };
        let text = serde_json::to_string_pretty(record).expect("a record can be written as JSON");
        std::fs::write(path, text).map_err(|why| format!("{}: {why}", path.display()))
    }
}

fn read_record(path: &Path) -> Result<LadderRecord, String> {
    let wrong = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
    let text = std::fs::read_to_string(path).map_err(|why| wrong(&why))?;
    serde_json::from_str(&text).map_err(|why| wrong(&why))
}

/// The levels that have been measured.
fn points(record: &LadderRecord) -> Vec<LevelPoint> {
    let point = |info: &LevelInfo| {
        let (elo, stderr) = info.elo.zip(info.elo_stderr)?;
        Some(LevelPoint { level: info.level, elo, stderr })
    };
    record.levels.iter().filter_map(point).collect()
}

fn say(out: &mut impl Write, line: &str) -> Result<(), String> {
    writeln!(out, "{line}").map_err(|why| format!("cannot print: {why}"))
}
