//! Probes and metrics on addresses of their own, answered by a thread of their own: no load on the others delays them.

use std::io;

use axum::Router;
use axum::routing::get;
use axum_server::Server;
use tokio::runtime::Builder;

use super::listeners::{Listeners, Peer};
use super::{AppState, handlers, metrics};
use crate::config::ListenAddresses;

/// Answers probes on these addresses as long as the process lives.
///
/// # Errors
/// When an address cannot be bound, or the system refuses a thread.
pub(super) fn start(addresses: &ListenAddresses, state: AppState) -> io::Result<()> {
    if addresses.0.is_empty() {
        return Ok(());
    }
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let listeners = {
        let _inside = runtime.enter();
        Listeners::bind(&addresses.0)?
    };
    for address in listeners.addresses() {
        tracing::info!(probe_address = %address, "answering probes");
    }
    let routes = routes().with_state(state);
    let serve = move || {
        let server = Server::<Peer>::from_listener(listeners);
        let served = runtime.block_on(server.serve(routes.into_make_service()));
        tracing::error!(why = ?served.err(), "probes are no longer answered");
    };
    std::thread::Builder::new().name("probes".into()).spawn(serve).map(drop)
}

/// The routes of probes and metrics.
pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/healthz", get(handlers::healthz))
        .route("/livez", get(handlers::livez))
        .route("/readyz", get(handlers::readyz))
        .route("/metrics", get(metrics::metrics))
}
