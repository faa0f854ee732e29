//! `bestmove pbrain`: gomoku by the protocol of the Gomocup tournament and of the manager piskvork.
//!
//! - `command`: what a manager says, read
//! - `terms`: what it sets by `INFO`: rules, clocks, limits
//! - `board`: the stones at hand
//! - `filling`: a board that is being read out
//! - `swap2`: the opening in which colours are chosen
//! - `message`: what is said of a search
//! - `session`: what all of them make of the game
//!
//! One thread reads, one searches, and one does everything else: it alone knows the state and it alone prints.
//! So whatever comes, even in the very moment in which a move is printed, finds a state that is complete.
// CITE: Gomocup protocol 2, Lastovicka 2003-2022; its extension by Yixin, Sun 2018.

mod board;
mod command;
mod filling;
mod message;
mod session;
mod swap2;
mod terms;

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::sync::mpsc::{Sender, channel};

use crate::catalog::answer::Answer;
use crate::cli::pipe;
use crate::cli::thinker::{Listener, Thinker};
use command::PbrainCommand;
use session::PbrainSession;

/// What happens to an engine.
enum Event {
    /// The manager says something.
    Line(String),
    /// It says nothing more.
    Closed,
    /// A search is over; `None` is one that has panicked.
    Found(Option<Box<Answer>>),
}

/// Hands on what a search finds.
struct Finder(Sender<Event>);

impl Listener for Finder {
    fn known(&self, _: &Answer, _: usize) {}

    fn found(&self, answer: Option<Answer>) {
        // Who has left needs no move.
        let _ = self.0.send(Event::Found(answer.map(Box::new)));
    }
}

/// Answers line by line until the manager says `END` or nothing more.
///
/// # Errors
/// When there is no thread.
pub(super) fn run(
    input: impl Read + Send + 'static,
    out: impl Write + Send + 'static,
) -> Result<(), String> {
    let (sender, inbox) = channel();
    let thinker = Thinker::new(Finder(sender.clone()))?;
    let reader = std::thread::Builder::new().name("read".into());
    let spawned = reader.spawn(move || read(input, &sender));
    spawned.map_err(|why| format!("no thread: {why}"))?;
    let mut session = PbrainSession::new(thinker, pipe::to(out));
    // What came during a search and can wait for its end.
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
            // Nobody waits for a long search.
            session.stop();
        }
    }
    Ok(())
}

/// Hands on every line. Who has left needs none.
fn read(input: impl Read, to: &Sender<Event>) {
    for line in pipe::lines(input) {
        if to.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = to.send(Event::Closed);
}
