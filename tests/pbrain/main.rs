//! Gomoku by the Gomocup protocol, as managers speak it: lines in, lines out.

mod manager;
mod swap2;

use std::io::{BufRead, Write};

use bestmove::game::Rng;
use manager::{Manager, cell, cells, position};

#[test]
fn boards_are_square_and_of_a_size_that_is_played() {
    let mut manager = Manager::new(&[]);
    for size in ["5", "15", "20"] {
        assert_eq!(manager.ask(&format!("START {size}")), "OK");
        assert_eq!(manager.ask(&format!("RECTSTART {size},{size}")), "OK");
    }
    for line in ["START 4", "START 21", "RECTSTART 15,16", "START -1", "START 9999999999"] {
        let said = manager.ask(line);
        assert!(said.starts_with("ERROR ") && said.contains("5 to 20 points a side"), "{said}");
    }
    for line in ["START", "START x", "START 15 15", "RECTSTART 15"] {
        assert!(manager.ask(line).starts_with("ERROR expected `"), "{line}");
    }
    // The board is still that of the last valid line.
    assert!(cell(&manager.ask("TURN 19,19")).is_some());
}

#[test]
fn everything_may_be_said_at_once() {
    let mut manager = Manager::new(&[
        "START 15",
        "INFO timeout_turn 5000",
        "INFO timeout_match 100000",
        "INFO max_memory 83886080",
        "INFO game_type 1",
        "INFO rule 0",
        "INFO folder C:\\Temp\\",
        "INFO max_node 200",
        "INFO time_left 100000",
        "BEGIN",
    ]);
    assert_eq!(manager.hear(), "OK");
    assert!(cell(&manager.hear()).is_some());
}

/// A command that arrives while a move is printed must not be lost.
#[test]
fn no_line_is_lost_however_quickly_lines_follow_each_other() {
    let mut manager = Manager::at(20);
    let points: Vec<_> = (0..19).map(|n| (n, n * 7 % 20)).collect();
    points.iter().for_each(|(x, y)| manager.say(&format!("TURN {x},{y}")));
    manager.say("ABOUT");
    let mut stones = Vec::new();
    for point in points {
        let said = manager.hear();
        match cell(&said) {
            Some(own) => stones.extend([point, own]),
            None => assert!(said.starts_with("ERROR "), "{said}"),
        }
    }
    assert!(manager.hear().starts_with("name="), "one answer to each line");
    // It needs five stones to win, after which every line is answered by an error.
    assert!(stones.len() >= 10);
    position(20, "freestyle", &stones);
}

#[test]
fn two_engines_play_whole_games() {
    for (size, rule, rules) in
        [(5, 0, "freestyle"), (15, 4, "renju"), (15, 1, "standard"), (20, 8, "caro")]
    {
        let mut players = [Manager::at(size), Manager::at(size)];
        players.iter_mut().for_each(|player| player.say(&format!("INFO rule {rule}")));
        let mut moves = Vec::new();
        let mut said = players[0].ask("BEGIN");
        let end = loop {
            moves.push(cell(&said).expect("a move"));
            if let Some(end) = position(size, rules, &moves).outcome {
                break end;
            }
            said = players[moves.len() % 2].ask(&format!("TURN {said}"));
        };
        // A player told of the last move has none left.
        let last = players[moves.len() % 2].ask(&format!("TURN {said}"));
        assert!(last.starts_with("ERROR ") && last.contains(&end.result), "{last}");
        let over = players[moves.len() % 2].ask("TURN 0,0");
        assert!(over.starts_with("ERROR "), "{over}");
        for mut player in players {
            assert_eq!(player.ask("RESTART"), "OK");
            assert!(cell(&player.ask("BEGIN")).is_some());
        }
    }
}

#[test]
fn the_lines_of_a_board_come_in_any_order() {
    // Own stones c4 to f4 on a board of 15, blocked on the left: only g4 wins.
    let mut stones =
        vec!["2,11,1", "3,11,1", "4,11,1", "5,11,1", "1,11,2", "9,1,2", "7,1,2", "5,1,2"];
    let mut manager = Manager::at(15);
    for _ in 0..stones.len() {
        stones.rotate_left(1);
        assert_eq!(manager.board("BOARD", &stones), "6,11", "{stones:?}");
    }
    // The same as White: the opponent has a stone more.
    stones.push("13,13,2");
    for _ in 0..stones.len() {
        stones.rotate_left(1);
        assert_eq!(manager.board("BOARD", &stones), "6,11", "{stones:?}");
    }
    assert!(cell(&manager.board("BOARD", &[])).is_some(), "an empty board is opened");
    assert!(cell(&manager.board("board", &["7,7,2"])).is_some());
}

#[test]
fn a_board_can_be_set_up_without_a_move() {
    let mut manager = Manager::at(15);
    manager.say("YXBOARD");
    manager.say("7,7,2");
    manager.tell("DONE");
    manager.say("YXNBEST 3");
    let mut messages = Vec::new();
    let best = loop {
        let mut line = String::new();
        manager.output.read_line(&mut line).expect("UTF-8");
        match line.strip_prefix("MESSAGE ") {
            Some(message) => messages.push(message.to_owned()),
            None => break line.trim_end().to_owned(),
        }
    };
    let (x, y) = cell(&best).expect("a move");
    let name = format!("{}{}", char::from(b'a' + x), 15 - y);
    let firsts: Vec<_> = messages
        .iter()
        .map(|line| line.split(" pv ").nth(1).and_then(|pv| pv.split([' ', '\n']).next()))
        .collect();
    assert_eq!((firsts.len(), firsts[0]), (3, Some(name.as_str())), "{messages:?}");
    assert!(firsts[1] != firsts[0] && firsts[2] != firsts[0] && firsts[1] != firsts[2]);
}

#[test]
fn stones_are_taken_back_last_first() {
    let mut manager = Manager::at(15);
    let own = manager.ask("TURN 7,7");
    let refused = manager.ask("TAKEBACK 7,7");
    assert_eq!(refused, format!("ERROR 7,7 is not the last stone, which is {own}"));
    assert_eq!(manager.ask(&format!("TAKEBACK {own}")), "OK");
    assert_eq!(manager.ask("TAKEBACK 7,7"), "OK");
    assert_eq!(manager.ask("TAKEBACK 7,7"), "ERROR no stone on 7,7");
    assert!(cell(&manager.ask("BEGIN")).is_some());
    // With unknown order, any stone of the side that has moved will do.
    manager.board("BOARD", &["1,1,2", "3,1,2", "8,8,1"]);
    let mut manager = Manager::at(15);
    manager.say("YXBOARD");
    ["1,1,2", "3,1,2", "8,8,1"].iter().for_each(|stone| manager.say(stone));
    manager.say("DONE");
    assert!(manager.ask("TAKEBACK 8,8").starts_with("ERROR 2 black and 0 white"));
    assert_eq!(manager.ask("TAKEBACK 3,1"), "OK");
}

#[test]
fn a_search_ends_at_once_when_it_is_told_to() {
    let endless = ["INFO timeout_turn 3000000", "START 20"];
    let mut manager = Manager::new(&endless);
    assert_eq!(manager.hear(), "OK");
    manager.say("TURN 7,7");
    manager.say("ABOUT");
    manager.say("YXSTOP");
    assert!(cell(&manager.hear()).is_some());
    assert!(manager.hear().starts_with("name="), "what waited has its turn");
    manager.tell("YXSTOP");
    // `END` does not wait for anything, the end of the input only for the move.
    manager.say("TURN 9,12");
    manager.say("END");
    assert!(manager.end().iter().all(|line| line.starts_with("MESSAGE ")));
    let mut manager = Manager::new(&endless);
    manager.say("TURN 9,9");
    manager.say("TURN 2,2");
    let said = manager.end();
    let answers: Vec<_> = said.iter().filter(|line| !line.starts_with("MESSAGE ")).collect();
    assert!(answers.len() == 3 && answers[1..].iter().all(|line| cell(line).is_some()), "{said:?}");
}

#[test]
fn nobody_answers_an_info() {
    let mut manager = Manager::at(15);
    for line in [
        "INFO",
        "INFO x",
        "INFO timeout_turn",
        "INFO timeout_turn soon",
        "INFO timeout_turn -5",
        "INFO time_left -2000",
        "INFO time_left 2147483647",
        "INFO max_memory 0",
        "INFO max_memory 1",
        "INFO rule 77",
        "INFO rule 0",
        "INFO thread_num 0",
        "INFO thread_num 99999999999",
        "INFO thread_num 1",
        "INFO evaluate 7,7",
        "INFO usedatabase 1",
        "INFO game_type 9",
    ] {
        manager.tell(line);
    }
    assert!(cell(&manager.ask("BEGIN")).is_some());
}

#[test]
fn a_clock_that_has_run_out_is_no_reason_to_be_silent() {
    let mut manager = Manager::new(&["START 15"]);
    assert_eq!(manager.hear(), "OK");
    for (x, line) in [
        (0, "INFO timeout_turn 0"),
        (2, "INFO time_left -500"),
        (4, "INFO time_left 0"),
        (6, "INFO time_left 1"),
    ] {
        manager.say(line);
        assert!(cell(&manager.ask(&format!("TURN {x},14"))).is_some(), "{line}");
    }
}

#[test]
fn rules_that_are_not_played_are_refused_when_a_move_is_wanted() {
    let mut manager = Manager::at(15);
    manager.say("INFO rule 9");
    assert_eq!(manager.ask("START 20"), "OK");
    assert!(manager.ask("BEGIN").starts_with("ERROR unknown INFO rule 9"));
    manager.say("INFO rule 4");
    assert!(manager.ask("BEGIN").starts_with("ERROR renju is played on 15 points a side"));
    manager.say("INFO rule 1");
    assert!(cell(&manager.ask("BEGIN")).is_some());
}

#[test]
fn forbidden_points_are_shown_and_refused() {
    let mut manager = Manager::at(15);
    manager.say("INFO rule 4");
    // Threes on the rank and on the file meet in h8; none for White to move.
    let stones = ["6,7,1", "8,7,1", "7,6,1", "7,8,1", "0,0,2", "0,4,2", "0,8,2", "0,12,2"];
    manager.say("YXBOARD");
    stones.iter().for_each(|stone| manager.say(stone));
    manager.say("DONE");
    assert_eq!(manager.ask("YXSHOWFORBID"), "FORBID 0707.");
    let refused = manager.ask("TURN 7,7");
    assert!(refused.starts_with("ERROR 7,7: ") && refused.contains("two threes"), "{refused}");
    manager.say("INFO rule 0");
    assert_eq!(manager.ask("YXSHOWFORBID"), "FORBID .");
}

#[test]
fn wrong_input_is_explained_and_changes_nothing() {
    let mut manager = Manager::new(&[]);
    for line in ["BEGIN", "TURN 7,7", "RESTART", "TAKEBACK 7,7", "YXSHOWFORBID", "YXNBEST 2"] {
        assert_eq!(manager.ask(line), "ERROR no game in progress; use START 15", "{line}");
    }
    let mut manager = Manager::at(15);
    let own = manager.ask("TURN 7,7");
    for (line, why) in [
        ("TURN 7,7", "ERROR 7,7 is taken"),
        (&format!("TURN {own}"), "is taken"),
        ("TURN 15,0", "ERROR 15,0 is off the board"),
        (
            "TURN 0,-1",
            "ERROR 0,-1 is off the board; x from the left and y from the top go from 0 to 14",
        ),
        ("TURN", "ERROR expected `TURN x,y`, got `TURN`"),
        ("TURN h8", "ERROR expected `TURN x,y`"),
        ("TURN 99999999999999999999,0", "ERROR expected `TURN x,y`"),
        ("BEGIN", "ERROR BEGIN needs an empty board"),
        ("DONE", "ERROR DONE outside of a BOARD"),
        ("7,7,1", "ERROR `7,7,1` outside of a BOARD"),
        ("PLAY 7,7", "UNKNOWN command `PLAY 7,7`"),
        ("7,7", "ERROR `7,7` outside of a SWAP2BOARD"),
        ("hello\u{7}", "UNKNOWN command `hello`"),
    ] {
        let said = manager.ask(line);
        assert!(said.contains(why), "{line}: {said}");
    }
    for (stones, why) in [
        (&["1,1,1", "1,1,2"][..], "ERROR 1,1 is taken"),
        (&["1,15,2"], "ERROR 1,15 is off the board"),
        (&["1,1,3"], "ERROR 1,1,3: a stone is 1 (own) or 2"),
        (&["1,1"], "ERROR expected `x,y,who` or `DONE`, got `1,1`"),
        (&["1,1,2", "TURN x"], "ERROR expected `TURN x,y`, got `TURN x`"),
        (&["1,1,1"], "ERROR 1 own stones and 0 of the opponent"),
        (&["1,1,2", "2,1,2"], "ERROR 0 own stones and 2 of the opponent"),
    ] {
        let said = manager.board("BOARD", stones);
        assert!(said.starts_with(why), "{stones:?}: {said}");
    }
    manager.say("BOARD");
    manager.say("3,3,2");
    assert!(manager.ask("TURN 7,7").starts_with("ERROR BOARD must end with DONE"));
    assert!(
        manager.hear().starts_with("ERROR the last board was refused"),
        "the line after it counts"
    );
}

#[test]
fn no_move_answers_for_a_board_before_one_that_was_refused() {
    let mut manager = Manager::at(15);
    manager.ask("TURN 7,7");
    for line in ["TURN 3,3", "BEGIN", "YXNBEST 2", "TAKEBACK 7,7", "YXSHOWFORBID"] {
        assert_eq!(
            manager.board("BOARD", &["7,7,1", "99,99,2"]),
            "ERROR 99,99 is off the board; x from the left and y from the top go from 0 to 14"
        );
        assert!(manager.ask(line).starts_with("ERROR the last board was refused"), "{line}");
    }
    assert!(cell(&manager.board("BOARD", &["7,7,2"])).is_some(), "another board");
    assert!(cell(&manager.ask("TURN 0,0")).is_some());
    assert!(manager.board("BOARD", &["7,7,1"]).starts_with("ERROR"));
    assert_eq!(manager.ask("RESTART"), "OK");
    assert!(cell(&manager.ask("BEGIN")).is_some());
}

#[test]
fn a_game_that_is_over_has_no_move_until_it_is_taken_back() {
    let mut manager = Manager::at(15);
    let stones = ["2,11,1", "3,11,1", "4,11,1", "5,11,1", "9,1,2", "7,1,2", "5,1,2", "3,1,2"];
    manager.say("YXBOARD");
    stones.iter().for_each(|stone| manager.say(stone));
    manager.say("DONE");
    let over = manager.ask("TURN 6,11");
    assert_eq!(over, "ERROR 6,11: the game is over: black (five_in_a_row)");
    assert!(manager.ask("TURN 0,0").starts_with("ERROR 0,0: the game is over"));
    assert_eq!(manager.ask("TAKEBACK 6,11"), "OK");
    assert!(cell(&manager.ask("TURN 0,0")).is_some());
}

/// Random lines, most of them nearly valid.
#[test]
fn nothing_that_is_said_makes_an_engine_panic_or_hang() {
    const WORDS: [&str; 25] = [
        "START",
        "START",
        "RECTSTART",
        "RESTART",
        "BEGIN",
        "TURN",
        "TURN",
        "TURN",
        "BOARD",
        "SWAP2BOARD",
        "DONE",
        "DONE",
        "TAKEBACK",
        "PLAY",
        "INFO rule",
        "INFO timeout_turn",
        "INFO max_memory",
        "INFO time_left",
        "YXBOARD",
        "YXSHOWFORBID",
        "YXHASHCLEAR",
        "YXNBEST",
        "YXSTOP",
        "ABOUT",
        "",
    ];
    for seed in 0..6 {
        let mut rng = Rng::new(seed);
        let mut manager = Manager::at(15);
        for _ in 0..1_000 {
            let number = |rng: &mut Rng| match rng.below(20) {
                0 => i64::MAX.to_string(),
                1 => "-1".into(),
                2 => "x".into(),
                _ => rng.below(16).to_string(),
            };
            let numbers: Vec<_> = (0..rng.below(4)).map(|_| number(&mut rng)).collect();
            let word = WORDS[rng.below(WORDS.len())];
            manager.say(&format!("{word} {}", numbers.join(",")));
        }
        let input = manager.input.as_mut().expect("it is open");
        input.write_all(b"TURN \xff\xfe\0\n\n\r\nTURN 1,1").expect("somebody reads");
        for line in manager.end() {
            let words = ["OK", "ERROR ", "UNKNOWN ", "MESSAGE ", "FORBID ", "name="];
            let is_known = words.iter().any(|word| line.starts_with(word));
            assert!(is_known || line == "SWAP" || cells(&line).is_some(), "{line}");
            assert!(!line.contains("panicked"), "{line}");
        }
    }
}
