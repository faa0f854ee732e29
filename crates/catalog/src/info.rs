//! What clients can find out about games, algorithms and their options.

use games::notation::display::Title;
use games::notation::{OptionSpec, options_schema};
use serde::Serialize;
use serde_json::{Map, Value as Json};
use utoipa::ToSchema;

use super::answer::StateForms;
use super::board::BoardInfo;
use super::chinese;
use super::levels::LevelInfo;
use super::methods::MethodInfo;
use super::names::{AlgorithmName, BudgetMember, GameName, OutcomeReason};

/// Type of an option's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ValueType {
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// A word.
    String,
}

/// An option of an algorithm or a game.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct OptionInfo {
    /// The name.
    #[schema(value_type = String)]
    pub name: &'static str,
    /// The type of its values.
    #[serde(rename = "type")]
    pub kind: ValueType,
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
    /// What it does, in the language that the request accepts: English or Chinese.
    #[schema(value_type = String)]
    pub about: &'static str,
}

impl OptionInfo {
    /// Describes options.
    pub(super) fn list(specs: &[OptionSpec], language: Language) -> Vec<Self> {
        let info = |spec: &OptionSpec| Self {
            about: language.of(chinese::titled(spec.about)),
            ..Self::from(spec)
        };
        specs.iter().map(info).collect()
    }
}

/// An algorithm.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct AlgorithmInfo {
    /// The name in questions.
    #[schema(value_type = AlgorithmName)]
    pub name: &'static str,
    /// What it does, in the language that the request accepts: English or Chinese.
    #[schema(value_type = String)]
    pub about: &'static str,
    /// What a game must be for it, in that language.
    pub needs: String,
    /// The members of a budget that it heeds.
    #[schema(value_type = Vec<BudgetMember>)]
    pub budgets: &'static [&'static str],
    /// Its options.
    pub options: Vec<OptionInfo>,
    /// JSON schema of its options; each game has its own.
    #[schema(value_type = Value)]
    pub options_schema: Json,
    /// Whether it can give the tree that it searched.
    pub traces: bool,
    /// Whether it grows a tree by playouts, whose most visited nodes `tree_nodes` asks for.
    pub grows_tree: bool,
    /// Where it comes from.
    #[schema(value_type = String)]
    pub source: &'static str,
    /// The games that offer it.
    #[schema(value_type = Vec<GameName>)]
    pub games: Vec<&'static str>,
}

impl AlgorithmInfo {
    /// Describes a method that these games offer.
    pub fn new(method: &MethodInfo, games: Vec<&'static str>, language: Language) -> Self {
        Self {
            name: method.name,
            about: language.of(chinese::titled(method.about)),
            needs: method.needs.describe(language),
            budgets: method.budgets,
            options: OptionInfo::list(&method.options, language),
            options_schema: options_schema(&method.options),
            traces: method.traces,
            grows_tree: method.grows_tree,
            source: method.source,
            games,
        }
    }
}

/// Language of titles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Chinese.
    Chinese,
}

impl Language {
    /// The title in this language.
    pub fn of(self, title: Title) -> &'static str {
        match self {
            Self::English => title.en,
            Self::Chinese => title.zh,
        }
    }
}

/// A game.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct GameInfo {
    /// The name in questions.
    #[schema(value_type = GameName)]
    pub name: &'static str,
    /// The title, in the language that the request accepts: English or Chinese.
    #[schema(value_type = String)]
    pub title: &'static str,
    /// The rules in short, in that language.
    #[schema(value_type = String)]
    pub rules: &'static str,
    /// Where they come from.
    #[schema(value_type = String)]
    pub source: &'static str,
    /// The names of the first and the second side.
    #[schema(value_type = Vec<String>)]
    pub sides: [&'static str; 2],
    /// Their titles.
    #[schema(value_type = Vec<String>)]
    pub side_titles: [&'static str; 2],
    /// The board; null where there is none.
    pub board: Option<BoardInfo>,
    /// The text notation of a state, in that language; null where there is none.
    #[schema(value_type = Option<String>)]
    pub text_notation: Option<&'static str>,
    /// The notation of a move, in that language.
    #[schema(value_type = String)]
    pub move_notation: &'static str,
    /// Notations in which players write moves: they are read beside the canonical one, and answers have their
    /// moves in them too.
    #[schema(value_type = Vec<String>)]
    pub notations: Vec<&'static str>,
    /// Reasons for a result: `reason` of an outcome is one of them.
    #[schema(value_type = Vec<OutcomeReason>)]
    pub end_reasons: &'static [&'static str],
    /// JSON schema of a state in JSON form.
    #[schema(value_type = Value)]
    pub state_schema: Json,
    /// JSON schema of a move in its canonical text; others that are read are named in `move_notation`.
    #[schema(value_type = Value)]
    pub move_schema: Json,
    /// JSON schema of the options of the game; each algorithm has its own.
    #[schema(value_type = Value)]
    pub options_schema: Json,
    /// The start position.
    pub start: StateForms,
    /// The body of a question for the best move.
    #[schema(value_type = Value)]
    pub example: Json,
    /// What one unit of a heuristic value is, in that language.
    #[schema(value_type = String)]
    pub value_unit: &'static str,
    /// Whether dice or cards may act.
    pub chance: bool,
    /// Whether something is hidden from a player.
    pub hidden: bool,
    /// Whether a side may move several times in a row.
    pub repeated_movers: bool,
    /// The algorithms offered.
    #[schema(value_type = Vec<AlgorithmName>)]
    pub algorithms: Vec<&'static str>,
    /// What `auto` stands for in the start position.
    #[schema(value_type = AlgorithmName)]
    pub default_algorithm: &'static str,
    /// Whether razor, self-loss, ProbCut and win probabilities go by a calibration that was loaded.
    pub calibrated: bool,
    /// Options of the game.
    pub options: Vec<OptionInfo>,
    /// Defaults of algorithms' options in this game, where they are not those of the algorithm.
    #[schema(value_type = Object)]
    pub defaults: Map<String, Json>,
    /// Strength levels, the least first.
    pub levels: Vec<LevelInfo>,
    /// Limits of size, in that language.
    #[schema(value_type = String)]
    pub limits: &'static str,
}
