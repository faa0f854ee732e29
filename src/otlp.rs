//! Traces to a collector by OTLP over HTTP, where the environment names one: a span for each request, under that of
//! its caller.
//!
//! `OTEL_EXPORTER_OTLP_ENDPOINT` and the other variables of the OpenTelemetry specification are those of its library.

use std::sync::OnceLock;
use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, Method};
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::{SpanContext, TraceContextExt, TracerProvider};
use opentelemetry_otlp::SpanExporter;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};
use tracing::{Span, Subscriber};
use tracing_opentelemetry::{OpenTelemetryLayer, OpenTelemetrySpanExt};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::registry::LookupSpan;

/// Variables that name a collector.
const COLLECTOR: [&str; 2] = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"];

/// Target of the spans of requests: spans of libraries are not exported.
const TARGET: &str = "bestmove::request";

/// Longest time for a collector to take the last spans: the process has to end. Not tuned.
const LAST_SPANS: Duration = Duration::from_secs(1);

static PROVIDER: OnceLock<SdkTracerProvider> = OnceLock::new();

/// Exports spans, if the environment names a collector.
///
/// # Errors
/// When the library cannot use what the environment says.
pub(crate) fn layer<S>() -> Result<Option<impl Layer<S>>, String>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    if COLLECTOR.iter().all(|name| std::env::var_os(name).is_none()) {
        return Ok(None);
    }
    let exporter = SpanExporter::builder().with_http().build();
    let exporter = exporter.map_err(|why| format!("no traces can be exported: {why}"))?;
    let resource = Resource::builder().with_service_name("bestmove").build();
    let provider =
        SdkTracerProvider::builder().with_resource(resource).with_batch_exporter(exporter).build();
    let tracer = PROVIDER.get_or_init(|| provider).tracer("bestmove");
    let layer: OpenTelemetryLayer<S, SdkTracer> =
        tracing_opentelemetry::layer().with_tracer(tracer);
    let is_request = filter_fn(|metadata| metadata.is_span() && metadata.target() == TARGET);
    Ok(Some(layer.with_filter(is_request)))
}

/// Exports what is left.
pub(crate) fn finish() {
    if let Some(Err(why)) =
        PROVIDER.get().map(|provider| provider.shutdown_with_timeout(LAST_SPANS))
    {
        tracing::error!(%why, "traces are lost");
    }
}

/// Reads the headers of a request.
struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(HeaderName::as_str).collect()
    }
}

/// The span of a request, under that of its caller; none where nothing is exported.
pub(crate) fn span(method: &Method, path: &str, headers: &HeaderMap) -> Span {
    if PROVIDER.get().is_none() {
        return Span::none();
    }
    let span = tracing::info_span!(
        target: TARGET,
        "request",
        otel.kind = "server",
        http.request.method = %method,
        url.path = path,
        http.response.status_code = tracing::field::Empty,
    );
    // A span that has no place in a trace begins one.
    let _ = span.set_parent(TraceContextPropagator::new().extract(&Headers(headers)));
    span
}

/// The place of a span in its trace, if it is exported.
pub(crate) fn place(span: &Span) -> Option<SpanContext> {
    Some(span.context().span().span_context().clone()).filter(SpanContext::is_valid)
}
