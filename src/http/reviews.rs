//! Handlers of played moves and games.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use catalog::review::{RateAnswer, RateQuestion, ReviewAnswer, ReviewQuestion};

use super::AppState;
use super::body::JsonBody;
use super::questions::UnreadProblems;
use super::problem::Problem;
use super::request_id;

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
    headers: HeaderMap,
    body: JsonBody<RateQuestion>,
) -> Result<Json<RateAnswer>, Problem> {
    let answer = state.service.rate(body.value, body.request).await;
    answer.map(Json).map_err(|why| Problem::from(why).with_request_id(&request_id(&headers)))
}

/// The review of a game: every move rated, and what the game was like.
#[utoipa::path(
    post, path = "/v1/review", tag = "review", request_body = ReviewQuestion,
    responses(
        (status = 200, description = "The review", body = ReviewAnswer),
        UnreadProblems,
        (status = 404, description = "Unknown game or algorithm", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "A wrong shape, an impossible position, an illegal move, or too many of them", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "Too busy, or shutting down; see Retry-After", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn review(
    State(state): State<AppState>,
    headers: HeaderMap,
    body: JsonBody<ReviewQuestion>,
) -> Result<Json<ReviewAnswer>, Problem> {
    let answer = state.service.review(body.value, body.request).await;
    answer.map(Json).map_err(|why| Problem::from(why).with_request_id(&request_id(&headers)))
}
