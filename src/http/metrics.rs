//! Metrics for Prometheus: every name, unit and label is here.

use std::fmt::{self, Debug, Display, Write};
use std::sync::LazyLock;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use catalog::answer::StoppedBy;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue, LabelValueEncoder};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Metric, Registry};

use super::AppState;
use super::access::SearchSummary;
use crate::problem::ProblemCode;
use crate::service::Searched;

/// Bounds of the buckets of all histograms, in seconds: from a trivial answer to the longest search.
const BUCKETS: [f64; 14] =
    [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 60.0];

/// The metrics of the process; later services of the same process share them.
static METRICS: LazyLock<Metrics> = LazyLock::new(Metrics::new);

/// Durations by labels.
type Durations<L> = Family<L, Histogram, fn() -> Histogram>;

/// What is counted.
struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    request_seconds: Durations<RouteLabel>,
    refusals: Family<CodeLabel, Counter>,
    search_seconds: Durations<SearchLabels>,
    queue_seconds: Histogram,
    nodes: Family<MethodLabels, Counter>,
    simulations: Family<MethodLabels, Counter>,
    running: Family<KindLabel, Gauge>,
    waiting: Family<KindLabel, Gauge>,
    slots: Gauge,
    table: Gauge,
    overdue: Gauge,
    job_pieces: Family<StateLabel, Gauge>,
    job_age: Gauge<f64, AtomicU64>,
    connections: Gauge,
    connection_limits: Family<LimitLabel, Counter>,
}

impl Metrics {
    fn new() -> Self {
        let mut registry = Registry::default();
        let all = &mut registry;
        // The format adds `_total` to the names of counters.
        Self {
            requests: kept(all, "bestmove_requests", "Requests, by route and status"),
            request_seconds: register(
                all,
                "bestmove_request_seconds",
                "Time from the head of a request to its answer, by route",
                Family::new_with_constructor(durations),
            ),
            refusals: kept(
                all,
                "bestmove_refusals",
                "Requests, and questions of batches, answered by a problem, by its code",
            ),
            search_seconds: register(
                all,
                "bestmove_search_seconds",
                "Thinking time, by game, algorithm and reason of the end",
                Family::new_with_constructor(durations),
            ),
            queue_seconds: register(
                all,
                "bestmove_queue_seconds",
                "Time from arrival to the start of a search",
                durations(),
            ),
            nodes: kept(all, "bestmove_nodes", "Nodes searched, by game and algorithm"),
            simulations: kept(all, "bestmove_simulations", "Playouts, by game and algorithm"),
            running: kept(
                all,
                "bestmove_work_running",
                "Work in slots, by kind: reading, short, long, background",
            ),
            waiting: kept(all, "bestmove_work_waiting", "Work waiting for slots, by kind"),
            slots: kept(all, "bestmove_slots", "Slots of each kind of work"),
            table: kept(all, "bestmove_table_entries", "Entries of the shared transposition table"),
            overdue: kept(
                all,
                "bestmove_work_overdue",
                "Work that holds a slot long after the end of its budget",
            ),
            job_pieces: kept(all, "bestmove_job_pieces", "Pieces of jobs, by state: waiting, held"),
            job_age: kept(
                all,
                "bestmove_job_age_seconds",
                "Age of the oldest job that has pieces waiting",
            ),
            connections: kept(all, "bestmove_connections", "Open connections"),
            connection_limits: kept(
                all,
                "bestmove_connection_limits",
                "Connections over a limit, by limit: client, all",
            ),
            registry,
        }
    }
}

fn durations() -> Histogram {
    Histogram::new(BUCKETS)
}

/// A metric of the registry.
fn kept<M: Metric + Clone + Default>(registry: &mut Registry, name: &str, help: &str) -> M {
    register(registry, name, help, M::default())
}

fn register<M: Metric + Clone>(registry: &mut Registry, name: &str, help: &str, metric: M) -> M {
    registry.register(name, help, metric.clone());
    metric
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabel {
    route: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    route: String,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CodeLabel {
    code: Shown<ProblemCode>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct MethodLabels {
    game: &'static str,
    algorithm: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct SearchLabels {
    game: &'static str,
    algorithm: &'static str,
    stopped_by: Shown<StoppedBy>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct KindLabel {
    kind: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StateLabel {
    state: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct LimitLabel {
    limit: &'static str,
}

/// A label as its value is shown elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Shown<T>(T);

impl<T: Debug + Display> EncodeLabelValue for Shown<T> {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> fmt::Result {
        write!(encoder, "{}", self.0)
    }
}

/// Counts a request.
pub(super) fn request(route: &str, status: u16, took: Duration) {
    let route = route.to_owned();
    let labels = RequestLabels { route: route.clone(), status };
    METRICS.requests.get_or_create(&labels).inc();
    METRICS.request_seconds.get_or_create(&RouteLabel { route }).observe(took.as_secs_f64());
}

/// Counts a problem.
pub(super) fn refusal(code: ProblemCode) {
    METRICS.refusals.get_or_create(&CodeLabel { code: Shown(code) }).inc();
}

/// Counts a search.
pub(super) fn search(summary: &SearchSummary) {
    let SearchSummary { game, algorithm, stopped_by, .. } = *summary;
    let labels = SearchLabels { game, algorithm, stopped_by: Shown(stopped_by) };
    METRICS.search_seconds.get_or_create(&labels).observe(summary.took.as_secs_f64());
    METRICS.queue_seconds.observe(summary.queued.as_secs_f64());
    let labels = MethodLabels { game, algorithm };
    METRICS.nodes.get_or_create(&labels).inc_by(summary.nodes);
    METRICS.simulations.get_or_create(&labels).inc_by(summary.simulations);
}

/// Counts a search that is one of several for a request.
pub(super) fn searched(searched: &Searched) {
    search(&SearchSummary::from(searched));
}

/// Number of open connections.
pub(super) fn connections(open: usize) {
    METRICS.connections.set(open as i64);
}

/// Counts a connection over a limit.
pub(super) fn connection_limit(limit: &'static str) {
    METRICS.connection_limits.get_or_create(&LimitLabel { limit }).inc();
}

/// What Prometheus reads.
#[utoipa::path(get, path = "/metrics", tag = "operation",
    responses((status = 200, description = "Metrics in the OpenMetrics text format, which Prometheus reads", body = String, content_type = "application/openmetrics-text")))]
pub(super) async fn metrics(State(state): State<AppState>) -> impl IntoResponse {
    for (kind, running, waiting) in state.service.load() {
        METRICS.running.get_or_create(&KindLabel { kind }).set(running as i64);
        METRICS.waiting.get_or_create(&KindLabel { kind }).set(waiting as i64);
    }
    let backlog = state.jobs.backlog().await;
    for (state, pieces) in [("waiting", backlog.waiting), ("held", backlog.held)] {
        METRICS.job_pieces.get_or_create(&StateLabel { state }).set(pieces as i64);
    }
    METRICS.job_age.set(backlog.oldest.as_secs_f64());
    METRICS.overdue.set(state.service.overdue() as i64);
    METRICS.slots.set(i64::from(state.service.slots()));
    METRICS.table.set(state.service.table_entries() as i64);
    let mut text = String::new();
    encode(&mut text, &METRICS.registry).expect("a string takes what is written");
    ([(header::CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text)
}
