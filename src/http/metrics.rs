//! Metrics for Prometheus: every name, unit and label is here.

use std::sync::LazyLock;
use std::time::Duration;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use prometheus::core::{Atomic, Collector, GenericGauge, GenericGaugeVec};
use prometheus::{
    Gauge, GaugeVec, HistogramOpts, HistogramVec, IntCounterVec, IntGauge, IntGaugeVec, Opts,
    Registry, TEXT_FORMAT, TextEncoder,
};

use super::AppState;
use super::access::SearchSummary;
use crate::problem::ProblemCode;
use crate::service::{Load, Searched};

const REQUESTS: &str = "bestmove_requests_total";
const REQUEST_SECONDS: &str = "bestmove_request_seconds";
const REFUSALS: &str = "bestmove_refusals_total";
const SEARCH_SECONDS: &str = "bestmove_search_seconds";
const QUEUE_SECONDS: &str = "bestmove_queue_seconds";
const NODES: &str = "bestmove_nodes_total";
const SIMULATIONS: &str = "bestmove_simulations_total";
const RUNNING: &str = "bestmove_work_running";
const WAITING: &str = "bestmove_work_waiting";
const BUSY_SLOTS: &str = "bestmove_slots_busy";
const OLDEST_WAIT: &str = "bestmove_oldest_wait_seconds";
const SLOTS: &str = "bestmove_slots";
const TABLE_HITS: &str = "bestmove_table_hits_total";
const TABLE: &str = "bestmove_table_entries";
const OVERDUE: &str = "bestmove_work_overdue";
const JOB_PIECES: &str = "bestmove_job_pieces";
const JOB_AGE: &str = "bestmove_job_age_seconds";
const CONNECTIONS: &str = "bestmove_connections";
const CONNECTION_LIMITS: &str = "bestmove_connection_limits_total";

/// Bounds of the buckets of all histograms, in seconds: from a trivial answer to the longest search.
const BUCKETS: [f64; 14] =
    [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 60.0];

/// The metrics of the process; later services of the same process share them.
static METRICS: LazyLock<Metrics> = LazyLock::new(Metrics::new);

/// What is counted.
struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    request_seconds: HistogramVec,
    refusals: IntCounterVec,
    search_seconds: HistogramVec,
    queue_seconds: HistogramVec,
    nodes: IntCounterVec,
    simulations: IntCounterVec,
    work: WorkGauges,
    table_hits: IntCounterVec,
    slots: IntGauge,
    table: IntGauge,
    overdue: IntGauge,
    job_pieces: IntGaugeVec,
    job_age: Gauge,
    connections: IntGauge,
    connection_limits: IntCounterVec,
}

/// Work in slots and waiting for them, by kind.
struct WorkGauges {
    running: IntGaugeVec,
    busy_slots: IntGaugeVec,
    waiting: IntGaugeVec,
    oldest_wait: GaugeVec,
}

impl WorkGauges {
    fn new(all: &Registry) -> Self {
        let kinds = "Work in slots, by kind: reading, short, long, background";
        let oldest = "Time that the oldest waiting work has waited, by kind";
        Self {
            running: gauges(all, RUNNING, kinds, "kind"),
            busy_slots: gauges(all, BUSY_SLOTS, "Slots taken, by kind of work", "kind"),
            waiting: gauges(all, WAITING, "Work waiting for slots, by kind", "kind"),
            oldest_wait: gauges(all, OLDEST_WAIT, oldest, "kind"),
        }
    }

    fn set(&self, kind: &str, load: &Load) {
        self.running.with_label_values(&[kind]).set(load.running as i64);
        self.busy_slots.with_label_values(&[kind]).set(load.busy_slots.into());
        self.waiting.with_label_values(&[kind]).set(load.waiting as i64);
        self.oldest_wait.with_label_values(&[kind]).set(load.oldest_wait.as_secs_f64());
    }
}

impl Metrics {
    fn new() -> Self {
        let all = &Registry::new();
        let by_method = &["game", "algorithm"];
        Self {
            requests: counter(all, REQUESTS, "Requests, by route and status", &["route", "status"]),
            request_seconds: durations(
                all,
                REQUEST_SECONDS,
                "Time from the head of a request to its answer, by route",
                &["route"],
            ),
            refusals: refusals(all),
            search_seconds: durations(
                all,
                SEARCH_SECONDS,
                "Thinking time, by game, algorithm and reason of the end",
                &["game", "algorithm", "stopped_by"],
            ),
            queue_seconds: durations(
                all,
                QUEUE_SECONDS,
                "Time from arrival to the start of a search",
                &[],
            ),
            nodes: counter(all, NODES, "Nodes searched, by game and algorithm", by_method),
            simulations: counter(all, SIMULATIONS, "Playouts, by game and algorithm", by_method),
            work: WorkGauges::new(all),
            table_hits: counter(
                all,
                TABLE_HITS,
                "Nodes answered from a table, by game and algorithm",
                by_method,
            ),
            slots: gauge(all, SLOTS, "Slots of each kind of work"),
            table: gauge(all, TABLE, "Entries of the shared transposition table"),
            overdue: gauge(all, OVERDUE, "Work that holds a slot long after the end of its budget"),
            job_pieces: gauges(all, JOB_PIECES, "Pieces of jobs, by state: waiting, held", "state"),
            job_age: gauge(all, JOB_AGE, "Age of the oldest job that has pieces waiting"),
            connections: gauge(all, CONNECTIONS, "Open connections"),
            connection_limits: counter(
                all,
                CONNECTION_LIMITS,
                "Connections over a limit, by limit: client, all",
                &["limit"],
            ),
            registry: all.clone(),
        }
    }
}

/// With every code from the start: where the first problem makes the series, no rate sees it rise.
fn refusals(registry: &Registry) -> IntCounterVec {
    let help = "Requests, and questions of batches, answered by a problem, by its code";
    let refusals = counter(registry, REFUSALS, help, &["code"]);
    for code in ProblemCode::ALL {
        refusals.with_label_values(&[code.to_string()]);
    }
    refusals
}

fn counter(registry: &Registry, name: &str, help: &str, labels: &[&str]) -> IntCounterVec {
    kept(registry, IntCounterVec::new(Opts::new(name, help), labels))
}

fn gauge<P: Atomic + 'static>(registry: &Registry, name: &str, help: &str) -> GenericGauge<P> {
    kept(registry, GenericGauge::with_opts(Opts::new(name, help)))
}

fn gauges<P: Atomic + 'static>(
    registry: &Registry,
    name: &str,
    help: &str,
    label: &str,
) -> GenericGaugeVec<P> {
    kept(registry, GenericGaugeVec::new(Opts::new(name, help), &[label]))
}

fn durations(registry: &Registry, name: &str, help: &str, labels: &[&str]) -> HistogramVec {
    let options = HistogramOpts::new(name, help).buckets(BUCKETS.to_vec());
    kept(registry, HistogramVec::new(options, labels))
}

/// A metric that the registry has, too.
fn kept<M: Collector + Clone + 'static>(registry: &Registry, made: prometheus::Result<M>) -> M {
    let metric = made.expect("its name and labels are those of a metric");
    registry.register(Box::new(metric.clone())).expect("no other has its name");
    metric
}

/// Counts a request.
pub(super) fn request(route: &str, status: &str, took: Duration) {
    METRICS.requests.with_label_values(&[route, status]).inc();
    METRICS.request_seconds.with_label_values(&[route]).observe(took.as_secs_f64());
}

/// Counts a problem.
pub(super) fn refusal(code: ProblemCode) {
    METRICS.refusals.with_label_values(&[code.to_string()]).inc();
}

/// Counts a search.
pub(super) fn search(summary: &SearchSummary) {
    let SearchSummary { game, algorithm, .. } = *summary;
    let ended = [game, algorithm, &summary.stopped_by.to_string()];
    METRICS.search_seconds.with_label_values(&ended).observe(summary.took.as_secs_f64());
    METRICS.queue_seconds.with_label_values::<&str>(&[]).observe(summary.queued.as_secs_f64());
    let method = &[game, algorithm];
    METRICS.nodes.with_label_values(method).inc_by(summary.nodes);
    METRICS.simulations.with_label_values(method).inc_by(summary.simulations);
    METRICS.table_hits.with_label_values(method).inc_by(summary.table_hits);
}

/// Counts a search that is one of several for a request.
pub(super) fn searched(searched: &Searched) {
    search(&SearchSummary::from(searched));
}

/// So many more connections are open.
pub(super) fn connections(more: i64) {
    METRICS.connections.add(more);
}

/// Counts a connection over a limit.
pub(super) fn connection_limit(limit: &'static str) {
    METRICS.connection_limits.with_label_values(&[limit]).inc();
}

/// What Prometheus reads.
#[utoipa::path(get, path = "/metrics", tag = "operation",
    responses((status = 200, description = "Metrics in the text format of Prometheus", body = String, content_type = "text/plain")))]
pub(super) async fn metrics(State(state): State<AppState>) -> impl IntoResponse {
    for (kind, load) in state.service.load() {
        METRICS.work.set(kind, &load);
    }
    let backlog = state.jobs.backlog().await;
    for (state, pieces) in [("waiting", backlog.waiting), ("held", backlog.held)] {
        METRICS.job_pieces.with_label_values(&[state]).set(pieces as i64);
    }
    METRICS.job_age.set(backlog.oldest.as_secs_f64());
    METRICS.overdue.set(state.service.overdue() as i64);
    METRICS.slots.set(i64::from(state.service.slots()));
    METRICS.table.set(state.service.table_entries() as i64);
    let text = TextEncoder::new().encode_to_string(&METRICS.registry.gather());
    let text = text.expect("what the registry has can be written");
    ([(header::CONTENT_TYPE, TEXT_FORMAT)], text)
}
