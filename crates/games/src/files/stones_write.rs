//! Writes gomoku and othello in SGF.

use engine::game::{Outcome, Side};
use serde_json::{Map, Value};

use super::sgf::escaped;
use super::stones_board::SgfBoard;
use super::{Annotation, AnnotationMark, GameFile, normal_state};
use crate::gomoku::Gomoku;
use crate::othello::Othello;

/// Properties that mark a move.
pub(super) const MARKS: [(&str, &str, AnnotationMark); 6] = [
    ("TE", "1", AnnotationMark::Good),
    ("BM", "1", AnnotationMark::Mistake),
    ("TE", "2", AnnotationMark::Brilliant),
    ("BM", "2", AnnotationMark::Blunder),
    ("IT", "", AnnotationMark::Interesting),
    ("DO", "", AnnotationMark::Dubious),
];

pub(super) fn result_text(result: Option<Outcome>) -> &'static str {
    match result {
        Some(Outcome::Win(Side::First)) => "B+",
        Some(Outcome::Win(Side::Second)) => "W+",
        Some(Outcome::Draw) => "Draw",
        _ => "?",
    }
}

/// The game in SGF; `None` if it is of another game, or has a state or move that SGF cannot hold.
pub(super) fn write(file: &GameFile, annotations: &[Annotation]) -> Option<String> {
    let board = board_of(file)?;
    let kind = if board.is_othello { 2 } else { 4 };
    let mut text = format!("(;FF[4]GM[{kind}]CA[UTF-8]SZ[{}]", board.size);
    for (name, value) in &file.headers {
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase());
        if is_name {
            text += &format!("{name}[{}]", escaped(value));
        }
    }
    if file.result.is_some() && file.headers.iter().all(|(name, _)| name != "RE") {
        text += &format!("RE[{}]", result_text(file.result));
    }
    let rules = file.options.get("rules").and_then(Value::as_str);
    if let (Some(rules), true) = (rules, file.headers.iter().all(|(name, _)| name != "RU")) {
        text += &format!("RU[{}]", escaped(rules));
    }
    let mut mover = Side::First;
    if let Some(state) = &file.state {
        let (placed, turn) = setup(board, state, &file.options)?;
        mover = turn;
        text += &placed;
    }
    for (index, move_text) in file.moves.iter().enumerate() {
        let place = match (board.letters(move_text), move_text.as_str()) {
            (Some(place), _) => place,
            (None, "pass") if board.is_othello => String::new(),
            _ => return None,
        };
        text += &format!("\n;{}[{place}]", ["B", "W"][mover.index()]);
        text += &annotations.get(index).map(annotation_text).unwrap_or_default();
        mover = mover.other();
    }
    Some(text + ")\n")
}

fn board_of(file: &GameFile) -> Option<SgfBoard> {
    match file.game {
        "othello" => Some(SgfBoard { is_othello: true, size: 8 }),
        "gomoku" => {
            let size = file.options.get("size").and_then(Value::as_u64).unwrap_or(15);
            Some(SgfBoard { is_othello: false, size: usize::try_from(size).ok()? })
        }
        _ => None,
    }
}

/// The placed stones and the side to move of a state.
fn setup(board: SgfBoard, state: &Value, options: &Map<String, Value>) -> Option<(String, Side)> {
    let state = if board.is_othello {
        normal_state::<Othello>(state, options)?
    } else {
        normal_state::<Gomoku>(state, options)?
    };
    let rows: Vec<_> = state["board"].as_array()?.iter().filter_map(Value::as_str).collect();
    if rows.len() != board.size {
        return None;
    }
    let mover = if state["turn"] == "white" { Side::Second } else { Side::First };
    let mut text = String::new();
    for (name, marks) in [("AB", ['x', 'X']), ("AW", ['o', 'O'])] {
        let places: String = rows
            .iter()
            .enumerate()
            .flat_map(|(y, row)| row.chars().enumerate().map(move |(x, mark)| (x, y, mark)))
            .filter(|(_, _, mark)| marks.contains(mark))
            .map(|(x, y, _)| format!("[{}{}]", letter(x), letter(y)))
            .collect();
        if !places.is_empty() {
            text += &format!("\n{name}{places}");
        }
    }
    Some((text + &format!("PL[{}]", ["B", "W"][mover.index()]), mover))
}

const fn letter(at: usize) -> char {
    (b'a' + at as u8) as char
}

fn annotation_text(annotation: &Annotation) -> String {
    let known = |mark: AnnotationMark| MARKS.iter().find(|(_, _, known)| *known == mark);
    let mark = annotation.mark.and_then(known);
    let mark = mark.map_or_else(String::new, |(name, value, _)| format!("{name}[{value}]"));
    let comment = annotation.comment.as_deref().unwrap_or_default();
    if comment.is_empty() { mark } else { format!("{mark}C[{}]", escaped(comment)) }
}
