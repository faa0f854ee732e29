//! An answer as a stream of events: what the search would answer so far, and at last its answer.

use std::convert::Infallible;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, BoxStream, Stream, StreamExt};
use http_body_util::BodyExt;
use serde::Serialize;
use utoipa::ToSchema;

use super::RequestId;
use super::accept::{LINES, StreamForm};
use super::access::SearchSummary;
use super::half_closed::{OpenStream, StreamLink};
use crate::jobs::{JobAnswer, JobItem};
use crate::problem::{Problem, ProblemCode};
use crate::service::{Failure, News, ReviewNews, Searched};
use catalog::answer::Answer;
use catalog::review::{ReviewAnswer, ReviewProgress};

/// Longest silence of a stream.
const SILENCE: Duration = Duration::from_secs(8);
/// Tells proxies such as nginx to pass on each event at once.
const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// An event of a stream; the last one is `result` or `error`. In `application/x-ndjson` each is a line; in
/// `text/event-stream` the event has the name `event` and the data `data`, and a heartbeat is a comment.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "event", content = "data", rename_all = "snake_case")]
pub(super) enum StreamEvent {
    /// The search has a place in the queue and waits for a slot. It may lose that place to others: then an `error` comes.
    #[schema(title = "QueuedEvent")]
    Queued(QueueNews),
    /// The search has begun, after its wait in the queue. Left out where an interim answer comes at once.
    #[schema(title = "BegunEvent")]
    Begun,
    /// What the search would answer now, after each of its iterations, but at most twenty times a second;
    /// `stopped_by` is `running`.
    #[schema(title = "ProgressEvent")]
    Progress(Box<Answer>),
    /// The answer, as without a stream.
    #[schema(title = "ResultEvent")]
    Result(Box<Answer>),
    /// How far a review is, after each of its positions, the last one first.
    #[serde(rename = "progress")]
    #[schema(title = "ReviewProgressEvent")]
    Reviewed(Box<ReviewProgress>),
    /// The review, as without a stream.
    #[serde(rename = "result")]
    #[schema(title = "ReviewResultEvent")]
    Review(Box<ReviewAnswer>),
    /// The result of an item of a job; in `text/event-stream` its id is that of the event.
    #[schema(title = "JobItemEvent")]
    Item(Box<JobItem>),
    /// How far a job is.
    #[serde(rename = "progress")]
    #[schema(title = "JobProgressEvent")]
    Job(Box<JobAnswer>),
    /// A job as it has ended; its path `result` has the answer.
    #[serde(rename = "result")]
    #[schema(title = "JobEndEvent")]
    JobEnd(Box<JobAnswer>),
    /// There will be no answer.
    #[schema(title = "ErrorEvent")]
    Error(Box<Problem>),
    /// Nothing has happened for eight seconds, or the client has ended its half of the connection and may be gone.
    #[schema(title = "HeartbeatEvent")]
    Heartbeat,
}

/// A wait in the queue.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(super) struct QueueNews {
    /// Time until the search is expected to begin, if nobody else comes, in ms.
    expected_ms: u64,
}

impl StreamEvent {
    /// It as a server-sent event.
    fn sent(&self) -> Event {
        let of = |name| Event::default().event(name);
        let written = match self {
            Self::Queued(news) => of("queued").json_data(news),
            Self::Begun => Ok(of("begun").data("{}")),
            Self::Progress(answer) => of("progress").json_data(answer),
            Self::Reviewed(position) => of("progress").json_data(position),
            Self::Result(answer) => of("result").json_data(answer),
            Self::Review(review) => of("result").json_data(review),
            Self::Item(item) => of("item").id(item.id.to_string()).json_data(item),
            Self::Job(job) => of("progress").json_data(job),
            Self::JobEnd(job) => of("result").json_data(job),
            Self::Error(problem) => of("error").json_data(problem),
            Self::Heartbeat => Ok(Event::default().comment("heartbeat")),
        };
        written.expect("answers have names as keys")
    }

    /// It as a line.
    fn line(&self) -> Bytes {
        let mut line = serde_json::to_vec(self).expect("answers have names as keys");
        line.push(b'\n');
        line.into()
    }
}

/// What a stream has come to; nothing as long as it goes on, and where the client leaves.
#[derive(Clone, Debug, Default)]
pub(super) struct StreamEnd(pub(super) Arc<OnceLock<Result<Option<SearchSummary>, ProblemCode>>>);

/// What comes next in a stream.
pub(super) enum StreamStep {
    /// Work goes on.
    Event(StreamEvent),
    /// It is done, or has failed.
    End(Result<(StreamEvent, Option<SearchSummary>), Failure>),
    /// There will be no more.
    Failed(Box<Problem>),
}

impl From<News> for StreamStep {
    fn from(news: News) -> Self {
        let end = |searched: Searched| {
            let summary = SearchSummary::from(&searched);
            (StreamEvent::Result(Box::new(searched.answer)), Some(summary))
        };
        match news {
            News::Waits(expected) => {
                let expected_ms = expected.as_millis() as u64;
                Self::Event(StreamEvent::Queued(QueueNews { expected_ms }))
            }
            News::Begun => Self::Event(StreamEvent::Begun),
            News::Interim(answer) => Self::Event(StreamEvent::Progress(Box::new(answer))),
            News::End(ended) => Self::End(ended.map(end)),
        }
    }
}

impl From<ReviewNews> for StreamStep {
    fn from(news: ReviewNews) -> Self {
        match news {
            ReviewNews::Position(position) => {
                Self::Event(StreamEvent::Reviewed(Box::new(position)))
            }
            ReviewNews::End(ended) => {
                Self::End(ended.map(|review| (StreamEvent::Review(review), None)))
            }
        }
    }
}

/// The events of one stream.
struct EventSource {
    steps: BoxStream<'static, StreamStep>,
    end: StreamEnd,
    request_id: String,
    /// How the connection tells that the client may have left.
    link: Option<OpenStream>,
}

impl EventSource {
    /// The next event; `None` after the last one.
    async fn next(&mut self) -> Option<StreamEvent> {
        let link = &self.link;
        let doubted = async {
            match link {
                Some(link) => link.doubted().await,
                None => std::future::pending().await,
            }
        };
        let step = tokio::select! {
            biased;
            step = self.steps.next() => step?,
            () = doubted => return Some(StreamEvent::Heartbeat),
            () = tokio::time::sleep(SILENCE) => return Some(StreamEvent::Heartbeat),
        };
        let ended = match step {
            StreamStep::Event(event) => return Some(event),
            StreamStep::End(ended) => ended.map_err(Problem::from),
            StreamStep::Failed(why) => Err(*why),
        };
        let (event, end) = match ended {
            Ok((event, summary)) => (event, Ok(summary)),
            Err(why) => {
                let code = why.code;
                let problem = why.with_request_id(&self.request_id);
                (StreamEvent::Error(Box::new(problem)), Err(code))
            }
        };
        // There is one end.
        let _ = self.end.0.set(end);
        Some(event)
    }

    /// All of them, as they come.
    fn events(self) -> impl Stream<Item = StreamEvent> + Send {
        stream::unfold(self, |mut source| async move {
            let event = source.next().await?;
            Some((event, source))
        })
    }
}

/// The stream that a request may ask for.
pub(super) struct WantedStream {
    /// Its form; `None` for a plain answer.
    pub(super) form: Option<StreamForm>,
    request_id: RequestId,
    link: Option<StreamLink>,
}

impl<S: Sync> FromRequestParts<S> for WantedStream {
    type Rejection = Infallible;

    async fn from_request_parts(request: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self {
            form: StreamForm::wanted(&request.headers),
            request_id: RequestId::of(&request.headers),
            link: StreamLink::of(request).cloned(),
        })
    }
}

impl WantedStream {
    /// The stream of work that has begun.
    pub(super) fn respond(
        self,
        form: StreamForm,
        steps: BoxStream<'static, StreamStep>,
    ) -> Response {
        let end = StreamEnd::default();
        let link = self.link.as_ref().map(StreamLink::open);
        let RequestId(request_id) = self.request_id;
        let events = EventSource { steps, end: end.clone(), request_id, link }.events();
        let mut response = match form {
            StreamForm::Events => {
                Sse::new(events.map(|event| Ok::<_, Infallible>(event.sent()))).into_response()
            }
            StreamForm::Lines => lines(events.map(|event| event.line())),
        };
        response.headers_mut().insert(BUFFERING, HeaderValue::from_static("no"));
        response.extensions_mut().insert(end);
        response
    }
}

/// A stream of lines.
fn lines(lines: impl Stream<Item = Bytes> + Send + 'static) -> Response {
    let head = [(header::CONTENT_TYPE, LINES), (header::CACHE_CONTROL, "no-cache")];
    (head, Body::from_stream(lines.map(Ok::<_, Infallible>))).into_response()
}

/// A response that keeps `guard` until its body has been sent, or the client has left.
pub(super) fn guarded<G: Send + 'static>(response: Response, guard: G) -> Response {
    response.map(|body| {
        Body::new(body.map_frame(move |frame| {
            let _kept = &guard;
            frame
        }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::Failure;

    #[test]
    fn an_event_has_the_same_name_and_data_in_both_forms() {
        let problem = Problem::from(Failure::Panicked).with_request_id("mine");
        let data = serde_json::to_string(&problem).expect("JSON");
        let event = StreamEvent::Error(Box::new(problem));
        let line = event.line();
        assert_eq!(line, format!("{{\"event\":\"error\",\"data\":{data}}}\n"));
        assert!(format!("{:?}", event.sent()).contains("event: error\\ndata: {\\\"type"));
        assert_eq!(StreamEvent::Heartbeat.line(), "{\"event\":\"heartbeat\"}\n");
        assert!(format!("{:?}", StreamEvent::Heartbeat.sent()).contains("\": heartbeat\\n"));
    }
}
