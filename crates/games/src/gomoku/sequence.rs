//! Game records of other programs: sequences of points, and files of the manager piskvork.

use super::rules::Point;
use crate::notation::Fault;

/// A parsed but not yet played game. Points may lie off the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StoneSequence {
    /// Board size, if specified.
    pub(super) size: Option<i64>,
    /// Text of each move, and the point it denotes.
    pub(super) moves: Vec<(String, Spot)>,
}

/// A point in one of the notations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// File from the left and rank from the bottom, both from 0.
    FromBottom(i64, i64),
    /// Column from the left and row from the top, both from 1.
    FromTop(i64, i64),
}

impl Spot {
    /// The point on a board of this size, if it lies on it.
    pub(super) fn on(self, size: u8) -> Option<Point> {
        let side = i64::from(size);
        let (x, y) = match self {
            Self::FromBottom(x, y) => (x, y),
            Self::FromTop(x, y) => (x - 1, side - y),
        };
        let on = 0..side;
        (on.contains(&x) && on.contains(&y)).then_some(Point { x: x as u8, y: y as u8 })
    }
}

/// First word of a piskvork file.
const HEADER: &str = "piskvorky";

impl StoneSequence {
    /// Parses a game; `None` if the text is not a game record.
    ///
    /// # Errors
    /// Describes the unreadable part of a game.
    pub(super) fn read(text: &str) -> Option<Result<Self, Fault>> {
        let text = text.trim_start_matches('\u{feff}').trim();
        let head = text.get(..HEADER.len()).unwrap_or_default();
        if head.eq_ignore_ascii_case(HEADER) {
            return Some(file(text));
        }
        let mut start = text.chars();
        let is_point = start.next()?.is_ascii_alphabetic() && start.next()?.is_ascii_digit();
        is_point.then(|| points(text))
    }
}

/// Parses `h8i9g7`, optionally separated by spaces or commas: file letter and rank from the bottom.
fn points(text: &str) -> Result<StoneSequence, Fault> {
    let mut moves: Vec<(String, Spot)> = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([' ', ',', '\t', '\r', '\n']);
        let Some(file) = rest.chars().next() else {
            return Ok(StoneSequence { size: None, moves });
        };
        let number = moves.len() + 1;
        let digits = rest.chars().skip(1).take_while(char::is_ascii_digit).count();
        if !file.is_ascii_alphabetic() || !(1..=2).contains(&digits) {
            let word: String = rest.chars().take(8).collect();
            return Err(Fault::shape(format!(
                "move {number} cannot be read at `{word}`; points are written as `h8`: a letter and one or \
                 two digits"
            )));
        }
        let (word, tail) = rest.split_at(1 + digits);
        let x = i64::from(file.to_ascii_lowercase() as u8 - b'a');
        let rank: i64 = word[1..].parse().expect("two digits are a number");
        moves.push((word.to_owned(), Spot::FromBottom(x, rank - 1)));
        rest = tail;
    }
}

/// Parses a piskvork file: a line `Piskvorky 15x15, 11:11, 0`, a line `x,y,ms` per move, counted
/// from 1 at the top left; the rest is ignored.
fn file(text: &str) -> Result<StoneSequence, Fault> {
    let mut lines = text.lines();
    let header = lines.next().unwrap_or_default().trim();
    let sides = header[HEADER.len()..].split(',').next().unwrap_or_default().trim();
    let side = |text: &str| text.trim().parse::<i64>().ok();
    let sides = sides.split_once(['x', 'X']).and_then(|(w, h)| Some((side(w)?, side(h)?)));
    let (width, height) = sides.ok_or_else(|| {
        Fault::shape(format!(
            "`{header}` does not give the board size; expected `Piskvorky 15x15, 0:0, 0`"
        ))
    })?;
    if width != height {
        return Err(Fault::shape(format!(
            "expected a square board, got {width} by {height} points"
        )));
    }
    let numbers = |line: &str| {
        let numbers: Option<Vec<_>> = line.split(',').map(side).collect();
        numbers.filter(|numbers| numbers.len() == 3)
    };
    // After the moves come the player names, which are arbitrary.
    let moves = lines.map_while(|line| {
        let numbers = numbers(line)?;
        let (x, y) = (numbers[0], numbers[1]);
        Some((format!("{x},{y}"), Spot::FromTop(x, y)))
    });
    Ok(StoneSequence { size: Some(width), moves: moves.collect() })
}
