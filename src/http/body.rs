//! Request bodies: JSON, or a problem that points at the error.

use std::error::Error;
use std::time::Instant;

use axum::body::Bytes;
use axum::extract::{FromRequest, MatchedPath, Request};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt, LengthLimitError};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::AppState;
use super::quota::LongestSearch;
use super::{batch, jobs};
use crate::json::{longer_than, parse};
use crate::problem::{Problem, ProblemCode};
use crate::service::{Client, Priority, RequestInfo};

/// A JSON body of the shape `T`.
pub(super) struct JsonBody<T> {
    pub(super) value: T,
    /// The request; it arrived when its head had been read, the body may be much later.
    pub(super) request: RequestInfo,
}

impl<T: DeserializeOwned> FromRequest<AppState> for JsonBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, Problem> {
        let arrived = Instant::now();
        let client =
            request.extensions().get::<Client>().copied().expect("the access log names it");
        let longest = request.extensions().get().map(|LongestSearch(longest)| *longest);
        refuse_other_types(request.headers())?;
        let bytes = read(request, state).await?;
        let value = parse(&bytes)?;
        let (bytes, priority) = (bytes.len(), Priority::Interactive);
        Ok(Self { value, request: RequestInfo { client, arrived, bytes, longest, priority } })
    }
}

/// Refuses a body that claims to be something else, or to be compressed. `curl -d` without a header claims to be a form.
fn refuse_other_types(headers: &HeaderMap) -> Result<(), Problem> {
    if let Some(coding) =
        headers.get(header::CONTENT_ENCODING).filter(|&coding| coding != "identity")
    {
        let coding = coding.to_str().unwrap_or_default();
        let detail = format!("expected a body without `content-encoding`, got `{coding}`");
        return Err(Problem::new(ProblemCode::UnsupportedMediaType, detail));
    }
    let Some(given) = headers.get(header::CONTENT_TYPE) else { return Ok(()) };
    let given = given.to_str().unwrap_or_default();
    let media = given.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_json = media == "application/json"
        || (media.starts_with("application/") && media.ends_with("+json"));
    let says_nothing = ["", "application/x-www-form-urlencoded", "text/plain"];
    if is_json || says_nothing.contains(&&*media) {
        return Ok(());
    }
    let detail = format!("expected `content-type: application/json`, got `{given}`");
    Err(Problem::new(ProblemCode::UnsupportedMediaType, detail))
}

/// Reads a body, in this time as a whole: a client that sends a byte now and then is too slow.
async fn read(request: Request, state: &AppState) -> Result<Bytes, Problem> {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let body = request.into_body().collect();
    match tokio::time::timeout(state.read_timeout, body).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(why)) if is_limit(&why) => Err(state.too_large(route.as_ref())),
        Ok(Err(why)) => {
            let detail = format!("the body could not be read: {why}");
            Err(Problem::new(ProblemCode::BodyIncomplete, detail))
        }
        Err(_) => {
            let detail =
                format!("the body did not arrive within {} ms", state.read_timeout.as_millis());
            Err(Problem::new(ProblemCode::BodyTooSlow, detail))
        }
    }
}

/// How many times as long as a body with one question a batch may be: 4 KiB for each of its questions by default.
const BATCH: usize = 16;
/// The same for a job: 400 bytes for each of its questions.
const JOB: usize = 64;

impl AppState {
    /// Longest body on a route, in bytes.
    pub(super) fn longest_body(&self, route: &str) -> usize {
        let times = match route {
            batch::ROUTE => BATCH,
            jobs::ROUTE => JOB,
            _ => 1,
        };
        self.max_body_bytes.saturating_mul(times)
    }

    fn too_large(&self, route: Option<&MatchedPath>) -> Problem {
        longer_than(self.longest_body(route.map_or("", MatchedPath::as_str)))
    }

    /// The problem in place of the plain refusal of a body whose length is known to exceed the limit.
    pub(super) fn explain_too_large(&self, response: &mut Response, route: Option<&MatchedPath>) {
        let is_plain = response.status() == StatusCode::PAYLOAD_TOO_LARGE
            && response.extensions().get::<Problem>().is_none();
        if is_plain {
            let (explained, _) = self.too_large(route).into_response().into_parts();
            response.headers_mut().extend(explained.headers);
            response.extensions_mut().extend(explained.extensions);
        }
    }
}

/// True if the layer that limits bodies has ended this one.
fn is_limit(why: &axum::Error) -> bool {
    let mut source = why.source();
    while let Some(cause) = source {
        if cause.is::<LengthLimitError>() {
            return true;
        }
        source = cause.source();
    }
    false
}

/// An answer in JSON.
///
/// axum's own writes piece by piece into a buffer that looks for room at each piece: 14 % of the instructions of a
/// trivial request, by callgrind.
pub(super) struct JsonAnswer<T>(pub(super) T);

impl<T: Serialize> IntoResponse for JsonAnswer<T> {
    fn into_response(self) -> Response {
        JsonText(serde_json::to_vec(&self.0).expect("answers have names as keys")).into_response()
    }
}

/// JSON that is written already.
pub(super) struct JsonText(pub(super) Vec<u8>);

impl IntoResponse for JsonText {
    fn into_response(self) -> Response {
        let json = HeaderValue::from_static("application/json");
        ([(header::CONTENT_TYPE, json)], self.0).into_response()
    }
}
