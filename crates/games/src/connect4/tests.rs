use serde_json::{Value, json};

use super::{Connect4, Connect4Evaluation, Connect4Evaluator, HEIGHT, WIDTH};
use crate::notation::laws::{check_bounds, check_notation, check_refused, check_same_game};
use crate::notation::{FaultKind, Notation, Settings, StateInput};
use engine::game::laws::{check_evaluator, check_game};
use engine::game::{Evaluator, Game, Lookahead, MoveList, Outcome, Rng, Side, Turn};

const THREATS: Connect4Evaluator = Connect4Evaluator { evaluation: Connect4Evaluation::Threats };
const NONE: Connect4Evaluator = Connect4Evaluator { evaluation: Connect4Evaluation::None };

fn settings() -> Settings {
    Settings::defaults(Connect4::facts().options)
}

fn read(columns: &str) -> Connect4 {
    Connect4::read(StateInput::Text(columns), &settings()).expect("a position")
}

#[test]
fn connect4_keeps_the_laws() {
    let start = Connect4::default();
    check_game(&start, 1, 60);
    check_evaluator(&start, &THREATS, 4, 2, 12);
    check_evaluator(&start, &NONE, 4, 3, 4);
    check_notation(&start, &settings(), 4, 15);
}

#[test]
fn no_evaluation_is_beyond_its_bound() {
    check_bounds::<Connect4>(1);
}

#[test]
fn a_state_read_back_is_the_same_game() {
    check_same_game::<Connect4>(1);
}

/// Four in a line found cell by cell, without bits.
fn has_four(pos: &Connect4, side: Side) -> bool {
    let at = |column: i32, row: i32| {
        (0..WIDTH as i32).contains(&column)
            && (0..HEIGHT as i32).contains(&row)
            && pos.stone(column as u32, row as u32) == Some(side)
    };
    let cells =
        (0..WIDTH as i32).flat_map(|column| (0..HEIGHT as i32).map(move |row| (column, row)));
    cells.into_iter().any(|(column, row)| {
        [(0, 1), (1, 0), (1, 1), (1, -1)]
            .into_iter()
            .any(|(dx, dy)| (0..4).all(|n| at(column + n * dx, row + n * dy)))
    })
}

/// Positions of random games, finished ones included.
fn positions(games: usize) -> Vec<Connect4> {
    let mut rng = Rng::new(5);
    let mut all = Vec::new();
    for _ in 0..games {
        let mut pos = Connect4::default();
        all.push(pos);
        while let Turn::Of(_) = pos.turn() {
            pos.play(pos.random_move(&mut rng, &mut Vec::new()).expect("a column is open"));
            all.push(pos);
        }
    }
    all
}

#[test]
fn four_in_a_line_are_seen_wherever_they_lie() {
    for pos in positions(400) {
        for side in Side::BOTH {
            assert_eq!(pos.has_four(side), has_four(&pos, side), "{pos:?}");
        }
    }
}

#[test]
fn threats_are_the_cells_that_complete_four() {
    for pos in positions(60) {
        let Turn::Of(mover) = pos.turn() else { continue };
        for (side, threats) in [(mover, pos.own_threats()), (mover.other(), pos.foe_threats())] {
            for (column, row) in (0..WIDTH).flat_map(|c| (0..HEIGHT).map(move |r| (c, r))) {
                let empty = pos.stone(column, row).is_none();
                let with = Connect4::from_stones(|c, r| {
                    if (c, r) == (column, row) { Some(side) } else { pos.stone(c, r) }
                });
                let threat = threats >> (column * (HEIGHT + 1) + row) & 1 == 1;
                assert_eq!(threat, empty && has_four(&with, side), "{pos:?} {column} {row}");
            }
        }
    }
}

#[test]
fn a_line_does_not_run_over_the_top_of_a_column() {
    // Cells 4 and 5 of column 1 and 0 and 1 of column 2 would be neighbours without the spare bit.
    let stone = |column: u32, row: u32| match (column, row) {
        (0, 4 | 5) | (1, 0 | 1) => Some(Side::First),
        (0, 0..=3) => Some(Side::Second),
        _ => None,
    };
    assert!(!Connect4::from_stones(stone).has_four(Side::First));
}

#[test]
fn a_full_board_without_four_is_a_draw() {
    let pos = read("547125662261271266215743771576315353334444");
    assert_eq!((pos.stones(), pos.turn()), (42, Turn::Over(Outcome::Draw)));
    assert_eq!(pos.reason(Outcome::Draw), "board_full");
}

#[test]
fn a_full_column_takes_no_more_discs() {
    let pos = read("444444");
    let moves = pos.legal_moves();
    assert_eq!(moves, [0, 1, 2, 4, 5, 6]);
    assert!(pos.is_full(3) && !pos.is_full(2));
}

#[test]
fn the_survey_takes_a_win_and_sees_a_double_threat() {
    let lookahead = |columns, depth| {
        let pos = read(columns);
        NONE.lookahead(&pos, pos.mover(), depth, MoveList::All, &mut Vec::new())
    };
    assert_eq!(lookahead("112233", 1), Lookahead::Win(1));
    // Three on the bottom with both ends open.
    assert_eq!(lookahead("33445", 2), Lookahead::Loss(2));
    assert!(matches!(lookahead("33445", 1), Lookahead::Open { .. }), "one ply shows no loss");
}

#[test]
fn a_forced_answer_is_the_only_move_to_search() {
    let pos = read("11213");
    let mut moves = Vec::new();
    NONE.lookahead(&pos, Side::Second, 2, MoveList::All, &mut moves);
    assert_eq!(moves, [3], "only column 4 stops the row");
}

#[test]
fn without_evaluation_every_position_is_worth_nothing() {
    for mut evaluator in [NONE, THREATS] {
        let values = positions(5).into_iter().filter(|pos| matches!(pos.turn(), Turn::Of(_)));
        let values: Vec<_> = values.map(|pos| evaluator.evaluate(&pos, pos.mover())).collect();
        let told_apart = values.iter().any(|value| *value != 0);
        assert_eq!(told_apart, evaluator.evaluation == Connect4Evaluation::Threats);
    }
}

#[test]
fn positions_that_no_game_leads_to_have_no_text() {
    // The bottom disc of the only column is the second player's: an impossible first move.
    let rows = ["o......", "x......", "x......", "o......", "x......", "o......"];
    let rows = json!({ "board": rows });
    let pos = Connect4::read(StateInput::Json(&rows), &settings()).expect("counts agree");
    assert_eq!(pos.text(), None);
}

/// A board from its lowest rows, listed from the top.
fn board(rows: &[&str]) -> Value {
    let empty = vec!["......."; HEIGHT as usize - rows.len()];
    let rows = [empty, rows.to_vec()].concat();
    json!({ "board": rows })
}

#[test]
fn wrong_states_are_refused_with_a_reason() {
    let shape =
        |state, pointer, words| check_refused::<Connect4>(&state, FaultKind::Shape, pointer, words);
    shape(json!("448"), "", "`8` (move 3) is not a column; columns are 1 to 7");
    shape(json!("40"), "", "`0` (move 2)");
    shape(json!("4 4"), "", "` ` (move 2)");
    shape(json!([4]), "", "an object with `board`");
    shape(json!({ "turn": "x" }), "/board", "missing field `board`; Rows from the top");
    shape(json!({ "board": ["......."] }), "/board", "1 rows; the board has 6");
    shape(board(&["........"]), "/board", "row 6 has 8 cells; the board has 7");
    shape(board(&["...?..."]), "/board/5", "`?` in row 6, column 4");
    shape(json!({ "board": [], "moves": "44" }), "/moves", "unknown field `moves`");
}

#[test]
fn positions_that_cannot_come_up_are_refused_with_a_reason() {
    let refuse = |state, pointer, words| {
        check_refused::<Connect4>(&state, FaultKind::Position, pointer, words);
    };
    refuse(json!("4444444"), "", "move 7 is played into column 4, which is full");
    refuse(json!("11223344"), "", "move 8 is played after the end of the game");
    refuse(board(&["xx....."]), "/board", "2 x and 0 o");
    refuse(board(&["o......"]), "/board", "0 x and 1 o");
    let floats = "the disc in column 3, row 2 from the bottom floats";
    refuse(board(&["..x....", "......."]), "/board", floats);
    refuse(board(&["xxxx...", "oooo..."]), "/board", "both sides have four in a line");
    refuse(board(&["ooo....", "xxxx..o"]), "/board", "after the other side had four");
    let mut turned = board(&["x......"]);
    turned["turn"] = json!("first");
    refuse(turned, "/turn", "it is second's turn");
}
