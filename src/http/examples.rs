//! Examples of the contract: real questions with their real answers.

use std::collections::BTreeMap;
use std::time::Instant;

use catalog::question::{PositionQuestion, Question};
use catalog::{Allowance, Catalog, Context, Refusal};
use engine::SharedTable;
use job_queue::{JobState, JobStatus};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use utoipa::Modify;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::{Content, OpenApi as Contract, RefOr};

use super::events::StreamEvent;
use super::handlers::{Health, INDEX};
use crate::jobs::JobAnswer;
use crate::problem::ProblemKind;

/// Sets the examples of all operations.
pub(super) struct Examples;

impl Modify for Examples {
    fn modify(&self, contract: &mut Contract) {
        let asked = asked();
        for (path, item) in &mut contract.paths.paths {
            let PathItem { get, post, delete, .. } = item;
            if let (Some(post), Some((question, answer))) = (post, asked.get(path.as_str())) {
                set_question(post, question);
                set_answer(post, answer);
            }
            let answer = told(path);
            get.iter_mut().chain(delete).for_each(|operation| set_answer(operation, &answer));
        }
    }
}

/// A question and its answer for each path that is asked by a POST.
fn asked() -> BTreeMap<&'static str, (Value, Value)> {
    let catalog = Catalog::default();
    let question = json!({
        "game": "tictactoe", "moves": ["b2", "a1"], "budget": { "depth": 9 }, "ratings": 2, "reproducible": true,
    });
    let answer = json!(best_move(&catalog, &read(&question)).expect("it is legal"));
    let batch = json!({ "questions": [question] });
    let answers = json!({ "answers": [{ "status": 200, "answer": answer }] });
    let position = json!({ "game": "tictactoe", "moves": ["b2", "a1"] });
    let described = catalog.position(&read::<PositionQuestion>(&position)).expect("it is legal");
    let file = json!({ "game": "connect4", "text": "4453" });
    let games = catalog.game_files(&read(&file)).expect("it is a file");
    let game = json!({
        "game": "tictactoe", "moves": ["b2", "a2"], "budget": { "depth": 9 }, "reproducible": true,
    });
    let mut played = game.clone();
    (played["moves"], played["move"]) = (json!(["b2"]), json!("a2"));
    BTreeMap::from([
        ("/v1/bestmove", (question.clone(), answer.clone())),
        ("/bestmove", (question, answer)),
        ("/v1/batch", (batch.clone(), answers)),
        ("/v1/position", (position, json!(described))),
        ("/v1/game-files", (file, json!(games))),
        ("/v1/review", (game.clone(), reviewed(&catalog, &game))),
        ("/v1/rate", (played.clone(), rated(&catalog, &played))),
        ("/v1/jobs", (json!({ "kind": "batch", "body": batch }), job())),
    ])
}

/// What a path tells who gets it.
fn told(path: &str) -> Value {
    let catalog = Catalog::default();
    let game = || json!(catalog.game("tictactoe").expect("it is known").describe());
    match path {
        "/" => json!(INDEX),
        "/version" => json!({ "version": env!("CARGO_PKG_VERSION"), "commit": "4f1c2d9" }),
        "/problems/{kind}" => json!(ProblemKind::at("/problems/illegal-move").ok()),
        "/healthz" | "/livez" | "/readyz" => json!(Health::OK),
        "/metrics" => json!("bestmove_slots 2\n"),
        "/v1/games" => json!({ "games": [game()] }),
        "/v1/games/{game}" => game(),
        "/v1/algorithms" => {
            let algorithms = catalog.algorithms_in(catalog::info::Language::English);
            json!({ "algorithms": algorithms.iter().take(1).collect::<Vec<_>>() })
        }
        "/v1/jobs" => json!({ "jobs": [job()] }),
        "/v1/jobs/{id}" => job(),
        "/v1/jobs/{id}/result" => json!({ "answers": [] }),
        // The document itself.
        _ => json!({ "openapi": "3.1.0" }),
    }
}

fn read<T: DeserializeOwned>(question: &Value) -> T {
    serde_json::from_value(question.clone()).expect("it is one")
}

/// Answer to a question with a small budget.
fn best_move(catalog: &Catalog, question: &Question) -> Result<catalog::answer::Answer, Refusal> {
    let plan = catalog.plan(question, &Allowance::unlimited(), Instant::now())?;
    Ok((plan.run)(&Context::alone(&SharedTable::new(1))))
}

fn reviewed(catalog: &Catalog, game: &Value) -> Value {
    let plan = catalog.plan_review(&read(game)).expect("it is legal");
    let searched = plan.search(|question| best_move(catalog, question)).expect("it is legal");
    json!(plan.review(&searched))
}

fn rated(catalog: &Catalog, played: &Value) -> Value {
    let question: catalog::review::RateQuestion = read(played);
    let plan = catalog.plan_rating(&question.into()).expect("it is legal");
    let searched = plan.search(|question| best_move(catalog, question)).expect("it is legal");
    json!(plan.rating(&searched[0]))
}

/// A job that has just come.
fn job() -> Value {
    let status = JobStatus {
        id: "0197a3c5-7b1e-7c3d-9f00-5e2d1c4b3a29".parse().expect("it is an id"),
        owner: String::new(),
        kind: "batch".to_owned(),
        state: JobState::Waiting,
        items: 1,
        done: 0,
        failed: 0,
        created_ms: 1_790_000_000_000,
        ended_ms: None,
        expires_ms: None,
    };
    json!(JobAnswer::new(&status, false))
}

fn set_question(operation: &mut Operation, question: &Value) {
    if let Some(RefOr::T(body)) = &mut operation.request_body {
        body.content.values_mut().for_each(|content| set(content, question));
    }
}

/// Sets the example of what an operation answers if all is well; streams begin with an event.
fn set_answer(operation: &mut Operation, answer: &Value) {
    for (status, response) in &mut operation.responses.responses {
        let RefOr::T(response) = response else { continue };
        for (media, content) in &mut response.content {
            match media.as_str() {
                _ if !status.starts_with('2') => {}
                "application/yaml" => {}
                "text/event-stream" | "application/x-ndjson" => {
                    set(content, &json!(StreamEvent::Begun));
                }
                _ => set(content, answer),
            }
        }
    }
}

fn set(content: &mut RefOr<Content>, example: &Value) {
    if let RefOr::T(content) = content {
        content.example = Some(example.clone());
    }
}
