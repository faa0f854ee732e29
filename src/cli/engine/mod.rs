//! `bestmove uci` and `bestmove ucci`: an engine that a graphical client talks to over standard input and
//! output, by the protocol of chess programs or by that of xiangqi programs, which grew out of it. Both
//! play every game that has a text notation.
//!
//! - `command`: what a client says, read
//! - `dialect`: what the engine says, written
//! - `options`: what a client may set
//! - `session`: what all of them make of the game at hand
// CITE: UCI, Kahlen and Meyer-Kahlen 2006; UCCI 3.0, xqbase 2007.

mod command;
mod dialect;
mod options;
mod session;

use std::io::{BufRead, Write};

use clap::Args;

use crate::config::Calibrations;
use command::UciCommand;
pub(in crate::cli) use dialect::Dialect;
pub(in crate::cli) use options::EngineSettings;
use session::EngineSession;

/// An engine on standard input and output.
#[derive(Args, Clone, Debug)]
pub(super) struct Engine {
    /// The game to play; a client may change it by the option UCI_Variant
    #[arg(long, default_value = "xiangqi")]
    game: String,

    #[command(flatten)]
    calibrations: Calibrations,
}

impl Engine {
    /// Answers line by line until the client says `quit` or nothing more.
    ///
    /// # Errors
    /// When there is no such game, no thread, or nothing can be read.
    pub(super) fn run(
        &self,
        dialect: Dialect,
        input: impl BufRead,
        out: impl Write + Send + 'static,
    ) -> Result<(), String> {
        let mut session =
            EngineSession::new(dialect, self.calibrations.catalog()?, &self.game, out)?;
        for line in input.lines() {
            let line = line.map_err(|why| format!("cannot read: {why}"))?;
            match UciCommand::read(&line, dialect, session.unit_ms()) {
                Ok(UciCommand::Quit) => break,
                Ok(command) => session.obey(command),
                Err(why) => session.complain(&why),
            }
        }
        session.quit();
        Ok(())
    }
}
