//! Input of the protocols, made harmless: no long search, no large table, few threads.

use clap::Parser;
use protocols::uci::{Dialect, Engine};

#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    engine: Engine,
}

/// Lets an engine answer the input.
pub fn converse(dialect: Dialect, input: &[u8]) {
    let engine = CommandLine::parse_from(["fuzz"]).engine;
    let input = each_line(input, |word, line| match word {
        // The last limit of a kind counts.
        "go" => line.extend(b" movetime 0"),
        "setoption" => keep_first_digits(line),
        _ => {}
    });
    engine.run(dialect, &input[..], std::io::sink()).expect("a thread can be started");
}

/// The input with each line rewritten, which begins with this word.
pub fn each_line(input: &[u8], rewrite: impl Fn(&str, &mut Vec<u8>)) -> Vec<u8> {
    let mut harmless = Vec::new();
    for line in input.split(|&byte| byte == b'\n') {
        let text = String::from_utf8_lossy(line);
        let mut line = line.to_vec();
        rewrite(text.split_whitespace().next().unwrap_or_default(), &mut line);
        line.push(b'\n');
        harmless.append(&mut line);
    }
    harmless
}

/// Leaves the first digit of each number.
fn keep_first_digits(line: &mut Vec<u8>) {
    let mut last = b' ';
    line.retain(|&byte| {
        let before = std::mem::replace(&mut last, byte);
        !(before.is_ascii_digit() && byte.is_ascii_digit())
    });
}
