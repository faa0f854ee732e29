//! Parser of manager commands.

/// Point in manager coordinates: `x` from the left, `y` from the top, both from 0; possibly off the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoardPoint {
    pub(super) x: i64,
    pub(super) y: i64,
}

impl std::fmt::Display for BoardPoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

/// A line of a manager.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PbrainCommand {
    /// `START n`, `RECTSTART w,h`
    Start { width: i64, height: i64 },
    /// `RESTART`
    Restart,
    /// `BEGIN`
    Begin,
    /// `TURN x,y`
    Turn(BoardPoint),
    /// `TAKEBACK x,y`
    TakeBack(BoardPoint),
    /// `BOARD`, `YXBOARD`: lines with stones follow. Only `BOARD` asks for a move.
    Board { thinks: bool },
    /// `SWAP2BOARD`: lines with points follow.
    Swap2Board,
    /// `DONE`
    Done,
    /// A line of a board, `x,y,who`
    Stone(BoardPoint, i64),
    /// A line of an opening, `x,y`
    Point(BoardPoint),
    /// `INFO key value`
    Info { key: String, value: String },
    /// `ABOUT`
    About,
    /// `END`
    End,
    /// `YXSTOP`
    Stop,
    /// `YXSHOWFORBID`
    ShowForbidden,
    /// `YXHASHCLEAR`
    Forget,
    /// `YXNBEST k`: asks for a move and the values of the best few.
    Best(u64),
    /// An empty line.
    Nothing,
}

/// Reason for rejecting a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// Unknown word.
    Unknown(String),
    /// Known word with invalid arguments: the expected form.
    Wrong(String),
}

impl PbrainCommand {
    /// Reads a line; case is ignored, and any white space may end it.
    ///
    /// # Errors
    /// Unknown or invalid input.
    pub(super) fn read(line: &str) -> Result<Self, Refused> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let wrong = |expected: &str| {
            Refused::Wrong(format!("expected `{expected}`, got `{}`", printable(line)))
        };
        let cell = |expected: &str| match numbers(rest) {
            Some([x, y]) => Ok(BoardPoint { x, y }),
            None => Err(wrong(expected)),
        };
        Ok(match word.to_ascii_uppercase().as_str() {
            "" => Self::Nothing,
            "START" => {
                let [size] = numbers(rest).ok_or_else(|| wrong("START size"))?;
                Self::Start { width: size, height: size }
            }
            "RECTSTART" => {
                let expected = || wrong("RECTSTART width,height");
                let [width, height] = numbers(rest).ok_or_else(expected)?;
                Self::Start { width, height }
            }
            "RESTART" => Self::Restart,
            "BEGIN" => Self::Begin,
            "TURN" => Self::Turn(cell("TURN x,y")?),
            "TAKEBACK" => Self::TakeBack(cell("TAKEBACK x,y")?),
            "BOARD" => Self::Board { thinks: true },
            "YXBOARD" => Self::Board { thinks: false },
            "SWAP2BOARD" => Self::Swap2Board,
            "DONE" => Self::Done,
            "INFO" => {
                let (key, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                Self::Info { key: key.to_ascii_lowercase(), value: value.trim().to_owned() }
            }
            "ABOUT" => Self::About,
            "END" => Self::End,
            "YXSTOP" => Self::Stop,
            "YXSHOWFORBID" => Self::ShowForbidden,
            "YXHASHCLEAR" => Self::Forget,
            "YXNBEST" => {
                let count = rest.parse().ok().filter(|&count| count > 0);
                Self::Best(count.ok_or_else(|| wrong("YXNBEST count"))?)
            }
            _ => match (numbers(line), numbers(line)) {
                (Some([x, y, who]), _) => Self::Stone(BoardPoint { x, y }, who),
                (_, Some([x, y])) => Self::Point(BoardPoint { x, y }),
                _ => return Err(Refused::Unknown(printable(line))),
            },
        })
    }
}

/// Integers separated by commas.
fn numbers<const N: usize>(text: &str) -> Option<[i64; N]> {
    let numbers: Option<Vec<i64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    numbers?.try_into().ok()
}

/// Beginning of a line, without characters that would spoil a terminal.
fn printable(line: &str) -> String {
    line.chars().filter(|c| !c.is_control()).take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_with_any_space_and_in_any_case() {
        let at = |x, y| BoardPoint { x, y };
        for (line, command) in [
            ("START 15\r\n", PbrainCommand::Start { width: 15, height: 15 }),
            ("rectstart 20 , 15", PbrainCommand::Start { width: 20, height: 15 }),
            ("TURN 10,0\r", PbrainCommand::Turn(at(10, 0))),
            ("  turn  -1 , 99 ", PbrainCommand::Turn(at(-1, 99))),
            ("TAKEBACK 1,2", PbrainCommand::TakeBack(at(1, 2))),
            ("YXBOARD", PbrainCommand::Board { thinks: false }),
            ("swap2board", PbrainCommand::Swap2Board),
            (" 9, 8\r\n", PbrainCommand::Point(at(9, 8))),
            ("9,8,1\r\n", PbrainCommand::Stone(at(9, 8), 1)),
            ("YXNBEST 3", PbrainCommand::Best(3)),
            ("\r\n", PbrainCommand::Nothing),
        ] {
            assert_eq!(PbrainCommand::read(line), Ok(command), "{line}");
        }
        let info =
            |key: &str, value: &str| PbrainCommand::Info { key: key.into(), value: value.into() };
        assert_eq!(PbrainCommand::read("INFO folder C:\\a b\r\n"), Ok(info("folder", "C:\\a b")));
        assert_eq!(PbrainCommand::read("INFO"), Ok(info("", "")));
    }

    #[test]
    fn what_is_not_understood_is_told_from_what_is_not_known() {
        for line in ["START", "START x", "START 15,15", "RECTSTART 15", "TURN 7", "TURN 7,7,1"] {
            assert!(matches!(PbrainCommand::read(line), Err(Refused::Wrong(_))), "{line}");
        }
        for line in ["PLAY 7,7", "7,7,1,1", "7", "hello", "\u{1b}[2J"] {
            assert!(matches!(PbrainCommand::read(line), Err(Refused::Unknown(_))), "{line}");
        }
        for huge in ["START 99999999999999999999", "YXNBEST 0", "YXNBEST -1"] {
            assert!(matches!(PbrainCommand::read(huge), Err(Refused::Wrong(_))), "{huge}");
        }
    }
}
