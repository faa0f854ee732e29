//! Game files as questions: any format in, games as bodies of a review out.

use games::files::{self, FileFormat, GameFile};
use games::notation::{Fault, StateInput};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::names::GameName;
use super::question::{options_schema, state_schema};
use super::{Catalog, Refusal};

/// A game file.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FileQuestion {
    /// Its text: SGF, GGF, PGN of xiangqi, psq, columns, a list of points, or the body of a review.
    pub text: String,
    /// The game, for lists of moves that do not tell it.
    #[serde(default)]
    #[schema(value_type = Option<GameName>)]
    pub game: Option<String>,
}

/// The games of a file.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct FileGames {
    /// The games, in their order.
    pub games: Vec<FileGame>,
}

/// Format of a game file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GameFormat {
    /// Smart Game Format, and GGF of othello.
    Sgf,
    /// Portable Game Notation of xiangqi.
    Pgn,
    /// A file of the gomoku manager piskvork.
    Psq,
    /// A list of points.
    Moves,
    /// A list of columns.
    Columns,
    /// JSON.
    Json,
    /// A recorded card duel.
    Trace,
}

impl From<FileFormat> for GameFormat {
    fn from(format: FileFormat) -> Self {
        match format {
            FileFormat::Sgf => Self::Sgf,
            FileFormat::Pgn => Self::Pgn,
            FileFormat::Psq => Self::Psq,
            FileFormat::Moves => Self::Moves,
            FileFormat::Columns => Self::Columns,
            FileFormat::Json => Self::Json,
            FileFormat::Trace => Self::Trace,
        }
    }
}

/// A game of a file: `game`, `options`, `state` and `moves` are the body of a review.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct FileGame {
    /// The game.
    #[schema(value_type = GameName)]
    pub game: &'static str,
    /// The format.
    pub format: GameFormat,
    /// Options of the game.
    #[schema(schema_with = options_schema)]
    pub options: Map<String, Value>,
    /// The position before the first move; null for the start.
    #[schema(schema_with = state_schema)]
    pub state: Option<Value>,
    /// The moves, in canonical notation.
    pub moves: Vec<String>,
    /// Who has played each: a side, or `chance`.
    #[schema(value_type = Vec<String>)]
    pub movers: Vec<&'static str>,
    /// Players, date, event and so on, named as in the file.
    pub headers: Vec<FileHeader>,
}

/// A header of a game file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FileHeader {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl Catalog {
    /// Reads a game file and replays its games.
    ///
    /// # Errors
    /// When the text is in no known format, or a move is illegal: its line in the text.
    pub fn game_files(&self, question: &FileQuestion) -> Result<FileGames, Refusal> {
        if let Some(name) = &question.game {
            self.game(name)?;
        }
        let fault =
            |line: usize, why: &str| Refusal::shape(&["text"], format!("line {line}: {why}"));
        let read = files::read(&question.text, question.game.as_deref())
            .map_err(|why| fault(why.line, &why.detail))?;
        let games = read.into_iter().map(|file| {
            let places = file.places.clone();
            self.replayed(file)
                .map_err(|(ply, why)| fault(places.get(ply).copied().unwrap_or(1), &why))
        });
        Ok(FileGames { games: games.collect::<Result<_, _>>()? })
    }

    /// The game with its moves in canonical notation; otherwise the ply that fails, and why.
    fn replayed(&self, file: GameFile) -> Result<FileGame, (usize, String)> {
        let at_start = |why: Refusal| (0, why.to_string());
        let game = self.game(file.game).map_err(at_start)?;
        let state = StateInput::read(file.state.as_ref());
        let mut position = game.open(state, &[], &mut file.options.clone()).map_err(at_start)?;
        let (mut moves, mut movers) = (Vec::new(), Vec::new());
        for (ply, text) in file.moves.iter().enumerate() {
            let at = |why: Fault| (ply, format!("move {}: {}", ply + 1, why.detail));
            moves.push(position.read_move(text).map_err(at)?);
            movers.push(position.side().map_or("chance", |side| game.sides()[side]));
            position.play(text).map_err(at)?;
        }
        let headers = file.headers.into_iter().map(|(name, text)| FileHeader { name, text });
        Ok(FileGame {
            game: file.game,
            format: file.format.into(),
            options: file.options,
            state: file.state,
            moves,
            movers,
            headers: headers.collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, game: Option<&str>) -> Result<FileGames, Refusal> {
        let question = FileQuestion { text: text.to_owned(), game: game.map(str::to_owned) };
        Catalog::default().game_files(&question)
    }

    #[test]
    fn moves_are_canonical_and_have_their_movers() {
        let found = read("炮二平五 h9g7", Some("xiangqi")).expect("it is a list of moves");
        assert_eq!(found.games.len(), 1);
        assert_eq!(found.games[0].moves, ["h2e2", "h9g7"]);
        assert_eq!(found.games[0].movers, ["red", "black"]);
    }

    #[test]
    fn an_illegal_move_is_told_with_its_line() {
        let Err(Refusal::Invalid(fault)) = read("4444444", Some("connect4")) else {
            panic!("the column is full")
        };
        assert_eq!(fault.pointer, "/text");
        assert!(
            fault.detail.starts_with("line 1: move 7: `4` is not a legal move"),
            "{}",
            fault.detail
        );
        assert!(matches!(read("4", Some("chess")), Err(Refusal::UnknownGame { .. })));
    }
}
