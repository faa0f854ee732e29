//! Self-play: each game is an item, and its positions are what an evaluation learns from.

use std::time::Duration;

use arena::self_play::{SelfPlay, SelfPlayTerms};
use catalog::Catalog;
use catalog::question::{Question, WholeNumber};
use job_queue::{ItemOutcome, ItemResult, NewPiece};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::answer::{read_done, written};
use super::kind::{CutJob, JobReading, cut_alike};
use super::matches::{check_deal, configuration, games_within, of_games, wrong};
use crate::problem::Problem;
use crate::service::{Failure, GameLimits, RequestInfo, Service};

/// Moves of a game, where the length of a piece is reckoned.
const MOVES: u32 = 60;
/// Range of random plies at the beginning of a game, unless given.
const OPENING: [u64; 2] = [4, 10];
/// Most random plies.
const MOST_PLIES: u64 = 60;
/// Positions kept of a game, unless given.
const MOST_OF_A_GAME: u64 = 40;

/// Games of one configuration against itself, whose positions are kept with their scores.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SelfPlayQuestion {
    /// The configuration: a question without a position; 1,000 nodes a move unless it has a budget.
    #[schema(value_type = Question)]
    pub(crate) player: Map<String, Value>,
    /// Games.
    #[schema(value_type = u64, minimum = 1, maximum = 10_000)]
    pub(crate) games: WholeNumber,
    /// Least and largest number of random plies at the beginning; 4 and 10 unless given.
    #[serde(default)]
    #[schema(value_type = Option<Vec<u64>>, min_items = 2, max_items = 2, nullable = false)]
    pub(crate) opening: Option<[WholeNumber; 2]>,
    /// Openings are drawn anew until neither side is ahead by more points of the rating than this.
    #[serde(default)]
    pub(crate) balanced: Option<f64>,
    /// Share of random moves after the opening, 0 to 1.
    #[serde(default)]
    #[schema(minimum = 0.0, maximum = 1.0)]
    pub(crate) stray: f64,
    /// Option of the game that receives a seed per game, for games with a dealt start; there are no random plies then.
    #[serde(default)]
    pub(crate) deal: Option<String>,
    /// Largest number of positions kept of a game; 40 unless given.
    #[serde(default)]
    #[schema(value_type = Option<u64>, minimum = 1, maximum = 1_000)]
    pub(crate) most_of_a_game: Option<WholeNumber>,
    /// Seed of openings and of chance; 1 unless given.
    #[serde(default)]
    #[schema(value_type = Option<u64>, maximum = 9_007_199_254_740_991_i64)]
    pub(crate) seed: Option<WholeNumber>,
}

/// A game of self-play.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct PlayedGame {
    /// Its result for the first side: 1, 0.5 or 0.
    pub(crate) result: f64,
    /// Its positions, one a line: `state | result | score`, both for the first side, `-` for a score that is none in
    /// units.
    pub(crate) lines: Vec<String>,
}

/// The games of self-play.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SelfPlayAnswer {
    /// Games that the first side has won, drawn and lost.
    results: [usize; 3],
    /// Games without a result.
    failed: usize,
    /// Positions of all games.
    positions: usize,
    /// The games, in their order.
    games: Vec<PlayedGame>,
}

/// Games for one worker.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SelfPlayPiece {
    question: SelfPlayQuestion,
    games: Vec<u32>,
    /// Longest search that the client may ask for.
    longest: Option<Duration>,
}

impl SelfPlayQuestion {
    fn terms(&self) -> Result<SelfPlayTerms, Problem> {
        let opening = self.opening.map_or(OPENING, |range| range.map(|plies| plies.0));
        if opening[0] > opening[1] || opening[1] > MOST_PLIES {
            let detail = format!("must be two numbers in order, at most {MOST_PLIES}");
            return Err(wrong("/opening", detail));
        }
        if !(0.0..=1.0).contains(&self.stray) {
            return Err(wrong("/stray", "must be from 0 to 1".to_owned()));
        }
        if self.balanced.is_some_and(|most| most < 0.0) {
            return Err(wrong("/balanced", "must be 0 or more".to_owned()));
        }
        let most = self.most_of_a_game.map_or(MOST_OF_A_GAME, |most| most.0);
        if !(1..=1_000).contains(&most) {
            return Err(wrong("/most_of_a_game", format!("must be from 1 to 1000, got {most}")));
        }
        Ok(SelfPlayTerms {
            nodes: 1_000,
            seed: self.seed.map_or(1, |seed| seed.0),
            play: self.player.clone(),
            opening: opening.map(|plies| plies as usize),
            balanced: self.balanced,
            stray: self.stray,
            deal: self.deal.clone(),
            most_of_a_game: most as usize,
            moves: false,
        })
    }

    fn play(
        &self,
        catalog: &Catalog,
        limits: &GameLimits,
        number: u32,
    ) -> Result<PlayedGame, String> {
        let name = self.player.get("game").and_then(Value::as_str).unwrap_or_default();
        let game = catalog.game(name).map_err(|why| why.to_string())?;
        let terms = self.terms().map_err(|why| why.detail)?;
        let self_play = SelfPlay::new(catalog, game, &terms)?.until(limits.cancel.clone());
        let GameLimits { allowance, table_entries, cancel } = limits;
        let mut player = self_play.player().within(*allowance, *table_entries, cancel.clone());
        let played = self_play.play(&mut player, number.into())?;
        let lines = played.text.lines().filter(|line| !line.is_empty()).map(str::to_owned);
        Ok(PlayedGame { result: played.result, lines: lines.collect() })
    }
}

/// Checks the terms, and cuts the games.
pub(super) fn cut(
    question: &SelfPlayQuestion,
    reading: &JobReading<'_>,
) -> Result<CutJob, Problem> {
    let player = configuration(question.player.clone()).map_err(|why| why.under("/player"))?;
    if player.state.is_some() || !player.moves.is_empty() {
        let detail = "must have no position: games begin as the rules say".to_owned();
        return Err(wrong("/player", detail));
    }
    question.terms()?;
    let games = games_within(question.games, 1)?;
    let expected = reading.expected(&player).map_err(|why| why.under("/player"))?;
    check_deal(&player, question.deal.as_ref(), reading.catalog)?;
    let piece = |games: Vec<u32>| {
        let (question, longest) = (question.clone(), reading.request.longest);
        let piece = SelfPlayPiece { question, games, longest };
        NewPiece { payload: written(&piece), items: piece.games }
    };
    let pieces = cut_alike(games, expected * MOVES);
    reading.check_length(pieces.len(), written(question).len())?;
    Ok(CutJob { head: Vec::new(), pieces: pieces.into_iter().map(piece).collect() })
}

impl SelfPlayPiece {
    pub(super) async fn item(
        &self,
        place: usize,
        service: &Service,
    ) -> Result<(ItemOutcome, Vec<u8>), Failure> {
        let (question, number) = (self.question.clone(), self.games[place]);
        let request = RequestInfo::of_job(0, self.longest);
        let play =
            move |catalog: &Catalog, limits: &GameLimits| question.play(catalog, limits, number);
        of_games(service.play(request, play).await)
    }
}

/// The answer of self-play that is over.
pub(super) fn answer(results: &[ItemResult]) -> SelfPlayAnswer {
    let games: Vec<PlayedGame> = results.iter().filter_map(read_done).collect();
    let count = |result| games.iter().filter(|game| game.result == result).count();
    SelfPlayAnswer {
        results: [1.0, 0.5, 0.0].map(count),
        failed: results.len() - games.len(),
        positions: games.iter().map(|game| game.lines.len()).sum(),
        games,
    }
}
