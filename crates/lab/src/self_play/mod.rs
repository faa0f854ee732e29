//! Self-play games to learn from, and the file of their positions.
//!
//! - `game`: one game
//! - `rescore`: new scores for the positions of earlier games

mod game;
mod rescore;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Map, Value};

use crate::run_plan;
use catalog::{AnyGame, Catalog};
use game::{Played, SelfPlay};

/// Members of a question.
pub type Play = Map<String, Value>;

/// Games to play.
#[derive(Clone, Debug)]
pub struct Practice {
    /// Games that the file shall hold more than before.
    pub games: u64,
    /// Positions to visit per move.
    pub nodes: u64,
    /// Seed of the openings and of chance.
    pub seed: u64,
    /// Settings by which games are played.
    pub play: Play,
    /// Least and largest number of random moves at the beginning.
    pub opening: [usize; 2],
    /// Largest value of an opening for either side, in points of the rating; any if `None`. No matter where chance
    /// varies the games.
    pub balanced: Option<f64>,
    /// Share of random moves after the opening, 0 to 1: they lead where a search looks and good play does not.
    pub stray: f64,
    /// Option of the game that receives a seed per game; there are no random moves then.
    pub deal: Option<String>,
    /// Threads.
    pub jobs: usize,
    /// Largest number of positions kept of a game, evenly spread over it: they share its result, and long games
    /// would weigh more than others.
    pub most_of_a_game: usize,
    /// File that positions are appended to.
    pub samples: PathBuf,
}

/// A position of a game with the score of its search for the first side, in the game's units.
#[derive(Debug)]
pub(crate) struct PlayedPosition {
    pub(crate) state: String,
    pub(crate) score: Option<f64>,
}

/// Mark of a missing score.
const NOTHING: &str = "-";

/// The lines of a game: one per position, an empty line at the end.
///
/// ```text
/// r1bakab1r/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C4NC1/9/RNBAKAB1R w - - 2 3 | 0.5 | 31
/// ```
/// The state, the result of its game and the score of the search, both for the first side, the score in the
/// game's units; `-` where there is none in units.
fn written(samples: &[PlayedPosition], result: f64, most: usize) -> String {
    let mut text = String::new();
    let every = samples.len().div_ceil(most).max(1);
    for PlayedPosition { state, score } in samples.iter().step_by(every) {
        let score = score.map_or(NOTHING.into(), |score| score.to_string());
        writeln!(text, "{state} | {result} | {score}").expect("a string takes any text");
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// Reads a line of a file of positions: state, result and score.
///
/// # Errors
/// When the line is not of that form.
pub fn fields(line: &str) -> Result<(&str, f64, Option<f64>), String> {
    let mut parts = line.rsplitn(3, '|').map(str::trim);
    let (Some(score), Some(result), Some(state)) = (parts.next(), parts.next(), parts.next())
    else {
        return Err(format!("expected `state | result | score`, got `{line}`"));
    };
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
    let result = number(result)
        .filter(|result| (0.0..=1.0).contains(result))
        .ok_or_else(|| format!("`{result}` is not a result from 0 to 1"))?;
    if score == NOTHING {
        return Ok((state, result, None));
    }
    let score = number(score).ok_or_else(|| format!("`{score}` is not a score in units"))?;
    Ok((state, result, Some(score)))
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
        let self_play = SelfPlay::new(catalog, game, self)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_game_some_positions_are_kept_from_its_first_to_its_end() {
        for (played, kept) in [(0, 0), (1, 1), (40, 40), (41, 21), (120, 40), (200, 40)] {
            let sample = |n| PlayedPosition { state: format!("{n}"), score: Some(0.0) };
            let text = written(&(0..played).map(sample).collect::<Vec<_>>(), 0.5, 40);
            let states: Vec<usize> =
                text.lines().filter_map(|line| line.split(' ').next()?.parse().ok()).collect();
            assert_eq!(states.len(), kept, "of {played}");
            let step = states.get(1).map_or(1, |second| second - states[0]);
            assert!(states.iter().enumerate().all(|(n, &state)| state == n * step), "{states:?}");
            assert!(states.is_empty() || played - states[kept - 1] <= step, "{states:?}");
        }
    }
}
