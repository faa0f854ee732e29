use serde_json::json;

use super::{MAX_HEAPS, Nim, NimEvaluator, Take};
use crate::notation::laws::{check_bounds, check_notation, check_refused, check_same_game};
use crate::notation::{FaultKind, Notation, Served, Settings, StateInput, take_options};
use engine::game::laws::{check_evaluator, check_game};
use engine::game::{Evaluator, Game, Outcome, Side, Turn};

fn nim(heaps: &[u8], misere: bool) -> Nim {
    Nim::new(heaps, misere).expect("not too many heaps")
}

fn settings() -> Settings {
    Settings::defaults(Nim::facts().options)
}

#[test]
fn nim_keeps_the_laws() {
    for misere in [false, true] {
        check_game(&nim(&[3, 0, 5], misere), 1, 40);
        check_game(&nim(&[255; MAX_HEAPS], misere), 2, 1);
        check_evaluator(&nim(&[2, 3, 2], misere), &NimEvaluator, 4, 3, 20);
        check_notation(&nim(&[3, 4, 5], misere), &settings(), 4, 20);
    }
}

#[test]
fn no_evaluation_is_beyond_its_bound() {
    check_bounds::<Nim>(1);
}

#[test]
fn a_state_read_back_is_the_same_game() {
    check_same_game::<Nim>(1);
}

#[test]
fn who_takes_the_last_stone_wins_or_in_misere_play_loses() {
    for (misere, winner) in [(false, Side::First), (true, Side::Second)] {
        let end = nim(&[1], misere).after(Take { heap: 0, stones: 1 });
        assert_eq!(end.turn(), Turn::Over(Outcome::Win(winner)), "misere: {misere}");
    }
}

#[test]
fn no_stones_at_all_are_a_finished_game() {
    assert_eq!(nim(&[0, 0], false).turn(), Turn::Over(Outcome::Win(Side::Second)));
    assert_eq!(nim(&[0, 0], true).turn(), Turn::Over(Outcome::Win(Side::First)));
}

#[test]
fn the_side_to_move_and_the_rules_are_part_of_the_hash() {
    let pos = nim(&[1, 2], false);
    assert_ne!(pos.hash(), pos.with_mover(Side::Second).hash());
    assert_ne!(pos.hash(), nim(&[1, 2], true).hash());
    assert_ne!(pos.hash(), nim(&[2, 1], false).hash());
}

#[test]
fn more_heaps_than_fit_are_no_position() {
    assert_eq!(Nim::new(&[1; MAX_HEAPS + 1], false), None);
}

#[test]
fn reachable_positions_are_counted_and_never_overflow() {
    assert_eq!(nim(&[3, 4, 5], false).reachable(), 4 * 5 * 6);
    assert_eq!(nim(&[255; MAX_HEAPS], false).reachable(), u64::MAX);
}

#[test]
fn the_nim_sum_turns_around_when_only_single_stones_are_left_in_misere_play() {
    let judge = |heaps: &[u8], misere| NimEvaluator.evaluate(&nim(heaps, misere), Side::First) > 0;
    assert!(judge(&[1, 1, 1], false) && !judge(&[1, 1, 1], true));
    assert!(!judge(&[1, 1], false) && judge(&[1, 1], true));
    assert!(judge(&[2, 1, 1], false) && judge(&[2, 1, 1], true));
    assert!(!judge(&[2, 2], false) && !judge(&[2, 2], true));
}

#[test]
fn a_large_nim_is_left_to_the_nim_sum() {
    assert_eq!(nim(&[3, 4, 5], false).strongest(), "sg");
    assert_eq!(nim(&[200; 4], false).strongest(), "alphabeta");
}

#[test]
fn text_may_name_the_rules_and_the_side() {
    let read = |text| Nim::read(StateInput::Text(text), &settings());
    let misere = nim(&[3, 4, 5], true);
    assert_eq!(read("3;4;5 misere"), Ok(misere));
    assert_eq!(read(" 3;4;5  second misere "), Ok(misere.with_mover(Side::Second)));
    assert_eq!(read("3;4;5 second first"), Ok(nim(&[3, 4, 5], false)));
}

#[test]
fn the_option_misere_holds_where_the_state_does_not_say() {
    let mut given = json!({ "misere": true }).as_object().cloned().expect("an object");
    let misere = take_options(Nim::facts().options, &mut given).expect("a flag");
    fn read(input: StateInput<'_>, settings: &Settings) -> bool {
        Nim::read(input, settings).expect("a position").misere()
    }
    let unsaid = json!({ "heaps": [1] });
    let said = json!({ "heaps": [1], "misere": false });
    assert!(read(StateInput::Start, &misere));
    assert!(read(StateInput::Text("1;2"), &misere));
    assert!(read(StateInput::Json(&unsaid), &misere));
    assert!(!read(StateInput::Json(&said), &misere));
}

#[test]
fn wrong_states_are_refused_with_a_reason() {
    let shape =
        |state, pointer, words| check_refused::<Nim>(&state, FaultKind::Shape, pointer, words);
    shape(json!(""), "", "such as `3;4;5`");
    shape(json!("3;x"), "", "`3;x` is not a list of heaps");
    shape(json!("3;-1"), "", "0 to 255");
    shape(json!("256"), "", "0 to 255");
    shape(json!("1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1"), "", "17 heaps");
    shape(json!("3;4 third"), "", "`misere`, `first`, `second`");
    let read = |state| {
        let settings = Settings::defaults(Nim::facts().options);
        Nim::read(StateInput::Json(&state), &settings).expect("a state")
    };
    assert_eq!(read(json!([3, 4])).heaps(), read(json!({ "heaps": [3, 4] })).heaps());
    shape(json!([3, 256]), "/1", "from 0 to 255, got 256");
    shape(json!(3), "", "an object with `heaps`");
    shape(json!({}), "/heaps", "missing field `heaps`; Stones of each heap");
    shape(json!({ "heaps": "3;4" }), "/heaps", "expected a list, got \"3;4\"; Stones of each heap");
    shape(json!({ "heaps": null }), "/heaps", "expected a list, got null");
    shape(json!({ "heaps": [] }), "/heaps", "0 heaps; expected 1 to 16");
    shape(json!({ "heaps": vec![1; 17] }), "/heaps", "17 heaps");
    shape(json!({ "heaps": [3, 256] }), "/heaps/1", "0 to 255, got 256");
    shape(json!({ "heaps": [3, -1] }), "/heaps/1", "got -1");
    shape(json!({ "heaps": [1.5] }), "/heaps/0", "got 1.5");
    shape(json!({ "heaps": [1], "misere": "yes" }), "/misere", "true or false");
    shape(
        json!({ "heaps": [1], "turn": "third" }),
        "/turn",
        "unknown value `third`, expected `first` or `second`",
    );
    shape(json!({ "heaps": [1], "turn": 1 }), "/turn", "`first`, `second`, got 1; Side to move");
    shape(json!({ "heaps": [1], "piles": [1] }), "/piles", "unknown field `piles`");
}

#[test]
fn a_wrong_move_is_told_the_legal_ones() {
    let pos = nim(&[1, 2], false);
    for text in ["3:1", "1:2", "1:0", "0:1", "1", ""] {
        let fault = pos.find_move(text).expect_err("an illegal move");
        assert_eq!(fault.kind, FaultKind::Move, "{text}");
        assert!(fault.detail.contains("legal: 1:1, 2:1, 2:2"), "{}", fault.detail);
    }
    let many = nim(&[20], false).find_move("x").expect_err("an illegal move");
    assert!(many.detail.ends_with("1:12, ..."), "{}", many.detail);
}
