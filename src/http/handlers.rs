//! One handler per endpoint.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::Serialize;
use utoipa::{IntoResponses, ToSchema};

use super::AppState;
use super::access::SearchSummary;
use super::body::{JsonAnswer, JsonBody};
use super::openapi;
use super::problem::{Problem, ProblemCode, ProblemKind};
use super::request_id;
use crate::service::{Readiness, Searched};
use catalog::answer::{Answer, PositionAnswer};
use catalog::info::{AlgorithmInfo, GameInfo, Language};
use catalog::question::{PositionQuestion, Question};

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

/// Problems of a question that are found before it is read.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "the variants are read for the OpenAPI document only")]
pub(super) enum UnreadProblems {
    #[response(status = 400, description = "Not JSON", content_type = "application/problem+json")]
    NotJson(Problem),
    #[response(
        status = 401,
        description = "A key is required; see WWW-Authenticate",
        content_type = "application/problem+json"
    )]
    Unauthorized(Problem),
    #[response(
        status = 429,
        description = "The client's quota is used up; see Retry-After, RateLimit and RateLimit-Policy",
        content_type = "application/problem+json"
    )]
    QuotaExceeded(Problem),
    #[response(
        status = 408,
        description = "The body came too slowly",
        content_type = "application/problem+json"
    )]
    TooSlow(Problem),
    #[response(
        status = 413,
        description = "The body is too large",
        content_type = "application/problem+json"
    )]
    TooLarge(Problem),
    #[response(
        status = 415,
        description = "Not a JSON media type",
        content_type = "application/problem+json"
    )]
    NotJsonType(Problem),
}

/// The best move of a position.
#[utoipa::path(
    post, path = "/v1/bestmove", tag = "search", request_body = Question,
    responses(
        (status = 200, description = "The best move found within the budget", body = Answer),
        UnreadProblems,
        (status = 404, description = "Unknown game or algorithm", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "A wrong shape, an impossible position, an illegal move or a pair that does not work", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "Too busy, or shutting down; see Retry-After", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn best_move(
    State(state): State<AppState>,
    headers: HeaderMap,
    body: JsonBody<Question>,
) -> Result<impl IntoResponse, Problem> {
    let searched = state.service.best_move(body.value, body.request).await;
    let logged = |searched: Searched| {
        (Extension(SearchSummary::from(&searched)), JsonAnswer(searched.answer))
    };
    searched.map(logged).map_err(|why| Problem::from(why).with_request_id(&request_id(&headers)))
}

/// What the rules say about a position: a client needs none of its own.
#[utoipa::path(
    post, path = "/v1/position", tag = "rules", request_body = PositionQuestion,
    responses(
        (status = 200, description = "The position", body = PositionAnswer),
        UnreadProblems,
        (status = 404, description = "Unknown game", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "A wrong shape, an impossible position or an illegal move", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "Too busy, or shutting down; see Retry-After", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn position(
    State(state): State<AppState>,
    headers: HeaderMap,
    body: JsonBody<PositionQuestion>,
) -> Result<Json<PositionAnswer>, Problem> {
    let answer = state.service.position(body.value, body.request).await;
    answer.map(Json).map_err(|why| Problem::from(why).with_request_id(&request_id(&headers)))
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
    paths: [&'static str; 7],
}

/// What the service is.
#[utoipa::path(get, path = "/", tag = "operation",
    responses((status = 200, description = "The service", body = Index)))]
pub(super) async fn index() -> Json<Index> {
    Json(Index {
        name: "bestmove",
        version: env!("CARGO_PKG_VERSION"),
        about: "game AI: POST a position, get the best move, its line, a score and a rating of every move",
        example: "curl -d '{\"game\":\"connect4\"}' http://127.0.0.1:8080/bestmove",
        paths: [
            "/v1/bestmove",
            "/v1/rate",
            "/v1/review",
            "/v1/position",
            "/v1/games",
            "/v1/algorithms",
            "/openapi.json",
        ],
    })
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
    Json(Version { version: env!("CARGO_PKG_VERSION"), commit: option_env!("BESTMOVE_COMMIT") })
}

/// A kind of problem.
#[utoipa::path(get, path = "/problems/{kind}", tag = "operation",
    params(("kind" = String, Path, description = "The end of a problem's `type`", example = "illegal-move")),
    responses(
        (status = 200, description = "The kind", body = ProblemKind),
        (status = 404, description = "Unknown kind", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn problem_kind(
    headers: HeaderMap,
    uri: axum::http::Uri,
) -> Result<Json<ProblemKind>, Problem> {
    let unknown = || {
        let detail = format!("`{}` is no kind of problem", uri.path());
        Problem::new(ProblemCode::NotFound, detail).with_request_id(&request_id(&headers))
    };
    ProblemKind::at(uri.path()).map(Json).ok_or_else(unknown)
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
    // Best first; `zh-TW` is Chinese, too.
    let wanted = accept_language::parse(wanted.unwrap_or_default());
    let mut primary = wanted.iter().map(|tag| tag.split('-').next().unwrap_or_default());
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
    let Ok(Path(name)) = name else { return Err(not_found(headers, uri).await) };
    let game = state.service.catalog().game(&name);
    let problem = |why| {
        let mut problem = Problem::from(why).with_request_id(&request_id(&headers));
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
pub(super) async fn algorithms(State(state): State<AppState>) -> Json<Algorithms> {
    Json(Algorithms { algorithms: state.service.catalog().algorithms() })
}

/// Whether the process answers at all.
#[utoipa::path(get, path = "/healthz", tag = "operation",
    responses((status = 200, description = "It does", body = Health)))]
pub(super) async fn healthz() -> Json<Health> {
    Json(Health { status: HealthStatus::Ok })
}

/// Whether the process is alive.
#[utoipa::path(get, path = "/livez", tag = "operation",
    responses((status = 200, description = "It is", body = Health)))]
pub(super) async fn livez() -> Json<Health> {
    Json(Health { status: HealthStatus::Ok })
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

pub(super) async fn not_found(headers: HeaderMap, uri: axum::http::Uri) -> Problem {
    let detail = format!("unknown path `{}`; see /openapi.yaml", uri.path());
    Problem::new(ProblemCode::NotFound, detail).with_request_id(&request_id(&headers))
}

pub(super) async fn wrong_method(
    headers: HeaderMap,
    method: axum::http::Method,
    uri: axum::http::Uri,
) -> Problem {
    let detail = format!("`{}` does not support {method}; see /openapi.yaml", uri.path());
    Problem::new(ProblemCode::MethodNotAllowed, detail).with_request_id(&request_id(&headers))
}
