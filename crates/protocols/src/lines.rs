//! Line I/O over a pipe.

use std::io::{BufRead, BufReader, Read, Write};
use std::sync::{Arc, Mutex};

/// Prints a line for the client and flushes.
pub type Say = Arc<dyn Fn(&str) + Send + Sync>;

/// Printer to `out`, usable from any thread.
pub fn to(out: impl Write + Send + 'static) -> Say {
    let out = Mutex::new(out);
    Arc::new(move |line: &str| {
        let mut out = out.lock().expect("no panic while locked");
        // The reader may be gone; nothing can be done about it.
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    })
}

/// Input lines to the end. Invalid UTF-8 does not end them.
pub fn lines(input: impl Read) -> impl Iterator<Item = String> {
    let lines = BufReader::new(input).split(b'\n').map_while(Result::ok);
    lines.map(|line| String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned())
}
