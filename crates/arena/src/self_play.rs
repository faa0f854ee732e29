//! Self-play games to learn from, and the lines of their positions.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::opening::{Balance, Openings};
use crate::player::{Contestant, Own, Start};
use catalog::answer::{Answer, PositionAnswer};
use catalog::question::Question;
use catalog::{AnyGame, Catalog, Linear};
use engine::game::{Rng, zobrist};
use engine::search::Cancel;

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

/// A position of a game with the score of its search.
#[derive(Debug)]
pub struct PlayedPosition {
    /// Text of the state, or its JSON.
    pub state: String,
    /// The score.
    pub score: PlayedScore,
    /// The best move of the search, if moves are told.
    pub best_move: Option<String>,
}

/// What the search of a position says about its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlayedScore {
    /// For the first side, in the game's units.
    Units(f64),
    /// None in units.
    None,
    /// The next move changes too much: a static evaluation of the position means little.
    Unquiet,
}

/// Marks of a missing score.
const NOTHING: &str = "-";
const UNQUIET: &str = "*";

impl PlayedScore {
    /// The score in units.
    pub fn units(self) -> Option<f64> {
        match self {
            Self::Units(units) => Some(units),
            Self::None | Self::Unquiet => None,
        }
    }

    fn read(text: &str) -> Result<Self, String> {
        match text {
            NOTHING => Ok(Self::None),
            UNQUIET => Ok(Self::Unquiet),
            units => finite(units)
                .map(Self::Units)
                .ok_or_else(|| format!("`{units}` is not a score in units")),
        }
    }
}

impl std::fmt::Display for PlayedScore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Units(units) => units.fmt(f),
            Self::None => f.write_str(NOTHING),
            Self::Unquiet => f.write_str(UNQUIET),
        }
    }
}

fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// The lines of a game: one per position, an empty line at the end.
///
/// ```text
/// r1bakab1r/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C4NC1/9/RNBAKAB1R w - - 2 3 | 0.5 | 31
/// r1bakab1r/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C4NC1/9/RNBAKAB1R w - - 2 3 | 0.5 | 31 | a0a1
/// ```
/// The state, the result of its game and the score of the search, both for the first side, the score in the
/// game's units, `-` where there is none, `*` where the position is not quiet; the best move, if moves are told.
pub fn written(samples: &[PlayedPosition], result: f64, most: usize) -> String {
    let mut text = String::new();
    let every = samples.len().div_ceil(most).max(1);
    for PlayedPosition { state, score, best_move } in samples.iter().step_by(every) {
        write!(text, "{state} | {result} | {score}").expect("a string takes any text");
        if let Some(best_move) = best_move {
            write!(text, " | {best_move}").expect("a string takes any text");
        }
        text.push('\n');
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// What a line of a file of positions tells about the games below it, in JSON; `None` for the line of a position.
pub fn terms_of(line: &str) -> Option<&str> {
    line.strip_prefix("# ").map(str::trim).filter(|json| json.starts_with('{'))
}

/// A line of a file of positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PositionLine<'a> {
    /// Text of the state, or its JSON.
    pub state: &'a str,
    /// Result of the game for the first side, 0 to 1.
    pub result: f64,
    /// Score of the search.
    pub score: PlayedScore,
    /// Best move of the search, if told.
    pub best_move: Option<&'a str>,
}

impl<'a> PositionLine<'a> {
    /// Reads a line: `state | result | score`, or `state | result | score | move`.
    ///
    /// # Errors
    /// When the line is not of that form.
    pub fn read(line: &'a str) -> Result<Self, String> {
        let parts: Vec<_> = line.split('|').map(str::trim).collect();
        let (state, result, score, best_move) = match parts[..] {
            [state, result, score] => (state, result, score, None),
            [state, result, score, best_move] => (state, result, score, Some(best_move)),
            _ => {
                return Err(format!(
                    "expected `state | result | score` or `state | result | score | move`, got `{line}`"
                ));
            }
        };
        let result = finite(result)
            .filter(|result| (0.0..=1.0).contains(result))
            .ok_or_else(|| format!("`{result}` is not a result from 0 to 1"))?;
        Ok(Self { state, result, score: PlayedScore::read(score)?, best_move })
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for score in [PlayedScore::Units(-3.5), PlayedScore::None, PlayedScore::Unquiet] {
            for best_move in [None, Some("a1 b2")] {
                let position = PlayedPosition {
                    state: "x o".into(),
                    score,
                    best_move: best_move.map(str::to_owned),
                };
                let text = written(&[position], 0.5, 1);
                let read = PositionLine::read(text.trim_end()).expect("a line");
                assert_eq!(read, PositionLine { state: "x o", result: 0.5, score, best_move });
            }
        }
    }

    #[test]
    fn of_a_long_game_some_positions_are_kept_from_its_first_to_its_end() {
        for (played, kept) in [(0, 0), (1, 1), (40, 40), (41, 21), (120, 40), (200, 40)] {
            let sample = |n| PlayedPosition {
                state: format!("{n}"),
                score: PlayedScore::Units(0.0),
                best_move: None,
            };
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
