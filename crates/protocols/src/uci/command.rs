//! Parser of client commands. Both dialects are read alike where they do not contradict.

use super::Dialect;

/// A command of a client.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum UciCommand {
    /// `uci`, `ucci`
    Identify,
    /// `isready`
    Ready,
    /// `setoption name X value Y`, `setoption X Y`
    Set { name: String, value: String },
    /// `ucinewgame`
    NewGame,
    /// `position fen F moves m ...`; `None` is the start position.
    Position { state: Option<String>, moves: Vec<String> },
    /// `banmoves m ...`
    Ban(Vec<String>),
    /// `probe fen F moves m ...`
    Probe { state: Option<String>, moves: Vec<String> },
    /// `go ...`, or a parse error: a client waiting for a move must get an answer.
    Go(Result<Go, String>),
    /// `ponderhit`
    PonderHit,
    /// `stop`
    Stop,
    /// `d`
    Show,
    /// `quit`
    Quit,
    /// No answer needed.
    Nothing,
}

/// Arguments of `go`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Go {
    /// Depth in plies.
    pub(super) depth: Option<u64>,
    /// Positions to visit.
    pub(super) nodes: Option<u64>,
    /// Moves of the side to move until mate.
    pub(super) mate: Option<u64>,
    /// Time for this move, in ms.
    pub(super) time: Option<u64>,
    /// Time left on the clocks of the first and the second side, in ms.
    pub(super) left: [Option<u64>; 2],
    /// Increment of each clock per move, in ms.
    pub(super) increment: [u64; 2],
    /// Moves to the next time control.
    pub(super) moves_to_go: Option<u64>,
    /// Search until `stop`.
    pub(super) infinite: bool,
    /// Search in the opponent's time, until told that the expected move was played.
    pub(super) ponder: bool,
    /// Root moves to consider; empty for all.
    pub(super) only: Vec<String>,
}

impl UciCommand {
    /// Reads a line. Times come in units of `unit_ms` ms.
    ///
    /// # Errors
    /// When a known word has invalid arguments.
    pub(super) fn read(line: &str, dialect: Dialect, unit_ms: u64) -> Result<Self, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&first, rest)) = words.split_first() else { return Ok(Self::Nothing) };
        Ok(match first {
            "uci" | "ucci" => Self::Identify,
            "isready" => Self::Ready,
            "setoption" => set(rest, dialect)?,
            "ucinewgame" | "uccinewgame" => Self::NewGame,
            "position" => position(rest)?,
            // UCI-Cyclone omits `position`.
            "fen" | "startpos" => position(&words)?,
            "banmoves" => Self::Ban(owned(rest)),
            "probe" => match position(rest)? {
                Self::Position { state, moves } => Self::Probe { state, moves },
                other => other,
            },
            "go" => Self::Go(Go::read(rest, unit_ms)),
            "ponderhit" => Self::PonderHit,
            "stop" => Self::Stop,
            "d" => Self::Show,
            "quit" => Self::Quit,
            "debug" | "register" => Self::Nothing,
            unknown => return Err(format!("unknown command `{unknown}`")),
        })
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

fn set(words: &[&str], dialect: Dialect) -> Result<UciCommand, String> {
    let (name, value) = match (words, dialect) {
        (["name", rest @ ..], _) => {
            let at = rest.iter().position(|&word| word == "value").unwrap_or(rest.len());
            (rest[..at].join(" "), rest.get(at + 1..).unwrap_or_default().join(" "))
        }
        ([name, value @ ..], Dialect::Ucci) => ((*name).to_owned(), value.join(" ")),
        _ => return Err("expected `setoption name NAME value VALUE`".into()),
    };
    Ok(UciCommand::Set { name, value })
}

fn position(words: &[&str]) -> Result<UciCommand, String> {
    let expected = "expected `startpos` or `fen FEN`, optionally followed by `moves`";
    let (&kind, rest) = words.split_first().ok_or(expected)?;
    let at = rest.iter().position(|&word| word == "moves");
    let (state, moves) =
        (&rest[..at.unwrap_or(rest.len())], at.map_or(&[][..], |at| &rest[at + 1..]));
    let state = match kind {
        "startpos" if state.is_empty() => None,
        "fen" if !state.is_empty() => Some(state.join(" ")),
        _ => return Err(expected.into()),
    };
    Ok(UciCommand::Position { state, moves: owned(moves) })
}

/// Keywords of `go`; a list of moves ends before the next of them.
const KEYS: [&str; 21] = [
    "depth",
    "nodes",
    "mate",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "time",
    "increment",
    "opptime",
    "oppmovestogo",
    "oppincrement",
    "infinite",
    "ponder",
    "draw",
    "searchmoves",
    "perft",
    "multipv",
    "simulations",
];

impl Go {
    fn read(words: &[&str], unit_ms: u64) -> Result<Self, String> {
        let mut go = Self::default();
        let mut rest = words.iter();
        while let Some(&key) = rest.next() {
            match key {
                // UCCI also has `depth infinite`.
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "draw" => {}
                "searchmoves" => {
                    let moves = rest.as_slice().iter().take_while(|word| !KEYS.contains(word));
                    go.only = moves.map(|&word| word.to_owned()).collect();
                    rest = rest.as_slice()[go.only.len()..].iter();
                }
                _ if KEYS.contains(&key) => {
                    let word = rest.next().ok_or_else(|| format!("`{key}` needs a number"))?;
                    if (key, *word) == ("depth", "infinite") {
                        go.infinite = true;
                        continue;
                    }
                    let number: i64 = word
                        .parse()
                        .map_err(|_| format!("`{key}` needs a number, got `{word}`"))?;
                    // An expired clock may be given as a negative time.
                    go.take(key, number.max(0) as u64, unit_ms)?;
                }
                // Unknown words are skipped.
                _ => {}
            }
        }
        Ok(go)
    }

    fn take(&mut self, key: &str, number: u64, unit_ms: u64) -> Result<(), String> {
        let ms = number.saturating_mul(unit_ms);
        match key {
            "depth" => self.depth = Some(number),
            "nodes" => self.nodes = Some(number),
            "mate" => self.mate = Some(number),
            "movetime" => self.time = Some(ms),
            "wtime" => self.left[0] = Some(ms),
            "btime" => self.left[1] = Some(ms),
            "winc" => self.increment[0] = ms,
            "binc" => self.increment[1] = ms,
            "movestogo" => self.moves_to_go = Some(number),
            // UCCI gives the clock of the side to move, whichever that is.
            "time" => self.left = [Some(ms); 2],
            "increment" => self.increment = [ms; 2],
            "perft" | "multipv" | "simulations" => {
                return Err(format!("`go {key}` is not supported"));
            }
            _ => {}
        }
        Ok(())
    }

    /// True if only `stop` can end the search.
    pub(super) fn is_endless(&self) -> bool {
        let limits = [self.depth, self.nodes, self.mate, self.time, self.left[0], self.left[1]];
        self.infinite || limits.iter().all(Option::is_none)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> UciCommand {
        UciCommand::read(line, Dialect::Ucci, 1).expect("it can be read")
    }

    fn go(line: &str, unit_ms: u64) -> Go {
        match UciCommand::read(line, Dialect::Uci, unit_ms) {
            Ok(UciCommand::Go(Ok(go))) => go,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn a_position_is_a_state_of_any_number_of_words_and_moves() {
        let state = Some("4k4/9 w - - 0 1".to_owned());
        let moves = vec!["a0a1".to_owned(), "a9a8".to_owned()];
        let with_moves = UciCommand::Position { state: state.clone(), moves: moves.clone() };
        assert_eq!(read("position fen 4k4/9 w - - 0 1 moves a0a1 a9a8"), with_moves);
        assert_eq!(read("  fen  4k4/9 w - - 0 1  moves a0a1 a9a8 "), with_moves, "UCI-Cyclone");
        let start = UciCommand::Position { state: None, moves: vec![] };
        assert_eq!(read("position startpos"), start);
        assert_eq!(read("position startpos moves"), start);
        for wrong in ["position", "position fen", "position fen moves a0a1", "position a0a1"] {
            let refused = UciCommand::read(wrong, Dialect::Uci, 1).expect_err(wrong);
            assert!(refused.contains("`startpos` or `fen FEN`"), "{wrong}: {refused}");
        }
    }

    #[test]
    fn options_are_set_in_both_ways_of_speaking() {
        let set =
            |name: &str, value: &str| UciCommand::Set { name: name.into(), value: value.into() };
        assert_eq!(read("setoption name Clear Hash"), set("Clear Hash", ""));
        assert_eq!(read("setoption name Hash value 64"), set("Hash", "64"));
        assert_eq!(read("setoption hashsize 64"), set("hashsize", "64"));
        assert_eq!(read("setoption newgame"), set("newgame", ""));
        assert!(UciCommand::read("setoption Hash 64", Dialect::Uci, 1).is_err());
    }

    #[test]
    fn limits_are_read_in_their_units() {
        let uci = go("go wtime 60000 btime -5 winc 100 binc 200 movestogo 9", 1);
        assert_eq!((uci.left, uci.increment), ([Some(60_000), Some(0)], [100, 200]));
        assert_eq!(uci.moves_to_go, Some(9));
        let ucci = go("go ponder time 60 increment 2 opptime 3 oppincrement 1", 1_000);
        assert_eq!((ucci.left, ucci.increment), ([Some(60_000); 2], [2_000; 2]));
        assert!(ucci.ponder && !ucci.is_endless());
        let listed = go("go searchmoves a0a1 b0b1 depth 3", 1);
        assert_eq!((listed.only.len(), listed.depth), (2, Some(3)));
        assert!(go("go depth infinite", 1).is_endless() && go("go", 1).is_endless());
        for (wrong, why) in [("go depth", "needs a number"), ("go nodes x", "got `x`")] {
            let Ok(UciCommand::Go(Err(refused))) = UciCommand::read(wrong, Dialect::Uci, 1) else {
                panic!("{wrong} is read")
            };
            assert!(refused.contains(why), "{refused}");
        }
    }
}
