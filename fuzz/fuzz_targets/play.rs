//! A game: the first byte names it, a byte for each option sets it up, each further byte is a move. What is
//! written of where it leads is read back to the same position.

#![no_main]

use bestmove_fuzz::{check, each_game};
use engine::game::Turn;
use games::notation::{
    Notation, OptionKind, OptionSpec, OptionValue, Settings, StateInput, choices,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((&game, bytes)) = bytes.split_first() else { return };
    let games = each_game!(play as fn(&[u8]));
    let (_, play) = games[usize::from(game) % games.len()];
    play(bytes);
});

fn play<G: Notation>(bytes: &[u8]) {
    let specs = G::facts().options;
    let Some((settings, moves)) = bytes.split_at_checked(specs.len()) else { return };
    let settings: Settings =
        specs.iter().zip(settings).map(|(spec, &byte)| (spec.name, value(spec, byte))).collect();
    let Ok(mut pos) = G::read(StateInput::Start, &settings) else { return };
    for &byte in moves {
        if matches!(pos.standing(), Turn::Over(_)) {
            break;
        }
        let moves = choices(&pos);
        pos.play(moves[usize::from(byte) % moves.len()]);
    }
    check(&pos, &settings);
}

/// 0 is the default.
fn value(spec: &OptionSpec, byte: u8) -> OptionValue {
    let part = f64::from(byte) / 255.0;
    match spec.kind {
        default if byte == 0 => default.default(),
        OptionKind::Flag { .. } => OptionValue::Flag(byte > 127),
        OptionKind::Integer { min, max, .. } => {
            OptionValue::Integer((min + i64::from(byte - 1)).min(max))
        }
        OptionKind::Number { min, max, .. } => OptionValue::Number(min + (max - min) * part),
        OptionKind::Choice(words) => OptionValue::Choice(words[usize::from(byte) % words.len()]),
    }
}
