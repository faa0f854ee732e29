//! Questions about played moves and games.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::file::CommentedFormat;
use crate::names::{AlgorithmChoice, GameName};
use crate::question::{
    BudgetQuestion, Perspective, Question, Ratings, WholeNumber, auto, options_schema, state_schema,
};
use crate::rating::RatingScheme;
use crate::shape::{object, object_or_null, word};
use crate::{Allowance, Refusal};

/// A played game, or the part of one, to be reviewed. Only `game` and `moves` are required.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewQuestion {
    /// A name from `GET /v1/games`.
    #[schema(value_type = GameName)]
    pub game: String,
    /// The position before the first move: `"startpos"` (default), the game's text notation or its JSON form.
    #[serde(default)]
    #[schema(schema_with = state_schema)]
    pub state: Option<Value>,
    /// The moves played, what dice and cards brought among them.
    pub moves: Vec<String>,
    /// A name from `GET /v1/algorithms`; `auto` is the strongest that the game offers.
    #[serde(default = "auto")]
    #[schema(value_type = Option<AlgorithmChoice>, nullable = false)]
    pub algorithm: String,
    /// Options of the algorithm and of the game.
    #[serde(default)]
    #[schema(schema_with = options_schema)]
    pub options: Map<String, Value>,
    /// What may be spent on each position; 100 ms when nothing that applies is given.
    #[serde(default, deserialize_with = "object")]
    pub budget: BudgetQuestion,
    /// How moves are rated. All moves of a position are searched to the same depth, whatever `one_depth` says.
    #[serde(default, deserialize_with = "object_or_null")]
    pub scheme: Option<RatingScheme>,
    /// Whose scores and win probabilities of moves are positive; `side_to_move` unless given. Losses, classes, labels
    /// and points are the mover's always; what is said of the game is the first side's. Comments of a file follow it.
    #[serde(default, deserialize_with = "word")]
    #[schema(value_type = Option<Perspective>, nullable = false)]
    pub perspective: Perspective,
    /// Whether moves without an alternative count in means; false unless given.
    #[serde(default)]
    #[schema(value_type = Option<bool>, nullable = false)]
    pub count_forced: bool,
    /// Seed of everything random; 0 unless given.
    #[serde(default)]
    #[schema(value_type = Option<u64>, minimum = 0, maximum = 9_007_199_254_740_991_i64)]
    pub seed: Option<WholeNumber>,
    /// The same question gets the same answer, to the byte, as in a question for the best move.
    #[serde(default)]
    #[schema(value_type = Option<bool>, nullable = false)]
    pub reproducible: bool,
    /// The answer has the game as a file of this format, with its review as comments. Where the format cannot hold the
    /// game, it is JSON.
    #[serde(default)]
    pub file: Option<CommentedFormat>,
    /// Comes back in the answer; at most 128 bytes.
    #[serde(default)]
    #[schema(max_length = 128)]
    pub id: Option<String>,
}

/// A played move to be rated, and the position before it. Only `game` and `move` are required.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RateQuestion {
    /// A name from `GET /v1/games`.
    #[schema(value_type = GameName)]
    pub game: String,
    /// `"startpos"` (default), the game's text notation or its JSON form.
    #[serde(default)]
    #[schema(schema_with = state_schema)]
    pub state: Option<Value>,
    /// Moves played from the state.
    #[serde(default)]
    pub moves: Vec<String>,
    /// The move to be rated.
    #[serde(rename = "move")]
    pub mv: String,
    /// A name from `GET /v1/algorithms`; `auto` is the strongest that the game offers.
    #[serde(default = "auto")]
    #[schema(value_type = Option<AlgorithmChoice>, nullable = false)]
    pub algorithm: String,
    /// Options of the algorithm and of the game.
    #[serde(default)]
    #[schema(schema_with = options_schema)]
    pub options: Map<String, Value>,
    /// What may be spent; 100 ms when nothing that applies is given.
    #[serde(default, deserialize_with = "object")]
    pub budget: BudgetQuestion,
    /// How moves are rated, as in a review.
    #[serde(default, deserialize_with = "object_or_null")]
    pub scheme: Option<RatingScheme>,
    /// Whose scores and win probabilities of moves are positive; `side_to_move` unless given. Losses, classes, labels
    /// and points are the mover's always.
    #[serde(default, deserialize_with = "word")]
    #[schema(value_type = Option<Perspective>, nullable = false)]
    pub perspective: Perspective,
    /// Seed of everything random; 0 unless given.
    #[serde(default)]
    #[schema(value_type = Option<u64>, minimum = 0, maximum = 9_007_199_254_740_991_i64)]
    pub seed: Option<WholeNumber>,
    /// The same question gets the same answer, to the byte, as in a question for the best move.
    #[serde(default)]
    #[schema(value_type = Option<bool>, nullable = false)]
    pub reproducible: bool,
    /// Comes back in the answer; at most 128 bytes.
    #[serde(default)]
    #[schema(max_length = 128)]
    pub id: Option<String>,
}

/// Thinking time for a position where the question names no budget: a game of 60 plies takes six seconds.
const POSITION_MS: u64 = 100;

/// Part of a position's budget for the list of all moves, as a divisor. By `benches/blunders.py` with nodes: with 4 to 10 144
/// or 145 of 150 blunders are found.
const LIST: u64 = 5;
/// Share of what the list has left for the best move; the played one has the rest, and needs less for the same depth. By the
/// same: 145 are found with half, two thirds and three quarters; of 150 best moves two, one and one are called mistakes.
pub(super) const BEST: [u64; 2] = [2, 3];
/// Share of a position's budget that a deeper search has in any case.
const LEAST_DEEPER: [u64; 2] = [3, 10];

/// What searches of a position have spent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SpentBudget {
    pub(super) time_ms: u64,
    pub(super) nodes: u64,
    pub(super) simulations: u64,
}

impl ReviewQuestion {
    /// A review of a game from its start, with a default for everything else.
    pub fn of(game: &str, moves: &[String]) -> Self {
        let question = serde_json::json!({ "game": game, "moves": moves });
        serde_json::from_value(question).expect("only `game` and `moves` are required")
    }

    /// The same question if the server allows its budget to a position; without one it has no more than is allowed.
    ///
    /// # Errors
    /// When the budget is zero, or more than is allowed.
    pub fn within(mut self, allowance: &Allowance) -> Result<Self, Refusal> {
        let given = allowance.time_of(&self.budget)?;
        let is_default = self.budget == BudgetQuestion::default() && !self.reproducible;
        let most = allowance.max_ms();
        self.budget.time_ms =
            given.or((is_default && most < POSITION_MS).then_some(most)).map(WholeNumber);
        Ok(self)
    }

    /// What the next search of a position may spend after those that have spent so much: this share of what they have
    /// left. A search that has lost its core for a while does not take the time of the next one.
    pub(super) fn rest(&self, spent: SpentBudget, share: [u64; 2]) -> BudgetQuestion {
        let [part, of] = share;
        let (all, least) = (self.share(1, 1), self.share(LEAST_DEEPER[0], LEAST_DEEPER[1]));
        let rest = |all: Option<WholeNumber>, spent: u64, least: Option<WholeNumber>| {
            let left = all?.0.saturating_sub(spent);
            Some(WholeNumber(left.saturating_mul(part).div_ceil(of).max(least?.0)))
        };
        BudgetQuestion {
            depth: all.depth,
            time_ms: rest(all.time_ms, spent.time_ms, least.time_ms),
            nodes: rest(all.nodes, spent.nodes, least.nodes),
            simulations: rest(all.simulations, spent.simulations, least.simulations),
        }
    }

    /// A share of what may be spent on a position.
    pub(super) fn share(&self, part: u64, of: u64) -> BudgetQuestion {
        let mut budget = self.budget;
        if budget == BudgetQuestion::default() && !self.reproducible {
            budget.time_ms = Some(WholeNumber(POSITION_MS));
        }
        let share = |all: WholeNumber| WholeNumber((all.0.saturating_mul(part)).div_ceil(of));
        BudgetQuestion {
            depth: budget.depth,
            time_ms: budget.time_ms.map(share),
            nodes: budget.nodes.map(share),
            simulations: budget.simulations.map(share),
        }
    }

    /// The question for every move of the position after this many moves, all at one depth.
    pub(super) fn position(&self, plies: usize) -> Question {
        let budget = self.share(1, LIST);
        Question {
            state: self.state.clone(),
            moves: self.moves[..plies].to_vec(),
            algorithm: self.algorithm.clone(),
            options: self.options.clone(),
            budget,
            scheme: Some(RatingScheme { one_depth: true, ..self.scheme.unwrap_or_default() }),
            seed: Some(self.seed.unwrap_or(WholeNumber(0))),
            reproducible: self.reproducible,
            id: self.id.clone(),
            ..Question::about(&self.game)
        }
    }

    /// The question for the value of a position that chance might have brought, one of `others`.
    pub(super) fn leaf(&self, plies: usize, chance: &[String], others: usize) -> Question {
        let question = self.position(plies);
        let budget = self.share(1, others as u64);
        let moves = [question.moves.as_slice(), chance].concat();
        Question { moves, budget, scheme: None, ratings: Ratings::None, ..question }
    }
}

impl From<RateQuestion> for ReviewQuestion {
    /// A review of the game up to the move.
    fn from(question: RateQuestion) -> Self {
        let mut moves = question.moves;
        moves.push(question.mv);
        Self {
            game: question.game,
            state: question.state,
            moves,
            algorithm: question.algorithm,
            options: question.options,
            budget: question.budget,
            scheme: question.scheme,
            perspective: question.perspective,
            count_forced: true,
            seed: question.seed,
            reproducible: question.reproducible,
            file: None,
            id: question.id,
        }
    }
}
