//! The OpenAPI contract, generated from the code.

use std::sync::LazyLock;
use std::time::Instant;

use catalog::question::{PositionQuestion, Question};
use catalog::{Allowance, Catalog, Context};
use engine::SharedTable;
use serde_json::{Value, json};
use utoipa::openapi::path::Operation;
use utoipa::openapi::{
    Content, ContentBuilder, HeaderBuilder, ObjectBuilder, OpenApi as Contract, Ref, RefOr,
    Response, ResponseBuilder, Type,
};
use utoipa::{Modify, OpenApi};

use super::{batch, handlers, jobs, metrics, questions, reviews};
use crate::problem::PROBLEM_TYPE;

/// The OpenAPI document.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "bestmove",
        description = "Game AI over HTTP: POST a position, get the best move, the principal variation, an honest score and a rating of every legal move. Every answer that is not a 2xx is a problem (RFC 9457).",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    servers((url = "http://127.0.0.1:8080", description = "`bestmove serve` with its defaults")),
    paths(
        questions::best_move,
        batch::batch,
        questions::position,
        reviews::game_files,
        reviews::rate,
        reviews::review,
        jobs::create,
        jobs::list,
        jobs::status,
        jobs::cancel,
        jobs::events,
        jobs::result,
        handlers::games,
        handlers::game,
        handlers::algorithms,
        handlers::version,
        handlers::healthz,
        handlers::livez,
        handlers::readyz,
        metrics::metrics,
        handlers::index,
        handlers::problem_kind,
        handlers::openapi_yaml,
        handlers::openapi_json,
    ),
    modifiers(&Everywhere, &Examples),
    tags(
        (name = "search", description = "Best moves"),
        (name = "review", description = "Played moves and games"),
        (name = "jobs", description = "Work that outlasts a request"),
        (name = "rules", description = "Games and positions"),
        (name = "operation", description = "Probes and the contract"),
    ),
)]
struct Document;

/// What every operation has: no credentials, a request id, and the problems of any route.
struct Everywhere;

impl Modify for Everywhere {
    fn modify(&self, contract: &mut Contract) {
        contract.security = Some(Vec::new());
        for operation in operations(contract) {
            let responses = &mut operation.responses.responses;
            for (status, about) in [
                ("405", "The path does not support the method; `Allow` names those that it does"),
                ("500", "A bug in the service"),
            ] {
                responses.insert(status.into(), RefOr::T(problem(about)));
            }
            for (status, response) in responses {
                let RefOr::T(response) = response else { continue };
                let id = header(Type::String, "The request's id, given by the client or drawn");
                response.headers.insert("x-request-id".into(), RefOr::T(id));
                if status == "503" {
                    let seconds = header(Type::Integer, "Seconds until another try makes sense");
                    response.headers.insert("Retry-After".into(), RefOr::T(seconds));
                }
            }
        }
        // The same route without a version.
        let item = contract.paths.paths.get("/v1/bestmove").cloned();
        let mut item = item.expect("the route is documented");
        if let Some(post) = &mut item.post {
            post.operation_id = Some("best_move_unversioned".into());
        }
        contract.paths.paths.insert("/bestmove".into(), item);
    }
}

/// All operations of a document.
fn operations(contract: &mut Contract) -> impl Iterator<Item = &mut Operation> {
    let paths = contract.paths.paths.values_mut();
    paths.flat_map(|item| item.get.iter_mut().chain(&mut item.post).chain(&mut item.delete))
}

fn header(kind: Type, about: &str) -> utoipa::openapi::Header {
    let schema = ObjectBuilder::new().schema_type(kind).build();
    HeaderBuilder::new().schema(Some(schema)).description(Some(about)).build()
}

fn problem(about: &str) -> Response {
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
    ResponseBuilder::new().description(about).content(PROBLEM_TYPE, content).build()
}

/// Examples: real questions with their real answers.
struct Examples;

impl Modify for Examples {
    fn modify(&self, contract: &mut Contract) {
        let catalog = Catalog::default();
        let question = json!({
            "game": "tictactoe", "moves": ["b2", "a1"], "budget": { "depth": 9 }, "ratings": 2,
            "reproducible": true,
        });
        let answer = best_move(&catalog, &question);
        for path in ["/v1/bestmove", "/bestmove"] {
            example(contract, path, &question, &answer);
        }
        let batch = json!({ "questions": [question] });
        let answers = json!({ "answers": [{ "status": 200, "answer": answer }] });
        example(contract, "/v1/batch", &batch, &answers);
        let position = json!({ "game": "tictactoe", "moves": ["b2", "a1"] });
        let read: PositionQuestion = serde_json::from_value(position.clone()).expect("it is one");
        let answer = catalog.position(&read).expect("it is legal");
        example(contract, "/v1/position", &position, &json!(answer));
        let game = catalog.game("tictactoe").expect("it is known").describe();
        answer_example(contract, "/v1/games/{game}", &json!(game));
    }
}

/// Answer to a question with a small budget.
fn best_move(catalog: &Catalog, question: &Value) -> Value {
    let question: Question = serde_json::from_value(question.clone()).expect("it is one");
    let plan = catalog.plan(&question, &Allowance::unlimited(), Instant::now());
    let table = SharedTable::new(1);
    json!((plan.expect("it is legal").run)(&Context::alone(&table)))
}

/// Sets the examples of a POST.
fn example(contract: &mut Contract, path: &str, question: &Value, answer: &Value) {
    let item = contract.paths.paths.get_mut(path).expect("the path is documented");
    let post = item.post.as_mut().expect("it is a POST");
    if let Some(RefOr::T(body)) = &mut post.request_body {
        set_example(body.content.values_mut(), question);
    }
    answer_example(contract, path, answer);
}

/// Sets the example of a path's answer.
fn answer_example(contract: &mut Contract, path: &str, answer: &Value) {
    let item = contract.paths.paths.get_mut(path).expect("the path is documented");
    let operation = item.post.as_mut().or(item.get.as_mut()).expect("it has an operation");
    let Some(RefOr::T(response)) = operation.responses.responses.get_mut("200") else { return };
    set_example(response.content.get_mut("application/json").into_iter(), answer);
}

fn set_example<'a>(contents: impl Iterator<Item = &'a mut RefOr<Content>>, example: &Value) {
    for content in contents {
        if let RefOr::T(content) = content {
            content.example = Some(example.clone());
        }
    }
}

/// The document as YAML.
pub fn yaml() -> &'static str {
    static YAML: LazyLock<String> = LazyLock::new(|| {
        Document::openapi().to_yaml().expect("the document can be written as YAML")
    });
    &YAML
}

/// The document as JSON.
pub fn json() -> &'static str {
    static JSON: LazyLock<String> = LazyLock::new(|| {
        Document::openapi().to_pretty_json().expect("the document can be written as JSON")
    });
    &JSON
}
