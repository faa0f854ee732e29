//! Messages about a search and the engine.

use crate::thinker::PANICKED;
use catalog::answer::{Answer, ScoreAnswer};

/// Messages about a search, and its move.
pub(super) fn heard(answer: Option<Box<Answer>>) -> (Vec<String>, Option<String>) {
    match answer {
        Some(answer) => (known(&answer), answer.best_move),
        None => (vec![PANICKED.to_owned()], None),
    }
}

/// Results of a search: of each rated move, or else of the best.
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

/// Score in words, after a space.
fn worth(score: &ScoreAnswer) -> String {
    let plies = score.plies().map_or(String::new(), |plies| format!(" in {plies}"));
    let value = score.value().map_or(String::new(), |value| format!(" {value}"));
    format!(" {}{plies}{value}", score.kind())
}

/// Description of the engine for `ABOUT`.
pub(super) fn about() -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "name=\"bestmove\", version=\"{version}\", author=\"the authors of bestmove\", country=\"international\", www=\"\""
    )
}
