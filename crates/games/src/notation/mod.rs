//! JSON and text forms of games, and faults of inputs.

pub mod board;
pub mod display;
mod fault;
mod json;
pub mod laws;
mod options;
mod quotes;
mod reader;
mod recording;
mod similar;

use display::{BoardFacts, Title, Titles};
pub use fault::{Fault, FaultKind};
pub use json::{BoundedWhole, in_plain_words, json_pointer, read_json, read_state, schema_of};
pub use options::{OptionKind, OptionSpec, OptionValue, Settings, options_schema, take_options};
pub use quotes::with_short_quotes;
pub use recording::{RecordStep, Recording, Replayed};
use serde_json::Value;
pub use similar::did_you_mean;

use crate::openings::OpeningMaker;
use engine::game::{Chance, Evaluator, Game, History, Outcome, Side, Turn};

/// State as written by a client.
#[derive(Clone, Copy, Debug)]
pub enum StateInput<'a> {
    /// `"startpos"`, or no state at all.
    Start,
    /// The game's text notation.
    Text(&'a str),
    /// The game's JSON form.
    Json(&'a Value),
}

impl<'a> StateInput<'a> {
    /// Reads the `state` member of a request.
    pub fn read(state: Option<&'a Value>) -> Self {
        match state {
            None | Some(Value::Null) => Self::Start,
            Some(Value::String(text)) if text == "startpos" => Self::Start,
            Some(Value::String(text)) => Self::Text(text),
            Some(json) => Self::Json(json),
        }
    }
}

/// Description of a game for clients that do not know its rules.
#[derive(Clone, Debug)]
pub struct Facts {
    /// Name in requests.
    pub name: &'static str,
    /// Summary of the rules.
    pub rules: Title,
    /// Where they come from.
    pub source: &'static str,
    /// Text notation of a state; `None` if there is none.
    pub text: Option<&'static str>,
    /// Notation of a move.
    pub moves: Title,
    /// Anchored regular expression (ECMA-262) of the canonical text of a move.
    pub move_pattern: &'static str,
    /// Unit of a heuristic value.
    pub unit: &'static str,
    /// Internal units per reported unit.
    pub scale: i32,
    /// Reported units per rating point.
    pub point: f64,
    /// JSON schema of a state.
    pub schema: Value,
    /// Example request body for `/v1/bestmove`.
    pub example: Value,
    /// True if one side may move several times in a row.
    pub repeated_movers: bool,
    /// Options of the game, besides those of the algorithm.
    pub options: &'static [OptionSpec],
    /// Size limits.
    pub limits: &'static str,
}

/// The written form of a game: states and moves as text and JSON, names, facts.
pub trait Notation: Game {
    /// Names of the first and the second side.
    const SIDES: [&'static str; 2];

    /// Titles of the game and its sides.
    const TITLES: Titles;
    /// Names of the notations in which players write moves, besides the canonical one.
    const NOTATIONS: &'static [&'static str] = &[];
    /// All reasons for a result, by position and by history.
    const END_REASONS: &'static [&'static str];

    /// Facts for clients.
    fn facts() -> Facts;

    /// Checks the game's options against each other; pointers in faults are relative to the options.
    ///
    /// # Errors
    /// Options that exclude each other.
    fn check_settings(_settings: &Settings) -> Result<(), Fault> {
        Ok(())
    }

    /// Reads a state. `settings` holds the game's options; pointers in faults are relative to the state.
    ///
    /// # Errors
    /// The fault, its place and what would be right.
    fn read(state: StateInput<'_>, settings: &Settings) -> Result<Self, Fault>;

    /// Canonical text form, which [`Notation::read`] accepts; `None` if the game has none.
    fn text(&self) -> Option<String>;

    /// Canonical JSON form, which [`Notation::read`] accepts.
    fn json(&self) -> Value;

    /// Canonical notation of a legal move.
    fn move_text(&self, mv: Self::Move) -> String;

    /// The board that the game is played on, at its default size; `None` if there is none.
    fn board() -> Option<BoardFacts> {
        None
    }

    /// Rows of the board from the top, a character a place; `None` without a board. Default: the `board` of the
    /// JSON form.
    fn diagram(&self) -> Option<Vec<String>> {
        serde_json::from_value(self.json().get("board")?.clone()).ok()
    }

    /// The reason for a result, one of [`Notation::END_REASONS`]: `checkmate`.
    fn reason(&self, outcome: Outcome) -> &'static str;

    /// Alternative notation of a move, read but never written.
    fn also_written(&self, _mv: Self::Move) -> Option<String> {
        None
    }

    /// A legal move in one of [`Notation::NOTATIONS`]; no two legal moves are written alike.
    fn human(&self, mv: Self::Move, _notation: &str) -> String {
        self.move_text(mv)
    }

    /// The legal moves that a text in any of [`Notation::NOTATIONS`] may mean: several where it is not strict.
    fn meant_by(&self, _text: &str) -> Vec<Self::Move> {
        Vec::new()
    }

    /// Why a move in this notation is illegal, if more can be said than its notation.
    fn objection(&self, _text: &str) -> Option<String> {
        None
    }

    /// The legal move in this notation, ignoring case.
    ///
    /// # Errors
    /// When no legal move has this notation, or it may mean several.
    fn find_move(&self, text: &str) -> Result<Self::Move, Fault> {
        find_move(self, text)
    }

    /// Reads games recorded by other programs, in the usual form of this game.
    ///
    /// # Errors
    /// When the game has no recorded form, or the file is not in it.
    fn recordings(_file: &Value, _settings: &Settings) -> Result<Vec<Recording<Self>>, Fault> {
        Err(Fault::shape(format!("no recorded form of {}", Self::facts().name)))
    }

    /// All observations of the position that a record may contain.
    fn observe(&self) -> Value {
        self.json()
    }

    /// Name of a side.
    fn side_name(side: Side) -> &'static str {
        Self::SIDES[side.index()]
    }
}

/// A game that the service offers: rules on history, notation and an evaluator.
pub trait Served: Notation + History {
    /// Evaluator used by searches of this game.
    type Evaluator: Evaluator<Self>;

    /// The evaluator for searches from this position with these settings.
    fn evaluator(&self, settings: &Settings) -> Self::Evaluator;

    /// True if a move earns its side extra rating points, whatever its value: in the card duel, to end the round
    /// with dice left.
    fn is_patient(&self, _mv: Self::Move) -> bool {
        false
    }

    /// Name of the strongest offered algorithm for this position.
    fn strongest(&self) -> &'static str;

    /// A maker of the game's table of early positions, if it has one.
    fn opening_maker() -> Option<Box<dyn OpeningMaker>> {
        None
    }
}

/// [`Notation::find_move`] by comparing the notation of every legal move.
fn find_move<G: Notation>(pos: &G, text: &str) -> Result<G::Move, Fault> {
    let moves = choices(pos);
    let wanted = text.trim();
    let is_wanted = |text: String| text.eq_ignore_ascii_case(wanted);
    let by_text = moves.iter().find(|&&mv| is_wanted(pos.move_text(mv)));
    let other = |mv: &&G::Move| pos.also_written(**mv).is_some_and(is_wanted);
    if let Some(&mv) = by_text.or_else(|| moves.iter().find(other)) {
        return Ok(mv);
    }
    match pos.meant_by(wanted)[..] {
        [] => {
            let form = || format!("moves are written as {}", G::facts().moves.en);
            Err(illegal_move(pos, wanted, &pos.objection(wanted).unwrap_or_else(form)))
        }
        [mv] => Ok(mv),
        ref several => Err(ambiguous(pos, wanted, several)),
    }
}

/// The fault of a text that is no legal move, and why.
pub(crate) fn illegal_move<G: Notation>(pos: &G, wanted: &str, why: &str) -> Fault {
    const SHOWN: usize = 12;
    let legal: Vec<_> = choices(pos).into_iter().map(|mv| pos.move_text(mv)).collect();
    let shown = legal[..legal.len().min(SHOWN)].join(", ");
    let more = if legal.len() > SHOWN { ", ..." } else { "" };
    let similar = similar_move(wanted, &legal);
    Fault::illegal(format!(
        "`{wanted}` is not a legal move here; {why}; legal: {shown}{more}{similar}"
    ))
}

/// A clause with the legal move most similar to this one. A point that is nearly another is no slip: only words are
/// compared.
pub(crate) fn similar_move(wanted: &str, legal: &[String]) -> String {
    const LONGEST: usize = 64;
    if wanted.len() > LONGEST || wanted.bytes().any(|byte| byte.is_ascii_digit()) {
        return String::new();
    }
    did_you_mean(wanted, legal.iter().map(String::as_str))
}

fn ambiguous<G: Notation>(pos: &G, wanted: &str, meant: &[G::Move]) -> Fault {
    let forms = |&mv: &G::Move| {
        let human = G::NOTATIONS.iter().map(|notation| pos.human(mv, notation));
        format!("`{}` ({})", pos.move_text(mv), human.collect::<Vec<_>>().join(", "))
    };
    let meant = meant.iter().map(forms).collect::<Vec<_>>().join(" or ");
    Fault::illegal(format!("`{wanted}` is ambiguous here; it may mean {meant}"))
}

/// Legal moves, or the outcomes of a chance node.
pub fn choices<G: Game>(pos: &G) -> Vec<G::Move> {
    let mut moves = pos.legal_moves();
    if let Turn::Chance(event) = pos.turn() {
        let mut outcomes = Vec::new();
        event.outcomes(pos, &mut outcomes);
        moves.extend(outcomes.into_iter().map(|(mv, _)| mv));
    }
    moves
}

/// Reads a JSON object whose members must all be known.
///
/// # Errors
/// When it is not an object or has an unknown member.
pub fn members<'a>(
    value: &'a Value,
    known: &[&str],
) -> Result<&'a serde_json::Map<String, Value>, Fault> {
    let expected = || known.join("`, `");
    let Value::Object(map) = value else {
        return Err(Fault::shape(format!("expected an object with `{}`", expected())));
    };
    match map.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => {
            let detail = format!("unknown field `{key}`; known: `{}`", expected());
            Err(Fault::shape(detail).under(key))
        }
        None => Ok(map),
    }
}
