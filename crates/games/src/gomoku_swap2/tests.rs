use serde_json::{Value, json};

use super::{GomokuSwap2, OPENINGS, Phase, Swap2Evaluator, Swap2Move, Word};
use crate::gomoku::{Gomoku, GomokuRules, Point};
use crate::notation::laws::{check_bounds, check_notation, check_refused, check_same_game};
use crate::notation::{FaultKind, Notation, OptionKind, Settings, StateInput, take_options};
use engine::game::laws::{check_evaluator, check_game};
use engine::game::{Evaluator, Game, Outcome, Side, Turn};

fn empty(size: u8) -> GomokuSwap2 {
    GomokuSwap2::new(Gomoku::new(size).expect("a size in range"))
}

fn sized(size: u8) -> Settings {
    let mut given = json!({ "size": size }).as_object().cloned().expect("an object");
    take_options(GomokuSwap2::facts().options, &mut given).expect("a size")
}

/// The position after these moves on a board of 15 points a side.
fn played(moves: &str) -> GomokuSwap2 {
    let read = GomokuSwap2::read(StateInput::Text(moves), &sized(15));
    read.unwrap_or_else(|fault| panic!("{moves}: {fault}"))
}

fn value(moves: &str) -> i32 {
    let pos = played(moves);
    Swap2Evaluator::default().evaluate(&pos, pos.mover())
}

fn candidates(pos: &GomokuSwap2, evaluator: &Swap2Evaluator) -> Vec<String> {
    let mut moves = Vec::new();
    evaluator.candidates(pos, pos.mover(), &mut moves);
    moves.into_iter().map(|mv| pos.move_text(mv)).collect()
}

#[test]
fn gomoku_swap2_keeps_the_laws() {
    check_game(&empty(5), 1, 20);
    check_game(&empty(15), 2, 2);
    for rules in [GomokuRules::Standard, GomokuRules::Renju, GomokuRules::Caro] {
        check_game(&GomokuSwap2::new(Gomoku::by_rules(15, rules).expect("a size")), 3, 1);
    }
    check_evaluator(&empty(5), &Swap2Evaluator::default(), 2, 4, 4);
    check_evaluator(&empty(15), &Swap2Evaluator::default(), 1, 5, 1);
    let mut varied = Swap2Evaluator::default();
    assert!(varied.randomize(7));
    check_evaluator(&empty(15), &varied, 1, 6, 1);
    check_notation(&empty(6), &sized(6), 7, 8);
    check_notation(&empty(15), &sized(15), 8, 1);
}

#[test]
fn no_evaluation_is_beyond_its_bound() {
    check_bounds::<GomokuSwap2>(1);
}

#[test]
fn a_state_read_back_is_the_same_game() {
    check_same_game::<GomokuSwap2>(1);
}

#[test]
fn the_sides_move_as_the_opening_says() {
    let (first, second) = (Side::First, Side::Second);
    let cases: [(&str, &[Side]); 4] = [
        ("h8 i9 c3 swap j7 k6 l5", &[first, first, first, second, first, second, first, second]),
        ("h8 i9 c3 stay j7 k6 l5", &[first, first, first, second, second, first, second, first]),
        (
            "h8 i9 c3 two d4 e5 black j7 k6",
            &[first, first, first, second, second, second, first, second, first, second],
        ),
        (
            "h8 i9 c3 two d4 e5 white j7 k6",
            &[first, first, first, second, second, second, first, first, second, first],
        ),
    ];
    for (line, movers) in cases {
        let words: Vec<_> = line.split(' ').collect();
        for (count, &mover) in movers.iter().enumerate() {
            let line = words[..count].join(" ");
            assert_eq!(played(&line).turn(), Turn::Of(mover), "after `{line}`");
        }
    }
}

/// Stone colours alternate, regardless of the player.
#[test]
fn colours_belong_to_stones_and_not_to_players() {
    for (line, black, white) in [
        ("h8 i9 c3 swap j7", &["h8", "c3"][..], &["i9", "j7"][..]),
        ("h8 i9 c3 stay j7", &["h8", "c3"], &["i9", "j7"]),
        ("h8 i9 c3 two d4 e5 black j7", &["h8", "c3", "e5"], &["i9", "d4", "j7"]),
        ("h8 i9 c3 two d4 e5 white j7 k6", &["h8", "c3", "e5", "k6"], &["i9", "d4", "j7"]),
    ] {
        let pos = played(line);
        let board = pos.board();
        for (side, wanted) in [(Side::First, black), (Side::Second, white)] {
            let stones = board.points().filter(|&at| board.stone(at) == Some(side));
            let mut stones: Vec<_> = stones.map(|at| board.move_text(at)).collect();
            let mut wanted: Vec<_> = wanted.iter().map(|name| (*name).to_owned()).collect();
            stones.sort();
            wanted.sort();
            assert_eq!(stones, wanted, "{side:?} after `{line}`");
        }
    }
}

#[test]
fn who_has_the_colour_that_makes_five_wins() {
    let idle = "a1 c1 e1 g1";
    // White moves first.
    let weave = |white: &str, black: &str| -> Vec<String> {
        let pairs = white.split(' ').zip(black.split(' '));
        pairs.flat_map(|(w, b)| [w.to_owned(), b.to_owned()]).collect()
    };
    let result = |head: &str, stones: &[String]| played(&format!("{head} {}", stones.join(" ")));
    for (word, black) in [("swap", Side::Second), ("stay", Side::First)] {
        let pos = result(&format!("h8 o14 o12 {word}"), &weave(idle, "i8 j8 k8 l8"));
        assert_eq!(pos.turn(), Turn::Over(Outcome::Win(black)), "black after {word}");
        assert_eq!(pos.reason(Outcome::Win(black)), "five_in_a_row");
        let pos = result(&format!("o14 h8 o12 {word}"), &weave("i8 j8 k8 l8", idle)[..7]);
        assert_eq!(pos.turn(), Turn::Over(Outcome::Win(black.other())), "white after {word}");
    }
    for (word, black) in [("black", Side::First), ("white", Side::Second)] {
        let pos = result(&format!("h8 o14 o12 two o10 i8 {word}"), &weave(idle, "j8 k8 l8"));
        assert_eq!(pos.turn(), Turn::Over(Outcome::Win(black)), "black after {word}");
    }
}

#[test]
fn the_phase_is_part_of_the_hash() {
    let same_stones = [
        "h8 i9 c3",
        "h8 i9 c3 two",
        "h8 i9 c3 swap",
        "h8 i9 c3 stay",
        "h8 i9 c3 two d4 e5",
        "h8 i9 c3 two d4 e5 black",
        "h8 i9 c3 two d4 e5 white",
        "h8 i9 c3 swap d4 e5",
        "h8 i9 c3 stay d4 e5",
    ];
    for (n, line) in same_stones.iter().enumerate() {
        for other in &same_stones[..n] {
            assert_ne!(played(line).hash(), played(other).hash(), "`{line}` and `{other}`");
        }
    }
    assert_eq!(played("h8 i9 c3").hash(), played("c3 i9 h8").hash(), "the order means nothing");
}

#[test]
fn who_chooses_a_colour_stands_as_the_better_one() {
    for (stones, white_is_better) in [("a1 h8 o15", true), ("h8 a1 i9", false)] {
        let stays = value(&format!("{stones} stay"));
        assert_eq!(value(&format!("{stones} swap")), stays, "white is to move after either");
        assert_eq!(value(stones), stays.abs(), "{stones}");
        assert_eq!(stays > 0, white_is_better, "{stones}");
    }
}

#[test]
fn three_stones_come_from_the_book_and_a_seed_picks_the_opening() {
    let middle = |(x, y): (i8, i8)| Swap2Move::Put(Point { x: (7 + x) as u8, y: (7 + y) as u8 });
    let mut drawn = std::collections::BTreeSet::new();
    for seed in 1..200 {
        let mut evaluator = Swap2Evaluator::default();
        assert!(evaluator.randomize(seed));
        let mut pos = empty(15);
        while pos.phase() == Phase::Three {
            let names = candidates(&pos, &evaluator);
            assert_eq!(names.len(), 1, "{names:?}");
            pos.play(pos.find_move(&names[0]).expect("a legal move"));
        }
        let number = OPENINGS.iter().position(|opening| opening.map(middle)[..] == *pos.played());
        drawn.insert(number.expect("an opening of the book"));
    }
    assert_eq!(drawn.len(), OPENINGS.len());
    let any = Swap2Evaluator::default();
    assert!(candidates(&empty(15), &any).len() > 4);
    // Off the book, and on boards too small for it.
    assert_eq!(candidates(&played("a15"), &any).len(), 16);
    assert_eq!(candidates(&empty(9), &any), ["e5"]);
}

#[test]
fn the_openings_of_the_book_are_different_and_fit_the_smallest_board() {
    for (n, opening) in OPENINGS.iter().enumerate() {
        assert!(!OPENINGS[..n].contains(opening), "{opening:?} stands twice");
        assert!(opening.iter().all(|(x, y)| x.abs() <= 5 && y.abs() <= 5), "{opening:?}");
        let [a, b, c] = opening;
        assert!(a != b && a != c && b != c, "{opening:?} puts two stones on one point");
    }
}

#[test]
fn every_word_is_read_in_its_phase_and_in_no_other() {
    let choices = [
        ("h8 i9 c3", &[Word::Swap, Word::Stay, Word::Two][..]),
        ("h8 i9 c3 two d4 e5", &[Word::Black, Word::White]),
        ("h8 i9", &[]),
        ("h8 i9 c3 two d4", &[]),
        ("h8 i9 c3 stay", &[]),
    ];
    for (line, words) in choices {
        let pos = played(line);
        assert_eq!(pos.phase().words(), words, "{line}");
        for word in ["swap", "stay", "two", "black", "white"] {
            let found = pos.find_move(word).ok();
            let named = words.iter().find(|&&said| pos.move_text(Swap2Move::Say(said)) == word);
            assert_eq!(found, named.map(|&said| Swap2Move::Say(said)), "`{word}` after `{line}`");
        }
    }
}

#[test]
fn a_wrong_move_is_told_what_is_due() {
    for (line, text, why) in [
        ("h8", "swap", "the first player places three stones now"),
        ("h8 i9 c3", "j7", "the second player says `swap`, `stay` or `two` now"),
        ("h8 i9 c3", "black", "the second player says `swap`, `stay` or `two` now"),
        ("h8 i9 c3 two", "stay", "the second player places two more stones now"),
        ("h8 i9 c3 two d4 e5", "swap", "the first player says `black` or `white` now"),
        ("h8 i9 c3 two d4 e5", "f6", "legal: black, white"),
        ("h8 i9 c3 swap", "swap", "the opening is over"),
        ("h8 i9 c3 swap", "h8", "h8 is taken"),
        ("h8", "h8", "h8 is taken"),
        ("h8", "pass", "moves are written as file letter"),
    ] {
        let fault = played(line).find_move(text).expect_err("an illegal move");
        assert_eq!(fault.kind, FaultKind::Move);
        assert!(fault.detail.contains(why), "`{text}` after `{line}`: {}", fault.detail);
    }
}

#[test]
fn wrong_states_are_refused_with_a_reason() {
    let refused = |state: Value, kind, pointer, words| {
        check_refused::<GomokuSwap2>(&state, kind, pointer, words);
    };
    refused(json!([]), FaultKind::Shape, "", "an object with `size`, `moves`");
    refused(
        json!({ "size": 21 }),
        FaultKind::Shape,
        "/size",
        "from 5 to 20, got 21; Points on a side",
    );
    refused(json!({ "size": "15" }), FaultKind::Shape, "/size", "a whole number");
    refused(
        json!({ "moves": "h8" }),
        FaultKind::Shape,
        "/moves",
        "expected a list, got \"h8\"; All moves from the empty board",
    );
    refused(
        json!({ "moves": ["h8", 7] }),
        FaultKind::Shape,
        "/moves/1",
        "expected a string, got 7",
    );
    refused(json!({ "moves": ["h8", "h8"] }), FaultKind::Move, "/moves/1", "h8 is taken");
    refused(
        json!({ "moves": ["h8", "stay"] }),
        FaultKind::Move,
        "/moves/1",
        "places three stones now",
    );
    refused(
        json!("h8 i9 c3 j7"),
        FaultKind::Move,
        "",
        "move 4: `j7` is not a legal move here; the second",
    );
    let over = "h8 a1 i8 stay c1 j8 e1 k8 g1 l8 m8";
    refused(json!(over), FaultKind::Move, "", "move 11: the game is over");
    assert!(matches!(GomokuSwap2::facts().options[0].kind, OptionKind::Integer { .. }));
}

#[test]
fn rules_and_size_are_those_of_the_options() {
    let read = |options: Value, input: StateInput<'_>| {
        let mut given = options.as_object().cloned().expect("an object");
        let settings = take_options(GomokuSwap2::facts().options, &mut given).expect("options");
        GomokuSwap2::read(input, &settings)
    };
    let pos = read(json!({ "rules": "standard", "size": 9 }), StateInput::Start).expect("a start");
    assert_eq!((pos.board().rules(), pos.board().size()), (GomokuRules::Standard, 9));
    let state = json!({ "size": 11 });
    let pos = read(json!({ "size": 9 }), StateInput::Json(&state)).expect("a start");
    assert_eq!(pos.board().size(), 11, "the state says more than the option");
    let renju = read(json!({ "rules": "renju", "size": 9 }), StateInput::Start);
    assert!(renju.is_err_and(|fault| fault.detail.contains("renju is played on 15")));
}
