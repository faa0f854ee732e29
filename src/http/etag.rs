//! Entity tags of documents: a client that has one already is told so instead of sent it again.

use std::hash::{DefaultHasher, Hash, Hasher};

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::problem;

/// Tags a document by its content; answers 304 where the client names this tag.
///
/// The tag is weak (RFC 9110, 8.8.1): the same content may travel compressed or not.
pub(super) async fn tag(request: Request, next: Next) -> Response {
    let known: Vec<_> = request.headers().get_all(header::IF_NONE_MATCH).iter().cloned().collect();
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
    let tag = format!("\"{:016x}\"", hasher.finish());
    let is_known = known.iter().any(|list| names(list, &tag));
    let weak = HeaderValue::try_from(format!("W/{tag}")).expect("a tag is well formed");
    parts.headers.insert(header::ETAG, weak);
    if !is_known {
        return Response::from_parts(parts, Body::from(bytes));
    }
    parts.status = StatusCode::NOT_MODIFIED;
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.remove(header::CONTENT_TYPE);
    Response::from_parts(parts, Body::empty())
}

/// Whether a list of tags, as in `If-None-Match`, names this one, weak or not. Ours have no commas in them.
fn names(list: &HeaderValue, tag: &str) -> bool {
    let mut known = list.as_bytes().split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
    known.any(|known| known == b"*" || known.strip_prefix(b"W/").unwrap_or(known) == tag.as_bytes())
}
