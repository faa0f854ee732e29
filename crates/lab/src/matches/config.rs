//! Engine of a match: a configuration of this program, or another program.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use catalog::question::Question;

/// A participant.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Configuration {
    /// Body of a question. Its seed is that of each game, unless it names one.
    Own {
        #[serde(flatten)]
        question: Box<Question>,
        #[serde(skip)]
        seeded: bool,
    },
    /// A program that speaks an engine protocol.
    External(External),
}

/// External program: started once, told of every new game, and asked for moves from the start state of the
/// game and all moves since, so that it can judge repetitions.
///
/// Debian's fairy-stockfish 11.1 plays xiangqi by `ucci`: ranks 0 to 9 as ours, xiangqi by default, and a
/// draw after 120 plies without capture (by `uci`: ranks 1 to 10, and 100 plies). By `ucci` it understands
/// `position fen F moves ...`, `go depth n`, `go nodes n`, `go movetime n` and `go time n`, all times in
/// ms, and `setoption Hash 64`; spaces in option names are underscores (`Skill_Level`). It has no
/// `setoption newgame`, but `uccinewgame`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct External {
    /// Name of the game in this program, whose rules judge.
    pub(super) game: String,
    /// Program and its arguments.
    pub(super) command: Vec<String>,
    /// Protocol of the program.
    pub(super) protocol: Protocol,
    /// Options to set before the first game; by `pbrain` the `INFO` lines at the beginning of each, by `gtp` commands.
    #[serde(default)]
    pub(super) options: Map<String, Value>,
    /// Arguments of `go` for every move, such as `movetime 100` or `depth 8`; empty by `pbrain` and `gtp`.
    #[serde(default)]
    pub(super) go: String,
    /// Number of the lowest rank in the program's notation; 0 where it equals ours.
    #[serde(default)]
    pub(super) ranks_from: u8,
    /// Time limit per move in ms, beyond which the game is lost; default ten seconds more than `go
    /// movetime`, or a minute.
    #[serde(default)]
    pub(super) timeout_ms: Option<u64>,
    /// Pause in ms between its move and the next command, which some programs would otherwise miss: default
    /// 100 by `pbrain`, otherwise 0. It counts for neither side.
    #[serde(default)]
    pub(super) pause_ms: Option<u64>,
    /// Display name.
    #[serde(default)]
    pub(super) name: Option<String>,
}

/// Protocol of an external program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Protocol {
    /// Protocol of chess programs.
    Uci,
    /// Protocol of xiangqi programs.
    Ucci,
    /// Protocol of gomoku programs.
    Pbrain,
    /// Protocol of Go and Othello programs.
    Gtp,
}

impl Protocol {
    /// The game of a protocol that serves one game only, and how its programs are told their time.
    fn game(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Uci | Self::Ucci => None,
            Self::Pbrain => Some(("gomoku", "`\"options\":{\"timeout_turn\":100}`")),
            Self::Gtp => Some(("othello", "its own arguments in `command`")),
        }
    }
}

/// Rules of gomoku by name and by number of `INFO rule`.
const RULES: [(&str, u8); 4] = [("freestyle", 0), ("standard", 1), ("renju", 4), ("caro", 8)];
/// Time after a move in which Rapfi misses input, in ms, with a margin: it prints the move before it is
/// ready.
const PAUSE: u64 = 100;

/// Tolerance beyond a program's time for a move.
const LENIENCY: Duration = Duration::from_secs(10);
/// Time limit of a move without a time budget.
const LONGEST: Duration = Duration::from_secs(60);

impl Configuration {
    /// Reads a configuration, inline or from a file. This program is asked for one good move only, unless
    /// its configuration says otherwise.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let text = if text.trim_start().starts_with('{') {
            text.to_owned()
        } else {
            std::fs::read_to_string(text).map_err(|why| format!("{text}: {why}"))?
        };
        let wrong = |why: &dyn std::fmt::Display| format!("{}: {why}", text.trim());
        let mut body: Value = serde_json::from_str(&text).map_err(|why| wrong(&why))?;
        if body.get("command").is_some() {
            let external: External = serde_json::from_value(body).map_err(|why| wrong(&why))?;
            external.check().map_err(|why| wrong(&why))?;
            return Ok(Self::External(external));
        }
        if let Value::Object(members) = &mut body {
            members.entry("ratings").or_insert_with(|| json!("none"));
        }
        let seeded = body.get("seed").is_some();
        let question = serde_json::from_value(body).map_err(|why| wrong(&why))?;
        Ok(Self::Own { question: Box::new(question), seeded })
    }

    /// Name of the game.
    pub(super) fn game(&self) -> &str {
        match self {
            Self::Own { question, .. } => &question.game,
            Self::External(external) => &external.game,
        }
    }

    /// Question of a configuration of this program; `None` for another program.
    pub(super) fn question(&self) -> Option<&Question> {
        match self {
            Self::Own { question, .. } => Some(question),
            Self::External(_) => None,
        }
    }
}

impl External {
    fn check(&self) -> Result<(), String> {
        if self.command.first().is_none_or(String::is_empty) {
            return Err(
                "`command` must be a program and its arguments, such as [\"fairy-stockfish\"]"
                    .into(),
            );
        }
        if self.ranks_from > 1 {
            let given = self.ranks_from;
            return Err(format!("`ranks_from` must be 0 or 1, got {given}"));
        }
        if self.timeout_ms == Some(0) {
            return Err("`timeout_ms` must be at least 1".into());
        }
        let only = self.protocol.game();
        if let Some((game, time)) = only {
            self.check_for(game, time)?;
        }
        let words: Vec<_> = self.go.split_whitespace().collect();
        if (only.is_none() && words.is_empty())
            || words.contains(&"infinite")
            || words.contains(&"ponder")
        {
            let go = &self.go;
            return Err(format!(
                "`go` must be a search that ends by itself, such as \"movetime 100\", got \"{go}\""
            ));
        }
        let compound = |value: &Value| value.is_object() || value.is_array() || value.is_null();
        match self.options.iter().find(|(_, value)| compound(value)) {
            Some((name, _)) => {
                Err(format!("`options/{name}` must be a string, a number, true or false"))
            }
            None => Ok(()),
        }
    }

    /// Checks a configuration of a protocol for this game alone.
    fn check_for(&self, game: &str, time: &str) -> Result<(), String> {
        let protocol = json!(self.protocol);
        let protocol = protocol.as_str().unwrap_or_default();
        if self.game != game {
            return Err(format!("`{protocol}` is a protocol for {game}, not for {}", self.game));
        }
        if !self.go.is_empty() {
            return Err(format!("`{protocol}` does not support `go`; use {time} instead"));
        }
        Ok(())
    }

    /// Sets these rules, if a program plays gomoku and is told no others.
    pub(super) fn adopt(&mut self, rules: Option<&str>) {
        let number = RULES.iter().find(|(name, _)| rules == Some(*name)).map_or(0, |known| known.1);
        if self.protocol == Protocol::Pbrain {
            self.options.entry("rule").or_insert_with(|| number.into());
        }
    }

    /// Pause after its move.
    pub(super) fn pause(&self) -> Duration {
        let usual = if self.protocol == Protocol::Pbrain { PAUSE } else { 0 };
        Duration::from_millis(self.pause_ms.unwrap_or(usual))
    }

    /// Time limit for its move.
    pub(super) fn patience(&self) -> Duration {
        let mut words = self.go.split_whitespace().skip_while(|word| *word != "movetime");
        let go = words.nth(1).and_then(|ms| ms.parse().ok());
        let turn = self.options.get("timeout_turn").and_then(Value::as_u64);
        let time = match self.protocol {
            Protocol::Pbrain => turn.filter(|&ms| ms > 0),
            _ => go,
        };
        let time = time.map(Duration::from_millis);
        let by_itself = time.map_or(LONGEST, |time| time + LENIENCY);
        self.timeout_ms.map_or(by_itself, Duration::from_millis)
    }

    /// Our move in the program's notation.
    pub(super) fn theirs(&self, mv: &str) -> String {
        shifted(mv, i64::from(self.ranks_from))
    }

    /// The program's move in our notation.
    pub(super) fn ours(&self, mv: &str) -> String {
        shifted(mv, -i64::from(self.ranks_from))
    }
}

/// A move with every rank raised by `by`.
fn shifted(mv: &str, by: i64) -> String {
    if by == 0 {
        return mv.to_owned();
    }
    let mut text = String::new();
    let mut rest = mv;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let (file, tail) = rest.split_at(digits);
        let end = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
        let (rank, tail) = tail.split_at(end);
        text.push_str(file);
        text.push_str(&rank.parse::<i64>().map_or(rank.to_owned(), |rank| (rank + by).to_string()));
        rest = tail;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn external(more: &str) -> Result<Configuration, String> {
        Configuration::read(&format!(
            r#"{{"game":"xiangqi","command":["x"],"protocol":"uci","go":"depth 1"{more}}}"#
        ))
    }

    #[test]
    fn ranks_are_counted_as_the_program_counts_them() {
        let Ok(Configuration::External(from_one)) = external(r#","ranks_from":1"#) else {
            panic!("it is right")
        };
        assert_eq!(
            (from_one.theirs("h2e2"), from_one.theirs("a9a8")),
            ("h3e3".into(), "a10a9".into())
        );
        for mv in ["h2e2", "a9a0", "i0i9"] {
            assert_eq!(from_one.ours(&from_one.theirs(mv)), mv);
        }
    }

    #[test]
    fn the_time_for_a_move_is_that_of_the_search_and_some_more() {
        let patience = |more: &str| match external(more) {
            Ok(Configuration::External(external)) => external.patience().as_millis(),
            _ => panic!("it is right"),
        };
        assert_eq!(patience(""), 60_000);
        assert_eq!(patience(r#","timeout_ms":5"#), 5);
    }

    #[test]
    fn what_is_wrong_with_a_configuration_is_said() {
        for (more, why) in [
            (r#","x":1"#, "unknown field `x`"),
            (r#","ranks_from":2"#, "`ranks_from` must be 0 or 1, got 2"),
            (r#","timeout_ms":0"#, "`timeout_ms` must be at least 1"),
            (r#","options":{"Hash":null}"#, "`options/Hash` must be a string, a number"),
        ] {
            let refused = external(more).expect_err(more);
            assert!(refused.contains(why), "{refused}");
        }
        for (body, why) in [
            (r#"{"command":[]}"#, "missing field `game`"),
            (r#"{"game":"nim","command":[],"protocol":"uci","go":"depth 1"}"#, "must be a program"),
            (
                r#"{"game":"nim","command":["x"],"protocol":"usi","go":"depth 1"}"#,
                "unknown variant `usi`",
            ),
            (
                r#"{"game":"nim","command":["x"],"protocol":"uci","go":"infinite"}"#,
                "ends by itself",
            ),
        ] {
            let refused = Configuration::read(body).expect_err(body);
            assert!(refused.contains(why), "{refused}");
        }
    }
}
