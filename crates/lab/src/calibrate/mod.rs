//! `bestmove calibrate`: reliability of shallow search values, measured in games of self-play or of files.
//!
//! - the curve: win probability of a side by its value
//! - R by depth: 90 % quantile of a search's gain over the static evaluation; used by
//!   `Evaluator::razor_margin`
//! - ProbCut rows: deep value = a * shallow value + b + e
// CITE: Buro 1995, "ProbCut: an effective selective extension of the alpha-beta algorithm".

mod fit;
mod played;
mod recorded;
mod sheet;

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde_json::{Map, Value, json};

use self::played::PlayedGames;
use self::recorded::RecordedGames;
use crate::plot;
use crate::progress::CommandProgress;
use catalog::answer::{Answer, ScoreAnswer};
use catalog::methods;
use catalog::question::Question;
use catalog::{Allowance, AnyGame, AnyPosition, Calibrations};

/// Games and searches of a calibration.
#[derive(Args, Clone, Debug)]
pub struct Calibrate {
    /// Game whose searches value positions in its units
    #[arg(long)]
    game: String,

    /// Positions to search
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    positions: u64,

    /// Maximum search depth in plies; all lower depths are searched too
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,

    /// Positions to visit per move of the games
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Seed of the games; another seed gives other games, or other positions of the same files
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Option of the game that receives a seed per game, for games with a dealt start; there are no random
    /// moves then
    #[arg(long, value_name = "OPTION", conflicts_with = "records")]
    deal: Option<String>,

    /// Game files to take positions from, in place of self-play: those of other players, with their results
    #[arg(long = "files", value_name = "FILE", num_args = 1..)]
    records: Vec<PathBuf>,

    /// Positions of each game of the files, at random plies
    #[arg(long, default_value_t = 4, requires = "records")]
    per_game: usize,

    /// Plies at the beginning of each game of the files that are left out
    #[arg(long, default_value_t = 8, requires = "records")]
    skip: usize,

    /// Write the calibration to this file as JSON, for `--calibration`
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,

    /// Reliability diagram: the share of the points that were won over the share that was foretold
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    calibrations: Calibrations,
}

/// Switches of searches that rely on the calibration: off while measuring.
const RELYING: [&str; 5] = ["razor", "self_loss", "probcut", "futility", "reverse_futility"];

/// Games to measure positions of, one after another.
trait GameSource {
    /// Start of the next game; `None` after the last.
    fn begin(&mut self) -> Result<Option<Box<dyn AnyPosition>>, String>;

    /// True if this position of the game, where a side has a choice, is to be measured.
    fn takes(&mut self) -> bool;

    /// The move played in a position that is not final; `None` where the game breaks off.
    fn next(&mut self, position: &dyn AnyPosition) -> Result<Option<String>, String>;

    /// Result for the first side, 0 to 1, of a game that ends before the rules decide it.
    fn result(&self) -> f64;

    /// What the reader of the figures should know of the games.
    fn remark(&self) -> Option<String>;
}

/// Measurements of a position, for its mover, in the game's units.
struct Measured {
    is_first: bool,
    /// Search values by depth, the static evaluation first; `None` where the result is proved.
    values: Vec<Option<f64>>,
    /// Result predicted by the deepest search, 0 to 1.
    told: Option<f64>,
    /// The result of the game, 0 to 1; known at its end.
    result: f64,
}

impl Calibrate {
    /// Follows games, measures, prints and writes.
    ///
    /// # Errors
    /// When the game is unknown, a file cannot be read or has another game, the searches of self-play give no values
    /// in units, or the file cannot be written.
    pub(super) fn run(&self, out: &mut impl Write) -> Result<(), String> {
        let catalog = self.calibrations.catalog()?;
        let game = catalog.game(&self.game).map_err(|why| why.to_string())?;
        let mut source: Box<dyn GameSource + '_> = if self.records.is_empty() {
            Box::new(PlayedGames::new(self, &catalog, game))
        } else {
            Box::new(RecordedGames::new(self, &catalog)?)
        };
        let mut measured = Vec::new();
        let progress = CommandProgress::new(self.positions, "positions");
        while (measured.len() as u64) < self.positions {
            let wanted = self.positions as usize - measured.len();
            let Some(of_game) = self.follow(game, source.as_mut())? else { break };
            let before = measured.len();
            measured.extend(of_game.into_iter().take(wanted));
            progress.advance((measured.len() - before) as u64);
        }
        drop(progress);
        let sheet = sheet::Sheet::of(&measured, self.depth);
        if sheet.is_empty() && self.records.is_empty() {
            let name = game.name();
            return Err(format!("the searches of `{name}` give no values in units"));
        }
        let unprinted = |why| format!("cannot print: {why}");
        if let Some(remark) = source.remark() {
            writeln!(out, "{remark}").map_err(unprinted)?;
        }
        sheet.print(game.describe().value_unit, out).map_err(unprinted)?;
        let write = |path: &PathBuf, text: String| {
            std::fs::write(path, text).map_err(|why| format!("{}: {why}", path.display()))
        };
        if let Some(path) = &self.svg {
            write(path, plot::reliability(&self.game, &sheet.reliability())?)?;
        }
        let Some(path) = &self.write else { return Ok(()) };
        let record = json!({
            "game": self.game, "positions": self.positions, "seed": self.seed, "nodes": self.nodes,
            "unit": game.describe().value_unit, "measured": sheet.json(),
        });
        write(path, format!("{record:#}\n"))
    }

    /// Question to the game's best method with this budget.
    fn question(&self, game: &dyn AnyGame, budget: &Value) -> Question {
        let question = json!({
            "game": game.name(), "ratings": "none", "seed": self.seed, "budget": budget,
        });
        serde_json::from_value(question).expect("the question has the right shape")
    }

    /// Follows the next game and measures positions of it; `None` after the last.
    fn follow(
        &self,
        game: &dyn AnyGame,
        source: &mut dyn GameSource,
    ) -> Result<Option<Vec<Measured>>, String> {
        let Some(mut position) = source.begin()? else { return Ok(None) };
        let mut measured = Vec::new();
        while position.result().is_none() {
            if let Some(side) = position.side() {
                let said = position.describe();
                if said.legal_moves.len() > 1 && source.takes() {
                    let value = said.evaluation.as_ref().and_then(value);
                    measured.push(self.measure(game, position.as_ref(), side == 0, value)?);
                }
            }
            let Some(mv) = source.next(position.as_ref())? else { break };
            position.play(&mv).map_err(|why| why.to_string())?;
        }
        let result = position.result().unwrap_or_else(|| source.result());
        for one in &mut measured {
            one.result = if one.is_first { result } else { 1.0 - result };
        }
        Ok(Some(measured))
    }

    /// Searches a position at all depths, without the techniques that rely on the calibration.
    fn measure(
        &self,
        game: &dyn AnyGame,
        position: &dyn AnyPosition,
        is_first: bool,
        evaluation: Option<f64>,
    ) -> Result<Measured, String> {
        let method = methods::method(game.describe().default_algorithm).expect("it is listed");
        let relies = |name: &&str| method.options.iter().any(|option| option.name == *name);
        let off = RELYING.iter().filter(|name| relies(name));
        let options: Map<_, _> = off.map(|name| ((*name).to_owned(), Value::from(false))).collect();
        let (mut values, mut told) = (vec![evaluation], None);
        for depth in 1..=self.depth {
            let question = self.question(game, &json!({ "depth": depth }));
            let answer = search(position, &question, options.clone())?;
            values.push(answer.score.as_ref().and_then(value));
            told = answer.win_probability;
        }
        Ok(Measured { is_first, values, told, result: 0.5 })
    }
}

fn search(
    position: &dyn AnyPosition,
    question: &Question,
    options: Map<String, Value>,
) -> Result<Answer, String> {
    let plan = position.plan(question, options, &Allowance::unlimited(), Instant::now());
    Ok(arena::search::search(&plan.map_err(|why| why.to_string())?))
}

/// Heuristic value in units; `None` for a proof.
fn value(score: &ScoreAnswer) -> Option<f64> {
    score.value().filter(|_| score.kind() == "heuristic")
}
