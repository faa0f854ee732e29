//! Clients that end their half of a connection and wait for an answer, such as `nc -N`.
//!
//! The end of what a client sends looks the same whether it waits or has left. What tells them apart is something sent
//! to them: `100 Continue`, which every client of HTTP/1.1 has to take at any time (RFC 9110, 15.2), or, once a stream of
//! events has begun, a heartbeat. The system of one that has left answers it with a reset.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::http::Version;
use axum::http::request::Parts;
use futures_util::task::AtomicWaker;
use tokio::io::AsyncWrite;
use tokio::sync::Notify;
use tokio::time::{Instant, Sleep, sleep};

const CONTINUE: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";
/// Times between two looks for a reset, in ms, shortest first; the last one goes on. Not tuned.
const PAUSES: [u64; 5] = [5, 5, 10, 20, 50];

/// End of the first line of a request.
const VERSION: &[u8] = b" HTTP/1.1\r\n";

/// Looks for a request of HTTP/1.1 in what a client sends, piece by piece.
#[derive(Debug, Default)]
pub(super) struct RequestLine {
    /// Bytes of [`VERSION`] seen.
    seen: usize,
}

impl RequestLine {
    /// True once the first line has been read.
    pub(super) const fn is_read(&self) -> bool {
        self.seen == VERSION.len()
    }

    pub(super) fn read(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if self.is_read() {
                return;
            }
            // Its first byte does not come again in it.
            self.seen = if byte == VERSION[self.seen] {
                self.seen + 1
            } else {
                usize::from(byte == VERSION[0])
            };
        }
    }
}

/// A client that has ended its half before it was answered.
#[derive(Debug)]
pub(super) struct HalfClosed {
    looks: usize,
    pause: Pin<Box<Sleep>>,
}

impl HalfClosed {
    /// Asks whether the client is there.
    ///
    /// # Errors
    /// When it is known not to be.
    pub(super) fn ask(
        stream: &mut (impl AsyncWrite + Unpin),
        cx: &mut Context<'_>,
    ) -> io::Result<Self> {
        match Pin::new(stream).poll_write(cx, CONTINUE) {
            Poll::Ready(Ok(sent)) if sent == CONTINUE.len() => {}
            Poll::Ready(Err(why)) => return Err(why),
            // It takes nothing any more.
            _ => return Err(io::ErrorKind::ConnectionReset.into()),
        }
        Ok(Self::asked())
    }

    /// A client that has been sent something, or will be at once.
    pub(super) fn asked() -> Self {
        Self { looks: 0, pause: Box::pin(sleep(Duration::from_millis(PAUSES[0]))) }
    }

    /// Ready when the client has left; until then it looks now and then.
    pub(super) fn poll_left(
        &mut self,
        stream: &mut (impl AsyncWrite + Unpin),
        cx: &mut Context<'_>,
    ) -> Poll<io::Error> {
        while self.pause.as_mut().poll(cx).is_ready() {
            // A write of nothing tells of a reset.
            if let Poll::Ready(Err(why)) = Pin::new(&mut *stream).poll_write(cx, &[]) {
                return Poll::Ready(why);
            }
            self.looks += 1;
            let pause = PAUSES[self.looks.min(PAUSES.len() - 1)];
            self.pause.as_mut().reset(Instant::now() + Duration::from_millis(pause));
        }
        Poll::Pending
    }
}

/// What a connection and its answers tell each other.
#[derive(Clone, Debug, Default)]
pub(super) struct StreamLink(Arc<LinkState>);

#[derive(Debug, Default)]
struct LinkState {
    is_open: AtomicBool,
    doubt: Notify,
    is_closed: AtomicBool,
    reader: AtomicWaker,
}

impl StreamLink {
    /// The link of a request: connections of HTTP/2 have many streams, and say when one is left.
    pub(super) fn of(request: &Parts) -> Option<&Self> {
        request.extensions.get().filter(|_| request.version <= Version::HTTP_11)
    }

    /// A stream begins.
    pub(super) fn open(&self) -> OpenStream {
        self.0.is_open.store(true, Ordering::Relaxed);
        OpenStream(Arc::clone(&self.0))
    }

    /// True while a stream is sent.
    pub(super) fn is_open(&self) -> bool {
        self.0.is_open.load(Ordering::Relaxed)
    }

    /// Closes the connection.
    pub(super) fn close(&self) {
        self.0.is_closed.store(true, Ordering::Relaxed);
        self.0.reader.wake();
    }

    /// Ready when the connection is to be closed.
    pub(super) fn poll_closed(&self, cx: &Context<'_>) -> Poll<()> {
        self.0.reader.register(cx.waker());
        let is_closed = self.0.is_closed.load(Ordering::Relaxed);
        if is_closed { Poll::Ready(()) } else { Poll::Pending }
    }

    /// Tells the stream that its client has ended its half.
    pub(super) fn doubt(&self) {
        self.0.doubt.notify_one();
    }
}

/// A stream that is being sent.
#[derive(Debug)]
pub(super) struct OpenStream(Arc<LinkState>);

impl OpenStream {
    /// Ready when the client may have left: something has to be sent to find out.
    pub(super) async fn doubted(&self) {
        self.0.doubt.notified().await;
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.0.is_open.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_request_of_http_1_1() {
        let is_read = |parts: &[&str]| {
            let mut line = RequestLine::default();
            parts.iter().for_each(|part| line.read(part.as_bytes()));
            line.is_read()
        };
        assert!(is_read(&["GET / HTTP/1.1\r\nhost: a\r\n"]));
        assert!(is_read(&["GET / HT", "TP/1.1\r", "\nhost"]));
        assert!(is_read(&["GET / HTTP  HTTP/1.1\r\n"]));
        for other in ["", "GET / HTTP/1.1", "GET / HTTP/1.0\r\n", "PRI * HTTP/2.0\r\n", "{}\r\n"] {
            assert!(!is_read(&[other]), "{other}");
        }
    }
}
