//! `bestmove match`: two configurations play each other. Every claim about strength comes from here.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::alone;
use super::elo::{Pairs, Sprt};
use crate::catalog::question::{Question, Whole};
use crate::catalog::{Allowance, AnyPosition, Catalog};
use crate::game::{Rng, zobrist};
use crate::search::STACK;
use crate::wire::StateInput;

/// Two configurations and how they meet.
#[derive(Args, Clone, Debug)]
pub(super) struct Contest {
    /// The engine that results are told of: the body of a question without moves, as JSON or the name of
    /// a file with it, such as {"game":"connect4","algorithm":"uct","budget":{"time_ms":50}}
    first: String,

    /// The other engine
    second: String,

    /// Games to play, rounded up to pairs: every opening is played twice, with the seats exchanged
    #[arg(long, default_value_t = 100)]
    games: u64,

    /// Seed of openings, dice and engines
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Random moves at the beginning of a game
    #[arg(long, default_value_t = 0, value_name = "PLIES")]
    opening: usize,

    /// Option of the game that gets the seed of the pair, for games whose start is dealt
    #[arg(long, value_name = "OPTION")]
    deal: Option<String>,

    /// Pairs played at the same time; more than there are cores spoils budgets in time
    #[arg(long, default_value_t = 1)]
    jobs: usize,

    /// Stop as soon as a sequential test between two differences in Elo points is decided
    #[arg(long, value_name = "ELO0,ELO1", value_parser = sprt)]
    sprt: Option<Sprt>,

    /// Write results and every game to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

fn sprt(text: &str) -> Result<Sprt, String> {
    let numbers: Vec<f64> = text.split(',').filter_map(|number| number.parse().ok()).collect();
    match numbers[..] {
        [elo0, elo1] if elo0 < elo1 => Ok(Sprt { elo0, elo1 }),
        _ => Err("expected two growing numbers such as 0,30".into()),
    }
}

/// A finished game.
#[derive(Debug, Serialize)]
struct Record {
    pair: u64,
    /// The side that the first engine has.
    first_plays: &'static str,
    /// Result for the first engine: 1, 0.5 or 0.
    result: f64,
    /// Side that has won, or `draw`.
    outcome: String,
    reason: &'static str,
    #[serde(serialize_with = "in_one_line")]
    moves: Vec<String>,
    /// Thinking time of both engines in ms.
    time_ms: [u64; 2],
}

fn in_one_line<S: serde::Serializer>(moves: &[String], out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(&moves.join(" "))
}

/// What has been played so far.
#[derive(Default)]
struct Tally {
    records: Vec<Record>,
    pairs: Pairs,
}

impl Tally {
    fn count(&self, result: f64) -> usize {
        self.records.iter().filter(|record| record.result == result).count()
    }

    fn add(&mut self, pair: [Record; 2]) {
        self.pairs.add([pair[0].result, pair[1].result]);
        self.records.extend(pair);
    }

    /// One line that says how things stand.
    fn summary(&self, test: Option<Sprt>) -> String {
        let [wins, draws, losses] = [1.0, 0.5, 0.0].map(|result| self.count(result));
        let Some(strength) = self.pairs.strength() else { return "no games".into() };
        let (score, error) = (100.0 * strength.score, 100.0 * strength.score_error);
        let elo = match (strength.elo, strength.elo_error) {
            (Some(elo), Some(error)) => format!("{elo:+.0} +- {error:.0}"),
            _ => "beyond measure".into(),
        };
        let evidence = test.map_or(String::new(), |test| {
            let evidence = self.pairs.evidence(test);
            let Sprt { elo0, elo1 } = test;
            format!("; sprt {elo0},{elo1}: llr {:.2}, {}", evidence.llr, evidence.state)
        });
        format!(
            "{} games: +{wins} ={draws} -{losses}, {score:.1} % +- {error:.1}, elo {elo}{evidence}",
            self.records.len()
        )
    }
}

impl Contest {
    /// Plays all games, prints how things stand after each pair, and writes the record.
    ///
    /// # Errors
    /// When a configuration is wrong or something cannot be written.
    pub(super) fn run(&self, out: &mut (impl Write + Send)) -> Result<(), String> {
        let catalog = Catalog::default();
        let engines = [engine(&self.first)?, engine(&self.second)?];
        if engines[0].game != engines[1].game {
            let [first, second] = engines.map(|engine| engine.game);
            return Err(format!("`{first}` and `{second}` are two games"));
        }
        let next = AtomicU64::new(0);
        let enough = AtomicBool::new(false);
        let state = Mutex::new((Tally::default(), out));
        let work = || -> Result<(), String> {
            while !enough.load(Ordering::Relaxed) {
                let pair = next.fetch_add(1, Ordering::Relaxed);
                if 2 * pair >= self.games {
                    break;
                }
                let games = [0, 1].map(|seat| self.play(&catalog, &engines, pair, seat));
                let [one, two] = games;
                let mut state = state.lock().expect("nobody panics with it");
                let (tally, out) = &mut *state;
                tally.add([one?, two?]);
                writeln!(out, "{}", tally.summary(self.sprt)).map_err(|why| why.to_string())?;
                let decided = |test| tally.pairs.evidence(test).state != "open";
                if self.sprt.is_some_and(decided) {
                    enough.store(true, Ordering::Relaxed);
                }
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let start = |_| {
                let thread = std::thread::Builder::new().stack_size(STACK);
                thread.spawn_scoped(scope, work).map_err(|why| format!("no thread: {why}"))
            };
            let others = (1..self.jobs).map(start).collect::<Result<Vec<_>, _>>()?;
            let joined = others.into_iter().map(|other| {
                other.join().unwrap_or_else(|_| Err("a search has panicked".to_owned()))
            });
            std::iter::once(work()).chain(joined).collect::<Result<(), String>>()
        })?;
        let (tally, _) = state.into_inner().expect("nobody panics with it");
        self.write(&tally, &engines)
    }

    /// One game; the first engine has this seat.
    fn play(
        &self,
        catalog: &Catalog,
        engines: &[Question; 2],
        pair: u64,
        seat: usize,
    ) -> Result<Record, String> {
        let seed = zobrist::mix(self.seed ^ zobrist::mix(pair)) >> 11;
        let mut rng = Rng::new(seed);
        let game = catalog.game(&engines[0].game).map_err(|why| why.to_string())?;
        let sides = game.describe().sides;
        let mut players = engines
            .iter()
            .map(|engine| Player::new(catalog, engine, self.deal.as_deref(), seed))
            .collect::<Result<Vec<_>, _>>()?;
        let mut record = Record {
            pair,
            first_plays: sides[seat],
            result: 0.5,
            outcome: String::new(),
            reason: "",
            moves: Vec::new(),
            time_ms: [0, 0],
        };
        let mut spent = [Duration::ZERO; 2];
        loop {
            let position = players[0].position.describe();
            if let Some(outcome) = position.outcome {
                let won = sides.iter().position(|side| *side == outcome.result);
                record.result = won.map_or(0.5, |winner| if winner == seat { 1.0 } else { 0.0 });
                (record.outcome, record.reason) = (outcome.result, outcome.reason);
                record.time_ms = spent.map(|time| time.as_millis() as u64);
                return Ok(record);
            }
            let opening = record.moves.len() < self.opening;
            let mv = match position.side_to_move {
                Some("chance") => {
                    players[0].position.roll(&mut rng).ok_or("chance has nothing to bring")?
                }
                _ if opening => {
                    let n = rng.below(position.legal_moves.len());
                    position.legal_moves[n].clone()
                }
                side => {
                    let to_move = sides.iter().position(|name| Some(*name) == side);
                    let player = usize::from(to_move != Some(seat));
                    let started = Instant::now();
                    let mv = players[player].choose(seed ^ record.moves.len() as u64)?;
                    spent[player] += started.elapsed();
                    mv
                }
            };
            for player in &mut players {
                player.position.play(&mv).map_err(|why| why.to_string())?;
            }
            record.moves.push(mv);
        }
    }

    fn write(&self, tally: &Tally, engines: &[Question; 2]) -> Result<(), String> {
        let Some(path) = &self.json else { return Ok(()) };
        let record = json!({
            "first": engines[0],
            "second": engines[1],
            "seed": self.seed,
            "opening": self.opening,
            "wins": tally.count(1.0),
            "draws": tally.count(0.5),
            "losses": tally.count(0.0),
            "strength": tally.pairs.strength(),
            "sprt": self.sprt.map(|test| tally.pairs.evidence(test)),
            "games": tally.records,
        });
        let text = serde_json::to_string_pretty(&record).expect("a record can be written as JSON");
        std::fs::write(path, text).map_err(|why| format!("{}: {why}", path.display()))
    }
}

/// Reads a configuration, from a file if it is none itself. One good move is all that is asked for,
/// unless it says otherwise.
fn engine(text: &str) -> Result<Question, String> {
    let text = match text.trim_start().starts_with('{') {
        true => text.to_owned(),
        false => std::fs::read_to_string(text).map_err(|why| format!("{text}: {why}"))?,
    };
    let mut body: Value = serde_json::from_str(&text).map_err(|why| format!("{text}: {why}"))?;
    if let Value::Object(members) = &mut body {
        members.entry("ratings").or_insert_with(|| json!("none"));
    }
    serde_json::from_value(body).map_err(|why| format!("{text}: {why}"))
}

/// An engine in a game.
struct Player {
    question: Question,
    position: Box<dyn AnyPosition>,
    /// What the game has left of the options: those of the method.
    options: Map<String, Value>,
}

impl Player {
    fn new(
        catalog: &Catalog,
        question: &Question,
        deal: Option<&str>,
        seed: u64,
    ) -> Result<Self, String> {
        let mut options = question.options.clone();
        if let Some(name) = deal {
            options.insert(name.to_owned(), (seed >> 21).into());
        }
        let game = catalog.game(&question.game).map_err(|why| why.to_string())?;
        let state = StateInput::read(question.state.as_ref());
        let position = game.open(state, &question.moves, &mut options);
        let position = position.map_err(|why| why.to_string())?;
        Ok(Self { question: question.clone(), position, options })
    }

    fn choose(&mut self, seed: u64) -> Result<String, String> {
        self.question.seed = Whole(seed);
        let options = self.options.clone();
        let allowance = Allowance::unlimited();
        let plan = self.position.plan(&self.question, options, &allowance, Instant::now());
        let answer = alone::search(&plan.map_err(|why| why.to_string())?);
        answer.best_move.ok_or_else(|| "an engine found no move".into())
    }
}
