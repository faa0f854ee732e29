//! Reads game files, replays them by the rules, writes them back, and prints what came of each game.
//!
//! `cargo run --release -p bestmove-games --example read_game_files -- FILE...`

use std::process::ExitCode;

use bestmove_games::connect4::Connect4;
use bestmove_games::files::{self, GameFile};
use bestmove_games::genius::Genius;
use bestmove_games::gomoku::Gomoku;
use bestmove_games::gomoku_swap2::GomokuSwap2;
use bestmove_games::notation::{Notation, StateInput, take_options};
use bestmove_games::othello::Othello;
use bestmove_games::tictactoe::TicTacToe;
use bestmove_games::xiangqi::Xiangqi;
use engine::game::Turn;

/// Replays a game: its end, or the move that cannot be played.
fn replay<G: Notation>(file: &GameFile) -> Result<String, String> {
    let settings = take_options(G::facts().options, &mut file.options.clone());
    let settings = settings.map_err(|fault| fault.to_string())?;
    let state = StateInput::read(file.state.as_ref());
    let mut pos = G::read(state, &settings).map_err(|fault| fault.to_string())?;
    for (index, text) in file.moves.iter().enumerate() {
        let line = file.places.get(index).copied().unwrap_or_default();
        let at = |why: String| format!("move {} (line {line}): {why}", index + 1);
        if let Turn::Over(outcome) = pos.turn() {
            return Err(at(format!("`{text}` after the end, {outcome:?}")));
        }
        let mv = pos.find_move(text).map_err(|fault| at(fault.detail))?;
        pos.play(mv);
    }
    Ok(match pos.turn() {
        Turn::Over(outcome) => format!("{outcome:?}"),
        _ => "not over".to_owned(),
    })
}

fn replayed(file: &GameFile) -> Result<String, String> {
    match file.game {
        "connect4" => replay::<Connect4>(file),
        "genius" => replay::<Genius>(file),
        "gomoku" => replay::<Gomoku>(file),
        "gomoku_swap2" => replay::<GomokuSwap2>(file),
        "othello" => replay::<Othello>(file),
        "tictactoe" => replay::<TicTacToe>(file),
        "xiangqi" => replay::<Xiangqi>(file),
        other => Err(format!("no replay of {other}")),
    }
}

/// The difference after writing and reading again, if any.
fn rewritten(file: &GameFile) -> Result<(), String> {
    let text = files::write(file, &file.annotations);
    let again = files::read(&text, Some(file.game)).map_err(|fault| format!("written: {fault}"))?;
    let same = |other: &GameFile| {
        other.moves == file.moves && other.result == file.result && other.headers == file.headers
    };
    match &again[..] {
        [other] if same(other) => Ok(()),
        others => Err(format!("written and read: {} games, not the same", others.len())),
    }
}

fn main() -> ExitCode {
    let (mut games, mut failures) = (0, 0);
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).unwrap_or_default();
        let read = match files::decode(&bytes).and_then(|text| files::read(&text, None)) {
            Ok(read) => read,
            Err(fault) => {
                failures += 1;
                println!("{path}: not read: {fault}");
                continue;
            }
        };
        for (number, file) in read.iter().enumerate() {
            games += 1;
            let head = format!(
                "{path} {}: {:?} {} {} plies, result {:?}",
                number + 1,
                file.format,
                file.game,
                file.moves.len(),
                file.result
            );
            match replayed(file).and_then(|end| rewritten(file).map(|()| end)) {
                Ok(end) => println!("{head}: {end}"),
                Err(why) => {
                    failures += 1;
                    println!("{head}: FAILED: {why}");
                }
            }
        }
    }
    println!("{games} games, {failures} failures");
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
