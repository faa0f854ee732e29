//! Lists of moves: columns of connect four, points of othello and gomoku, xiangqi in any of its notations.

use super::{FileFault, FileFormat, GameFile};

pub(super) fn read(text: &str, game: Option<&str>) -> Result<Vec<GameFile>, FileFault> {
    let game = game.or_else(|| told(text)).ok_or_else(|| {
        let start: String = text.chars().take(40).collect();
        FileFault(format!(
            "`{start}`: neither SGF, PGN, psq nor JSON, and a list of moves does not tell its game; name it"
        ))
    })?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    if game == "connect4" {
        return lines.filter_map(|(at, line)| columns(at, line)).collect();
    }
    let mut file = GameFile::new(game, FileFormat::List);
    let tokens = lines.flat_map(|(_, line)| line.split(|c: char| c.is_whitespace() || c == ','));
    tokens.for_each(|token| file.moves.extend(moves(token, game)));
    Ok(vec![file])
}

/// The game of a list, where the moves of no other look like it.
fn told(text: &str) -> Option<&'static str> {
    let has = |marks: &str| text.chars().any(|c| marks.contains(c));
    if text.chars().all(|c| ('1'..='7').contains(&c) || c.is_whitespace()) {
        Some("connect4")
    } else if has("炮车马兵将帅士相象仕卒砲車馬俥傌") {
        Some("xiangqi")
    } else {
        None
    }
}

/// A game of connect four a line; what follows the columns is a remark.
fn columns(at: usize, line: &str) -> Option<Result<GameFile, FileFault>> {
    let word = line.split_whitespace().next()?;
    let wrong = |c: char| {
        Err(FileFault(format!("line {}: `{c}` is no column; expected digits from 1 to 7", at + 1)))
    };
    if let Some(c) = word.chars().find(|c| !('1'..='7').contains(c)) {
        return Some(wrong(c));
    }
    let moves = word.chars().map(String::from).collect();
    Some(Ok(GameFile { moves, ..GameFile::new("connect4", FileFormat::List) }))
}

/// The moves of a word without numbers and results: several where points follow one another.
fn moves(token: &str, game: &str) -> Vec<String> {
    let word = super::pgn::without_number(token);
    if word.is_empty() || super::pgn::is_result(word) {
        return Vec::new();
    }
    if matches!(game, "othello" | "gomoku") && word.len() > 3 {
        let mut points: Vec<String> = Vec::new();
        for c in word.chars() {
            match points.last_mut() {
                Some(point) if c.is_ascii_digit() => point.push(c),
                _ => points.push(c.to_ascii_lowercase().to_string()),
            }
        }
        let is_point = |point: &String| point.len() > 1;
        if points.iter().all(is_point) {
            return points;
        }
    }
    let is_pass = game == "othello" && matches!(word, "--" | "pa" | "PA" | "PASS" | "Pass");
    vec![if is_pass { "pass".to_owned() } else { word.to_owned() }]
}

/// All moves in a line; comments follow, each behind a `#`.
pub(super) fn write<'a>(file: &GameFile, comment: &dyn Fn(usize) -> Option<&'a str>) -> String {
    let separator = if file.game == "connect4" { "" } else { " " };
    let mut out = file.moves.join(separator) + "\n";
    for (ply, mv) in file.moves.iter().enumerate() {
        if let Some(said) = comment(ply) {
            out += &format!("# {}. {mv}: {}\n", ply + 1, said.replace('\n', " "));
        }
    }
    out
}
