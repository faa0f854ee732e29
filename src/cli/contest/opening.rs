//! How games begin: by random moves that are worth a look, from states of a file, and not too lopsided.

use std::path::Path;
use std::time::Instant;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::player::Start;
use crate::catalog::question::{Budget, Question, Ratings, WholeNumber};
use crate::catalog::{Allowance, AnyPosition, Catalog};
use crate::cli::alone;
use crate::game::Rng;

/// Openings that are drawn until one is balanced.
const TRIES: usize = 1_000;

/// How the games of a match begin.
#[derive(Debug)]
pub(in crate::cli) struct Openings {
    /// What games begin with in turn; none is the start that the configurations name.
    pub(in crate::cli) beginnings: Vec<Beginning>,
    /// Random moves after that, of those that the game's expert finds worth a look.
    pub(in crate::cli) plies: usize,
    /// Draws lopsided ones anew.
    pub(in crate::cli) balance: Option<Balance>,
}

/// What a file says that a game begins with.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(in crate::cli) struct Beginning {
    /// A state; none is the start of the game.
    #[serde(default)]
    state: Option<Value>,
    /// Moves from there.
    #[serde(default)]
    moves: Vec<String>,
}

/// A file of them, which may say more than is read here.
#[derive(Deserialize)]
struct Book {
    openings: Vec<Beginning>,
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
            budget: Budget { nodes: Some(WholeNumber(nodes)), ..Budget::default() },
            deadline_ms: None,
            ratings: Ratings::None,
            threads: WholeNumber(1),
            reproducible: true,
            ..judge
        };
        Self { most, judge }
    }
}

/// Reads what games begin with: states, one a line, or a book in JSON.
///
/// # Errors
/// When the file cannot be read or has none.
pub(super) fn read(path: &Path) -> Result<Vec<Beginning>, String> {
    let named = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
    let text = std::fs::read_to_string(path).map_err(|why| named(&why))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = |line: &str| Beginning { state: Some(line.into()), moves: Vec::new() };
    let beginnings = match text.trim_start().starts_with('{') {
        true => serde_json::from_str::<Book>(&text).map_err(|why| named(&why))?.openings,
        false => lines.map(line).collect(),
    };
    if beginnings.is_empty() { Err(named(&"there is no state in it")) } else { Ok(beginnings) }
}

impl Openings {
    fn of(&self, pair: u64) -> Option<&Beginning> {
        let count = self.beginnings.len().max(1) as u64;
        self.beginnings.get((pair % count) as usize)
    }

    /// The state that a pair of games begins with, if not that of the configurations.
    pub(super) fn state(&self, pair: u64) -> Option<&Value> {
        self.of(pair)?.state.as_ref()
    }

    /// The moves that it begins with.
    pub(super) fn moves(&self, pair: u64) -> &[String] {
        self.of(pair).map_or(&[], |beginning| &beginning.moves)
    }

    /// Draws the first moves of a game, after those that are `given`. `options` are those of the game.
    ///
    /// # Errors
    /// When the start is wrong, or no opening is balanced.
    pub(in crate::cli) fn draw(
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
        Err(format!("of {TRIES} openings none is balanced; give a larger `--balanced`"))
    }
}

/// A random move that is worth a look, or what chance brings; none when the game is over.
fn random(position: &dyn AnyPosition, rng: &mut Rng) -> Option<String> {
    position.roll(rng).or_else(|| position.draw(rng))
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
        // Of some positions a short search has nothing to say.
        ("win" | "loss" | "unknown", _) => Ok(false),
        (kind, _) => Err(format!(
            "`--balanced` needs a first engine that values positions in units; `{}` gives {kind}",
            answer.algorithm
        )),
    }
}
