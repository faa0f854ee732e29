//! Metrics for Prometheus: every name, unit and label is here.

use std::sync::LazyLock;
use std::time::Duration;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

use super::AppState;
use super::access::SearchSummary;
use crate::problem::ProblemCode;
use crate::service::Searched;

const REQUESTS: &str = "bestmove_requests_total";
const REQUEST_SECONDS: &str = "bestmove_request_seconds";
const REFUSALS: &str = "bestmove_refusals_total";
const SEARCH_SECONDS: &str = "bestmove_search_seconds";
const QUEUE_SECONDS: &str = "bestmove_queue_seconds";
const NODES: &str = "bestmove_nodes_total";
const SIMULATIONS: &str = "bestmove_simulations_total";
const RUNNING: &str = "bestmove_work_running";
const WAITING: &str = "bestmove_work_waiting";
const SLOTS: &str = "bestmove_slots";
const TABLE: &str = "bestmove_table_entries";
const OVERDUE: &str = "bestmove_work_overdue";
const JOB_PIECES: &str = "bestmove_job_pieces";
const JOB_AGE: &str = "bestmove_job_age_seconds";
const CONNECTIONS: &str = "bestmove_connections";
const CONNECTION_LIMITS: &str = "bestmove_connection_limits_total";

/// Bounds of the buckets of all histograms, in seconds: from a trivial answer to the longest search.
const BUCKETS: [f64; 14] =
    [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 60.0];

/// The one recorder of the process; later services of the same process share it.
static RECORDER: LazyLock<PrometheusHandle> = LazyLock::new(|| {
    let recorder = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &BUCKETS)
        .expect("there are buckets")
        .build_recorder();
    let handle = recorder.handle();
    // Another recorder of the process would be the embedder's: then there is nothing here to show.
    let _ = metrics::set_global_recorder(recorder);
    describe();
    handle
});

fn describe() {
    describe_counter!(REQUESTS, "Requests, by route and status");
    describe_histogram!(REQUEST_SECONDS, "Time from the head of a request to its answer, by route");
    describe_counter!(
        REFUSALS,
        "Requests, and questions of batches, answered by a problem, by its code"
    );
    describe_histogram!(SEARCH_SECONDS, "Thinking time, by game, algorithm and reason of the end");
    describe_histogram!(QUEUE_SECONDS, "Time from arrival to the start of a search");
    describe_counter!(NODES, "Nodes searched, by game and algorithm");
    describe_counter!(SIMULATIONS, "Playouts, by game and algorithm");
    describe_gauge!(RUNNING, "Work in slots, by kind: reading, short, long, background");
    describe_gauge!(WAITING, "Work waiting for slots, by kind");
    describe_gauge!(SLOTS, "Slots of each kind of work");
    describe_gauge!(TABLE, "Entries of the shared transposition table");
    describe_gauge!(OVERDUE, "Work that holds a slot long after the end of its budget");
    describe_gauge!(JOB_PIECES, "Pieces of jobs, by state: waiting, held");
    describe_gauge!(JOB_AGE, "Age of the oldest job that has pieces waiting");
    describe_gauge!(CONNECTIONS, "Open connections");
    describe_counter!(CONNECTION_LIMITS, "Connections over a limit, by limit: client, all");
}

/// Begins to record.
pub(super) fn install() {
    LazyLock::force(&RECORDER);
}

/// Counts a request.
pub(super) fn request(route: &str, status: u16, took: Duration) {
    let route = route.to_owned();
    histogram!(REQUEST_SECONDS, "route" => route.clone()).record(took);
    counter!(REQUESTS, "route" => route, "status" => status.to_string()).increment(1);
}

/// Counts a problem.
pub(super) fn refusal(code: ProblemCode) {
    counter!(REFUSALS, "code" => code.to_string()).increment(1);
}

/// Counts a search.
pub(super) fn search(summary: &SearchSummary) {
    let SearchSummary { game, algorithm, stopped_by, .. } = *summary;
    let stopped_by = stopped_by.to_string();
    histogram!(SEARCH_SECONDS, "game" => game, "algorithm" => algorithm, "stopped_by" => stopped_by)
        .record(summary.took);
    histogram!(QUEUE_SECONDS).record(summary.queued);
    counter!(NODES, "game" => game, "algorithm" => algorithm).increment(summary.nodes);
    counter!(SIMULATIONS, "game" => game, "algorithm" => algorithm).increment(summary.simulations);
}

/// Counts a search that is one of several for a request.
pub(super) fn searched(searched: &Searched) {
    search(&SearchSummary::from(searched));
}

/// Number of open connections.
pub(super) fn connections(open: usize) {
    gauge!(CONNECTIONS).set(open as f64);
}

/// Counts a connection over a limit.
pub(super) fn connection_limit(limit: &'static str) {
    counter!(CONNECTION_LIMITS, "limit" => limit).increment(1);
}

/// What Prometheus reads.
#[utoipa::path(get, path = "/metrics", tag = "operation",
    responses((status = 200, description = "Metrics in the text format of Prometheus", body = String, content_type = "text/plain")))]
pub(super) async fn metrics(State(state): State<AppState>) -> impl IntoResponse {
    for (kind, running, waiting) in state.service.load() {
        gauge!(RUNNING, "kind" => kind).set(running as f64);
        gauge!(WAITING, "kind" => kind).set(waiting as f64);
    }
    let backlog = state.jobs.backlog().await;
    gauge!(JOB_PIECES, "state" => "waiting").set(backlog.waiting as f64);
    gauge!(JOB_PIECES, "state" => "held").set(backlog.held as f64);
    gauge!(JOB_AGE).set(backlog.oldest.as_secs_f64());
    gauge!(OVERDUE).set(state.service.overdue() as f64);
    gauge!(SLOTS).set(f64::from(state.service.slots()));
    gauge!(TABLE).set(state.service.table_entries() as f64);
    RECORDER.run_upkeep();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], RECORDER.render())
}
