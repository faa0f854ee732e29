//! Each request in the log and in the metrics.

use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use catalog::answer::StoppedBy;

use super::client::client;
use super::problem::ProblemCode;
use super::trace::TraceContext;
use super::{AppState, metrics, request_id};
use crate::service::Searched;

/// What the log and the metrics say of a search.
#[derive(Clone, Debug)]
pub(super) struct SearchSummary {
    pub(super) game: &'static str,
    pub(super) algorithm: &'static str,
    pub(super) nodes: u64,
    pub(super) simulations: u64,
    pub(super) queued: Duration,
    pub(super) took: Duration,
    pub(super) stopped_by: StoppedBy,
}

impl From<&Searched> for SearchSummary {
    fn from(searched: &Searched) -> Self {
        let Searched { answer, queued, took } = searched;
        Self {
            game: answer.game,
            algorithm: answer.algorithm,
            nodes: answer.stats.nodes,
            simulations: answer.stats.simulations,
            queued: *queued,
            took: *took,
            stopped_by: answer.stats.stopped_by,
        }
    }
}

/// Counts a request, and logs it when its answer is ready: searches and refusals at `info`, everything else at `debug`.
/// A refusal is no error of the service.
pub(super) async fn log(
    State(state): State<AppState>,
    mut request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let (address, id) = (client(&request, &state), request_id(request.headers()));
    request.extensions_mut().insert(address);
    let trace = TraceContext::continued(request.headers());
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let route = request.extensions().get::<MatchedPath>().cloned();
    let mut response = next.run(request).await;
    // Who has a key is known by it.
    let client = response.extensions().get().copied().unwrap_or(address);
    let status = response.status().as_u16();
    let ms = started.elapsed().as_millis() as u64;
    metrics::request(
        route.as_ref().map_or("other", MatchedPath::as_str),
        status,
        started.elapsed(),
    );
    trace.as_ref().inspect(|trace| trace.write(response.headers_mut()));
    let trace = trace.map(|trace| tracing::field::display(trace.id));
    let code = response.extensions().get::<ProblemCode>().copied();
    code.inspect(|&code| metrics::refusal(code));
    if let Some(summary) = response.extensions().get::<SearchSummary>() {
        let SearchSummary { game, algorithm, nodes, simulations, queued, took, stopped_by } =
            summary;
        let (queue_ms, search_ms) = (queued.as_millis() as u64, took.as_millis() as u64);
        metrics::search(summary);
        tracing::info!(
            %method, path, status, ms, %client, id, trace, game, algorithm, nodes, simulations, queue_ms, search_ms,
            %stopped_by, "answered"
        );
    } else if response.status().is_client_error() || status == 503 {
        tracing::info!(%method, path, status, ms, %client, id, trace, code = code.map(tracing::field::display), "refused");
    } else if response.status().is_server_error() {
        tracing::error!(%method, path, status, ms, %client, id, trace, "failed");
    } else {
        tracing::debug!(%method, path, status, ms, %client, id, trace, "answered");
    }
    response
}
