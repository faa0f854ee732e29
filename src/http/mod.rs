//! The service over HTTP: routes, bodies, problems. Independent of games and methods.

mod accept;
mod access;
mod answer_room;
mod batch;
mod body;
mod client;
mod connections;
mod etag;
mod events;
mod examples;
mod half_closed;
mod handlers;
mod job_stream;
mod jobs;
mod keys;
mod listeners;
mod metrics;
pub mod openapi;
mod pages;
mod places;
mod probes;
mod questions;
mod quota;
mod reviews;
mod server;
mod stream;
mod tls;
mod trace;

use std::convert::Infallible;
use std::io;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tower::{Layer, ServiceBuilder};
use tower_http::body::Limited;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::cors::{AllowOrigin, CorsLayer};
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::normalize_path::{NormalizePath, NormalizePathLayer};
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};

use crate::config::{Config, Networks, Origins};
use crate::jobs::Jobs;
use crate::problem;
use crate::service::Service;
use answer_room::AnswerRoom;
use job_queue::JobQueue;
use keys::KeyStore;
use places::BatchPlaces;
pub use server::serve;

/// State shared by the handlers. Routes and layers clone it for every request.
#[derive(Clone)]
pub struct AppState(Arc<SharedState>);

/// What the state holds.
pub struct SharedState {
    service: Arc<Service>,
    max_body_bytes: usize,
    read_timeout: Duration,
    trusted_proxies: Networks,
    /// None where everybody may ask.
    keys: Option<Arc<KeyStore>>,
    batches: Arc<BatchPlaces>,
    room: AnswerRoom,
    jobs: Jobs,
    cors: CorsLayer,
    pages: Router,
}

impl Deref for AppState {
    type Target = SharedState;

    fn deref(&self) -> &SharedState {
        &self.0
    }
}

impl AppState {
    /// The state of a service with these settings.
    ///
    /// # Errors
    /// When the file of keys cannot be read, or the memory does not suffice.
    pub fn new(
        service: Arc<Service>,
        queue: Arc<dyn JobQueue>,
        config: &Config,
    ) -> io::Result<Self> {
        let memory = config.memory().map_err(io::Error::other)?;
        let jobs = Jobs::new(queue, Arc::clone(&service), config.max_body_bytes);
        Ok(Self(Arc::new(SharedState {
            service,
            max_body_bytes: config.max_body_bytes,
            read_timeout: config.read_timeout(),
            trusted_proxies: config.trusted_proxies.clone(),
            keys: config.keys.as_deref().map(KeyStore::open).transpose()?.map(Arc::new),
            batches: Arc::new(BatchPlaces::new(memory.answers)),
            room: AnswerRoom::new(memory.answers, config.read_timeout()),
            jobs,
            cors: cors(config),
            pages: pages::routes(),
        })))
    }

    /// Reads the file of keys again, where there is one; if it is refused, the keys stay as they were.
    pub fn reload_keys(&self) -> Option<io::Result<()>> {
        self.keys.as_ref().map(|keys| keys.reload())
    }
}

/// What web pages may do; never with credentials.
fn cors(config: &Config) -> CorsLayer {
    let origins = match &config.cors_origins {
        Origins::Any => AllowOrigin::any(),
        Origins::Listed(list) => AllowOrigin::list(list.clone()),
    };
    CorsLayer::permissive().allow_origin(origins).allow_private_network(config.cors_private_network)
}

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Longest id of a request taken from the client, in bytes.
const LONGEST_ID: usize = 128;

/// Id of a request; the outer layers assign one to every request without.
struct RequestId(String);

impl RequestId {
    fn of(headers: &HeaderMap) -> Self {
        let id = headers.get(REQUEST_ID).and_then(|id| id.to_str().ok());
        Self(id.unwrap_or_default().to_owned())
    }
}

impl<S: Sync> FromRequestParts<S> for RequestId {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(&parts.headers))
    }
}

/// All routes, inside all layers.
pub fn router(state: &AppState) -> NormalizePath<Router> {
    let documents = Router::new()
        .route("/v1/games", get(handlers::games))
        .route("/v1/games/{game}", get(handlers::game))
        .route("/v1/algorithms", get(handlers::algorithms))
        .route("/openapi.yaml", get(handlers::openapi_yaml))
        .route("/openapi.json", get(handlers::openapi_json))
        .route_layer(middleware::from_fn(etag::tag));
    let questions = Router::new()
        .route("/v1/bestmove", post(questions::best_move))
        .route("/bestmove", post(questions::best_move))
        .route("/v1/position", post(questions::position))
        .route("/v1/rate", post(reviews::rate))
        .route("/v1/review", post(reviews::review))
        .route("/v1/game-files", post(reviews::game_files));
    let jobs = Router::new()
        .route(jobs::ROUTE, post(jobs::create).get(jobs::list))
        .route("/v1/jobs/{id}", get(jobs::status).delete(jobs::cancel))
        .route("/v1/jobs/{id}/events", get(jobs::events))
        .route("/v1/jobs/{id}/result", get(jobs::result));
    let batches = Router::new().route(batch::ROUTE, post(batch::batch));
    let routes = Router::new()
        .route("/", get(pages::index))
        .route("/version", get(handlers::version))
        .route("/problems/{kind}", get(handlers::problem_kind))
        .merge(admitted(questions, state.max_body_bytes, state))
        .merge(admitted(batches, state.longest_body(batch::ROUTE), state))
        .merge(admitted(jobs, state.longest_body(jobs::ROUTE), state))
        .merge(documents)
        .merge(probes::routes())
        .merge(state.pages.clone().with_state(()))
        .fallback(handlers::not_found)
        .method_not_allowed_fallback(handlers::wrong_method)
        .with_state(state.clone());
    inside_layers(routes, state)
}

/// Routes for those whose quota allows it, with bodies of at most so many bytes.
fn admitted(routes: Router<AppState>, longest: usize, state: &AppState) -> Router<AppState> {
    let admit = |keys| middleware::from_fn_with_state(keys, quota::admit);
    let layers = ServiceBuilder::new()
        .layer(RequestBodyLimitLayer::new(longest))
        .map_request(|request: Request<Limited<Body>>| request.map(Body::new))
        .option_layer(state.keys.clone().map(admit));
    routes.route_layer(layers)
}

/// The routes of a process that works for others.
pub fn probe_router(state: &AppState) -> NormalizePath<Router> {
    let routes = probes::routes()
        .fallback(handlers::not_found)
        .method_not_allowed_fallback(handlers::wrong_method)
        .with_state(state.clone());
    inside_layers(routes, state)
}

/// Routes inside all layers.
fn inside_layers(routes: Router, state: &AppState) -> NormalizePath<Router> {
    // A compressor would hold back events.
    let compressed = DefaultPredicate::new().and(NotForContentType::const_new(accept::LINES));
    // Outermost layer first. One stack: the router boxes each of its layers, for every request.
    let layers = ServiceBuilder::new()
        .layer(CompressionLayer::new().compress_when(compressed))
        .map_request(without_odd_id)
        .layer(SetRequestIdLayer::new(REQUEST_ID, MakeRequestUuid))
        .layer(PropagateRequestIdLayer::new(REQUEST_ID))
        .layer(middleware::from_fn_with_state(state.clone(), access::log))
        // Outside all layers that refuse: otherwise browsers report a refusal as a CORS failure.
        .layer(state.cors.clone())
        .layer(CatchPanicLayer::custom(panicked));
    // A path with a slash at its end is the same path: it is cut before the routes see it.
    NormalizePathLayer::trim_trailing_slash().layer(routes.layer(layers))
}

/// Drops a request's own id if it is longer than ids are, or not all printable ASCII: it is echoed and logged.
fn without_odd_id(mut request: Request) -> Request {
    let is_odd =
        |id: &HeaderValue| id.len() > LONGEST_ID || !id.as_bytes().iter().all(u8::is_ascii_graphic);
    if request.headers().get(REQUEST_ID).is_some_and(is_odd) {
        request.headers_mut().remove(REQUEST_ID);
    }
    request
}

fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    tracing::error!("a handler has panicked");
    problem::internal().into_response()
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};
    use axum::http::StatusCode;
    use catalog::Catalog;
    use clap::Parser;
    use serde_json::Value;
    use tower::ServiceExt;

    use super::*;
    use crate::problem::PROBLEM_TYPE;

    #[derive(Parser)]
    struct Flags {
        #[command(flatten)]
        config: Config,
    }

    async fn state() -> AppState {
        let Flags { config } = Flags::parse_from(["bestmove"]);
        let settings = config.service().expect("the defaults fit together");
        let service = Arc::new(Service::new(Catalog::default(), settings));
        let kept = config.kept().await.expect("there is memory");
        AppState::new(service, kept.jobs, &config).expect("there is no file to read")
    }

    #[tokio::test]
    async fn a_handler_that_panics_is_a_problem_with_the_id_of_its_request() {
        let unlucky = get(async || -> () { panic!("as told") });
        let routes = inside_layers(Router::new().route("/", unlucky), &state().await);
        let request = Request::builder().uri("/").header(REQUEST_ID, "mine");
        let request = request.body(Body::empty()).expect("it is well formed");
        let response = routes.oneshot(request).await.expect("layers answer all");
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(response.headers()["content-type"], PROBLEM_TYPE);
        let body = to_bytes(response.into_body(), 10_000).await.expect("it is whole");
        let problem: Value = serde_json::from_slice(&body).expect("JSON");
        assert_eq!(
            (&problem["code"], &problem["request_id"]),
            (&"internal".into(), &"mine".into())
        );
    }
}
