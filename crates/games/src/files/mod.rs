//! Game files of other programs: SGF, PGN of xiangqi, piskvork's `.psq`, lists of moves and columns, JSON.
//!
//! A format says which moves were written, not whether they are legal: that shows when the game is replayed. There
//! are two exceptions, whose games are replayed: most files of othello leave out passes, and what a move in algebraic
//! notation of xiangqi means depends on the position.

mod columns;
mod detection;
mod encoding;
mod json;
mod passes;
mod pgn;
mod pgn_write;
mod points;
mod psq;
mod sgf;
mod stones;
mod stones_board;
mod stones_write;
#[cfg(test)]
mod tests;
mod xiangqi_algebraic;
mod xiangqi_words;

pub use encoding::decode;
use engine::game::{Outcome, Side};
use serde_json::{Map, Value};

use crate::notation::{Notation, StateInput, take_options};

/// Names of all games that a file may have.
const GAME_NAMES: [&str; 11] = [
    "connect4",
    "easycard",
    "genius",
    "gomoku",
    "gomoku_swap2",
    "nim",
    "othello",
    "snake_go",
    "tictactoe",
    "two_eat_one",
    "xiangqi",
];

/// Format of a game file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// Smart Game Format FF\[1\] to FF\[4\] of gomoku and othello, and GGF of othello.
    Sgf,
    /// Portable Game Notation of xiangqi: moves in ICCS, WXF or Chinese notation.
    Pgn,
    /// Game file of the gomoku manager piskvork.
    Psq,
    /// List of points of gomoku or othello: `f5d6c3`.
    Moves,
    /// List of connect-four columns from 1: `4455`.
    Columns,
    /// JSON object with `game`, `state`, `options` and `moves`.
    Json,
    /// Recorded games of a simulator of the card duel; written as JSON.
    Trace,
}

impl FileFormat {
    /// True if a game written in it keeps its annotations.
    #[must_use]
    pub const fn has_annotations(self) -> bool {
        !matches!(self, Self::Psq | Self::Moves | Self::Columns)
    }
}

/// Annotation mark: how good a move is. A numeric annotation glyph in PGN, a move annotation in SGF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnnotationMark {
    /// `!`, `$1`, `TE[1]`
    Good,
    /// `?`, `$2`, `BM[1]`
    Mistake,
    /// `!!`, `$3`, `TE[2]`
    Brilliant,
    /// `??`, `$4`, `BM[2]`
    Blunder,
    /// `!?`, `$5`, `IT[]`
    Interesting,
    /// `?!`, `$6`, `DO[]`
    Dubious,
}

impl AnnotationMark {
    /// Marks in the order of their numeric annotation glyphs from 1.
    const ALL: [Self; 6] = [
        Self::Good,
        Self::Mistake,
        Self::Brilliant,
        Self::Blunder,
        Self::Interesting,
        Self::Dubious,
    ];

    /// The mark as a suffix of a move: `?!`.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        ["!", "?", "!!", "??", "!?", "?!"][self as usize]
    }
}

/// Annotation of a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotation {
    /// How good the move is.
    pub mark: Option<AnnotationMark>,
    /// Comment after the move.
    pub comment: Option<String>,
}

/// Game as a file has it. Its moves are not checked.
#[derive(Clone, Debug, PartialEq)]
pub struct GameFile {
    /// Name of the game.
    pub game: &'static str,
    /// Format that it was read from or is to be written in.
    pub format: FileFormat,
    /// State before the first move, as [`Notation::read`](crate::notation::Notation::read) takes it; `None` for the
    /// start position.
    pub state: Option<Value>,
    /// Options of the game that the file implies, such as the size of the board.
    pub options: Map<String, Value>,
    /// Moves of the main line, as [`Notation::find_move`](crate::notation::Notation::find_move) takes them.
    pub moves: Vec<String>,
    /// Line in the file of each move, from 1.
    pub places: Vec<usize>,
    /// Annotation of each move; shorter than `moves` where the rest has none.
    pub annotations: Vec<Annotation>,
    /// Players, date, event and so on, named as in the format.
    pub headers: Vec<(String, String)>,
    /// Result; `None` if unknown.
    pub result: Option<Outcome>,
}

impl GameFile {
    /// A game without moves from the start position.
    #[must_use]
    pub fn new(game: &'static str, format: FileFormat) -> Self {
        Self {
            game,
            format,
            state: None,
            options: Map::new(),
            moves: Vec::new(),
            places: Vec::new(),
            annotations: Vec::new(),
            headers: Vec::new(),
            result: None,
        }
    }

    /// Adds a move.
    fn push(&mut self, text: impl Into<String>, line: usize) {
        self.moves.push(text.into());
        self.places.push(line);
    }

    /// The annotation of the last move, or none before the first.
    fn last_annotation(&mut self) -> Option<&mut Annotation> {
        let last = self.moves.len().checked_sub(1)?;
        self.annotations.resize_with(last + 1, Annotation::default);
        self.annotations.get_mut(last)
    }

    /// Adds a comment after the last move.
    fn comment(&mut self, text: &str) {
        let text = text.trim();
        if let (false, Some(annotation)) = (text.is_empty(), self.last_annotation()) {
            let comment = annotation.comment.get_or_insert_default();
            comment.push_str(if comment.is_empty() { "" } else { " " });
            comment.push_str(text);
        }
    }

    /// Marks the last move.
    fn mark(&mut self, mark: AnnotationMark) {
        if let Some(annotation) = self.last_annotation() {
            annotation.mark = Some(mark);
        }
    }
}

/// Fault of a game file and its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {detail}")]
pub struct FileFault {
    /// Line, from 1.
    pub line: usize,
    /// What is wrong, and what was expected.
    pub detail: String,
}

impl FileFault {
    fn new(line: usize, detail: impl Into<String>) -> Self {
        Self { line, detail: detail.into() }
    }
}

/// Reads all games of a text. `game` is the name of the game, where it is known; otherwise the content tells it.
///
/// # Errors
/// When the text is in no known format or in one of another game, or a part of it cannot be read.
pub fn read(text: &str, game: Option<&str>) -> Result<Vec<GameFile>, FileFault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if let Some(name) = game
        && !GAME_NAMES.contains(&name)
        && name != "tree"
    {
        return Err(FileFault::new(1, format!("`{name}` is not a game that files are read of")));
    }
    let games = read_by(detection::format_of(text, game), text, game)?;
    let first_line = text.lines().position(|line| !line.trim().is_empty()).unwrap_or(0) + 1;
    match (games.first(), game) {
        (None, _) => Err(FileFault::new(first_line, "there is no game in this file")),
        (Some(found), Some(wanted)) if found.game != wanted => {
            let why = format!("this is a game of {}; expected one of {wanted}", found.game);
            Err(FileFault::new(first_line, why))
        }
        _ => Ok(games),
    }
}

fn read_by(
    format: Option<FileFormat>,
    text: &str,
    game: Option<&str>,
) -> Result<Vec<GameFile>, FileFault> {
    match format {
        Some(FileFormat::Json | FileFormat::Trace) => json::read(text, game),
        Some(FileFormat::Sgf) => stones::read(text, game),
        Some(FileFormat::Psq) => psq::read(text).map(|file| vec![file]),
        Some(FileFormat::Pgn) => pgn::read(text, game == Some("xiangqi")),
        Some(FileFormat::Columns) => columns::read(text),
        Some(FileFormat::Moves) => points::read(text, game),
        None => Err(detection::unknown(text)),
    }
}

/// The beginning of a text, short enough for a message.
fn excerpt(text: &str) -> String {
    let mut short: String = text.trim().chars().filter(|c| !c.is_control()).take(24).collect();
    if text.trim().chars().count() > 24 {
        short.push('…');
    }
    short
}

/// The game in its format; in JSON where that format has no way to write this game, state or move. `annotations`
/// belong to the moves in their order and may be fewer; only SGF, PGN and JSON hold them.
#[must_use]
pub fn write(file: &GameFile, annotations: &[Annotation]) -> String {
    let written = match file.format {
        FileFormat::Sgf => stones_write::write(file, annotations),
        FileFormat::Pgn => pgn_write::write(file, annotations),
        FileFormat::Psq => psq::write(file),
        FileFormat::Moves => points::write(file),
        FileFormat::Columns => columns::write(file),
        FileFormat::Json | FileFormat::Trace => None,
    };
    written.unwrap_or_else(|| json::write(file, annotations))
}

/// The canonical JSON form of a state under these options; `None` if it is no state of the game.
fn normal_state<G: Notation>(state: &Value, options: &Map<String, Value>) -> Option<Value> {
    let settings = take_options(G::facts().options, &mut options.clone()).ok()?;
    G::read(StateInput::read(Some(state)), &settings).ok().map(|pos| pos.json())
}

/// The result in the four words of PGN.
fn result_word(result: Option<Outcome>) -> &'static str {
    match result {
        Some(Outcome::Win(Side::First)) => "1-0",
        Some(Outcome::Win(Side::Second)) => "0-1",
        Some(Outcome::Draw) => "1/2-1/2",
        _ => "*",
    }
}

/// The result of a word; `None` if it is no result. Inside, `None` is an unknown one.
fn read_result(word: &str) -> Option<Option<Outcome>> {
    Some(match word {
        "1-0" | "红胜" | "紅勝" | "红先胜" | "紅先勝" => Some(Outcome::Win(Side::First)),
        "0-1" | "黑胜" | "黑勝" | "红先负" | "紅先負" => Some(Outcome::Win(Side::Second)),
        "1/2-1/2" | "1/2" | "和" | "和棋" | "和局" | "红先和" | "紅先和" => {
            Some(Outcome::Draw)
        }
        "*" => None,
        _ => return None,
    })
}
