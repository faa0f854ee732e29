//! Portable Game Notation of xiangqi, after <https://www.xqbase.com/protocol/cchess_pgn.htm>, and plain lists of its
//! moves.

use serde_json::Value;

use super::xiangqi_algebraic::{is_algebraic, resolve};
use super::xiangqi_words::{
    chinese_moves, count_ranks_from_zero, half_width, is_chess, is_move, without_number,
};
use super::{AnnotationMark, FileFault, FileFormat, GameFile, excerpt, read_result};

/// Board of the start position in FEN.
const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

/// True if a line begins with a tag: `[Event "`.
pub(super) fn is_tag(line: &str) -> bool {
    line.strip_prefix('[').is_some_and(|rest| rest.starts_with(|mark: char| mark.is_alphabetic()))
}

/// Name and value of a tag; quotes in the value need no escape.
fn read_tag(line: &str) -> Option<(&str, String)> {
    let inner = line.strip_prefix('[')?;
    let inner = inner[..inner.rfind(']').unwrap_or(inner.len())].trim();
    let (name, value) = inner.split_once(|mark: char| mark.is_whitespace() || mark == '"')?;
    let value = value.trim();
    let value = value.strip_prefix('"').unwrap_or(value);
    let value = value.strip_suffix('"').unwrap_or(value);
    Some((name, value.replace("\\\"", "\"").replace("\\\\", "\\").trim().to_owned()))
}

/// What a text of moves is read into.
struct PgnReader {
    games: Vec<GameFile>,
    /// The file that is read, and whether a move or a result of it was seen.
    file: GameFile,
    has_tags: bool,
    is_over: bool,
    /// True if a tag or the caller says that it is xiangqi.
    is_xiangqi: bool,
    /// Open variations.
    depth: usize,
    /// The comment that is open, outside variations.
    comment: Option<String>,
    /// Line where the open comment or variation began.
    opened: usize,
}

/// Reads all games. `is_xiangqi` tells that the caller knows the game.
pub(super) fn read(text: &str, is_xiangqi: bool) -> Result<Vec<GameFile>, FileFault> {
    let mut reader = PgnReader {
        games: Vec::new(),
        file: GameFile::new("xiangqi", FileFormat::Pgn),
        has_tags: false,
        is_over: false,
        is_xiangqi,
        depth: 0,
        comment: None,
        opened: 1,
    };
    for (index, line) in text.lines().enumerate() {
        reader.line(line, index + 1)?;
    }
    if reader.comment.is_some() || reader.depth > 0 {
        let what = if reader.comment.is_some() { "comment `{`" } else { "variation `(`" };
        return Err(FileFault::new(reader.opened, format!("the {what} is not closed")));
    }
    reader.finish();
    Ok(reader.games)
}

impl PgnReader {
    fn finish(&mut self) {
        let mut file = std::mem::replace(&mut self.file, GameFile::new("xiangqi", FileFormat::Pgn));
        if self.has_tags || !file.moves.is_empty() {
            count_ranks_from_zero(&mut file);
            resolve(&mut file);
            self.games.push(file);
        }
        self.has_tags = false;
        self.is_over = false;
    }

    fn line(&mut self, line: &str, number: usize) -> Result<(), FileFault> {
        if self.comment.is_none() && self.depth == 0 {
            let trimmed = line.trim();
            if let Some((name, value)) =
                Some(trimmed).filter(|_| is_tag(trimmed)).and_then(read_tag)
            {
                return self.tag(name, value, number);
            }
            if line.starts_with('%') {
                return Ok(());
            }
        }
        self.words(line, number)
    }

    fn tag(&mut self, name: &str, value: String, line: usize) -> Result<(), FileFault> {
        if self.is_over || !self.file.moves.is_empty() {
            self.finish();
        }
        self.has_tags = true;
        match name.to_ascii_lowercase().as_str() {
            "game" | "variant" => {
                check_game(name, &value, line)?;
                self.is_xiangqi = true;
            }
            "fen" => {
                let is_start = value.split_whitespace().next() == Some(START)
                    && !matches!(value.split_whitespace().nth(1), Some("b" | "black"));
                self.file.state =
                    (!is_start && !value.trim().is_empty()).then_some(Value::String(value));
            }
            "format" => {}
            "result" if read_result(value.trim()).is_some() => {
                self.file.result = read_result(value.trim()).flatten();
            }
            _ => self.file.headers.push((name.to_owned(), value)),
        }
        Ok(())
    }

    /// Reads the words, comments and variations of a line.
    fn words(&mut self, line: &str, number: usize) -> Result<(), FileFault> {
        let mut rest = line;
        while !rest.is_empty() {
            rest = match self.comment.take() {
                Some(comment) => self.rest_of_comment(comment, rest),
                None => self.part(rest.trim_start(), number)?,
            };
        }
        if let Some(comment) = &mut self.comment {
            comment.push(' ');
        }
        Ok(())
    }

    /// Reads an open comment up to its end, and says what follows on the line.
    fn rest_of_comment<'a>(&mut self, mut comment: String, text: &'a str) -> &'a str {
        match text.split_once('}') {
            Some((end, rest)) => {
                comment.push_str(end);
                self.keep_comment(&comment);
                rest
            }
            None => {
                comment.push_str(text);
                self.comment = Some(comment);
                ""
            }
        }
    }

    /// Reads a word or a bracket, and says what follows on the line.
    fn part<'a>(&mut self, text: &'a str, number: usize) -> Result<&'a str, FileFault> {
        let Some(mark) = text.chars().next() else { return Ok("") };
        let rest = &text[mark.len_utf8()..];
        if matches!(mark, '{' | '(' | '（') && self.depth == 0 {
            self.opened = number;
        }
        match mark {
            '{' => self.comment = Some(String::new()),
            ';' => {
                self.keep_comment(rest);
                return Ok("");
            }
            '(' | '（' => self.depth += 1,
            ')' | '）' => self.depth = self.depth.saturating_sub(1),
            _ => {
                let ends = |mark: char| mark.is_whitespace() || "{};()（）".contains(mark);
                let end = text.find(ends).unwrap_or(text.len()).max(mark.len_utf8());
                let (word, rest) = text.split_at(end);
                if self.depth == 0 {
                    self.word(word, number)?;
                }
                return Ok(rest);
            }
        }
        Ok(rest)
    }

    fn keep_comment(&mut self, text: &str) {
        if self.depth == 0 {
            let words: Vec<_> = text.split_whitespace().collect();
            self.file.comment(&words.join(" "));
        }
    }

    fn word(&mut self, word: &str, line: usize) -> Result<(), FileFault> {
        if let Some(number) = word.strip_prefix('$').and_then(|number| number.parse::<usize>().ok())
        {
            let mark = number.checked_sub(1).and_then(|at| AnnotationMark::ALL.get(at));
            mark.into_iter().for_each(|&mark| self.file.mark(mark));
            return Ok(());
        }
        let known = read_result(word).or_else(|| read_result(&half_width(word)));
        if let Some(result) = known {
            self.file.result = result.or(self.file.result);
            self.is_over = true;
            return Ok(());
        }
        let bare = without_number(word);
        if self.is_over && bare.len() == word.len() {
            return Ok(());
        }
        let half = half_width(bare);
        let text = half.trim_end_matches(['!', '?', '+', '#', ',', '，']);
        if text.is_empty() {
            return Ok(());
        }
        if self.is_over {
            self.finish();
        }
        self.moves(text, line)?;
        let suffix = half[text.len()..].trim_matches(['+', '#', ',', '，']);
        let mark = AnnotationMark::ALL.into_iter().find(|mark| mark.symbol() == suffix);
        mark.into_iter().for_each(|mark| self.file.mark(mark));
        Ok(())
    }

    /// Adds a move, or several in Chinese notation without a space between them.
    fn moves(&mut self, text: &str, line: usize) -> Result<(), FileFault> {
        let is_numbers = text.chars().all(|mark| mark.is_ascii_digit() || mark == '.');
        let is_rule = text.chars().all(|mark| "=-_*".contains(mark));
        if is_numbers || is_rule {
            return Ok(());
        }
        if is_move(text) || self.is_xiangqi && is_algebraic(text) {
            self.file.push(text, line);
            return Ok(());
        }
        if let Some(parts) = chinese_moves(text) {
            parts.into_iter().for_each(|part| self.file.push(part, line));
            return Ok(());
        }
        Err(self.not_a_move(text, line))
    }

    fn not_a_move(&self, text: &str, line: usize) -> FileFault {
        let what = match is_chess(text) || is_algebraic(text) {
            true => "looks like chess; this reads PGN of xiangqi",
            _ if text.contains('\u{fffd}') => {
                "is not UTF-8; convert the file first, for example from Big5"
            }
            _ => "is not a move",
        };
        let why = format!(
            "`{}` {what}; expected moves of xiangqi in ICCS, `H2-E2` or `h2e2`, WXF, `C2=5`, or Chinese, `炮二平五`",
            excerpt(text)
        );
        FileFault::new(line, why)
    }
}

/// Checks that a tag names xiangqi.
fn check_game(name: &str, value: &str, line: usize) -> Result<(), FileFault> {
    let lower = value.to_lowercase();
    let names = ["chinese", "xiangqi", "xiang qi", "cchess", "象棋"];
    if lower.trim().is_empty() || names.iter().any(|name| lower.contains(name)) {
        return Ok(());
    }
    let why = format!(
        "`[{name} \"{}\"]`; expected `[Game \"Chinese Chess\"]`, which is xiangqi",
        excerpt(value)
    );
    Err(FileFault::new(line, why))
}
