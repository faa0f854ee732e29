use engine::game::{Outcome, Side, Turn};
use serde_json::json;

use super::*;
use crate::connect4::Connect4;
use crate::genius::Genius;
use crate::gomoku::Gomoku;
use crate::notation::{Settings, choices};
use crate::othello::Othello;
use crate::xiangqi::Xiangqi;

mod formats;
mod others;
mod random;

/// The only game of a text.
fn one(text: &str) -> GameFile {
    let mut games = read(text, None).unwrap_or_else(|fault| panic!("{text}: {fault}"));
    assert_eq!(games.len(), 1, "{text}: {games:?}");
    games.remove(0)
}

/// The position after all moves, in text or JSON.
fn end_of<G: Notation>(file: &GameFile) -> G {
    let settings = take_options(G::facts().options, &mut file.options.clone());
    let settings = settings.expect("the options are those of the game");
    let state = StateInput::read(file.state.as_ref());
    let mut pos = G::read(state, &settings).unwrap_or_else(|fault| panic!("{file:?}: {fault}"));
    for text in &file.moves {
        let mv = pos.find_move(text).unwrap_or_else(|fault| panic!("{file:?}: {fault}"));
        pos.play(mv);
    }
    pos
}

fn fault(text: &str, game: Option<&str>) -> String {
    read(text, game).expect_err(text).to_string()
}

/// The same game without places.
fn placeless(mut file: GameFile) -> GameFile {
    file.places.clear();
    while file.annotations.last().is_some_and(|last| *last == Annotation::default()) {
        file.annotations.pop();
    }
    file
}
