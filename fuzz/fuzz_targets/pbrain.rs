//! Lines of a manager of gomoku engines.

#![no_main]

use std::io::{Cursor, sink};

use bestmove_fuzz::stdin::each_line;
use libfuzzer_sys::fuzz_target;

/// After each line of settings: the least time for a move, and one thread.
const LIMITS: &[u8] = b"\nINFO timeout_turn 1\nINFO thread_num 1";

fuzz_target!(|input: &[u8]| {
    // The first line sets the limits of what may come before any setting.
    let input = [b"INFO\n", input].concat();
    let input = each_line(&input, |word, line| {
        if word.eq_ignore_ascii_case("INFO") {
            line.extend(LIMITS);
        }
    });
    protocols::pbrain::run(Cursor::new(input), sink()).expect("a thread can be started");
});
