use serde_json::{Value, json};

use crate::notation::laws::{
    check_bounds, check_notation, check_refused, check_same_game, check_same_game_from,
};
use crate::notation::{FaultKind as Class, Notation, Settings, StateInput, take_options};
use crate::xiangqi::{PieceKind, Xiangqi, XiangqiRules};
use engine::game::{Game, History, Outcome, Side, Turn};

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

fn settings(options: &Value) -> Settings {
    let mut options = options.as_object().expect("an object").clone();
    take_options(Xiangqi::facts().options, &mut options).expect("known options")
}

fn read(fen: &str) -> Xiangqi {
    let read = Xiangqi::read(StateInput::Text(fen), &settings(&json!({})));
    read.unwrap_or_else(|why| panic!("{fen}: {why}"))
}

/// The positions of a game, the first one given.
fn history(fen: &str, moves: &[&str]) -> Vec<Xiangqi> {
    let mut history = vec![read(fen)];
    for text in moves {
        let pos = history[history.len() - 1];
        history.push(pos.after(pos.find_move(text).unwrap_or_else(|why| panic!("{why}"))));
    }
    history
}

#[test]
fn what_is_written_is_read_again() {
    let strict = settings(&json!({}));
    check_notation(&Xiangqi::default(), &strict, 4, 4);
    check_notation(&read("4kab2/4a4/4b4/p7p/9/6R2/P7P/4B4/4A4/2BAK4 w - - 110 60"), &strict, 2, 10);
    let lax = settings(&json!({ "lax": true }));
    let odd = Xiangqi::read(StateInput::Text("3k5/9/9/9/9/9/9/9/9/P3K4 w"), &lax);
    check_notation(&odd.expect("a position"), &lax, 2, 4);
}

#[test]
fn no_evaluation_is_beyond_its_bound() {
    check_bounds::<Xiangqi>(1);
}

#[test]
fn a_state_read_back_is_the_same_game() {
    check_same_game::<Xiangqi>(1);
    // Few pieces: many checks and plies without a capture.
    for rules in ["computer", "check_only"] {
        let by = settings(&json!({ "rules": rules }));
        let fen = "3ak4/9/9/9/9/9/9/9/4A4/1R2K2R1 w - - 20 30 8/0";
        let start = Xiangqi::read(StateInput::Text(fen), &by).expect("a position");
        check_same_game_from(&[(start, by)], 2, Xiangqi::hash);
    }
}

#[test]
fn all_spellings_of_a_position_are_one() {
    assert_eq!(read(START).text().as_deref(), Some(START));
    assert!(read(START) == Xiangqi::default());
    for fen in [
        "rhbakabhr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHBAKABHR w - - 0 1",
        "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r - - 0 1",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
        "  rnbakabnr/54/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR  r - -  ",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0",
    ] {
        assert_eq!(read(fen).text().as_deref(), Some(START), "{fen}");
    }
    let board = [
        "rnbakabnr",
        ".........",
        ".c.....c.",
        "p.p.p.p.p",
        ".........",
        ".........",
        "P.P.P.P.P",
        ".C.....C.",
        ".........",
        "RNBAKABNR",
    ];
    for turn in ["red", "w", "r"] {
        let state = json!({ "board": board, "turn": turn });
        let pos = Xiangqi::read(StateInput::Json(&state), &settings(&json!({})));
        assert_eq!(pos.expect("a position").text().as_deref(), Some(START), "{turn}");
    }
    let written =
        json!({ "board": board, "turn": "red", "quiet": 0, "number": 1, "checks": [0, 0] });
    assert_eq!(read(START).json(), written);
}

#[test]
fn clock_and_number_of_the_move_go_on_from_what_was_read() {
    let fens = |fen, moves: &[&str]| -> Vec<_> {
        let written = history(fen, moves).into_iter().map(|pos| pos.text().expect("a FEN"));
        written.map(|fen| fen.split(' ').skip(1).collect::<Vec<_>>().join(" ")).collect()
    };
    let found = fens("4k4/9/9/p8/9/9/P8/9/9/3K5 b - - 5 30", &["a6a5", "a3a4", "a5a4", "d0d1"]);
    assert_eq!(found, ["b - - 5 30", "w - - 6 31", "b - - 7 31", "w - - 0 32", "b - - 1 32"]);
}

#[test]
fn moves_are_read_in_both_notations() {
    let pos = read(START);
    let plain = pos.find_move("h2e2").expect("a move");
    assert_eq!((plain.from, plain.to), (2 * 9 + 7, 2 * 9 + 4));
    for text in ["H2E2", "h2-e2", "H2-E2", " H2-e2 "] {
        assert_eq!(pos.find_move(text).ok(), Some(plain), "{text}");
    }
    assert_eq!(pos.move_text(plain), "h2e2");
}

#[test]
fn a_move_that_is_not_legal_is_told_why() {
    let refused = |fen: &str, text: &str, words: &str| {
        let fault = read(fen).find_move(text).expect_err("it is not legal");
        assert_eq!(fault.kind, Class::Move);
        let said = format!("`{text}` is not a legal move here; {words}; legal: ");
        assert!(fault.detail.starts_with(&said), "{}", fault.detail);
    };
    refused(START, "e4e5", "it is red's turn, and nothing stands on e4");
    refused(START, "h7e7", "it is red's turn, and a black cannon stands on h7");
    refused(START, "a0b0", "a piece of the same side stands on b0");
    refused(START, "H0-F1", "the horse on h0 cannot go to f1");
    refused(START, "e3d3", "the soldier on e3 cannot go to d3");
    refused(START, "h2h8", "the cannon on h2 cannot go to h8");
    // One black chariot bears on the file, the other on the rank of the general's way out.
    let fen = "3k5/9/9/9/4r4/9/9/9/r3R4/4K4 w";
    refused(fen, "e1d1", "it leaves the general attacked by the chariot on e5");
    refused(fen, "e0d0", "it leaves the general attacked by the general on d9");
    let fen = "4k4/9/9/4C4/9/9/4r4/3n5/9/4K4 w";
    refused(fen, "e0e1", "it leaves the general attacked by the chariot on e3");
    refused(fen, "e6a6", "it leaves the general attacked by the horse on d2 and the chariot on e3");
    let words = "moves are written as file and rank of both points";
    for text in ["e0", "é0e1", "z0e1", "e0e1e2", ""] {
        let fault = read(START).find_move(text).expect_err("it is no move");
        assert!(fault.detail.contains(words), "{}", fault.detail);
    }
}

fn refused(fen: &str, class: Class, words: &str) {
    check_refused::<Xiangqi>(&json!(fen), class, "", words);
}

#[test]
fn what_is_no_fen_is_refused_with_a_reason() {
    let shape = |fen: &str, words: &str| refused(fen, Class::Shape, words);
    shape("", "rank 9 has 0 points; a rank has 9");
    shape("4k4/9/9 w", "3 ranks; the board has 10, from 9 down to 0");
    shape("4k4/9/9/9/9/9/9/9/9/9/3K5 w", "11 ranks; the board has 10");
    shape("4k4/8/9/9/9/9/9/9/9/3K5 w", "rank 8 has 8 points; a rank has 9");
    shape("4k5/9/9/9/9/9/9/9/9/3K5 w", "rank 9 has 10 points");
    shape("4k4/9/4q4/9/9/9/9/9/9/3K5 w", "`q` in rank 7; pieces are `KABNRCP`");
    shape("4k4/9/4-4/9/9/9/9/9/9/3K5 w", "`-` in rank 7");
    shape("4k4/90/9/9/9/9/9/9/9/3K5 w", "`0` in rank 8");
    shape("4k4/9/9/9/9/9/9/9/9/3K5", "missing side to move");
    shape("4k4/9/9/9/9/9/9/9/9/3K5 x", "`x` is not a side to move; expected `w` or `r` for red");
    shape("4k4/9/9/9/9/9/9/9/9/3K5 w KQ -", "`KQ` is the third word; it is always `-`");
    shape("4k4/9/9/9/9/9/9/9/9/3K5 w - e3", "`e3` is the fourth word");
    let clock = "for the plies since the last capture; expected a whole number from 0 to 119";
    for text in ["120", "-1", "x", "1.5", "99999999999999999999999"] {
        let fen = format!("4k4/9/9/9/9/9/9/9/9/3K5 w - - {text} 1");
        shape(&fen, &format!("`{text}` {clock}"));
    }
    shape("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 65536", "`65536` for the number of the move");
    shape("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1 moves", "`moves` after the number of the move");
}

#[test]
fn positions_that_cannot_come_up_are_refused_with_a_reason() {
    let position = |fen, words| refused(fen, Class::Position, words);
    position("9/9/9/9/9/9/9/9/9/3K5 w", "black has no general");
    position("4k4/9/9/9/9/9/9/9/9/9 w", "red has no general");
    position("4k4/9/9/9/9/9/9/9/9/3K1K3 w", "red has 2 generals; a set has 1");
    position("4k4/9/9/9/9/9/9/4A4/9/3A1A3 w", "red has no general");
    position("4k4/9/9/9/9/9/9/3A1A3/4A4/3K5 w", "red has 3 advisors; a set has 2");
    position("4k4/9/9/9/9/9/9/B3B3B/9/3K5 w", "red has 3 elephants; a set has 2");
    position("4k4/9/9/nnn6/9/9/9/9/9/3K5 w", "black has 3 horses; a set has 2");
    position("4k4/9/9/9/RRR6/9/9/9/9/3K5 b", "red has 3 chariots; a set has 2");
    position("4k4/9/9/9/ccc6/9/9/9/9/3K5 w", "black has 3 cannons; a set has 2");
    position("4k4/9/PPPPPP3/9/9/9/9/9/9/3K5 b", "red has 6 soldiers; a set has 5");
    position("4k4/9/9/9/9/9/3K5/9/9/9 w", "the red general on d3 can never get there");
    position("9/9/9/3k5/9/9/9/9/9/4K4 w", "the black general on d6 can never get there");
    position("4k4/9/9/9/9/9/9/9/3A5/4K4 w", "the red advisor on d1 can never get there");
    position("4k4/9/3b5/9/9/9/9/9/9/3K5 w", "the black elephant on d7 can never get there");
    position("4k4/9/9/9/2B6/9/9/9/9/3K5 w", "the red elephant on c5 can never get there");
    let why = "on b3 can never get there; before the river a soldier has only moved straight ahead";
    position("4k4/9/9/9/9/9/1P7/9/9/3K5 w", why);
    position("4k4/9/9/9/9/9/9/P8/9/3K5 w", "the red soldier on a2 can never get there");
    position("4k4/9/9/1p7/9/9/9/9/9/3K5 w", "the black soldier on b6 can never get there");
    position(
        "4k4/9/p8/9/9/9/9/9/9/3K5 w",
        "moved straight ahead from its start: a5 c5 e5 g5 i5 a6",
    );
    position(
        "4k4/9/9/9/9/9/9/9/4R4/3K5 w",
        "it is red's turn while black's general is attacked by the chariot on e1",
    );
    position(
        "4k4/9/9/9/9/9/9/9/9/4K4 b",
        "it is black's turn while red's general is attacked by the general on e9",
    );
}

#[test]
fn faults_of_the_json_form_are_pointed_at() {
    let rows = |changed: &[(usize, &str)]| {
        let mut rows = vec!["....k....", "", "", "", "", "", "", "", "", "...K....."];
        rows.iter_mut().filter(|row| row.is_empty()).for_each(|row| *row = ".........");
        changed.iter().for_each(|&(row, text)| rows[row] = text);
        json!({ "board": rows, "turn": "red" })
    };
    let with = |member: &str, value: Value| {
        let mut state = rows(&[]);
        state[member] = value;
        state
    };
    let refuse = |state: &Value, class, pointer, words| {
        check_refused::<Xiangqi>(state, class, pointer, words);
    };
    refuse(&json!([4]), Class::Shape, "", "an object with `board`");
    refuse(
        &json!({ "turn": "red" }),
        Class::Shape,
        "/board",
        "missing field `board`; Ranks from 9 down to 0",
    );
    refuse(&with("board", json!([])), Class::Shape, "/board", "0 ranks; the board has 10");
    refuse(&with("board", json!([1])), Class::Shape, "/board/0", "expected a string, got 1");
    refuse(&rows(&[(2, "........")]), Class::Shape, "/board/2", "rank 7 has 8 points");
    refuse(&rows(&[(2, "....x....")]), Class::Shape, "/board/2", "`x` in rank 7");
    refuse(
        &with("turn", json!("white")),
        Class::Shape,
        "/turn",
        "unknown value `white`, expected one of `red`",
    );
    refuse(&with("turn", Value::Null), Class::Shape, "/turn", "`b`, got null; Side to move");
    refuse(&with("quiet", json!(121)), Class::Shape, "/quiet", "a whole number from 0 to 120");
    refuse(&with("quiet", json!("3")), Class::Shape, "/quiet", "a whole number from 0 to 120");
    refuse(&with("number", json!(-1)), Class::Shape, "/number", "from 0 to 65535");
    refuse(&rows(&[(0, ".........")]), Class::Position, "/board", "black has no general");
    refuse(&rows(&[(8, "A........")]), Class::Position, "/board/8", "the red advisor on a1");
    refuse(&rows(&[(5, "....R....")]), Class::Position, "/turn", "attacked by the chariot on e4");
}

#[test]
fn lax_reading_takes_soldiers_from_anywhere_and_nothing_else() {
    let lax = settings(&json!({ "lax": true }));
    let read = |fen| Xiangqi::read(StateInput::Text(fen), &lax);
    let pos = read("3k5/9/9/1p7/9/9/9/9/P8/4K4 w").expect("a position");
    assert_eq!(pos.at(9), Some((Side::First, PieceKind::Soldier)));
    assert!(read("3k5/9/9/9/9/9/9/9/A8/4K4 w").is_err());
    assert!(read("3k5/9/9/9/9/9/9/9/PPPPPP3/4K4 w").is_err());
}

#[test]
fn the_rules_of_repetition_are_an_option_of_every_state() {
    let json = Xiangqi::default().json();
    for state in [StateInput::Start, StateInput::Text(START), StateInput::Json(&json)] {
        for (name, rules) in
            [("computer", XiangqiRules::Computer), ("check_only", XiangqiRules::CheckOnly)]
        {
            let pos = Xiangqi::read(state, &settings(&json!({ "rules": name })));
            assert_eq!(pos.expect("a position").rules(), rules);
        }
    }
}

#[test]
fn who_has_no_move_has_lost_in_check_or_not() {
    for (fen, reason) in
        [("R3k4/1R7/9/9/9/9/9/9/9/3K5 b", "checkmate"), ("3k5/R8/9/9/9/9/9/9/9/4K4 b", "stalemate")]
    {
        let pos = read(fen);
        let outcome = Outcome::Win(Side::First);
        assert_eq!((pos.standing(), pos.reason(outcome)), (Turn::Over(outcome), reason), "{fen}");
    }
    let dead = read("4k4/9/9/9/9/9/9/9/9/3K5 w");
    assert_eq!(dead.turn(), Turn::Over(Outcome::Draw));
    assert_eq!(dead.reason(Outcome::Draw), "dead_material");
}

/// Chariots that go to and fro twice without a threat.
const IDLE: [&str; 8] = ["a0a1", "i9i8", "a1a0", "i8i9", "a0a1", "i9i8", "a1a0", "i8i9"];

#[test]
fn repetition_is_judged_at_the_third_occurrence_and_before_the_sixty_moves() {
    let drawn = |reason| Some((Outcome::Draw, reason));
    let all = history("4k3r/9/9/9/9/9/9/9/9/R2K5 w - - 112 90", &IDLE);
    for length in 1..all.len() {
        assert_eq!(Xiangqi::adjudicate(&all[..length]), None, "{length} positions");
    }
    assert_eq!(Xiangqi::adjudicate(&all), drawn("threefold_repetition"));
    assert_eq!(Xiangqi::adjudicate(&all[1..]), drawn("sixty_moves"));
    let last = all[all.len() - 1];
    assert_eq!((last.quiet(), last.text()), (120, None));
    assert_eq!(last.json()["quiet"], 120);
}

#[test]
fn what_the_course_may_still_change_is_known() {
    let all = history("4k3r/9/9/9/9/9/9/9/9/R2K5 w - - 40 90", &IDLE);
    assert!(!Xiangqi::history_may_change_result(&all[..4], 77));
    assert!(
        Xiangqi::history_may_change_result(&all[..4], 78),
        "43 quiet plies and 78 are more than 120"
    );
    assert!(Xiangqi::history_may_change_result(&all[..5], 3), "a position has stood twice");
    let captured = history("4k3r/9/9/9/9/9/9/9/9/R2K4R w", &["a0a1", "i9i0"]);
    assert!(
        captured[1].is_irreversible(&captured[2]) && !captured[0].is_irreversible(&captured[1])
    );
}
