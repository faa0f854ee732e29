//! Lines of the log as JSON: `{"timestamp":…,"level":…,"fields":{…},"target":…}`.
//!
//! The formatter of `tracing-subscriber` writes the same, and the spans of an event. It took 31,000 instructions of
//! 181,000 that a trivial request takes, this one takes 11,000, by callgrind.

use std::fmt::{self, Debug, Display, Write};

use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_log::NormalizeEvent;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

/// Writes events as lines of JSON.
pub(super) struct JsonLines;

impl<S, N> FormatEvent<S, N> for JsonLines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        _: &FmtContext<'_, S, N>,
        mut line: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        // A record of the crate `log` is an event that has its origin in fields.
        let of_log = event.normalized_metadata();
        let metadata = of_log.as_ref().unwrap_or_else(|| event.metadata());
        line.write_str("{\"timestamp\":\"")?;
        SystemTime.format_time(&mut line)?;
        line.write_str("\",\"level\":\"")?;
        line.write_str(metadata.level().as_str())?;
        line.write_str("\",\"fields\":{")?;
        let mut fields = JsonFields { line: &mut line, is_first: true, written: Ok(()) };
        event.record(&mut fields);
        fields.written?;
        line.write_str("},\"target\":\"")?;
        Escaped(&mut line).write_str(metadata.target())?;
        line.write_str("\"}\n")
    }
}

/// Writes the fields of an event, none of which has a name that needs escapes.
struct JsonFields<'a, 'w> {
    line: &'a mut Writer<'w>,
    is_first: bool,
    /// What the first error was.
    written: fmt::Result,
}

impl JsonFields<'_, '_> {
    /// Writes a field whose value is written as it is.
    fn plain(&mut self, field: &Field, value: impl Display) {
        self.field(field, |line| write!(line, "{value}"));
    }

    /// Writes a field whose value is a text.
    fn text(&mut self, field: &Field, value: fmt::Arguments<'_>) {
        self.field(field, |line| {
            line.write_char('"')?;
            Escaped(line).write_fmt(value)?;
            line.write_char('"')
        });
    }

    fn field(&mut self, field: &Field, value: impl FnOnce(&mut Writer<'_>) -> fmt::Result) {
        let written = self.named(field.name()).and_then(|()| value(self.line));
        self.written = self.written.and(written);
    }

    fn named(&mut self, name: &str) -> fmt::Result {
        self.line.write_str(if self.is_first { "\"" } else { ",\"" })?;
        self.is_first = false;
        self.line.write_str(name)?;
        self.line.write_str("\":")
    }
}

impl Visit for JsonFields<'_, '_> {
    fn record_bool(&mut self, field: &Field, value: bool) {
        self.plain(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.plain(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.plain(field, value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        // JSON has no other numbers.
        if value.is_finite() { self.plain(field, value) } else { self.plain(field, "null") }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.text(field, format_args!("{value}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.text(field, format_args!("{value:?}"));
    }
}

/// Writes text with the escapes of JSON.
struct Escaped<'a, W>(&'a mut W);

impl<W: Write> Write for Escaped<'_, W> {
    fn write_str(&mut self, mut text: &str) -> fmt::Result {
        let is_odd = |byte: u8| byte < b' ' || byte == b'"' || byte == b'\\';
        while let Some(at) = text.bytes().position(is_odd) {
            self.0.write_str(&text[..at])?;
            match text.as_bytes()[at] {
                b'\n' => self.0.write_str("\\n")?,
                odd @ (b'"' | b'\\') => write!(self.0, "\\{}", char::from(odd))?,
                odd => write!(self.0, "\\u{odd:04x}")?,
            }
            text = &text[at + 1..];
        }
        self.0.write_str(text)
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use proptest::prelude::*;
    use serde_json::{Value, json};
    use tracing_subscriber::fmt;
    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("one thread writes").extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The same events by this formatter and by that of `tracing-subscriber`, without their times.
    fn both(events: impl Fn()) -> [Vec<Value>; 2] {
        let (ours, theirs) = (Shared::default(), Shared::default());
        let (for_ours, for_theirs) = (ours.clone(), theirs.clone());
        let subscriber = tracing_subscriber::registry()
            .with(fmt::layer().event_format(JsonLines).with_writer(move || for_ours.clone()))
            .with(fmt::layer().json().with_writer(move || for_theirs.clone()));
        tracing::subscriber::with_default(subscriber, events);
        [ours, theirs].map(|written| {
            let text = String::from_utf8(written.0.lock().expect("it is over").clone());
            let text = text.expect("the log is text");
            let lines = text.lines().map(|line| {
                let mut line: Value = serde_json::from_str(line).expect("JSON");
                let time = line["timestamp"].take();
                assert!(time.as_str().is_some_and(|time| time.ends_with('Z')), "{time}");
                line
            });
            lines.collect()
        })
    }

    #[test]
    fn a_line_says_what_that_of_the_library_says() {
        let trace: Option<tracing::field::DisplayValue<u8>> = None;
        let [ours, theirs] = both(|| {
            tracing::info!(client = %std::net::Ipv4Addr::LOCALHOST, "nothing else");
            tracing::warn!(
                count = 3_u64,
                below = -3_i64,
                share = 0.25,
                is = true,
                trace,
                "all kinds"
            );
            tracing::error!(odd = ?Some("\"quoted\" \\ \u{1}\n\t"), text = "汉字 \"", "what\nnext");
        });
        assert_eq!(ours, theirs);
        assert_eq!(ours[1]["fields"]["message"], "all kinds");
        assert_eq!(ours[1]["fields"].get("trace"), None);
        let [ours, _] = both(|| tracing::info!(share = f64::NAN));
        assert_eq!(ours[0]["fields"], json!({ "share": null }));
    }

    #[test]
    fn a_record_of_the_crate_log_is_told_as_by_the_library() {
        let [ours, theirs] = both(|| {
            let mut record = log::Record::builder();
            let record = record.target("else\"where").level(log::Level::Warn).file(Some("a.rs"));
            tracing_log::format_trace(&record.args(format_args!("told")).build())
                .expect("it is told");
        });
        assert_eq!(ours, theirs);
        assert_eq!(ours[0]["target"], "else\"where");
    }

    proptest! {
        #[test]
        fn every_text_is_read_as_it_was(text in any::<String>()) {
            let mut written = String::new();
            Escaped(&mut written).write_str(&text).expect("a string takes what is written");
            let read: String = serde_json::from_str(&format!("\"{written}\"")).expect("JSON");
            prop_assert_eq!(read, text);
        }
    }
}
