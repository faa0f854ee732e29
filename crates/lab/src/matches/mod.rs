//! `bestmove match`: a match between two engines. Source of every claim about strength.
//!
//! - `config`: engine of a match: this program with its settings, or another program
//! - `player`, `process`, `pbrain`, `gtp`: the same in its games
//! - `cpu`: processor time of a program

mod config;
mod cpu;
mod gtp;
mod pbrain;
mod player;
mod process;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use clap::Args;
use serde_json::{Value, json};

use crate::progress::CommandProgress;
use crate::{CommandJob, JobRunner, threads};
use arena::elo::Sprt;
use arena::opening::{self, Balance, JUDGED_BY, Openings};
use arena::pairing::Pairing;
use arena::record::MatchTally;
use catalog::Calibrations;
use catalog::Catalog;
use catalog::question::Question;
use config::Configuration;
use player::Player;

/// Two engines and the terms of their match.
#[derive(Args, Clone, Debug)]
pub struct Match {
    /// First engine, from whose view results are reported, as JSON or the name of a JSON file: the body of
    /// a question, such as {"game":"connect4","algorithm":"uct","budget":{"time_ms":50}}, or another
    /// program, such as
    /// {"game":"xiangqi","command":["fairy-stockfish"],"protocol":"ucci","options":{"Hash":64},"go":"movetime
    /// 100"}; one that writes ranks from 1 on gets "ranks_from":1. A gomoku program: {"game":"gomoku",
    /// "command":["rapfi"],"protocol":"pbrain","options":{"timeout_turn":200}}, whose options are sent by
    /// INFO; an Othello program: {"game":"othello","command":["gtp-rhino","--level","3"],"protocol":"gtp"}
    first: String,

    /// Second engine
    second: String,

    /// Games to play, rounded up to pairs: every opening is played twice, with the seats exchanged
    #[arg(long, default_value_t = 100)]
    games: u64,

    /// Seed of openings, dice and engines
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Random plies at the beginning of a game, drawn from the evaluator's candidate moves
    #[arg(long, default_value_t = 0, value_name = "PLIES")]
    opening: usize,

    /// File of start states, one per line in the game's text notation, or of opening moves:
    /// {"openings":[{"moves":["h8","i9"]}]}
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// Redraw these moves until a short search by the first engine's method finds neither side ahead by
    /// more than this many units
    #[arg(long, value_name = "UNITS", requires = "opening")]
    balanced: Option<f64>,

    /// Option of the game that receives the seed of the pair, for games with a dealt start
    #[arg(long, value_name = "OPTION")]
    deal: Option<String>,

    /// Pairs played in parallel; more than the number of cores distorts time budgets
    #[arg(long, default_value_t = 1)]
    jobs: usize,

    /// Play on the workers of these servers, as nats://host:4222, in place of this machine; the same command again goes on
    /// with its match
    #[arg(long, value_name = "URLS", conflicts_with_all = ["jobs", "openings"])]
    jobs_on: Option<String>,

    /// Stop as soon as a sequential test between two Elo differences is decided
    #[arg(long, value_name = "ELO0,ELO1", value_parser = sprt)]
    sprt: Option<Sprt>,

    #[command(flatten)]
    calibrations: Calibrations,

    /// Write results and every game to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

fn sprt(text: &str) -> Result<Sprt, String> {
    let numbers: Vec<f64> = text.split(',').filter_map(|number| number.parse().ok()).collect();
    match numbers[..] {
        [elo0, elo1] if elo0 < elo1 => Ok(Sprt { elo0, elo1 }),
        _ => Err("expected two increasing numbers such as 0,30".into()),
    }
}

/// Is told the standing after each pair; true ends the match.
type OnPair<'a> = dyn FnMut(&MatchTally) -> Result<bool, String> + Send + 'a;

/// Settings common to all games of a match.
struct MatchSettings {
    catalog: Catalog,
    engines: [Configuration; 2],
    pairing: Pairing,
}

impl Match {
    /// Plays all games, prints the standing after each pair, and writes the record.
    ///
    /// # Errors
    /// When a configuration is wrong or something cannot be written.
    pub(super) fn run(
        &self,
        out: &mut (impl Write + Send),
        runner: &dyn JobRunner,
    ) -> Result<(), String> {
        let terms = self.terms(self.engines()?)?;
        let progress = CommandProgress::new(self.games.div_ceil(2), "pairs");
        let mut on_pair = |tally: &MatchTally| {
            progress.advance(1);
            let told = progress.aside(|| writeln!(out, "{}", tally.summary(self.sprt)));
            told.map_err(|why| why.to_string())?;
            let decided = |test| tally.pairs.evidence(test).state != "open";
            Ok(self.sprt.is_some_and(decided))
        };
        let tally = match &self.jobs_on {
            Some(servers) => self.play_elsewhere(servers, &terms, &mut on_pair, runner)?,
            None => self.play_all(&terms, &mut on_pair)?,
        };
        self.write(&tally, &terms.engines)
    }

    /// Has all pairs played by the workers of these servers.
    fn play_elsewhere(
        &self,
        servers: &str,
        terms: &MatchSettings,
        on_pair: &mut OnPair<'_>,
        runner: &dyn JobRunner,
    ) -> Result<MatchTally, String> {
        let body = |engine: &Configuration| match engine {
            Configuration::Own { question, seeded } => {
                let mut body = json!(question);
                if !seeded && let Some(members) = body.as_object_mut() {
                    members.remove("seed");
                }
                Ok(body)
            }
            Configuration::External(_) => {
                Err("other programs play on this machine only: leave out `--jobs-on`".to_owned())
            }
        };
        let [first, second] = terms.engines.each_ref().map(body);
        let body = json!({
            "first": first?, "second": second?, "games": 2 * self.games.div_ceil(2),
            "opening": self.opening, "balanced": self.balanced, "deal": self.deal,
            "seed": self.seed,
        });
        let job = CommandJob { servers: Some(servers), kind: "match", body };
        let mut tally = MatchTally::default();
        runner.run(&job, &mut |pair| {
            // What a pair has in place of games says why.
            let games = serde_json::from_value(pair.result.clone()).map_err(|_| {
                let detail = pair.result.get("detail").and_then(Value::as_str);
                detail.unwrap_or("a pair has no result").to_owned()
            })?;
            tally.add(games);
            on_pair(&tally).map(|is_enough| !is_enough)
        })?;
        tally.records.sort_by_key(|record| record.pair);
        Ok(tally)
    }

    /// Games between two configurations of this program, for other commands.
    pub(crate) fn between(games: u64, seed: u64, deal: Option<String>, jobs: usize) -> Self {
        Self {
            first: String::new(),
            second: String::new(),
            games,
            seed,
            opening: 0,
            openings: None,
            balanced: None,
            deal,
            jobs,
            jobs_on: None,
            sprt: None,
            calibrations: Calibrations { files: String::new() },
            json: None,
        }
    }

    /// Results of the first question against the second, both games of a pair together.
    ///
    /// # Errors
    /// When a question is wrong.
    pub(crate) fn results(&self, engines: [Question; 2]) -> Result<Vec<[f64; 2]>, String> {
        let own = |question| Configuration::Own { question: Box::new(question), seeded: false };
        let terms = self.terms(engines.map(own))?;
        let tally = self.play_all(&terms, &mut |_| Ok(false))?;
        let results = tally.records.chunks(2).map(|pair| [pair[0].result, pair[1].result]);
        Ok(results.collect())
    }

    /// Plays all pairs; `on_pair` is told the standing after each, and returns true to end the match.
    fn play_all(
        &self,
        terms: &MatchSettings,
        on_pair: &mut OnPair<'_>,
    ) -> Result<MatchTally, String> {
        let next = AtomicU64::new(0);
        let enough = AtomicBool::new(false);
        let state = Mutex::new((MatchTally::default(), on_pair));
        let work = || -> Result<(), String> {
            let [first, second] = terms.engines.each_ref().map(Player::new);
            let mut players = [first?, second?];
            while !enough.load(Ordering::Relaxed) {
                let pair = next.fetch_add(1, Ordering::Relaxed);
                if 2 * pair >= self.games {
                    break;
                }
                let games = terms.pairing.play_pair(&terms.catalog, &mut players, pair)?;
                let mut state = state.lock().expect("no panic while locked");
                let (tally, on_pair) = &mut *state;
                tally.add(games);
                if on_pair(tally)? {
                    enough.store(true, Ordering::Relaxed);
                }
            }
            Ok(())
        };
        threads::side_by_side(self.jobs, work)?;
        Ok(state.into_inner().expect("no panic while locked").0)
    }

    /// Reads the engines. Another program is told the rules of this one.
    fn engines(&self) -> Result<[Configuration; 2], String> {
        let mut engines = [Configuration::read(&self.first)?, Configuration::read(&self.second)?];
        let question = engines.iter().find_map(Configuration::question);
        let rules = question.and_then(|one| one.options.get("rules")).and_then(Value::as_str);
        let rules = rules.map(str::to_owned);
        for engine in &mut engines {
            if let Configuration::External(external) = engine {
                external.adopt(rules.as_deref());
            }
        }
        Ok(engines)
    }

    /// Reads the match settings.
    fn terms(&self, engines: [Configuration; 2]) -> Result<MatchSettings, String> {
        let catalog = self.calibrations.catalog()?;
        let [first, second] = engines.each_ref().map(Configuration::game);
        if first != second {
            return Err(format!("`{first}` and `{second}` are different games"));
        }
        let game = catalog.game(first).map_err(|why| why.to_string())?;
        let foreign = engines.iter().any(|engine| engine.question().is_none());
        if foreign && game.describe().text_notation.is_none() {
            return Err(format!("`{first}` has no text notation for another program"));
        }
        let mut questions = engines.iter().filter_map(Configuration::question);
        let basis = questions.next().cloned();
        let start = |question: &Question| (question.state.clone(), question.moves.clone());
        if let (Some(one), Some(two)) = (&basis, questions.next())
            && start(one) != start(two)
        {
            return Err("the engines start from different positions".into());
        }
        let beginnings = self.openings.as_deref().map(opening::read).transpose()?;
        if beginnings.is_some()
            && basis.as_ref().is_some_and(|one| start(one) != (None, Vec::new()))
        {
            return Err(
                "`--openings` conflicts with the start positions of the configurations".into()
            );
        }
        let by_default = || serde_json::from_value(json!({ "game": first }));
        let judge = basis.clone().map_or_else(by_default, Ok).map_err(|why| why.to_string())?;
        let openings = Openings {
            beginnings: beginnings.unwrap_or_default(),
            plies: self.opening,
            balance: self.balanced.map(|most| Balance::new(most, judge, JUDGED_BY)),
        };
        let game = first.to_owned();
        let pairing = Pairing { game, basis, openings, deal: self.deal.clone(), seed: self.seed };
        Ok(MatchSettings { catalog, engines, pairing })
    }

    fn write(&self, tally: &MatchTally, engines: &[Configuration; 2]) -> Result<(), String> {
        let Some(path) = &self.json else { return Ok(()) };
        let record = json!({
            "first": engines[0],
            "second": engines[1],
            "seed": self.seed,
            "opening": self.opening,
            "openings": self.openings,
            "balanced": self.balanced,
            "wins": tally.count(1.0),
            "draws": tally.count(0.5),
            "losses": tally.count(0.0),
            "time_ms": tally.time_ms(),
            "cpu_ms": tally.cpu_ms(),
            "strength": tally.pairs.strength(),
            "sprt": self.sprt.map(|test| tally.pairs.evidence(test)),
            "games": tally.records,
        });
        let text = serde_json::to_string_pretty(&record).expect("a record can be written as JSON");
        std::fs::write(path, text).map_err(|why| format!("{}: {why}", path.display()))
    }
}
