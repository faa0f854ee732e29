//! PGN of xiangqi: tags, then moves in coordinates, WXF or Chinese. Variations and comments are passed over.

use serde_json::json;

use super::{FileFault, FileFormat, GameFile};

pub(super) fn read(text: &str) -> Result<Vec<GameFile>, FileFault> {
    let mut games = Vec::new();
    let mut file = GameFile::new("xiangqi", FileFormat::Pgn);
    let mut body = String::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if !line.starts_with('[') {
            body += line.strip_prefix('%').map_or(line, |_| "");
            body.push('\n');
            continue;
        }
        if !body.trim().is_empty() {
            games.push(ended(file, &body)?);
            file = GameFile::new("xiangqi", FileFormat::Pgn);
            body.clear();
        }
        file.headers.push(tag(line).ok_or_else(|| {
            FileFault(format!("line {}: expected `[Name \"value\"]`, got `{line}`", number + 1))
        })?);
    }
    games.push(ended(file, &body)?);
    Ok(games)
}

/// Name and value of a tag.
fn tag(line: &str) -> Option<(String, String)> {
    let inner = line.strip_prefix('[')?.strip_suffix(']')?;
    let (name, value) = inner.split_once(char::is_whitespace)?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    Some((name.to_owned(), value.replace("\\\"", "\"").replace("\\\\", "\\")))
}

/// The game with the moves of its text.
fn ended(mut file: GameFile, body: &str) -> Result<GameFile, FileFault> {
    let is_chess = file.header("Game").is_some_and(|game| {
        !["xiangqi", "chinese chess", "chinesechess"].contains(&game.to_ascii_lowercase().as_str())
    });
    let variant = file.header("Variant").map(str::to_ascii_lowercase);
    if is_chess || variant.is_some_and(|variant| variant != "xiangqi") {
        return Err(FileFault("PGN of another game; expected xiangqi".into()));
    }
    file.state = file.header("FEN").filter(|fen| !fen.is_empty()).map(|fen| json!(fen));
    let mut depth = 0_u32;
    let mut rest = body;
    while let Some(c) = rest.chars().next() {
        match c {
            '{' => {
                let end =
                    rest.find('}').ok_or_else(|| FileFault("a comment `{` has no end".into()))?;
                rest = &rest[end + 1..];
                continue;
            }
            ';' => {
                rest = rest.split_once('\n').map_or("", |(_, after)| after);
                continue;
            }
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if !c.is_whitespace() => {
                let end = rest.find(|c: char| c.is_whitespace() || "(){};".contains(c));
                let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
                rest = after;
                if depth == 0 {
                    note(&mut file, word)?;
                }
                continue;
            }
            _ => {}
        }
        rest = &rest[c.len_utf8()..];
    }
    Ok(file)
}

/// Notes a word of the moves.
fn note(file: &mut GameFile, word: &str) -> Result<(), FileFault> {
    let word = without_number(word).trim_end_matches(['!', '?']);
    if word.is_empty() || word.starts_with('$') || is_result(word) || word.starts_with('.') {
        return Ok(());
    }
    let is_chess =
        word.starts_with("O-O") || word.contains('x') && !word.is_ascii_uppercase_first();
    if is_chess {
        return Err(FileFault(format!("`{word}` is a move of chess; expected xiangqi")));
    }
    file.moves.push(word.to_owned());
    Ok(())
}

/// Case of the first character.
trait FirstCase {
    fn is_ascii_uppercase_first(&self) -> bool;
}

impl FirstCase for str {
    fn is_ascii_uppercase_first(&self) -> bool {
        self.starts_with(|c: char| c.is_ascii_uppercase())
    }
}

/// A word without the number of its move.
pub(super) fn without_number(word: &str) -> &str {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if digits.len() < word.len() && digits.starts_with('.') {
        digits.trim_start_matches('.')
    } else if digits.is_empty() {
        ""
    } else {
        word
    }
}

/// True for the result at the end of a game.
pub(super) fn is_result(word: &str) -> bool {
    ["1-0", "0-1", "1/2-1/2", "*", "½-½"].contains(&word)
}

pub(super) fn write<'a>(file: &GameFile, comment: &dyn Fn(usize) -> Option<&'a str>) -> String {
    let mut out = String::new();
    let game = ("Game".to_owned(), "Chinese Chess".to_owned());
    let own = file.header("Game").is_none().then_some(&game);
    for (name, value) in own.into_iter().chain(&file.headers) {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        out += &format!("[{name} \"{value}\"]\n");
    }
    out.push('\n');
    for (ply, mv) in file.moves.iter().enumerate() {
        if ply % 2 == 0 {
            out += &format!("{}. ", ply / 2 + 1);
        }
        out += mv;
        if let Some(said) = comment(ply) {
            out += &format!(" {{{}}}", said.replace(['{', '}'], "|"));
        }
        out.push(if ply % 2 == 0 { ' ' } else { '\n' });
    }
    out.trim_end().to_owned() + "\n" + file.header("Result").unwrap_or("*") + "\n"
}
