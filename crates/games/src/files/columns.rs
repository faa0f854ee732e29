//! Connect four as the columns played, from 1: one game a line, `4455`.

use super::{FileFault, FileFormat, GameFile, excerpt, read_result, result_word};

/// Largest score of a position in lists of solved positions: stones left after the win.
const LARGEST_SCORE: i32 = 42;

/// True if the first line with content may be columns.
pub(super) fn is_columns(text: &str) -> bool {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    let word = line.and_then(|line| line.split(separates).find(|word| !word.is_empty()));
    word.is_some_and(are_columns)
}

const fn separates(mark: char) -> bool {
    mark.is_whitespace() || matches!(mark, ',' | ';')
}

fn are_columns(word: &str) -> bool {
    word.bytes().all(|byte| matches!(byte, b'1'..=b'7'))
}

/// Reads one game a line; lines that begin with `#` are comments.
pub(super) fn read(text: &str) -> Result<Vec<GameFile>, FileFault> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let rows: Vec<_> = lines.map(|(number, line)| (number, words(line))).collect();
    // One line such as `7 2` may be two moves; in a list of scores it is one move and its score.
    let is_list = rows.len() > 1
        && rows.iter().all(|(_, words)| words.len() == 2 && is_number(words[1]))
        && rows.iter().any(|(_, words)| !are_columns(words[1]));
    rows.into_iter().map(|(number, words)| read_line(&words, number, is_list)).collect()
}

fn words(line: &str) -> Vec<&str> {
    line.split(separates).filter(|word| !word.is_empty()).collect()
}

fn read_line(words: &[&str], number: usize, is_list: bool) -> Result<GameFile, FileFault> {
    let mut file = GameFile::new("connect4", FileFormat::Columns);
    for (index, word) in words.iter().enumerate() {
        let is_last = index > 0 && index + 1 == words.len();
        if let (true, Some(result)) = (is_last, read_result(word)) {
            file.result = result;
        } else if is_last && (is_list || is_score(words[0], word, words.len())) {
            file.headers.push(("Score".into(), (*word).into()));
        } else if are_columns(word) {
            word.chars().for_each(|column| file.push(column, number));
        } else {
            let why = format!(
                "`{}` is not columns of connect4; expected digits from 1 to 7 such as `4455`, one game a line",
                excerpt(word)
            );
            return Err(FileFault::new(number, why));
        }
    }
    Ok(file)
}

/// True for the score after the columns in a list of solved positions: `4455 -2`.
fn is_score(columns: &str, word: &str, words: usize) -> bool {
    is_number(word) && words == 2 && (columns.len() > 1 || !are_columns(word))
}

fn is_number(word: &str) -> bool {
    word.parse().is_ok_and(|score: i32| (-LARGEST_SCORE..=LARGEST_SCORE).contains(&score))
}

/// The columns in a line; `None` if it is another game or not from the start.
pub(super) fn write(file: &GameFile) -> Option<String> {
    let is_column = |text: &String| text.len() == 1 && are_columns(text);
    let fits = file.game == "connect4" && file.state.is_none() && !file.moves.is_empty();
    if !fits || !file.moves.iter().all(is_column) {
        return None;
    }
    let score = file.headers.iter().find(|(name, _)| name == "Score");
    let score = score.filter(|(_, score)| is_score(&file.moves.concat(), score, 2));
    let end = match (file.result, score) {
        (None, None) => String::new(),
        (None, Some((_, score))) => format!(" {score}"),
        (result, _) => format!(" {}", result_word(result)),
    };
    Some(format!("{}{end}\n", file.moves.concat()))
}
