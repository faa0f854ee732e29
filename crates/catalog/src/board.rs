//! What a client needs to draw a board.

use games::notation::display::{BoardFacts, MoveForm, Paint, PieceForm, PieceMark, Places};
use serde::Serialize;
use utoipa::ToSchema;

use super::info::Language;

/// Where pieces stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BoardPlaces {
    /// In the cells between the lines.
    Cells,
    /// On the crossings of the lines.
    Points,
}

/// What the text of a move names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MoveNames {
    /// The place of a new piece: column and row.
    Place,
    /// The place that a piece leaves, then the one that it goes to.
    FromTo,
    /// A column.
    Column,
    /// No place of the board.
    Word,
}

/// What a piece looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PieceShape {
    /// A round stone or disc.
    Stone,
    /// A disc with its glyph on it.
    Token,
    /// The glyph alone.
    Glyph,
    /// A block that fills its cell.
    Block,
}

/// The colour of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PieceColor {
    /// Black.
    Black,
    /// White.
    White,
    /// Red.
    Red,
    /// Yellow.
    Yellow,
    /// Green.
    Green,
    /// Blue.
    Blue,
}

/// A character of a board.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PieceInfo {
    /// The character.
    #[schema(value_type = String, min_length = 1, max_length = 1)]
    pub mark: char,
    /// The side that it belongs to; null if to none.
    #[schema(value_type = Option<String>)]
    pub side: Option<&'static str>,
    /// What it is.
    #[schema(value_type = String)]
    pub title: &'static str,
    /// What it looks like.
    pub shape: PieceShape,
    /// Its colour.
    pub color: PieceColor,
    /// What is written on it; null for nothing.
    #[schema(value_type = Option<String>)]
    pub glyph: Option<&'static str>,
}

/// What is needed to draw a board: `board` of a position has its rows.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct BoardInfo {
    /// Where pieces stand.
    pub places: BoardPlaces,
    /// Names of the columns from the left, as moves have them; those of the default size where it can be chosen.
    pub columns: Vec<String>,
    /// Names of the rows from the top.
    pub rows: Vec<String>,
    /// What moves name.
    pub moves: MoveNames,
    /// The characters; any other is an empty place.
    pub pieces: Vec<PieceInfo>,
    /// Lines beside those of the grid, from a place to a place: column from the left and row from the top, from 0.
    pub lines: Vec<[[usize; 2]; 2]>,
    /// Places with a dot.
    pub dots: Vec<[usize; 2]>,
    /// The row below which the lines between the outer columns are interrupted: a river; null for none.
    pub river: Option<usize>,
}

impl BoardInfo {
    pub(super) fn new(board: BoardFacts, sides: [&'static str; 2], language: Language) -> Self {
        let piece = |piece: PieceMark| PieceInfo {
            mark: piece.mark,
            side: piece.side.map(|side| sides[side]),
            title: language.of(piece.title),
            shape: match piece.form {
                PieceForm::Stone => PieceShape::Stone,
                PieceForm::Token => PieceShape::Token,
                PieceForm::Glyph => PieceShape::Glyph,
                PieceForm::Block => PieceShape::Block,
            },
            color: match piece.paint {
                Paint::Black => PieceColor::Black,
                Paint::White => PieceColor::White,
                Paint::Red => PieceColor::Red,
                Paint::Yellow => PieceColor::Yellow,
                Paint::Green => PieceColor::Green,
                Paint::Blue => PieceColor::Blue,
            },
            glyph: piece.glyph,
        };
        Self {
            places: match board.places {
                Places::Cells => BoardPlaces::Cells,
                Places::Points => BoardPlaces::Points,
            },
            columns: board.columns,
            rows: board.rows,
            moves: match board.moves {
                MoveForm::Place => MoveNames::Place,
                MoveForm::FromTo => MoveNames::FromTo,
                MoveForm::Column => MoveNames::Column,
                MoveForm::Word => MoveNames::Word,
            },
            pieces: board.pieces.into_iter().map(piece).collect(),
            lines: board.ornaments.lines,
            dots: board.ornaments.dots,
            river: board.ornaments.river,
        }
    }
}
