//! The format of a text, by its content.

use super::{FileFault, FileFormat, columns, excerpt, pgn, points, psq, sgf, xiangqi_words};

/// The format of a text by its first characters; `None` if it has none of those known.
pub(super) fn format_of(text: &str, game: Option<&str>) -> Option<FileFormat> {
    let start = text.trim_start();
    let after = |mark: char| start.strip_prefix(mark).map(str::trim_start);
    let opens = |text: &str, marks: &[char]| text.starts_with(marks);
    // `{` opens a comment of PGN as well; a member of JSON follows it with quotes.
    let is_object = after('{').is_some_and(|rest| opens(rest, &['"', '}']) || rest.is_empty());
    if is_object || after('[').is_some_and(|rest| opens(rest, &['{', '[', ']'])) {
        return Some(FileFormat::Json);
    }
    if start.starts_with('{') {
        let mut rest = start;
        while rest.starts_with('{') {
            rest = rest.split_once('}').map_or("", |(_, rest)| rest.trim_start());
        }
        let inner = format_of(rest, game).filter(|&format| format == FileFormat::Pgn);
        return Some(inner.unwrap_or(FileFormat::Json));
    }
    if sgf::is_tree(start) {
        return Some(FileFormat::Sgf);
    }
    if psq::is_header(start) {
        return Some(FileFormat::Psq);
    }
    if pgn::is_tag(start) {
        return Some(FileFormat::Pgn);
    }
    if game == Some("xiangqi") && !start.is_empty() {
        return Some(FileFormat::Pgn);
    }
    let lines = start.lines().filter(|line| !line.trim_start().starts_with('#'));
    let mut words = lines.flat_map(str::split_whitespace).map(xiangqi_words::without_number);
    // A comment may follow a move without a space.
    let word = words.find_map(|word| word.split('{').next().filter(|word| !word.is_empty()))?;
    let half = xiangqi_words::half_width(word);
    let half = half.trim_end_matches(['!', '?', '+', '#', ',', '，']);
    let is_listed =
        points::is_points(word) || game == Some("gomoku_swap2") && points::is_swap_word(word);
    // Two points may look like a move of xiangqi, but no game of xiangqi begins where one of othello does.
    if game == Some("othello") && is_listed {
        return Some(FileFormat::Moves);
    }
    if xiangqi_words::is_move(half) || xiangqi_words::chinese_moves(half).is_some() {
        return Some(FileFormat::Pgn);
    }
    if game.is_none_or(|game| game == "connect4") && columns::is_columns(start) {
        return Some(FileFormat::Columns);
    }
    is_listed.then_some(FileFormat::Moves)
}

/// What is expected of a text without known format.
pub(super) fn unknown(text: &str) -> FileFault {
    let line = text.lines().position(|line| !line.trim().is_empty()).unwrap_or(0);
    let first = text.lines().nth(line).unwrap_or_default();
    let mut words = first.split_whitespace().map(xiangqi_words::without_number);
    let word = words.find(|word| !word.is_empty());
    let what = if text.contains('\u{fffd}') {
        "the text is not UTF-8; convert it first, for example from Big5".to_owned()
    } else if first.trim().is_empty() {
        "the file is empty".to_owned()
    } else if word.is_some_and(xiangqi_words::is_chess) {
        "this looks like chess".to_owned()
    } else {
        format!("`{}` begins no known format", excerpt(first))
    };
    FileFault::new(
        line + 1,
        format!(
            "{what}; expected SGF or a list of points of gomoku or othello, PGN or a list of moves of xiangqi, a \
             `.psq` file of piskvork, columns of connect4, or JSON with `game` and `moves`"
        ),
    )
}
