//! One self-play game.

use serde_json::{Value, json};

use super::{PlayedPosition, Practice, written};
use crate::matches::opening::{Balance, Openings};
use crate::matches::player::{Own, Start};
use catalog::answer::{Answer, PositionAnswer};
use catalog::question::Question;
use catalog::{AnyGame, Catalog, Linear};
use engine::game::{Rng, zobrist};

/// Positions visited to judge an opening.
const JUDGED_BY: u64 = 5_000;
/// Value in points, and the plies it must last, at which a game is adjudicated as won.
const WON: f64 = 10.0;
const WON_FOR: i32 = 6;
/// Choices after which a game ends without a winner.
const PLIES: u64 = 300;

/// Settings of the games.
pub(super) struct SelfPlay<'a> {
    pub(super) catalog: &'a Catalog,
    /// Knows which positions are calm; without it all are kept.
    linear: Option<&'a dyn Linear>,
    /// Reported units per rating point.
    point: f64,
    most_of_a_game: usize,
    sides: [&'static str; 2],
    question: Question,
    /// `None` where chance varies the games anyway.
    balance: Option<Balance>,
    /// Option of the game that receives a seed.
    deal: Option<String>,
    seed: u64,
    /// Range of the number of random moves at the beginning.
    opening: [usize; 2],
    /// Share of random moves later on.
    stray: f64,
}

/// A finished game.
pub(super) struct Played {
    /// Result for the first side.
    pub(super) result: f64,
    pub(super) positions: usize,
    /// Lines for the file of samples.
    pub(super) text: String,
}

/// Forecast of a search, for the first side.
pub(super) enum Forecast {
    Proved(f64),
    Value(f64),
    /// Win frequency, which is not a value in units.
    Frequency,
    /// The search was too short for a value.
    Unknown,
}

impl<'a> SelfPlay<'a> {
    /// Games in which both sides play by these settings.
    ///
    /// # Errors
    /// When the settings are not members of a question.
    pub(super) fn new(
        catalog: &'a Catalog,
        game: &'a dyn AnyGame,
        practice: &Practice,
    ) -> Result<Self, String> {
        let mut question = json!({ "budget": { "nodes": practice.nodes }, "ratings": "none" });
        for (key, value) in &practice.play {
            question[key] = value.clone();
        }
        question["game"] = game.name().into();
        let question: Question =
            serde_json::from_value(question).map_err(|why| format!("--play: {why}"))?;
        let info = game.describe();
        let (linear, point) = (game.linear(), game.point());
        let most = practice.balanced.filter(|_| !info.chance);
        let balance = most.map(|most| Balance::new(most * point, question.clone(), JUDGED_BY));
        let (opening, stray) = (practice.opening, practice.stray);
        let (deal, seed) = (practice.deal.clone(), practice.seed);
        let most_of_a_game = practice.most_of_a_game;
        Ok(Self {
            catalog,
            linear,
            point,
            most_of_a_game,
            sides: info.sides,
            question,
            balance,
            deal,
            seed,
            opening,
            stray,
        })
    }

    /// Name of the game.
    pub(super) fn game(&self) -> &str {
        &self.question.game
    }

    /// A player of these games.
    pub(super) fn player(&self) -> Own {
        Own::new(self.question.clone())
    }

    /// Plays the game with this number, on which alone it depends.
    ///
    /// # Errors
    /// When no opening is balanced, or the question is not one of the game.
    pub(super) fn play(&self, player: &mut Own, number: u64) -> Result<Played, String> {
        let seed = zobrist::mix(self.seed ^ zobrist::mix(number)) >> 11;
        let mut rng = Rng::new(seed);
        let deal = |name: &String| (name.clone(), Value::from(seed >> 21));
        let start = Start {
            game: &self.question.game,
            state: None,
            moves: &[],
            options: self.deal.iter().map(deal).collect(),
        };
        let [least, most] = self.opening;
        // No random moves in dealt games: early blunders teach little where the luck of the deal varies
        // already.
        let plies = match self.deal {
            Some(_) => 0,
            None => least + rng.below(most - least + 1),
        };
        let openings = Openings { beginnings: Vec::new(), plies, balance: self.balance.clone() };
        player.begin(self.catalog, &start)?;
        for mv in openings.draw(self.catalog, &start, &[], &self.question.options, &mut rng)? {
            player.hear(&mv)?;
        }
        let mut samples = Vec::new();
        let result = self.finish(player, &mut rng, seed, &mut samples)?;
        let text = written(&samples, result, self.most_of_a_game);
        let positions = text.lines().filter(|line| !line.is_empty()).count();
        Ok(Played { result, positions, text })
    }

    /// Plays to the end, or until the game is adjudicated; the result for the first side.
    fn finish(
        &self,
        player: &mut Own,
        rng: &mut Rng,
        seed: u64,
        samples: &mut Vec<PlayedPosition>,
    ) -> Result<f64, String> {
        // Plies for which the first side has stood at a win; negative for the second.
        let mut won = 0_i32;
        let mut plies = 0;
        while plies < PLIES {
            let position = player.position().describe();
            if let Some(outcome) = &position.outcome {
                return Ok(self.result(&outcome.result));
            }
            if let Some(mv) = player.position().roll(rng) {
                player.hear(&mv)?;
                continue;
            }
            plies += 1;
            let answer = player.ask(seed)?;
            let forecast = self.forecast(&position, &answer)?;
            let mv = answer.best_move.ok_or("the search found no move")?;
            match forecast {
                Forecast::Proved(result) => return Ok(result),
                Forecast::Unknown => won = 0,
                Forecast::Frequency => {
                    won = 0;
                    samples.extend(self.sample(&position, &mv, None)?);
                }
                Forecast::Value(value) if self.is_open(value) => {
                    won = 0;
                    samples.extend(self.sample(&position, &mv, Some(value))?);
                }
                Forecast::Value(value) => {
                    let side = value.signum() as i32;
                    won = if won.signum() == side { won + side } else { side };
                }
            }
            if won.abs() >= WON_FOR {
                return Ok(if won > 0 { 1.0 } else { 0.0 });
            }
            let strayed = self.strays(rng).then(|| player.position().draw(rng)).flatten();
            player.hear(&strayed.unwrap_or(mv))?;
        }
        Ok(0.5)
    }

    /// True for a value at which the game goes on.
    pub(super) fn is_open(&self, value: f64) -> bool {
        value.abs() < WON * self.point
    }

    /// True if the next move is a random one.
    fn strays(&self, rng: &mut Rng) -> bool {
        self.stray > 0.0 && (rng.below(1_000) as f64) < 1_000.0 * self.stray
    }

    /// Result for the first side of a game won by this side, or by neither.
    fn result(&self, winner: &str) -> f64 {
        match self.sides.iter().position(|side| *side == winner) {
            Some(0) => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        }
    }

    pub(super) fn forecast(
        &self,
        position: &PositionAnswer,
        answer: &Answer,
    ) -> Result<Forecast, String> {
        let score = answer.score.as_ref().ok_or("the search has no result")?;
        let is_first = position.side_to_move == Some(self.sides[0]);
        let sign = if is_first { 1.0 } else { -1.0 };
        let value = score.value();
        let proved = |result| {
            if answer.proved {
                Forecast::Proved(0.5 + sign * (result - 0.5))
            } else {
                // Later play may still undo it.
                Forecast::Value(sign * (result - 0.5) * f64::INFINITY)
            }
        };
        match (score.kind(), value) {
            ("win", _) => Ok(proved(1.0)),
            ("loss", _) => Ok(proved(0.0)),
            ("draw", _) => Ok(Forecast::Proved(0.5)),
            // Plus 0 avoids -0 in the file.
            ("heuristic" | "payoff", Some(value)) => Ok(Forecast::Value(sign * value + 0.0)),
            ("estimate", _) => Ok(Forecast::Frequency),
            _ => Ok(Forecast::Unknown),
        }
    }

    /// A position worth learning from.
    pub(super) fn sample(
        &self,
        position: &PositionAnswer,
        mv: &str,
        score: Option<f64>,
    ) -> Result<Option<PlayedPosition>, String> {
        let json = || Value::to_string(&position.state.json);
        let state = position.state.text.clone().unwrap_or_else(json);
        let calm = self.linear.map_or(Ok(true), |linear| linear.is_calm(&state, mv));
        let calm = calm.map_err(|why| why.to_string())?;
        Ok(calm.then_some(PlayedPosition { state, score }))
    }
}
