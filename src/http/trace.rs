//! Traces across services (W3C Trace Context): a request that belongs to one says so, and so does its answer.

use std::fmt;

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};
use tracing::Span;
use uuid::Uuid;

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// Id of a trace, as in `traceparent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TraceId(u128);

impl fmt::Display for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// The part of a trace that is this request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TraceContext {
    pub(super) id: TraceId,
    span: u64,
    flags: u8,
}

impl TraceContext {
    /// The trace that a request belongs to, continued by a span of our own; a header that is none is ignored.
    pub(super) fn continued(headers: &HeaderMap) -> Option<Self> {
        let (id, flags) = parse(headers.get(TRACEPARENT)?.to_str().ok()?)?;
        let (span, _) = Uuid::new_v4().as_u64_pair();
        Some(Self { id, span, flags })
    }

    /// Names the trace and our span in an answer.
    pub(super) fn write(&self, headers: &mut HeaderMap) {
        let text = format!("00-{}-{:016x}-{:02x}", self.id, self.span, self.flags);
        headers.insert(TRACEPARENT, HeaderValue::try_from(text).expect("hexadecimal digits"));
    }
}

/// The span of a request, for an exporter, and its place in a trace.
#[cfg(not(feature = "otlp"))]
pub(super) fn begin(_: &Method, _: &str, headers: &HeaderMap) -> (Span, Option<TraceContext>) {
    (Span::none(), TraceContext::continued(headers))
}

/// The span of a request, and its place in a trace: that of the exported span, which may be the first of its trace.
#[cfg(feature = "otlp")]
pub(super) fn begin(
    method: &Method,
    path: &str,
    headers: &HeaderMap,
) -> (Span, Option<TraceContext>) {
    let span = crate::otlp::span(method, path, headers);
    let exported = crate::otlp::place(&span).map(|place| TraceContext {
        id: TraceId(u128::from_be_bytes(place.trace_id().to_bytes())),
        span: u64::from_be_bytes(place.span_id().to_bytes()),
        flags: place.trace_flags().to_u8(),
    });
    (span, exported.or_else(|| TraceContext::continued(headers)))
}

/// Trace and flags of `00-<trace: 32>-<span: 16>-<flags: 2>`, in lower-case hexadecimal digits; neither id is 0.
fn parse(text: &str) -> Option<(TraceId, u8)> {
    let parts: Vec<_> = text.split('-').collect();
    let lengths: Vec<_> = parts.iter().map(|part| part.len()).collect();
    let is_hex = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f' | b'-'));
    // Later versions may say more after the flags.
    let is_known = lengths.starts_with(&[2, 32, 16, 2])
        && (parts.len() == 4 || parts[0] != "00")
        && parts[0] != "ff";
    if !is_hex || !is_known {
        return None;
    }
    let (trace, span) =
        (u128::from_str_radix(parts[1], 16).ok()?, u64::from_str_radix(parts[2], 16).ok()?);
    let flags = u8::from_str_radix(parts[3], 16).ok()?;
    (trace != 0 && span != 0).then_some((TraceId(trace), flags))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_traceparent() {
        let example = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        let (id, flags) = parse(example).expect("the example of the standard");
        assert_eq!((id.to_string().as_str(), flags), ("4bf92f3577b34da6a3ce929d0e0e4736", 1));
        assert!(parse(&example.replacen("00", "cc", 1)).is_some(), "a later version");
        assert!(parse(&(example.replacen("00", "cc", 1) + "-more")).is_none(), "not hexadecimal");
        for wrong in [
            "",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-00",
        ] {
            assert!(parse(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn an_answer_names_the_trace_and_another_span() {
        let mut headers = HeaderMap::new();
        assert_eq!(TraceContext::continued(&headers), None);
        let given = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        headers.insert(TRACEPARENT, HeaderValue::from_static(given));
        TraceContext::continued(&headers).expect("a trace").write(&mut headers);
        let written = headers[TRACEPARENT].to_str().expect("text");
        assert!(written.starts_with(&given[..36]) && written.ends_with("-01"), "{written}");
        assert_ne!(written, given);
    }
}
