//! Between a game and the world: its JSON and text forms, and what is wrong with an input, where.

pub mod board;
mod fault;
pub mod laws;
mod options;
mod recording;

pub use fault::{Fault, FaultKind};
pub use options::{OptionKind, OptionSpec, Settings};
pub use recording::{RecordStep, Recording, Replayed};
use serde_json::Value;

use crate::game::{Chance, Expert, Game, Outcome, Side, Turn};

/// A state as a client writes it.
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

/// What a client needs to know to use a game without knowing its rules.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The name in requests.
    pub name: &'static str,
    /// The rules in short.
    pub rules: &'static str,
    /// The text notation of a state; `None` where there is none.
    pub text: Option<&'static str>,
    /// The notation of a move.
    pub moves: &'static str,
    /// What one unit of a heuristic value is.
    pub unit: &'static str,
    /// Internal units in one unit of a value as clients see it.
    pub scale: i32,
    /// Reported units in one point of the ratings.
    pub point: f64,
    /// JSON schema of a state in JSON form.
    pub schema: Value,
    /// A request body for `/v1/bestmove`.
    pub example: Value,
    /// Whether one side may move several times in a row.
    pub repeated_movers: bool,
    /// Options of the game itself, given beside those of the algorithm.
    pub options: &'static [OptionSpec],
    /// Limits of size.
    pub limits: &'static str,
}

/// A game that can be spoken of over a wire.
pub trait Wire: Game {
    /// The knowledge that searches of this game use.
    type Expert: Expert<Self>;

    /// The names of the first and the second side.
    const SIDES: [&'static str; 2];

    /// What clients need to know.
    fn facts() -> Facts;

    /// Reads a state. `settings` holds the game's options; pointers in faults are relative to the
    /// state.
    ///
    /// # Errors
    /// What is wrong and where, and what would be right.
    fn read(state: StateInput<'_>, settings: &Settings) -> Result<Self, Fault>;

    /// The canonical text form, which [`Wire::read`] accepts; `None` where the game has none.
    fn text(&self) -> Option<String>;

    /// The canonical JSON form, which [`Wire::read`] accepts.
    fn json(&self) -> Value;

    /// A legal move in writing.
    fn move_text(&self, mv: Self::Move) -> String;

    /// Another way to write a move, read but never written.
    fn also_written(&self, _mv: Self::Move) -> Option<String> {
        None
    }

    /// What is wrong with a move written like this, which is not legal, where more can be said.
    fn objection(&self, _text: &str) -> Option<String> {
        None
    }

    /// Finds the legal move that is written like this, ignoring case.
    ///
    /// # Errors
    /// When no legal move is written so.
    fn find_move(&self, text: &str) -> Result<Self::Move, Fault> {
        let moves = choices(self);
        let wanted = text.trim();
        let is_wanted = |text: String| text.eq_ignore_ascii_case(wanted);
        let by_text = moves.iter().find(|&&mv| is_wanted(self.move_text(mv)));
        let other = |mv: &&Self::Move| self.also_written(**mv).is_some_and(is_wanted);
        let found = by_text.or_else(|| moves.iter().find(other));
        found.copied().ok_or_else(|| {
            let legal: Vec<_> = moves.iter().take(12).map(|&mv| self.move_text(mv)).collect();
            let more = if moves.len() > legal.len() { ", ..." } else { "" };
            let why = self
                .objection(wanted)
                .unwrap_or_else(|| format!("moves are written as {}", Self::facts().moves));
            Fault::illegal(format!(
                "`{wanted}` is not a legal move here; {why}; legal: {}{more}",
                legal.join(", ")
            ))
        })
    }

    /// Why the game has ended so, in one word.
    fn reason(&self, outcome: Outcome) -> &'static str;

    /// Whether the rules that look back may forget what came before `next`, a position one move
    /// later: after it no earlier position can come again.
    fn is_irreversible(&self, _next: &Self) -> bool {
        true
    }

    /// How a game has ended, and why, by rules that look at its course, such as those of repetition.
    /// `history` holds the positions since play last [started anew](Wire::starts_anew), the one at hand
    /// last. A search does not see these rules: it searches positions.
    fn adjudicate(_history: &[Self]) -> Option<(Outcome, &'static str)> {
        None
    }

    /// Whether rules that look at the course of a game could still undo a result that is certain in
    /// `plies` plies by the position alone.
    fn history_may_change_result(_history: &[Self], _plies: u32) -> bool {
        false
    }

    /// The expert for searches from this position that these settings ask for.
    fn expert(&self, settings: &Settings) -> Self::Expert;

    /// The name of the algorithm that plays this position best, of those offered.
    fn strongest(&self) -> &'static str;

    /// Reads games recorded by other programs, in the form that is usual for this game.
    ///
    /// # Errors
    /// When there is no such form, or the file does not have it.
    fn recordings(_file: &Value, _settings: &Settings) -> Result<Vec<Recording<Self>>, Fault> {
        Err(Fault::shape(format!("there is no recorded form of {}", Self::facts().name)))
    }

    /// Everything that a record may say of the position.
    fn observe(&self) -> Value {
        self.json()
    }

    /// The name of a side.
    fn side_name(side: Side) -> &'static str {
        Self::SIDES[side.index()]
    }
}

/// What can be played: the mover's legal moves, or what chance may bring.
pub fn choices<G: Game>(pos: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
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
/// When it is no object or has an unknown member.
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
            let detail = format!("unknown field `{key}`; known here: `{}`", expected());
            Err(Fault::shape(detail).under(key))
        }
        None => Ok(map),
    }
}
