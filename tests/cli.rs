//! The commands, as used at a terminal.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use bestmove::SharedTable;
use bestmove::catalog::Calibrations;
use bestmove::catalog::answer::Answer;
use bestmove::catalog::{Allowance, Catalog, Context};
use bestmove::game::{Game, Outcome, Turn};
use bestmove::games::connect4::Connect4;
use bestmove::games::gomoku::Gomoku;
use bestmove::notation::{Notation, Settings, StateInput};
use serde_json::{Value, json};

fn bestmove(args: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_bestmove")).args(args).output();
    output.expect("the program starts")
}

fn printed(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn refused(args: &[&str]) -> String {
    let output = bestmove(args);
    assert!(!output.status.success(), "{args:?} is accepted");
    String::from_utf8(output.stderr).expect("UTF-8")
}

const DEEP: &str = r#"{"game":"connect4","algorithm":"alphabeta","budget":{"depth":5}}"#;
const RANDOM: &str = r#"{"game":"connect4","algorithm":"random"}"#;

/// A match and the record it leaves.
fn contest(name: &str, games: &str, args: &[&str]) -> (String, Value) {
    let path = std::env::temp_dir().join(format!("bestmove-{}-{name}.json", std::process::id()));
    let file = path.to_str().expect("UTF-8");
    let common = ["match", DEEP, RANDOM, "--games", games, "--opening", "3", "--json", file];
    let output = bestmove(&[&common, args].concat());
    assert!(output.status.success(), "{output:?}");
    let record = std::fs::read_to_string(&path).expect("a record");
    std::fs::remove_file(&path).expect("it was there");
    (printed(&output), serde_json::from_str(&record).expect("JSON"))
}

#[test]
fn a_match_is_won_by_who_looks_ahead_and_its_record_replays() {
    let (text, record) = contest("won", "20", &[]);
    let last = text.lines().last().expect("a summary");
    let [wins, draws, losses] =
        ["wins", "draws", "losses"].map(|name| record[name].as_u64().expect("a count"));
    assert_eq!(wins + draws + losses, 20);
    assert!(wins >= 18, "{last}");
    assert!(last.starts_with(&format!("20 games: +{wins} ={draws} -{losses}, ")), "{last}");
    let games = record["games"].as_array().expect("games");
    for pair in games.chunks(2) {
        let moves = |game: &Value| game["moves"].as_str().expect("moves").replace(' ', "");
        assert_eq!(moves(&pair[0])[..3], moves(&pair[1])[..3], "a pair has one opening");
        assert_ne!(pair[0]["first_plays"], pair[1]["first_plays"]);
        for game in pair {
            let settings = Settings::default();
            let text = moves(game);
            let pos = Connect4::read(StateInput::Text(&text), &settings);
            let Turn::Over(outcome) = pos.expect("legal").turn() else { panic!("not finished") };
            let won = match outcome {
                Outcome::Win(side) => {
                    f64::from(u8::from(Connect4::side_name(side) == game["first_plays"]))
                }
                _ => 0.5,
            };
            assert_eq!(game["result"], won);
        }
    }
}

#[test]
fn a_match_repeats_itself_however_many_games_run_side_by_side() {
    let results = |name, args: &[&str]| {
        let (_, record) = contest(name, "20", args);
        let games = record["games"].as_array().expect("games").clone();
        let mut moves: Vec<_> = games.iter().map(|game| game["moves"].to_string()).collect();
        moves.sort();
        moves
    };
    let alone = results("alone", &[]);
    assert_eq!(alone, results("again", &["--jobs", "2"]));
    assert_ne!(alone, results("other", &["--seed", "2"]));
}

#[test]
fn a_sequential_test_ends_a_match_early() {
    let (text, record) = contest("early", "400", &["--sprt", "0,100"]);
    assert!(text.lines().last().expect("a summary").ends_with("accepted"), "{text}");
    assert!(record["games"].as_array().expect("games").len() < 100, "{text}");
}

#[test]
fn wrong_configurations_are_refused_with_a_reason() {
    let nim = r#"{"game":"nim"}"#;
    assert!(refused(&["match", nim, DEEP]).contains("`nim` and `connect4` are different games"));
    assert!(refused(&["match", nim, r#"{"game":"nim","x":1}"#]).contains("unknown field `x`"));
    let unknown = r#"{"game":"nim","algorithm":"magic"}"#;
    assert!(refused(&["match", nim, unknown]).contains("unknown algorithm `magic`"));
    assert!(refused(&["match", nim, "no such file"]).contains("no such file"));
    assert!(refused(&["match", nim, nim, "--sprt", "5"]).contains("0,30"));
}

/// Writes a file of recorded games, replays it and removes it.
fn replay(name: &str, games: &Value) -> Output {
    let path = std::env::temp_dir().join(format!("bestmove-{}-{name}.json", std::process::id()));
    std::fs::write(&path, games.to_string()).expect("a file");
    let output = bestmove(&["replay", "--game", "snake_go", path.to_str().expect("UTF-8")]);
    std::fs::remove_file(&path).expect("it was there");
    output
}

#[test]
fn recorded_games_are_replayed_and_the_first_difference_is_printed() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/snakego_traces.json");
    let text = std::fs::read_to_string(file).expect("the recorded games");
    let mut games: Value = serde_json::from_str(&text).expect("JSON");
    let whole = replay("whole", &games);
    assert!(whole.status.success(), "{whole:?}");
    assert_eq!(printed(&whole).lines().filter(|line| line.ends_with(": same")).count(), 12);
    games[5]["snaps"][1]["score"][0] = 99.into();
    let changed = replay("changed", &games);
    assert_eq!(changed.status.code(), Some(1), "{changed:?}");
    let wrong = "game 6: 80 moves, 2 states: /score/0: expected 99, got 4";
    assert!(printed(&changed).contains(wrong), "{}", printed(&changed));
    let why = String::from_utf8(changed.stderr).expect("UTF-8");
    assert!(why.contains("1 of 12 games differ"), "{why}");
    let illegal = replay("illegal", &serde_json::json!({ "items": [], "ops": "5", "snaps": [] }));
    assert!(printed(&illegal).contains("`5` is not a legal move here"), "{illegal:?}");
    // A state that is never compared must not count as equal.
    let beyond =
        serde_json::json!({ "items": [], "ops": "1", "snaps": [{ "after": 7, "round": 1 }] });
    let beyond = String::from_utf8(replay("beyond", &beyond).stderr).expect("UTF-8");
    assert!(beyond.contains("a state after 7 operations"), "{beyond}");
    let partial =
        serde_json::json!({ "items": [], "ops": "1", "snaps": [{ "after": 1, "round": 1 }] });
    assert!(replay("partial", &partial).status.success(), "a snapshot may leave members out");
}

#[test]
fn recorded_card_duels_are_replayed_compressed_or_not() {
    let replay = |name: &str| {
        let file = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
        let output = bestmove(&["replay", "--game", "genius", &file]);
        assert!(output.status.success(), "{output:?}");
        printed(&output).lines().filter(|line| line.ends_with(": same")).count()
    };
    assert_eq!(replay("gitcg-traces.json.gz"), 25);
    assert_eq!(replay("gitcg-scenarios.json"), 46);
    assert_eq!(replay("tcg_core_traces.json"), 24);
}

#[test]
fn what_cannot_be_replayed_is_refused() {
    assert!(refused(&["replay", "--game", "snake_go", "/nowhere"]).contains("/nowhere: "));
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/snakego_traces.json");
    assert!(refused(&["replay", "--game", "nim", file]).contains("no recorded form of nim"));
    assert!(refused(&["replay", "--game", "go", file]).contains("unknown game `go`"));
}

#[test]
fn a_study_of_depths_is_printed_kept_and_drawn() {
    let path = |kind: &str| {
        std::env::temp_dir().join(format!("bestmove-{}-study.{kind}", std::process::id()))
    };
    let [json, svg] = ["json", "svg"].map(path);
    let [json, svg] = [&json, &svg].map(|path| path.to_str().expect("UTF-8"));
    let output = bestmove(&[
        "study",
        "depth",
        "--game",
        "tictactoe",
        "--to",
        "9",
        "--json",
        json,
        "--svg",
        svg,
    ]);
    assert!(output.status.success(), "{output:?}");
    let text = printed(&output);
    // Counts of the complete table of another program.
    assert!(text.starts_with("5478 positions: 2836 won, 1574 lost, 1068 drawn"), "{text}");
    assert!(text.contains("every win, loss and draw recognised from: 5"), "{text}");
    let read = |path: &str| {
        let text = std::fs::read_to_string(path).expect("a file");
        std::fs::remove_file(path).expect("it was there");
        text
    };
    let study: Value = serde_json::from_str(&read(json)).expect("JSON");
    assert_eq!(study["evaluations"][0]["rows"].as_array().map(Vec::len), Some(9));
    assert!(read(svg).starts_with("<svg"));
    assert!(refused(&["study", "depth", "--game", "connect4"]).contains("too large"));
}

#[test]
fn calibrate_measures_what_shallow_searches_are_worth() {
    let path = std::env::temp_dir().join(format!("bestmove-calibrate-{}.json", std::process::id()));
    let chart = path.with_extension("svg");
    let [path, svg] = [&path, &chart].map(|path| path.to_str().expect("UTF-8"));
    let measure = |game: &str| {
        let asked =
            ["--positions", "40", "--depth", "3", "--nodes", "100", "--write", path, "--svg", svg];
        let args = ["calibrate", "--game", game].into_iter().chain(asked);
        args.map(str::to_owned).collect::<Vec<_>>()
    };
    let words = measure("easycard");
    let output = bestmove(&words.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(output.status.success(), "{output:?}");
    let text = printed(&output);
    for what in ["Brier score", "R = ", "deep = a * shallow + b + e"] {
        assert!(text.contains(what), "{what}: {text}");
    }
    let written = std::fs::read_to_string(path).expect("a file");
    let drawn = std::fs::read_to_string(svg).expect("a chart");
    for file in [path, svg] {
        std::fs::remove_file(file).expect("it was there");
    }
    let record: Value = serde_json::from_str(&written).expect("JSON");
    let bins = record["measured"]["curve"].as_array().map(Vec::len);
    assert_eq!(Some(drawn.matches("<circle").count()), bins, "a point for each bin: {drawn}");
    let measured = &record["measured"];
    assert_eq!(measured["gains"].as_array().map(Vec::len), Some(3));
    // Depth 0 is the evaluation: pairs of four depths.
    assert_eq!(measured["probcut"].as_array().map(Vec::len), Some(6));
    let brier = measured["brier"].as_f64().expect("a score");
    assert!((0.0..=1.0).contains(&brier), "{brier}");
    let words = measure("nim");
    let why = refused(&words.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(why.contains("no values in units"), "{why}");
}

#[test]
fn calibrate_plays_long_games_to_their_end() {
    let dealt = |deal: &'static str| {
        let few = ["--positions", "300", "--depth", "1", "--nodes", "1"];
        [&["calibrate", "--game", "snake_go", "--deal", deal], few.as_slice()].concat()
    };
    let text = printed(&bestmove(&dealt("items_seed")));
    let mut bins = text.lines().filter_map(|line| {
        let numbers: Result<Vec<f64>, _> = line.split_whitespace().map(str::parse).collect();
        numbers.ok().filter(|numbers| numbers.len() == 3)
    });
    // Games that are broken off count as drawn.
    assert!(bins.any(|bin| bin[2] != 0.5), "{text}");
    let why = refused(&dealt("item_seed"));
    assert!(why.contains("no option `item_seed`"), "{why}");
}

#[test]
fn calibrate_takes_positions_and_results_from_game_files() {
    let file =
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/game_files/connect4_missed_wins.txt");
    let told = ["calibrate", "--game", "connect4", "--depth", "2", "--skip", "6", "--files", file];
    let output = bestmove(&told);
    assert!(output.status.success(), "{output:?}");
    let text = printed(&output);
    assert!(text.starts_with("2 games; 1 left out, the first for: no result"), "{text}");
    // Three positions with a win in one move, of which one is missed: 1 / 3. The first side wins one
    // in three: (4 + 1 + 1) / 27.
    let scores = "3 positions, 3 of them proved: Brier score 0.3333, of the mean result 0.2222: better by -50.0 %";
    assert!(text.contains(scores), "{text}");
    assert!(refused(&["calibrate", "--game", "othello", "--files", file]).contains("expected"));
}

/// File removed at the end of a test.
struct Written(String);

impl Written {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("bestmove-{}-{name}", std::process::id()));
        std::fs::write(&path, text).expect("a file");
        Self(path.to_str().expect("UTF-8").to_owned())
    }

    fn text(&self) -> String {
        std::fs::read_to_string(&self.0).expect("it was there")
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The games with this calibration.
fn calibrated(file: &Value) -> Catalog {
    let written = Written::new("calibrated.json", &file.to_string());
    let calibrations = Calibrations { files: written.0.clone() };
    calibrations.catalog().expect("the file is right")
}

fn answer(catalog: &Catalog, question: &Value) -> Answer {
    let question = serde_json::from_value(question.clone()).expect("a question");
    let plan = catalog.plan(&question, &Allowance::unlimited(), std::time::Instant::now());
    (plan.expect("it can be answered").run)(&Context::alone(&SharedTable::new(0)))
}

/// A question with a reproducible answer.
fn duel(algorithm: &str, options: &Value) -> Value {
    json!({
        "game": "easycard", "algorithm": algorithm, "options": options, "budget": { "depth": 9 },
        "moves": ["guard", "attack"], "ratings": "none", "reproducible": true
    })
}

#[test]
fn what_calibrate_writes_is_loaded_and_counts() {
    let written = Written::new("loaded.json", "");
    let asked = ["--positions", "60", "--depth", "5", "--nodes", "100", "--write", &written.0];
    let output = bestmove(&[&["calibrate", "--game", "easycard"], asked.as_slice()].concat());
    assert!(output.status.success(), "{output:?}");
    let file: Value = serde_json::from_str(&written.text()).expect("JSON");
    let plain = Catalog::default();
    let loaded = calibrated(&file);
    for game in loaded.games() {
        let info = game.describe();
        assert_eq!(info.calibrated, info.name == "easycard", "{}", info.name);
    }
    // The win probability follows the curve.
    let question = duel("mc_alphabeta", &json!({}));
    let found = answer(&loaded, &question);
    let value = |answer: &Answer| {
        let score = answer.score.as_ref().expect("a score");
        score.value().expect("a value in units")
    };
    let scale = file["measured"]["scale"].as_f64().expect("a scale");
    let curve = 1.0 / (1.0 + (-value(&found) / scale).exp());
    assert!((found.win_probability.expect("a value") - curve).abs() < 1e-6, "{found:?}");
    assert_eq!(value(&found), value(&answer(&plain, &question)));
    // A smaller R prunes more, a larger one nothing.
    let nodes = |catalog: &Catalog, options: &Value| {
        answer(catalog, &duel("mc_alphabeta", options)).stats.nodes
    };
    let only_razor = json!({ "razor": true, "probabilistic": false });
    let with_r = |r: f64| {
        let mut file = file.clone();
        file["measured"]["r"] = json!({ "at_depth_1": r, "by_ln_depth": 0 });
        nodes(&calibrated(&file), &only_razor)
    };
    let unpruned = nodes(&plain, &json!({}));
    assert_eq!(with_r(1e9), unpruned);
    assert!(with_r(0.0) < with_r(200.0) && with_r(200.0) < unpruned, "{unpruned}");
    // ProbCut that finds no value good enough equals none.
    let mut hopeless = file.clone();
    let row = |deep| json!({ "shallow": deep - 4, "deep": deep, "a": 1, "b": -1e6, "sigma": 9 });
    hopeless["measured"]["probcut"] = (5..=9).map(row).collect();
    hopeless["measured"]["r"] = Value::Null;
    let of = |catalog: &Catalog, probcut: bool| {
        answer(catalog, &duel("selective", &json!({ "probcut": probcut }))).stats.nodes
    };
    assert_eq!(of(&calibrated(&hopeless), true), of(&plain, false));
}

#[test]
fn a_calibration_is_of_the_evaluation_that_is_the_default() {
    let file = json!({
        "game": "gomoku", "unit": Gomoku::facts().unit,
        "measured": { "scale": 1.0, "r": null, "probcut": [] }
    });
    let (plain, loaded) = (Catalog::default(), calibrated(&file));
    let probability =
        |catalog: &Catalog, evaluation: &str| {
            answer(catalog, &json!({
            "game": "gomoku", "algorithm": "alphabeta", "options": { "evaluation": evaluation },
            "moves": ["h8", "i9", "h9"], "budget": { "depth": 2 }, "reproducible": true
        }))
        .win_probability
        };
    assert_ne!(probability(&plain, "network"), probability(&loaded, "network"));
    assert_eq!(probability(&plain, "seed"), probability(&loaded, "seed"));
}

#[test]
fn a_wrong_calibration_stops_the_program_and_says_where_it_is_wrong() {
    let right = json!({
        "game": "nim", "unit": "no units",
        "measured": { "scale": 1.0, "r": { "at_depth_1": -1, "by_ln_depth": 0 }, "probcut": [] }
    });
    let negative = Written::new("negative.json", &right.to_string());
    let text = Written::new("text.json", "R = 3");
    let list = Written::new("list.json", "[]");
    let says = |files: &str, words: &str| {
        // An unusable address, in case the program gets that far.
        let said = refused(&["serve", "--listen", "192.0.2.1:1", "--calibration", files]);
        assert!(said.contains(words), "{words}: {said}");
        let nim = r#"{"game":"nim"}"#;
        let said = refused(&["match", nim, nim, "--games", "2", "--calibration", files]);
        assert!(said.contains(words), "{words}: {said}");
        assert!(refused(&["uci", "--calibration", files]).contains(words), "{files}");
    };
    let place = format!("{}#/measured/r/at_depth_1: expected a number of at least 0", negative.0);
    says(&negative.0, &place);
    says(&text.0, &format!("{}: invalid JSON: expected value at line 1", text.0));
    says(&list.0, &format!("{}#: expected an object with `game`", list.0));
    says("/nowhere", "/nowhere: No such file");
    says(&format!(", {} ,/nowhere", list.0), "#: expected an object");
}

/// What an engine says to these bytes.
fn said(protocol: &str, input: &[u8]) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bestmove"))
        .arg(protocol)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(input).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{output:?}");
    printed(&output)
}

#[test]
fn an_engine_does_not_search_another_position_than_the_one_it_has_refused() {
    for protocol in ["uci", "ucci"] {
        let text = said(protocol, b"position startpos moves a0a9\ngo depth 2\nquit\n");
        assert!(text.contains("the position was refused"), "{protocol}: {text}");
        let none = if protocol == "uci" { "bestmove (none)" } else { "nobestmove" };
        assert!(text.contains(none), "{protocol}: {text}");
        let text = said(
            protocol,
            b"position startpos moves a0a9\nposition startpos moves b2e2\ngo depth 2\nisready\n",
        );
        assert!(text.contains("readyok") && !text.contains(none), "{protocol}: {text}");
    }
}

#[test]
fn an_engine_reads_on_after_bytes_that_are_no_text_and_lines_without_an_end() {
    for protocol in ["uci", "ucci"] {
        let endless = vec![b'x'; 5_000_000];
        let text = said(protocol, &[b"\xff\n", &endless[..], b"\nisready\nquit\n"].concat());
        assert!(text.contains("readyok"), "{protocol}");
        assert!(text.len() < 2_000, "{protocol}: echoes are cut: {}", text.len());
    }
}
