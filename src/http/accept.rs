//! Which form of an answer a client accepts.

use axum::http::{HeaderMap, header};

/// Media type of a stream of server-sent events.
pub(super) const EVENT_STREAM: &str = "text/event-stream";
/// Media type of a stream of lines, each a JSON value.
pub(super) const LINES: &str = "application/x-ndjson";

/// Form of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StreamForm {
    /// Server-sent events.
    Events,
    /// A line of JSON for each event.
    Lines,
}

impl StreamForm {
    /// The form of stream that a client wants; `None` for a plain answer.
    ///
    /// A stream has to be named, and preferred to JSON where that is named, too.
    pub(super) fn wanted(headers: &HeaderMap) -> Option<Self> {
        let values = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
        let ranges: Vec<_> = values.flat_map(|value| value.split(',')).map(weighed).collect();
        let weight = |form: &str| {
            ranges.iter().find(|(range, _)| range.eq_ignore_ascii_case(form)).map(|found| found.1)
        };
        let json = weight("application/json").unwrap_or(0.0);
        let (events, lines) = (weight(EVENT_STREAM).unwrap_or(0.0), weight(LINES).unwrap_or(0.0));
        if events.max(lines) <= json {
            None
        } else if events >= lines {
            Some(Self::Events)
        } else {
            Some(Self::Lines)
        }
    }
}

/// A media range without its parameters, and its weight from 0 to 1.
fn weighed(range: &str) -> (&str, f32) {
    let mut parts = range.split(';').map(str::trim);
    let media = parts.next().unwrap_or_default();
    let weight = parts.find_map(|part| part.strip_prefix("q=").or(part.strip_prefix("Q=")));
    // What is no number is no wish against it.
    (media, weight.and_then(|weight| weight.trim().parse().ok()).unwrap_or(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(values: &[&'static str]) -> Option<StreamForm> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::ACCEPT, value.parse().expect("a header"));
        }
        StreamForm::wanted(&headers)
    }

    #[test]
    fn a_stream_is_for_those_that_ask_for_one() {
        for plain in [
            &[][..],
            &["*/*"],
            &["application/json"],
            &["text/html"],
            &["text/*"],
            &["text/event-stream;q=0"],
            &["application/json, text/event-stream"],
            &["text/event-stream;q=0.5, application/json;q=0.9"],
        ] {
            assert_eq!(wanted(plain), None, "{plain:?}");
        }
        for events in [
            &["text/event-stream"][..],
            &["Text/Event-Stream; charset=utf-8"],
            &["text/event-stream, */*"],
            &["application/json;q=0.9", "text/event-stream"],
            &["application/x-ndjson;q=0.1,text/event-stream ; q=0.2"],
            &["application/x-ndjson, text/event-stream"],
        ] {
            assert_eq!(wanted(events), Some(StreamForm::Events), "{events:?}");
        }
        for lines in ["application/x-ndjson", "text/event-stream;q=0.9, application/x-ndjson"] {
            assert_eq!(wanted(&[lines]), Some(StreamForm::Lines), "{lines}");
        }
    }
}
