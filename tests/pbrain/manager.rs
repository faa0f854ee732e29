//! A tournament manager with the engine it has started.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use bestmove::catalog::Catalog;
use bestmove::catalog::answer::PositionAnswer;
use serde_json::json;

/// A manager and its engine.
pub(crate) struct Manager {
    engine: Child,
    pub(crate) input: Option<ChildStdin>,
    pub(crate) output: BufReader<ChildStdout>,
}

impl Manager {
    /// An engine that has received these lines.
    pub(crate) fn new(lines: &[&str]) -> Self {
        let mut engine = Command::new(env!("CARGO_BIN_EXE_bestmove"));
        let engine = engine.arg("pbrain").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut engine = engine.expect("the program starts");
        let output = BufReader::new(engine.stdout.take().expect("it is piped"));
        let mut manager = Self { input: engine.stdin.take(), output, engine };
        lines.iter().for_each(|line| manager.say(line));
        manager
    }

    /// An engine at an empty board, fast and independent of the clock.
    pub(crate) fn at(size: u8) -> Self {
        let mut manager = Self::new(&["INFO max_node 200", "INFO timeout_turn 600000"]);
        assert_eq!(manager.ask(&format!("START {size}")), "OK");
        manager
    }

    pub(crate) fn say(&mut self, line: &str) {
        let input = self.input.as_mut().expect("it is open");
        write!(input, "{line}\r\n").expect("somebody reads");
    }

    /// The next line other than chatter.
    pub(crate) fn hear(&mut self) -> String {
        loop {
            let mut line = String::new();
            let bytes = self.output.read_line(&mut line).expect("UTF-8");
            assert!(bytes > 0, "the engine has ended");
            if !line.starts_with("MESSAGE ") {
                return line.trim_end().to_owned();
            }
        }
    }

    pub(crate) fn ask(&mut self, line: &str) -> String {
        self.say(line);
        self.hear()
    }

    /// Sends a whole board and returns the answer.
    pub(crate) fn board(&mut self, command: &str, stones: &[&str]) -> String {
        self.say(command);
        stones.iter().for_each(|stone| self.say(stone));
        self.ask("DONE")
    }

    /// Sends a line that has no answer, and proves that.
    pub(crate) fn tell(&mut self, line: &str) {
        self.say(line);
        assert!(self.ask("ABOUT").starts_with("name=\"bestmove\", version=\""), "{line}");
    }

    /// Closes the input and returns the remaining output.
    pub(crate) fn end(mut self) -> Vec<String> {
        self.input = None;
        let rest = self.output.by_ref().lines().collect::<Result<_, _>>().expect("UTF-8");
        assert!(self.engine.wait().expect("it ends").success());
        rest
    }
}

pub(crate) fn cell(line: &str) -> Option<(u8, u8)> {
    let (x, y) = line.split_once(',')?;
    Some((x.parse().ok()?, y.parse().ok()?))
}

pub(crate) fn position(size: u8, rules: &str, moves: &[(u8, u8)]) -> PositionAnswer {
    let names = moves.iter().map(|&(x, y)| format!("{}{}", char::from(b'a' + x), size - y));
    let question = json!({
        "game": "gomoku", "options": { "size": size, "rules": rules },
        "moves": names.collect::<Vec<_>>(),
    });
    let question = serde_json::from_value(question).expect("a question");
    Catalog::default().position(&question).expect("legal moves")
}

/// The cells of an answer to an opening.
pub(crate) fn cells(line: &str) -> Option<Vec<(u8, u8)>> {
    line.split(' ').map(cell).collect()
}
