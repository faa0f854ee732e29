//! Lines for a client on the other end of a pipe.

use std::io::Write;
use std::sync::{Arc, Mutex};

/// Prints a line for the client, at once.
pub(super) type Say = Arc<dyn Fn(&str) + Send + Sync>;

/// Prints to this, from any thread.
pub(super) fn to(out: impl Write + Send + 'static) -> Say {
    let out = Mutex::new(out);
    Arc::new(move |line: &str| {
        let mut out = out.lock().expect("nobody panics with it");
        // Nobody may be listening; there is nothing to do about it.
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    })
}
