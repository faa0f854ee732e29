//! Passes of othello, which many files leave out.

use engine::game::{Game, Turn};

use super::GameFile;
use crate::notation::{Notation, Settings, StateInput, choices};
use crate::othello::Othello;

/// What a pass is called.
pub(super) const PASS: &str = "pass";

/// Adds the passes that are left out, and takes away those after the end of the game. A game that cannot be replayed
/// stays as it is from there on.
pub(super) fn complete(file: &mut GameFile) {
    let settings = Settings::defaults(Othello::facts().options);
    let state = StateInput::read(file.state.as_ref());
    let Ok(mut pos) = Othello::read(state, &settings) else { return };
    let mut done = GameFile::new(file.game, file.format);
    for (index, text) in file.moves.iter().enumerate() {
        let line = file.places.get(index).copied().unwrap_or(1);
        if matches!(pos.turn(), Turn::Over(_)) && text == PASS {
            continue;
        }
        if text != PASS
            && let [only] = choices(&pos)[..]
            && pos.move_text(only) == PASS
        {
            done.push(PASS, line);
            pos.play(only);
        }
        done.push(text.as_str(), line);
        if let Some(annotation) = file.annotations.get(index)
            && let Some(last) = done.last_annotation()
        {
            *last = annotation.clone();
        }
        let Ok(mv) = pos.find_move(text) else {
            done.moves.extend_from_slice(&file.moves[index + 1..]);
            done.places.extend_from_slice(file.places.get(index + 1..).unwrap_or_default());
            break;
        };
        pos.play(mv);
    }
    file.moves = done.moves;
    file.places = done.places;
    file.annotations = done.annotations;
}
