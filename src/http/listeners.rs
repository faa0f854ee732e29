//! Listening sockets: addresses, names, unix sockets, sockets of the service manager; all of them as one listener.

use std::fmt;
use std::future::poll_fn;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, ToSocketAddrs};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use axum::extract::connect_info::Connected;
use axum_server::{AddrListener, Address};
use listenfd::ListenFd;
use tokio::net::{TcpListener, TcpSocket, TcpStream, UnixListener, UnixStream};
use tokio_util::either::Either;

use crate::config::ListenAddress;

/// Listen backlog: the system's default is too small for a busy moment, and a client without a place
/// retries only after a second.
const BACKLOG: u32 = 1_024;

/// A connection of any kind.
pub(super) type Socket = Either<TcpStream, UnixStream>;

/// The other end of a connection; that of a unix socket is the host itself, 127.0.0.1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer(pub(super) SocketAddr);

impl Peer {
    pub(super) const HOST: Self =
        Self(SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 0));
}

impl Connected<Self> for Peer {
    fn connect_info(peer: Self) -> Self {
        peer
    }
}

/// A listening socket.
#[derive(Debug)]
enum ListeningSocket {
    Tcp(TcpListener),
    /// With the path to remove in the end, unless it is the service manager's.
    Unix(UnixListener, Option<PathBuf>),
}

/// All listening sockets.
#[derive(Debug)]
pub(super) struct Listeners {
    listeners: Vec<ListeningSocket>,
    /// The one that is asked first, in turn: no busy one shuts out the others.
    first: AtomicUsize,
}

impl Listeners {
    /// Listens on these addresses.
    ///
    /// # Errors
    /// The first address on which it cannot listen, and why.
    pub(super) fn bind(addresses: &[ListenAddress]) -> io::Result<Self> {
        let mut listeners = Vec::new();
        for address in addresses {
            let bound = match address {
                ListenAddress::Tcp(name) => tcp(name),
                ListenAddress::Unix(path) => unix(path).map(|listener| vec![listener]),
                ListenAddress::Systemd => inherited(),
            };
            let named = |why: io::Error| {
                io::Error::new(why.kind(), format!("cannot listen on {address}: {why}"))
            };
            listeners.extend(bound.map_err(named)?);
        }
        Ok(Self { listeners, first: AtomicUsize::new(0) })
    }

    /// Each address.
    pub(super) fn addresses(&self) -> impl Iterator<Item = impl fmt::Display> {
        self.listeners.iter()
    }

    fn poll_accept(&self, cx: &mut Context<'_>) -> Poll<io::Result<(Socket, Peer)>> {
        let first = self.first.fetch_add(1, Ordering::Relaxed);
        for turn in 0..self.listeners.len() {
            let listener = &self.listeners[(first.wrapping_add(turn)) % self.listeners.len()];
            let accepted = match listener {
                ListeningSocket::Tcp(tcp) => {
                    tcp.poll_accept(cx).map_ok(|(stream, peer)| (Either::Left(stream), Peer(peer)))
                }
                ListeningSocket::Unix(unix, _) => {
                    unix.poll_accept(cx).map_ok(|(stream, _)| (Either::Right(stream), Peer::HOST))
                }
            };
            if accepted.is_ready() {
                return accepted;
            }
        }
        Poll::Pending
    }
}

impl fmt::Display for ListeningSocket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(tcp) => tcp.local_addr().map_err(|_| fmt::Error)?.fmt(f),
            Self::Unix(unix, _) => {
                let address = unix.local_addr().map_err(|_| fmt::Error)?;
                let path = address.as_pathname().unwrap_or_else(|| Path::new("unnamed"));
                write!(f, "unix:{}", path.display())
            }
        }
    }
}

impl Drop for ListeningSocket {
    fn drop(&mut self) {
        if let Self::Unix(_, Some(path)) = self {
            // Whoever has removed it before was quicker.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Listens on every address of a name, at least one: a host may lack IPv6.
fn tcp(name: &str) -> io::Result<Vec<ListeningSocket>> {
    let mut listeners = Vec::new();
    let mut failed = None;
    for address in name.to_socket_addrs()? {
        match tcp_at(address) {
            Ok(listener) => listeners.push(ListeningSocket::Tcp(listener)),
            Err(why) if why.kind() == io::ErrorKind::AddrNotAvailable => failed = Some(why),
            Err(why) => return Err(why),
        }
    }
    match failed {
        Some(why) if listeners.is_empty() => Err(why),
        _ => Ok(listeners),
    }
}

fn tcp_at(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Listens on a unix socket; one that nobody listens on any more is replaced.
fn unix(path: &Path) -> io::Result<ListeningSocket> {
    let is_socket = path.symlink_metadata().is_ok_and(|data| data.file_type().is_socket());
    if is_socket && std::os::unix::net::UnixStream::connect(path).is_err() {
        std::fs::remove_file(path)?;
    }
    Ok(ListeningSocket::Unix(UnixListener::bind(path)?, Some(path.to_owned())))
}

/// The sockets that the service manager hands over (`LISTEN_FDS`, sd_listen_fds(3)).
fn inherited() -> io::Result<Vec<ListeningSocket>> {
    let mut sockets = ListenFd::from_env();
    let mut listeners = Vec::new();
    for number in 0..sockets.len() {
        if let Ok(Some(tcp)) = sockets.take_tcp_listener(number) {
            tcp.set_nonblocking(true)?;
            listeners.push(ListeningSocket::Tcp(TcpListener::from_std(tcp)?));
        } else if let Some(unix) = sockets.take_unix_listener(number)? {
            unix.set_nonblocking(true)?;
            listeners.push(ListeningSocket::Unix(UnixListener::from_std(unix)?, None));
        }
    }
    if listeners.is_empty() {
        let why = "the service manager has handed over no socket (LISTEN_FDS)";
        return Err(io::Error::new(io::ErrorKind::NotFound, why));
    }
    Ok(listeners)
}

impl Address for Peer {
    type Stream = Socket;
    type Listener = Listeners;
}

impl AddrListener<Socket, Peer> for Listeners {
    async fn bind_to(peer: Peer) -> io::Result<Self> {
        Self::bind(&[ListenAddress::Tcp(peer.0.to_string())])
    }

    /// The next connection; its packets are sent at once.
    async fn accept_stream(&self) -> io::Result<(Socket, Peer)> {
        let (socket, peer) = poll_fn(|cx| self.poll_accept(cx)).await?;
        if let Either::Left(tcp) = &socket {
            // It fails only where nobody is left to answer.
            let _ = tcp.set_nodelay(true);
        }
        Ok((socket, peer))
    }

    fn get_local_addr(&self) -> io::Result<Peer> {
        match &self.listeners[0] {
            ListeningSocket::Tcp(tcp) => tcp.local_addr().map(Peer),
            ListeningSocket::Unix(..) => Ok(Peer::HOST),
        }
    }
}
