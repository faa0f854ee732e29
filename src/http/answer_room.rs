//! Answers on their way: the memory that they take in all, and that those of HTTP/2 are taken in time.
//!
//! An answer that has been written to a connection of HTTP/1 and is not read closes it after a while. A client of
//! HTTP/2 takes each answer as slowly as it wants: such a connection looks alive.

use std::sync::Arc;
use std::time::Duration;

use axum::body::HttpBody;
use axum::extract::Request;
use axum::http::Version;
use axum::http::header::CONTENT_LENGTH;
use axum::response::{IntoResponse, Response};

use super::client::ClientCounts;
use super::events::guarded;
use super::half_closed::StreamLink;
use crate::problem::{Problem, ProblemCode};
use crate::service::Client;

/// Longest answer over HTTP/1 that is in the memory of its connection, in bytes.
const SMALL: usize = 16 << 10;
/// Part of an answer of HTTP/2 that a client has to take in the time for a request, in bytes. Not tuned.
const PART: usize = 64 << 10;
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

/// The connection of a request.
pub(super) struct AnswerPath {
    is_http2: bool,
    link: Option<StreamLink>,
}

impl AnswerPath {
    pub(super) fn of(request: &Request) -> Self {
        let is_http2 = request.version() == Version::HTTP_2;
        Self { is_http2, link: request.extensions().get().filter(|_| is_http2).cloned() }
    }
}

impl AnswerRoom {
    /// Room for so many bytes; clients have `patience` to take each part of an answer.
    pub(super) fn new(all: usize, patience: Duration) -> Self {
        Self { all, patience, taken: Arc::default() }
    }

    /// An answer with its place, until it has been taken; a problem if there is none. Streams need none: they have one
    /// event at a time.
    pub(super) fn kept(
        &self,
        mut response: Response,
        client: Client,
        path: AnswerPath,
    ) -> Response {
        let Some(bytes) = response.body().size_hint().exact() else { return response };
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        if bytes == 0 || (bytes <= SMALL && !path.is_http2) {
            return response;
        }
        // Each client has a quarter.
        let Some(place) = self.taken.enter(client, bytes, self.all / 4, self.all) else {
            let detail = "as many answers are on their way as there is memory for";
            return Problem::new(ProblemCode::Busy, detail).retry(UNTIL_TAKEN).into_response();
        };
        let parts = u32::try_from(1 + bytes / PART).unwrap_or(u32::MAX);
        let deadline =
            path.link.map(|link| Deadline::new(link, self.patience.saturating_mul(parts)));
        // A guarded body does not tell its length.
        response.headers_mut().insert(CONTENT_LENGTH, bytes.into());
        guarded(response, (place, deadline))
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
