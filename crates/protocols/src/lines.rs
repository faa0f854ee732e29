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

/// Longest line in bytes: some 200,000 moves.
const LONGEST_LINE: u64 = 1 << 20;

/// Input lines to the end. Invalid UTF-8 does not end them; of a line that is too long only the beginning is kept.
pub fn lines(input: impl Read) -> impl Iterator<Item = String> {
    let mut input = BufReader::new(input);
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        let read = (&mut input).take(LONGEST_LINE).read_until(b'\n', &mut line).ok()?;
        if read == 0 {
            return None;
        }
        if line.pop_if(|last| *last == b'\n').is_none() {
            input.skip_until(b'\n').ok()?;
        }
        Some(String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_and_lines_without_an_end_are_read_all_the_same() {
        let long = vec![b'x'; 3 * LONGEST_LINE as usize];
        let input = [b"\xff one\r\n", &long[..], b"\n\nlast"].concat();
        let read: Vec<_> = lines(&input[..]).collect();
        assert_eq!(read[0], "\u{fffd} one");
        assert_eq!(read[1].len() as u64, LONGEST_LINE);
        assert_eq!(read[2..], ["", "last"]);
    }
}
