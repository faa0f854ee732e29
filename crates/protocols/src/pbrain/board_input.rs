//! Board read from a manager line by line.

use super::board::Stone;
use super::command::BoardPoint;

/// Kind of board being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// Stones with their owners. Only some ask for a move.
    Board { thinks: bool },
    /// The stones of an opening.
    Swap2Evaluator,
}

impl Reading {
    /// Name of the command.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Board { .. } => "BOARD",
            Self::Swap2Evaluator => "SWAP2BOARD",
        }
    }
}

/// Lines read so far.
pub(super) struct Filling {
    pub(super) reading: Reading,
    stones: Vec<Stone>,
    /// First error.
    fault: Option<String>,
}

impl Filling {
    /// A board without lines yet.
    pub(super) fn new(reading: Reading) -> Self {
        Self { reading, stones: Vec::new(), fault: None }
    }

    /// Adds a stone, with its owner on a board.
    pub(super) fn place(&mut self, at: BoardPoint, who: Option<i64>) {
        let line = line(at, who);
        match (self.reading, who) {
            (Reading::Board { .. }, Some(1 | 2)) | (Reading::Swap2Evaluator, None) => {
                self.stones.push(Stone { at, is_own: who == Some(1) });
            }
            (Reading::Board { .. }, Some(_)) => self.spoil(format!(
                "{line}: a stone is 1 (own) or 2 (the opponent's); nothing else is played here"
            )),
            _ => self.spoil(self.unexpected(&line)),
        }
    }

    /// Records an error.
    pub(super) fn spoil(&mut self, why: String) {
        self.fault.get_or_insert(why);
    }

    /// Message about a line foreign to such a board.
    pub(super) fn unexpected(&self, line: &str) -> String {
        let form = match self.reading {
            Reading::Board { .. } => "x,y,who",
            Reading::Swap2Evaluator => "x,y",
        };
        format!("expected `{form}` or `DONE`, got `{line}`")
    }

    /// The stones.
    ///
    /// # Errors
    /// The first error.
    pub(super) fn done(self) -> Result<Vec<Stone>, String> {
        self.fault.map_or(Ok(self.stones), Err)
    }
}

/// A stone in the manager's notation.
pub(super) fn line(at: BoardPoint, who: Option<i64>) -> String {
    who.map_or(at.to_string(), |who| format!("{at},{who}"))
}
