//! Openings of games: random candidate moves, states from a file, and a filter for balance.

use std::path::Path;
use std::time::Instant;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::player::Start;
use crate::search;
use catalog::question::{BudgetQuestion, Question, Ratings, WholeNumber};
use catalog::{Allowance, AnyPosition, Catalog};
use engine::game::Rng;
use engine::search::Cancel;

/// Positions visited to judge an opening of a match, enough for a few plies.
pub const JUDGED_BY: u64 = 20_000;
/// Openings drawn until one is balanced.
const TRIES: usize = 1_000;

/// Openings of a match.
#[derive(Debug)]
pub struct Openings {
    /// Beginnings, used in turn; empty for the start of the configurations.
    pub beginnings: Vec<Beginning>,
    /// Random plies after that, among the evaluator's candidate moves.
    pub plies: usize,
    /// Criterion by which lopsided openings are redrawn.
    pub balance: Option<Balance>,
}

/// Beginning of a game, as read from a file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Beginning {
    /// A state; `None` for the start of the game.
    #[serde(default)]
    state: Option<Value>,
    /// Moves from there.
    #[serde(default)]
    moves: Vec<String>,
}

/// File of beginnings; further members are ignored.
#[derive(Deserialize)]
struct Book {
    openings: Vec<Beginning>,
}

/// Balance criterion of an opening.
#[derive(Clone, Debug)]
pub struct Balance {
    /// Largest value of the opening for either side, in the game's units.
    most: f64,
    /// Question that judges an opening, without its position.
    judge: Question,
    /// Ends the search for an opening.
    cancel: Cancel,
}

impl Balance {
    /// At most `most` units by a search of `nodes` positions, with the method and options of `judge`.
    pub fn new(most: f64, judge: Question, nodes: u64) -> Self {
        let judge = Question {
            budget: BudgetQuestion { nodes: Some(WholeNumber(nodes)), ..BudgetQuestion::default() },
            deadline_ms: None,
            ratings: Ratings::None,
            lines: None,
            threads: WholeNumber(1),
            reproducible: true,
            ..judge
        };
        Self { most, judge, cancel: Cancel::default() }
    }

    /// The same until this is cancelled.
    pub fn until(self, cancel: Cancel) -> Self {
        Self { cancel, ..self }
    }
}

/// Reads beginnings: states, one per line, or a book in JSON.
///
/// # Errors
/// When the file cannot be read or holds none.
pub fn read(path: &Path) -> Result<Vec<Beginning>, String> {
    let named = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
    let text = std::fs::read_to_string(path).map_err(|why| named(&why))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = |line: &str| Beginning { state: Some(line.into()), moves: Vec::new() };
    let beginnings = if text.trim_start().starts_with('{') {
        serde_json::from_str::<Book>(&text).map_err(|why| named(&why))?.openings
    } else {
        lines.map(line).collect()
    };
    if beginnings.is_empty() { Err(named(&"the file has no states")) } else { Ok(beginnings) }
}

impl Openings {
    fn of(&self, pair: u64) -> Option<&Beginning> {
        let count = self.beginnings.len().max(1) as u64;
        self.beginnings.get((pair % count) as usize)
    }

    /// State that a pair of games begins with; `None` for that of the configurations.
    pub fn state(&self, pair: u64) -> Option<&Value> {
        self.of(pair)?.state.as_ref()
    }

    /// Moves that a pair of games begins with.
    pub fn moves(&self, pair: u64) -> &[String] {
        self.of(pair).map_or(&[], |beginning| &beginning.moves)
    }

    /// Draws the first moves of a game after the `given` ones. `options` are those of the game.
    ///
    /// # Errors
    /// When the start is wrong, or no opening is balanced.
    pub fn draw(
        &self,
        catalog: &Catalog,
        start: &Start<'_>,
        given: &[String],
        options: &Map<String, Value>,
        rng: &mut Rng,
    ) -> Result<Vec<String>, String> {
        for _ in 0..TRIES {
            let (mut position, _) = start.open(catalog, options.clone())?;
            for (n, mv) in given.iter().enumerate() {
                position.play(mv).map_err(|why| why.under(n).under("moves").to_string())?;
            }
            let mut moves = given.to_vec();
            while moves.len() < given.len() + self.plies {
                let Some(mv) = random(position.as_ref(), rng) else { break };
                position.play(&mv).map_err(|why| why.to_string())?;
                moves.push(mv);
            }
            let Some(balance) = &self.balance else { return Ok(moves) };
            if is_balanced(catalog, start, &moves, balance)? {
                return Ok(moves);
            }
        }
        Err(format!("none of {TRIES} openings is balanced; try a larger `--balanced`"))
    }
}

/// Random candidate move, or random outcome of a chance node; `None` when the game is over.
fn random(position: &dyn AnyPosition, rng: &mut Rng) -> Option<String> {
    position.roll(rng).or_else(|| position.draw(rng))
}

fn is_balanced(
    catalog: &Catalog,
    start: &Start<'_>,
    opening: &[String],
    Balance { most, judge, cancel }: &Balance,
) -> Result<bool, String> {
    let moves = [start.moves, opening].concat();
    let (position, options) =
        Start { moves: &moves, ..start.clone() }.open(catalog, judge.options.clone())?;
    let plan = position.plan(judge, options, &Allowance::unlimited(), Instant::now());
    let plan = plan.map_err(|why| why.to_string())?;
    let answer = search::search_until(&plan, &search::Nothing, cancel)?;
    let Some(score) = answer.score else { return Ok(false) };
    let value = score.value();
    match (score.kind(), value) {
        ("draw", _) => Ok(true),
        ("heuristic" | "payoff", Some(value)) => Ok(value.abs() <= *most),
        // A short search has no value for some positions.
        ("win" | "loss" | "unknown", _) => Ok(false),
        (kind, _) => Err(format!(
            "`--balanced` needs a first engine with values in units; `{}` gives {kind}",
            answer.algorithm
        )),
    }
}
