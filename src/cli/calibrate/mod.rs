//! `bestmove calibrate`: how far values of shallow searches are to be trusted, measured in games that the
//! program plays with itself.
//!
//! - the curve: how often a side wins that stands at a value
//! - R by depth: what a search finds beyond the evaluation, nine times in ten at most; what `Evaluator::razor_margin`
//!   says
//! - ProbCut rows: deep value = a * shallow value + b + e
// CITE: Buro 1995, "ProbCut: an effective selective extension of the alpha-beta algorithm".

mod fit;
mod sheet;

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde_json::{Map, Value, json};

use super::alone;
use super::contest::opening::Openings;
use super::contest::player::Start;
use crate::catalog::answer::{Answer, ScoreAnswer};
use crate::catalog::methods;
use crate::catalog::question::Question;
use crate::catalog::{Allowance, AnyGame, AnyPosition, Catalog};
use crate::game::{Rng, zobrist};

/// What is played and searched.
#[derive(Args, Clone, Debug)]
pub(super) struct Calibrate {
    /// A game whose searches value positions in its units
    #[arg(long)]
    game: String,

    /// Positions to search
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    positions: u64,

    /// The deepest search, in plies; all depths before it are searched too
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,

    /// Positions to visit for each move of the games
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Seed of the games: with another seed they are other games
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Option of the game that gets a seed for each game, for games whose start is dealt; there are no random moves
    /// then
    #[arg(long, value_name = "OPTION")]
    deal: Option<String>,

    /// Write what was measured to this file as JSON, which `--calibration` loads
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// Of so many choices of a game one is measured: neighbours say much the same.
const ONE_OF: usize = 8;
/// Random moves at the beginning of games that are not dealt.
const OPENING: usize = 8;
/// Nobody wins a game in which players move more often.
const CHOICES: usize = 400;
/// Switches of searches that rely on what is measured here: off while it is measured.
const RELYING: [&str; 5] = ["razor", "self_loss", "probcut", "futility", "reverse_futility"];

/// What was found out about a position, for its mover, in the game's units.
struct Measured {
    side: &'static str,
    /// By depth, the evaluation first; `None` where the result is proved.
    values: Vec<Option<f64>>,
    /// What the deepest search says of the result, 0 to 1.
    told: Option<f64>,
    /// The result of the game, 0 to 1; known at its end.
    result: f64,
}

impl Calibrate {
    /// Plays, measures, prints and writes.
    ///
    /// # Errors
    /// When there is no such game, its searches give no values in units, or the file cannot be written.
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
            return Err(format!(
                "the searches of `{name}` give no values in units: there is nothing to measure"
            ));
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

    /// The question with this budget to the game's best method.
    fn question(&self, game: &dyn AnyGame, budget: &Value) -> Question {
        let question = json!({
            "game": game.name(), "ratings": "none", "seed": self.seed, "budget": budget,
        });
        serde_json::from_value(question).expect("the question has the right shape")
    }

    /// Plays the game with this number and measures some of its positions.
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

    /// Searches a position at all depths, with nothing that relies on what is to be found out.
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
    Ok(alone::search(&plan.map_err(|why| why.to_string())?))
}

/// What is said in units, and no proof.
fn value(score: &ScoreAnswer) -> Option<f64> {
    score.value.as_ref().filter(|_| score.kind == "heuristic")?.as_f64()
}
