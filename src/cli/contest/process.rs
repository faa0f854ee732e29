//! Another program as an engine: started, told of games, asked for moves, and ended with this value.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::config::External;
use super::cpu;
use crate::cli::engine::Dialect;

/// How long a program may take to start and to get ready.
const STARTING: Duration = Duration::from_secs(10);

/// Why a program lost a game, or cannot play at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// It has ended, or cannot be written to.
    Crash,
    /// It took too long.
    Timeout,
}

impl Failure {
    /// As a reason for the end of a game.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::Timeout => "timeout",
        }
    }
}

/// A program that runs.
pub(super) struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    /// The names of its options.
    options: Vec<String>,
}

impl Process {
    /// Starts a program and sets its options.
    ///
    /// # Errors
    /// When it cannot be started, does not speak the protocol or lacks an option.
    pub(super) fn start(config: &External) -> Result<Self, String> {
        let program = &config.command[0];
        let child = Command::new(program)
            .args(&config.command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut child = child.map_err(|why| format!("`{program}` cannot be started: {why}"))?;
        let input = child.stdin.take().expect("it is piped");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let (sender, lines) = channel();
        // Ends with the program, or when nobody listens any more.
        let listen = move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        };
        let thread = std::thread::Builder::new().name("listen".into()).spawn(listen);
        thread.map_err(|why| format!("no thread: {why}"))?;
        let mut process = Self { child, input, lines, options: Vec::new() };
        process.introduce(config).map_err(|why| format!("`{program}` {why}"))?;
        Ok(process)
    }

    fn introduce(&mut self, config: &External) -> Result<(), String> {
        let (hello, end) = match config.protocol {
            Dialect::Uci => ("uci", "uciok"),
            Dialect::Ucci => ("ucci", "ucciok"),
        };
        let no_answer = |why: Failure| format!("does not answer `{hello}` ({})", why.reason());
        self.say(hello).map_err(no_answer)?;
        let lines = self.hear(&[end], STARTING).map_err(no_answer)?;
        let name = |line: &String| {
            let (name, _) = line.strip_prefix("option ")?.split_once(" type ")?;
            Some(name.strip_prefix("name ").unwrap_or(name).to_owned())
        };
        self.options = lines.iter().filter_map(name).collect();
        for (name, value) in &config.options {
            if !self.has(name) {
                let known = self.options.join(", ");
                return Err(format!("has no option `{name}`; it has: {known}"));
            }
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let line = match config.protocol {
                Dialect::Uci => format!("setoption name {name} value {value}"),
                Dialect::Ucci => format!("setoption {name} {value}"),
            };
            self.say(&line).map_err(no_answer)?;
        }
        self.get_ready().map_err(|why| format!("does not get ready ({})", why.reason()))
    }

    fn has(&self, option: &str) -> bool {
        self.options.iter().any(|name| name.eq_ignore_ascii_case(option))
    }

    fn say(&mut self, line: &str) -> Result<(), Failure> {
        let said = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        said.map_err(|_| Failure::Crash)
    }

    /// The lines up to the first that begins with one of these words.
    fn hear(&self, words: &[&str], patience: Duration) -> Result<Vec<String>, Failure> {
        let end = Instant::now() + patience;
        let mut lines = Vec::new();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).map_err(|why| match why {
                RecvTimeoutError::Timeout => Failure::Timeout,
                RecvTimeoutError::Disconnected => Failure::Crash,
            })?;
            let first = line.split_whitespace().next().unwrap_or_default();
            let is_last = words.contains(&first);
            lines.push(line);
            if is_last {
                return Ok(lines);
            }
        }
    }

    fn get_ready(&mut self) -> Result<(), Failure> {
        self.say("isready")?;
        self.hear(&["readyok"], STARTING).map(drop)
    }

    /// Says that a new game begins.
    pub(super) fn new_game(&mut self, protocol: Dialect) -> Result<(), Failure> {
        let line = match protocol {
            Dialect::Uci => "ucinewgame",
            Dialect::Ucci if self.has("newgame") => "setoption newgame",
            // What Fairy-Stockfish says.
            Dialect::Ucci => "uccinewgame",
        };
        self.say(line)?;
        self.get_ready()
    }

    /// Asks for a move; `None` is that it knows none.
    pub(super) fn choose(
        &mut self,
        config: &External,
        state: &str,
        moves: &[String],
    ) -> Result<Option<String>, Failure> {
        let moves: Vec<_> = moves.iter().map(|mv| config.theirs(mv)).collect();
        let moves = match moves.is_empty() {
            true => String::new(),
            false => format!(" moves {}", moves.join(" ")),
        };
        // Some empty boards are written as nothing.
        let state = if state.is_empty() { "startpos".into() } else { format!("fen {state}") };
        self.say(&format!("position {state}{moves}"))?;
        self.say(&format!("go {}", config.go))?;
        let lines = self.hear(&["bestmove", "nobestmove"], config.patience())?;
        let last = lines.last().map_or("", String::as_str);
        let mv = last.strip_prefix("bestmove").and_then(|rest| rest.split_whitespace().next());
        Ok(mv.map(|mv| config.ours(mv)))
    }

    /// The processor time that it has used.
    pub(super) fn cpu(&self) -> Option<Duration> {
        cpu::of_process(self.child.id())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already; and who does not hear `quit` does not go on.
        let _ = self.say("quit");
        let _ = self.hear(&[], Duration::from_millis(100));
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
