//! Answers to clients.

use serde::Serialize;
use serde_json::{Map, Number, Value as Json};
use utoipa::ToSchema;

use super::methods::MethodInfo;
use super::trace::TraceVisit;

/// How good something is for the side to move.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = Score)]
pub struct ScoreAnswer {
    /// `win`, `loss`, `draw` and `payoff` are proved; `heuristic` is an evaluation, `estimate` a mean of
    /// playouts; `unknown` when nothing could be found out.
    #[schema(value_type = String)]
    pub kind: &'static str,
    /// Plies to the end of a proved win or loss: the true distance where the score is exact, else at most so
    /// many with best play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
    /// A payoff or a heuristic value in the game's units, or the expected result from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    pub value: Option<Number>,
    /// Playouts behind an estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simulations: Option<u64>,
    /// Standard error of an estimate, or of a heuristic value that is the mean over worlds drawn by chance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr: Option<f64>,
}

/// The rating of a move.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct MoveRating {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What it is worth.
    pub score: ScoreAnswer,
    /// Whether the score is the true value, distance included.
    pub exact: bool,
    /// The expected result from 0 to 1.
    pub win_probability: Option<f64>,
    /// The expected result given away against the best move.
    pub loss: Option<f64>,
    /// `correct`, `slack` or `mistake`.
    #[schema(value_type = Option<String>)]
    pub class: Option<&'static str>,
    /// 10 for the best place down to 0, and bonuses.
    pub points: Option<f64>,
    /// `only_correct` (+10), `only_mistake` (-10), in the card duel `patient_pass` (+10): to end the round with three
    /// dice or more and no Liben, with Vanarana more than five.
    #[schema(value_type = Vec<String>)]
    pub bonus: Vec<&'static str>,
    /// `best`, `excellent`, `good`, `inaccuracy`, `mistake` or `blunder`.
    #[schema(value_type = Option<String>)]
    pub label: Option<&'static str>,
    /// The move and best play after it.
    pub principal_variation: Vec<String>,
}

/// How a finished game ended.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = Outcome)]
pub struct OutcomeAnswer {
    /// The winner's name or `draw`; in games with payoffs the winner is who receives something.
    pub result: String,
    /// Why.
    #[schema(value_type = String)]
    pub reason: &'static str,
    /// What the first side receives, in games with payoffs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    pub payoff: Option<Number>,
}

/// Figures of the search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
#[schema(as = Stats)]
pub struct StatsAnswer {
    /// Last completed depth in plies; in tree search the deepest node. A search that ends before it has caught
    /// up with an earlier one over the shared table may have used deeper results.
    pub depth: u32,
    /// Depth of the ratings in plies, where it is not that of the best move: the best move and its line come from
    /// a deeper search, which also says that no other move is better. Null where no move is rated.
    pub rated_depth: Option<u32>,
    /// Part of the thinking time that the ratings took; 0 in reproducible answers.
    pub rating_ms: u64,
    /// Positions visited.
    pub nodes: u64,
    /// Playouts run.
    pub simulations: u64,
    /// Nodes cut off by a bound.
    pub cutoffs: u64,
    /// Nodes answered from a table.
    pub table_hits: u64,
    /// Thinking time; 0 in reproducible answers.
    pub time_ms: u64,
    /// Time waited for a free slot; 0 in reproducible answers.
    pub queue_ms: u64,
    /// `depth`, `nodes`, `simulations`, `time`, `deadline`, `only_move` or `shutdown`; `solved` where every
    /// score of the answer is exact, `final` where a longer search would not change it but a distance is a
    /// bound or a chance was sampled; `running` while the search goes on.
    #[schema(value_type = String)]
    pub stopped_by: &'static str,
    /// Threads used.
    pub threads: u64,
    /// The seed.
    pub seed: u64,
    /// Whether the same question gets the same bytes.
    pub reproducible: bool,
}

/// The answer to a question for the best move.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Answer {
    /// The question's.
    pub id: Option<String>,
    /// The game.
    #[schema(value_type = String)]
    pub game: &'static str,
    /// The algorithm used.
    #[schema(value_type = String)]
    pub algorithm: &'static str,
    /// Who is to move; null when the game is over.
    #[schema(value_type = Option<String>)]
    pub side_to_move: Option<&'static str>,
    /// The move to play; null when the game is over.
    pub best_move: Option<String>,
    /// All moves that tie for best, when every move has an exact rating.
    pub best_moves: Vec<String>,
    /// The best move and best play after it.
    pub principal_variation: Vec<String>,
    /// What the position is worth; null when the game is over.
    pub score: Option<ScoreAnswer>,
    /// The expected result from 0 to 1.
    pub win_probability: Option<f64>,
    /// Whether the score is the true value of the position, the distance of a win or loss included.
    pub exact: bool,
    /// Whether the result is proved: a win, a loss, a draw or a payoff. Where it is not `exact`, the distance is
    /// an upper bound.
    pub proved: bool,
    /// The moves that a full-width search looked at in every position: `all` legal ones, or those that the game
    /// lists, `expert`; null for other algorithms.
    #[schema(value_type = Option<String>)]
    pub moves: Option<&'static str>,
    /// The rated moves, best first.
    pub ratings: Vec<MoveRating>,
    /// How the game ended, when it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<OutcomeAnswer>,
    /// Figures of the search.
    pub stats: StatsAnswer,
    /// The tree that was searched, in the order of visits, if the question asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Vec<TraceVisit>>,
    /// What the client should know.
    pub warnings: Vec<String>,
}

/// A state in its canonical forms.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct StateForms {
    /// The text notation; null where the game or the position has none.
    pub text: Option<String>,
    /// The JSON form.
    #[schema(value_type = Value)]
    pub json: Json,
}

/// What the rules say about a position.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PositionAnswer {
    /// The game.
    #[schema(value_type = String)]
    pub game: &'static str,
    /// The position.
    pub state: StateForms,
    /// Who is to move; `chance` when dice or cards are next, null when the game is over.
    #[schema(value_type = Option<String>)]
    pub side_to_move: Option<&'static str>,
    /// The legal moves, or what chance may bring.
    pub legal_moves: Vec<String>,
    /// How the game ended; null while it goes on.
    pub outcome: Option<OutcomeAnswer>,
    /// The static evaluation for the side to move; null when nobody is to move.
    pub evaluation: Option<ScoreAnswer>,
}

/// An option of an algorithm or a game.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct OptionInfo {
    /// The name.
    #[schema(value_type = String)]
    pub name: &'static str,
    /// `boolean`, `integer`, `number` or `string`.
    #[serde(rename = "type")]
    #[schema(value_type = String)]
    pub kind: &'static str,
    /// The values allowed of a string.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<String>>)]
    pub values: Option<&'static [&'static str]>,
    /// The least value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    pub minimum: Option<Json>,
    /// The greatest value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    pub maximum: Option<Json>,
    /// The value when it is not given.
    #[schema(value_type = Value)]
    pub default: Json,
    /// What it does.
    #[schema(value_type = String)]
    pub about: &'static str,
}

/// An algorithm.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct AlgorithmInfo {
    /// The name in questions.
    #[schema(value_type = String)]
    pub name: &'static str,
    /// What it does.
    #[schema(value_type = String)]
    pub about: &'static str,
    /// What a game must be for it.
    pub needs: String,
    /// The members of a budget that it heeds.
    #[schema(value_type = Vec<String>)]
    pub budgets: &'static [&'static str],
    /// Its options.
    pub options: Vec<OptionInfo>,
    /// Whether it can give the tree that it searched.
    pub traces: bool,
    /// Where it comes from.
    #[schema(value_type = String)]
    pub source: &'static str,
    /// The games that offer it.
    #[schema(value_type = Vec<String>)]
    pub games: Vec<&'static str>,
}

impl AlgorithmInfo {
    /// Describes a method that these games offer.
    pub fn new(method: &MethodInfo, games: Vec<&'static str>) -> Self {
        Self {
            name: method.name,
            about: method.about,
            needs: method.needs.describe(),
            budgets: method.budgets,
            options: method.options.iter().map(OptionInfo::from).collect(),
            traces: method.traces,
            source: method.source,
            games,
        }
    }
}

/// A game.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct GameInfo {
    /// The name in questions.
    #[schema(value_type = String)]
    pub name: &'static str,
    /// The rules in short.
    #[schema(value_type = String)]
    pub rules: &'static str,
    /// The names of the first and the second side.
    #[schema(value_type = Vec<String>)]
    pub sides: [&'static str; 2],
    /// The text notation of a state.
    #[schema(value_type = Option<String>)]
    pub text_notation: Option<&'static str>,
    /// The notation of a move.
    #[schema(value_type = String)]
    pub move_notation: &'static str,
    /// JSON schema of a state in JSON form.
    #[schema(value_type = Value)]
    pub state_schema: Json,
    /// JSON schema of a move.
    #[schema(value_type = Value)]
    pub move_schema: Json,
    /// The start position.
    pub start: StateForms,
    /// The body of a question for the best move.
    #[schema(value_type = Value)]
    pub example: Json,
    /// What one unit of a heuristic value is.
    #[schema(value_type = String)]
    pub value_unit: &'static str,
    /// Whether dice or cards may act.
    pub chance: bool,
    /// Whether something is hidden from a player.
    pub hidden: bool,
    /// Whether a side may move several times in a row.
    pub repeated_movers: bool,
    /// The algorithms offered.
    #[schema(value_type = Vec<String>)]
    pub algorithms: Vec<&'static str>,
    /// What `auto` stands for in the start position.
    #[schema(value_type = String)]
    pub default_algorithm: &'static str,
    /// Whether razor, self-loss, ProbCut and win probabilities go by a calibration that was loaded.
    pub calibrated: bool,
    /// Options of the game.
    pub options: Vec<OptionInfo>,
    /// Defaults of algorithms' options in this game, where they are not those of the algorithm.
    #[schema(value_type = Object)]
    pub defaults: Map<String, Json>,
    /// Strength levels offered.
    pub levels: Vec<u32>,
    /// Limits of size.
    #[schema(value_type = String)]
    pub limits: &'static str,
}
