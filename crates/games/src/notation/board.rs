//! Text form of boards: rows from the top, one character per cell.

use schemars::JsonSchema;
use serde::Deserialize;

use super::Fault;
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

/// Declares how the side to move is written: words of the first side, words of the second.
macro_rules! turns {
    ($(#[$about:meta])* $name:ident: $($first:ident $(= $($also:literal)|+)?),+; $($second:ident $(= $($too:literal)|+)?),+) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
        #[serde(rename_all = "lowercase")]
        pub enum $name {
            $(#[doc = "The first side."] $($(#[serde(alias = $also)])+)? $first,)+
            $(#[doc = "The second side."] $($(#[serde(alias = $too)])+)? $second,)+
        }

        impl From<$name> for Side {
            fn from(turn: $name) -> Self {
                match turn {
                    $($name::$first)|+ => Self::First,
                    $($name::$second)|+ => Self::Second,
                }
            }
        }
    };
}
pub(crate) use turns;

turns! {
    /// Side to move, by the colour or the mark of its stones.
    StoneTurn: Black, X = "X" | "*"; White, O = "O"
}

turns! {
    /// Side to move, by its turn.
    OrderTurn: First; Second
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

    /// Rows from the top and the side to move, as they stand in JSON.
    ///
    /// # Errors
    /// When a character is unknown.
    pub fn from_rows(rows: &[String], mover: Option<Side>) -> Result<Self, Fault> {
        let row = |(index, row): (usize, &String)| {
            read_row(row, index).map_err(|fault| fault.under(index).under("board"))
        };
        let rows = rows.iter().enumerate().map(row).collect::<Result<_, _>>()?;
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
