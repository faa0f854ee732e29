//! The OpenAPI contract, generated from the code.

use std::sync::LazyLock;

use utoipa::openapi::path::Operation;
use utoipa::openapi::{
    ContentBuilder, HeaderBuilder, ObjectBuilder, OpenApi as Contract, Ref, RefOr, Response,
    ResponseBuilder, Type,
};
use utoipa::{Modify, OpenApi};

use super::examples::Examples;
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
                for &(name, about) in headers_of(status) {
                    let kind = if name == "Retry-After" { Type::Integer } else { Type::String };
                    response.headers.insert(name.into(), RefOr::T(header(kind, about)));
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

/// A header and what it says.
type Header = (&'static str, &'static str);

/// Headers of problems with this status.
fn headers_of(status: &str) -> &'static [Header] {
    const RETRY: Header = ("Retry-After", "Seconds until another try makes sense");
    const QUOTA: [Header; 2] = [
        ("RateLimit-Policy", "The quota: requests at once (q), seconds (w)"),
        ("RateLimit", "Requests left (r), seconds until all are there again (t)"),
    ];
    match status {
        "401" => &[("WWW-Authenticate", "How to present a key")],
        "405" => &[("Allow", "Methods of the path")],
        "409" | "503" => &[RETRY],
        "429" => &[RETRY, QUOTA[0], QUOTA[1]],
        _ => &[],
    }
}

fn header(kind: Type, about: &str) -> utoipa::openapi::Header {
    let schema = ObjectBuilder::new().schema_type(kind).build();
    HeaderBuilder::new().schema(Some(schema)).description(Some(about)).build()
}

fn problem(about: &str) -> Response {
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
    ResponseBuilder::new().description(about).content(PROBLEM_TYPE, content).build()
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
