//! States and moves as text and JSON.

use serde_json::{Value, json};

use super::*;

#[test]
fn points_are_named_by_file_and_rank() {
    let pos = empty(20);
    assert_eq!(pos.move_text(Point { x: 19, y: 19 }), "t20");
    assert_eq!(pos.find_move("T20"), Ok(Point { x: 19, y: 19 }));
    assert_eq!(pos.find_move("a1"), Ok(Point { x: 0, y: 0 }));
    assert_eq!(empty(15).find_move("p1").map_err(|fault| fault.kind), Err(FaultKind::Move));
}

#[test]
fn moves_may_be_written_as_names_or_as_pairs() {
    let pairs = json!({ "moves": [[7, 7], [8, 8]], "turn": "black" });
    let pairs = Gomoku::read(StateInput::Json(&pairs), &settings()).expect("legal moves");
    assert_eq!(pairs, played(&["h8", "i9"]));
    assert_eq!(pairs.last(), Some(Point { x: 8, y: 8 }));
}

#[test]
fn the_size_comes_from_the_state_before_it_comes_from_the_option() {
    let mut given = json!({ "size": 7 }).as_object().cloned().expect("an object");
    let seven = take_options(Gomoku::facts().options, &mut given).expect("in range");
    let size = |state: Value| {
        let input = StateInput::read(Some(&state));
        Gomoku::read(input, &seven).expect("a position").size()
    };
    assert_eq!([size(json!("startpos")), size(json!({}))], [7, 7]);
    assert_eq!(size(json!({ "size": 9, "moves": ["i9"] })), 9);
    assert_eq!(size(json!("...../...../...../...../.....")), 5);
}

/// A board of five rows, given the first ones.
fn board(rows: &[&str]) -> Value {
    let empty = vec!["....."; 5 - rows.len()];
    let rows = [rows.to_vec(), empty].concat();
    json!({ "board": rows })
}

fn with(mut state: Value, member: &str, value: Value) -> Value {
    state[member] = value;
    state
}

#[test]
fn wrong_states_are_refused_with_a_reason() {
    let shape =
        |state, pointer, words| check_refused::<Gomoku>(&state, FaultKind::Shape, pointer, words);
    shape(json!("x"), "", "5 to 20 points a side, got 1");
    shape(json!("...../..../...../...../....."), "", "row 2 has 4 points; a board of 5 rows has 5");
    shape(json!("..z../...../...../...../....."), "", "`z` in row 1, column 3");
    shape(json!("...../...../...../...../..... x 2"), "", "`2` after the side to move");
    shape(json!([]), "", "an object with `size`, `board`, `moves`, `turn`, `order`");
    shape(json!({ "size": "15" }), "/size", "a whole number");
    shape(json!({ "size": 4 }), "/size", "from 5 to 20, got 4");
    shape(json!({ "size": 300 }), "/size", "got 300");
    shape(json!({ "board": ["x"] }), "/board", "got 1");
    shape(json!({ "board": "x" }), "/board", "expected a list, got \"x\"; Rows from the top");
    shape(board(&["...."]), "/board", "row 1 has 4 points");
    shape(with(board(&[]), "size", json!(6)), "/size", "the board has 5 rows");
    shape(with(board(&[]), "moves", json!([])), "/moves", "not both");
    shape(
        with(board(&[]), "turn", json!("red")),
        "/turn",
        "unknown value `red`, expected one of `black`",
    );
    shape(
        json!({ "moves": "h8" }),
        "/moves",
        "expected a list, got \"h8\"; Instead of `board`: points",
    );
    shape(json!({ "moves": ["h8", 7] }), "/moves/1", "such as \"h8\" or [7, 7]");
    shape(json!({ "moves": [[7, 15]] }), "/moves/0", "[7, 15] is no point");
    shape(json!({ "moves": [[7]] }), "/moves/0", "such as \"h8\" or [7, 7]");
    shape(json!({ "moves": [[-1, 0]] }), "/moves/0", "such as \"h8\" or [7, 7]");
    shape(json!({ "moves": [], "order": [] }), "/order", "belongs to `board`");
    shape(with(board(&["x"]), "order", json!(["a5"])), "/order", "only with the option `stones`");
    shape(json!("x..../...../...../...../..... o a5"), "", "only with the option `stones`");
    shape(json!({ "bord": [] }), "/bord", "unknown field `bord`");
}

#[test]
fn an_order_names_every_stone_once_in_turn() {
    let settings = with_options(&json!({ "stones": "played" }));
    let read = |text: &str| Gomoku::read(StateInput::Text(text), &settings);
    let rows = "x...o/x..../...../...../.....";
    let pos = read(&format!("{rows} o a4e5a5")).expect("an order");
    assert_eq!(pos.text().as_deref(), Some(&format!("{rows} o a4e5a5")[..]));
    assert_ne!(read(&format!("{rows} o a5e5a4")), Ok(pos));
    // Without an order: by rank from the bottom.
    assert_eq!(read(rows), Ok(pos));
    for order in ["a4e5", "a4e5a4", "e5a4a5", "a4e5b5", "a4e5t20"] {
        let fault = read(&format!("{rows} o {order}")).expect_err(order);
        assert!(fault.detail.contains("each stone of the board once"), "{order}: {fault}");
    }
}

/// A game is read from its text by these rules.
fn written_by(rules: &str, size: u8, text: &str) -> Result<Gomoku, crate::notation::Fault> {
    let options = json!({ "rules": rules, "size": size });
    let mut options = options.as_object().expect("an object").clone();
    let settings = take_options(Gomoku::facts().options, &mut options).expect("known options");
    Gomoku::read(StateInput::Text(text), &settings)
}

#[test]
fn a_game_may_be_written_as_its_moves() {
    let moves = ["h8", "i9", "g10", "a1", "o15", "h7"];
    let pos = played(&moves);
    let upper = moves.map(str::to_uppercase);
    for text in [
        moves.concat(),
        upper.concat(),
        moves.join(" "),
        upper.join(", "),
        format!(" {},\n", moves.join(",")),
        "Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n9,7,15\r\n7,6,0\r\n1,15,0\r\n15,1,9\r\n8,9,0\r\n\
         engine-a.zip\r\n1,2,3.exe\r\n-1\r\n"
            .into(),
    ] {
        let read = written_by("freestyle", 15, &text).expect("a game");
        assert_eq!((read, read.last()), (pos, pos.last()), "{text}");
        let again = written_by("freestyle", 15, &pos.text().expect("rows")).expect("rows");
        assert_eq!(again, pos.without_last());
    }
    // A file specifies its own board size.
    let file = "piskvorky 20X20, 0:0, 1\n20,20,0";
    let pos = written_by("freestyle", 7, file).expect("a game");
    assert_eq!((pos.size(), pos.last()), (20, Some(Point { x: 19, y: 0 })));
    let empty = written_by("freestyle", 7, "Piskvorky 9x9").expect("a board");
    assert_eq!((empty.size(), empty.stones()), (9, 0));
}

/// Random games in all notations.
#[test]
fn every_game_comes_back_from_its_moves() {
    let mut rng = Rng::new(7);
    for size in 5..=20 {
        let mut pos = Gomoku::new(size).expect("a size");
        let mut file = format!("Piskvorky {size}x{size}, 0:0, 0\n");
        let (mut text, mut scratch) = (String::new(), Vec::new());
        while matches!(pos.turn(), Turn::Of(_)) {
            let mv = pos.random_move(&mut rng, &mut scratch).expect("a move");
            text.push_str(&pos.move_text(mv));
            file.push_str(&format!("{},{},0\n", mv.x + 1, size - mv.y));
            pos.play(mv);
        }
        for written in [&text, &file] {
            assert_eq!(written_by("freestyle", size, written), Ok(pos), "{written}");
        }
    }
}

#[test]
fn a_wrong_move_in_a_text_is_named_with_its_number() {
    let refused = |rules, text: &str, kind, words: &str| {
        let fault = written_by(rules, 15, text).expect_err(text);
        assert!(fault.kind == kind && fault.detail.contains(words), "{text}: {fault}");
        assert_eq!(fault.pointer, "", "{text}");
    };
    let illegal = |text, words| refused("freestyle", text, FaultKind::Move, words);
    illegal("h8i9h8", "move 3, `h8`: h8 is taken");
    illegal("h8p1", "move 2, `p1`: it is off the board; points are a1 to o15");
    illegal("h0", "move 1, `h0`: it is off the board");
    illegal("h16", "move 1, `h16`: it is off the board");
    let after = "move 10, `o1`: the game is over after move 9, `e1`";
    illegal("a1 a2 b1 b2 c1 c2 d1 d2 e1 o1", after);
    illegal(
        "Piskvorky 15x15, 0:0, 0\n8,8,0\n0,3,1",
        "move 2, `0,3`: it is off the board; points are 1,1 to 15,15",
    );
    illegal("Piskvorky 15x15, 0:0, 0\n8,8,0\n8,8,1", "move 2, `8,8`: h8 is taken");
    let threes = "g8a1i8c1h7a3h9c3h8";
    refused(
        "renju",
        threes,
        FaultKind::Move,
        "move 9, `h8`: h8 is forbidden to black: it makes two threes",
    );
    let shape = |text, words| refused("freestyle", text, FaultKind::Shape, words);
    shape("h8i9-", "move 3 cannot be read at `-`; points are written as `h8`");
    shape("h8i9i", "move 3 cannot be read at `i`");
    shape("h8i9h123", "move 3 cannot be read at `h123`");
    shape("h8\u{e9}9", "move 2 cannot be read at `\u{e9}9`");
    shape("Piskvorky", "`Piskvorky` does not give the board size");
    shape("Piskvorky 15, 0:0", "does not give the board size; expected `Piskvorky 15x15, 0:0, 0`");
    shape("Piskvorky 20x15, 0:0, 0", "expected a square board, got 20 by 15 points");
    shape("Piskvorky 21x21, 0:0, 0", "5 to 20 points a side, got 21");
    shape("Piskvorky 99999999999x99999999999", "5 to 20 points a side");
    refused(
        "renju",
        "Piskvorky 20x20, 0:0, 0",
        FaultKind::Shape,
        "renju is played on 15 points a side",
    );
}

/// A renju board, given its ranks from the top.
fn renju_board(rows: &[&str]) -> Result<Gomoku, crate::notation::Fault> {
    let empty = vec![".".repeat(15); 15 - rows.len()];
    let rows: Vec<_> = rows.iter().map(|row| format!("{row:.<15}")).chain(empty).collect();
    written_by("renju", 15, &rows.join("/"))
}

#[test]
fn a_board_of_renju_has_no_black_overline() {
    let fault = renju_board(&["xxxxxx", "o.o.o.o.o.o"]).expect_err("six");
    assert_eq!(fault.kind, FaultKind::Position);
    assert!(fault.detail.contains("black has six or more in a line through a15"), "{fault}");
    // An overline is legal for White, and wins; for Black only if the last stone also made five.
    let white = renju_board(&["oooooo", "x.x.x.x.x.x"]).expect("White has won");
    assert_eq!(white.turn(), Turn::Over(Outcome::Win(Side::Second)));
    let both = ["xxxxxx", "x.o.o", "x.o.o", "x.o.o", "x.o.o", ".....o"];
    let both = renju_board(&both).expect("Black has won");
    assert_eq!(both.turn(), Turn::Over(Outcome::Win(Side::First)));
    let freestyle = written_by("freestyle", 6, "xxxxxx/o.o.o./o.o.../....../....../......");
    assert!(freestyle.is_ok(), "{freestyle:?}");
}

#[test]
fn illegal_moves_are_pointed_at() {
    let illegal =
        |state, pointer, words| check_refused::<Gomoku>(&state, FaultKind::Move, pointer, words);
    illegal(json!({ "moves": ["h8", "h8"] }), "/moves/1", "`h8` is not a legal move");
    illegal(json!({ "moves": [[7, 7], [7, 7]] }), "/moves/1", "h8 is taken");
    illegal(json!({ "moves": ["z8"] }), "/moves/0", "`z8` is not a legal move");
    let five = ["a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2", "e1", "e2"];
    illegal(json!({ "moves": five }), "/moves/9", "black has five in a line through a1");
}

#[test]
fn positions_that_cannot_come_up_are_refused_with_a_reason() {
    let refuse = |state, pointer, words| {
        check_refused::<Gomoku>(&state, FaultKind::Position, pointer, words);
    };
    refuse(json!("xx.../...../...../...../....."), "", "2 black and 0 white");
    refuse(json!("x..../...../...../...../..... x"), "", "it is white's turn");
    refuse(board(&["o...."]), "/board", "0 black and 1 white");
    refuse(json!("xx.xo/...../...../...../....."), "", "3 black and 1 white");
    refuse(board(&["xxxxx", "ooooo"]), "/board", "five in a line, through a5 and a4");
    refuse(board(&["xxxxx", "oooo.", "...o."]), "/board", "black has five in a line through a5");
    refuse(with(board(&["x...."]), "turn", json!("black")), "/turn", "it is white's turn");
    refuse(json!({ "moves": ["h8"], "turn": "black" }), "/turn", "by the moves it is white's turn");
}
