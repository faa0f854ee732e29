use super::*;

fn only(text: &str) -> GameFile {
    let mut games = read(text, None).unwrap_or_else(|why| panic!("{text}: {why}"));
    assert_eq!(games.len(), 1);
    games.remove(0)
}

/// What is written is read again as the same game.
fn assert_written(file: &GameFile) {
    let comments = vec![Some("a ] b } \\ c".to_owned()); file.moves.len()];
    for comments in [Vec::new(), comments] {
        let text = file.write(&comments);
        let again = read(&text, Some(&file.game)).unwrap_or_else(|why| panic!("{text}: {why}"));
        let again = &again[0];
        assert_eq!((&again.state, &again.moves), (&file.state, &file.moves), "{text}");
    }
}

#[test]
fn sgf_of_gomoku_and_othello() {
    let file = only("(;FF[4]GM[4]SZ[15]PB[one]PW[two \\] b]C[x];B[hh];W[ig](;B[hi])(;B[aa]))");
    assert_eq!(file.game, "gomoku");
    assert_eq!(file.moves, ["h8", "i9", "h7"], "the main variation");
    assert_eq!(file.header("PB"), Some("one"));
    assert_written(&file);
    let file = only("(;GM[4]SZ[19]AB[aa][ss]AW[jj];W[as])");
    assert_eq!(file.options["size"], 19);
    assert_eq!(file.moves, ["a1"]);
    let state = file.state.as_ref().and_then(Value::as_str).expect("stones").to_owned();
    assert!(state.starts_with("x..................") && state.ends_with("x o"), "{state}");
    assert_written(&file);
    let file = only("(;GM[2]SZ[8]AB[de][ed]AW[dd][ee];B[dc];W[tt];B[d3])");
    assert_eq!((file.game.as_str(), &file.state), ("othello", &None));
    assert_eq!(file.moves, ["d3", "pass", "d3"]);
    assert_written(&file);
}

#[test]
fn pgn_of_xiangqi() {
    let text = "[Game \"Chinese Chess\"]\n[Red \"A \\\"B\\\"\"]\n\n1. 炮二平五 {best} 马8进7 2. H0-G2! \
                (2. C2.5 (deep) h9g7) $1 h9g7 ; rest\n3. C8=6 1-0\n\n[Game \"xiangqi\"]\n[FEN \"9/9 w\"]\n1. h2e2 *\n";
    let games = read(text, None).expect("two games");
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].moves, ["炮二平五", "马8进7", "H0-G2", "h9g7", "C8=6"]);
    assert_eq!(games[0].header("Red"), Some("A \"B\""));
    assert_eq!(games[1].state, Some(json!("9/9 w")));
    games.iter().for_each(assert_written);
}

#[test]
fn psq_of_gomoku() {
    let file = only("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,1250\none\ntwo\n1\n");
    assert_eq!(file.moves, ["h8", "i9"]);
    assert_eq!(file.header("white"), Some("two"));
    assert_written(&file);
}

#[test]
fn lists_of_moves() {
    assert_eq!(only("4453").moves, ["4", "4", "5", "3"]);
    assert_eq!(read("44\n 12 won\n", Some("connect4")).expect("two").len(), 2);
    let moves = |text, game| read(text, Some(game)).expect("a game")[0].moves.clone();
    assert_eq!(moves("1. f5d6 c3 --", "othello"), ["f5", "d6", "c3", "pass"]);
    assert_eq!(moves("h8i9h10 a1", "gomoku"), ["h8", "i9", "h10", "a1"]);
    assert_eq!(moves("1. 炮二平五 馬８進７", "xiangqi"), ["炮二平五", "馬８進７"]);
    let file = only(r#"{"game":"nim","state":"1;2","moves":["1:1"]}"#);
    assert_eq!((file.game.as_str(), file.state.clone()), ("nim", Some(json!("1;2"))));
    assert_written(&file);
    assert_written(&only("4453"));
}

#[test]
fn other_formats_are_told_from_those_expected() {
    let wrong = [
        ("", "is empty"),
        ("(;GM[1];B[aa])", "a game of go"),
        ("(;B[aa])", "a game of go"),
        ("(;GM[3];B[aa])", "GM[3]"),
        ("(;GM[4]SZ[15];B[zz])", "move 1: `zz` is no point"),
        ("(;GM[4", "invalid SGF"),
        ("[Event \"x\"]\n\n1. e4 exd5", "a move of chess"),
        ("[Event x]\n", "line 1: expected `[Name"),
        ("[Variant \"Shogi\"]\n\n1. a", "another game"),
        ("Piskvorky none", "line 1: expected"),
        ("Piskvorky 15x15\n8,8,0\n16,1,0", "line 3: `16,1,0` is no point"),
        ("{\"moves\":[]}", "in `game`"),
        ("{\"game\":\"nim\",\"moves\":[1]}", "in `moves`"),
        ("{", "invalid JSON"),
        ("h8 i9", "does not tell its game"),
    ];
    for (text, words) in wrong {
        let why = read(text, None).expect_err(text).to_string();
        assert!(why.contains(words), "{text}: {why}");
    }
    let why = read("4453", Some("othello")).map(|games| games[0].moves.clone());
    assert_eq!(why, Ok(vec![]), "numbers are no moves of othello");
    let why = read("(;GM[4];B[aa])", Some("othello")).expect_err("gomoku").to_string();
    assert!(why.contains("a game of gomoku, not of othello"), "{why}");
}

proptest::proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "[(\\[{;1-9a-hA-Z\\])} .,\n\\\\\"炮GMSZ]{0,80}") {
        for game in [None, Some("gomoku"), Some("xiangqi"), Some("connect4")] {
            if let Ok(games) = read(&text, game) {
                games.iter().for_each(|file| drop(file.write(&[])));
            }
        }
    }
}
