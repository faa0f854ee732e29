//! Connections: how many there are, in all and of each client, and that none of them waits for ever.
//!
//! The server's own timers begin when it knows which protocol is spoken and end with the answer. Here is what is left:
//! a connection that says nothing, or not enough to tell the protocol, and a client that does not read its answer. At
//! the limit, the oldest connection that has said nothing makes room for the next one.

use std::collections::{BTreeMap, HashMap};
use std::future::{Future, poll_fn};
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::Extension;
use axum::extract::connect_info::Connected;
use axum::middleware::AddExtension;
use axum_server::accept::Accept;
use axum_server::{AddrListener, Address};
use tokio::sync::oneshot;
use tokio::time::sleep;
use tower::Layer;

use super::half_closed::StreamLink;
use super::listeners::{Listeners, Peer, Socket};
use super::metrics;
use super::stream::GuardedStream;
use crate::config::Networks;
use crate::service::Client;

/// Time between two lines in the log about a limit.
const SILENCE: Duration = Duration::from_secs(1);

/// Limits of connections.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    /// Connections in all.
    pub(super) all: usize,
    /// Connections of one client.
    pub(super) each: usize,
    /// Clients without a limit of their own.
    pub(super) trusted: Networks,
}

/// Counts the connections and gives each its place.
#[derive(Debug)]
pub(super) struct Connections {
    limits: Limits,
    open: Arc<Mutex<Open>>,
}

#[derive(Debug, Default)]
struct Open {
    all: usize,
    each: HashMap<Client, usize>,
    last: u64,
    /// Connections that have said nothing yet, oldest first.
    silent: BTreeMap<u64, Silent>,
    logged: Option<Instant>,
}

#[derive(Debug)]
struct Silent {
    client: Client,
    /// Dropped to close the connection.
    _keep: oneshot::Sender<()>,
}

/// The place of a connection among the open ones.
#[derive(Debug)]
pub(super) struct ConnectionGuard {
    open: Arc<Mutex<Open>>,
    number: u64,
    client: Client,
    /// Ends when the place is given to another connection; `None` once that cannot happen any more.
    lost: Option<oneshot::Receiver<()>>,
}

fn lock(open: &Mutex<Open>) -> MutexGuard<'_, Open> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Connections {
    pub(super) fn new(limits: Limits) -> Self {
        Self { limits, open: Arc::default() }
    }

    /// Takes a place for a connection; `None` if there is none.
    fn enter(&self, peer: SocketAddr) -> Option<ConnectionGuard> {
        let client = Client::from(peer.ip());
        let is_trusted = self.limits.trusted.contain(peer.ip());
        let mut open = lock(&self.open);
        let own = open.each.get(&client).copied().unwrap_or_default();
        let has_many = !is_trusted && own >= self.limits.each;
        if has_many || open.all >= self.limits.all {
            let silent = open.silent.iter();
            let mut oldest = silent.filter(|(_, silent)| !has_many || silent.client == client);
            let oldest = oldest.next().map(|(&number, _)| number);
            open.report_limit(if has_many { "client" } else { "all" }, client);
            let silent = oldest.and_then(|number| open.silent.remove(&number))?;
            open.leave(silent.client);
        }
        open.all += 1;
        metrics::connections(1);
        *open.each.entry(client).or_default() += 1;
        open.last += 1;
        let number = open.last;
        let (_keep, lost) = oneshot::channel();
        open.silent.insert(number, Silent { client, _keep });
        Some(ConnectionGuard { open: Arc::clone(&self.open), number, client, lost: Some(lost) })
    }
}

impl Open {
    fn leave(&mut self, client: Client) {
        self.all -= 1;
        metrics::connections(-1);
        if let Some(count) = self.each.get_mut(&client) {
            *count -= 1;
            if *count == 0 {
                self.each.remove(&client);
            }
        }
    }

    fn report_limit(&mut self, which: &'static str, client: Client) {
        metrics::connection_limit(which);
        if self.logged.is_none_or(|logged| logged.elapsed() >= SILENCE) {
            self.logged = Some(Instant::now());
            tracing::warn!(limit = which, %client, open = self.all, "too many connections");
        }
    }
}

impl ConnectionGuard {
    /// The connection has said something: it is not closed for another one any more.
    pub(super) fn keep(&mut self) {
        lock(&self.open).silent.remove(&self.number);
        self.lost = None;
    }

    /// Ready when the place has been given to another connection.
    pub(super) fn poll_lost(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let lost = self.lost.as_mut().map(|lost| Pin::new(lost).poll(cx).is_ready());
        if lost == Some(true) { Poll::Ready(()) } else { Poll::Pending }
    }
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        let mut open = lock(&self.open);
        let is_listed = open.silent.remove(&self.number).is_some();
        let is_lost = self.lost.is_some() && !is_listed;
        if !is_lost {
            open.leave(self.client);
        }
    }
}

/// A connection that has its place.
#[derive(Debug)]
pub(super) struct Placed {
    socket: Socket,
    guard: ConnectionGuard,
}

/// Gives connections their places in the order in which they come; those that get none are closed at once.
#[derive(Debug)]
pub(super) struct PlacingListener {
    listeners: Listeners,
    connections: Connections,
}

impl PlacingListener {
    pub(super) const fn new(listeners: Listeners, connections: Connections) -> Self {
        Self { listeners, connections }
    }
}

/// The other end of a connection that has its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedPeer(Peer);

impl Connected<PlacedPeer> for Peer {
    fn connect_info(placed: PlacedPeer) -> Self {
        placed.0
    }
}

impl Address for PlacedPeer {
    type Stream = Placed;
    type Listener = PlacingListener;
}

impl AddrListener<Placed, PlacedPeer> for PlacingListener {
    /// The server is given listeners that are bound.
    async fn bind_to(_: PlacedPeer) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    async fn accept_stream(&self) -> io::Result<(Placed, PlacedPeer)> {
        loop {
            let (socket, peer) = self.listeners.accept_stream().await?;
            if let Some(guard) = self.connections.enter(peer.0) {
                return Ok((Placed { socket, guard }, PlacedPeer(peer)));
            }
        }
    }

    fn get_local_addr(&self) -> io::Result<PlacedPeer> {
        self.listeners.get_local_addr().map(PlacedPeer)
    }
}

/// Guards each connection while and after `inner` accepts it.
#[derive(Clone, Debug)]
pub(super) struct GuardedAcceptor<A> {
    /// Time to begin a request, and to take any part of an answer.
    patience: Duration,
    /// Who ends what it sends may wait for an answer: not under TLS, where leaving is said.
    may_half_close: bool,
    inner: A,
}

impl<A> GuardedAcceptor<A> {
    pub(super) const fn new(patience: Duration, may_half_close: bool, inner: A) -> Self {
        Self { patience, may_half_close, inner }
    }
}

/// A connection that is being accepted.
type Accepting<T, S> = Pin<Box<dyn Future<Output = io::Result<(GuardedStream<T>, S)>> + Send>>;

impl<S, A> Accept<Placed, S> for GuardedAcceptor<A>
where
    A: Accept<Socket, S>,
    A::Future: Send + 'static,
{
    type Stream = GuardedStream<A::Stream>;
    type Service = AddExtension<A::Service, StreamLink>;
    type Future = Accepting<A::Stream, Self::Service>;

    fn accept(&self, placed: Placed, service: S) -> Self::Future {
        let Placed { socket, mut guard } = placed;
        let accepted = self.inner.accept(socket, service);
        let (patience, may_half_close) = (self.patience, self.may_half_close);
        Box::pin(async move {
            let (stream, service) = tokio::select! {
                accepted = accepted => accepted?,
                () = poll_fn(|cx| guard.poll_lost(cx)) => return Err(io::ErrorKind::ConnectionAborted.into()),
                () = sleep(patience) => return Err(io::ErrorKind::TimedOut.into()),
            };
            let link = StreamLink::default();
            let service = Extension(link.clone()).layer(service);
            Ok((GuardedStream::new(stream, guard, patience, link, may_half_close), service))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connections(all: usize, each: usize) -> Connections {
        let trusted = "192.0.2.9".parse().expect("a network");
        Connections::new(Limits { all, each, trusted })
    }

    fn enter(connections: &Connections, client: u8) -> Option<ConnectionGuard> {
        connections.enter(([192, 0, 2, client], 1_000).into())
    }

    fn speaking(connections: &Connections, client: u8) -> ConnectionGuard {
        let mut guard = enter(connections, client).expect("a place is free");
        guard.keep();
        guard
    }

    #[test]
    fn the_oldest_silent_connection_makes_room_and_gives_its_place_back_once() {
        let connections = connections(2, 2);
        let mut guards: Vec<_> = (0..4).filter_map(|client| enter(&connections, client)).collect();
        assert_eq!(guards.len(), 4, "each of the last two has the place of an earlier one");
        guards.drain(..2);
        guards.iter_mut().for_each(ConnectionGuard::keep);
        assert!(enter(&connections, 5).is_none(), "two are open, and both have spoken");
        guards.pop();
        assert!(enter(&connections, 5).is_some());
    }

    #[test]
    fn a_client_makes_room_for_itself_and_trusted_proxies_have_no_limit() {
        let connections = connections(10, 1);
        let silent = enter(&connections, 1);
        let _spoken = speaking(&connections, 2);
        assert!(enter(&connections, 2).is_none(), "the silent one is another client's");
        let next = enter(&connections, 1);
        assert!(next.is_some(), "its own silent one makes room");
        drop((silent, next));
        let _proxied: Vec<_> = (0..5).map(|_| speaking(&connections, 9)).collect();
    }
}
