//! Trains the evaluation networks: `play` self-play games into a file, `train` a network from it.
//!
//! - `samples`: positions of a file as active rows
//! - `model`: the network in floating point, with its gradients
//! - `policy`: its policy head
//! - `fit`: batches, threads and steps of Adam
//! - `file`: whole numbers, and the file that the engine reads

mod file;
mod fit;
mod model;
mod policy;
mod samples;
#[cfg(test)]
mod tests;

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use catalog::Catalog;
use games::genius::{GENIUS_HIDDEN, Genius, GeniusInput};
use games::gomoku::{GOMOKU_HIDDEN, Gomoku, GomokuInput};
use games::othello::{OTHELLO_HIDDEN, Othello, OthelloInput};
use games::xiangqi::{XIANGQI_HIDDEN, Xiangqi, XiangqiInput};
use lab::self_play::{Play, Practice, SelfPlayTerms};

/// Trainer of evaluation networks.
#[derive(Parser)]
struct Trainer {
    #[command(subcommand)]
    command: TrainerCommand,
}

#[derive(Subcommand)]
enum TrainerCommand {
    /// Play self-play games and append their positions to a file
    Play(PlaySettings),
    /// Train a network from the positions of a file
    Train(Train),
}

#[derive(Args)]
struct PlaySettings {
    /// Game, such as `othello`
    #[arg(long)]
    game: String,
    /// Games of these settings that the file shall hold: those it lacks are played
    #[arg(long, default_value_t = 1_000)]
    games: u64,
    /// Positions to visit per move
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seed; another seed gives other games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Settings by which games are played: the body of a question
    #[arg(long, value_name = "QUESTION", value_parser = question, default_value = "{}")]
    play: Play,
    /// Largest number of random moves at the beginning
    #[arg(long, default_value_t = 10)]
    opening: usize,
    /// Largest value of an opening for either side, in points of the rating; any if left out
    #[arg(long)]
    balanced: Option<f64>,
    /// Share of random moves after the opening, 0 to 1
    #[arg(long, default_value_t = 0.0, value_parser = share)]
    stray: f64,
    /// Threads
    #[arg(long, default_value_t = 1, value_parser = positive)]
    jobs: usize,
    /// Largest number of positions kept of a game
    #[arg(long, default_value_t = 100, value_parser = positive)]
    most: usize,
    /// Tell the best move of every position, too, for a network that orders moves
    #[arg(long)]
    moves: bool,
    /// Search the positions of this file again instead of playing games
    #[arg(long, conflicts_with_all = ["games", "opening", "balanced", "stray"])]
    rescore: Option<PathBuf>,
    /// Option of the game that receives a seed per game, for games with a dealt start; there are no random moves then
    #[arg(long, value_name = "OPTION")]
    deal: Option<String>,
    /// File that positions are appended to; the same command goes on where it ends
    #[arg(long)]
    samples: PathBuf,
}

/// Settings of a training.
#[derive(Args, Clone, Debug)]
struct Train {
    /// Game with a network: `genius`, `gomoku`, `othello` or `xiangqi`
    #[arg(long)]
    game: String,
    /// Files of positions, `state | result | score` a line, with the best move as `state | result | score | move`
    #[arg(long, num_args = 1.., required = true)]
    samples: Vec<PathBuf>,
    /// Passes over the positions
    #[arg(long, default_value_t = 20, value_parser = positive)]
    epochs: usize,
    /// Positions per step
    #[arg(long, default_value_t = 8_192, value_parser = positive)]
    batch: usize,
    /// First size of a step of Adam; it falls to a hundredth along half a cosine
    #[arg(long, default_value_t = 0.002)]
    rate: f32,
    /// Weight of the game's result against the score of the search, 0 to 1
    #[arg(long, default_value_t = 0.3)]
    blend: f32,
    /// Weight of the policy's loss against that of the value in the first layer
    #[arg(long, default_value_t = 0.02)]
    policy: f32,
    /// Seed of the first weights and of the order of positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; their number changes the last bits of the sums
    #[arg(long, default_value_t = 1, value_parser = positive)]
    jobs: usize,
    /// The network file to write
    #[arg(long)]
    write: PathBuf,
}

fn question(text: &str) -> Result<Play, String> {
    serde_json::from_str(text).map_err(|why| format!("expected an object in JSON: {why}"))
}

fn positive(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| "expected a whole number from 1".into())
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".into())
}

impl PlaySettings {
    fn run(&self) -> Result<(), String> {
        let catalog = Catalog::default();
        let game = catalog.game(&self.game).map_err(|why| why.to_string())?;
        let practice = Practice {
            terms: SelfPlayTerms {
                nodes: self.nodes,
                seed: self.seed,
                play: self.play.clone(),
                opening: [self.opening.min(4), self.opening],
                balanced: self.balanced,
                stray: self.stray,
                deal: self.deal.clone(),
                most_of_a_game: self.most,
                moves: self.moves,
            },
            games: self.games,
            jobs: self.jobs,
            samples: self.samples.clone(),
        };
        match &self.rescore {
            Some(from) => practice.rescore(from, &catalog, game, &mut std::io::stdout()),
            None => practice.run(&catalog, game, &mut std::io::stdout()),
        }
    }
}

impl Train {
    fn run(&self) -> Result<(), String> {
        match self.game.as_str() {
            "genius" => {
                fit::run::<Genius, GeniusInput, GENIUS_HIDDEN>(self, &mut std::io::stdout())
            }
            "gomoku" => {
                fit::run::<Gomoku, GomokuInput, GOMOKU_HIDDEN>(self, &mut std::io::stdout())
            }
            "othello" => {
                fit::run::<Othello, OthelloInput, OTHELLO_HIDDEN>(self, &mut std::io::stdout())
            }
            "xiangqi" => {
                fit::run::<Xiangqi, XiangqiInput, XIANGQI_HIDDEN>(self, &mut std::io::stdout())
            }
            other => Err(format!(
                "`{other}` has no network; expected genius, gomoku, othello or xiangqi"
            )),
        }
    }
}

impl TrainerCommand {
    fn run(&self) -> Result<(), String> {
        match self {
            Self::Play(play) => play.run(),
            Self::Train(train) => train.run(),
        }
    }
}

fn main() -> std::process::ExitCode {
    match Trainer::parse().command.run() {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(why) => {
            let mut errors = std::io::stderr();
            drop(writeln!(errors, "{why}"));
            std::process::ExitCode::FAILURE
        }
    }
}
