//! `bestmove pbrain`: gomoku by the protocol of the Gomocup tournament and of the manager piskvork.
//!
//! - `command`: parser of manager commands
//! - `terms`: settings by `INFO`: rules, clocks, limits
//! - `board`: the stones on the board
//! - `board_input`: a board being read
//! - `swap2`: the opening with a choice of colours
//! - `message`: messages about a search
//! - `session`: state of the engine and execution of commands
//!
//! One thread reads, one searches, and one does everything else: it alone holds the state and prints, so
//! that any line, even one arriving while a move is printed, meets a complete state.
// CITE: Gomocup protocol 2, Lastovicka 2003-2022; its extension by Yixin, Sun 2018.

mod board;
mod board_input;
mod command;
mod message;
mod session;
mod swap2;
mod terms;

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::sync::mpsc::{Sender, channel};

use crate::lines;
use crate::thinker::{Listener, Thinker};
use catalog::answer::Answer;
use command::PbrainCommand;
use session::PbrainSession;

/// Events of an engine.
enum Event {
    /// A line from the manager.
    Line(String),
    /// End of input.
    Closed,
    /// End of a search; `None` if it has panicked.
    Found(Option<Box<Answer>>),
}

/// Forwards the results of searches.
struct Finder(Sender<Event>);

impl Listener for Finder {
    fn known(&self, _: &Answer, _: usize) {}

    fn found(&self, answer: Option<Answer>) {
        // A manager that has left needs no move.
        let _ = self.0.send(Event::Found(answer.map(Box::new)));
    }
}

/// Answers line by line until `END` or the end of input.
///
/// # Errors
/// When a thread cannot be started.
pub fn run(
    input: impl Read + Send + 'static,
    out: impl Write + Send + 'static,
) -> Result<(), String> {
    let (sender, inbox) = channel();
    let thinker = Thinker::new(Finder(sender.clone()))?;
    let reader = std::thread::Builder::new().name("read".into());
    let spawned = reader.spawn(move || read(input, &sender));
    spawned.map_err(|why| format!("cannot start a thread: {why}"))?;
    let mut session = PbrainSession::new(thinker, lines::to(out));
    // Lines deferred to the end of the search.
    let mut waiting = VecDeque::new();
    let mut is_closed = false;
    while !is_closed || session.is_thinking() {
        match inbox.recv().unwrap_or(Event::Closed) {
            Event::Line(line) => match PbrainCommand::read(&line) {
                Ok(PbrainCommand::End) => break,
                Ok(PbrainCommand::Stop) => session.stop(),
                _ => waiting.push_back(line),
            },
            Event::Closed => is_closed = true,
            Event::Found(answer) => session.found(answer),
        }
        while !session.is_thinking() {
            let Some(line) = waiting.pop_front() else { break };
            session.hear(&line);
        }
        if is_closed {
            // No manager is left to wait for a long search.
            session.stop();
        }
    }
    Ok(())
}

/// Forwards every line; a receiver that is gone needs none.
fn read(input: impl Read, to: &Sender<Event>) {
    for line in lines::lines(input) {
        if to.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = to.send(Event::Closed);
}
