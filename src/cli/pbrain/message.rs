//! What is said of a search and of the engine.

use crate::catalog::answer::{Answer, ScoreAnswer};
use crate::cli::thinker::PANICKED;

/// What is to be said of a search, and the move that it has found.
pub(super) fn heard(answer: Option<Box<Answer>>) -> (Vec<String>, Option<String>) {
    match answer {
        Some(answer) => (known(&answer), answer.best_move),
        None => (vec![PANICKED.to_owned()], None),
    }
}

/// What a search knows, of each move that it has rated or else of the best.
fn known(answer: &Answer) -> Vec<String> {
    let stats = &answer.stats;
    let figures = format!("depth {} nodes {} time {}", stats.depth, stats.nodes, stats.time_ms);
    let whole = (answer.score.as_ref(), &answer.principal_variation);
    let rated = answer.ratings.iter().map(|rated| (Some(&rated.score), &rated.principal_variation));
    let lines = if answer.ratings.is_empty() { vec![whole] } else { rated.collect() };
    let line = |(n, (score, moves)): (usize, (Option<&_>, &Vec<String>))| {
        let score = score.map_or(String::new(), worth);
        format!("{}: {figures}{score} pv {}", n + 1, moves.join(" "))
    };
    lines.into_iter().enumerate().map(line).collect()
}

/// A score in words, with a space before it.
fn worth(score: &ScoreAnswer) -> String {
    let plies = score.plies.map_or(String::new(), |plies| format!(" in {plies}"));
    let value = score.value.as_ref().map_or(String::new(), |value| format!(" {value}"));
    format!(" {}{plies}{value}", score.kind)
}

/// The engine, as `ABOUT` asks for it.
pub(super) fn about() -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "name=\"bestmove\", version=\"{version}\", author=\"the authors of bestmove\", country=\"international\", www=\"\""
    )
}
