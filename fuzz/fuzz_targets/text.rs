//! Lines: a game and its options as JSON, a state as text or JSON, a move each. What is written of where they
//! lead is read back to the same position.

#![no_main]

use bestmove_fuzz::{check, each_game};
use engine::game::Turn;
use games::notation::{Notation, StateInput, take_options};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut lines = text.split('\n');
    let (game, options) = lines.next().and_then(|line| line.split_once(' ')).unwrap_or_default();
    let games = each_game!(read as Read);
    if let Some((_, read)) = games.into_iter().find(|(name, _)| *name == game) {
        read(options, lines.next().unwrap_or_default(), &mut lines);
    }
});

type Read = fn(&str, &str, &mut dyn Iterator<Item = &str>);

fn read<G: Notation>(options: &str, state: &str, moves: &mut dyn Iterator<Item = &str>) {
    let Ok(mut options) = serde_json::from_str(options) else { return };
    let Ok(settings) = take_options(G::facts().options, &mut options) else { return };
    let json = serde_json::from_str(state).ok().filter(Value::is_object);
    let state = json.as_ref().map_or(StateInput::Text(state), StateInput::Json);
    let Ok(mut pos) = G::read(state, &settings) else { return };
    for text in moves {
        if matches!(pos.standing(), Turn::Over(_)) {
            break;
        }
        if let Ok(mv) = pos.find_move(text) {
            pos.play(mv);
        }
    }
    check(&pos, &settings);
}
