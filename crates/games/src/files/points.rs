//! Lists of points: othello `f5d6c3`, gomoku `h8 i9 h9`, with passes and the words of swap2.

use std::cmp::Ordering;
use std::collections::HashSet;

use engine::game::{Outcome, Side};
use serde_json::{Map, Value, json};

use super::xiangqi_words::{is_chess, without_number};
use super::{FileFault, FileFormat, GameFile, excerpt, passes, read_result, result_word};

/// First moves of othello.
const OTHELLO_STARTS: [&str; 4] = ["d3", "c4", "f5", "e6"];
/// Words of the swap2 opening.
const SWAP_WORDS: [&str; 5] = ["swap", "stay", "two", "black", "white"];

/// Points a side of the board on which points beyond 15 lie, as in the tournaments of programs.
const LARGE_SIZE: u8 = 20;

/// True if a word begins with a point.
pub(super) fn is_points(word: &str) -> bool {
    split(word).next().is_some_and(|part| part.is_ok())
}

/// Move, or what cannot be read.
type PointOrRest<'a> = Result<&'a str, &'a str>;

/// True for a word of the swap2 opening.
pub(super) fn is_swap_word(word: &str) -> bool {
    SWAP_WORDS.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// The points of a word: `f5d6` is two.
fn split(word: &str) -> impl Iterator<Item = PointOrRest<'_>> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let digits = rest[first.len_utf8()..].bytes().take_while(u8::is_ascii_digit).count();
        let length = match digits {
            1 | 2 if first.is_ascii_alphabetic() => 1 + digits,
            _ if word_at(rest, "pass") => 4,
            _ if rest.starts_with("--") => 2,
            _ if word_at(rest, "pa") => 2,
            _ => {
                let all = rest;
                rest = "";
                return Some(Err(all));
            }
        };
        let (part, tail) = rest.split_at(length);
        rest = tail;
        Some(Ok(part))
    })
}

fn word_at(text: &str, word: &str) -> bool {
    text.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word))
}

/// Move in a list: its text and line, and whether a new game begins with it.
struct ListedPoint {
    text: String,
    line: usize,
}

/// Game in a list of points.
#[derive(Default)]
struct PointList {
    points: Vec<ListedPoint>,
    seen: HashSet<String>,
    result: Option<Outcome>,
}

/// Reads one or more games. A new game begins after an empty line or a result, with a line that is one word of
/// several points, and with a line that repeats a point, since no stone is ever removed.
pub(super) fn read(text: &str, game: Option<&str>) -> Result<Vec<GameFile>, FileFault> {
    let mut games = vec![PointList::default()];
    for (index, line) in text.lines().enumerate() {
        let (number, line) = (index + 1, line.trim());
        if line.starts_with('#') {
            continue;
        }
        let (points, result) = read_line(line, number)?;
        let is_word = points.len() > 2 && !line.contains(char::is_whitespace);
        let current = games.last().filter(|game| !game.points.is_empty());
        let is_new = current.is_some_and(|game| {
            let repeats = points.iter().any(|point| game.seen.contains(&point.text));
            line.is_empty() || is_word || repeats || game.result.is_some()
        });
        if is_new {
            games.push(PointList::default());
        }
        if let Some(current) = games.last_mut() {
            let played = points.iter().map(|point| point.text.clone());
            current.seen.extend(played.filter(|text| text != passes::PASS));
            current.points.extend(points);
            current.result = current.result.or(result);
        }
    }
    games.retain(|game| !game.points.is_empty());
    // What fits several games is the game of the others in the file.
    let known = games.iter().filter_map(PointList::game).find(|name| name.starts_with("gomoku"));
    games.into_iter().map(|list| list.file(game, known)).collect()
}

type ListedLine = (Vec<ListedPoint>, Option<Outcome>);

fn read_line(line: &str, number: usize) -> Result<ListedLine, FileFault> {
    let mut points = Vec::new();
    let mut result = None;
    let words = line.split(|mark: char| mark.is_whitespace() || matches!(mark, ',' | ';'));
    for word in words.map(without_number).filter(|word| !word.is_empty()) {
        if let Some(known) =
            read_result(word).or_else(|| lead(word).filter(|_| line.ends_with(word)))
        {
            result = known;
            continue;
        }
        if is_swap_word(word) {
            points.push(ListedPoint { text: word.to_ascii_lowercase(), line: number });
            continue;
        }
        for part in split(word) {
            let part = part.map_err(|rest| not_a_point(rest, word, number))?;
            let text = match part.to_ascii_lowercase().as_str() {
                "pass" | "--" | "pa" => passes::PASS.to_owned(),
                point => point.to_owned(),
            };
            points.push(ListedPoint { text, line: number });
        }
    }
    Ok((points, result))
}

/// The result of the lead of the first side in discs, or of its sign: `-12`, `+4`, `0`.
fn lead(word: &str) -> Option<Option<Outcome>> {
    let lead: i64 = word.parse().ok().filter(|lead| (-64..=64).contains(lead))?;
    Some(Some(match lead.cmp(&0) {
        Ordering::Greater => Outcome::Win(Side::First),
        Ordering::Less => Outcome::Win(Side::Second),
        Ordering::Equal => Outcome::Draw,
    }))
}

fn not_a_point(rest: &str, word: &str, line: usize) -> FileFault {
    let why = if is_chess(word) { "looks like a move of chess" } else { "is not a point" };
    let word = if is_chess(word) { word } else { rest };
    FileFault::new(
        line,
        format!(
            "`{}` {why}; expected moves of othello or gomoku such as `f5d6` or `h8 i9`",
            excerpt(word)
        ),
    )
}

impl PointList {
    fn file(
        self,
        wanted: Option<&str>,
        known: Option<&'static str>,
    ) -> Result<GameFile, FileFault> {
        let name = match wanted {
            Some("gomoku") => "gomoku",
            Some("gomoku_swap2") => "gomoku_swap2",
            Some("othello") => "othello",
            _ => self.game().or(known).ok_or_else(|| self.ambiguous())?,
        };
        let mut file = GameFile::new(name, FileFormat::Moves);
        file.result = self.result;
        for ListedPoint { text, line } in self.points {
            file.push(text, line);
        }
        if name == "othello" {
            passes::complete(&mut file);
        }
        file.options = implied_options(&file);
        Ok(file)
    }

    /// The game: othello by its passes, or by its squares and first move, gomoku by points beyond eight rows and
    /// columns; `None` where all could be squares of chess.
    fn game(&self) -> Option<&'static str> {
        let mut texts = self.points.iter().map(|point| point.text.as_str());
        if texts.clone().any(|text| SWAP_WORDS.contains(&text)) {
            return Some("gomoku_swap2");
        }
        if texts.clone().any(|text| text == passes::PASS) {
            return Some("othello");
        }
        if !texts.clone().all(|text| matches!(text.as_bytes(), [b'a'..=b'h', b'1'..=b'8'])) {
            return Some("gomoku");
        }
        let starts = texts.clone().next().is_some_and(|first| OTHELLO_STARTS.contains(&first));
        let is_othello = starts && !texts.any(|text| ["d4", "e4", "d5", "e5"].contains(&text));
        is_othello.then_some("othello")
    }

    fn ambiguous(&self) -> FileFault {
        let texts: Vec<_> = self.points.iter().map(|point| point.text.as_str()).collect();
        FileFault::new(
            self.points.first().map_or(1, |point| point.line),
            format!(
                "`{}` may be gomoku, othello or chess; expected the name of the game: `--game gomoku` or `--game \
                 othello`",
                excerpt(&texts.join(" "))
            ),
        )
    }
}

/// The size of the board, where the points of gomoku show that it is larger than 15.
fn implied_options(file: &GameFile) -> Map<String, Value> {
    let is_beyond = |text: &String| {
        let number = text.get(1..).and_then(|number| number.parse().ok()).unwrap_or(0_u8);
        number > 15 || number > 0 && text.starts_with(|mark: char| mark > 'o')
    };
    let is_large = file.game.starts_with("gomoku") && file.moves.iter().any(is_beyond);
    let size = is_large.then(|| ("size".to_owned(), json!(LARGE_SIZE)));
    size.into_iter().collect()
}

/// The moves in a line; `None` if it is another game, not from the start, or with options that the moves do not show.
pub(super) fn write(file: &GameFile) -> Option<String> {
    let known = ["gomoku", "gomoku_swap2", "othello"].contains(&file.game);
    let is_move = |text: &String| {
        let is_point = is_points(text) && split(text).count() == 1;
        is_point || file.game == "gomoku_swap2" && is_swap_word(text)
    };
    if !known
        || file.state.is_some()
        || file.options != implied_options(file)
        || file.moves.is_empty()
    {
        return None;
    }
    if !file.moves.iter().all(is_move) {
        return None;
    }
    let result = file.result.map_or_else(String::new, |_| format!(" {}", result_word(file.result)));
    Some(format!("{}{result}\n", file.moves.join(" ")))
}
