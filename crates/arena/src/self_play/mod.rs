//! Self-play games to learn from.
//!
//! - `lines`: their positions in a file

mod lines;

use serde_json::{Map, Value, json};

use crate::opening::{Balance, Openings};
use crate::player::{Contestant, Own, Start};
use catalog::answer::{Answer, PositionAnswer};
use catalog::question::Question;
use catalog::{AnyGame, Catalog, Linear};
use engine::game::{Rng, zobrist};
use engine::search::Cancel;
pub use lines::{PlayedPosition, PlayedScore, PositionLine, terms_of, written};

/// Positions visited to judge an opening.
const JUDGED_BY: u64 = 5_000;
/// Value in points, and the plies it must last, at which a game is adjudicated as won.
const WON: f64 = 10.0;
const WON_FOR: i32 = 6;
/// Choices after which a game ends without a winner.
const PLIES: u64 = 300;

/// Members of a question.
pub type Play = Map<String, Value>;

/// Terms of self-play games.
#[derive(Clone, Debug)]
pub struct SelfPlayTerms {
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
    /// Largest number of positions kept of a game, evenly spread over it: they share its result, and long games
    /// would weigh more than others.
    pub most_of_a_game: usize,
    /// True to tell the best move of every position, too, to learn an order of moves from.
    pub moves: bool,
}

/// Settings of the games.
pub struct SelfPlay<'a> {
    /// The games and methods.
    pub catalog: &'a Catalog,
    /// Knows which positions are calm; without it all are kept.
    linear: Option<&'a dyn Linear>,
    /// Reported units per rating point.
    point: f64,
    most_of_a_game: usize,
    /// True if best moves are told.
    moves: bool,
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
pub struct Played {
    /// Result for the first side.
    pub result: f64,
    /// Number of positions that are kept.
    pub positions: usize,
    /// Lines for the file of samples.
    pub text: String,
}

/// Forecast of a search, for the first side.
pub enum Forecast {
    /// The result, which is proved.
    Proved(f64),
    /// A value in the game's units.
    Value(f64),
    /// Win frequency, which is not a value in units.
    Frequency,
    /// The search was too short for a value.
    Unknown,
}

/// What a side asks that plays by these settings, by default with so many nodes.
///
/// # Errors
/// When the settings are not members of a question.
pub fn question(play: &Play, game: &str, nodes: u64) -> Result<Question, String> {
    let mut question = json!({ "budget": { "nodes": nodes }, "ratings": "none" });
    for (key, value) in play {
        question[key] = value.clone();
    }
    question["game"] = game.into();
    serde_json::from_value(question).map_err(|why| format!("--play: {why}"))
}

impl<'a> SelfPlay<'a> {
    /// Games in which both sides play by these settings.
    ///
    /// # Errors
    /// When the settings are not members of a question.
    pub fn new(
        catalog: &'a Catalog,
        game: &'a dyn AnyGame,
        terms: &SelfPlayTerms,
    ) -> Result<Self, String> {
        let question = question(&terms.play, game.name(), terms.nodes)?;
        let info = game.describe();
        let (linear, point) = (game.linear(), game.point());
        let most = terms.balanced.filter(|_| !info.chance);
        let balance = most.map(|most| Balance::new(most * point, question.clone(), JUDGED_BY));
        let (opening, stray) = (terms.opening, terms.stray);
        let (deal, seed) = (terms.deal.clone(), terms.seed);
        let (most_of_a_game, moves) = (terms.most_of_a_game, terms.moves);
        Ok(Self {
            catalog,
            linear,
            point,
            most_of_a_game,
            moves,
            sides: info.sides,
            question,
            balance,
            deal,
            seed,
            opening,
            stray,
        })
    }

    /// The same until this is cancelled.
    #[must_use]
    pub fn until(self, cancel: Cancel) -> Self {
        Self { balance: self.balance.map(|balance| balance.until(cancel)), ..self }
    }

    /// Name of the game.
    pub fn game(&self) -> &str {
        &self.question.game
    }

    /// A player of these games.
    pub fn player(&self) -> Own {
        Own::new(self.question.clone())
    }

    /// Plays the game with this number, on which alone it depends.
    ///
    /// # Errors
    /// When no opening is balanced, or the question is not one of the game.
    pub fn play(&self, player: &mut Own, number: u64) -> Result<Played, String> {
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
        player.begin_game(self.catalog, &start)?;
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
                    samples.extend(self.sample(&position, &mv, PlayedScore::None)?);
                }
                Forecast::Value(value) if self.is_open(value) => {
                    won = 0;
                    samples.extend(self.sample(&position, &mv, PlayedScore::Units(value))?);
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
    pub fn is_open(&self, value: f64) -> bool {
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

    /// What a search of a position says about the first side.
    ///
    /// # Errors
    /// When it has no result.
    pub fn forecast(&self, position: &PositionAnswer, answer: &Answer) -> Result<Forecast, String> {
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

    /// The position, if it is worth learning from: where moves are told, any; else those that are quiet.
    ///
    /// # Errors
    /// When it is none of the game.
    pub fn sample(
        &self,
        position: &PositionAnswer,
        mv: &str,
        score: PlayedScore,
    ) -> Result<Option<PlayedPosition>, String> {
        let json = || Value::to_string(&position.state.json);
        let state = position.state.text.clone().unwrap_or_else(json);
        let is_quiet = self
            .linear
            .map_or(Ok(true), |linear| linear.is_calm(&state, mv, &self.question.options));
        let is_quiet = is_quiet.map_err(|why| why.to_string())?;
        let score = if is_quiet { score } else { PlayedScore::Unquiet };
        let best_move = self.moves.then(|| mv.to_owned());
        Ok((is_quiet || self.moves).then_some(PlayedPosition { state, score, best_move }))
    }
}
