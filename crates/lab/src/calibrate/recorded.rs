//! Games of files.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Map;

use super::{Calibrate, GameSource};
use arena::player::Start;
use catalog::{AnyPosition, Catalog};
use engine::game::{Outcome, Rng, Side};
use games::files::{self, GameFile};

/// Games of files, each once.
pub(super) struct RecordedGames<'a> {
    catalog: &'a Catalog,
    games: std::vec::IntoIter<GameFile>,
    /// Positions of each game.
    per_game: usize,
    /// Plies left out at the beginning of each.
    skip: usize,
    rng: Rng,
    current: RecordedGame,
    used: usize,
    left_out: Vec<String>,
}

/// What is still to come of a game.
#[derive(Default)]
struct RecordedGame {
    moves: std::vec::IntoIter<String>,
    /// Plies to measure before.
    plies: BTreeSet<usize>,
    ply: usize,
    result: f64,
}

impl<'a> RecordedGames<'a> {
    /// # Errors
    /// When a file cannot be read.
    pub(super) fn new(settings: &Calibrate, catalog: &'a Catalog) -> Result<Self, String> {
        let mut games = Vec::new();
        for path in &settings.records {
            games.extend(read(path, &settings.game)?);
        }
        Ok(Self {
            catalog,
            games: games.into_iter(),
            per_game: settings.per_game,
            skip: settings.skip,
            rng: Rng::new(settings.seed),
            current: RecordedGame::default(),
            used: 0,
            left_out: Vec::new(),
        })
    }

    /// Opens a game; `Err` says why it cannot be used.
    fn open(&mut self, file: GameFile) -> Result<Box<dyn AnyPosition>, String> {
        let start = Start {
            game: file.game,
            state: file.state.as_ref(),
            moves: &[],
            options: file.options.clone(),
        };
        let (position, _) = start.open(self.catalog, Map::new())?;
        let mut end = position.boxed();
        for (mv, line) in file.moves.iter().zip(&file.places) {
            end.play(mv).map_err(|why| format!("line {line}: {why}"))?;
        }
        let result = end.result().or_else(|| file.result.map(points)).ok_or("no result")?;
        self.current = RecordedGame {
            plies: self.draw(file.moves.len()),
            moves: file.moves.into_iter(),
            ply: 0,
            result,
        };
        Ok(position)
    }

    /// Different plies of a game of this many moves.
    fn draw(&mut self, moves: usize) -> BTreeSet<usize> {
        let mut open: Vec<_> = (self.skip..moves).collect();
        let wanted = self.per_game.min(open.len());
        (0..wanted).map(|_| open.swap_remove(self.rng.below(open.len()))).collect()
    }
}

impl GameSource for RecordedGames<'_> {
    fn begin(&mut self) -> Result<Option<Box<dyn AnyPosition>>, String> {
        while let Some(file) = self.games.next() {
            match self.open(file) {
                Ok(position) => {
                    self.used += 1;
                    return Ok(Some(position));
                }
                Err(why) => self.left_out.push(why),
            }
        }
        Ok(None)
    }

    fn takes(&mut self) -> bool {
        self.current.plies.contains(&self.current.ply)
    }

    fn next(&mut self, _: &dyn AnyPosition) -> Result<Option<String>, String> {
        self.current.ply += 1;
        Ok(self.current.moves.next())
    }

    fn result(&self) -> f64 {
        self.current.result
    }

    fn remark(&self) -> Option<String> {
        let mut text = format!("{} games", self.used);
        if let Some(first) = self.left_out.first() {
            text += &format!("; {} left out, the first for: {first}", self.left_out.len());
        }
        Some(text)
    }
}

fn read(path: &Path, game: &str) -> Result<Vec<GameFile>, String> {
    let wrong = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
    let text = std::fs::read_to_string(path).map_err(|why| wrong(&why))?;
    files::read(&text, Some(game)).map_err(|why| wrong(&why))
}

/// Points of the first side.
const fn points(outcome: Outcome) -> f64 {
    match outcome {
        Outcome::Win(Side::First) => 1.0,
        Outcome::Win(Side::Second) => 0.0,
        _ => 0.5,
    }
}
