use serde_json::json;

use super::{TicTacToe, TicTacToeFault};
use crate::notation::laws::{check_bounds, check_notation, check_refused, check_same_game};
use crate::notation::{FaultKind, Notation, Settings, StateInput};
use engine::game::laws::{check_evaluator, check_game, check_indexed};
use engine::game::{Game, Outcome, Plain, Side, Turn};

fn read(text: &str) -> TicTacToe {
    TicTacToe::read(StateInput::Text(text), &Settings::default()).expect("a position")
}

#[test]
fn tictactoe_keeps_the_laws() {
    let start = TicTacToe::default();
    check_game(&start, 1, 200);
    check_indexed(&start, 2, 200);
    check_evaluator(&start, &Plain, 4, 3, 10);
    check_notation(&start, &Settings::default(), 4, 100);
}

#[test]
fn no_evaluation_is_beyond_its_bound() {
    check_bounds::<TicTacToe>(1);
}

#[test]
fn a_state_read_back_is_the_same_game() {
    check_same_game::<TicTacToe>(1);
}

#[test]
fn each_of_the_eight_lines_wins() {
    for line in
        [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]]
    {
        let cells: u16 = line.iter().map(|cell| 1 << cell).sum();
        let others = (0..9).filter(|cell| !line.contains(cell)).take(2).map(|cell| 1 << cell).sum();
        let pos = TicTacToe::new(cells, others).expect("x has just won");
        assert_eq!(pos.turn(), Turn::Over(Outcome::Win(Side::First)), "{line:?}");
    }
}

#[test]
fn the_last_stone_may_win_on_a_full_board() {
    assert_eq!(read("xox/oxo/xox").turn(), Turn::Over(Outcome::Win(Side::First)));
    assert_eq!(read("xox/xox/oxo").turn(), Turn::Over(Outcome::Draw));
}

#[test]
fn stones_that_no_game_places_are_no_position() {
    assert_eq!(TicTacToe::new(0b1, 0b110), Err(TicTacToeFault::Count { first: 1, second: 2 }));
    assert_eq!(TicTacToe::new(0o7, 0), Err(TicTacToeFault::Count { first: 3, second: 0 }));
    assert_eq!(TicTacToe::new(0o7, 0o70), Err(TicTacToeFault::BothWon));
    assert_eq!(TicTacToe::new(0o7, 0o150), Err(TicTacToeFault::PlayedOn));
    assert_eq!(TicTacToe::new(0o314, 0o7), Err(TicTacToeFault::PlayedOn));
}

#[test]
fn moves_are_named_by_file_and_rank() {
    let pos = TicTacToe::default();
    let names: Vec<_> = (0..9).map(|cell| pos.move_text(cell)).collect();
    assert_eq!(names, ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]);
    assert_eq!(pos.find_move(" B2 "), Ok(4));
}

#[test]
fn a_finished_position_may_name_either_side() {
    for text in ["xxx/oo./... o", "xxx/oo./... x"] {
        assert_eq!(read(text).turn(), Turn::Over(Outcome::Win(Side::First)), "{text}");
    }
}

#[test]
fn wrong_states_are_refused_with_a_reason() {
    let shape = |state, pointer, words| {
        check_refused::<TicTacToe>(&state, FaultKind::Shape, pointer, words);
    };
    shape(json!(""), "", "1 rows; the board has 3");
    shape(json!("..././..."), "", "row 2 has 1 cells; the board has 3");
    shape(json!(".../.../..../... x"), "", "4 rows");
    shape(json!("..z/.../..."), "", "`z` in row 1, column 3; cells are `x`, `o` and `.`");
    shape(json!(".../.../... z"), "", "expected `x` or `o`");
    shape(json!(".../.../... ."), "", "expected `x` or `o`");
    shape(json!(".../.../... x x"), "", "`x` after the side to move");
    shape(json!(7), "", "an object with `board`");
    shape(json!({ "turn": "x" }), "/board", "missing field `board`; Rows from the top");
    shape(
        json!({ "board": "x../.../..." }),
        "/board",
        "expected a list, got \"x../.../...\"; Rows from the top",
    );
    shape(json!({ "board": ["...", "..."] }), "/board", "2 rows; the board has 3");
    shape(json!({ "board": ["...", "..", "..."] }), "/board", "row 2 has 2 cells");
    shape(json!({ "board": ["...", 1, "..."] }), "/board/1", "expected a string, got 1");
    shape(json!({ "board": ["...", ".?.", "..."] }), "/board/1", "`?` in row 2, column 2");
    shape(
        json!({ "board": ["...", "...", "..."], "turn": "z" }),
        "/turn",
        "unknown value `z`, expected one of",
    );
    shape(
        json!({ "board": ["...", "...", "..."], "turn": 1 }),
        "/turn",
        "`o`, got 1; Side to move",
    );
    shape(json!({ "board": ["...", "...", "..."], "side": "x" }), "/side", "unknown field `side`");
}

#[test]
fn positions_that_cannot_come_up_are_refused_with_a_reason() {
    let refuse = |state, pointer, words| {
        check_refused::<TicTacToe>(&state, FaultKind::Position, pointer, words);
    };
    refuse(json!("xx./.../... o"), "", "2 x and 0 o; x moves first");
    refuse(json!("o../.../... x"), "", "0 x and 1 o");
    refuse(json!("xxx/ooo/..."), "", "both sides");
    refuse(json!("xxx/oo./o.."), "", "moved after the other had three in a row");
    refuse(json!("x../.../... x"), "", "it is o's turn");
    refuse(json!({ "board": ["xx.", "...", "..."] }), "/board", "2 x and 0 o");
    refuse(json!({ "board": ["xxx", "ooo", "..."] }), "/board", "both sides");
    refuse(json!({ "board": ["x..", "...", "..."], "turn": "x" }), "/turn", "it is o's turn");
}
