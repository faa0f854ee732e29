//! `bestmove match`: a match between two engines. Source of every claim about strength.
//!
//! - `config`: engine of a match: this program with its settings, or another program
//! - `player`, `process`, `pbrain`, `gtp`: the same in its games
//! - `opening`: openings of games
//! - `record`, `elo`: results and statistics
//! - `cpu`: processor time

mod config;
mod cpu;
mod elo;
mod gtp;
pub(super) mod opening;
mod pbrain;
pub(super) mod player;
mod process;
mod record;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::{Map, Value, json};

use crate::run_plan;
use catalog::Calibrations;
use catalog::question::Question;
use catalog::{AnyPosition, Catalog};
use config::Configuration;
use elo::Sprt;
use engine::game::{Rng, zobrist};
use opening::{Balance, Openings};
use player::{Player, Start, TurnResult};
use record::{MatchRecord, MatchTally};

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

    /// Stop as soon as a sequential test between two Elo differences is decided
    #[arg(long, value_name = "ELO0,ELO1", value_parser = sprt)]
    sprt: Option<Sprt>,

    #[command(flatten)]
    calibrations: Calibrations,

    /// Write results and every game to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Positions visited to judge an opening, enough for a few plies.
const JUDGED_BY: u64 = 20_000;

fn sprt(text: &str) -> Result<Sprt, String> {
    let numbers: Vec<f64> = text.split(',').filter_map(|number| number.parse().ok()).collect();
    match numbers[..] {
        [elo0, elo1] if elo0 < elo1 => Ok(Sprt { elo0, elo1 }),
        _ => Err("expected two increasing numbers such as 0,30".into()),
    }
}

/// Settings common to all games of a match.
struct MatchSettings {
    catalog: Catalog,
    engines: [Configuration; 2],
    openings: Openings,
    /// Question with the start state and the game options by which openings are judged.
    basis: Option<Question>,
}

impl Match {
    /// Plays all games, prints the standing after each pair, and writes the record.
    ///
    /// # Errors
    /// When a configuration is wrong or something cannot be written.
    pub(super) fn run(&self, out: &mut (impl Write + Send)) -> Result<(), String> {
        let terms = self.terms(self.engines()?)?;
        let tally = self.play_all(&terms, &mut |tally| {
            writeln!(out, "{}", tally.summary(self.sprt)).map_err(|why| why.to_string())?;
            let decided = |test| tally.pairs.evidence(test).state != "open";
            Ok(self.sprt.is_some_and(decided))
        })?;
        self.write(&tally, &terms.engines)
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
        on_pair: &mut (dyn FnMut(&MatchTally) -> Result<bool, String> + Send),
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
                let games = [0, 1].map(|seat| self.play(terms, &mut players, pair, seat));
                let [one, two] = games;
                let mut state = state.lock().expect("no panic while locked");
                let (tally, on_pair) = &mut *state;
                tally.add([one?, two?]);
                if on_pair(tally)? {
                    enough.store(true, Ordering::Relaxed);
                }
            }
            Ok(())
        };
        run_plan::side_by_side(self.jobs, work)?;
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
        Ok(MatchSettings { catalog, engines, openings, basis })
    }

    /// Plays one game; the first engine has this seat.
    fn play(
        &self,
        terms: &MatchSettings,
        players: &mut [Player; 2],
        pair: u64,
        seat: usize,
    ) -> Result<MatchRecord, String> {
        let MatchSettings { catalog, engines, openings, basis } = terms;
        let seed = zobrist::mix(self.seed ^ zobrist::mix(pair)) >> 11;
        let mut rng = Rng::new(seed);
        let deal = |name: &String| (name.clone(), Value::from(seed >> 21));
        let own_state = basis.as_ref().and_then(|question| question.state.as_ref());
        let start = Start {
            game: engines[0].game(),
            state: openings.state(pair).or(own_state),
            moves: basis.as_ref().map_or(&[], |question| &question.moves),
            options: self.deal.iter().map(deal).collect(),
        };
        let options = basis.as_ref().map_or_else(Map::new, |question| question.options.clone());
        let opening = openings.draw(catalog, &start, openings.moves(pair), &options, &mut rng)?;
        let (referee, _) = start.open(catalog, options)?;
        let sides = catalog.game(start.game).map_err(|why| why.to_string())?.sides();
        let mut game = MatchGame {
            referee,
            sides,
            seat,
            seed,
            record: MatchRecord {
                pair,
                first_plays: sides[seat],
                result: 0.5,
                outcome: String::new(),
                reason: "",
                illegal: None,
                state: start.state.cloned(),
                moves: Vec::new(),
                time_ms: [Duration::ZERO; 2],
                cpu_ms: [Some(Duration::ZERO); 2],
            },
        };
        let state = game.referee.describe().state;
        for (n, player) in players.iter_mut().enumerate() {
            if let Some(reason) = player.begin(catalog, &start, &state)? {
                return Ok(game.forfeited(n, reason));
            }
        }
        for mv in opening {
            game.advance(players, mv)?;
        }
        game.finish(players, &mut rng)
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

/// A game in progress.
struct MatchGame {
    /// Arbiter of legality and of the end of the game.
    referee: Box<dyn AnyPosition>,
    sides: [&'static str; 2],
    /// The side of the first engine.
    seat: usize,
    seed: u64,
    record: MatchRecord,
}

impl MatchGame {
    /// Plays a legal move.
    fn advance(&mut self, players: &mut [Player; 2], mv: String) -> Result<(), String> {
        self.referee.play(&mv).map_err(|why| why.to_string())?;
        for player in players {
            player.hear(&mv)?;
        }
        self.record.moves.push(mv);
        Ok(())
    }

    /// Plays the game to its end.
    fn finish(mut self, players: &mut [Player; 2], rng: &mut Rng) -> Result<MatchRecord, String> {
        loop {
            let position = self.referee.describe();
            if let Some(outcome) = position.outcome {
                (self.record.outcome, self.record.reason) = (outcome.result, outcome.reason);
                return Ok(self.judged());
            }
            if let Some(mv) = self.referee.roll(rng) {
                self.advance(players, mv)?;
                continue;
            }
            let to_move = self.sides.iter().position(|name| Some(*name) == position.side_to_move);
            let mover = usize::from(to_move != Some(self.seat));
            let mv = match self.choose(&mut players[mover], mover)? {
                TurnResult::Move(mv) => mv,
                TurnResult::Forfeit(reason) => return Ok(self.forfeited(mover, reason)),
            };
            let is_legal = position.legal_moves.iter().any(|legal| legal.eq_ignore_ascii_case(&mv));
            if !is_legal {
                self.record.illegal = Some(mv);
                return Ok(self.forfeited(mover, "illegal_move"));
            }
            self.advance(players, mv)?;
        }
    }

    /// A player's turn, timed.
    fn choose(&mut self, player: &mut Player, mover: usize) -> Result<TurnResult, String> {
        player.rest();
        let (started, used) = (Instant::now(), player.cpu());
        let choice = player.choose(self.seed)?;
        self.record.time_ms[mover] += started.elapsed();
        let cpu = player.cpu().zip(used).map(|(after, before)| after.saturating_sub(before));
        let before = self.record.cpu_ms[mover];
        self.record.cpu_ms[mover] = before.zip(cpu).map(|(sum, cpu)| sum + cpu);
        Ok(choice)
    }

    /// Record of a game forfeited by one engine.
    fn forfeited(mut self, loser: usize, reason: &'static str) -> MatchRecord {
        let winner = if loser == 0 { 1 - self.seat } else { self.seat };
        (self.record.outcome, self.record.reason) = (self.sides[winner].to_owned(), reason);
        self.judged()
    }

    /// Record with the result for the first engine.
    fn judged(mut self) -> MatchRecord {
        let won = self.sides.iter().position(|side| *side == self.record.outcome);
        self.record.result = won.map_or(0.5, |winner| f64::from(u8::from(winner == self.seat)));
        self.record
    }
}
