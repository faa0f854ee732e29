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
use tokio::signal::unix::{SignalKind, signal};

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
    let read_timeout = Duration::from_millis(config.read_timeout_ms);
    let router = super::router(Arc::clone(&service), config.max_body_bytes, read_timeout);
    let listener = listen(config.listen)?.into_std()?;
    tracing::info!(address = %listener.local_addr()?, "listening");
    let handle = Handle::new();
    tokio::spawn(shut_down(service, handle.clone(), config));
    let mut server = axum_server::from_tcp(listener)?.handle(handle);
    // Without these limits a client that never finishes its headers holds a connection forever.
    server.http_builder().http1().timer(TokioTimer::new()).header_read_timeout(read_timeout);
    server.http_builder().http2().timer(TokioTimer::new()).keep_alive_interval(Some(read_timeout));
    server.serve(ServiceExt::<Request>::into_make_service(router)).await
}

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
    tokio::select! {
        _ = term.recv() => {}
        _ = int.recv() => {}
    }
    tracing::info!("shutting down");
    // The load balancer learns first; until then requests are still answered.
    service.drain();
    tokio::time::sleep(Duration::from_millis(config.drain_ms)).await;
    service.stop_accepting();
    service.finish_searches();
    handle.graceful_shutdown(Some(Duration::from_millis(config.shutdown_ms)));
}
