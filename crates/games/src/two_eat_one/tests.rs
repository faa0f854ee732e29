use serde_json::{Value, json};

use super::{TwoEatOne, TwoEatOneEvaluation, TwoEatOneEvaluator, TwoEatOneMove};
use crate::notation::laws::{check_bounds, check_notation, check_refused, check_same_game};
use crate::notation::{FaultKind, Notation, Settings, StateInput};
use engine::game::laws::{check_evaluator, check_game, check_indexed};
use engine::game::{Game, History, Outcome, Rng, Side, Turn};

fn settings() -> Settings {
    Settings::defaults(TwoEatOne::facts().options)
}

fn read(text: &str) -> TwoEatOne {
    TwoEatOne::read(StateInput::Text(text), &settings()).expect("a position")
}

#[test]
fn two_eat_one_keeps_the_laws() {
    let start = TwoEatOne::default();
    check_game(&start, 1, 10);
    check_indexed(&start, 2, 20);
    check_notation(&start, &settings(), 3, 2);
    for evaluation in [TwoEatOneEvaluation::Stones, TwoEatOneEvaluation::None] {
        check_evaluator(&start, &TwoEatOneEvaluator::new(evaluation), 2, 4, 2);
    }
}

#[test]
fn no_evaluation_is_beyond_its_bound() {
    check_bounds::<TwoEatOne>(1);
}

#[test]
fn a_state_read_back_is_the_same_game() {
    check_same_game::<TwoEatOne>(1);
}

/// Stones captured by a move to `to`, cell by cell as stated in the rules.
fn taken(pos: &TwoEatOne, step: TwoEatOneMove) -> Vec<u8> {
    let mover = pos.mover();
    let at = |cell: u8| {
        let side = Side::BOTH.into_iter().find(|&side| pos.stones(side) >> cell & 1 == 1);
        match cell {
            cell if cell == step.from => '.',
            cell if cell == step.to => 'O',
            _ => side.map_or('.', |side| if side == mover { 'O' } else { 'E' }),
        }
    };
    let (row, column) = (step.to / 4, step.to % 4);
    let lines = [[0, 1, 2, 3].map(|n| 4 * row + n), [0, 1, 2, 3].map(|n| 4 * n + column)];
    let mut taken = Vec::new();
    for cells in lines {
        let line: String = cells.into_iter().map(at).collect();
        if ["EOO.", ".EOO", "OOE.", ".OOE"].contains(&&line[..]) {
            taken.extend(cells.into_iter().filter(|&cell| at(cell) == 'E'));
        }
    }
    taken.sort_unstable();
    taken
}

#[test]
fn captures_are_those_of_the_rules() {
    let mut rng = Rng::new(5);
    let mut counts = [0; 3];
    for _ in 0..300 {
        let mut pos = TwoEatOne::default();
        while let Turn::Of(mover) = pos.turn() {
            let moves = pos.legal_moves();
            let Some(step) = rng.pick(&moves) else { break };
            let next = pos.after(step);
            let gone = pos.stones(mover.other()) & !next.stones(mover.other());
            let gone: Vec<u8> = (0..16).filter(|cell| gone >> cell & 1 == 1).collect();
            assert_eq!(gone, taken(&pos, step), "{step:?} in {:?}", pos.text());
            assert_eq!(gone.len() as u32, pos.captures(step));
            counts[gone.len()] += 1;
            pos = next;
        }
    }
    assert!(counts.iter().all(|&count| count > 0), "all cases have come up: {counts:?}");
}

#[test]
fn one_move_can_take_two() {
    // The stone that comes to b3 makes a pair in its row and one in its column.
    let pos = read(".o../x.xo/.x../.... x");
    let next = pos.after(pos.find_move("a3b3").expect("legal"));
    assert_eq!(next.text().as_deref(), Some("..../.xx./.x../.... o"));
    assert_eq!(next.turn(), Turn::Over(Outcome::Win(Side::First)));
    assert_eq!(next.reason(Outcome::Win(Side::First)), "one_stone_left");
}

#[test]
fn only_the_movers_pairs_take() {
    // White steps beside the black pair and stays.
    let pos = read(".o../..../xx../...o o");
    let next = pos.after(pos.find_move("d1d2").expect("legal"));
    assert_eq!(next.text().as_deref(), Some(".o../..../xx.o/.... x"));
    let next = pos.after(pos.find_move("b4b3").expect("legal"));
    assert_eq!(next.stones(Side::First).count_ones(), 2);
}

#[test]
fn who_cannot_move_has_lost() {
    let pos = read("xo../oxx./o.../.... x");
    assert_eq!(pos.turn(), Turn::Of(Side::First), "somebody could move");
    let stuck = read("xxo./oo../..../.... x");
    assert_eq!(stuck.standing(), Turn::Over(Outcome::Win(Side::Second)));
    assert_eq!(stuck.reason(Outcome::Win(Side::Second)), "no_move_left");
}

#[test]
fn all_forms_of_a_state_are_one() {
    let start = TwoEatOne::default();
    assert_eq!(start.code(), 21_257_720);
    let forms = [
        json!("21257720"),
        json!(21_257_720),
        json!("oooo/..../..../xxxx x"),
        json!({ "board": ["2222", "0000", "0000", "1111"], "turn": "black" }),
        json!({ "board": ["oooo", "....", "....", "xxxx"] }),
        json!({ "code": 21_257_720 }),
        json!({ "code": 21_257_720, "board": ["oooo", "....", "....", "xxxx"], "turn": "x" }),
    ];
    for form in forms {
        let pos = TwoEatOne::read(StateInput::read(Some(&form)), &settings());
        assert_eq!(pos, Ok(start), "{form}");
    }
    // A code is of the side to move: with white to move its stones are the ones.
    let turned = json!({ "code": 21_257_720, "turn": "white" });
    let turned = TwoEatOne::read(StateInput::read(Some(&turned)), &settings()).expect("a position");
    assert_eq!(turned.text().as_deref(), Some("xxxx/..../..../oooo o"));
    assert_eq!(turned.code(), start.code());
}

#[test]
fn moves_are_read_by_cell_numbers_too() {
    let start = TwoEatOne::default();
    assert_eq!(start.find_move("12-8"), Ok(TwoEatOneMove { from: 12, to: 8 }));
    assert_eq!(start.find_move("A1a2"), Ok(TwoEatOneMove { from: 12, to: 8 }));
    assert_eq!(TwoEatOne::move_code(TwoEatOneMove { from: 12, to: 8 }), 12 * 16 + 8);
}

/// The game history from the start, cut at irreversible moves.
fn history(moves: &[&str]) -> Vec<TwoEatOne> {
    let mut history = vec![TwoEatOne::default()];
    for text in moves {
        let pos = history.last().expect("it begins at the start");
        let next = pos.after(pos.find_move(text).expect("legal"));
        if pos.is_irreversible(&next) {
            history.clear();
        }
        history.push(next);
    }
    history
}

#[test]
fn the_third_time_is_a_draw() {
    let round = ["a1a2", "a4a3", "a2a1", "a3a4"];
    let twice = round.repeat(2);
    assert_eq!(TwoEatOne::adjudicate(&history(&twice[..7])), None);
    let draw = Some((Outcome::Draw, "threefold_repetition"));
    assert_eq!(TwoEatOne::adjudicate(&history(&twice)), draw);
}

#[test]
fn a_hundred_quiet_plies_are_a_draw() {
    let quiet = |plies: usize| {
        // Different positions of equal material: only their number counts.
        let placed = |n: usize| [0xF000, 0x0F & !(1 << (n % 4)) | 0x10 << (n / 4 % 8)];
        let pos = |n| TwoEatOne::new(placed(n), Side::BOTH[n % 2]).expect("a position");
        let mut all: Vec<_> = (0..plies).map(pos).collect();
        all.push(TwoEatOne::default());
        TwoEatOne::adjudicate(&all)
    };
    assert_eq!(quiet(99), None);
    assert_eq!(quiet(100), Some((Outcome::Draw, "hundred_plies_without_capture")));
}

#[test]
fn a_capture_starts_play_anew() {
    let pos = read(".o../x.xo/.x../...o x");
    let quiet = pos.after(pos.find_move("a3a4").expect("legal"));
    let capture = pos.after(pos.find_move("a3b3").expect("legal"));
    assert!(!pos.is_irreversible(&quiet) && pos.is_irreversible(&capture));
}

#[test]
fn wrong_states_are_refused_with_a_reason() {
    let shape = |state, pointer, words| {
        check_refused::<TwoEatOne>(&state, FaultKind::Shape, pointer, words);
    };
    shape(json!("oooo/..../xxxx x"), "", "3 rows; the board has 4");
    shape(json!("oooo/..../...../xxxx x"), "", "row 3 has 5 cells");
    shape(json!("oooo/..a./..../xxxx x"), "", "`a` in row 2, column 3");
    shape(json!("43046721"), "", "codes are below 3^16 = 43046721");
    shape(json!(-1), "", "from 0 to 43046720, got -1");
    shape(json!({ "code": "1" }), "/code", "a whole number");
    shape(json!({ "board": ["1111", "0000", "0000"] }), "/board", "3 rows");
    shape(json!({ "turn": "black" }), "", "expected a `board` or a `code`");
}

#[test]
fn positions_that_cannot_come_up_are_refused_with_a_reason() {
    let refuse = |state: Value, pointer, words| {
        check_refused::<TwoEatOne>(&state, FaultKind::Position, pointer, words);
    };
    refuse(json!("oooo/x.../..../xxxx x"), "", "5 black and 4 white stones; black has at most 4");
    let five = json!({ "board": ["oooo", "o...", "....", "xxxx"] });
    refuse(five, "/board", "white has at most 4");
    refuse(json!(1_093_197), "", "black has at most 4");
    let lost = "1 black and 4 white stones: black had lost before its last move";
    refuse(json!("oooo/..../..../x... o"), "", lost);
    refuse(json!("oo../..../..../.... x"), "", "that takes three");
    refuse(
        json!({ "code": 21_257_720, "board": ["xxxx", "....", "....", "oooo"] }),
        "/code",
        "expected the code",
    );
}
