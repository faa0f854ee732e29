//! Games as others write them: points one after the other, and files of the manager piskvork.

use super::rules::Point;
use crate::wire::Fault;

/// A game that has been read but not played. The points may lie off the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StoneSequence {
    /// Points on a side of the board, where it is written.
    pub(super) size: Option<i64>,
    /// What was written, and the point that it names.
    pub(super) moves: Vec<(String, Spot)>,
}

/// A point as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// File from the left and rank from the bottom, both from 0.
    FromBottom(i64, i64),
    /// Column from the left and row from the top, both from 1.
    FromTop(i64, i64),
}

impl Spot {
    /// The point of a board, if it lies on it.
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

/// The first word of a file of piskvork.
const HEADER: &str = "piskvorky";

impl StoneSequence {
    /// Reads a game; `None` is a text that looks like no game at all.
    ///
    /// # Errors
    /// Says what in a game cannot be read.
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

/// Reads `h8i9g7`, also with spaces or commas in between: a file letter and a rank from the bottom.
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

/// Reads a file of piskvork: a line `Piskvorky 15x15, 11:11, 0`, a line `x,y,ms` for each move, counted from 1
/// at the top left, and whatever follows.
fn file(text: &str) -> Result<StoneSequence, Fault> {
    let mut lines = text.lines();
    let header = lines.next().unwrap_or_default().trim();
    let sides = header[HEADER.len()..].split(',').next().unwrap_or_default().trim();
    let side = |text: &str| text.trim().parse::<i64>().ok();
    let sides = sides.split_once(['x', 'X']).and_then(|(w, h)| Some((side(w)?, side(h)?)));
    let (width, height) = sides.ok_or_else(|| {
        Fault::shape(format!("`{header}` names no board; expected `Piskvorky 15x15, 0:0, 0`"))
    })?;
    if width != height {
        return Err(Fault::shape(format!("a board of {width} by {height} points is no square")));
    }
    let numbers = |line: &str| {
        let numbers: Option<Vec<_>> = line.split(',').map(side).collect();
        numbers.filter(|numbers| numbers.len() == 3)
    };
    // After the moves come the names of the players, which may be anything.
    let moves = lines.map_while(|line| {
        let numbers = numbers(line)?;
        let (x, y) = (numbers[0], numbers[1]);
        Some((format!("{x},{y}"), Spot::FromTop(x, y)))
    });
    Ok(StoneSequence { size: Some(width), moves: moves.collect() })
}
