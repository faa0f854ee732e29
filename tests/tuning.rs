//! `bestmove tune` on the command line.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

fn tune(args: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_bestmove"));
    program.arg("tune").args(args).output().expect("the program starts")
}

fn printed(args: &[&str]) -> String {
    let output = tune(args);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn refused(args: &[&str]) -> String {
    let output = tune(args);
    assert!(!output.status.success(), "{args:?} is accepted");
    String::from_utf8(output.stderr).expect("UTF-8")
}

/// Temporary file, removed at the end of its test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(text: &str) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("bestmove-{}-tuning-{count}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, text).expect("a file");
        Self(path)
    }

    fn name(&self) -> &str {
        self.0.to_str().expect("UTF-8")
    }

    fn text(&self) -> String {
        std::fs::read_to_string(&self.0).expect("a file")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

const SMALL: [&str; 8] = ["--game", "xiangqi", "--games", "12", "--nodes", "300", "--seed", "5"];

#[test]
fn games_and_weights_repeat_themselves_however_many_are_played_side_by_side() {
    let [one, two, other] = [("1", "5"), ("2", "5"), ("2", "6")].map(|(jobs, seed)| {
        let (samples, source) = (Scratch::new(""), Scratch::new(""));
        let more = ["--seed", seed, "--jobs", jobs, "--samples", samples.name(), "--write"];
        let text = printed(&[&SMALL[..6], &more, &[source.name()]].concat());
        (samples.text(), source.text(), text)
    });
    assert_eq!(one, two);
    assert_ne!(one.0, other.0);
    assert_eq!(one.0.matches("\n\n").count(), 12, "an empty line after each game");
    let last = one.2.lines().find(|line| line.starts_with("12 games: "));
    assert!(last.is_some_and(|line| line.ends_with(" positions")), "{}", one.2);
    assert!(one.1.contains("pub(super) static WEIGHTS: [[i16; 2]; TERMS] = [\n    ["));
}

#[test]
fn what_was_played_is_learned_from_again_without_playing() {
    let samples = Scratch::new("");
    let played = printed(&[&SMALL[..], &["--samples", samples.name()]].concat());
    let before = samples.text();
    let again = ["--game", "xiangqi", "--games", "0", "--samples", samples.name()];
    let fitted = printed(&again);
    assert!(played.ends_with(&fitted), "{played}\n{fitted}");
    assert_eq!(samples.text(), before, "nothing is added");
    for line in before.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let [state, result, score] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        assert!(state.contains(" - - ") && ["0", "0.5", "1"].contains(&result), "{line}");
        assert!(score.parse::<f64>().is_ok_and(|score| score.abs() < 1_000.0), "{line}");
    }
}

#[test]
fn games_go_on_where_their_file_ends() {
    let play = |games: &'static str, file: &Scratch| {
        printed(
            &[&SMALL[..2], &["--games", games], &SMALL[4..], &["--samples", file.name()]].concat(),
        )
    };
    let whole = Scratch::new("");
    let told = play("18", &whole);
    let part = Scratch::new("");
    play("12", &part);
    assert!(whole.text().starts_with(&part.text()));
    // Stopped while a game was being written.
    std::fs::write(&part.0, format!("{}3k5/9/9/9/9/9/9/4R4/9/5K3 w - - 0", part.text()))
        .expect("a file");
    assert_eq!(play("18", &part).lines().last(), told.lines().last());
    assert_eq!(part.text(), whole.text());
    play("18", &part);
    assert_eq!(part.text(), whole.text(), "nothing is left to play");
    // Games of another seed do not count.
    printed(&[&SMALL[..6], &["--seed", "6", "--samples", part.name()]].concat());
    assert!(part.text().starts_with(&whole.text()) && part.text().matches("# {").count() == 2);
    play("18", &part);
    assert_eq!(part.text().matches("# {").count(), 2, "nothing is left to play");
}

/// Dice, hidden hands, and a search that reports win frequencies.
#[test]
fn a_game_of_chance_is_dealt_anew_and_learned_from_by_its_results() {
    const PLAY: &str = r#"{"algorithm":"uct","budget":{"simulations":30},
        "options":{"decks":"random","playout_depth":4,"worlds":2}}"#;
    let [one, two] = ["1", "2"].map(|jobs| {
        let (samples, source) = (Scratch::new(""), Scratch::new(""));
        let games = ["--game", "genius", "--games", "12", "--deal", "deal_seed", "--play", PLAY];
        let files = ["--jobs", jobs, "--samples", samples.name(), "--write", source.name()];
        printed(&[&games[..], &files].concat());
        (samples.text(), source.text())
    });
    assert_eq!(one, two);
    assert!(one.1.contains("pub(super) static WEIGHTS: [i16; TERMS] = [\n    "));
    let lines = || one.0.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    assert!(lines().all(|line| line.ends_with(" | -")), "frequencies are no units");
    let teams: std::collections::HashSet<_> =
        lines().filter_map(|line| line.split("\"name\":").nth(1)?.split(',').next()).collect();
    assert!(teams.len() > 3, "{teams:?}");
}

/// 18 pairs of games: a batch of 16 and one of two.
const SEARCH: [&str; 8] = [
    "--game",
    "xiangqi",
    "--search",
    "threat_plies:4,late_moves",
    "--games",
    "36",
    "--nodes",
    "200",
];

#[test]
fn numbers_of_a_search_go_on_where_their_file_ends_however_many_games_are_side_by_side() {
    let run = |jobs, file: &Scratch| {
        printed(&[&SEARCH[..], &["--jobs", jobs, "--samples", file.name()]].concat())
    };
    let [one, two] = ["1", "2"].map(|jobs| {
        let file = Scratch::new("");
        (run(jobs, &file), file.text())
    });
    assert_eq!(one, two);
    let lines: Vec<serde_json::Value> =
        one.1.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!([&lines[0]["pairs"], &lines[1]["pairs"]], [16, 18]);
    let first = one.1.lines().next().expect("two lines");
    let cut_off = Scratch::new(&format!("{first}\n"));
    assert_eq!(run("1", &cut_off), one.0);
    assert_eq!(cut_off.text(), one.1);
    assert_eq!(run("1", &cut_off), one.0, "nothing is left to play");
    assert_eq!(cut_off.text(), one.1);
    let last = one.0.lines().last().expect("a question");
    let question: serde_json::Value = serde_json::from_str(last).expect("JSON");
    let plies = lines[1]["values"]["threat_plies"].as_f64();
    assert_ne!(plies, Some(1.0), "some game was won");
    assert_eq!(question["options"]["threat_plies"].as_f64(), plies.map(f64::round));
}

#[test]
fn numbers_go_the_way_of_those_that_won() {
    // With `c` at 9, all moves are visited alike: a quarter of the games is won against 1.
    let file = Scratch::new("");
    let play = r#"{"algorithm":"uct","options":{"c":5}}"#;
    let games = ["--game", "othello", "--play", play, "--games", "64", "--nodes", "300"];
    let tuned = ["--search", "c:3", "--samples", file.name()];
    let printed = printed(&[&games[..], &tuned].concat());
    let last = printed.lines().last().expect("a question");
    let question: serde_json::Value = serde_json::from_str(last).expect("JSON");
    assert!(question["options"]["c"].as_f64() < Some(4.5), "{printed}");
}

#[test]
fn what_is_no_number_of_a_search_is_refused() {
    let file = Scratch::new("");
    let of = |search: &str, more: &[&str]| {
        let always = ["--game", "xiangqi", "--samples", file.name()];
        refused(&[&always[..], &["--search", search], more].concat())
    };
    let unknown = of("null_move", &[]);
    assert!(unknown.contains("`null_move` is no number of `selective` in xiangqi"), "{unknown}");
    assert!(unknown.contains("expected one of: table_mib, late_moves, "), "{unknown}");
    for width in ["0", "wide", "301"] {
        let option = format!("late_moves:{width}");
        let why = of(&option, &[]);
        let right = format!(
            "`{option}`: expected a width up to 300 after the colon, such as late_moves:1.2"
        );
        assert!(why.contains(&right), "{why}");
    }
    assert!(of("late_moves", &["--jobs-on", "nats://localhost"]).contains("cannot be used with"));
    assert!(of("late_moves,late_moves:9", &[]).contains("`late_moves` is named twice"));
    assert!(of("late_moves", &["--play", r#"{"algorithm":"uct"}"#]).contains("of `uct`"));
    for (text, right) in [
        ("r1 | 0.5 | 3", "expected lines of an earlier tuning of a search: "),
        (r#"{"pairs":16,"won_more":0,"values":{}}"#, "it has no `late_moves`"),
        (
            r#"{"pairs":16,"won_more":0,"values":{"late_moves":3,"reduction":4}}"#,
            "it tunes `reduction`, too",
        ),
    ] {
        let file = Scratch::new(text);
        let why =
            refused(&["--game", "xiangqi", "--samples", file.name(), "--search", "late_moves"]);
        assert!(why.contains(&format!("{}: {right}", file.name())), "{why}");
    }
}

#[test]
fn what_cannot_be_tuned_is_refused() {
    let samples = Scratch::new("");
    let of = |game| refused(&["--game", game, "--samples", samples.name()]);
    assert!(of("go").contains("unknown game `go`"));
    let linear = of("connect4");
    assert!(linear.contains(
        "`connect4` is not linear in weights; that of these games is: gomoku, genius, xiangqi"
    ));
    for (option, value, right) in [
        ("--blend", "1.5", "expected a number from 0 to 1"),
        ("--spread", "0", "expected a number above 0"),
        ("--nodes", "0", "0 is not in 1.."),
        ("--play", "fast", "expected an object in JSON"),
        ("--play", r#"{"speed":1}"#, "--play: unknown field `speed`"),
    ] {
        let why = refused(&["--game", "xiangqi", "--samples", samples.name(), option, value]);
        assert!(why.contains(right), "{why}");
    }
    let missing = ["--game", "xiangqi", "--games", "0", "--samples", "/nowhere/samples"];
    assert!(refused(&missing).contains("/nowhere/samples: No such file"));
}

#[test]
fn a_wrong_line_of_samples_is_named() {
    const FEN: &str = "3k5/9/9/9/9/9/9/4R4/9/5K3 w - - 0 1";
    for (lines, why) in [
        (
            format!("{FEN} | 1 | 900\n{FEN} | 1"),
            "2: expected `state | result | score` or `state | result | score | move`, got `3k5/",
        ),
        (format!("\n{FEN} | 2 | 900"), "2: `2` is not a result from 0 to 1"),
        (format!("{FEN} | 1 | high"), "1: `high` is not a score in units"),
        ("9/9 w | 1 | 9".into(), "1: "),
        (format!("{FEN} | 1 | 900"), " 1 games are too few; expected at least 10"),
        (String::new(), " 0 games are too few"),
        (
            format!("{FEN} | 0 | 900\n\n").repeat(10),
            " no scale at which the evaluation predicts the results",
        ),
    ] {
        let samples = Scratch::new(&lines);
        let args = ["--game", "xiangqi", "--games", "0", "--samples", samples.name()];
        let found = refused(&args);
        let wanted = format!("bestmove: {}:{why}", samples.name());
        assert!(found.contains(&wanted), "{wanted}\n{found}");
    }
}
