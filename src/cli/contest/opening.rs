//! How games begin: by random moves, from states of a file, and not too lopsided.

use std::path::Path;
use std::time::Instant;

use serde_json::{Map, Value};

use super::player::Start;
use crate::catalog::question::{Budget, Question, Ratings, Whole};
use crate::catalog::{Allowance, AnyPosition, Catalog};
use crate::cli::alone;
use crate::game::Rng;

/// Openings that are drawn until one is balanced.
const TRIES: usize = 1_000;

/// How the games of a match begin.
#[derive(Debug)]
pub(in crate::cli) struct Openings {
    /// States to begin with in turn; none is the start that the configurations name.
    pub(in crate::cli) states: Vec<Value>,
    /// Random moves after that.
    pub(in crate::cli) plies: usize,
    /// Draws lopsided ones anew.
    pub(in crate::cli) balance: Option<Balance>,
}

/// What an opening must be that is not lopsided.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Balance {
    /// The most that it may be worth to a side, in the game's units.
    most: f64,
    /// Who judges that, but for the position.
    judge: Question,
}

impl Balance {
    /// At most so many units by a search of so many positions, with the method and the options of a
    /// question.
    pub(in crate::cli) fn new(most: f64, judge: Question, nodes: u64) -> Self {
        let judge = Question {
            budget: Budget { nodes: Some(Whole(nodes)), ..Budget::default() },
            deadline_ms: None,
            ratings: Ratings::None,
            threads: Whole(1),
            reproducible: true,
            ..judge
        };
        Self { most, judge }
    }
}

/// Reads states, one a line.
///
/// # Errors
/// When the file cannot be read or has none.
pub(super) fn states(path: &Path) -> Result<Vec<Value>, String> {
    let named = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
    let text = std::fs::read_to_string(path).map_err(|why| named(&why))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let states: Vec<_> = lines.map(Value::from).collect();
    if states.is_empty() { Err(named(&"there is no state in it")) } else { Ok(states) }
}

impl Openings {
    /// The state that a pair of games begins with, if not that of the configurations.
    pub(super) fn state(&self, pair: u64) -> Option<&Value> {
        let count = self.states.len().max(1) as u64;
        self.states.get((pair % count) as usize)
    }

    /// Draws the first moves of a game. `options` are those of the game.
    ///
    /// # Errors
    /// When the start is wrong, or no opening is balanced.
    pub(in crate::cli) fn draw(
        &self,
        catalog: &Catalog,
        start: &Start<'_>,
        options: &Map<String, Value>,
        rng: &mut Rng,
    ) -> Result<Vec<String>, String> {
        for _ in 0..TRIES {
            let (mut position, _) = start.open(catalog, options.clone())?;
            let mut moves = Vec::new();
            while moves.len() < self.plies {
                let Some(mv) = random(position.as_ref(), rng) else { break };
                position.play(&mv).map_err(|why| why.to_string())?;
                moves.push(mv);
            }
            let Some(balance) = &self.balance else { return Ok(moves) };
            if is_balanced(catalog, start, &moves, balance)? {
                return Ok(moves);
            }
        }
        Err(format!("of {TRIES} openings none is balanced; give a larger `--balanced`"))
    }
}

/// A random move or what chance brings; none when the game is over.
fn random(position: &dyn AnyPosition, rng: &mut Rng) -> Option<String> {
    position.roll(rng).or_else(|| {
        let mut moves = position.describe().legal_moves;
        let n = (!moves.is_empty()).then(|| rng.below(moves.len()))?;
        Some(moves.swap_remove(n))
    })
}

fn is_balanced(
    catalog: &Catalog,
    start: &Start<'_>,
    opening: &[String],
    Balance { most, judge }: &Balance,
) -> Result<bool, String> {
    let moves = [start.moves, opening].concat();
    let (position, options) =
        Start { moves: &moves, ..start.clone() }.open(catalog, judge.options.clone())?;
    let plan = position.plan(judge, options, &Allowance::unlimited(), Instant::now());
    let answer = alone::search(&plan.map_err(|why| why.to_string())?);
    let Some(score) = answer.score else { return Ok(false) };
    let value = score.value.as_ref().and_then(serde_json::Number::as_f64);
    match (score.kind, value) {
        ("draw", _) => Ok(true),
        ("heuristic", Some(value)) => Ok(value.abs() <= *most),
        ("win" | "loss", _) => Ok(false),
        (kind, _) => Err(format!(
            "`--balanced` needs a first engine that values positions in units; `{}` gives {kind}",
            answer.algorithm
        )),
    }
}
