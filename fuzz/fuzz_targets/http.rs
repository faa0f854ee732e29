//! Requests one after another, with a form feed between them: a line with method and path, lines of headers, an empty
//! line, a body. `{id}` in a path is the id in the answer before.

#![no_main]

use std::sync::LazyLock;

use axum::body::Body;
use axum::extract::Request;
use libfuzzer_sys::fuzz_target;
use service::Routes;

static ROUTES: LazyLock<Routes> = LazyLock::new(|| Routes::new(None));

fuzz_target!(|bytes: &[u8]| {
    let mut ids = vec![String::new()];
    for text in bytes.split(|&byte| byte == b'\x0c').take(4) {
        let answer = request(text, &ids[ids.len() - 1]).and_then(|request| ROUTES.ask(request));
        ids.extend(answer.and_then(|answer| Some(answer["id"].as_str()?.to_owned())));
    }
    // Nobody works for jobs here: those that are left would fill the queue.
    for id in &ids[1..] {
        let cancel = Request::delete(format!("/v1/jobs/{id}")).body(Body::empty());
        cancel.ok().and_then(|cancel| ROUTES.ask(cancel));
    }
});

/// The request, where the server's own parser of HTTP would let it through.
fn request(text: &[u8], id: &str) -> Option<Request> {
    let mut lines = text.splitn(2, |&byte| byte == b'\n');
    let line = std::str::from_utf8(lines.next()?).ok()?.replace("{id}", id);
    let (method, path) = line.split_once(' ')?;
    let mut request = Request::builder().method(method).uri(path);
    let mut rest = lines.next().unwrap_or_default();
    while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
        let line = &rest[..end];
        rest = &rest[end + 1..];
        let Some(colon) = line.iter().position(|&byte| byte == b':') else { break };
        request = request.header(&line[..colon], line[colon + 1..].trim_ascii());
    }
    let request = request.body(Body::from(rest.to_vec())).ok()?;
    request.uri().path().starts_with('/').then_some(request)
}
