use serde_json::{Value, json};

use super::bits::{flips, last_flips, placeable};
use super::endgame::{bound_by_stable, solve};
use super::evaluator::{OthelloEvaluation, OthelloEvaluator};
use super::rules::{DISC, Othello, PASS, margin};
use super::stable::stable;
use crate::notation::laws::{check_bounds, check_notation, check_refused, check_same_game};
use crate::notation::{FaultKind, Notation, Settings, StateInput};
use engine::game::laws::{check_evaluator, check_game};
use engine::game::{Evaluator, Game, Outcome, Rng, Side, Turn};

#[test]
fn othello_keeps_the_laws() {
    let start = Othello::default();
    check_game(&start, 1, 60);
    for evaluation in [OthelloEvaluation::Network, OthelloEvaluation::Hand] {
        check_evaluator(&start, &OthelloEvaluator::new(evaluation), 3, 2, 12);
    }
    check_notation(&start, &Settings::defaults(&[]), 4, 15);
}

#[test]
fn no_evaluation_is_beyond_its_bound() {
    check_bounds::<Othello>(1);
}

#[test]
fn a_state_read_back_is_the_same_game() {
    check_same_game::<Othello>(1);
}

fn read(text: &str) -> Othello {
    Othello::read(StateInput::Text(text), &Settings::defaults(&[])).expect("a position")
}

/// A position from the rows at the top of the board; the rest is filled up with `rest`.
fn board(rows: &[&str], rest: char, side: char) -> Othello {
    let mut board = rows.concat();
    board.extend(std::iter::repeat_n(rest, 64 - board.len()));
    read(&format!("{board} {side}"))
}

fn names(pos: &Othello) -> Vec<String> {
    let moves = pos.legal_moves();
    moves.into_iter().map(|mv| pos.move_text(mv)).collect()
}

/// Positions of random games, finished ones included.
fn positions(games: usize) -> Vec<Othello> {
    let mut rng = Rng::new(5);
    let mut all = Vec::new();
    for _ in 0..games {
        let mut pos = Othello::default();
        all.push(pos);
        while let Some(mv) = pos.random_move(&mut rng, &mut Vec::new()) {
            pos.play(mv);
            all.push(pos);
        }
    }
    all
}

/// The discs flipped by a disc on `square`, found by walking from square to square.
fn walked_flips(own: u64, opponent: u64, square: u8) -> u64 {
    let has = |discs: u64, x: i32, y: i32| {
        (0..8).contains(&x) && (0..8).contains(&y) && discs >> (8 * y + x) & 1 == 1
    };
    let mut all = 0;
    for (dx, dy) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
        let (mut x, mut y) = (i32::from(square) % 8 + dx, i32::from(square) / 8 + dy);
        let mut run = 0;
        while has(opponent, x, y) {
            run |= 1 << (8 * y + x);
            (x, y) = (x + dx, y + dy);
        }
        if has(own, x, y) {
            all |= run;
        }
    }
    all
}

#[test]
fn moves_and_flips_are_those_found_square_by_square() {
    for pos in positions(100) {
        for (own, opponent) in [(pos.own(), pos.opponent()), (pos.opponent(), pos.own())] {
            let mut may = 0;
            for square in (0..64).filter(|square| pos.empty() >> square & 1 == 1) {
                let expected = walked_flips(own, opponent, square);
                assert_eq!(flips(own, opponent, square), expected, "{pos:?} {square}");
                may |= u64::from(expected != 0) << square;
            }
            assert_eq!(placeable(own, opponent), may, "{pos:?}");
        }
    }
}

#[test]
fn flips_are_right_between_any_discs() {
    let mut rng = Rng::new(8);
    for _ in 0..20_000 {
        let (own, others) = (rng.bits(), rng.bits() | rng.bits());
        let (square, opponent) = (rng.below(64) as u8, others & !own);
        let (own, opponent) = (own & !(1 << square), opponent & !(1 << square));
        assert_eq!(
            flips(own, opponent, square),
            walked_flips(own, opponent, square),
            "{own:x} {opponent:x}"
        );
    }
}

#[test]
fn stable_discs_stay_whatever_is_played() {
    let mut rng = Rng::new(6);
    let mut seen = 0;
    for pos in positions(60) {
        let kept = Side::BOTH.map(|side| stable(pos.discs(side), pos.discs(side.other())));
        seen += kept[0].count_ones() + kept[1].count_ones();
        for _ in 0..4 {
            let mut later = pos;
            while let Some(mv) = later.random_move(&mut rng, &mut Vec::new()) {
                later.play(mv);
            }
            for side in Side::BOTH {
                let lost = kept[side.index()] & !later.discs(side);
                assert_eq!(lost, 0, "{pos:?} loses what was stable");
            }
        }
    }
    assert!(seen > 10_000, "{seen} stable discs");
}

#[test]
fn a_corner_makes_the_discs_beside_it_stable_and_a_full_board_all() {
    let corner = Othello::new([0x0307, 0x0810_0000], Side::First);
    assert_eq!(stable(corner.own(), corner.opponent()), 0x0307, "five discs around a1");
    assert_eq!(stable(corner.opponent(), corner.own()), 0);
    let full = board(&["xoxo"], 'x', 'o');
    assert_eq!(stable(full.own(), full.opponent()), full.own());
}

/// Before the last squares only stable discs give bounds, and the bounds are correct.
#[test]
fn discs_flipped_by_the_last_disc_are_counted() {
    let mut rng = Rng::new(9);
    for _ in 0..20_000 {
        let (own, square) = (rng.bits(), rng.below(64) as u8);
        let own = own & !(1 << square);
        let flipped = walked_flips(own, !(own | 1 << square), square);
        assert_eq!(last_flips(own, square), flipped.count_ones() as i32, "{own:x} {square}");
    }
}

/// Final margin of the mover with best play, by the rules alone.
fn played_out(pos: &Othello) -> i32 {
    let margins = pos.legal_moves().into_iter().map(|mv| -played_out(&pos.after(mv)));
    match pos.turn() {
        Turn::Of(_) => margins.max().expect("a move or a pass"),
        _ => margin(pos.own(), pos.opponent()),
    }
}

#[test]
fn the_solver_and_bounds_from_stable_discs_agree_with_the_rules() {
    let mut bounds = 0;
    let open = |pos: &&Othello| pos.legal() != 0 && pos.empty().count_ones() <= 7;
    for pos in positions(60).iter().filter(open) {
        let (own, opponent, value) = (pos.own(), pos.opponent(), played_out(pos));
        assert_eq!(solve(own, opponent, -64, 64), value, "{pos:?}");
        for alpha in (-64..64).step_by(4) {
            let found = solve(own, opponent, alpha, alpha + 1);
            assert!(
                found.min(value) > alpha || value <= found && found <= alpha,
                "{pos:?} {alpha}"
            );
            let Some(bound) = bound_by_stable(own, opponent, alpha, alpha + 1) else { continue };
            let holds = if bound <= alpha { value <= bound } else { value >= bound };
            assert!(holds, "{pos:?} {alpha}");
            bounds += 1;
        }
    }
    assert!(bounds > 500, "{bounds} bounds");
}

#[test]
fn only_a_search_to_the_end_has_payoffs() {
    let solved = |pos: &Othello, depth| {
        OthelloEvaluator::default().solve_payoff(pos, pos.mover(), depth, 6_300, 6_301)
    };
    let open = |pos: &&Othello| pos.legal() != 0 && (7..=9).contains(&pos.empty().count_ones());
    for pos in positions(20).iter().filter(open) {
        assert_eq!(solved(pos, 10), None, "ten plies may not do: {pos:?}");
        assert!(solved(pos, 18).is_some(), "{pos:?}");
    }
}

#[test]
fn black_opens_on_one_of_four_squares() {
    let start = Othello::default();
    assert_eq!(names(&start), ["d3", "c4", "f5", "e6"]);
    assert_eq!(start.mover(), Side::First);
    let text = "---------------------------OX------XO--------------------------- X";
    assert_eq!(start.text().as_deref(), Some(text));
}

#[test]
fn who_cannot_place_a_disc_passes_and_the_same_board_is_the_others() {
    // White has no line to black's only open disc, black has one to white's.
    let pos = board(&["-oxxxxxx"], 'x', 'o');
    let mut after = pos;
    assert_eq!(names(&pos), ["pass"]);
    after.play(PASS);
    assert_eq!((after.mover(), names(&after)), (Side::First, vec!["a1".to_owned()]));
    assert_ne!(after.hash(), pos.hash());
    assert!(pos.find_move("d3").is_err());
    assert!(Othello::default().find_move("pass").is_err(), "who can place a disc must");
}

#[test]
fn the_game_ends_when_neither_side_can_place_a_disc() {
    let ended = |pos: &Othello| match pos.turn() {
        Turn::Over(outcome) => (outcome, pos.reason(outcome)),
        turn => panic!("{turn:?}"),
    };
    let wiped_out = board(&["-xxx-xx-"], 'x', 'o');
    assert_eq!(ended(&wiped_out), (Outcome::Payoff(64 * DISC), "no_discs_left"));
    let stuck = board(&["--oooooo", "oooooooo", "ooooooox"], 'o', 'x');
    assert_eq!(ended(&stuck), (Outcome::Payoff(-62 * DISC), "no_moves_left"));
    let tie = board(&["xxxxxxxx"; 4], 'o', 'x');
    assert_eq!(ended(&tie), (Outcome::Payoff(0), "board_full"));
    // The disc on c1 flips three discs below it and three on a diagonal.
    let last = board(&["xx-xxxxx", "xxxxxxxx", "xxxxxxxx", "xxxxxxxx"], 'o', 'o');
    assert_eq!(ended(&last.after(2)), (Outcome::Payoff(-14 * DISC), "board_full"));
}

#[test]
fn a_win_by_two_discs_is_a_win() {
    let result = |discs: i32| OthelloEvaluator::default().result(discs * DISC);
    assert_eq!([result(-64), result(-2), result(0), result(2)], [0.0, 0.0, 0.5, 1.0]);
}

fn rows() -> Vec<String> {
    let start = Othello::default().json();
    let rows = start["board"].as_array().expect("rows").iter();
    rows.map(|row| row.as_str().expect("a row").to_owned()).collect()
}

#[test]
fn other_signs_and_the_names_of_sides_are_read_too() {
    let text = Othello::default().text().expect("a text");
    let other = text.replace('-', ".").replace('X', "*").replace('O', "o");
    assert_eq!(read(&other), Othello::default());
    assert_eq!(read(&text.replace(" X", " black")), Othello::default());
    for turn in ["black", "X", "x"] {
        let json = json!({ "board": rows(), "turn": turn });
        let pos = Othello::read(StateInput::Json(&json), &Settings::defaults(&[]));
        assert_eq!(pos, Ok(Othello::default()));
    }
}

#[test]
fn wrong_states_are_refused_with_a_reason() {
    let shape =
        |state, pointer, words| check_refused::<Othello>(&state, FaultKind::Shape, pointer, words);
    let start = Othello::default().text().expect("a text");
    shape(json!(start[1..]), "", "63 characters for the board, which has 64 squares");
    shape(json!(format!("-{start}")), "", "65 characters for the board");
    shape(json!(start.replace('O', "W")), "", "`W` on d4");
    shape(json!(start.replace('X', "B")), "", "`B` on e4; squares are `X` (black), `O` (white)");
    shape(json!(start[..64]), "", "missing side to move");
    shape(json!(start.replace(" X", " W")), "", "`W` is not a side to move");
    shape(json!(format!("{start} X")), "", "`X` after the side to move");
    shape(json!([start]), "", "an object with `board`");
    shape(json!({ "turn": "X" }), "/board", "missing field `board`; Rows 1 to 8");
    shape(json!({ "board": rows() }), "/turn", "missing field `turn`; Side to move");
    shape(
        json!({ "board": rows(), "turn": "red" }),
        "/turn",
        "unknown value `red`, expected one of `black`",
    );
    shape(json!({ "board": rows()[1..], "turn": "X" }), "/board", "7 rows; the board has 8");
    let with = |row: Value| {
        let mut state = json!({ "board": rows(), "turn": "black" });
        state["board"][2] = row;
        state
    };
    shape(with(json!("-------")), "/board/2", "row 3 has 7 squares; the board has 8 columns");
    shape(with(json!("---#----")), "/board/2", "`#` on d3");
    shape(with(json!(3)), "/board/2", "expected a string, got 3");
}

#[test]
fn positions_that_cannot_come_up_are_refused_with_a_reason() {
    let refuse = |board: String, side: &str, words| {
        check_refused::<Othello>(&json!(format!("{board} {side}")), FaultKind::Position, "", words);
    };
    let start = rows().concat();
    refuse("-".repeat(64), "X", "d4 is empty; a game starts with discs on d4, e4, d5 and e5");
    refuse(start.clone(), "O", "no side has moved yet, so it is black's turn");
    let swapped = start.replace('O', "w").replace('X', "O").replace('w', "X");
    refuse(swapped, "X", "no side has moved yet, so black stands on e4 and d5");
    let first = Othello::default().after(19).json();
    let first: String =
        first["board"].as_array().expect("rows").iter().filter_map(Value::as_str).collect();
    refuse(first, "X", "only black has moved, so it is white's turn");
    refuse(format!("X{}", &start[1..]), "X", "the disc on a1 stands alone");
    let mut state = json!({ "board": rows(), "turn": "white" });
    check_refused::<Othello>(&state, FaultKind::Position, "/turn", "it is black's turn");
    state["board"][3] = json!("--------");
    check_refused::<Othello>(&state, FaultKind::Position, "/board", "d4 is empty");
}
