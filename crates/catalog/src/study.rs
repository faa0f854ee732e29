//! Studies of whole state spaces, for games with a numbered state space.

use serde_json::{Map, Value};

use engine::game::Indexed;
use engine::search::depth_study::{Census, DepthRow, StateSpace};
use engine::search::tablebase::Tablebase;
use games::notation::{OptionKind, Served, Settings, StateInput, take_options};

/// Errors of fixed-depth searches over a whole state space, for each evaluation of the game.
#[derive(Clone, Debug)]
pub struct DepthStudy {
    /// Number of positions by result.
    pub census: Census,
    /// Name and rows of each evaluation, depth 1 first.
    pub evaluations: Vec<(&'static str, Vec<DepthRow>)>,
}

/// Option of a game that selects the evaluation.
pub(super) const EVALUATION: &str = "evaluation";

/// Study of depths from 1 to `deepest`.
pub(super) fn depths<G: Served + Indexed>(deepest: u32) -> DepthStudy {
    let facts = G::facts();
    let words = facts.options.iter().find(|option| option.name == EVALUATION);
    let words = match words.map(|option| option.kind) {
        Some(OptionKind::Choice(words)) => words,
        _ => &["plain"],
    };
    let defaults = Settings::defaults(facts.options);
    let start = G::read(StateInput::Start, &defaults).expect("a game has a start position");
    let space = StateSpace::new(start.clone(), &Tablebase::build());
    let rows = |&word: &&'static str| {
        let mut given = Map::from_iter([(EVALUATION.to_owned(), Value::from(word))]);
        let settings = take_options(facts.options, &mut given);
        let evaluator = start.evaluator(&settings.expect("the word is one of the option's"));
        (word, space.rows(&evaluator, deepest))
    };
    DepthStudy { census: space.census(), evaluations: words.iter().map(rows).collect() }
}
