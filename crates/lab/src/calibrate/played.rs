//! Games of self-play.

use serde_json::{Map, Value, json};

use super::{Calibrate, GameSource, search};
use arena::opening::Openings;
use arena::player::Start;
use catalog::question::Question;
use catalog::{AnyGame, AnyPosition, Catalog};
use engine::game::{Rng, zobrist};

/// Sampling interval: one choice of a game in this many is measured, as neighbours say much the same.
const ONE_OF: usize = 8;
/// Random moves at the beginning of games without a deal.
const OPENING: usize = 8;
/// Choices after which a game ends without a winner. Only a guard: games of snake_go have more than 400.
const CHOICES: usize = 10_000;

/// Games that the program plays against itself, without end.
pub(super) struct PlayedGames<'a> {
    catalog: &'a Catalog,
    game: &'a str,
    deal: Option<&'a String>,
    seed: u64,
    question: Question,
    /// Number of the next game, on which alone it depends.
    number: u64,
    rng: Rng,
    choices: usize,
}

impl<'a> PlayedGames<'a> {
    pub(super) fn new(
        settings: &'a Calibrate,
        catalog: &'a Catalog,
        game: &'a dyn AnyGame,
    ) -> Self {
        Self {
            catalog,
            game: game.name(),
            deal: settings.deal.as_ref(),
            seed: settings.seed,
            question: settings.question(game, &json!({ "nodes": settings.nodes })),
            number: 0,
            rng: Rng::new(0),
            choices: 0,
        }
    }
}

impl GameSource for PlayedGames<'_> {
    fn begin(&mut self) -> Result<Option<Box<dyn AnyPosition>>, String> {
        self.rng = Rng::new(zobrist::mix(self.seed ^ zobrist::mix(self.number)));
        self.number += 1;
        self.choices = 0;
        let deal = |name: &String| (name.clone(), Value::from(self.rng.clone().bits() >> 32));
        let start = Start {
            game: self.game,
            state: None,
            moves: &[],
            options: self.deal.into_iter().map(deal).collect(),
        };
        let (mut position, unknown) = start.open(self.catalog, Map::new())?;
        if let Some(name) = unknown.keys().next() {
            return Err(format!("`{}` has no option `{name}` that deals", self.game));
        }
        if self.deal.is_none() {
            let plies = self.rng.below(OPENING);
            let openings = Openings { beginnings: Vec::new(), plies, balance: None };
            for mv in openings.draw(self.catalog, &start, &[], &Map::new(), &mut self.rng)? {
                position.play(&mv).map_err(|why| why.to_string())?;
            }
        }
        Ok(Some(position))
    }

    fn takes(&mut self) -> bool {
        self.rng.below(ONE_OF) == 0
    }

    fn next(&mut self, position: &dyn AnyPosition) -> Result<Option<String>, String> {
        if let Some(luck) = position.roll(&mut self.rng) {
            return Ok(Some(luck));
        }
        self.choices += 1;
        if self.choices > CHOICES {
            return Ok(None);
        }
        let answer = search(position, &self.question, Map::new())?;
        answer.best_move.map(Some).ok_or_else(|| "the search found no move".to_owned())
    }

    fn result(&self) -> f64 {
        0.5
    }

    fn remark(&self) -> Option<String> {
        None
    }
}
