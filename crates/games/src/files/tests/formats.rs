use super::random::random_game;
use super::*;

#[test]
fn sgf_of_gomoku_has_points_from_the_top_left() {
    let text = "(;FF[4]GM[4]SZ[15]PB[Ann]PW[B\\]ob\\\\]RE[B+R]RU[Freestyle]C[start]\n;B[hh]C[centre \\] of\\\n it];\
                W[ig](;B[hg]BM[2];W[aa])(;B[gg](;W[ab])))";
    let file = one(text);
    assert_eq!((file.game, file.format), ("gomoku", FileFormat::Sgf));
    assert_eq!(file.moves, ["h8", "i9", "h9", "a15"]);
    assert_eq!(file.places, [2, 3, 3, 3]);
    assert_eq!(file.annotations[0].comment.as_deref(), Some("centre ] of it"));
    assert_eq!(file.annotations[2].mark, Some(AnnotationMark::Blunder));
    assert_eq!(file.result, Some(Outcome::Win(Side::First)));
    let header = |name: &str| file.headers.iter().find(|header| header.0 == name);
    assert_eq!(header("PW").map(|header| header.1.as_str()), Some("B]ob\\"));
    assert_eq!(file.options["rules"], "freestyle");
    end_of::<Gomoku>(&file);
    assert_eq!(one("(;GM[4]SZ[15];B[h8];W[I9])").moves, ["h8", "i9"]);
}

#[test]
fn sgf_of_older_versions_and_sloppy_programs_is_read() {
    let old = one("(;GaMe[4]SiZe[15]PlayerBlack[x];Black[hh]White[ih])");
    assert_eq!(old.moves, ["h8", "i8"]);
    assert_eq!(one("(;SZ[20];B[aa] W [tt]").moves, ["a20", "t1"], "unclosed, no GM");
    assert_eq!(one("(;GM[4];B[ss])").options["size"], 19);
    let known = read("(;GM[1]SZ[15];B[hh])", Some("gomoku")).expect("the caller knows the game");
    assert_eq!(known[0].moves, ["h8"]);
    let games = read("junk (;GM[4];B[hh]) more (;GM[2];B[dc])", Some("gomoku"));
    assert!(games.is_err(), "no text before the first game");
    let games = read("(;GM[4];B[hh]) more (;GM[4];B[ii])", None).expect("two games");
    assert_eq!(games.len(), 2);
}

#[test]
fn placed_stones_of_sgf_are_the_state() {
    let file = one("(;GM[4]SZ[15]AB[hh][ii]AW[aa];W[hg];B[jj])");
    let pos: Gomoku = end_of(&file);
    assert_eq!(pos.json()["board"][0], "o..............");
    assert_eq!(file.moves, ["h9", "j6"]);
    assert!(fault("(;GM[4];B[hh];AB[aa])", None).contains("after the first move"));
    assert!(fault("(;GM[4];B[hh]\n;B[aa])", None).starts_with("line 2: a move by black"));
}

#[test]
fn sgf_of_othello_and_ggf_have_rows_from_the_top() {
    let file = one("(;GM[2]SZ[8]AB[ed][de]AW[dd][ee];B[dc];W[c3];B[C4])");
    assert_eq!((file.game, &file.state), ("othello", &None));
    assert_eq!(file.moves, ["d3", "c3", "c4"]);
    let ggf = one(
        "1 (;GM[Othello]PC[GGS/os]DT[2003]PB[a]PW[b]RE[+4.000]TY[8]BO[8 -------- -------- -------- ---O*--- \
         ---*O--- -------- -------- -------- *]B[d3//0.01]W[c3/4.25/2]B[c4];)",
    );
    assert_eq!(ggf.moves, file.moves);
    assert_eq!(ggf.result, Some(Outcome::Win(Side::First)));
    end_of::<Othello>(&ggf);
}

#[test]
fn passes_of_othello_are_added() {
    let mut passes = 0;
    for seed in 0..60 {
        let file = random_game::<Othello>("othello", FileFormat::Moves, seed, 70);
        let placed: Vec<_> = file.moves.iter().filter(|text| *text != "pass").cloned().collect();
        assert_eq!(one(&placed.concat()).moves, file.moves);
        passes += file.moves.len() - placed.len();
    }
    assert!(passes > 10, "{passes}");
}

#[test]
fn lists_of_points_are_othello_or_gomoku() {
    assert_eq!(one("f5d6c3d3c4").game, "othello");
    assert_eq!(one("1. f5 d6 2. c3").game, "othello");
    assert_eq!(one("f5d6c3 -12").result, Some(Outcome::Win(Side::Second)));
    assert!(fault(&format!("f5d6c3 {}", i64::MIN), None).contains("is not a point"));
    assert_eq!(one("h8 i9 h9").game, "gomoku");
    assert_eq!(one("h8i9h9").moves, ["h8", "i9", "h9"]);
    assert_eq!(one("H8,I9,Q3").options["size"], 20);
    assert_eq!(one("h8 i9 c3 swap j7").game, "gomoku_swap2");
    // A line that repeats a word begins another game, here in the middle of its opening.
    let repeated = read("h8 i9 c3 swap j7\nswap j8", None).expect("two games");
    assert_eq!(repeated[1].moves, ["swap", "j8"]);
    let again = read(&write(&repeated[1], &[]), Some("gomoku_swap2")).expect("it is read back");
    assert_eq!(again[0].moves, repeated[1].moves);
    let games = read("f5d6c3\nf5f6\n# x\nf5 d6\nc3 d3\n\nd3 c3", None).expect("four games");
    let lengths: Vec<_> = games.iter().map(|game| game.moves.len()).collect();
    assert_eq!(lengths, [3, 2, 4, 2]);
    assert_eq!(read("f5 d6", Some("gomoku")).expect("as told")[0].game, "gomoku");
}

#[test]
fn points_are_no_moves_of_xiangqi_where_the_game_is_othello() {
    let found = read("f5d6\nc3d3", Some("othello")).expect("a list of points");
    assert_eq!((found[0].game, found[0].format), ("othello", FileFormat::Moves));
    assert!(fault("h2e2 h9g7", Some("connect4")).contains("xiangqi; expected one of connect4"));
}

#[test]
fn points_that_fit_several_games_need_its_name() {
    for text in ["1. e4 e5", "h8h7g8", "f5 e5", "a1"] {
        let fault = fault(text, None);
        assert!(fault.contains("may be gomoku, othello or chess"), "{fault}");
        assert!(fault.contains("`--game gomoku`"), "{fault}");
        let games = read(text, Some("gomoku")).expect("it is told");
        assert_eq!((games.len(), games[0].game), (1, "gomoku"));
    }
    assert!(fault("# x\n\ne4 e5", None).starts_with("line 3: `e4 e5`"));
    let games = read("h8h7g8\n\nh8 i9", None).expect("the second game tells that of the first");
    assert!(games.len() == 2 && games.iter().all(|game| game.game == "gomoku"), "{games:?}");
    assert!(read("f5d6c3\n\ne4 e5", None).is_err(), "no othello begins so");
}

#[test]
fn piskvork_counts_from_the_top_left_and_from_one() {
    let file = one(
        "Piskvorky 20x20, 11:11, 0\r\n1,1,0\r\n20,20,5\r\n8,13,17\r\nfirst.exe\r\nsecond.zip\r\n-1\r\n",
    );
    assert_eq!(file.moves, ["a20", "t1", "h8"]);
    assert_eq!(file.options["size"], 20);
    assert_eq!(file.headers[1], ("White".to_owned(), "second.zip".to_owned()));
    assert_eq!(file.places, [2, 3, 4]);
    let swapped = one("Piskvorky 15x15, 11:11, 1\n8,8,0\nA\nB\n0\n");
    assert_eq!(swapped.headers[0].1, "B", "the second player began");
    let pos: Gomoku = end_of(&swapped);
    assert_eq!(pos.json()["board"][7], ".......x.......");
    assert!(fault("Piskvorky 20x10, 0:0, 0", None).contains("square"));
    assert!(fault("Piskvorky 15x15, 0:0, 0\n16,1,0", None).starts_with("line 2: "));
}

#[test]
fn pgn_of_xiangqi_is_read_in_three_notations() {
    let iccs = "\u{feff}[Game \"Chinese Chess\"]\n[Event \"a \"b\" c\"]\n[Red \"柳大华\"]\n[Result \"1/2-1/2\"]\n\
                [Format \"ICCS\"]\n\n1. H2-E2 {good} h9g7!\n  (1... b9c7 {worse} 2. h0g2) 2. h0g2 $6 i9h9 ; end\n 1/2-1/2\n";
    let file = one(iccs);
    assert_eq!(file.moves, ["H2-E2", "h9g7", "h0g2", "i9h9"]);
    assert_eq!(file.places, [7, 7, 8, 8]);
    assert_eq!(file.headers[0], ("Event".to_owned(), "a \"b\" c".to_owned()));
    assert_eq!(file.result, Some(Outcome::Draw));
    let mark = |n: usize| file.annotations[n].mark;
    assert_eq!((mark(1), mark(2)), (Some(AnnotationMark::Good), Some(AnnotationMark::Dubious)));
    let wxf = "1. C2.5 H8+7 2. H2+3 R9=8";
    let full = "1. Ｃ２＝５ Ｈ８＋７ 2. Ｈ２＋３ Ｒ９＝８";
    let chinese = "1. 炮二平五 馬８進７\n2. 馬二進三 車９平８\n 1-0\n=====\n欢迎";
    let joined = "1、炮二平五马８进７2、马二进三车9平8 红胜";
    let end = end_of::<Xiangqi>(&file).text();
    for text in [wxf, full, chinese, joined] {
        assert_eq!(end_of::<Xiangqi>(&one(text)).text(), end, "{text}");
    }
    assert_eq!(one(chinese).result, Some(Outcome::Win(Side::First)));
    let from_one = "1. h3e3 h10g8 2. h1g3 i10h10";
    assert_eq!(end_of::<Xiangqi>(&one(from_one)).text(), end);
    // What no start allows, counted from 0 or from 1, is read as it is written, and stays so when written again.
    for wrong in ["b4d3 ", "b4d3 a10a9"] {
        let game = one(wrong);
        assert_eq!(game.moves[0], "b4d3");
        assert_eq!(one(&write(&game, &[])).moves, game.moves, "{wrong}");
    }
}

#[test]
fn algebraic_notation_of_chess_programs_is_read_by_the_position() {
    let text = "[Variant \"xiangqi\"]\n\n1. Che2 {+0,10/7} Afe8 2. Hg2! Hg7 3. c4 i5 1-0";
    assert_eq!(one(text).moves, ["h2e2", "f9e8", "h0g2", "h9g7", "c3c4", "i6i5"]);
    let told = read("1. Che2 Hg7", Some("xiangqi")).expect("the caller knows the game");
    assert_eq!(told[0].moves, ["h2e2", "h9g7"]);
    let ambiguous = one("[Variant \"xiangqi\"]\n\n1. Ce2 Hg7");
    assert_eq!(ambiguous.moves[0], "Ce2", "left for the replay to refuse");
}

#[test]
fn a_position_and_several_games_of_pgn_are_read() {
    let text = "[FEN \"3k5/9/9/9/9/9/9/4R4/9/4K4 b - - 0 1\"]\n1... d9d8 *\n\n[Red \"x\"]\n[FEN \"rnbakabnr/9/1c5c1/\
                p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\"]\n1. h2e2 0-1";
    let games = read(text, None).expect("two games");
    assert_eq!(games.len(), 2);
    assert!(games[0].state.is_some());
    assert_eq!(games[1].state, None, "the start position");
    assert_eq!(games[1].result, Some(Outcome::Win(Side::Second)));
    let again = one(&write(&games[0], &[]));
    assert_eq!(placeless(again), placeless(games[0].clone()));
}

#[test]
fn results_of_sgf_may_be_chinese() {
    let result = |word: &str| one(&format!("(;FF[4]GM[4]SZ[15]RE[{word}];B[hh];W[ii])")).result;
    assert_eq!(result("黑胜"), Some(Outcome::Win(Side::First)));
    assert_eq!(result("白勝"), Some(Outcome::Win(Side::Second)));
    assert_eq!(result("和棋"), Some(Outcome::Draw));
    assert_eq!(result("未完"), None);
}

#[test]
fn a_comment_may_come_before_tags_and_moves() {
    for text in ["{a}{b, c}\n1. h2e2{d} h9g7", "{a}\n[Event \"e\"]\n1. h2e2 h9g7"] {
        assert_eq!(one(text).moves, ["h2e2", "h9g7"], "{text}");
    }
    let comments = "{a}".repeat(20_000);
    assert_eq!(one(&format!("{comments} 1. h2e2")).moves, ["h2e2"]);
    assert!(fault(&comments, None).contains("not JSON"));
    assert!(fault("{a", None).contains("not JSON"));
}

#[test]
fn columns_are_connect_four() {
    let games = read("4455\n44 5 5 1-0\n2252576253462244111563365343671351441 -1\n", None);
    let games = games.expect("three games");
    assert_eq!(games[0].moves, ["4", "4", "5", "5"]);
    assert_eq!(games[1].result, Some(Outcome::Win(Side::First)));
    assert_eq!(games[2].moves.len(), 37);
    assert_eq!(games[2].headers, [("Score".to_owned(), "-1".to_owned())]);
    end_of::<Connect4>(&games[2]);
    // The other lines say that the second number is a score.
    let scored = read("7 2\n4455 -3\n", None).expect("two games");
    assert_eq!((scored[0].moves.len(), scored[1].moves.len()), (1, 4));
    assert_eq!(scored[0].headers, [("Score".to_owned(), "2".to_owned())]);
    assert!(fault(&format!("4455 {}", i32::MIN), Some("connect4")).starts_with("line 1: "));
    assert_eq!(one("7 2").moves, ["7", "2"], "alone it may be two moves");
    assert!(fault("4458", Some("connect4")).contains("known format"));
    assert!(fault("445\n48", None).starts_with("line 2: "));
}

#[test]
fn json_holds_every_game() {
    let text =
        "{\n\"game\": \"gomoku\", \"options\": {\"size\": 9},\n\"moves\": [\n\"e5\",\n\"e6\"]}";
    let file = one(text);
    assert_eq!(file.places, [4, 5]);
    assert_eq!(file.options["size"], 9);
    let state =
        "{\"game\":\"gomoku\",\n\"state\":{\"moves\":[\"h8\",\"i9\"]},\n\"moves\":[\n\"a1\"]}";
    assert_eq!(one(state).places, [4]);
    let nim = read("{\"moves\": []}", Some("nim")).expect("the caller knows the game");
    assert_eq!(nim[0].game, "nim");
    assert!(fault("{\"game\": \"go\"}", None).contains("got `go`"));
    assert!(fault("{\"game\": }", None).starts_with("line 1: not JSON"));
    let duel = one("{\"game\":\"genius\",\"moves\":[{\"type\":\"end\"}]}");
    assert_eq!(duel.moves, ["{\"type\":\"end\"}"]);
}

#[test]
fn recorded_duels_are_states_and_moves() {
    let text = include_str!("../../../../../tests/data/tcg_core_traces.json");
    let games = read(text, None).expect("traces");
    assert!(games.len() > 10, "{}", games.len());
    for file in games.iter().take(20) {
        assert_eq!((file.game, file.format), ("genius", FileFormat::Trace));
        end_of::<Genius>(file);
        let again = one(&write(file, &[]));
        assert_eq!(again.moves, file.moves);
    }
}

#[test]
fn files_of_other_games_are_refused_by_name() {
    let chess = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6";
    assert!(
        fault(chess, None).starts_with("line 3: `e4` looks like chess"),
        "{}",
        fault(chess, None)
    );
    assert!(fault("1. Nf3 d5", None).contains("looks like chess"));
    assert!(fault("1. e4 e5 2. Nf3", None).contains("looks like"));
    assert!(fault("(;GM[1]SZ[19];B[pd])", None).contains("is Go; expected gomoku, `GM[4]`"));
    assert!(fault("(;FF[4];B[pd])", None).contains("means Go"));
    assert!(fault("h2e2", Some("gomoku")).contains("game of xiangqi"));
    assert!(fault("", None).contains("empty"));
    assert!(fault("[Game \"Chess\"]\n1. e4", None).contains("expected `[Game"));
    assert!(fault("\u{fffd}\u{fffd}", None).contains("not UTF-8"));
    assert!(fault("hello world", None).contains("no known format"));
    assert!(fault("h8", Some("go")).contains("`go`"));
}

#[test]
fn a_state_is_written_as_placed_stones() {
    let mut file = GameFile::new("gomoku", FileFormat::Sgf);
    file.options.insert("size".into(), json!(15));
    let text = "h8i9h9";
    file.state = Some(json!(text));
    file.moves = vec!["a1".into()];
    let again = one(&write(&file, &[]));
    let ends = [&file, &again].map(|file| end_of::<Gomoku>(file).text());
    assert_eq!(ends[0], ends[1]);
    file.format = FileFormat::Moves;
    assert_eq!(one(&write(&file, &[])).format, FileFormat::Json, "a list holds no state");
}
