//! `bestmove review`: what it makes of a game file.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

/// A folder of one test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("bestmove-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn write(&self, name: &str, content: &[u8]) {
        std::fs::write(self.0.join(name), content).expect("it can be written");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap_or_else(|why| panic!("{name}: {why}"))
    }

    fn review(&self, args: &[&str]) -> Output {
        let program = env!("CARGO_BIN_EXE_bestmove");
        let output = Command::new(program).arg("review").args(args).current_dir(&self.0).output();
        output.expect("the program starts")
    }

    fn table(&self, args: &[&str]) -> String {
        let output = self.review(args);
        assert!(output.status.success(), "{args:?}: {output:?}");
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    fn refusal(&self, args: &[&str]) -> String {
        let output = self.review(args);
        assert!(!output.status.success(), "{args:?} is accepted");
        String::from_utf8(output.stderr).expect("UTF-8")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The first player lets the second one have three in a row with both ends open.
const LOST: &str = "(;FF[4]GM[4]SZ[15]PB[A & B]PW[C];B[hh];W[ii];B[aa];W[ij];B[oo];W[ik];B[ao])";

#[test]
fn a_table_has_a_row_for_each_move_and_what_would_have_been_better() {
    let folder = Folder::new("table");
    folder.write("lost.sgf", LOST.as_bytes());
    let args = ["lost.sgf", "--depth", "4"];
    let table = folder.table(&args);
    let rows: Vec<_> = table.lines().collect();
    assert!(rows[0].contains("win %") && rows[0].ends_with("remark"), "{table}");
    assert_eq!(rows.len(), 1 + 7 + 2 + 2, "{table}");
    assert!(rows[1].trim_start().starts_with("1 black    h8"), "{table}");
    assert!(rows[3].contains("blunder; better ") && rows[3].contains("answered by "), "{table}");
    assert!(rows[8].starts_with("black: 4 moves, accuracy "), "{table}");
    assert!(rows[10].starts_with("excitement ") && rows[11].starts_with("start "), "{table}");
    assert_eq!(folder.table(&args), table, "a depth has the same review each time");
}

#[test]
fn a_game_whose_algorithm_counts_no_plies_is_reviewed_by_nodes() {
    let folder = Folder::new("nodes");
    folder.write("nim.json", br#"{ "game": "nim", "state": "3;4;5", "moves": ["1:2", "2:1"] }"#);
    let args = ["nim.json", "--nodes", "1000"];
    let table = folder.table(&args);
    assert_eq!(folder.table(&args), table, "nodes have the same review each time");
    let why = folder.refusal(&["nim.json", "--depth", "4"]);
    assert!(why.contains("requires `nodes`"), "{why}");
    folder.refusal(&["nim.json", "--nodes", "1000", "--depth", "4"]);
}

#[test]
fn a_review_is_written_in_four_ways() {
    let folder = Folder::new("written");
    folder.write("lost.sgf", LOST.as_bytes());
    folder.table(&[
        "lost.sgf", "--depth", "3", "--svg", "a.svg", "--html", "a.html", "--write", "a.sgf",
        "--json", "a.json",
    ]);
    let review: Value = serde_json::from_str(&folder.read("a.json")).expect("JSON");
    let moves = review["moves"].as_array().expect("moves");
    assert_eq!((moves.len(), &review["game"]), (7, &Value::from("gomoku")));
    let svg = folder.read("a.svg");
    assert!(svg.starts_with("<svg") && svg.contains("A &amp; B - C"), "the players: {svg}");
    let page = folder.read("a.html");
    assert!(page.contains("<h1>A &amp; B - C</h1>") && page.contains("<svg"), "{page}");
    let rows = |label: &str| page.matches(&format!("<tr class=\"{label}")).count();
    let count = |label: &str| moves.iter().filter(|one| one["label"] == label).count();
    for label in ["best", "inaccuracy", "mistake", "blunder"] {
        assert_eq!(rows(label), count(label), "{label}: {page}");
    }
    let turns = review["turning_points"].as_array().expect("a list").len();
    assert_eq!(page.matches(" turn\"").count(), turns);
    let written = folder.read("a.sgf");
    assert_eq!(written.matches("BM[2]").count(), count("blunder"), "{written}");
    assert_eq!(written.matches(" %\\, ").count() + written.matches(" %, ").count(), 7, "{written}");
    let again = folder.table(&["a.sgf", "--depth", "3"]);
    assert!(again.contains(" ao") || again.contains(" a1"), "the written file is read: {again}");
}

/// A move, what comes of it by chance, and a reply.
const CHANCE: &str = r#"{ "game": "tree", "moves": ["a", "x", "p"], "state": { "name": "root", "children": [
    { "name": "a", "mover": "chance", "children": [
        { "name": "x", "probability": 0.5, "children": [{ "name": "p", "value": 1 }, { "name": "q", "value": 1 }] },
        { "name": "y", "probability": 0.5, "children": [{ "name": "r", "value": -1 }, { "name": "s", "value": -1 }] }
    ] },
    { "name": "b", "value": -1 }
] } }"#;

#[test]
fn chance_events_have_their_rows_and_formats_without_comments_say_so() {
    let folder = Folder::new("chance");
    folder.write("tree.json", CHANCE.as_bytes());
    let table = folder.table(&["tree.json", "--depth", "4", "--html", "a.html"]);
    let rows: Vec<_> = table.lines().skip(1).take(3).map(|row| row[5..13].trim()).collect();
    assert_eq!(rows, ["max", "chance", "min"], "{table}");
    assert!(table.lines().nth(2).expect("chance").ends_with("luck   50.0"), "{table}");
    let page = folder.read("a.html");
    assert!(page.contains(">chance</td>") && page.contains("luck   50.0"), "{page}");
    folder.write("columns.txt", b"4455\n");
    let args = ["columns.txt", "--depth", "2", "--write", "b.txt"];
    assert!(folder.table(&args).contains("has no comments"));
    assert_eq!(folder.read("b.txt"), "4455\n");
}

#[test]
fn a_text_in_gb18030_is_reviewed() {
    let folder = Folder::new("gb18030");
    folder.write("game.pgn", include_bytes!("data/game_files/xiangqi_gb18030.pgn"));
    let table = folder.table(&["game.pgn", "--depth", "1", "--svg", "a.svg"]);
    assert!(table.lines().nth(1).expect("a move").contains("h2e2"), "{table}");
    assert!(folder.read("a.svg").contains("甲 - 乙"));
}

#[test]
fn what_is_wrong_with_a_file_is_told() {
    let folder = Folder::new("wrong");
    folder.write("chess.txt", b"1. e4 e5 2. d4 d5\n");
    folder.write("broken.sgf", b"(;GM[4]SZ[15];B[hh");
    folder.write("bytes", b"\xff\xff");
    folder.write("illegal.txt", b"4444444\n");
    for (args, words) in [
        (&["none.sgf"][..], "none.sgf: "),
        (&["chess.txt"], "chess.txt: line 1: `e4 e5 d4 d5` may be gomoku, othello or chess"),
        (&["broken.sgf"], "broken.sgf: line 1: "),
        (&["bytes"], "neither UTF-8 nor GB18030"),
        (&["illegal.txt"], "moves"),
        (
            &["chess.txt", "--game", "gomoku", "--number", "2"],
            "it has 1 games; there is no number 2",
        ),
        (&["chess.txt", "--game", "go"], "`go`"),
    ] {
        let why = folder.refusal(args);
        assert!(why.contains(words), "{args:?}: {why}");
    }
    assert!(folder.table(&["chess.txt", "--game", "gomoku", "--depth", "1"]).contains("e4"));
}
