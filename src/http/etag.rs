//! Entity tags of documents: a client that has one already is told so instead of sent it again.

use std::hash::{DefaultHasher, Hash, Hasher};

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use headers::{ETag, HeaderMapExt, IfNoneMatch};

use crate::problem;

/// Tags a document by its content; answers 304 where the client names this tag.
///
/// The tag is weak (RFC 9110, 8.8.1): the same content may travel compressed or not.
pub(super) async fn tag(request: Request, next: Next) -> Response {
    let known = request.headers().typed_get::<IfNoneMatch>();
    let response = next.run(request).await;
    if response.status() != StatusCode::OK {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(bytes) = to_bytes(body, usize::MAX).await else {
        return problem::internal().into_response();
    };
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    let tag: ETag =
        format!("W/\"{:016x}\"", hasher.finish()).parse().expect("a tag is well formed");
    let is_known = known.is_some_and(|known| !known.precondition_passes(&tag));
    parts.headers.typed_insert(tag);
    if !is_known {
        return Response::from_parts(parts, Body::from(bytes));
    }
    parts.status = StatusCode::NOT_MODIFIED;
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.remove(header::CONTENT_TYPE);
    Response::from_parts(parts, Body::empty())
}
