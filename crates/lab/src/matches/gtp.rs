//! External program over the Go Text Protocol, as Othello programs speak it: squares as ours, black first. It is told
//! every move of the opponent and asked for its own; a reply is `= text`, or `? why` for a refusal.
// CITE: Farnebäck 2002, "GTP, the Go Text Protocol, version 2".

use std::time::Duration;

use super::config::External;
use super::process::{Process, ProcessFailure, STARTING};

/// The sides in the order of play; a pass is a move.
const COLOURS: [&str; 2] = ["black", "white"];

/// A move without a stone.
const PASS: &str = "pass";

/// Sets the options of a program, each by the command of its name.
///
/// # Errors
/// When the program does not answer or refuses an option.
pub(super) fn introduce(process: &mut Process, config: &External) -> Result<(), String> {
    let failure = |why: ProcessFailure| format!("does not answer a command ({})", why.reason());
    drop(ask(process, "protocol_version", STARTING).map_err(failure)?);
    for (name, value) in &config.options {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let command = format!("{name} {value}");
        let reply = ask(process, &command, STARTING).map_err(failure)?;
        reply.map_err(|why| format!("refuses `{command}`: {why}"))?;
    }
    Ok(())
}

/// Announces a new game.
pub(super) fn new_game(process: &mut Process) -> Result<(), ProcessFailure> {
    process.told = Some(0);
    ask(process, "clear_board", STARTING).map(drop)
}

/// Asks for a move; `None` if the program refuses to move, or a move of the game.
pub(super) fn choose(
    process: &mut Process,
    config: &External,
    moves: &[String],
) -> Result<Option<String>, ProcessFailure> {
    let told = process.told.unwrap_or(0);
    for (n, mv) in moves.iter().enumerate().skip(told) {
        let command = format!("play {} {mv}", COLOURS[n % 2]);
        // Some programs pass for a side that cannot move, and refuse to be told.
        if ask(process, &command, STARTING)?.is_err() && mv != PASS {
            return Ok(None);
        }
    }
    let command = format!("genmove {}", COLOURS[moves.len() % 2]);
    let reply = ask(process, &command, config.patience())?;
    // It has played its own move.
    process.told = Some(moves.len() + 1);
    Ok(reply.ok().map(|mv| mv.to_lowercase()))
}

/// The text of a reply, or of a refusal.
fn ask(
    process: &mut Process,
    command: &str,
    patience: Duration,
) -> Result<Result<String, String>, ProcessFailure> {
    process.say(command)?;
    let lines = process.hear(|line| reply(line).is_some(), patience)?;
    Ok(lines.last().and_then(|line| reply(line)).unwrap_or_else(|| Err(String::new())))
}

/// A reply or a refusal; every other line is chatter.
fn reply(line: &str) -> Option<Result<String, String>> {
    let text = |text: &str| text.trim().to_owned();
    let refusal = line.strip_prefix('?').map(|why| Err(text(why)));
    refusal.or_else(|| Some(Ok(text(line.strip_prefix('=')?))))
}
