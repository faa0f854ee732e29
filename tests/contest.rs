//! Matches against external programs: this program over its own protocols, and small scripts that misbehave
//! in every way.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

use bestmove::SharedTable;
use bestmove::catalog::{Allowance, Catalog, Context};
use bestmove::game::zobrist;
use serde_json::{Value, json};

fn contest(args: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_bestmove"));
    program.arg("match").args(args).output().expect("the program starts")
}

fn refused(args: &[&str]) -> String {
    let output = contest(args);
    assert!(!output.status.success(), "{args:?} is accepted");
    String::from_utf8(output.stderr).expect("UTF-8")
}

/// Path of a file that nothing else uses.
fn file(kind: &str) -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("bestmove-{}-{count}.{kind}", std::process::id()))
}

/// The record of a match.
fn record(first: &Value, second: &Value, args: &[&str]) -> Value {
    let path = file("json");
    let name = path.to_str().expect("UTF-8");
    let (first, second) = (first.to_string(), second.to_string());
    let output = contest(&[&[first.as_str(), second.as_str(), "--json", name], args].concat());
    assert!(output.status.success(), "{output:?}");
    let record = std::fs::read_to_string(&path).expect("a record");
    std::fs::remove_file(&path).expect("it was there");
    serde_json::from_str(&record).expect("JSON")
}

fn games(record: &Value) -> &[Value] {
    record["games"].as_array().expect("games")
}

fn own(game: &str, depth: u32) -> Value {
    json!({
        "game": game, "algorithm": "alphabeta", "budget": { "depth": depth }, "reproducible": true,
        "seed": 0,
    })
}

/// This program as an external one.
fn over_protocol(game: &str, protocol: &str, go: &str) -> Value {
    json!({
        "game": game, "command": [env!("CARGO_BIN_EXE_bestmove"), protocol, "--game", game],
        "protocol": protocol, "options": { "Reproducible": true, "Algorithm": "alphabeta" },
        "go": go,
    })
}

#[test]
fn a_program_plays_the_same_games_over_a_protocol_as_without() {
    for (game, depth, opening) in [("connect4", 4, "5"), ("othello", 2, "8"), ("xiangqi", 1, "6")] {
        let args = ["--games", "4", "--opening", opening];
        let [deep, flat] = [depth + 1, depth].map(|depth| own(game, depth));
        let within = record(&deep, &flat, &args);
        for protocol in ["uci", "ucci"] {
            let other = over_protocol(game, protocol, &format!("depth {depth}"));
            let without = record(&deep, &other, &args);
            for (one, two) in games(&within).iter().zip(games(&without)) {
                assert_eq!(one["moves"], two["moves"], "{game} over {protocol}");
                assert_eq!((&one["result"], &one["reason"]), (&two["result"], &two["reason"]));
            }
            if cfg!(target_os = "linux") {
                assert!(without["cpu_ms"].as_array().expect("two").iter().all(Value::is_u64));
            }
        }
    }
}

#[test]
fn a_seed_belongs_to_a_game_unless_a_configuration_names_one() {
    let own = |seed: Option<u64>| {
        let mut body = own("xiangqi", 3);
        match seed {
            Some(seed) => body["seed"] = seed.into(),
            None => drop(body.as_object_mut().expect("an object").remove("seed")),
        }
        body
    };
    let moves = |seed, match_seed: u64| {
        let args = ["--games", "2", "--opening", "0", "--seed", &match_seed.to_string()];
        let record = record(&own(seed), &own(seed), &args);
        games(&record).iter().map(|game| game["moves"].clone()).collect::<Vec<_>>()
    };
    let of_first_pair = zobrist::mix(7 ^ zobrist::mix(0)) >> 11;
    assert_eq!(moves(None, 7), moves(Some(of_first_pair), 7));
    assert_ne!(moves(None, 7), moves(Some(of_first_pair + 1), 7));
}

/// A program that answers `go` in this way.
fn script(protocol: &str, go: &str, more: &Value) -> Value {
    let script = format!(
        "while read -r line; do case \"$line\" in \
         {protocol}) echo 'option name Hash type spin'; echo {protocol}ok;; \
         isready) echo readyok;; quit) exit;; go*) {go};; esac; done"
    );
    let mut body = json!({
        "game": "xiangqi", "command": ["sh", "-c", script], "protocol": protocol, "go": "depth 1",
    });
    let members = more.as_object().expect("an object").clone();
    body.as_object_mut().expect("an object").extend(members);
    body
}

#[test]
fn a_program_that_misbehaves_loses_the_game_and_gets_another() {
    let cases = [
        ("exit 1", json!({}), "crash", Value::Null),
        ("echo bestmove z9z9", json!({}), "illegal_move", "z9z9".into()),
        ("echo 'bestmove (none)'", json!({}), "illegal_move", "(none)".into()),
        ("echo nobestmove", json!({}), "illegal_move", Value::Null),
        (":", json!({ "timeout_ms": 50 }), "timeout", Value::Null),
    ];
    for (go, more, reason, illegal) in cases {
        let bad = script("ucci", go, &more);
        let record = record(&bad, &own("xiangqi", 1), &["--games", "4"]);
        assert_eq!(record["losses"], 4, "{go}");
        for game in games(&record) {
            assert_eq!(game["reason"], reason, "{go}: {game}");
            assert_eq!(game["illegal"], illegal, "{go}: {game}");
            assert_ne!(game["outcome"], game["first_plays"]);
        }
    }
}

/// A gomoku program with this reply when asked for a move.
fn gomoku_script(reply: &str, more: &Value) -> Value {
    let script = format!(
        "while read -r line; do case \"$line\" in START*) echo OK;; END) exit;; \
         BEGIN|DONE|TURN*) {reply};; esac; done"
    );
    let mut body =
        json!({ "game": "gomoku", "command": ["sh", "-c", script], "protocol": "pbrain" });
    let members = more.as_object().expect("an object").clone();
    body.as_object_mut().expect("an object").extend(members);
    body
}

/// This program as an external one for gomoku.
fn over_pbrain(nodes: u64) -> Value {
    json!({
        "game": "gomoku", "command": [env!("CARGO_BIN_EXE_bestmove"), "pbrain"], "protocol": "pbrain",
        "options": { "max_node": nodes, "timeout_turn": 600_000 }, "pause_ms": 0,
    })
}

#[test]
fn gomoku_programs_play_by_their_protocol() {
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/gomoku_openings.json");
    let mut own = own("gomoku", 1);
    for rules in ["freestyle", "renju"] {
        own["options"] = json!({ "rules": rules });
        let record = record(&own, &over_pbrain(300), &["--games", "4", "--openings", book]);
        assert_eq!(record["second"]["options"]["rule"], if rules == "renju" { 4 } else { 0 });
        let begins: Vec<_> = games(&record)
            .iter()
            .map(|game| game["moves"].as_str().expect("moves")[..12].to_owned())
            .collect();
        assert!(begins[..2].iter().all(|moves| moves == "f5 j8 k9 g5 "), "{begins:?}");
        assert!(begins[2..].iter().all(|moves| moves.starts_with("i10 k7 k5 ")), "{begins:?}");
        for game in games(&record) {
            let reason = game["reason"].as_str().expect("a reason");
            assert!(["five_in_a_row", "board_full", "no_legal_move"].contains(&reason), "{game}");
        }
    }
    // From an empty board of another size, and from a state of unknown order.
    own["options"] = json!({ "size": 7 });
    let empty = record(&own, &over_pbrain(100), &["--games", "2"]);
    own["options"] = json!({});
    own["state"] = "...../.xo../..x../...../..... o".into();
    let begun = record(&over_pbrain(100), &own, &["--games", "2"]);
    for game in games(&empty).iter().chain(games(&begun)) {
        let reason = game["reason"].as_str().expect("a reason");
        assert!(["five_in_a_row", "board_full"].contains(&reason), "{game}");
    }
}

#[test]
fn a_gomoku_program_that_misbehaves_loses_the_game_and_gets_another() {
    let late = json!({ "timeout_ms": 50, "pause_ms": 0 });
    let cases = [
        ("exit 1", json!({}), "crash", Value::Null),
        (
            "printf 'MESSAGE \\377 1,2\\n'; echo OK; echo 15,3",
            json!({}),
            "illegal_move",
            "15,3".into(),
        ),
        ("echo ERROR; echo UNKNOWN", late, "timeout", Value::Null),
        // The first move is legal, every other one is on the same point.
        ("echo DEBUG; echo 7,7", json!({ "pause_ms": 1 }), "illegal_move", "h8".into()),
    ];
    for (reply, more, reason, illegal) in cases {
        let bad = gomoku_script(reply, &more);
        let record = record(&bad, &own("gomoku", 1), &["--games", "2"]);
        assert_eq!(record["losses"], 2, "{reply}");
        for game in games(&record) {
            assert_eq!((&game["reason"], &game["illegal"]), (&reason.into(), &illegal), "{game}");
        }
    }
    let own = own("gomoku", 1).to_string();
    for (more, why) in [
        (json!({ "game": "connect4" }), "`pbrain` is a protocol for gomoku, not for connect4"),
        (json!({ "go": "depth 1" }), "`pbrain` does not support `go`"),
        (json!({ "options": { "rule": [1] } }), "`options/rule` must be a string, a number"),
    ] {
        let said = refused(&[&gomoku_script(":", &more).to_string(), &own]);
        assert!(said.contains(why), "{said}");
    }
}

/// An Othello program that writes down what it is told, plays d3 first and then passes; it refuses the option `bad`.
fn othello_script(log: &std::path::Path, options: &Value) -> Value {
    let script = format!(
        "n=0; while read -r line; do echo \"$line\" >> {}; case \"$line\" in quit) exit;; bad*) echo '? no';; \
         genmove*) n=$((n+1)); [ $n = 1 ] && echo '= D3' || echo '= PASS';; *) echo '= ';; esac; echo; done",
        log.display()
    );
    json!({
        "game": "othello", "command": ["sh", "-c", script], "protocol": "gtp", "options": options,
    })
}

#[test]
fn othello_programs_are_told_every_move_by_gtp() {
    let log = file("log");
    let program = othello_script(&log, &json!({ "komi": 0 }));
    let record = record(&program, &own("othello", 1), &["--games", "2"]);
    let games = games(&record);
    let moves = |n: usize| -> Vec<&str> {
        games[n]["moves"].as_str().expect("moves").split_whitespace().collect()
    };
    let (as_black, as_white) = (moves(0), moves(1));
    assert_eq!((as_black[0], as_black.len(), as_white.len()), ("d3", 2, 1), "{games:?}");
    for game in games {
        assert_eq!((&game["reason"], &game["illegal"]), (&"illegal_move".into(), &"pass".into()));
    }
    let told = std::fs::read_to_string(&log).expect("a log");
    let expected = format!(
        "protocol_version\nkomi 0\nclear_board\ngenmove black\nplay white {}\ngenmove black\n\
         clear_board\nplay black {}\ngenmove white\nquit\n",
        as_black[1], as_white[0]
    );
    assert_eq!(told, expected);
    std::fs::remove_file(&log).expect("it was there");
}

#[test]
fn an_othello_program_may_refuse_to_be_told_of_a_pass() {
    let (log, book) = (file("log"), file("json"));
    let begun = "d3 c3 e6 d2 d1 e1 b3 c1 pass";
    let moves: Vec<_> = begun.split(' ').collect();
    let openings = json!({ "openings": [{ "moves": moves }] });
    std::fs::write(&book, openings.to_string()).expect("written");
    let mut program = othello_script(&log, &json!({}));
    let script = program["command"][2].as_str().expect("a script");
    program["command"][2] = script.replace("bad*", "*pass*").into();
    let name = book.to_str().expect("UTF-8");
    let record = record(&program, &own("othello", 1), &["--games", "2", "--openings", name]);
    assert!(games(&record).iter().all(|game| game["illegal"] != Value::Null), "{record}");
    let told = std::fs::read_to_string(&log).expect("a log");
    assert!(told.contains("play white c1\nplay black pass\ngenmove white\n"), "{told}");
    std::fs::remove_file(&log).expect("it was there");
    std::fs::remove_file(&book).expect("it was there");
}

#[test]
fn what_an_othello_program_cannot_do_is_said() {
    let (log, opponent) = (file("log"), own("othello", 1).to_string());
    let program = |options| othello_script(&log, &options).to_string();
    let said = refused(&[&program(json!({ "bad": "1 2" })), &opponent]);
    assert!(said.contains("refuses `bad 1 2`: no"), "{said}");
    let mut begun = own("othello", 1);
    begun["moves"] = json!(["d3"]);
    let said = refused(&[&program(json!({})), &begun.to_string(), "--games", "2"]);
    assert!(
        said.contains("`gtp` programs begin at the start of the game; use `--opening`"),
        "{said}"
    );
    let mut wrong = othello_script(&log, &json!({}));
    wrong["game"] = "connect4".into();
    let said = refused(&[&wrong.to_string(), &own("connect4", 1).to_string()]);
    assert!(said.contains("`gtp` is a protocol for othello, not for connect4"), "{said}");
    std::fs::remove_file(&log).expect("it was there");
}

#[test]
fn ranks_are_translated_for_programs_that_count_them_from_one() {
    let from_one = script("uci", "echo bestmove h3e3", &json!({ "ranks_from": 1 }));
    let record = record(&from_one, &own("xiangqi", 1), &["--games", "2"]);
    let first = &games(&record)[0];
    assert_eq!(first["first_plays"], "red");
    assert!(first["moves"].as_str().expect("moves").starts_with("h2e2 "), "{first}");
    assert_eq!((&first["reason"], &first["illegal"]), (&"illegal_move".into(), &"h2e2".into()));
}

#[test]
fn openings_of_a_file_are_played_in_turn_by_both() {
    let path = file("txt");
    std::fs::write(&path, "4455\n\n  1122 \n").expect("a file");
    let args = ["--games", "6", "--openings", path.to_str().expect("UTF-8")];
    let record = record(&own("connect4", 3), &over_protocol("connect4", "uci", "depth 2"), &args);
    let states: Vec<_> = games(&record).iter().map(|game| game["state"].clone()).collect();
    assert_eq!(states, ["4455", "4455", "1122", "1122", "4455", "4455"]);
    let named = json!({ "game": "connect4", "state": "44" }).to_string();
    let why = refused(&[&[named.as_str(), named.as_str()], &args[2..]].concat());
    assert!(why.contains("`--openings` conflicts with"), "{why}");
    std::fs::write(&path, "\n").expect("a file");
    let connect4 = own("connect4", 1).to_string();
    let why = refused(&[&[connect4.as_str(), connect4.as_str()], &args[2..]].concat());
    assert!(why.contains("the file has no states"), "{why}");
    std::fs::remove_file(&path).expect("it was there");
}

#[test]
fn openings_are_drawn_from_moves_that_are_worth_a_look() {
    let args = ["--games", "16", "--opening", "6"];
    let record = record(&own("gomoku", 1), &own("gomoku", 1), &args);
    for game in games(&record) {
        let moves = game["moves"].as_str().expect("moves").split(' ').take(6);
        let points: Vec<_> = moves
            .map(|point| {
                let (file, rank) = point.split_at(1);
                let file = i32::from(file.as_bytes()[0]) - i32::from(b'a');
                (file, rank.parse::<i32>().expect("a rank") - 1)
            })
            .collect();
        assert_eq!(points[0], (7, 7), "the first stone lies in the middle: {game}");
        for (n, &(x, y)) in points.iter().enumerate().skip(1) {
            let close = |&(a, b): &(i32, i32)| (a - x).abs().max((b - y).abs()) <= 2;
            assert!(points[..n].iter().any(close), "stone {n} lies alone: {game}");
        }
    }
}

#[test]
fn lopsided_openings_are_not_played() {
    let args = ["--games", "12", "--opening", "5", "--balanced", "30"];
    let record = record(&own("connect4", 1), &own("connect4", 1), &args);
    let catalog = Catalog::default();
    for game in games(&record) {
        let moves = game["moves"].as_str().expect("moves").split(' ').take(5);
        let question = json!({
            "game": "connect4", "moves": moves.collect::<Vec<_>>(), "algorithm": "alphabeta",
            "budget": { "nodes": 20_000 }, "ratings": "none", "reproducible": true,
        });
        let question = serde_json::from_value(question).expect("a question");
        let now = std::time::Instant::now();
        let plan = catalog.plan(&question, &Allowance::unlimited(), now).expect("a plan");
        let answer = (plan.run)(&Context::alone(&SharedTable::new(1)));
        let score = answer.score.expect("a score");
        let value = score.value();
        assert!(score.kind() == "draw" || value.is_some_and(|value| value.abs() <= 30.0), "{game}");
    }
    let tree = json!({ "game": "connect4", "algorithm": "uct", "budget": { "nodes": 100 } });
    let tree = tree.to_string();
    let why = refused(&[&tree, &tree, "--opening", "2", "--balanced", "30"]);
    assert!(why.contains("needs a first engine with values in units"), "{why}");
}

#[test]
fn programs_that_cannot_play_are_refused_with_a_reason() {
    let own = own("xiangqi", 1).to_string();
    let cases = [
        (script("ucci", ":", &json!({ "command": ["/nowhere/engine"] })), "cannot be started"),
        (script("ucci", ":", &json!({ "command": ["true"] })), "does not answer `ucci` (crash)"),
        (
            script("ucci", ":", &json!({ "options": { "Hush": 1 } })),
            "no option `Hush`; known: Hash",
        ),
        (
            script("ucci", ":", &json!({ "game": "connect4" })),
            "`connect4` and `xiangqi` are different games",
        ),
        (script("ucci", ":", &json!({ "go": "infinite" })), "ends by itself"),
        (script("ucci", ":", &json!({ "speed": 1 })), "unknown field `speed`"),
    ];
    for (other, why) in cases {
        let said = refused(&[&other.to_string(), &own]);
        assert!(said.contains(why), "{other}: {said}");
    }
    let snakes = script("uci", ":", &json!({ "game": "snake_go" })).to_string();
    assert!(refused(&[&snakes, &snakes]).contains("has no text notation"));
    let [one, two] =
        ["44", "45"].map(|state| json!({ "game": "connect4", "state": state }).to_string());
    assert!(refused(&[&one, &two]).contains("the engines start from different positions"));
}
