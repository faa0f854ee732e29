//! The service without sockets: requests go to its routes, through all layers.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::response::Response;
use bestmove::config::Config;
use bestmove::http::{AppState, router};
use bestmove::service::{Readiness, Service};
use catalog::Catalog;
use clap::Parser;
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;
use tower_http::normalize_path::NormalizePath;

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    config: Config,
}

/// Little time and memory for each question: none needs strength.
const FLAGS: [&str; 10] = [
    "bestmove",
    "--default-time-ms=1",
    "--max-time-ms=2",
    "--max-wait-ms=1",
    "--slots=2",
    "--memory-mib=512",
    "--max-search-mib=4",
    "--table-entries=4096",
    "--max-body-bytes=4096",
    "--max-worlds=4",
];

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
    runtime.expect("a thread can be started")
});

static SERVICE: LazyLock<Arc<Service>> = LazyLock::new(|| {
    let service = Service::new(Catalog::default(), config(None).service().expect("they fit"));
    service.prepare().expect("a thread can be started");
    // What a thread beside the requests does would be counted as theirs.
    while service.readiness() != Readiness::Ready {
        std::thread::yield_now();
    }
    Arc::new(service)
});

fn config(keys: Option<&Path>) -> Config {
    Config { keys: keys.map(Path::to_owned), ..Flags::parse_from(FLAGS).config }
}

/// The routes of a service, and its state.
pub struct Routes {
    state: AppState,
    router: NormalizePath<Router>,
}

impl Routes {
    /// Routes for all, or for the clients that a file of keys lets in.
    pub fn new(keys: Option<&Path>) -> Self {
        let config = config(keys);
        let kept = RUNTIME.block_on(config.kept()).expect("there is memory");
        let state = AppState::new(Arc::clone(&SERVICE), kept.jobs, &config).expect("good keys");
        Self { router: router(&state), state }
    }

    /// Whether the file of keys is read again.
    pub fn reads_keys(&self) -> bool {
        self.state.reload_keys().is_some_and(|read| read.is_ok())
    }

    /// Asks; every refusal is a problem, and no error is an internal one. Returns the answer where it is JSON.
    pub fn ask(&self, request: Request) -> Option<Value> {
        let (uri, is_head) = (request.uri().clone(), request.method() == "HEAD");
        RUNTIME.block_on(async {
            let response = self.router.clone().oneshot(request).await.expect("layers answer all");
            // Events of a job go on until it ends, and nobody works for it here.
            let is_endless = uri.path().ends_with("/events") && response.status() == 200;
            if is_head || is_endless { None } else { checked(response).await }
        })
    }
}

async fn checked(response: Response) -> Option<Value> {
    let (head, body) = response.into_parts();
    let (status, media) = (head.status, head.headers.get("content-type").cloned());
    let body = to_bytes(Body::new(body), usize::MAX).await.expect("it is whole");
    let is_json = media.as_ref().is_some_and(|media| media.as_bytes().ends_with(b"json"));
    let is_packed = head.headers.contains_key("content-encoding");
    let value: Option<Value> =
        (is_json && !is_packed).then(|| serde_json::from_slice(&body).expect("JSON"));
    assert_ne!(status, 500, "{value:?}");
    if status.is_client_error() || status.is_server_error() {
        assert_eq!(media.expect("a type"), "application/problem+json");
        let said = value.as_ref().map(|problem| &problem["status"]);
        assert!(said.is_none_or(|said| *said == status.as_u16()), "{status}: {value:?}");
    }
    value
}
