//! Handlers of played moves and games.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use catalog::game_files::{FileGames, FileQuestion};
use catalog::review::{RateAnswer, RateQuestion, ReviewAnswer, ReviewQuestion};

use futures_util::StreamExt;

use super::access::ReviewSummary;
use super::body::{JsonAnswer, JsonBody};
use super::events::{StreamEvent, StreamStep, WantedStream};
use super::questions::UnreadProblems;
use super::{AppState, metrics};
use crate::problem::Problem;

/// The rating of a played move.
#[utoipa::path(
    post, path = "/v1/rate", tag = "review", request_body = RateQuestion,
    responses(
        (status = 200, description = "The rating among all legal moves, and the best move", body = RateAnswer),
        UnreadProblems,
        (status = 404, description = "Unknown game or algorithm", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "A wrong shape, an impossible position or an illegal move", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "Too busy, or shutting down; see Retry-After", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn rate(
    State(state): State<AppState>,
    body: JsonBody<RateQuestion>,
) -> Result<Response, Problem> {
    let rating = state.service.rate(body.value, body.request, metrics::searched).await?;
    Ok((Extension(ReviewSummary::from(&rating)), JsonAnswer(rating)).into_response())
}

/// The review of a game: every move rated, and what the game was like.
#[utoipa::path(
    post, path = "/v1/review", tag = "review", request_body = ReviewQuestion,
    responses(
        (
            status = 200,
            description = "The review; to those that prefer `text/event-stream` or `application/x-ndjson` in `Accept`, a stream of events that ends with it",
            content((ReviewAnswer = "application/json"), (StreamEvent = "text/event-stream"), (StreamEvent = "application/x-ndjson")),
        ),
        UnreadProblems,
        (status = 404, description = "Unknown game or algorithm", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "A wrong shape, an impossible position, an illegal move, or too many of them", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "Too busy, or shutting down; see Retry-After", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn review(
    State(state): State<AppState>,
    stream: WantedStream,
    body: JsonBody<ReviewQuestion>,
) -> Result<Response, Problem> {
    let Some(form) = stream.form else {
        let review = state.service.review(body.value, body.request, metrics::searched).await?;
        return Ok((Extension(ReviewSummary::from(&review)), JsonAnswer(review)).into_response());
    };
    let told = state.service.look_on_review(body.value, body.request, metrics::searched).await?;
    Ok(stream.respond(form, told.map(StreamStep::from).boxed()))
}

/// The games of a file: SGF, GGF, PGN, psq, lists of moves, JSON.
#[utoipa::path(
    post, path = "/v1/game-files", tag = "review", request_body = FileQuestion,
    responses(
        (status = 200, description = "The games, each as the body of a review", body = FileGames),
        UnreadProblems,
        (status = 404, description = "Unknown game", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "No known format, or an illegal move", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "Too busy, or shutting down; see Retry-After", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn game_files(
    State(state): State<AppState>,
    body: JsonBody<FileQuestion>,
) -> Result<Json<FileGames>, Problem> {
    Ok(Json(state.service.game_files(body.value, body.request).await?))
}
