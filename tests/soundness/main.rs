//! Random questions of every game and form, held against slow oracles.
//!
//! `cargo test --test soundness` asks some thousand; `BESTMOVE_QUESTIONS=1000000 cargo test --release --test
//! soundness` as many as one likes, and `BESTMOVE_SEED` asks others.

mod circles;
mod claims;
mod coherence;
mod history;
mod questions;
mod traces;
mod values;
mod visits;

use std::time::Instant;

use bestmove::SharedTable;
use bestmove::catalog::answer::Answer;
use bestmove::catalog::question::PositionQuestion;
use bestmove::catalog::{Allowance, Catalog, Context};
use serde_json::{Value, json};

/// A whole number from the environment.
fn setting(name: &str, default: u64) -> u64 {
    let read = |text: String| text.parse().unwrap_or_else(|why| panic!("{name}={text}: {why}"));
    std::env::var(name).map_or(default, read)
}

/// The service without HTTP: a catalog and a table that earlier questions have filled.
struct Service {
    catalog: Catalog,
    warm: SharedTable,
}

impl Service {
    fn new() -> Self {
        Self { catalog: Catalog::default(), warm: SharedTable::new(1 << 18) }
    }

    /// The answer to a question, with the table of earlier ones or an empty one.
    fn ask(&self, question: &Value, warm: bool) -> Answer {
        let cold = SharedTable::new(1 << 12);
        let shared = if warm { &self.warm } else { &cold };
        let parsed = serde_json::from_value(question.clone());
        let parsed = parsed.unwrap_or_else(|why| panic!("{why}: {question}"));
        let plan = self.catalog.plan(&parsed, &Allowance::unlimited(), Instant::now());
        let plan = plan.unwrap_or_else(|why| panic!("{why}: {question}"));
        (plan.run)(&Context::alone(shared))
    }

    /// Asserts that every line of an answer can be played in the game of its question, which has these
    /// options.
    fn assert_replays(&self, question: &Value, options: &Value, answer: &Answer) {
        let rated = answer.ratings.iter().map(|rated| &rated.principal_variation);
        for line in rated.chain([&answer.principal_variation]) {
            self.assert_playable(question, options, line);
        }
    }

    /// Asserts that these moves can be played in the game of a question, which has these options.
    fn assert_playable(&self, question: &Value, options: &Value, line: &[String]) {
        let mut moves = question["moves"].as_array().cloned().unwrap_or_default();
        moves.extend(line.iter().map(|mv| json!(mv)));
        let position = json!({
            "game": question["game"],
            "state": question["state"],
            "moves": moves,
            "options": options,
        });
        let position: PositionQuestion = serde_json::from_value(position).expect("it is one");
        if let Err(why) = self.catalog.position(&position) {
            panic!("{line:?} cannot be played: {why}; {question}");
        }
    }
}
