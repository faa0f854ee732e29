//! Lines to and from whoever is at the other end of a pipe.

use std::io::{BufRead, BufReader, Read, Write};
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

/// The lines that come, to the end. What is no UTF-8 is no reason to hear nothing any more.
pub(super) fn lines(input: impl Read) -> impl Iterator<Item = String> {
    let lines = BufReader::new(input).split(b'\n').map_while(Result::ok);
    lines.map(|line| String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned())
}
