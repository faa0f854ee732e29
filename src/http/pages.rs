//! The page: files built from `web`, in the program, compressed, with the headers of a strict policy.

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri, header};
use axum::response::{IntoResponse, Response};
use memory_serve::CacheControl;
use tower::ServiceExt;
use tower_http::set_header::SetResponseHeaderLayer;
use tracing::subscriber::NoSubscriber;

use super::AppState;
use super::handlers;

/// What the page may load and do: its own files and requests to the service, no inline script or style, no policy of
/// trusted types but that for its service worker.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types bestmove";

/// Headers of every file.
const HEADERS: [(HeaderName, &str); 4] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// Files of the page. Those under `/assets/` have a hash in their name and never change; the others are asked for anew.
pub(super) fn routes() -> Router {
    // The library would log each file.
    tracing::subscriber::with_default(NoSubscriber::default(), quiet_routes)
}

fn quiet_routes() -> Router {
    let files = memory_serve::load!()
        .index_file(None)
        .enable_gzip(true)
        .enable_brotli(true)
        .add_alias("/docs", "/docs.html")
        .html_cache_control(CacheControl::NoCache)
        .cache_control(CacheControl::Medium)
        .into_router();
    HEADERS.into_iter().fold(files, |files, (name, text)| {
        files.layer(SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(text)))
    })
}

/// The page to browsers, an index of paths to all others.
pub(super) async fn index(
    State(state): State<AppState>,
    headers: HeaderMap,
    request: Request,
) -> Response {
    let wanted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    let mut response = if wanted.is_some_and(|wanted| wanted.contains("text/html")) {
        let (mut parts, _) = request.into_parts();
        parts.uri = Uri::from_static("/index.html");
        let page = Request::from_parts(parts, Body::empty());
        state.pages.clone().oneshot(page).await.into_response()
    } else {
        handlers::index().await.into_response()
    };
    response.headers_mut().append(header::VARY, HeaderValue::from_static("accept"));
    response
}
