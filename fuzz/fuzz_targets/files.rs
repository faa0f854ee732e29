//! A game file in any format and encoding. What is written of its games is read back.

#![no_main]

use games::files;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = files::decode(bytes) else { return };
    for game in files::read(&text, None).unwrap_or_default() {
        let written = files::write(&game, &game.annotations);
        let again = files::read(&written, Some(game.game))
            .unwrap_or_else(|fault| panic!("{game:?} is written as {written:?}: {fault}"));
        let moves: Vec<_> = again.iter().map(|game| &game.moves).collect();
        assert_eq!(moves, [&game.moves], "{written:?}");
    }
});
