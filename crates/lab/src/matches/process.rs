//! Child process of an external engine: started, told of games, asked for moves, and ended on drop.

use std::io::Write;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::config::{External, Protocol};
use super::pbrain::Goban;
use super::{cpu, gtp, pbrain};
use protocols::lines;

/// Time limit for a program to start and get ready.
pub(super) const STARTING: Duration = Duration::from_secs(10);

/// Reason for a program's loss of a game or its failure to play at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProcessFailure {
    /// It has exited, or its input is closed.
    Crash,
    /// It has exceeded the time limit.
    Timeout,
}

impl ProcessFailure {
    /// Reason for the end of a game, as in records.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::Timeout => "timeout",
        }
    }
}

/// Course of a game, as told to programs.
#[derive(Default)]
pub(super) struct ExternalGame {
    /// State that the game began with.
    pub(super) state: String,
    /// The same as a board of stones, for programs told of stones.
    pub(super) goban: Option<Goban>,
    /// Moves since then.
    pub(super) moves: Vec<String>,
}

/// A running program.
pub(super) struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    /// Names of its options.
    options: Vec<String>,
    /// Command that ends it.
    farewell: &'static str,
    /// Time of its last move.
    moved: Option<Instant>,
    /// Number of stones, by GTP of moves, that it knows of this game.
    pub(super) told: Option<usize>,
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
        let output = child.stdout.take().expect("it is piped");
        let (sender, lines) = channel();
        // Ends with the program, or when the receiver is gone.
        let listen = move || {
            for line in lines::lines(output) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        };
        let thread = std::thread::Builder::new().name("listen".into()).spawn(listen);
        thread.map_err(|why| format!("cannot start a thread: {why}"))?;
        let farewell = if config.protocol == Protocol::Pbrain { "END" } else { "quit" };
        let mut process =
            Self { child, input, lines, options: Vec::new(), farewell, moved: None, told: None };
        process.introduce(config).map_err(|why| format!("`{program}` {why}"))?;
        Ok(process)
    }

    fn introduce(&mut self, config: &External) -> Result<(), String> {
        let (hello, end) = match config.protocol {
            Protocol::Uci => ("uci", "uciok"),
            Protocol::Ucci => ("ucci", "ucciok"),
            // The protocol has no introduction.
            Protocol::Pbrain => return Ok(()),
            Protocol::Gtp => return gtp::introduce(self, config),
        };
        let no_answer =
            |why: ProcessFailure| format!("does not answer `{hello}` ({})", why.reason());
        self.say(hello).map_err(no_answer)?;
        let lines = self.hear(starts(&[end]), STARTING).map_err(no_answer)?;
        let name = |line: &String| {
            let (name, _) = line.strip_prefix("option ")?.split_once(" type ")?;
            Some(name.strip_prefix("name ").unwrap_or(name).to_owned())
        };
        self.options = lines.iter().filter_map(name).collect();
        for (name, value) in &config.options {
            if !self.has(name) {
                let known = self.options.join(", ");
                return Err(format!("has no option `{name}`; known: {known}"));
            }
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let line = match config.protocol {
                Protocol::Ucci => format!("setoption {name} {value}"),
                _ => format!("setoption name {name} value {value}"),
            };
            self.say(&line).map_err(no_answer)?;
        }
        self.get_ready().map_err(|why| format!("does not get ready ({})", why.reason()))
    }

    fn has(&self, option: &str) -> bool {
        self.options.iter().any(|name| name.eq_ignore_ascii_case(option))
    }

    pub(super) fn say(&mut self, lines: &str) -> Result<(), ProcessFailure> {
        let said = writeln!(self.input, "{lines}").and_then(|()| self.input.flush());
        said.map_err(|_| ProcessFailure::Crash)
    }

    /// Lines up to and including the first that satisfies `is_last`.
    pub(super) fn hear(
        &self,
        is_last: impl Fn(&str) -> bool,
        patience: Duration,
    ) -> Result<Vec<String>, ProcessFailure> {
        let end = Instant::now() + patience;
        let mut lines = Vec::new();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).map_err(|why| match why {
                RecvTimeoutError::Timeout => ProcessFailure::Timeout,
                RecvTimeoutError::Disconnected => ProcessFailure::Crash,
            })?;
            let ends = is_last(&line);
            lines.push(line);
            if ends {
                return Ok(lines);
            }
        }
    }

    fn get_ready(&mut self) -> Result<(), ProcessFailure> {
        self.say("isready")?;
        self.hear(starts(&["readyok"]), STARTING).map(drop)
    }

    /// Announces a new game.
    pub(super) fn new_game(
        &mut self,
        config: &External,
        goban: Option<&Goban>,
    ) -> Result<(), ProcessFailure> {
        self.rest(config);
        let line = match (config.protocol, goban) {
            (Protocol::Gtp, _) => return gtp::new_game(self),
            (_, Some(goban)) => return pbrain::new_game(self, config, goban),
            (Protocol::Ucci, _) if self.has("newgame") => "setoption newgame",
            // Fairy-Stockfish's command.
            (Protocol::Ucci, _) => "uccinewgame",
            _ => "ucinewgame",
        };
        self.say(line)?;
        self.get_ready()
    }

    /// Waits until the program listens again after its last move.
    pub(super) fn rest(&mut self, config: &External) {
        if let Some(moved) = self.moved.take() {
            std::thread::sleep(config.pause().saturating_sub(moved.elapsed()));
        }
    }

    /// Asks for a move; `None` if the program has none.
    pub(super) fn choose(
        &mut self,
        config: &External,
        game: &ExternalGame,
    ) -> Result<Option<String>, ProcessFailure> {
        let chosen = match (config.protocol, &game.goban) {
            (Protocol::Gtp, _) => gtp::choose(self, config, &game.moves),
            (_, Some(goban)) => pbrain::choose(self, config, goban, &game.moves).map(Some),
            _ => self.go(config, &game.state, &game.moves),
        };
        self.moved = Some(Instant::now());
        chosen
    }

    fn go(
        &mut self,
        config: &External,
        state: &str,
        moves: &[String],
    ) -> Result<Option<String>, ProcessFailure> {
        let moves: Vec<_> = moves.iter().map(|mv| config.theirs(mv)).collect();
        let moves =
            if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        // Some empty boards have an empty notation.
        let state = if state.is_empty() { "startpos".into() } else { format!("fen {state}") };
        self.say(&format!("position {state}{moves}"))?;
        self.say(&format!("go {}", config.go))?;
        let lines = self.hear(starts(&["bestmove", "nobestmove"]), config.patience())?;
        let last = lines.last().map_or("", String::as_str);
        let mv = last.strip_prefix("bestmove").and_then(|rest| rest.split_whitespace().next());
        Ok(mv.map(|mv| config.ours(mv)))
    }

    /// Processor time used by the program so far.
    pub(super) fn cpu(&self) -> Option<Duration> {
        cpu::of_process(self.child.id())
    }
}

/// True if a line begins with one of these words.
fn starts<'a>(words: &'a [&str]) -> impl Fn(&str) -> bool + 'a {
    |line| line.split_whitespace().next().is_some_and(|first| words.contains(&first))
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have exited already, in which case the write fails.
        let _ = self.say(self.farewell);
        let _ = self.hear(|_| false, Duration::from_millis(100));
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
