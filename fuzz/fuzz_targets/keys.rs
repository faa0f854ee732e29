//! A file of keys: it is refused, or clients with and without a key are answered.

#![no_main]

use std::sync::LazyLock;

use axum::body::Body;
use axum::extract::Request;
use libfuzzer_sys::fuzz_target;
use service::Routes;
use tempfile::NamedTempFile;

static FILE: LazyLock<NamedTempFile> = LazyLock::new(|| NamedTempFile::new().expect("a file"));
static ROUTES: LazyLock<Routes> = LazyLock::new(|| {
    std::fs::write(FILE.path(), "[tiers]").expect("there is room");
    Routes::new(Some(FILE.path()))
});

fuzz_target!(|bytes: &[u8]| {
    LazyLock::force(&ROUTES);
    std::fs::write(FILE.path(), bytes).expect("there is room");
    if !ROUTES.reads_keys() {
        return;
    }
    for key in ["", "Bearer test"] {
        let asks = Request::post("/v1/batch").header("authorization", key);
        let asks = asks.body(Body::from(r#"{"questions":[{"game":"nim"}]}"#));
        ROUTES.ask(asks.expect("it is well formed"));
    }
});
