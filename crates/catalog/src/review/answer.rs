//! Answers about played moves and games.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use crate::answer::{Notations, OutcomeAnswer, ScoreAnswer, six_decimals, twelve_decimals};
use crate::names::{AlgorithmName, GameName};
use crate::rating::{Bonus, Class, Label, RatingScheme};

/// The best move of a position, held against the played one.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct BestAlternative {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What it is worth to the mover, or to the first side, by `perspective`.
    pub score: ScoreAnswer,
    /// The expected result of the same side from 0 to 1.
    #[serde(serialize_with = "six_decimals")]
    pub win_probability: Option<f64>,
    /// The move and best play after it.
    pub principal_variation: Vec<String>,
    /// The same in each notation that the game lists; left out where it lists none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(value_type = BTreeMap<String, Vec<String>>)]
    pub notations: Notations,
}

/// A played move and its rating among the legal ones.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct MoveReview {
    /// Its place in `moves`, from 0.
    pub ply: usize,
    /// Who has played it.
    #[schema(value_type = String)]
    pub side: &'static str,
    /// The move, in the canonical notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// The move and `refutation` after it in each notation that the game lists; left out where it lists none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(value_type = BTreeMap<String, Vec<String>>)]
    pub notations: Notations,
    /// What it is worth to the mover, or to the first side, by `perspective`; null where the algorithm does not say.
    pub score: Option<ScoreAnswer>,
    /// The expected result of the same side after it, from 0 to 1.
    #[serde(serialize_with = "six_decimals")]
    pub win_probability: Option<f64>,
    /// The expected result given away against the best move.
    #[serde(serialize_with = "six_decimals")]
    pub loss: Option<f64>,
    /// Effect on the value of the position.
    pub class: Option<Class>,
    /// What the move loses, in a word.
    pub label: Option<Label>,
    /// Whether class and label are the same at both ends of the value's error; null where the error is unknown.
    pub stable: Option<bool>,
    /// 10 for the best place among the legal moves down to 0 for the last, and bonuses.
    pub points: Option<f64>,
    /// Points beyond those for the place.
    pub bonus: Vec<Bonus>,
    /// Whether there was no other legal move.
    pub forced: bool,
    /// Whether no other move was correct.
    pub only_move: bool,
    /// Whether another move was a proved win, and this one is none.
    pub missed_win: bool,
    /// The best move; null where the algorithm names none.
    pub best: Option<BestAlternative>,
    /// Best play after the move, where it is an inaccuracy or worse: how it is answered.
    pub refutation: Vec<String>,
    /// Depth of `score`, `loss` and `label` in plies: the lesser of the best move's and this one's. `points` and `bonus` are
    /// of the shallower search of all moves.
    pub depth: u32,
}

/// What chance brought, and what that was worth.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ChanceReview {
    /// Its place in `moves`, from 0.
    pub ply: usize,
    /// What came.
    pub outcome: String,
    /// The first side's expected result before it, over everything that might have come.
    #[serde(serialize_with = "twelve_decimals")]
    pub expected: Option<f64>,
    /// The first side's expected result after it, by a search like those of what might have come.
    #[serde(serialize_with = "twelve_decimals")]
    pub came: Option<f64>,
    /// The difference: luck of the first side.
    #[serde(serialize_with = "twelve_decimals")]
    pub luck: Option<f64>,
}

/// Number of moves of each class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct ClassCounts {
    /// Correct moves.
    pub correct: usize,
    /// Slack moves.
    pub slack: usize,
    /// Mistakes.
    pub mistake: usize,
}

/// Number of moves with each label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct LabelCounts {
    /// Best moves.
    pub best: usize,
    /// Excellent moves.
    pub excellent: usize,
    /// Good moves.
    pub good: usize,
    /// Inaccuracies.
    pub inaccuracy: usize,
    /// Mistakes.
    pub mistake: usize,
    /// Blunders.
    pub blunder: usize,
}

/// How one side has played.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SideReview {
    /// The side.
    #[schema(value_type = String)]
    pub side: &'static str,
    /// Its moves, forced ones included.
    pub moves: usize,
    /// Its moves without an alternative.
    pub forced: usize,
    /// Mean points of a move; null where no move counts.
    #[serde(serialize_with = "six_decimals")]
    pub points: Option<f64>,
    /// Mean accuracy of a move, 0 to 100: 100 where it loses nothing, 37 at a loss of 0.20, the bound of a blunder.
    #[serde(serialize_with = "six_decimals")]
    pub accuracy: Option<f64>,
    /// Mean loss of a move in expected result.
    #[serde(serialize_with = "six_decimals")]
    pub loss: Option<f64>,
    /// Moves by class.
    pub classes: ClassCounts,
    /// Moves by label.
    pub labels: LabelCounts,
    /// Correct moves without a correct alternative.
    pub only_moves: usize,
    /// Proved wins that were not played.
    pub missed_wins: usize,
}

/// How much went back and forth.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Drama {
    /// Mean change of the first side's expected result from a position to the next.
    #[serde(serialize_with = "six_decimals")]
    pub mean_change: Option<f64>,
    /// How often the lead went to the other side; a lead is more than 0.05 above even.
    pub lead_changes: usize,
}

/// Where the result came from, on the first side's expected result: `result` = `start` + `skill` + `luck` +
/// `unexplained`.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ResultShares {
    /// Expected result of the first position.
    #[serde(serialize_with = "twelve_decimals")]
    pub start: Option<f64>,
    /// What the second side's moves lost less what the first side's did.
    #[serde(serialize_with = "twelve_decimals")]
    pub skill: Option<f64>,
    /// What chance gave the first side.
    #[serde(serialize_with = "twelve_decimals")]
    pub luck: Option<f64>,
    /// What later searches have corrected; 0 where all values are exact.
    #[serde(serialize_with = "twelve_decimals")]
    pub unexplained: Option<f64>,
    /// Result of the game, or the expected one of the last position.
    #[serde(serialize_with = "twelve_decimals")]
    pub result: Option<f64>,
}

/// The review of a game.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = Review)]
pub struct ReviewAnswer {
    /// The question's.
    pub id: Option<String>,
    /// The game.
    #[schema(value_type = GameName)]
    pub game: &'static str,
    /// The algorithm used.
    #[schema(value_type = AlgorithmName)]
    pub algorithm: Cow<'static, str>,
    /// The moves of both sides, in their order.
    pub moves: Vec<MoveReview>,
    /// What chance brought, in order.
    pub chance: Vec<ChanceReview>,
    /// The first and the second side.
    pub sides: Vec<SideReview>,
    /// Mean points of all moves that count: how exciting the game was.
    #[serde(serialize_with = "six_decimals")]
    pub excitement: Option<f64>,
    /// How much went back and forth.
    pub drama: Drama,
    /// Places in `moves` after which the lead was the other side's, or the expected result had changed by more than
    /// 0.20.
    pub turning_points: Vec<usize>,
    /// Skill and luck.
    pub shares: ResultShares,
    /// The first side's expected result in each position, before the first move and after each.
    #[serde(serialize_with = "all_six_decimals")]
    pub win_probabilities: Vec<Option<f64>>,
    /// How the game ended; null where it goes on.
    pub outcome: Option<OutcomeAnswer>,
    /// How moves were rated.
    pub scheme: Option<RatingScheme>,
    /// Positions visited by all searches.
    pub nodes: u64,
    /// Time of all searches in ms; 0 in reproducible answers.
    pub time_ms: u64,
    /// The game as a file with the review as comments, if the question names a format.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub file: Option<String>,
    /// What the client should know.
    pub warnings: Vec<String>,
}

/// The rating of one played move.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = Rate)]
pub struct RateAnswer {
    /// The question's.
    pub id: Option<String>,
    /// The game.
    #[schema(value_type = GameName)]
    pub game: &'static str,
    /// The algorithm used.
    #[schema(value_type = AlgorithmName)]
    pub algorithm: Cow<'static, str>,
    /// The move.
    #[serde(flatten)]
    pub rated: MoveReview,
    /// How it was rated.
    pub scheme: Option<RatingScheme>,
    /// Positions visited.
    pub nodes: u64,
    /// Time of the search in ms; 0 in reproducible answers.
    pub time_ms: u64,
    /// What the client should know.
    pub warnings: Vec<String>,
}

/// How far a review is.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReviewProgress {
    /// Positions that have been searched.
    pub done: usize,
    /// Positions to be searched.
    pub of: usize,
    /// What the last one was worth to its side to move.
    #[serde(serialize_with = "six_decimals")]
    pub win_probability: Option<f64>,
    /// Its best move.
    pub best_move: Option<String>,
}

fn all_six_decimals<S: serde::Serializer>(
    values: &[Option<f64>],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(|value| value.map(crate::explain::round)))
}
