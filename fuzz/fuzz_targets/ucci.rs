//! Lines of a client that speaks UCCI.

#![no_main]

use bestmove_fuzz::stdin::converse;
use libfuzzer_sys::fuzz_target;
use protocols::uci::Dialect;

fuzz_target!(|input: &[u8]| converse(Dialect::Ucci, input));
