//! Each request in the log and in the metrics.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use catalog::answer::{AnswerSource, StoppedBy};
use catalog::review::{RateAnswer, ReviewAnswer};
use tracing::field::display;
use tracing::{Instrument, Span};

use super::answer_room::AnswerPath;
use super::batch::BatchSummary;
use super::client::client;
use super::events::{StreamEnd, guarded};
use super::trace::TraceId;
use super::{AppState, RequestId, metrics, trace};
use crate::problem::{Problem, ProblemCode};
use crate::service::{Client, Searched};

/// What the log and the metrics say of a search.
#[derive(Clone, Debug)]
pub(super) struct SearchSummary {
    pub(super) game: &'static str,
    pub(super) algorithm: &'static str,
    pub(super) nodes: u64,
    pub(super) simulations: u64,
    pub(super) table_hits: u64,
    pub(super) queued: Duration,
    pub(super) took: Duration,
    pub(super) stopped_by: StoppedBy,
}

impl From<&Searched> for SearchSummary {
    fn from(searched: &Searched) -> Self {
        let Searched { answer, queued, took } = searched;
        // What was known has not been searched now.
        let searched = u64::from(answer.stats.source == AnswerSource::Search);
        Self {
            game: answer.game,
            algorithm: answer.algorithm,
            nodes: searched * answer.stats.nodes,
            simulations: searched * answer.stats.simulations,
            table_hits: searched * answer.stats.table_hits,
            queued: *queued,
            took: *took,
            stopped_by: answer.stats.stopped_by,
        }
    }
}

/// Longest path in the log, in letters.
const LONGEST_PATH: usize = 200;

/// What the log says of rated moves.
#[derive(Clone, Debug)]
pub(super) struct ReviewSummary {
    game: &'static str,
    algorithm: Cow<'static, str>,
    moves: usize,
    nodes: u64,
}

impl From<&RateAnswer> for ReviewSummary {
    fn from(answer: &RateAnswer) -> Self {
        let RateAnswer { game, ref algorithm, nodes, .. } = *answer;
        Self { game, algorithm: algorithm.clone(), moves: 1, nodes }
    }
}

impl From<&ReviewAnswer> for ReviewSummary {
    fn from(answer: &ReviewAnswer) -> Self {
        let ReviewAnswer { game, ref algorithm, ref moves, nodes, .. } = *answer;
        Self { game, algorithm: algorithm.clone(), moves: moves.len(), nodes }
    }
}

/// A request as it is logged and counted.
struct LoggedRequest {
    started: Instant,
    method: Method,
    /// At most [`LONGEST_PATH`] letters of it.
    path: String,
    route: Option<MatchedPath>,
    client: Client,
    id: String,
    trace: Option<TraceId>,
    /// Ends with it.
    span: Span,
    /// [`status_left`] while it is being answered.
    status: StatusCode,
}

impl LoggedRequest {
    /// It has been answered, by a search or by a problem.
    fn answered(&self, search: Option<&SearchSummary>, code: Option<ProblemCode>) {
        match search {
            Some(summary) => {
                code.inspect(|&code| metrics::refusal(code));
                self.searched(summary);
            }
            None => self.unsearched(code),
        }
    }

    /// Searches are logged at `info`.
    fn searched(&self, summary: &SearchSummary) {
        let SearchSummary { game, algorithm, nodes, simulations, queued, took, stopped_by, .. } =
            summary;
        let Self { method, path, client, id, .. } = self;
        let (status, trace) = (self.count(), self.trace.map(display));
        let ms = self.started.elapsed().as_millis() as u64;
        let (queue_ms, search_ms) = (queued.as_millis() as u64, took.as_millis() as u64);
        metrics::search(summary);
        tracing::info!(
            %method, path, status, ms, %client, id, trace, game, algorithm, nodes, simulations, queue_ms, search_ms,
            %stopped_by, "answered"
        );
    }

    /// What asks for work is logged at `info`, and so are refusals, which are no errors of the service; everything else
    /// at `debug`.
    fn unsearched(&self, code: Option<ProblemCode>) {
        code.inspect(|&code| metrics::refusal(code));
        let is_refused =
            self.status.is_client_error() || self.status == StatusCode::SERVICE_UNAVAILABLE;
        if !is_refused && !self.status.is_server_error() && code.is_none() {
            return self.done();
        }
        let Self { method, path, client, id, .. } = self;
        let (status, trace) = (self.count(), self.trace.map(display));
        let ms = self.started.elapsed().as_millis() as u64;
        if is_refused {
            tracing::info!(%method, path, status, ms, %client, id, trace, code = code.map(display), "refused");
        } else {
            tracing::error!(%method, path, status, ms, %client, id, trace, "failed");
        }
    }

    /// It is answered, without a search that could be named.
    fn done(&self) {
        let Self { method, path, client, id, .. } = self;
        let (status, trace) = (self.count(), self.trace.map(display));
        let ms = self.started.elapsed().as_millis() as u64;
        if method.is_safe() {
            tracing::debug!(%method, path, status, ms, %client, id, trace, "answered");
        } else {
            tracing::info!(%method, path, status, ms, %client, id, trace, "answered");
        }
    }

    /// It has been a game, or a move of one.
    fn reviewed(&self, review: &ReviewSummary) {
        let ReviewSummary { game, algorithm, moves, nodes } = review;
        let Self { method, path, client, id, .. } = self;
        let (status, trace) = (self.count(), self.trace.map(display));
        let ms = self.started.elapsed().as_millis() as u64;
        tracing::info!(
            %method, path, status, ms, %client, id, trace, game, %algorithm, moves, nodes, "answered"
        );
    }

    /// It has been a batch.
    fn answered_all(&self, batch: BatchSummary) {
        let BatchSummary { questions, failed } = batch;
        let Self { method, path, client, id, .. } = self;
        let (status, trace) = (self.count(), self.trace.map(display));
        let ms = self.started.elapsed().as_millis() as u64;
        tracing::info!(
            %method, path, status, ms, %client, id, trace, questions, failed, "answered"
        );
    }

    /// Counts it, and tells its status; 499, as servers say, if its client has left.
    fn count(&self) -> u16 {
        let route = self.route.as_ref().map_or("other", MatchedPath::as_str);
        metrics::request(route, self.status.as_str(), self.started.elapsed());
        let status = self.status.as_u16();
        self.span.record("http.response.status_code", status);
        status
    }

    /// Its client has left before the end of the answer.
    fn left(&mut self) {
        self.status = status_left();
        self.count();
        let Self { method, path, client, id, .. } = self;
        let (ms, trace) = (self.started.elapsed().as_millis() as u64, self.trace.map(display));
        tracing::info!(%method, path, ms, %client, id, trace, "left");
    }
}

/// Status of requests whose clients have left before they were answered.
fn status_left() -> StatusCode {
    StatusCode::from_u16(499).expect("it is one of three digits")
}

/// A request being answered: its client leaves if it is dropped before.
struct OpenRequest(Option<LoggedRequest>);

impl OpenRequest {
    /// It is answered.
    fn answered(mut self, status: StatusCode) -> LoggedRequest {
        let request = self.0.take().expect("it is answered once");
        LoggedRequest { status, ..request }
    }
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        self.0.iter_mut().for_each(LoggedRequest::left);
    }
}

/// A request answered by a stream: logged and counted when that ends.
struct LoggedStream {
    request: LoggedRequest,
    end: StreamEnd,
}

impl Drop for LoggedStream {
    fn drop(&mut self) {
        match self.end.0.get() {
            Some(Ok(summary)) => self.request.answered(summary.as_ref(), None),
            Some(&Err(code)) => self.request.answered(None, Some(code)),
            None => self.request.left(),
        }
    }
}

/// Counts a request, and logs it when its answer is ready, that of a stream when it has ended.
pub(super) async fn log(
    State(state): State<AppState>,
    mut request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let (address, RequestId(id)) = (client(&request, &state), RequestId::of(request.headers()));
    request.extensions_mut().insert(address);
    let path: String = request.uri().path().chars().take(LONGEST_PATH).collect();
    let method = request.method().clone();
    let (span, trace) = trace::begin(&method, &path, request.headers());
    let route = request.extensions().get::<MatchedPath>().cloned();
    let answer_path = AnswerPath::of(&request, &state.trusted_proxies);
    let open = OpenRequest(Some(LoggedRequest {
        started,
        method,
        path,
        route,
        client: address,
        id,
        trace: trace.map(|trace| trace.id),
        span: span.clone(),
        status: status_left(),
    }));
    let response = next.run(request).instrument(span).await;
    // Who has a key is known by it.
    let client = response.extensions().get().copied().unwrap_or(address);
    let mut response = state.room.kept(response, client, answer_path);
    let request = LoggedRequest { client, ..open.answered(response.status()) };
    state.explain_too_large(&mut response, request.route.as_ref());
    let code = Problem::write(&mut response, &request.id);
    trace.inspect(|trace| trace.write(response.headers_mut()));
    if let Some(end) = response.extensions().get::<StreamEnd>().cloned() {
        return guarded(response, LoggedStream { request, end });
    }
    let extensions = response.extensions();
    if let Some(&batch) = extensions.get() {
        request.answered_all(batch);
    } else if let Some(review) = extensions.get() {
        request.reviewed(review);
    } else {
        request.answered(extensions.get(), code);
    }
    response
}
