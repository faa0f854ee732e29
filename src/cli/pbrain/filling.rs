//! A board that a manager reads out line by line.

use super::board::Stone;
use super::command::BoardPoint;

/// What is read out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// Stones and whose they are. Only some want a move.
    Board { thinks: bool },
    /// The stones of an opening.
    Swap2Evaluator,
}

impl Reading {
    /// The command.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Board { .. } => "BOARD",
            Self::Swap2Evaluator => "SWAP2BOARD",
        }
    }
}

/// The lines so far.
pub(super) struct Filling {
    pub(super) reading: Reading,
    stones: Vec<Stone>,
    /// What was wrong first.
    fault: Option<String>,
}

impl Filling {
    /// No line has come.
    pub(super) fn new(reading: Reading) -> Self {
        Self { reading, stones: Vec::new(), fault: None }
    }

    /// A stone has come, and of a board whose it is.
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

    /// Something is wrong.
    pub(super) fn spoil(&mut self, why: String) {
        self.fault.get_or_insert(why);
    }

    /// What is said of a line that is none of such a board.
    pub(super) fn unexpected(&self, line: &str) -> String {
        let form = match self.reading {
            Reading::Board { .. } => "x,y,who",
            Reading::Swap2Evaluator => "x,y",
        };
        format!("expected `{form}` or `DONE`, not `{line}`")
    }

    /// The stones.
    ///
    /// # Errors
    /// What was wrong first.
    pub(super) fn done(self) -> Result<Vec<Stone>, String> {
        self.fault.map_or(Ok(self.stones), Err)
    }
}

/// A stone as a manager writes it.
pub(super) fn line(at: BoardPoint, who: Option<i64>) -> String {
    who.map_or(at.to_string(), |who| format!("{at},{who}"))
}
