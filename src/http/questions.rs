//! Questions: one handler for each endpoint that takes them.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use futures_util::StreamExt;
use utoipa::IntoResponses;

use super::AppState;
use super::access::SearchSummary;
use super::body::{JsonAnswer, JsonBody};
use super::events::{StreamEvent, StreamStep, WantedStream};
use crate::problem::Problem;
use catalog::answer::{Answer, PositionAnswer};
use catalog::question::{PositionQuestion, Question};

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
        (
            status = 200,
            description = "The best move found within the budget; to those that prefer `text/event-stream` or `application/x-ndjson` in `Accept`, a stream of events that ends with it",
            content((Answer = "application/json"), (StreamEvent = "text/event-stream"), (StreamEvent = "application/x-ndjson")),
        ),
        UnreadProblems,
        (status = 404, description = "Unknown game or algorithm", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "A wrong shape, an impossible position, an illegal move or a pair that does not work", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "Too busy, or shutting down; see Retry-After", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn best_move(
    State(state): State<AppState>,
    stream: WantedStream,
    body: JsonBody<Question>,
) -> Result<Response, Problem> {
    let waiter = state.service.ask(body.value, body.request).await?;
    let Some(form) = stream.form else {
        let searched = waiter.answer().await?;
        let summary = SearchSummary::from(&searched);
        return Ok((Extension(summary), JsonAnswer(searched.answer)).into_response());
    };
    let steps = waiter.look_on().await?.told().map(StreamStep::from).boxed();
    Ok(stream.respond(form, steps))
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
    body: JsonBody<PositionQuestion>,
) -> Result<Json<PositionAnswer>, Problem> {
    Ok(Json(state.service.position(body.value, body.request).await?))
}
