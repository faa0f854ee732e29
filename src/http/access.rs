//! Each request in the log and in the metrics.

use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use catalog::answer::{Answer, StoppedBy};

use super::client::client;
use super::problem::ProblemCode;
use super::{AppState, metrics, request_id};

/// What the line of a search says besides.
#[derive(Clone, Debug)]
pub(super) struct Account {
    pub(super) game: &'static str,
    pub(super) algorithm: &'static str,
    pub(super) nodes: u64,
    pub(super) simulations: u64,
    pub(super) queue_ms: u64,
    pub(super) search_ms: u64,
    pub(super) stopped_by: StoppedBy,
}

impl From<&Answer> for Account {
    fn from(answer: &Answer) -> Self {
        let Answer { game, algorithm, stats, .. } = answer;
        Self {
            game,
            algorithm,
            nodes: stats.nodes,
            simulations: stats.simulations,
            queue_ms: stats.queue_ms,
            search_ms: stats.time_ms,
            stopped_by: stats.stopped_by,
        }
    }
}

/// Counts a request, and logs it when its answer is ready: searches and refusals at `info`, everything else at `debug`. A refusal is no
/// error of the service.
pub(super) async fn log(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let (client, id) = (client(&request, &state), request_id(request.headers()));
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let route = request.extensions().get::<MatchedPath>().cloned();
    let response = next.run(request).await;
    let status = response.status().as_u16();
    let ms = started.elapsed().as_millis() as u64;
    metrics::request(
        route.as_ref().map_or("other", MatchedPath::as_str),
        status,
        started.elapsed(),
    );
    let code = response.extensions().get::<ProblemCode>().copied();
    code.inspect(|&code| metrics::refusal(code));
    if let Some(account) = response.extensions().get::<Account>() {
        let Account { game, algorithm, nodes, simulations, queue_ms, search_ms, stopped_by } =
            account;
        metrics::search(account);
        tracing::info!(
            %method, path, status, ms, %client, id, game, algorithm, nodes, simulations, queue_ms, search_ms,
            %stopped_by, "answered"
        );
    } else if response.status().is_client_error() || status == 503 {
        tracing::info!(%method, path, status, ms, %client, id, code = code.map(tracing::field::display), "refused");
    } else if response.status().is_server_error() {
        tracing::error!(%method, path, status, ms, %client, id, "failed");
    } else {
        tracing::debug!(%method, path, status, ms, %client, id, "answered");
    }
    response
}
