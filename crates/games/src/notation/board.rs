//! Text form of boards: rows from the top, one character per cell.

use serde_json::Value;

use super::{Fault, members};
use engine::game::Side;

/// Content of a cell for `x`, `o` or `.`; `None` for any other character.
fn cell(mark: char) -> Option<Option<Side>> {
    match mark {
        'x' | 'X' => Some(Some(Side::First)),
        'o' | 'O' => Some(Some(Side::Second)),
        '.' => Some(None),
        _ => None,
    }
}

/// Character of a cell.
pub fn mark(stone: Option<Side>) -> char {
    match stone {
        None => '.',
        Some(Side::First) => 'x',
        Some(Side::Second) => 'o',
    }
}

/// Parsed board: rows from the top, and the side to move if given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Cells by row from the top.
    pub rows: Vec<Vec<Option<Side>>>,
    /// Side to move, if given.
    pub mover: Option<Side>,
    /// True if read from JSON, so that faults have pointers.
    json: bool,
}

impl Written {
    /// Reads `x.o/.x./..o x`: rows from the top separated by `/`, then the side to move.
    ///
    /// # Errors
    /// When a character is unknown or text follows the side.
    pub fn from_text(text: &str) -> Result<Self, Fault> {
        let mut words = text.split_whitespace();
        let rows = words.next().unwrap_or_default().split('/');
        let rows =
            rows.enumerate().map(|(index, row)| read_row(row, index)).collect::<Result<_, _>>()?;
        let mover = words.next().map(read_side).transpose()?;
        match words.next() {
            Some(word) => Err(Fault::shape(format!("`{word}` after the side to move"))),
            None => Ok(Self { rows, mover, json: false }),
        }
    }

    /// Reads `{"board": ["x.o", ".x.", "..o"], "turn": "x"}`; `extra` members are allowed too, and
    /// the side to move may be written as `x`, `o` or by its name.
    ///
    /// # Errors
    /// When a member is missing, unknown or of the wrong type.
    pub fn from_json(value: &Value, extra: &[&str], sides: [&str; 2]) -> Result<Self, Fault> {
        let map = members(value, &[&["board", "turn"], extra].concat())?;
        let board = map.get("board").and_then(Value::as_array).ok_or_else(|| {
            Fault::shape("expected a list of rows from the top such as [\"x..\", \".o.\", \"...\"]")
                .under("board")
        })?;
        let row = |(index, row): (usize, &Value)| {
            let text = row.as_str().ok_or_else(|| Fault::shape("expected a row as a string"));
            text.and_then(|text| read_row(text, index))
                .map_err(|fault| fault.under(index).under("board"))
        };
        let rows = board.iter().enumerate().map(row).collect::<Result<_, _>>()?;
        let named = |text: &str| match sides.iter().position(|side| *side == text) {
            Some(index) => Ok(Side::BOTH[index]),
            None => read_side(text),
        };
        let mover = match map.get("turn") {
            None => None,
            Some(Value::String(text)) => Some(named(text).map_err(|fault| fault.under("turn"))?),
            Some(_) => return Err(Fault::shape("expected a side's name").under("turn")),
        };
        Ok(Self { rows, mover, json: true })
    }

    /// Fault in this member of the JSON form; unchanged for text, which has no members.
    pub fn at(&self, member: &str, fault: Fault) -> Fault {
        if self.json { fault.under(member) } else { fault }
    }

    /// Checks the size: `height` rows of `width` cells.
    ///
    /// # Errors
    /// Names the first row that is too short or too long.
    pub fn sized(self, width: usize, height: usize) -> Result<Self, Fault> {
        if self.rows.len() != height {
            let why = format!("{} rows; the board has {height}", self.rows.len());
            return Err(self.at("board", Fault::shape(why)));
        }
        match self.rows.iter().position(|row| row.len() != width) {
            Some(index) => {
                let cells = self.rows[index].len();
                let why = format!("row {} has {cells} cells; the board has {width}", index + 1);
                Err(self.at("board", Fault::shape(why)))
            }
            None => Ok(self),
        }
    }
}

fn read_row(row: &str, index: usize) -> Result<Vec<Option<Side>>, Fault> {
    let read = |(column, mark): (usize, char)| {
        cell(mark).ok_or_else(|| {
            let (row, column) = (index + 1, column + 1);
            let why = format!("`{mark}` in row {row}, column {column}; cells are `x`, `o` and `.`");
            Fault::shape(why)
        })
    };
    row.chars().enumerate().map(read).collect()
}

fn read_side(word: &str) -> Result<Side, Fault> {
    let mut marks = word.chars();
    match (marks.next().and_then(cell).flatten(), marks.next()) {
        (Some(side), None) => Ok(side),
        _ => Err(Fault::shape(format!("`{word}` is not a side to move; expected `x` or `o`"))),
    }
}

/// Joins rows from the top, separated by `/`.
pub fn rows_text(rows: impl Iterator<Item = String>) -> String {
    rows.collect::<Vec<_>>().join("/")
}
