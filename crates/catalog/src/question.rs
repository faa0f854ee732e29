//! Questions of clients.

use std::fmt;

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{
    AdditionalProperties, ArrayBuilder, Object, ObjectBuilder, OneOfBuilder, Schema, SchemaType,
    Type,
};

use super::levels::LevelInfo;
use super::names::{AlgorithmChoice, GameName};
use super::rating::RatingScheme;
use super::shape::{object, object_or_null, word};

/// A whole number from 0 to 2^53 - 1; `7.0` is the number 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = u64, minimum = 0, maximum = 9_007_199_254_740_991_i64, as = Whole)]
pub struct WholeNumber(pub u64);

const MOST: u64 = (1 << 53) - 1;

struct WholeNumberVisitor;

impl Visitor<'_> for WholeNumberVisitor {
    type Value = WholeNumber;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number from 0 to 2^53 - 1")
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<WholeNumber, E> {
        if value <= MOST {
            Ok(WholeNumber(value))
        } else {
            Err(E::invalid_value(de::Unexpected::Unsigned(value), &self))
        }
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<WholeNumber, E> {
        let whole = u64::try_from(value)
            .map_err(|_| E::invalid_value(de::Unexpected::Signed(value), &self))?;
        self.visit_u64(whole)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<WholeNumber, E> {
        if value.fract() == 0.0 && (0.0..=MOST as f64).contains(&value) {
            Ok(WholeNumber(value as u64))
        } else {
            Err(E::invalid_value(de::Unexpected::Float(value), &self))
        }
    }
}

impl<'de> Deserialize<'de> for WholeNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WholeNumberVisitor)
    }
}

/// What a search may spend; the first limit reached stops it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Budget)]
pub struct BudgetQuestion {
    /// Thinking time in ms, counted from the start of the search.
    #[serde(default)]
    #[schema(value_type = Option<u64>, minimum = 1, maximum = 9_007_199_254_740_991_i64)]
    pub time_ms: Option<WholeNumber>,
    /// Plies to look ahead, at most 250.
    #[serde(default)]
    #[schema(value_type = Option<u64>, minimum = 1, maximum = 250)]
    pub depth: Option<WholeNumber>,
    /// Positions to visit.
    #[serde(default)]
    #[schema(value_type = Option<u64>, minimum = 1, maximum = 9_007_199_254_740_991_i64)]
    pub nodes: Option<WholeNumber>,
    /// Playouts to run.
    #[serde(default)]
    #[schema(value_type = Option<u64>, minimum = 1, maximum = 9_007_199_254_740_991_i64)]
    pub simulations: Option<WholeNumber>,
}

/// Root moves to be rated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ratings {
    /// Every legal move, by an exact value at the same depth.
    #[default]
    All,
    /// Every legal move, of which the answer has this number of best ones.
    Best(u64),
    /// None: all effort goes into the one move.
    None,
}

impl Ratings {
    /// Number of moves that an answer rates, of so many.
    pub(super) fn of(self, moves: usize) -> usize {
        match self {
            Self::All => moves,
            Self::Best(count) => usize::try_from(count).map_or(moves, |count| count.min(moves)),
            Self::None => 0,
        }
    }
}

impl Serialize for Ratings {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::All => serializer.serialize_str("all"),
            Self::Best(count) => serializer.serialize_u64(*count),
            Self::None => serializer.serialize_str("none"),
        }
    }
}

impl<'de> Deserialize<'de> for Ratings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected = || de::Error::custom("expected \"all\", \"none\" or a number of at least 1");
        match Value::deserialize(deserializer)? {
            Value::String(word) if word == "all" => Ok(Self::All),
            Value::String(word) if word == "none" => Ok(Self::None),
            value => match serde_json::from_value(value) {
                Ok(WholeNumber(count @ 1..)) => Ok(Self::Best(count)),
                _ => Err(expected()),
            },
        }
    }
}

pub(super) fn state_schema() -> Schema {
    let about = "`\"startpos\"` (default), the game's text notation or its JSON form, of which \
                 `GET /v1/games/{game}` has the schema; null for the start.";
    let of = |kind| ObjectBuilder::new().schema_type(kind);
    let object = of(Type::Object).additional_properties(Some(AdditionalProperties::FreeForm(true)));
    let forms = OneOfBuilder::new()
        .item(of(Type::String))
        .item(of(Type::Integer))
        .item(object)
        .item(ArrayBuilder::new().items(any()))
        .item(of(Type::Null))
        .description(Some(about));
    Schema::OneOf(forms.build())
}

/// Any JSON value.
fn any() -> Object {
    ObjectBuilder::new().schema_type(SchemaType::AnyValue).build()
}

/// Schema of options: each has its own type.
pub(super) fn options_schema() -> Schema {
    let of = |kind| ObjectBuilder::new().schema_type(kind);
    let object = of(Type::Object).additional_properties(Some(AdditionalProperties::FreeForm(true)));
    let value = OneOfBuilder::new()
        .item(of(Type::Boolean))
        .item(of(Type::Number))
        .item(of(Type::String))
        .item(object)
        .item(ArrayBuilder::new().items(any()));
    let about = "Options by name; `GET /v1/games/{game}` and `GET /v1/algorithms` list them.";
    let options = of(Type::Object)
        .additional_properties(Some(RefOr::T(Schema::OneOf(value.build()))))
        .description(Some(about));
    Schema::Object(options.build())
}

fn ratings_schema() -> Schema {
    let words = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(["all", "none"]));
    let count = ObjectBuilder::new()
        .schema_type(Type::Integer)
        .minimum(Some(1))
        .maximum(Some(9_007_199_254_740_991_i64));
    let either = OneOfBuilder::new()
        .item(words)
        .item(count)
        .description(Some("`\"all\"`, the number of best moves to rate, or `\"none\"`."));
    Schema::OneOf(either.build())
}

/// Whose scores are positive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Perspective {
    /// Those that are good for the side to move.
    #[default]
    SideToMove,
    /// Those that are good for the first side.
    First,
}

/// Which of several equally good moves is the best move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Choose {
    /// The one that the method puts first.
    #[default]
    First,
    /// One drawn by the seed.
    Random,
}

/// A position: a state and the moves played from it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionQuestion {
    /// A name from `GET /v1/games`.
    #[schema(value_type = GameName)]
    pub game: String,
    /// `"startpos"`, the game's text notation or its JSON form.
    #[serde(default)]
    #[schema(schema_with = state_schema)]
    pub state: Option<Value>,
    /// Moves played from the state.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Options of the game.
    #[serde(default)]
    #[schema(schema_with = options_schema)]
    pub options: Map<String, Value>,
    /// Whose evaluations are positive; `side_to_move` unless given.
    #[serde(default, deserialize_with = "word")]
    #[schema(value_type = Option<Perspective>, nullable = false)]
    pub perspective: Perspective,
}

/// A question for the best move. Only `game` is required.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Question {
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
    /// A name from `GET /v1/algorithms`; `auto` is the strongest that the game offers.
    #[serde(default = "auto")]
    #[schema(value_type = Option<AlgorithmChoice>, nullable = false)]
    pub algorithm: String,
    /// Options of the algorithm and of the game.
    #[serde(default)]
    #[schema(schema_with = options_schema)]
    pub options: Map<String, Value>,
    /// What may be spent; when nothing that applies is given, the server's default time.
    #[serde(default, deserialize_with = "object")]
    pub budget: BudgetQuestion,
    /// Time limit in ms, counted from the arrival of the request.
    #[serde(default)]
    #[schema(value_type = Option<u64>, minimum = 1, maximum = 9_007_199_254_740_991_i64)]
    pub deadline_ms: Option<WholeNumber>,
    /// `"all"` (default), the number of best moves to rate, or `"none"`.
    #[serde(default)]
    #[schema(schema_with = ratings_schema)]
    pub ratings: Ratings,
    /// How moves are rated.
    #[serde(default, deserialize_with = "object_or_null")]
    pub scheme: Option<RatingScheme>,
    /// Whose scores and win probabilities are positive; `side_to_move` unless given. Losses, classes, labels and
    /// points are the mover's always, values of a trace or a tree those of the side to move in this position.
    #[serde(default, deserialize_with = "word")]
    #[schema(value_type = Option<Perspective>, nullable = false)]
    pub perspective: Perspective,
    /// Which of several equally good moves is the best move; `first` unless given. `random` needs ratings: they
    /// tell which moves tie.
    #[serde(default, deserialize_with = "word")]
    #[schema(value_type = Option<Choose>, nullable = false)]
    pub choose: Choose,
    /// Only these moves are considered.
    #[serde(default)]
    pub search_moves: Vec<String>,
    /// These moves are not considered.
    #[serde(default)]
    pub avoid_moves: Vec<String>,
    /// Strength from 1 to 10, the full one, in place of a budget; `levels` of a game say what each is.
    #[serde(default)]
    #[schema(value_type = Option<u64>, minimum = 1, maximum = 10)]
    pub level: Option<WholeNumber>,
    /// The level in place of the game's own, where levels are measured.
    #[serde(skip)]
    pub measured_level: Option<LevelInfo>,
    /// Threads to search with.
    #[serde(default = "one")]
    #[schema(value_type = u64, minimum = 1, maximum = 9_007_199_254_740_991_i64)]
    pub threads: WholeNumber,
    /// Seed of everything random, the small preferences of an evaluation included. Unless given, the service
    /// draws one and names it in the answer, so that an opponent varies; 0 where the answer is to be
    /// reproducible.
    #[serde(default)]
    #[schema(value_type = Option<u64>, minimum = 0, maximum = 9_007_199_254_740_991_i64)]
    pub seed: Option<WholeNumber>,
    /// The same question gets the same answer, to the byte: one thread, nothing shared with other
    /// searches, a budget in depth, nodes or simulations, and no times in the answer.
    #[serde(default)]
    pub reproducible: bool,
    /// The answer has the tree that was searched, at most 10,000 nodes of it.
    #[serde(default)]
    pub trace: bool,
    /// Nodes of the tree in the answer and in its interim forms, the most visited, where a search by playouts has grown
    /// one; none unless given.
    #[serde(default = "zero")]
    #[schema(value_type = u64, minimum = 0, maximum = 2_000)]
    pub tree_nodes: WholeNumber,
    /// Number of best moves with a value of full depth each, where only these are wanted.
    #[serde(skip)]
    pub lines: Option<u64>,
    /// Comes back in the answer; at most 128 bytes.
    #[serde(default)]
    #[schema(max_length = 128)]
    pub id: Option<String>,
}

impl Question {
    /// A question about the start of a game, with a default for everything else.
    pub fn about(game: &str) -> Self {
        let question = serde_json::from_value(serde_json::json!({ "game": game }));
        question.expect("only `game` is required")
    }
}

pub(super) fn auto() -> String {
    "auto".to_owned()
}

fn zero() -> WholeNumber {
    WholeNumber(0)
}

fn one() -> WholeNumber {
    WholeNumber(1)
}
