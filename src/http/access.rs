//! One line in the log for each request.

use std::time::Instant;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use catalog::answer::{Answer, StoppedBy};

use super::AppState;
use super::client::client;
use super::request_id;

/// What the line of a search says besides.
#[derive(Clone, Debug)]
pub(super) struct Account {
    game: &'static str,
    algorithm: &'static str,
    nodes: u64,
    simulations: u64,
    queue_ms: u64,
    search_ms: u64,
    stopped_by: StoppedBy,
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

/// Logs a request when its answer is ready: searches and refusals at `info`, everything else at `debug`. A refusal is no
/// error of the service.
pub(super) async fn log(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let (client, id) = (client(&request, &state), request_id(request.headers()));
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let response = next.run(request).await;
    let status = response.status().as_u16();
    let ms = started.elapsed().as_millis() as u64;
    if let Some(account) = response.extensions().get::<Account>() {
        let Account { game, algorithm, nodes, simulations, queue_ms, search_ms, stopped_by } =
            account;
        tracing::info!(
            %method, path, status, ms, %client, id, game, algorithm, nodes, simulations, queue_ms, search_ms,
            %stopped_by, "answered"
        );
    } else if response.status().is_client_error() || is_refusal(status) {
        tracing::info!(%method, path, status, ms, %client, id, "refused");
    } else if response.status().is_server_error() {
        tracing::error!(%method, path, status, ms, %client, id, "failed");
    } else {
        tracing::debug!(%method, path, status, ms, %client, id, "answered");
    }
    response
}

/// 503: too much load, or not ready.
const fn is_refusal(status: u16) -> bool {
    status == 503
}
