//! Answers on their way: the memory that they take in all, and the time that each has.
//!
//! A client that takes its answer slowly looks alive. What it has not taken is in the memory meanwhile: in pieces, so that
//! the connection holds little of it, and the rest counts until the last piece is taken.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Error;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{ConnectInfo, Request};
use axum::http::header::CONTENT_LENGTH;
use axum::response::{IntoResponse, Response};
use http_body::{Frame, SizeHint};

use super::client::{ClientCounts, CountedRequest};
use super::half_closed::StreamLink;
use super::listeners::Peer;
use crate::config::Networks;
use crate::problem::{Problem, ProblemCode};
use crate::service::Client;

/// Longest answer that is in the memory of its connection, and longest piece of a longer one, in bytes.
const SMALL: usize = 16 << 10;
/// Part of an answer that a client has to take in the time for a request, in bytes: 25 KiB a second by default.
const PART: usize = 256 << 10;
/// Time until others may have taken their answers. Not tuned.
const UNTIL_TAKEN: Duration = Duration::from_secs(1);

/// The memory of answers on their way.
#[derive(Debug)]
pub(super) struct AnswerRoom {
    /// In bytes.
    all: usize,
    patience: Duration,
    taken: Arc<ClientCounts>,
}

/// The connection of a request; none of a trusted proxy, which has those of many clients.
pub(super) struct AnswerPath(Option<StreamLink>);

impl AnswerPath {
    pub(super) fn of(request: &Request, trusted: &Networks) -> Self {
        let peer = request.extensions().get::<ConnectInfo<Peer>>();
        let is_trusted = peer.is_some_and(|ConnectInfo(Peer(peer))| trusted.contain(peer.ip()));
        Self(request.extensions().get().filter(|_| !is_trusted).cloned())
    }
}

impl AnswerRoom {
    /// Room for so many bytes; clients have `patience` to take each part of an answer.
    pub(super) fn new(all: usize, patience: Duration) -> Self {
        Self { all, patience, taken: Arc::default() }
    }

    /// An answer with its place, until it has been taken; a problem if there is none. Streams need none: they have one
    /// event at a time.
    pub(super) fn kept(&self, response: Response, client: Client, path: AnswerPath) -> Response {
        let Some(bytes) = response.body().size_hint().exact() else { return response };
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        if bytes <= SMALL {
            return response;
        }
        // Each client has a quarter.
        let Some(place) = self.taken.enter(client, bytes, self.all / 4, self.all) else {
            return refused(response);
        };
        let parts = u32::try_from(1 + bytes / PART).unwrap_or(u32::MAX);
        let time = self.patience.saturating_mul(parts);
        let deadline = path.0.map(|link| Deadline::new(link, time));
        let (mut head, body) = response.into_parts();
        // Pieces do not tell their length together.
        head.headers.insert(CONTENT_LENGTH, bytes.into());
        let pieces = Pieces { body, rest: Bytes::new(), _kept: (place, deadline) };
        Response::from_parts(head, Body::new(pieces))
    }
}

/// The problem in place of an answer; what is logged of it stays.
fn refused(answer: Response) -> Response {
    let detail = "as many answers are on their way as there is memory for";
    let problem = Problem::new(ProblemCode::Busy, detail).retry(UNTIL_TAKEN).into_response();
    let ((mut head, _), (problem, body)) = (answer.into_parts(), problem.into_parts());
    head.status = problem.status;
    head.headers.extend(problem.headers);
    head.extensions.extend(problem.extensions);
    Response::from_parts(head, body)
}

/// A body in small pieces.
struct Pieces {
    body: Body,
    rest: Bytes,
    _kept: (CountedRequest, Option<Deadline>),
}

impl HttpBody for Pieces {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        while self.rest.is_empty() {
            match Pin::new(&mut self.body).poll_frame(cx) {
                Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                    Ok(data) => self.rest = data,
                    Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
                },
                ended => return ended,
            }
        }
        let length = self.rest.len().min(SMALL);
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(length)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let rest = self.body.size_hint().exact().unwrap_or_default() + self.rest.len() as u64;
        SizeHint::with_exact(rest)
    }
}

/// Closes a connection, unless it is dropped in time.
struct Deadline(tokio::task::AbortHandle);

impl Deadline {
    fn new(link: StreamLink, time: Duration) -> Self {
        let close = async move {
            tokio::time::sleep(time).await;
            link.close();
        };
        Self(tokio::spawn(close).abort_handle())
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        self.0.abort();
    }
}
