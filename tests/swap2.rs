//! The swap2 opening of gomoku, as played by searches.

use std::time::Instant;

use bestmove::SharedTable;
use bestmove::catalog::answer::Answer;
use bestmove::catalog::{Allowance, Catalog, Context};
use bestmove::games::gomoku_swap2::OPENINGS;
use serde_json::{Value, json};

/// Reproducible answer to a question.
fn answer(mut question: Value) -> Answer {
    question["ratings"] = "none".into();
    question["reproducible"] = true.into();
    let question = serde_json::from_value(question).expect("a question");
    let plan = Catalog::default().plan(&question, &Allowance::unlimited(), Instant::now());
    let table = SharedTable::new(1_000);
    (plan.expect("it can be answered").run)(&Context::alone(&table))
}

/// Move played after these moves, at this depth in plies.
fn choice(moves: &[&str], depth: u32) -> String {
    let answer = answer(json!({
        "game": "gomoku_swap2", "moves": moves, "budget": { "depth": depth }
    }));
    answer.best_move.expect("a move")
}

/// The three stones of an opening.
fn written(opening: [(i8, i8); 3]) -> [String; 3] {
    opening.map(|(x, y)| format!("{}{}", char::from(b'a' + (7 + x) as u8), 8 + y))
}

#[test]
fn the_openings_of_the_book_are_even() {
    for opening in OPENINGS {
        let moves = written(opening);
        let answer = answer(json!({
            "game": "gomoku", "moves": moves, "budget": { "nodes": 100_000 },
            // As the game with these openings judges them.
            "options": { "evaluation": "hand" }
        }));
        let expected = answer.win_probability.expect("a probability");
        assert!((1.0 / 3.0..2.0 / 3.0).contains(&expected), "{moves:?}: white expects {expected}");
    }
}

#[test]
fn the_second_takes_the_colour_that_stands_better() {
    for depth in 2..=5 {
        // Black stones beside each other, white far away; black stones in corners, white in the middle.
        for stones in [["h8", "a1", "i9"], ["h8", "a15", "h9"], ["g7", "o15", "i9"]] {
            assert_eq!(choice(&stones, depth), "swap", "{stones:?} at depth {depth}");
        }
        for stones in [["a1", "h8", "o15"], ["a15", "i7", "a1"], ["o1", "g9", "a8"]] {
            assert_eq!(choice(&stones, depth), "stay", "{stones:?} at depth {depth}");
        }
    }
}

#[test]
fn the_second_puts_two_stones_where_neither_colour_is_better() {
    let twos = OPENINGS.iter().filter(|&&opening| {
        let moves = written(opening);
        choice(&moves.each_ref().map(String::as_str), 5) == "two"
    });
    assert!(twos.count() >= OPENINGS.len() / 2);
}

#[test]
fn the_first_takes_the_colour_that_stands_better() {
    for depth in 1..=4 {
        let chosen = |fourth, fifth| choice(&["h8", "i9", "e4", "two", fourth, fifth], depth);
        assert_eq!(chosen("a1", "h9"), "black", "at depth {depth}");
        assert_eq!(chosen("i8", "o15"), "white", "at depth {depth}");
    }
}

#[test]
fn a_whole_opening_is_played_from_the_first_stone() {
    let mut moves: Vec<String> = Vec::new();
    while moves.len() < 9 {
        let line: Vec<_> = moves.iter().map(String::as_str).collect();
        moves.push(choice(&line, 4));
    }
    let stones: Vec<_> = moves[..3].to_vec();
    assert!(OPENINGS.iter().any(|&opening| written(opening)[..] == stones), "{moves:?}");
    assert!(["swap", "stay", "two"].contains(&moves[3].as_str()), "{moves:?}");
}
