//! Probes and metrics on addresses of their own, answered by a thread of their own: no load on the others delays them.

use std::io;
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use axum_server::Server;
use axum_server::accept::DefaultAcceptor;
use tokio::runtime::Builder;

use super::connections::{Connections, GuardedAcceptor, Limits, PlacedPeer, PlacingListener};
use super::listeners::Listeners;
use super::server::bound;
use super::{AppState, handlers, metrics};
use crate::config::ListenAddresses;

/// Most connections of probes. Not tuned: there are a few who ask, and each closes at once.
pub(super) const MOST_CONNECTIONS: usize = 32;

/// Answers probes on these addresses as long as the process lives.
///
/// # Errors
/// When an address cannot be bound, or the system refuses a thread.
pub(super) fn start(
    addresses: &ListenAddresses,
    state: AppState,
    read_timeout: Duration,
) -> io::Result<()> {
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
    let limits = Limits {
        all: MOST_CONNECTIONS,
        each: MOST_CONNECTIONS / 2,
        trusted: state.trusted_proxies.clone(),
    };
    let routes = routes().with_state(state);
    let serve = move || {
        let listener = PlacingListener::new(listeners, Connections::new(limits));
        let mut server = Server::<PlacedPeer>::from_listener(listener);
        bound(server.http_builder(), read_timeout);
        let server = server.acceptor(GuardedAcceptor::new(read_timeout, true, DefaultAcceptor));
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
