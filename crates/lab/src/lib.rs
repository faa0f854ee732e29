//! The laboratory: matches between configurations, tuning and calibration of evaluations, studies of whole
//! state spaces, replays of recorded games, and a benchmark that is the program's signature.

pub mod bench;
mod calibrate;
mod jobs;
mod ladder;
mod matches;
mod plot;
mod progress;
mod replay;
mod review;
pub mod self_play;
mod study;
mod threads;
mod tune;

use std::io::Write;

use clap::Subcommand;

pub use jobs::{CommandJob, EndedItem, ItemTold, JobRunner};

/// A command of the laboratory.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a fixed set of searches: speed on this machine, and a signature of the behaviour
    Bench {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Play a match between two engines, each opening twice with the seats exchanged
    Match(matches::Match),
    /// Measure the levels of a game in Elo, or fit them so that each is as much stronger as the next
    Ladder(ladder::Ladder),
    /// Replay recorded games and compare every recorded state; exit status 0 if none differs
    Replay(replay::Replay),
    /// Review a game file: a rating for every move, a chart, a page, the file with comments
    Review(review::Review),
    /// Study a game as a whole
    Study {
        /// The study.
        #[command(subcommand)]
        study: study::Study,
    },
    /// Fit the weights of an evaluation to the results of self-play games
    Tune(tune::Tune),
    /// Measure how reliable shallow searches of a game are: win probabilities, R by depth, ProbCut rows
    Calibrate(calibrate::Calibrate),
}

impl Command {
    /// Runs the command and prints its results.
    ///
    /// # Errors
    /// A message for the user.
    pub fn run(&self, out: &mut (impl Write + Send), runner: &dyn JobRunner) -> Result<(), String> {
        match self {
            Self::Bench { json } => {
                bench::print(*json, out).map_err(|why| format!("cannot print: {why}"))
            }
            Self::Match(settings) => settings.run(out, runner),
            Self::Ladder(ladder) => ladder.run(out),
            Self::Replay(replay) => replay.run(out),
            Self::Review(review) => review.run(out),
            Self::Study { study } => study.run(out, runner),
            Self::Tune(tune) => tune.run(out, runner),
            Self::Calibrate(calibrate) => calibrate.run(out),
        }
    }
}
