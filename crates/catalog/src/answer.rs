//! Answers to clients.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Number, Value as Json};
use utoipa::ToSchema;

use super::explain::round;
use super::names::{AlgorithmName, GameName, OutcomeReason};
use super::rating::{Bonus, Class, Label, RatingScheme};
use super::trace::TraceVisit;
use super::visits::VisitedNode;
use super::words::{StaticWord, interned, maybe_interned};

/// Writes a number with six decimals in texts, for people: further digits are noise. What is read back by a program keeps
/// all of them.
pub(super) fn six_decimals<S: Serializer>(
    value: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let is_text = serializer.is_human_readable();
    value.map(|value| if is_text { round(value) } else { value }).serialize(serializer)
}

/// Writes a part of a sum with twelve decimals, so that the sum is that of the parts to 1e-9.
pub(super) fn twelve_decimals<S: Serializer>(
    value: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    value.map(|value| (value * 1e12).round() / 1e12).serialize(serializer)
}

/// Moves in each of a game's human notations, by name.
pub type Notations = BTreeMap<Cow<'static, str>, Vec<String>>;

/// How good something is for the side to move, or for the first side if the question asks so. `win`, `loss`, `draw` and `payoff` are proved; `heuristic` is an
/// evaluation, `estimate` a mean of playouts; `unknown` where nothing could be found out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[schema(as = Score)]
pub enum ScoreAnswer {
    /// A proved win.
    #[schema(title = "Win")]
    Win {
        /// Plies to the end of the game: the true distance where the score is exact, else at most so many with
        /// best play.
        plies: u32,
    },
    /// A proved loss.
    #[schema(title = "Loss")]
    Loss {
        /// Plies to the end of the game, as for a win.
        plies: u32,
    },
    /// A proved draw.
    #[schema(title = "Draw")]
    Draw,
    /// A proved payoff, in games that end with one.
    #[schema(title = "Payoff")]
    Payoff {
        /// What the side to move receives.
        #[schema(value_type = f64)]
        value: Number,
        /// What one unit of the value is.
        #[schema(value_type = String)]
        unit: Cow<'static, str>,
    },
    /// An evaluation.
    #[schema(title = "Heuristic")]
    Heuristic {
        /// Value in the game's units.
        #[schema(value_type = f64)]
        value: Number,
        /// Standard error, where the value is the mean over worlds drawn by chance.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        stderr: Option<f64>,
        /// What one unit of the value is.
        #[schema(value_type = String)]
        unit: Cow<'static, str>,
    },
    /// A mean of playouts.
    #[schema(title = "Estimate")]
    Estimate {
        /// The expected result from 0 (loss) to 1 (win).
        #[schema(value_type = f64, minimum = 0, maximum = 1)]
        value: Number,
        /// Playouts behind it.
        simulations: u64,
        /// Standard error.
        stderr: f64,
    },
    /// Nothing is known.
    #[schema(title = "Unknown")]
    Unknown,
}

impl ScoreAnswer {
    /// The word for the kind.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Win { .. } => "win",
            Self::Loss { .. } => "loss",
            Self::Draw => "draw",
            Self::Payoff { .. } => "payoff",
            Self::Heuristic { .. } => "heuristic",
            Self::Estimate { .. } => "estimate",
            Self::Unknown => "unknown",
        }
    }

    /// Distance of a win or loss in plies.
    pub const fn plies(&self) -> Option<u32> {
        match self {
            Self::Win { plies } | Self::Loss { plies } => Some(*plies),
            _ => None,
        }
    }

    /// Value of a payoff, an evaluation or an estimate.
    pub fn value(&self) -> Option<f64> {
        match self {
            Self::Payoff { value, .. }
            | Self::Heuristic { value, .. }
            | Self::Estimate { value, .. } => value.as_f64(),
            _ => None,
        }
    }
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StoppedBy {
    /// The requested depth is complete.
    Depth,
    /// The node budget is used up.
    Nodes,
    /// The simulation budget is used up.
    Simulations,
    /// The thinking time is over.
    Time,
    /// The time limit counted from arrival is over.
    Deadline,
    /// There is only one legal move.
    OnlyMove,
    /// Every score of the answer is exact.
    #[default]
    Solved,
    /// A longer search would not change the answer, but a distance is a bound, a chance was sampled, or the
    /// history of the game may still count.
    Final,
    /// Other clients were waiting for their share of the slots.
    Preempted,
    /// The service is shutting down.
    Shutdown,
    /// The search goes on.
    Running,
}

impl StoppedBy {
    /// True if another time the search might have come further.
    pub fn is_by_time(self) -> bool {
        matches!(self, Self::Time | Self::Deadline | Self::Preempted | Self::Shutdown)
    }
}

impl fmt::Display for StoppedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// Moves that a full-width search looks at in every position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SearchedMoves {
    /// All legal ones.
    All,
    /// Those that the game lists.
    Expert,
}

/// The rating of a move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MoveRating {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What it is worth.
    pub score: ScoreAnswer,
    /// Whether the score is the true value, distance included.
    pub exact: bool,
    /// The expected result from 0 to 1.
    #[serde(serialize_with = "six_decimals")]
    pub win_probability: Option<f64>,
    /// The expected result given away against the best move; 0 for moves that tie with it, as estimates do within two
    /// standard errors.
    pub loss: Option<f64>,
    /// Effect of the move on the value of the position.
    pub class: Option<Class>,
    /// 10 for the best place down to 0, and bonuses.
    pub points: Option<f64>,
    /// Points beyond those for the place.
    pub bonus: Vec<Bonus>,
    /// What the move loses of the expected result against the reference of the scheme, in a word.
    pub label: Option<Label>,
    /// Whether class and label are the same at both ends of the value's error: its change by the last iteration, and
    /// two standard errors. Left out unless the scheme has `one_depth`, and where the error is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub stable: Option<bool>,
    /// The move and best play after it.
    pub principal_variation: Vec<String>,
    /// The principal variation in each notation that the game lists; left out where it lists none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(value_type = BTreeMap<String, Vec<String>>)]
    pub notations: Notations,
    /// Whether a deeper search has only shown the move to be no better than the best: what it loses is unknown.
    #[serde(skip)]
    pub bounded: bool,
}

/// How a finished game ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Outcome)]
pub struct OutcomeAnswer {
    /// The winner's name or `draw`; in games with payoffs the winner is who receives something.
    pub result: String,
    /// Why.
    #[schema(value_type = OutcomeReason)]
    #[serde(deserialize_with = "interned")]
    pub reason: StaticWord,
    /// What the first side receives, in games with payoffs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    pub payoff: Option<Number>,
}

/// Figures of the search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
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
    /// Why the search ended.
    pub stopped_by: StoppedBy,
    /// Threads used.
    pub threads: u64,
    /// The seed.
    pub seed: u64,
    /// Whether the same question gets the same bytes.
    pub reproducible: bool,
    /// Whether it was searched for this question, or known from an earlier one.
    pub source: AnswerSource,
}

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AnswerSource {
    /// A search for this question, or for an equal one at the same time.
    #[default]
    Search,
    /// The store of known answers: the other figures are those of the search that found it.
    Store,
}

/// The answer to a question for the best move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Answer {
    /// The question's.
    pub id: Option<String>,
    /// The game.
    #[schema(value_type = GameName)]
    #[serde(deserialize_with = "interned")]
    pub game: StaticWord,
    /// The algorithm used.
    #[schema(value_type = AlgorithmName)]
    #[serde(deserialize_with = "interned")]
    pub algorithm: StaticWord,
    /// Who is to move; null when the game is over.
    #[schema(value_type = Option<String>)]
    #[serde(deserialize_with = "maybe_interned")]
    pub side_to_move: Option<StaticWord>,
    /// The move to play; null when the game is over.
    pub best_move: Option<String>,
    /// All moves that tie for best, when every move has an exact rating.
    pub best_moves: Vec<String>,
    /// The best move and best play after it.
    pub principal_variation: Vec<String>,
    /// The principal variation in each notation that the game lists; left out where it lists none, and when the game is over.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(value_type = BTreeMap<String, Vec<String>>)]
    pub notations: Notations,
    /// What the position is worth; null when the game is over.
    pub score: Option<ScoreAnswer>,
    /// The expected result from 0 to 1.
    #[serde(serialize_with = "six_decimals")]
    pub win_probability: Option<f64>,
    /// The level at which the move was chosen; left out unless the question names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub level: Option<u64>,
    /// Whether the score is the true value of the position, the distance of a win or loss included.
    pub exact: bool,
    /// Whether the result is proved: a win, a loss, a draw or a payoff. Where it is not `exact`, the distance is
    /// an upper bound.
    pub proved: bool,
    /// The moves that a full-width search looked at in every position; null for other algorithms.
    pub moves: Option<SearchedMoves>,
    /// The rated moves, best first.
    pub ratings: Vec<MoveRating>,
    /// How they were rated, the tolerance included; null where no move is rated.
    pub scheme: Option<RatingScheme>,
    /// The position after the best move; null when the game is over.
    pub position: Option<PositionAnswer>,
    /// How the game ended, when it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<OutcomeAnswer>,
    /// Figures of the search.
    pub stats: StatsAnswer,
    /// The tree that was searched, in the order of visits, if the question asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Vec<TraceVisit>>,
    /// The top of the tree that the search has grown: its most visited nodes, each after its parent, if the question asks
    /// for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<Vec<VisitedNode>>,
    /// What the client should know.
    pub warnings: Vec<String>,
}

/// A state in its canonical forms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct StateForms {
    /// The text notation; null where the game or the position has none.
    pub text: Option<String>,
    /// The JSON form.
    #[schema(value_type = Value)]
    pub json: Json,
}

/// What the rules say about a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PositionAnswer {
    /// The game.
    #[schema(value_type = GameName)]
    #[serde(deserialize_with = "interned")]
    pub game: StaticWord,
    /// The position.
    pub state: StateForms,
    /// The board: rows from the top, a character a place; null where there is none. `GET /v1/games/{game}` says
    /// what the characters are.
    pub board: Option<Vec<String>>,
    /// Who is to move; `chance` when dice or cards are next, null when the game is over.
    #[schema(value_type = Option<String>)]
    #[serde(deserialize_with = "maybe_interned")]
    pub side_to_move: Option<StaticWord>,
    /// The legal moves, or what chance may bring.
    pub legal_moves: Vec<String>,
    /// How likely each outcome of chance is, in the order of `legal_moves`; left out where a side is to move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub probabilities: Vec<f64>,
    /// The same moves in the same order in each notation that the game lists; left out where it lists none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(value_type = BTreeMap<String, Vec<String>>)]
    pub notations: Notations,
    /// The moves of the question in each notation that the game lists; left out where it lists none, or there are none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(value_type = BTreeMap<String, Vec<String>>)]
    pub played: Notations,
    /// How the game ended; null while it goes on.
    pub outcome: Option<OutcomeAnswer>,
    /// The static evaluation for the side to move; null when nobody is to move.
    pub evaluation: Option<ScoreAnswer>,
}
