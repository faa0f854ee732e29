//! Problem documents (RFC 9457): every response other than 2xx says what is wrong, where, and what would be
//! right.

use std::fmt;
use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::service::Failure;
use catalog::Refusal;
use games::notation::{FaultKind, did_you_mean, with_short_quotes};

/// Media type of a problem.
pub(crate) const PROBLEM_TYPE: &str = "application/problem+json";

/// Time until another process may have taken the place of one that shuts down. Not tuned.
const UNTIL_REPLACED: Duration = Duration::from_secs(1);

/// One thing that is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct ProblemError {
    /// JSON pointer (RFC 6901) into the body.
    pub pointer: String,
    /// What is wrong with it.
    pub detail: String,
}

/// Kind of a problem, the same for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ProblemCode {
    /// The body is not JSON.
    NotJson,
    /// The body did not arrive in time.
    BodyTooSlow,
    /// The body ended before its length.
    BodyIncomplete,
    /// The body exceeds the limit.
    BodyTooLarge,
    /// The content type is not JSON.
    UnsupportedMediaType,
    /// A member is unknown, has the wrong type or is out of range.
    InvalidRequest,
    /// The service requires a key, and this is none.
    Unauthorized,
    /// The client's quota is used up; see `Retry-After`.
    QuotaExceeded,
    /// No game has this name.
    UnknownGame,
    /// No algorithm has this name.
    UnknownAlgorithm,
    /// The game does not offer the algorithm.
    UnsupportedAlgorithm,
    /// No game reaches the position.
    ImpossiblePosition,
    /// A move breaks the rules.
    IllegalMove,
    /// The path is unknown.
    NotFound,
    /// The path does not support the method.
    MethodNotAllowed,
    /// No job has this id, or not for this client.
    UnknownJob,
    /// The job has no answer yet; see `Retry-After`.
    JobUnfinished,
    /// The job was cancelled and has no answer.
    JobCancelled,
    /// The client has as many open jobs as it may have; see `Retry-After`.
    TooManyJobs,
    /// Another job has come with the same `Idempotency-Key`.
    IdempotencyKeyReused,
    /// Every search slot is taken; see `Retry-After`.
    Busy,
    /// The service is shutting down.
    ShuttingDown,
    /// What was asked ends the process that searches it, and is not tried again.
    Abandoned,
    /// A bug in the service.
    Internal,
}

impl ProblemCode {
    /// All kinds.
    pub(crate) const ALL: [Self; 24] = [
        Self::NotJson,
        Self::BodyTooSlow,
        Self::BodyIncomplete,
        Self::BodyTooLarge,
        Self::UnsupportedMediaType,
        Self::InvalidRequest,
        Self::Unauthorized,
        Self::QuotaExceeded,
        Self::UnknownGame,
        Self::UnknownAlgorithm,
        Self::UnsupportedAlgorithm,
        Self::ImpossiblePosition,
        Self::IllegalMove,
        Self::NotFound,
        Self::MethodNotAllowed,
        Self::UnknownJob,
        Self::JobUnfinished,
        Self::JobCancelled,
        Self::TooManyJobs,
        Self::IdempotencyKeyReused,
        Self::Busy,
        Self::ShuttingDown,
        Self::Abandoned,
        Self::Internal,
    ];

    /// The end of the path that names the kind.
    fn word(self) -> String {
        self.to_string().replace('_', "-")
    }

    /// The path that names the kind.
    fn path(self) -> String {
        format!("/problems/{}", self.word())
    }

    /// Status and title.
    const fn kind(self) -> (StatusCode, &'static str) {
        match self {
            Self::NotJson => (StatusCode::BAD_REQUEST, "Not JSON"),
            Self::BodyTooSlow => (StatusCode::REQUEST_TIMEOUT, "Body too slow"),
            Self::BodyIncomplete => (StatusCode::BAD_REQUEST, "Body incomplete"),
            Self::BodyTooLarge => (StatusCode::PAYLOAD_TOO_LARGE, "Body too large"),
            Self::UnsupportedMediaType => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "Not JSON"),
            Self::InvalidRequest => (StatusCode::UNPROCESSABLE_ENTITY, "Invalid request"),
            Self::Unauthorized => (StatusCode::UNAUTHORIZED, "Key required"),
            Self::QuotaExceeded => (StatusCode::TOO_MANY_REQUESTS, "Quota exceeded"),
            Self::UnknownGame => (StatusCode::NOT_FOUND, "Unknown game"),
            Self::UnknownAlgorithm => (StatusCode::NOT_FOUND, "Unknown algorithm"),
            Self::UnsupportedAlgorithm => {
                (StatusCode::UNPROCESSABLE_ENTITY, "The algorithm cannot play this")
            }
            Self::ImpossiblePosition => (StatusCode::UNPROCESSABLE_ENTITY, "Impossible position"),
            Self::IllegalMove => (StatusCode::UNPROCESSABLE_ENTITY, "Illegal move"),
            Self::NotFound => (StatusCode::NOT_FOUND, "Not found"),
            Self::MethodNotAllowed => (StatusCode::METHOD_NOT_ALLOWED, "Method not allowed"),
            Self::UnknownJob => (StatusCode::NOT_FOUND, "Unknown job"),
            Self::JobUnfinished => (StatusCode::CONFLICT, "The job is not done"),
            Self::JobCancelled => (StatusCode::GONE, "The job was cancelled"),
            Self::TooManyJobs => (StatusCode::TOO_MANY_REQUESTS, "Too many jobs"),
            Self::IdempotencyKeyReused => {
                (StatusCode::UNPROCESSABLE_ENTITY, "Idempotency key used before")
            }
            Self::Busy => (StatusCode::SERVICE_UNAVAILABLE, "Too busy"),
            Self::ShuttingDown => (StatusCode::SERVICE_UNAVAILABLE, "Shutting down"),
            Self::Abandoned => (StatusCode::INTERNAL_SERVER_ERROR, "Abandoned"),
            Self::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "Internal error"),
        }
    }
}

/// The word in JSON.
impl fmt::Display for ProblemCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// A kind of problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct ProblemKind {
    /// Its path, the `type` of its problems.
    #[serde(rename = "type")]
    #[schema(value_type = ProblemPath)]
    kind: String,
    /// It in words.
    #[schema(value_type = String)]
    title: &'static str,
    /// The HTTP status.
    status: u16,
    /// It for programs.
    code: ProblemCode,
}

impl ProblemKind {
    /// The kind at this path.
    ///
    /// # Errors
    /// A path that names none.
    pub(crate) fn at(path: &str) -> Result<Self, Problem> {
        let Some(code) = ProblemCode::ALL.into_iter().find(|code| code.path() == path) else {
            let kinds = ProblemCode::ALL.map(ProblemCode::word);
            let wanted = path.rsplit('/').next().unwrap_or_default();
            let similar = did_you_mean(wanted, kinds.iter().map(String::as_str));
            let detail = format!("`{path}` is no kind of problem{similar}");
            return Err(Problem::new(ProblemCode::NotFound, detail));
        };
        let (status, title) = code.kind();
        Ok(Self { kind: code.path(), title, status: status.as_u16(), code })
    }
}

/// Path that names a kind of problem, in the contract.
#[derive(Debug)]
pub(crate) enum ProblemPath {}

impl PartialSchema for ProblemPath {
    fn schema() -> RefOr<Schema> {
        let paths = ObjectBuilder::new().schema_type(Type::String);
        let paths = paths.enum_values(Some(ProblemCode::ALL.map(ProblemCode::path)));
        paths.description(Some("Path that names a kind of problem.")).build().into()
    }
}

impl ToSchema for ProblemPath {}

/// A problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Problem {
    /// A path that names the kind of problem.
    #[serde(rename = "type")]
    #[schema(value_type = ProblemPath)]
    pub kind: String,
    /// The kind in words.
    #[schema(value_type = String)]
    pub title: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// What is wrong this time.
    pub detail: String,
    /// The kind for programs.
    pub code: ProblemCode,
    /// Where it is wrong.
    pub errors: Vec<ProblemError>,
    /// The request's id, as in the header `x-request-id` and in the log.
    pub request_id: String,
    /// Milliseconds until another try makes sense; the header `Retry-After` has whole seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
}

impl Problem {
    /// A problem of this kind.
    pub(crate) fn new(code: ProblemCode, detail: impl Into<String>) -> Self {
        let (status, title) = code.kind();
        Self {
            kind: code.path(),
            title,
            status: status.as_u16(),
            detail: with_short_quotes(&detail.into()),
            code,
            errors: Vec::new(),
            request_id: String::new(),
            retry_after_ms: None,
        }
    }

    /// Adds an error at a pointer into the body.
    pub(crate) fn at(mut self, pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        let (pointer, detail) =
            (with_short_quotes(&pointer.into()), with_short_quotes(&detail.into()));
        self.errors.push(ProblemError { pointer, detail });
        self
    }

    /// Puts its pointers under this one.
    pub(crate) fn under(mut self, pointer: &str) -> Self {
        self.errors.iter_mut().for_each(|error| error.pointer.insert_str(0, pointer));
        self
    }

    /// Sets the time until another try makes sense.
    pub(crate) fn retry(mut self, wait: Duration) -> Self {
        self.retry_after_ms = Some(whole_ms(wait));
        self
    }

    /// Sets the id of the request.
    pub(crate) fn with_request_id(mut self, id: &str) -> Self {
        id.clone_into(&mut self.request_id);
        self
    }

    /// Writes the body of a response that is a problem, and tells its kind.
    pub(crate) fn write(response: &mut Response, request_id: &str) -> Option<ProblemCode> {
        let problem = response.extensions_mut().remove::<Self>()?.with_request_id(request_id);
        let body = serde_json::to_vec(&problem).expect("a problem has only strings and numbers");
        *response.body_mut() = body.into();
        Some(problem.code)
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let detail = refusal.to_string();
        let of = |code, pointer: &str| Self::new(code, &detail).at(pointer, &detail);
        match refusal {
            Refusal::UnknownGame { .. } => of(ProblemCode::UnknownGame, "/game"),
            Refusal::UnknownAlgorithm { .. } => of(ProblemCode::UnknownAlgorithm, "/algorithm"),
            Refusal::Unsupported { .. } => of(ProblemCode::UnsupportedAlgorithm, "/algorithm"),
            Refusal::Invalid(fault) => {
                let code = match fault.kind {
                    FaultKind::Shape => ProblemCode::InvalidRequest,
                    FaultKind::Position => ProblemCode::ImpossiblePosition,
                    FaultKind::Move => ProblemCode::IllegalMove,
                };
                Self::new(code, &fault.detail).at(fault.pointer, fault.detail)
            }
        }
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(refusal) => refusal.into(),
            Failure::Busy(busy) => {
                let ms = whole_ms(busy.retry_after);
                let detail =
                    format!("too busy: it would start {ms} ms later than it may; retry after that");
                Self::new(ProblemCode::Busy, detail).retry(busy.retry_after)
            }
            Failure::ShuttingDown => {
                Self::new(ProblemCode::ShuttingDown, "the service is shutting down")
                    .retry(UNTIL_REPLACED)
            }
            Failure::Panicked => internal(),
        }
    }
}

/// Milliseconds, none too few: who comes back then is not too early.
fn whole_ms(wait: Duration) -> u64 {
    wait.as_nanos().div_ceil(1_000_000).max(1) as u64
}

/// Problem for a bug.
pub(crate) fn internal() -> Problem {
    Problem::new(
        ProblemCode::Internal,
        "a bug in the service; the log has more under the request id",
    )
}

impl IntoResponse for Problem {
    /// A response whose body is written by [`Problem::write`]: where the id of the request is known.
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = status.into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(PROBLEM_TYPE));
        if let Some(ms) = self.retry_after_ms {
            let seconds = ms.div_ceil(1_000);
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.code == ProblemCode::Unauthorized {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response.extensions_mut().insert(self);
        response
    }
}
