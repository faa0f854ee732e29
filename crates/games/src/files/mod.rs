//! Game files of other programs: SGF, PGN, psq, lists of moves. Formats only: whether moves are legal is found out by
//! whoever plays them.

mod lists;
mod pgn;
mod psq;
mod sgf;
#[cfg(test)]
mod tests;

use serde_json::{Map, Value, json};

/// Format of a game file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// Smart Game Format: gomoku (`GM[4]`) and othello (`GM[2]`).
    Sgf,
    /// Portable Game Notation of xiangqi, moves in coordinates, WXF or Chinese.
    Pgn,
    /// Piskvork's file of a gomoku game.
    Psq,
    /// The body of a request: `game`, `state`, `moves` and `options`.
    Json,
    /// A list of moves.
    List,
}

/// A game as a file has it.
#[derive(Clone, Debug, PartialEq)]
pub struct GameFile {
    /// Name of the game.
    pub game: String,
    /// Format that it was read from, and is written in.
    pub format: FileFormat,
    /// State before the first move, as [`Notation::read`](crate::notation::Notation::read) takes it; `None` for the
    /// start.
    pub state: Option<Value>,
    /// Options of the game that follow from the file.
    pub options: Map<String, Value>,
    /// Moves, as [`Notation::find_move`](crate::notation::Notation::find_move) takes them.
    pub moves: Vec<String>,
    /// What else the file says of the game: names and values.
    pub headers: Vec<(String, String)>,
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FileFault(pub String);

impl GameFile {
    fn new(game: &str, format: FileFormat) -> Self {
        Self {
            game: game.to_owned(),
            format,
            state: None,
            options: Map::new(),
            moves: Vec::new(),
            headers: Vec::new(),
        }
    }

    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// The game in its format, with a comment after each move that has one.
    pub fn write(&self, comments: &[Option<String>]) -> String {
        let comment = |ply: usize| comments.get(ply).and_then(Option::as_deref);
        match self.format {
            FileFormat::Sgf => sgf::write(self, &comment),
            FileFormat::Pgn => pgn::write(self, &comment),
            FileFormat::Psq => psq::write(self, &comment),
            FileFormat::Json => self.json(comments),
            FileFormat::List => lists::write(self, &comment),
        }
    }

    fn json(&self, comments: &[Option<String>]) -> String {
        let mut body = json!({ "game": self.game, "moves": self.moves });
        if let Some(state) = &self.state {
            body["state"] = state.clone();
        }
        if !self.options.is_empty() {
            body["options"] = Value::Object(self.options.clone());
        }
        if comments.iter().any(Option::is_some) {
            body["comments"] = json!(comments);
        }
        format!("{body:#}\n")
    }
}

/// All games of a text. The `game` is needed only where the format does not tell.
///
/// # Errors
/// Says what was expected, and where.
pub fn read(text: &str, game: Option<&str>) -> Result<Vec<GameFile>, FileFault> {
    let text = text.trim_start_matches('\u{feff}').trim();
    let games = match text.chars().next() {
        None => return Err(FileFault("the file is empty".into())),
        Some('(') => sgf::read(text)?,
        Some('{') => vec![read_json(text)?],
        Some('[') => pgn::read(text)?,
        Some(_) if text.starts_with("Piskv") => vec![psq::read(text)?],
        Some(_) => lists::read(text, game)?,
    };
    match (games.first(), game) {
        (None, _) => Err(FileFault("the file has no game".into())),
        (Some(first), Some(wanted)) if first.game != wanted => {
            Err(FileFault(format!("the file has a game of {}, not of {wanted}", first.game)))
        }
        _ => Ok(games),
    }
}

/// The body of a request.
fn read_json(text: &str) -> Result<GameFile, FileFault> {
    let body: Value = serde_json::from_str(text)
        .map_err(|why| FileFault(format!("invalid JSON: {why}; expected game, state, moves")))?;
    let game = body["game"].as_str();
    let game = game.ok_or_else(|| FileFault("expected the name of the game in `game`".into()))?;
    let moves = body["moves"].as_array().and_then(|moves| {
        moves.iter().map(|mv| mv.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()
    });
    let moves = moves.ok_or_else(|| FileFault("expected a list of texts in `moves`".into()))?;
    Ok(GameFile {
        state: body.get("state").filter(|state| !state.is_null()).cloned(),
        options: body["options"].as_object().cloned().unwrap_or_default(),
        moves,
        ..GameFile::new(game, FileFormat::Json)
    })
}

/// Column letter and rank from the bottom of a point given from the top left, both from 0.
fn gomoku_point(x: usize, y: usize, size: usize) -> Option<String> {
    let column = u8::try_from(x).ok().filter(|_| x < size && y < size)?;
    Some(format!("{}{}", char::from(b'a' + column), size - y))
}

/// The inverse: column and row from the top left, from 0.
fn from_top_left(point: &str, size: usize) -> Option<(usize, usize)> {
    let column = *point.as_bytes().first()?;
    let rank: usize = point.get(1..)?.parse().ok()?;
    let x = usize::from(column.to_ascii_lowercase().checked_sub(b'a')?);
    (x < size && (1..=size).contains(&rank)).then(|| (x, size - rank))
}
