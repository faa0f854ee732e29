//! Boards, points and placed stones of SGF.

use engine::game::Side;
use serde_json::{Value, json};

use super::sgf::SgfProperty;
use super::{FileFault, excerpt};
use crate::notation::Notation;
use crate::othello::Othello;

/// Board of a game in SGF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SgfBoard {
    pub(super) is_othello: bool,
    /// Points a side.
    pub(super) size: usize,
}

/// Column and row of two letters, from 0 at the top left.
pub(super) fn letters(text: &str) -> Option<(usize, usize)> {
    let place = |mark: u8| {
        mark.is_ascii_alphabetic().then(|| usize::from(mark.to_ascii_lowercase() - b'a'))
    };
    match text.as_bytes() {
        &[x, y] => Some((place(x)?, place(y)?)),
        _ => None,
    }
}

impl SgfBoard {
    /// Column and row from 0 at the top left of `hh` or `h8`.
    fn place(self, text: &str) -> Option<(usize, usize)> {
        let (x, y) = letters(text).or_else(|| {
            let x = text.chars().next().filter(char::is_ascii_alphabetic)?;
            let number = text[1..].parse::<usize>().ok().filter(|_| !text[1..].starts_with('+'))?;
            let y =
                if self.is_othello { number.checked_sub(1) } else { self.size.checked_sub(number) };
            Some((usize::from(x.to_ascii_lowercase() as u8 - b'a'), y?))
        })?;
        (x < self.size && y < self.size).then_some((x, y))
    }

    /// Text of a place in the notation of the game.
    fn text(self, (x, y): (usize, usize)) -> String {
        let number = if self.is_othello { y + 1 } else { self.size - y };
        format!("{}{number}", char::from(b'a' + x as u8))
    }

    /// The two letters of a place in the notation of the game.
    pub(super) fn letters(self, text: &str) -> Option<String> {
        let (x, y) = self.place(&text.to_ascii_lowercase())?;
        Some([x, y].map(|at| char::from(b'a' + at as u8)).iter().collect())
    }

    pub(super) fn read_move(self, property: &SgfProperty) -> Result<String, FileFault> {
        // GGF adds evaluation and time.
        let text = property.value().split('/').next().unwrap_or_default().trim();
        let is_pass =
            ["", "tt", "pa", "pass", "--"].iter().any(|pass| text.eq_ignore_ascii_case(pass));
        if is_pass && !(text == "tt" && self.size > 19) {
            return Ok("pass".into());
        }
        let place = self.place(text).ok_or_else(|| self.not_a_point(property, text))?;
        Ok(self.text(place))
    }

    pub(super) fn not_a_point(self, property: &SgfProperty, text: &str) -> FileFault {
        let why = format!(
            "`{}[{}]` is not a point on a board of {} points a side; expected letters of column and row from the top \
             left, such as `cd`, or such as `c4`",
            property.name,
            excerpt(text),
            self.size
        );
        FileFault::new(property.line, why)
    }
}

/// Stones placed before the first move.
pub(super) struct StoneSetup {
    rows: Vec<Vec<char>>,
    pub(super) mover: Option<Side>,
}

impl StoneSetup {
    pub(super) fn new(size: usize) -> Self {
        Self { rows: vec![vec!['.'; size]; size], mover: None }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.iter().flatten().all(|&mark| mark == '.')
    }

    /// Adds stones, `dd` or the rectangle `dd:ee`.
    pub(super) fn add(
        &mut self,
        board: SgfBoard,
        property: &SgfProperty,
        is_early: bool,
    ) -> Result<(), FileFault> {
        if !is_early {
            let why = format!(
                "`{}` places stones after the first move; expected only moves",
                property.name
            );
            return Err(FileFault::new(property.line, why));
        }
        let mark = match property.name.as_str() {
            "AB" => 'x',
            "AW" => 'o',
            _ => '.',
        };
        for value in &property.values {
            let (first, last) =
                value.trim().split_once(':').unwrap_or((value.trim(), value.trim()));
            let corner = |text| board.place(text).ok_or_else(|| board.not_a_point(property, text));
            let ((left, top), (right, bottom)) = (corner(first)?, corner(last)?);
            for row in self.rows.iter_mut().take(bottom + 1).skip(top) {
                row.iter_mut().take(right + 1).skip(left).for_each(|cell| *cell = mark);
            }
        }
        Ok(())
    }

    fn count(&self, wanted: char) -> usize {
        self.rows.iter().flatten().filter(|&&mark| mark == wanted).count()
    }

    /// The side of the first move: as the file says, else who has fewer stones.
    pub(super) fn first_mover(&self, played: Option<Side>) -> Side {
        let by_count = if self.count('x') > self.count('o') { Side::Second } else { Side::First };
        self.mover.or(played.filter(|_| !self.is_empty())).unwrap_or(by_count)
    }

    /// The state, unless it is the start position of othello.
    pub(super) fn state(&self, board: SgfBoard, played: Option<Side>) -> Option<Value> {
        let rows: Vec<String> = self.rows.iter().map(|row| row.iter().collect()).collect();
        let turn = ["black", "white"][self.first_mover(played).index()];
        if !board.is_othello {
            return Some(json!({ "size": board.size, "board": rows, "turn": turn }));
        }
        let marks = rows.concat().to_uppercase().replace('.', "-");
        let mark = if turn == "black" { 'X' } else { 'O' };
        let text = format!("{marks} {mark}");
        let is_start = Othello::default().text().as_deref() == Some(&text);
        (!is_start).then_some(Value::String(text))
    }
}

/// Reads the board of GGF: its size, then 64 marks and the side to move, `*` being black.
pub(super) fn read_board(property: &SgfProperty) -> Result<Value, FileFault> {
    let marks: String = property.value().chars().filter(|mark| !mark.is_whitespace()).collect();
    if let Some(size) =
        property.value().split_whitespace().next().filter(|size| *size != "8" && size.len() < 3)
    {
        let why = format!("a board of {size} points a side; othello is played on 8");
        return Err(FileFault::new(property.line, why));
    }
    let marks = marks.strip_prefix('8').filter(|marks| marks.len() == 65 && marks.is_ascii());
    let marks = marks.ok_or_else(|| {
        let why = "`BO`; expected 8, then 64 of `-`, `*` and `O`, then the side to move";
        FileFault::new(property.line, why)
    })?;
    let marks = marks.to_uppercase().replace('*', "X").replace('.', "-");
    let (board, side) = marks.split_at(64);
    Ok(Value::String(format!("{board} {side}")))
}
