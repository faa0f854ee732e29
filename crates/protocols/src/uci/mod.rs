//! `bestmove uci` and `bestmove ucci`: an engine for graphical clients over standard input and output, by
//! the protocol of chess programs or by that of xiangqi programs, derived from it. Both play every game
//! with a text notation.
//!
//! - `command`: parser of client commands
//! - `dialect`: writer of engine output
//! - `options`: settable options
//! - `session`: state of the engine and execution of commands
// CITE: UCI, Kahlen and Meyer-Kahlen 2006; UCCI 3.0, xqbase 2007.

mod command;
mod dialect;
mod options;
mod session;

use std::io::{Read, Write};

use clap::Args;

use crate::lines;
use catalog::Calibrations;
use command::UciCommand;
pub use dialect::Dialect;
pub(crate) use options::EngineSettings;
use session::EngineSession;

/// An engine on standard input and output.
#[derive(Args, Clone, Debug)]
pub struct Engine {
    /// Game to play; clients may change it by the option UCI_Variant
    #[arg(long, default_value = "xiangqi")]
    game: String,

    #[command(flatten)]
    calibrations: Calibrations,
}

impl Engine {
    /// Answers line by line until `quit` or the end of input.
    ///
    /// # Errors
    /// When the game is unknown, or a thread cannot be started.
    pub fn run(
        &self,
        dialect: Dialect,
        input: impl Read,
        out: impl Write + Send + 'static,
    ) -> Result<(), String> {
        let mut session =
            EngineSession::new(dialect, self.calibrations.catalog()?, &self.game, out)?;
        for line in lines::lines(input) {
            match UciCommand::read(&line, dialect, session.unit_ms()) {
                Ok(UciCommand::Quit) => break,
                Ok(command) => session.obey(command),
                Err(why) => session.reject(&line, why),
            }
        }
        session.quit();
        Ok(())
    }
}
