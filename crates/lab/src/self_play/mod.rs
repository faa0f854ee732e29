//! Self-play games to learn from, and the file of their positions.
//!
//! - `rescore`: new scores for the positions of earlier games

mod rescore;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Deserialize;
use serde_json::json;

use crate::progress::CommandProgress;
use crate::{CommandJob, EndedItem, JobRunner, threads};
pub use arena::self_play::{Play, SelfPlayTerms, fields};
use arena::self_play::{Played, SelfPlay};
use catalog::{AnyGame, Catalog};

/// Games to play.
#[derive(Clone, Debug)]
pub struct Practice {
    /// Their terms.
    pub terms: SelfPlayTerms,
    /// Games that the file shall hold more than before.
    pub games: u64,
    /// Threads.
    pub jobs: usize,
    /// File that positions are appended to.
    pub samples: PathBuf,
}

impl Practice {
    /// Plays games and appends their positions to the file, in the order of their numbers.
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
        let next = AtomicU64::new(0);
        let ledger = Mutex::new(Ledger::open(&self.samples, self.games, out)?);
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
    /// Has the games played by the workers of these servers.
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
        let SelfPlayTerms { nodes, seed, play, opening, balanced, stray, deal, most_of_a_game } =
            &self.terms;
        let mut player = json!({ "budget": { "nodes": nodes } });
        for (key, value) in play {
            player[key] = value.clone();
        }
        player["game"] = game.into();
        let body = json!({
            "player": player, "games": self.games, "opening": opening, "balanced": balanced,
            "stray": stray, "deal": deal, "most_of_a_game": most_of_a_game, "seed": seed,
        });
        let mut ledger = Ledger::open(&self.samples, self.games, out)?;
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
    fn open(path: &'a Path, games: u64, out: W) -> Result<Self, String> {
        let file = File::options().create(true).append(true).open(path);
        let file = file.map_err(|why| format!("{}: {why}", path.display()))?;
        let (waiting, results) = (BTreeMap::new(), [0; 3]);
        let progress = CommandProgress::new(games, "games");
        Ok(Self { progress, path, file, out, waiting, games, written: 0, positions: 0, results })
    }

    fn add(&mut self, number: u64, played: Played) -> Result<(), String> {
        self.waiting.insert(number, played);
        self.progress.advance(1);
        while let Some(played) = self.waiting.remove(&self.written) {
            let written = self.file.write_all(played.text.as_bytes());
            written.map_err(|why| format!("{}: {why}", self.path.display()))?;
            self.written += 1;
            self.positions += played.positions;
            self.results[(2.0 - 2.0 * played.result) as usize] += 1;
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
