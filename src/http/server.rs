//! Listening socket and shutdown of the process.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::ServiceExt;
use axum::extract::Request;
use axum_server::Handle;
use hyper_util::rt::TokioTimer;
use tokio::net::{TcpListener, TcpSocket};
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::AppState;
use super::connections::{Connections, Limits};
use crate::config::Config;
use crate::service::Service;
use catalog::Catalog;

/// Serves these games until SIGTERM or SIGINT, then lets open requests finish.
///
/// # Errors
/// When the address cannot be bound, or the system refuses a thread.
pub async fn serve(catalog: Catalog, config: Config) -> io::Result<()> {
    let service = Arc::new(Service::new(catalog, config.service()));
    service.prepare()?;
    let read_timeout = config.read_timeout();
    let router = super::router(AppState::new(Arc::clone(&service), &config));
    let listener = listen(config.listen)?.into_std()?;
    tracing::info!(address = %listener.local_addr()?, "listening");
    let connections = Connections::new(limits(&config));
    let handle = Handle::new();
    tokio::spawn(shut_down(service, handle.clone(), config));
    let mut server = axum_server::from_tcp(listener)?.handle(handle).acceptor(connections);
    // Without these limits a client that never finishes its headers holds a connection forever.
    server.http_builder().http1().timer(TokioTimer::new()).header_read_timeout(read_timeout);
    server.http_builder().http2().timer(TokioTimer::new()).keep_alive_interval(Some(read_timeout));
    server
        .serve(ServiceExt::<Request>::into_make_service_with_connect_info::<SocketAddr>(router))
        .await
}

/// Limits of connections: by default all descriptors of files but some, and a quarter of them for each client.
fn limits(config: &Config) -> Limits {
    let descriptors = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    let descriptors =
        descriptors.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
    let possible = descriptors.saturating_sub(SPARE_DESCRIPTORS).clamp(1, MOST_CONNECTIONS);
    let all =
        if config.max_connections == 0 { possible } else { config.max_connections.min(possible) };
    let each = if config.max_client_connections == 0 {
        (all / 4).max(1)
    } else {
        config.max_client_connections
    };
    let trusted = config.trusted_proxies.clone();
    Limits { all, each, trusted, patience: config.read_timeout() }
}

/// Descriptors kept for other things than connections, and for connections on their way out.
const SPARE_DESCRIPTORS: usize = 64;
/// Most connections, whatever the system allows: 2 KiB each when silent, some 40 KiB with a request half sent.
const MOST_CONNECTIONS: usize = 20_000;

/// Listen backlog: the system's default is too small for a busy moment, and a client without a place
/// retries only after a second.
const BACKLOG: u32 = 1_024;

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Waits for a signal; as PID 1 in a container the process has no default handler.
async fn shut_down(service: Arc<Service>, handle: Handle<SocketAddr>, config: Config) {
    let (Ok(mut term), Ok(mut int)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        tracing::error!("signals cannot be waited for; the process ends only by force");
        return;
    };
    first_of(&mut term, &mut int).await;
    tracing::info!("shutting down");
    tokio::spawn(async move {
        first_of(&mut term, &mut int).await;
        tracing::warn!("a second signal: the process ends at once");
        std::process::exit(1);
    });
    // The load balancer learns first; until then requests are still answered.
    service.drain();
    tokio::time::sleep(Duration::from_millis(config.drain_ms)).await;
    service.stop_accepting();
    service.finish_searches();
    handle.graceful_shutdown(Some(Duration::from_millis(config.shutdown_ms)));
}

async fn first_of(one: &mut Signal, other: &mut Signal) {
    tokio::select! {
        _ = one.recv() => {}
        _ = other.recv() => {}
    }
}
