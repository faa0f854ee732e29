//! External program over the Gomocup protocol, in the form that every program understands: before its first
//! move it receives all stones in order of play, the last one the opponent's; then each stone of the
//! opponent. Some programs take a second board as further stones on the first.

use serde_json::Value;

use super::config::External;
use super::process::{Process, ProcessFailure, STARTING};
use catalog::answer::StateForms;

/// Gomoku board at the start of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Goban {
    /// Points per side.
    size: u8,
    /// Initial stones as `x,y` from the top left, black and white in turn.
    stones: Vec<String>,
}

/// Value of the time left where there is no limit.
const UNLIMITED: i64 = i32::MAX as i64;

impl Goban {
    /// Reads the board of a state; `None` if it has none.
    pub(super) fn read(state: &StateForms) -> Option<Self> {
        let rows = state.json.get("board")?.as_array()?;
        let rows: Vec<&str> = rows.iter().map(Value::as_str).collect::<Option<_>>()?;
        let of = |mark| {
            let cells = rows.iter().enumerate().flat_map(move |(y, row)| {
                let marked = row.chars().enumerate().filter(move |(_, cell)| *cell == mark);
                marked.map(move |(x, _)| format!("{x},{y}"))
            });
            cells.collect::<Vec<_>>()
        };
        let (mut black, mut white) = (of('x').into_iter(), of('o').into_iter());
        let turns = std::iter::from_fn(|| Some([black.next()?, white.next().unwrap_or_default()]));
        let stones = turns.flatten().filter(|stone| !stone.is_empty()).collect();
        Some(Self { size: rows.len().try_into().ok()?, stones })
    }

    /// Our move, a file letter and a rank from the bottom, as `x,y` from the top left.
    fn theirs(&self, mv: &str) -> Option<String> {
        let (file, rank) = mv.split_at_checked(1)?;
        let x = file.bytes().next()?.checked_sub(b'a')?;
        Some(format!("{x},{}", self.size.checked_sub(rank.parse().ok()?)?))
    }

    /// A program's move in our notation; a point off the board stays as it is.
    fn ours(&self, cell: &str) -> String {
        let point = point(cell).filter(|(x, y)| x.max(y) < &i64::from(self.size));
        let name = point
            .map(|(x, y)| format!("{}{}", char::from(b'a' + x as u8), i64::from(self.size) - y));
        name.unwrap_or_else(|| cell.trim().to_owned())
    }
}

/// Two integers separated by a comma; every other line is chatter.
fn point(line: &str) -> Option<(i64, i64)> {
    let (x, y) = line.trim().split_once(',')?;
    let number = |text: &str| text.trim().parse().ok().filter(|&number: &i64| number >= 0);
    Some((number(x)?, number(y)?))
}

/// Announces a new game and its settings.
pub(super) fn new_game(
    process: &mut Process,
    config: &External,
    goban: &Goban,
) -> Result<(), ProcessFailure> {
    process.told = None;
    process.say(&format!("START {}", goban.size))?;
    process.hear(|line| line.trim_start().starts_with("OK"), STARTING)?;
    if !config.options.contains_key("time_left") {
        process.say(&format!("INFO time_left {UNLIMITED}"))?;
    }
    for (name, value) in &config.options {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        process.say(&format!("INFO {name} {value}"))?;
    }
    Ok(())
}

/// Asks for a move.
pub(super) fn choose(
    process: &mut Process,
    config: &External,
    goban: &Goban,
    moves: &[String],
) -> Result<String, ProcessFailure> {
    let played = moves.iter().filter_map(|mv| goban.theirs(mv));
    let stones: Vec<_> = goban.stones.iter().cloned().chain(played).collect();
    // Its own stone and the opponent's reply since then.
    let continues_threat =
        process.told.replace(stones.len()).is_some_and(|told| told + 2 == stones.len());
    let said = match stones.last() {
        None => "BEGIN".into(),
        Some(last) if continues_threat => format!("TURN {last}"),
        Some(_) => board(&stones),
    };
    process.say(&said)?;
    let lines = process.hear(|line| point(line).is_some(), config.patience())?;
    Ok(goban.ours(lines.last().map_or("", String::as_str)))
}

/// Lines of a board. The last stone is the opponent's (2), the one before it the program's own (1).
fn board(stones: &[String]) -> String {
    let line = |(n, stone): (usize, &String)| {
        let who = 2 - (stones.len() - 1 - n) % 2;
        format!("{stone},{who}\n")
    };
    let lines: String = stones.iter().enumerate().map(line).collect();
    format!("BOARD\n{lines}DONE")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn goban(rows: [&str; 5]) -> Goban {
        let state = StateForms { text: None, json: json!({ "board": rows }) };
        Goban::read(&state).expect("a board")
    }

    #[test]
    fn moves_are_written_from_the_top_left() {
        let goban = goban(["....."; 5]);
        for (ours, theirs) in [("a5", "0,0"), ("e1", "4,4"), ("b4", "1,1"), ("a1", "0,4")] {
            assert_eq!(goban.theirs(ours).as_deref(), Some(theirs));
            assert_eq!(goban.ours(theirs), ours);
        }
        assert_eq!(goban.ours("5,0"), "5,0", "off the board");
        assert_eq!(goban.ours(" 9999999999,1 "), "9999999999,1");
        for chatter in ["MESSAGE 1,2", "OK", "", "1", "1,2,3", "1, x", "-1,2"] {
            assert_eq!(point(chatter), None, "{chatter}");
        }
    }

    #[test]
    fn the_last_stone_of_a_board_is_the_opponents() {
        let goban = goban([".o...", "x.x..", "..o..", ".....", "...x."]);
        assert_eq!(goban.stones, ["0,1", "1,0", "2,1", "2,2", "3,4"]);
        let said = board(&goban.stones[..3]);
        assert_eq!(said, "BOARD\n0,1,2\n1,0,1\n2,1,2\nDONE");
        assert_eq!(board(&goban.stones[..2]), "BOARD\n0,1,1\n1,0,2\nDONE");
    }
}
