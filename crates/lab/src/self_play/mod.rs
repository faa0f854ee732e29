//! Self-play games to learn from, and the file of their positions.
//!
//! - `rescore`: new scores for the positions of earlier games
//! - `shard`: what the file holds already

mod rescore;
mod shard;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::progress::CommandProgress;
use crate::{CommandJob, EndedItem, JobRunner, threads};
pub use arena::self_play::{Play, PlayedScore, PositionLine, SelfPlayTerms, terms_of};
use arena::self_play::{Played, SelfPlay};
use catalog::{AnyGame, Catalog};
use shard::{Shard, place};

/// Games to play.
#[derive(Clone, Debug)]
pub struct Practice {
    /// Their terms.
    pub terms: SelfPlayTerms,
    /// Games of these terms that the file shall hold.
    pub games: u64,
    /// Threads.
    pub jobs: usize,
    /// File that positions are appended to.
    pub samples: PathBuf,
}

impl Practice {
    /// Plays the games that the file lacks and appends their positions, in the order of their numbers.
    ///
    /// # Errors
    /// When the file cannot be written, or the settings are wrong.
    pub fn run(
        &self,
        catalog: &Catalog,
        game: &dyn AnyGame,
        out: &mut (impl Write + Send),
    ) -> Result<(), String> {
        if self.games == 0 {
            return Ok(());
        }
        let self_play = SelfPlay::new(catalog, game, &self.terms)?;
        let ledger = Ledger::open(&self.samples, &self.told(game.name()), self.games, out)?;
        let next = AtomicU64::new(ledger.written);
        let ledger = Mutex::new(ledger);
        threads::side_by_side(self.jobs, || {
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

impl Practice {
    /// What these games are, as the body of a job and at the head of their lines in a file.
    fn told(&self, game: &str) -> Value {
        let SelfPlayTerms { nodes, seed, play, opening, balanced, stray, deal, .. } = &self.terms;
        let mut player = json!({ "budget": { "nodes": nodes } });
        for (key, value) in play {
            player[key] = value.clone();
        }
        player["game"] = game.into();
        let mut told = json!({
            "player": player, "opening": opening, "balanced": balanced, "stray": stray, "deal": deal,
            "most_of_a_game": self.terms.most_of_a_game, "seed": seed,
        });
        // A job has no such member: its games tell no moves.
        if self.terms.moves {
            told["moves"] = true.into();
        }
        told
    }

    /// Has the games played by the workers of these servers, all of them: a job begins with the first. Those that the
    /// file has are left out.
    ///
    /// # Errors
    /// When the file cannot be written, the queue is not there, or a game has no result.
    pub(crate) fn run_elsewhere(
        &self,
        servers: &str,
        game: &str,
        out: &mut (impl Write + Send),
        runner: &dyn JobRunner,
    ) -> Result<(), String> {
        if self.games == 0 {
            return Ok(());
        }
        let mut body = self.told(game);
        let mut ledger = Ledger::open(&self.samples, &body, self.games, out)?;
        if ledger.written >= self.games {
            return Ok(());
        }
        body["games"] = self.games.into();
        let job = CommandJob { servers: Some(servers), kind: "selfplay", body };
        let ended = runner.run(&job, &mut |EndedItem { number, result, .. }| {
            let PlayedElsewhere { result, lines } = serde_json::from_value(result)
                .map_err(|_| format!("game {number} has no result"))?;
            let mut text = lines.join("\n");
            if !lines.is_empty() {
                text.push_str("\n\n");
            }
            let played = Played { result, positions: lines.len(), text };
            ledger.add(number.into(), played).map(|()| true)
        });
        ended.map(drop)
    }
}

/// A game that a worker has played.
#[derive(Deserialize)]
struct PlayedElsewhere {
    result: f64,
    lines: Vec<String>,
}

/// Finished games, and those waiting for games with a lower number.
struct Ledger<'a, W> {
    progress: CommandProgress,
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
    fn open(path: &'a Path, terms: &Value, games: u64, out: W) -> Result<Self, String> {
        let (Shard { games: written, positions, results }, file) =
            Shard::go_on(path, terms, games)?;
        let waiting = BTreeMap::new();
        let progress = CommandProgress::new(games.saturating_sub(written), "games");
        Ok(Self { progress, path, file, out, waiting, games, written, positions, results })
    }

    fn add(&mut self, number: u64, played: Played) -> Result<(), String> {
        if number < self.written {
            return Ok(());
        }
        self.waiting.insert(number, played);
        self.progress.advance(1);
        while let Some(played) = self.waiting.remove(&self.written) {
            let text = if played.text.is_empty() { "\n" } else { &played.text };
            let written = self.file.write_all(text.as_bytes());
            written.map_err(|why| format!("{}: {why}", self.path.display()))?;
            self.written += 1;
            self.positions += played.positions;
            self.results[place(played.result)] += 1;
            let [wins, draws, losses] = self.results;
            if self.written.is_multiple_of(self.games.div_ceil(10)) || self.written == self.games {
                let (games, positions) = (self.written, self.positions);
                let out = &mut self.out;
                let told = self.progress.aside(|| {
                    writeln!(
                        out,
                        "{games} games: +{wins} ={draws} -{losses} for the first side, {positions} positions"
                    )
                });
                told.map_err(|why| format!("cannot print: {why}"))?;
            }
        }
        Ok(())
    }
}
