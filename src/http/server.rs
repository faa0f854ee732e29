//! The server: sockets, signals and the end of the process.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::ServiceExt;
use axum::extract::Request;
use axum_server::accept::DefaultAcceptor;
use axum_server::{Handle, Server};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::connections::{Connections, GuardedAcceptor, Limits, PlacedPeer, PlacingListener};
use super::listeners::{Listeners, Peer};
use super::{AppState, metrics, probes, tls};
use crate::config::{Config, Role};
use crate::jobs::Workers;
use crate::log;
use crate::service::Service;
use catalog::Catalog;

/// Serves these games until SIGTERM or SIGINT, then lets open requests finish.
///
/// # Errors
/// When an address cannot be bound, a file cannot be read, or the system refuses a thread.
pub async fn serve(catalog: Catalog, config: Config) -> io::Result<()> {
    // Before anybody can know that the process runs: until then a signal kills it.
    let signals = Signals::new()?;
    let settings = config.service().map_err(io::Error::other)?;
    let shares = config.memory().map_err(io::Error::other)?;
    let kept = config.kept().await.map_err(io::Error::other)?;
    let service = Arc::new(Service::new(catalog, settings).with_known(kept.answers));
    service.prepare()?;
    service.watch()?;
    let state = AppState::new(Arc::clone(&service), kept.jobs, &config)?;
    state.jobs.tidy();
    let works = config.role != Role::Api;
    let workers = works.then(|| state.jobs.work(config.lease(), metrics::searched));
    let certificate = tls::Certificate::read(&config)?;
    let listeners = Listeners::bind(&config.listen.0)?;
    listeners.addresses().for_each(|address| tracing::info!(%address, "listening"));
    if !state.jobs.are_durable() {
        tracing::info!("jobs are kept in memory and end with the process; --data keeps them");
    }
    let read_timeout = config.read_timeout();
    probes::start(&config.probe_listen, state.clone(), read_timeout)?;
    let connections = Connections::new(limits(&config, shares.connections));
    let handle = Handle::new();
    tokio::spawn(signals.heed(Signalled {
        service,
        workers,
        handle: handle.clone(),
        state: state.clone(),
        certificate: certificate.clone(),
        drain: Duration::from_millis(config.drain_ms),
        patience: Duration::from_millis(config.shutdown_ms),
    }));
    let listener = PlacingListener::new(listeners, connections);
    let mut server = Server::from_listener(listener).handle(handle);
    bound(server.http_builder(), read_timeout);
    let router = match config.role {
        Role::All | Role::Api => super::router(&state),
        Role::Worker => super::probe_router(&state),
    };
    let service = ServiceExt::<Request>::into_make_service_with_connect_info::<Peer>(router);
    match certificate {
        Some(certificate) => {
            let acceptor = GuardedAcceptor::new(read_timeout, false, certificate.acceptor());
            server.acceptor(acceptor).serve(service).await
        }
        None => {
            let acceptor = GuardedAcceptor::new(read_timeout, true, DefaultAcceptor);
            server.acceptor(acceptor).serve(service).await
        }
    }
}

/// Bounds what one connection takes: without, a client that never finishes its headers would hold it for ever, and one
/// that reads nothing would collect answers.
pub(super) fn bound(http: &mut Builder<TokioExecutor>, read_timeout: Duration) {
    http.http1().timer(TokioTimer::new()).header_read_timeout(read_timeout).max_buf_size(BUFFER);
    http.http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(Some(read_timeout))
        .max_concurrent_streams(STREAMS)
        .max_send_buf_size(BUFFER);
}

/// Requests at a time over a connection of HTTP/2. Not tuned.
const STREAMS: u32 = 16;
/// Bytes of a request's head, and of an answer that wait for a client to take them.
const BUFFER: usize = 32 << 10;

/// Limits of connections: by default all descriptors of files but some, as far as there is memory for them, and a quarter
/// of them for each client.
fn limits(config: &Config, in_memory: usize) -> Limits {
    let descriptors = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    let descriptors =
        descriptors.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
    let possible = descriptors.saturating_sub(SPARE_DESCRIPTORS).max(1);
    let all = if config.max_connections == 0 {
        possible.min(in_memory).min(MOST_CONNECTIONS)
    } else {
        config.max_connections.min(possible)
    };
    let each = if config.max_client_connections == 0 {
        (all / 4).max(1)
    } else {
        config.max_client_connections
    };
    Limits { all, each, trusted: config.trusted_proxies.clone() }
}

/// Descriptors kept for other things than connections, for connections on their way out, and for probes.
const SPARE_DESCRIPTORS: usize = 64 + probes::MOST_CONNECTIONS;
/// Most connections by default, whatever the system allows. Not tuned.
const MOST_CONNECTIONS: usize = 20_000;

/// The signals that the process heeds; as PID 1 in a container it has no default handlers.
struct Signals {
    term: Signal,
    int: Signal,
    hup: Signal,
}

/// What signals act upon.
struct Signalled {
    service: Arc<Service>,
    /// Those of this process, if it works on jobs.
    workers: Option<Workers>,
    handle: Handle<PlacedPeer>,
    state: AppState,
    certificate: Option<tls::Certificate>,
    /// Time in which requests are still accepted.
    drain: Duration,
    /// Time after that for open requests.
    patience: Duration,
}

impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self {
            term: signal(SignalKind::terminate())?,
            int: signal(SignalKind::interrupt())?,
            hup: signal(SignalKind::hangup())?,
        })
    }

    async fn heed(mut self, on: Signalled) {
        loop {
            tokio::select! {
                _ = self.hup.recv() => on.reload(),
                () = first_of(&mut self.term, &mut self.int) => break,
            }
        }
        tracing::info!("shutting down");
        tokio::spawn(async move {
            first_of(&mut self.term, &mut self.int).await;
            tracing::warn!("a second signal: the process ends at once");
            log::finish();
            std::process::exit(1);
        });
        // The load balancer learns first; until then requests are still answered.
        on.service.drain();
        tokio::time::sleep(on.drain).await;
        on.service.stop_accepting();
        if let Some(workers) = on.workers {
            workers.stop().await;
        }
        on.service.finish_searches();
        on.handle.graceful_shutdown(Some(on.patience));
    }
}

impl Signalled {
    /// Reads the files again that may change; what cannot be read stays as it was.
    fn reload(&self) {
        let keys = self.state.reload_keys().map(|read| ("keys", read));
        let certificate = self.certificate.as_ref().map(|files| ("certificate", files.reload()));
        for (file, read) in keys.into_iter().chain(certificate) {
            match read {
                Ok(()) => tracing::info!(file, "read again"),
                Err(why) => tracing::error!(file, %why, "cannot be read; it stays as it was"),
            }
        }
    }
}

async fn first_of(one: &mut Signal, other: &mut Signal) {
    tokio::select! {
        _ = one.recv() => {}
        _ = other.recv() => {}
    }
}
