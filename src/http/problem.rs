//! Problem documents (RFC 9457): every response other than 2xx says what is wrong, where, and what would be
//! right.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::service::Failure;
use catalog::Refusal;

/// One thing that is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct ProblemError {
    /// JSON pointer (RFC 6901) into the body.
    pub pointer: String,
    /// What is wrong with it.
    pub detail: String,
}

/// A problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct Problem {
    /// A path that names the kind of problem.
    #[serde(rename = "type")]
    pub kind: String,
    /// The kind in words.
    #[schema(value_type = String)]
    pub title: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// What is wrong this time.
    pub detail: String,
    /// A stable code for programs.
    #[schema(value_type = String)]
    pub code: &'static str,
    /// Where it is wrong.
    pub errors: Vec<ProblemError>,
    /// The request's id, as in the header `x-request-id` and in the log.
    pub request_id: String,
    /// Seconds until another try makes sense; the header `Retry-After`.
    #[serde(skip)]
    pub retry_after: Option<u64>,
}

impl Problem {
    /// A problem with a stable code.
    pub(super) fn new(
        status: StatusCode,
        code: &'static str,
        title: &'static str,
        detail: impl Into<String>,
    ) -> Self {
        Self {
            kind: format!("/problems/{}", code.replace('_', "-")),
            title,
            status: status.as_u16(),
            detail: detail.into(),
            code,
            errors: Vec::new(),
            request_id: String::new(),
            retry_after: None,
        }
    }

    /// Adds an error at a pointer into the body.
    pub(super) fn at(mut self, pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        self.errors.push(ProblemError { pointer: pointer.into(), detail: detail.into() });
        self
    }

    fn retry(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// Sets the id of the request.
    pub(super) fn with_request_id(mut self, id: &str) -> Self {
        id.clone_into(&mut self.request_id);
        self
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let (code, detail) = (refusal.code(), refusal.to_string());
        match refusal {
            Refusal::UnknownGame { .. } => {
                Self::new(StatusCode::NOT_FOUND, code, "Unknown game", &detail).at("/game", detail)
            }
            Refusal::UnknownAlgorithm { .. } => {
                Self::new(StatusCode::NOT_FOUND, code, "Unknown algorithm", &detail)
                    .at("/algorithm", detail)
            }
            Refusal::Unsupported { .. } => {
                let title = "The algorithm cannot play this";
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, title, &detail)
                    .at("/algorithm", detail)
            }
            Refusal::Invalid(fault) => {
                let title = match code {
                    "illegal_move" => "Illegal move",
                    "impossible_position" => "Impossible position",
                    _ => "Invalid request",
                };
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, title, &fault.detail)
                    .at(fault.pointer, fault.detail)
            }
        }
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(refusal) => refusal.into(),
            Failure::Busy(busy) => {
                let seconds = busy.retry_after.as_secs_f64().ceil().max(1.0) as u64;
                let detail = format!(
                    "all search slots are busy for about {} ms; retry in {seconds} s",
                    busy.retry_after.as_millis()
                );
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", "Too busy", detail)
                    .retry(seconds)
            }
            Failure::ShuttingDown => {
                let detail = "the service is shutting down";
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "shutting_down", "Shutting down", detail)
                    .retry(1)
            }
            Failure::Panicked => internal(),
        }
    }
}

/// Problem for a bug.
pub(super) fn internal() -> Problem {
    let detail = "a bug in the service; the log has more under the request id";
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "Internal error", detail)
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = serde_json::to_string(&self).expect("a problem has only strings and numbers");
        let mut response = (status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
