//! A connection with its place among the others, and the timers that the server's own leave out.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use super::connections::ConnectionGuard;
use super::half_closed::{HalfClosed, RequestLine, StreamLink};

/// Bytes after which the protocol is known: the length of HTTP/2's preface (RFC 9113, 3.4).
const PREFACE: usize = 24;

/// A connection with its place and timers.
pub(super) struct GuardedStream<T> {
    stream: T,
    guard: ConnectionGuard,
    patience: Duration,
    /// Bytes read, up to [`PREFACE`].
    heard: usize,
    /// Runs until the protocol is known.
    beginning: Option<Pin<Box<Sleep>>>,
    /// Runs while the client takes nothing of an answer.
    unread: Option<Pin<Box<Sleep>>>,
    link: StreamLink,
    /// Who ends what it sends may wait for an answer.
    may_half_close: bool,
    /// Of the request that is read or answered.
    request_line: RequestLine,
    half_closed: Option<HalfClosed>,
}

impl<T> GuardedStream<T> {
    pub(super) fn new(
        stream: T,
        guard: ConnectionGuard,
        patience: Duration,
        link: StreamLink,
        may_half_close: bool,
    ) -> Self {
        let beginning = Some(Box::pin(sleep(patience)));
        Self {
            stream,
            guard,
            patience,
            heard: 0,
            beginning,
            unread: None,
            link,
            may_half_close,
            request_line: RequestLine::default(),
            half_closed: None,
        }
    }

    /// Ends the time for the beginning.
    fn begun(&mut self) {
        self.beginning = None;
        self.guard.keep();
    }

    /// An error if an answer has had its time.
    fn check_open(&self, cx: &Context<'_>) -> io::Result<()> {
        let is_closed = self.link.poll_closed(cx).is_ready();
        if is_closed { Err(io::ErrorKind::TimedOut.into()) } else { Ok(()) }
    }

    /// An answer is being written.
    fn answers(&mut self) {
        self.request_line = RequestLine::default();
        // A request may be shorter than the preface.
        if self.beginning.is_some() {
            self.begun();
        }
    }

    /// An error if the connection has not begun in time, or has lost its place.
    fn poll_beginning(&mut self, cx: &mut Context<'_>) -> io::Result<()> {
        let Some(beginning) = &mut self.beginning else { return Ok(()) };
        if beginning.as_mut().poll(cx).is_ready() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        if self.guard.poll_lost(cx).is_ready() {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        Ok(())
    }

    /// Bounds the time that a write may wait for the client.
    fn bounded(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.unread = None;
            return written;
        }
        let unread = self.unread.get_or_insert_with(|| Box::pin(sleep(self.patience)));
        unread.as_mut().poll(cx).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<T: AsyncWrite + Unpin> GuardedStream<T> {
    /// The end of what the client sends: it may wait for an answer.
    fn poll_end(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let link = &self.link;
        if !self.may_half_close || (!self.request_line.is_read() && !link.is_open()) {
            return Poll::Ready(Ok(()));
        }
        let mut half_closed = match self.half_closed.take() {
            Some(known) => known,
            None if link.is_open() => {
                link.doubt();
                HalfClosed::asked()
            }
            None => HalfClosed::ask(&mut self.stream, cx)?,
        };
        let left = half_closed.poll_left(&mut self.stream, cx).map(Err);
        self.half_closed = Some(half_closed);
        left
    }
}

impl<T: AsyncRead + AsyncWrite + Unpin> AsyncRead for GuardedStream<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check_open(cx)?;
        if self.half_closed.is_some() {
            return self.poll_end(cx);
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        let new = &buffer.filled()[before..];
        self.request_line.read(new);
        if matches!(read, Poll::Ready(Ok(()))) && new.is_empty() && buffer.remaining() > 0 {
            return self.poll_end(cx);
        }
        if self.beginning.is_some() {
            if read.is_ready() {
                self.heard += buffer.filled().len() - before;
                if self.heard >= PREFACE {
                    self.begun();
                }
            } else if let Err(why) = self.poll_beginning(cx) {
                return Poll::Ready(Err(why));
            }
        }
        read
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for GuardedStream<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check_open(cx)?;
        self.answers();
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.bounded(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.check_open(cx)?;
        self.answers();
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.bounded(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
