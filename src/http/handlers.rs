//! One handler per endpoint, but for those that take questions.

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::AppState;
use super::openapi;
use crate::problem::{Problem, ProblemCode, ProblemKind};
use crate::service::Readiness;
use catalog::info::{AlgorithmInfo, GameInfo, Language};

/// The games.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Games {
    games: Vec<GameInfo>,
}

/// The algorithms.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Algorithms {
    algorithms: Vec<AlgorithmInfo>,
}

/// How the service is.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Health {
    status: HealthStatus,
}

impl Health {
    /// All is well.
    pub(super) const OK: Self = Self { status: HealthStatus::Ok };
}

/// State of the service.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum HealthStatus {
    /// It answers questions.
    Ok,
    /// It computes tables.
    Preparing,
    /// It is shutting down.
    Stopping,
}

/// What the service is, and where the rest is.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Index {
    /// The name.
    #[schema(value_type = String)]
    name: &'static str,
    /// The version.
    #[schema(value_type = String)]
    version: &'static str,
    /// What it does.
    #[schema(value_type = String)]
    about: &'static str,
    /// A first request for the shell.
    #[schema(value_type = String)]
    example: &'static str,
    /// Other paths.
    #[schema(value_type = Vec<String>)]
    paths: [&'static str; 8],
}

pub(super) const INDEX: Index = Index {
    name: "bestmove",
    version: env!("CARGO_PKG_VERSION"),
    about: "game AI: POST a position, get the best move, its line, a score and a rating of every move",
    example: "curl -d '{\"game\":\"connect4\"}' http://127.0.0.1:8080/bestmove",
    paths: [
        "/v1/bestmove",
        "/v1/batch",
        "/v1/rate",
        "/v1/review",
        "/v1/position",
        "/v1/games",
        "/v1/algorithms",
        "/openapi.json",
    ],
};

/// What the service is.
#[utoipa::path(get, path = "/", tag = "operation",
    responses((status = 200, description = "The service", body = Index)))]
pub(super) async fn index() -> Json<Index> {
    Json(INDEX)
}

/// What runs.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Version {
    /// The version.
    #[schema(value_type = String)]
    version: &'static str,
    /// The commit that it was built from; null where the build did not name one.
    #[schema(value_type = Option<String>)]
    commit: Option<&'static str>,
}

/// What runs.
#[utoipa::path(get, path = "/version", tag = "operation",
    responses((status = 200, description = "Version and commit", body = Version)))]
pub(super) async fn version() -> Json<Version> {
    Json(Version { version: env!("CARGO_PKG_VERSION"), commit: crate::COMMIT })
}

/// A kind of problem.
#[utoipa::path(get, path = "/problems/{kind}", tag = "operation",
    params(("kind" = String, Path, description = "The end of a problem's `type`", example = "illegal-move")),
    responses(
        (status = 200, description = "The kind", body = ProblemKind),
        (status = 404, description = "Unknown kind", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn problem_kind(uri: axum::http::Uri) -> Result<Json<ProblemKind>, Problem> {
    ProblemKind::at(uri.path()).map(Json)
}

/// All games.
#[utoipa::path(get, path = "/v1/games", tag = "rules",
    responses((status = 200, description = "The games", body = Games)))]
pub(super) async fn games(State(state): State<AppState>, headers: HeaderMap) -> impl IntoResponse {
    let language = language(&headers);
    let games = state.service.catalog().games().map(|game| game.describe_in(language)).collect();
    in_language(language, Games { games })
}

/// The language of titles that a client prefers.
fn language(headers: &HeaderMap) -> Language {
    let wanted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    // Best first; `zh-TW` is Chinese, too, and 0 is what is not wanted.
    let wanted = accept_language::parse_with_quality(&wanted.unwrap_or_default().to_lowercase());
    let wanted = wanted.iter().filter(|(_, quality)| *quality > 0.0);
    let mut primary = wanted.map(|(tag, _)| tag.split('-').next().unwrap_or_default());
    match primary.find(|tag| ["en", "zh"].contains(tag)) {
        Some("zh") => Language::Chinese,
        _ => Language::English,
    }
}

/// An answer whose titles are in this language.
fn in_language<T: Serialize>(language: Language, body: T) -> impl IntoResponse {
    let tag = match language {
        Language::English => "en",
        Language::Chinese => "zh",
    };
    ([(header::CONTENT_LANGUAGE, tag), (header::VARY, "accept-language")], Json(body))
}

/// One game.
#[utoipa::path(get, path = "/v1/games/{game}", tag = "rules",
    params(("game" = String, Path, description = "A name from /v1/games", example = "connect4")),
    responses(
        (status = 200, description = "The game", body = GameInfo),
        (status = 404, description = "Unknown game", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn game(
    State(state): State<AppState>,
    headers: HeaderMap,
    name: Result<Path<String>, PathRejection>,
    uri: axum::http::Uri,
) -> Result<impl IntoResponse, Problem> {
    let Ok(Path(name)) = name else { return Err(not_found(uri).await) };
    let game = state.service.catalog().game(&name);
    let problem = |why| {
        let mut problem = Problem::from(why);
        // The name is in the path, not in a body.
        problem.errors.clear();
        problem
    };
    let language = language(&headers);
    game.map(|game| in_language(language, game.describe_in(language))).map_err(problem)
}

/// All algorithms.
#[utoipa::path(get, path = "/v1/algorithms", tag = "search",
    responses((status = 200, description = "The algorithms", body = Algorithms)))]
pub(super) async fn algorithms(
    State(state): State<AppState>,
    headers: HeaderMap,
) -> impl IntoResponse {
    let language = language(&headers);
    let algorithms = state.service.catalog().algorithms_in(language);
    in_language(language, Algorithms { algorithms })
}

/// Whether the process answers at all.
#[utoipa::path(get, path = "/healthz", tag = "operation",
    responses((status = 200, description = "It does", body = Health)))]
pub(super) async fn healthz() -> Json<Health> {
    Json(Health::OK)
}

/// Whether the process is alive.
#[utoipa::path(get, path = "/livez", tag = "operation",
    responses((status = 200, description = "It is", body = Health)))]
pub(super) async fn livez() -> Json<Health> {
    Json(Health::OK)
}

/// Whether new questions are answered.
#[utoipa::path(get, path = "/readyz", tag = "operation",
    responses(
        (status = 200, description = "They are", body = Health),
        (status = 503, description = "Still computing tables, or shutting down", body = Health),
    ))]
pub(super) async fn readyz(State(state): State<AppState>) -> (StatusCode, Json<Health>) {
    let (status, word) = match state.service.readiness() {
        Readiness::Ready => (StatusCode::OK, HealthStatus::Ok),
        Readiness::Preparing => (StatusCode::SERVICE_UNAVAILABLE, HealthStatus::Preparing),
        Readiness::Stopping => (StatusCode::SERVICE_UNAVAILABLE, HealthStatus::Stopping),
    };
    (status, Json(Health { status: word }))
}

/// This contract.
#[utoipa::path(get, path = "/openapi.yaml", tag = "operation",
    responses((status = 200, description = "OpenAPI 3.1", body = Object, content_type = "application/yaml")))]
pub(super) async fn openapi_yaml() -> Response {
    ([(header::CONTENT_TYPE, "application/yaml")], openapi::yaml()).into_response()
}

/// This contract as JSON.
#[utoipa::path(get, path = "/openapi.json", tag = "operation",
    responses((status = 200, description = "OpenAPI 3.1", body = Object)))]
pub(super) async fn openapi_json() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], openapi::json()).into_response()
}

pub(super) async fn not_found(uri: axum::http::Uri) -> Problem {
    let detail = format!("unknown path `{}`; see /openapi.yaml", uri.path());
    Problem::new(ProblemCode::NotFound, detail)
}

pub(super) async fn wrong_method(method: axum::http::Method, uri: axum::http::Uri) -> Problem {
    let detail = format!("`{}` does not support {method}; see /openapi.yaml", uri.path());
    Problem::new(ProblemCode::MethodNotAllowed, detail)
}
