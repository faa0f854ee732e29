//! The opening swap2, asked for by its stones.

use crate::manager::{Manager, cell, cells, position};

/// Sends an opening, proves that the answer is legal, and returns it.
fn swap2(manager: &mut Manager, stones: &[&str]) -> String {
    let said = manager.board("SWAP2BOARD", stones);
    if said != "SWAP" {
        let mut all: Vec<_> = stones.iter().map(|stone| cell(stone).expect("a cell")).collect();
        all.extend(cells(&said).unwrap_or_else(|| panic!("{stones:?}: {said}")));
        position(15, "freestyle", &all);
    }
    said
}

#[test]
fn the_opening_swap2_is_begun_with_three_stones() {
    let mut manager = Manager::at(15);
    let said = swap2(&mut manager, &[]);
    assert_eq!(cells(&said).map(|cells| cells.len()), Some(3), "{said}");
    // All stones are on the board now, and white is to move.
    let free = ["0,0", "1,0", "2,0", "3,0"].into_iter().find(|cell| !said.contains(cell));
    assert!(cell(&manager.ask(&format!("TURN {}", free.expect("one is free")))).is_some());
}

#[test]
fn three_stones_of_swap2_have_three_kinds_of_answers() {
    let mut manager = Manager::at(15);
    manager.say("INFO max_node 100000");
    // Black is better with two stones beside each other, worse with one in either corner.
    assert_eq!(swap2(&mut manager, &["7,7", "0,14", "8,6"]), "SWAP");
    let stay = swap2(&mut manager, &["0,14", "7,7", "14,0"]);
    assert_eq!(cells(&stay).map(|cells| cells.len()), Some(1), "{stay}");
    // Neither colour is ahead.
    let two = swap2(&mut manager, &["9,9", "10,9", "8,4"]);
    assert_eq!(cells(&two).map(|cells| cells.len()), Some(2), "{two}");
}

#[test]
fn five_stones_of_swap2_leave_the_choice_of_a_colour() {
    let mut manager = Manager::at(15);
    assert_eq!(swap2(&mut manager, &["7,7", "8,6", "4,11", "0,14", "7,6"]), "SWAP");
    let white = swap2(&mut manager, &["7,7", "8,6", "4,11", "8,7", "14,0"]);
    assert_eq!(cells(&white).map(|cells| cells.len()), Some(1), "{white}");
    // A regular board may follow.
    let board = ["7,7,2", "8,6,1", "4,11,2", "8,7,1", "14,0,2"];
    assert!(cell(&manager.board("BOARD", &board)).is_some());
}

#[test]
fn a_wrong_opening_is_explained() {
    let mut manager = Manager::at(15);
    for (stones, why) in [
        (&["7,7"][..], "ERROR 1 stones; a SWAP2BOARD has none, 3"),
        (&["7,7", "8,8", "7,7"], "ERROR 7,7 is taken"),
        (&["7,7", "8,8", "7,15"], "ERROR 7,15 is off the board"),
        (&["7,7,1", "8,8,2", "9,9,1"], "ERROR expected `x,y` or `DONE`, got `7,7,1`"),
        (&["7,7", "h8"], "ERROR expected `x,y` or `DONE`, got `h8`"),
    ] {
        let said = manager.board("SWAP2BOARD", stones);
        assert!(said.starts_with(why), "{stones:?}: {said}");
    }
    manager.say("SWAP2BOARD");
    assert!(manager.ask("BEGIN").starts_with("ERROR SWAP2BOARD must end with DONE first"));
    assert!(
        manager.hear().starts_with("ERROR the last board was refused"),
        "the line after it counts"
    );
    let mut manager = Manager::new(&[]);
    assert!(manager.board("SWAP2BOARD", &[]).starts_with("ERROR no game in progress"));
}

#[test]
fn an_opening_ends_at_once_when_it_is_told_to() {
    let mut manager = Manager::new(&["INFO timeout_turn 3000000", "START 15"]);
    assert_eq!(manager.hear(), "OK");
    ["SWAP2BOARD", "7,7", "8,8", "9,9", "DONE", "YXSTOP"].iter().for_each(|line| manager.say(line));
    let said = manager.hear();
    assert!(said == "SWAP" || cells(&said).is_some(), "{said}");
    assert!(manager.end().is_empty(), "one answer");
}
