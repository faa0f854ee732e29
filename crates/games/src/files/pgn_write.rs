//! Writes games of xiangqi in Portable Game Notation.

use serde_json::Value;

use super::pgn::is_tag;
use super::xiangqi_words::{coordinates, is_move};
use super::{Annotation, GameFile, normal_state, result_word};
use crate::xiangqi::Xiangqi;

/// Longest line that is written.
const WIDTH: usize = 80;

/// The game in PGN; `None` if it is of another game, or has a state without FEN or a move in no notation.
pub(super) fn write(file: &GameFile, annotations: &[Annotation]) -> Option<String> {
    if file.game != "xiangqi" || !file.moves.iter().all(|text| is_move(text)) {
        return None;
    }
    let mut text = "[Game \"Chinese Chess\"]\n".to_owned();
    for (name, value) in &file.headers {
        text += &tag_text(name, value)?;
    }
    text += &tag_text("Result", result_word(file.result))?;
    let fen = match &file.state {
        None => None,
        Some(Value::String(fen)) => Some(fen.clone()),
        Some(state) => Some(fen_of(state, file)?),
    };
    if let Some(fen) = &fen {
        text += &tag_text("FEN", fen)?;
    }
    let format = match file.moves.first() {
        Some(first) if coordinates(first).is_some() => "ICCS",
        Some(first) if !first.is_ascii() => "Chinese",
        _ => "WXF",
    };
    text += &tag_text("Format", format)?;
    let black_first = fen.is_some_and(|fen| fen.split_whitespace().nth(1) == Some("b"));
    text.push('\n');
    text += &wrapped(&move_words(file, annotations, black_first));
    Some(text)
}

fn fen_of(state: &Value, file: &GameFile) -> Option<String> {
    let state = normal_state::<Xiangqi>(state, &file.options)?;
    let rows: Vec<_> = state["board"].as_array()?.iter().filter_map(Value::as_str).collect();
    let side = if state["turn"] == "black" { 'b' } else { 'w' };
    let ranks = rows.iter().map(|row| rank_text(row));
    let ranks: Vec<_> = ranks.collect();
    Some(format!("{} {side} - - {} {}", ranks.join("/"), state["quiet"], state["number"]))
}

/// A row in FEN, with counts of empty points.
fn rank_text(row: &str) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for mark in row.chars().map(Some).chain([None]) {
        if mark == Some('.') {
            empty += 1;
            continue;
        }
        text.extend(char::from_digit(empty, 10).filter(|_| empty > 0));
        text.extend(mark);
        empty = 0;
    }
    text
}

fn tag_text(name: &str, value: &str) -> Option<String> {
    let is_name = is_tag(&format!("[{name}"))
        && !name.contains(|mark: char| mark.is_whitespace() || "[]\"".contains(mark));
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    is_name.then(|| format!("[{name} \"{}\"]\n", value.replace(['\n', '\r'], " ").trim()))
}

/// Numbers, moves, marks and comments in their order, and the result.
fn move_words(file: &GameFile, annotations: &[Annotation], black_first: bool) -> Vec<String> {
    let mut words = Vec::new();
    let mut is_interrupted = black_first;
    for (index, text) in file.moves.iter().enumerate() {
        let ply = index + usize::from(black_first);
        if ply.is_multiple_of(2) {
            words.push(format!("{}.", ply / 2 + 1));
        } else if is_interrupted {
            words.push(format!("{}...", ply / 2 + 1));
        }
        words.push(text.clone());
        let annotation = annotations.get(index);
        words.extend(annotation.and_then(|a| a.mark).map(|mark| format!("${}", mark as usize + 1)));
        let comment = annotation.and_then(|a| a.comment.as_deref()).unwrap_or_default();
        is_interrupted = !comment.trim().is_empty();
        if is_interrupted {
            words.extend(
                format!("{{{}}}", comment.replace('}', ")")).split_whitespace().map(str::to_owned),
            );
        }
    }
    words.push(result_word(file.result).to_owned());
    words
}

/// Words in lines of limited length.
fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut width = 0;
    for word in words {
        let length = word.chars().count();
        let is_new = width + 1 + length > WIDTH;
        text.push_str(if width == 0 {
            ""
        } else if is_new {
            "\n"
        } else {
            " "
        });
        text.push_str(word);
        width = if is_new { length } else { width + usize::from(width > 0) + length };
    }
    text + "\n"
}
