//! The OpenAPI contract, generated from the code.

use std::sync::LazyLock;

use utoipa::OpenApi;

use super::handlers;

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
        handlers::best_move,
        handlers::position,
        handlers::games,
        handlers::game,
        handlers::algorithms,
        handlers::healthz,
        handlers::livez,
        handlers::readyz,
        handlers::openapi_yaml,
    ),
    tags(
        (name = "search", description = "Best moves"),
        (name = "rules", description = "Games and positions"),
        (name = "operation", description = "Probes and the contract"),
    ),
)]
struct Document;

/// The document as YAML.
pub fn yaml() -> &'static str {
    static YAML: LazyLock<String> = LazyLock::new(|| {
        Document::openapi().to_yaml().expect("the document can be written as YAML")
    });
    &YAML
}
