//! Games of the gomoku manager piskvork: a line with the size of the board, a line `x,y,ms` a move, counted from 1 at
//! the top left, the names of the players, and a line with an error code.

use serde_json::json;

use super::{FileFault, FileFormat, GameFile, excerpt};

/// First word.
const WORD: &str = "piskvorky";
/// Sizes that gomoku is played on.
const SIZES: std::ops::RangeInclusive<usize> = 5..=20;

/// True if the text begins with the first word of the format.
pub(super) fn is_header(text: &str) -> bool {
    text.get(..WORD.len()).is_some_and(|word| word.eq_ignore_ascii_case(WORD))
}

/// Reads a game.
pub(super) fn read(text: &str) -> Result<GameFile, FileFault> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let mut lines = lines.filter(|(_, line)| !line.is_empty());
    let (number, header) = lines.next().unwrap_or((1, ""));
    let (size, begins_second) = read_header(header).map_err(|why| FileFault::new(number, why))?;
    let mut file = GameFile::new("gomoku", FileFormat::Psq);
    file.options.insert("size".into(), json!(size));
    let mut rest = Vec::new();
    for (number, line) in lines {
        match numbers(line).filter(|_| rest.is_empty()) {
            Some((x, y)) if (1..=size).contains(&x) && (1..=size).contains(&y) => {
                let column = char::from(b'a' + (x - 1) as u8);
                file.push(format!("{column}{}", size + 1 - y), number);
            }
            Some(_) => {
                let why = format!("`{line}` is off the board; x and y go from 1 to {size}");
                return Err(FileFault::new(number, why));
            }
            None => rest.push(line),
        }
    }
    // The names of the players, then numbers.
    let is_name = |line: &&str| line.parse::<i64>().is_err() && numbers(line).is_none();
    let mut names: Vec<_> = rest.into_iter().take(2).filter(is_name).collect();
    if begins_second && names.len() == 2 {
        names.swap(0, 1);
    }
    let titles = ["Black", "White"].into_iter().zip(names);
    file.headers = titles.map(|(title, name)| (title.to_owned(), name.to_owned())).collect();
    Ok(file)
}

/// Points a side, and whether the player named second began: `Piskvorky 15x15, 11:11, 0`.
fn read_header(line: &str) -> Result<(usize, bool), String> {
    let mut parts = line.get(WORD.len()..).unwrap_or_default().split(',').map(str::trim);
    let sides = parts.next().and_then(|sides| sides.split_once(['x', 'X']));
    let read = |text: &str| text.trim().parse::<usize>().ok();
    let sides = sides.and_then(|(width, height)| Some((read(width)?, read(height)?)));
    let begins_second = parts.nth(1) == Some("1");
    match sides {
        Some((width, height)) if width == height && SIZES.contains(&width) => {
            Ok((width, begins_second))
        }
        _ => Err(format!(
            "`{}`; expected `Piskvorky 15x15, 11:11, 0` with a square board of 5 to 20 points a side",
            excerpt(line)
        )),
    }
}

/// Column and row of a move; the time may be missing.
fn numbers(line: &str) -> Option<(usize, usize)> {
    let numbers: Vec<i64> =
        line.split(',').map(|part| part.trim().parse().ok()).collect::<Option<_>>()?;
    let (2 | 3, &[x, y, ..]) = (numbers.len(), &numbers[..]) else { return None };
    Some((usize::try_from(x).unwrap_or(0), usize::try_from(y).unwrap_or(0)))
}

/// The game, without times; `None` if it is another game or not from the start.
pub(super) fn write(file: &GameFile) -> Option<String> {
    let size = file.options.get("size").map_or(Some(15), serde_json::Value::as_u64)?;
    let size = usize::try_from(size).ok().filter(|size| SIZES.contains(size))?;
    if file.game != "gomoku" || file.state.is_some() {
        return None;
    }
    let mut text = format!("Piskvorky {size}x{size}, 11:11, 0\n");
    for move_text in &file.moves {
        let mut marks = move_text.chars();
        let x = marks.next().filter(char::is_ascii_alphabetic)?.to_ascii_lowercase() as u8 - b'a';
        let rank: usize = marks.as_str().parse().ok()?;
        if usize::from(x) >= size || !(1..=size).contains(&rank) {
            return None;
        }
        text += &format!("{},{},0\n", x + 1, size + 1 - rank);
    }
    let name = |title: &str| {
        let found = file.headers.iter().find(|(name, _)| name == title);
        found.map(|(_, name)| name.replace(['\n', '\r'], " "))
    };
    if let (Some(black), Some(white)) = (name("Black"), name("White")) {
        text += &format!("{black}\n{white}\n");
    }
    Some(text + "-1\n")
}
