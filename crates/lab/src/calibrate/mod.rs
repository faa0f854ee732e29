//! `bestmove calibrate`: reliability of shallow search values, measured in self-play games.
//!
//! - the curve: win probability of a side by its value
//! - R by depth: 90 % quantile of a search's gain over the static evaluation; used by
//!   `Evaluator::razor_margin`
//! - ProbCut rows: deep value = a * shallow value + b + e
// CITE: Buro 1995, "ProbCut: an effective selective extension of the alpha-beta algorithm".

mod fit;
mod sheet;

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde_json::{Map, Value, json};

use crate::matches::opening::Openings;
use crate::matches::player::Start;
use crate::run_plan;
use catalog::answer::{Answer, ScoreAnswer};
use catalog::methods;
use catalog::question::Question;
use catalog::{Allowance, AnyGame, AnyPosition, Catalog};
use engine::game::{Rng, zobrist};

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

    /// Seed of the games; another seed gives other games
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Option of the game that receives a seed per game, for games with a dealt start; there are no random
    /// moves then
    #[arg(long, value_name = "OPTION")]
    deal: Option<String>,

    /// Write the calibration to this file as JSON, for `--calibration`
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// Sampling interval: one choice of a game in this many is measured, as neighbours say much the same.
const ONE_OF: usize = 8;
/// Random moves at the beginning of games without a deal.
const OPENING: usize = 8;
/// Plies after which a game ends without a winner.
const CHOICES: usize = 400;
/// Switches of searches that rely on the calibration: off while measuring.
const RELYING: [&str; 5] = ["razor", "self_loss", "probcut", "futility", "reverse_futility"];

/// Measurements of a position, for its mover, in the game's units.
struct Measured {
    side: &'static str,
    /// Search values by depth, the static evaluation first; `None` where the result is proved.
    values: Vec<Option<f64>>,
    /// Result predicted by the deepest search, 0 to 1.
    told: Option<f64>,
    /// The result of the game, 0 to 1; known at its end.
    result: f64,
}

impl Calibrate {
    /// Plays, measures, prints and writes.
    ///
    /// # Errors
    /// When the game is unknown, its searches give no values in units, or the file cannot be written.
    pub(super) fn run(&self, out: &mut impl Write) -> Result<(), String> {
        let catalog = Catalog::default();
        let game = catalog.game(&self.game).map_err(|why| why.to_string())?;
        let mut measured = Vec::new();
        for number in 0.. {
            if measured.len() as u64 >= self.positions {
                break;
            }
            let wanted = self.positions as usize - measured.len();
            measured.extend(self.play(&catalog, game, number)?.into_iter().take(wanted));
        }
        let sheet = sheet::Sheet::of(&measured, self.depth);
        if sheet.is_empty() {
            let name = game.name();
            return Err(format!("the searches of `{name}` give no values in units"));
        }
        sheet
            .print(game.describe().value_unit, out)
            .map_err(|why| format!("cannot print: {why}"))?;
        let Some(path) = &self.write else { return Ok(()) };
        let record = json!({
            "game": self.game, "positions": self.positions, "seed": self.seed, "nodes": self.nodes,
            "unit": game.describe().value_unit, "measured": sheet.json(),
        });
        std::fs::write(path, format!("{record:#}\n"))
            .map_err(|why| format!("{}: {why}", path.display()))
    }

    /// Question to the game's best method with this budget.
    fn question(&self, game: &dyn AnyGame, budget: &Value) -> Question {
        let question = json!({
            "game": game.name(), "ratings": "none", "seed": self.seed, "budget": budget,
        });
        serde_json::from_value(question).expect("the question has the right shape")
    }

    /// Plays the game with this number and measures a sample of its positions.
    fn play(
        &self,
        catalog: &Catalog,
        game: &dyn AnyGame,
        number: u64,
    ) -> Result<Vec<Measured>, String> {
        let mut rng = Rng::new(zobrist::mix(self.seed ^ zobrist::mix(number)));
        let deal = |name: &String| (name.clone(), Value::from(rng.clone().bits() >> 32));
        let start = Start {
            game: game.name(),
            state: None,
            moves: &[],
            options: self.deal.iter().map(deal).collect(),
        };
        let (mut position, _) = start.open(catalog, Map::new())?;
        if self.deal.is_none() {
            let plies = rng.below(OPENING);
            let openings = Openings { beginnings: Vec::new(), plies, balance: None };
            for mv in openings.draw(catalog, &start, &[], &Map::new(), &mut rng)? {
                position.play(&mv).map_err(|why| why.to_string())?;
            }
        }
        let question = self.question(game, &json!({ "nodes": self.nodes }));
        let mut measured = Vec::new();
        let mut winner = None;
        for _ in 0..CHOICES {
            while let Some(luck) = position.roll(&mut rng) {
                position.play(&luck).map_err(|why| why.to_string())?;
            }
            let said = position.describe();
            if let Some(outcome) = said.outcome {
                winner = Some(outcome.result);
                break;
            }
            if said.legal_moves.len() > 1 && rng.below(ONE_OF) == 0 {
                let side = said.side_to_move.unwrap_or_default();
                let value = said.evaluation.as_ref().and_then(value);
                measured.push(self.measure(game, position.as_ref(), side, value)?);
            }
            let answer = search(position.as_ref(), &question, Map::new())?;
            let mv = answer.best_move.ok_or("the search found no move")?;
            position.play(&mv).map_err(|why| why.to_string())?;
        }
        let sides = game.describe().sides;
        let decided = winner.filter(|winner| sides.contains(&winner.as_str()));
        for one in &mut measured {
            one.result = decided.as_ref().map_or(0.5, |won| f64::from(u8::from(won == one.side)));
        }
        Ok(measured)
    }

    /// Searches a position at all depths, without the techniques that rely on the calibration.
    fn measure(
        &self,
        game: &dyn AnyGame,
        position: &dyn AnyPosition,
        side: &'static str,
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
        Ok(Measured { side, values, told, result: 0.5 })
    }
}

fn search(
    position: &dyn AnyPosition,
    question: &Question,
    options: Map<String, Value>,
) -> Result<Answer, String> {
    let plan = position.plan(question, options, &Allowance::unlimited(), Instant::now());
    Ok(run_plan::search(&plan.map_err(|why| why.to_string())?))
}

/// Heuristic value in units; `None` for a proof.
fn value(score: &ScoreAnswer) -> Option<f64> {
    score.value().filter(|_| score.kind() == "heuristic")
}
