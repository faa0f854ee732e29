//! The commands of the trainer, from games to a network's file.

use clap::Parser;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::Trainer;

fn run(command: &str) -> Result<(), String> {
    let words = std::iter::once("training").chain(command.split_whitespace());
    Trainer::try_parse_from(words).expect("a command").command.run()
}

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_str().expect("UTF-8").to_owned()
}

/// First line and numbers of a network's file.
fn network(path: &str) -> (Value, Vec<u8>) {
    let file = std::fs::read(path).expect("a file");
    let end = file.iter().position(|&byte| byte == b'\n').expect("a first line");
    let mut head: Value = serde_json::from_slice(&file[..end]).expect("JSON");
    head.as_object_mut().expect("an object").remove("minutes");
    (head, file[end + 1..].to_vec())
}

#[test]
fn games_and_a_network_repeat_themselves_by_their_seeds() {
    let folder = TempDir::new().expect("a folder");
    let play = |seed: u64, name: &str| {
        let samples = path(&folder, name);
        run(&format!(
            "play --game othello --games 48 --nodes 60 --opening 20 --seed {seed} --samples {samples}"
        ))
        .expect("games");
        std::fs::read_to_string(samples).expect("a file")
    };
    let games = play(3, "one");
    assert_eq!(play(3, "two"), games);
    assert_ne!(play(4, "other"), games);
    let train = |seed: u64, name: &str| {
        let (samples, written) = (path(&folder, "one"), path(&folder, name));
        run(&format!(
            "train --game othello --samples {samples} --epochs 2 --batch 64 --seed {seed} --write {written}"
        ))
        .expect("a network");
        network(&written)
    };
    let (head, numbers) = train(1, "a.network");
    assert_eq!(train(1, "b.network"), (head.clone(), numbers.clone()));
    assert_ne!(train(2, "c.network").1, numbers);
    assert_eq!(head["features"], "othello-patterns-1");
    assert!(head["games"].as_u64() >= Some(20), "one in twenty is held out: {head}");
    assert_eq!(
        (&head["play"][0]["seed"], &head["play"][0]["player"]["game"]),
        (&json!(3), &json!("othello"))
    );
}

#[test]
fn games_with_moves_teach_a_policy() {
    let folder = TempDir::new().expect("a folder");
    let (samples, written) = (path(&folder, "samples"), path(&folder, "network"));
    run(&format!(
        "play --game gomoku --play {{\"options\":{{\"rules\":\"renju\",\"evaluation\":\"hand\"}}}} --games 40 --nodes 60 \
         --opening 6 --moves --samples {samples}"
    ))
    .expect("games");
    let text = std::fs::read_to_string(&samples).expect("a file");
    let lines: Vec<_> = text.lines().filter(|line| line.contains(" | ")).collect();
    let of = |place: usize| lines.iter().map(move |line| line.split(" | ").nth(place));
    assert!(of(3).all(|best| best.is_some_and(|best| best.len() >= 2)), "{text}");
    let unquiet = of(2).filter(|score| *score == Some("*")).count();
    assert!(0 < unquiet && unquiet < lines.len(), "{unquiet} of {} lines", lines.len());
    let train = |policy: f32| {
        run(&format!(
            "train --game gomoku --samples {samples} --epochs 2 --batch 64 --policy {policy} --write {written}"
        ))
        .expect("a network");
        network(&written)
    };
    let (head, numbers) = train(0.2);
    assert_eq!(head["play"][0]["player"]["options"]["rules"], "renju");
    assert_eq!(head["architecture"]["move_rows"], 3640);
    let (_, without) = train(0.0);
    let rows = 2 * 3640 * 32;
    assert_ne!(numbers[..rows], without[..rows], "the first layer learns from the policy");
}

#[test]
fn positions_are_read_by_the_options_of_their_games() {
    // Six in a row: the end of a game of freestyle, and nothing where only five win.
    let state = format!("{}......xxxxxx.../ooo.ooo........ x", ".............../".repeat(13));
    let folder = TempDir::new().expect("a folder");
    let (samples, written) = (path(&folder, "samples"), path(&folder, "network"));
    let train = |rules: &str| {
        let head = json!({ "player": { "options": { "rules": rules } } });
        let text = format!("# {head}\n{}", format!("{state} | 1 | 9\n\n").repeat(20));
        std::fs::write(&samples, text).expect("written");
        run(&format!("train --game gomoku --samples {samples} --epochs 1 --write {written}"))
    };
    train("standard").expect("a network");
    assert_eq!(network(&written).0["positions"], 19);
    assert!(train("freestyle").is_err(), "nobody is to move");
}

#[test]
fn a_wrong_line_is_named_with_its_file() {
    let folder = TempDir::new().expect("a folder");
    let (samples, written) = (path(&folder, "samples"), path(&folder, "network"));
    let start = "8/8/8/3OX3/3XO3/8/8/8 x";
    for (text, why) in [
        (format!("{start} | 2 | 3\n"), ":1: `2` is not a result from 0 to 1"),
        (format!("# {{}}\n\n{start} | 1\n"), ":3: expected `state | result | score`"),
        (String::new(), "0 games are too few; expected at least 20"),
    ] {
        std::fs::write(&samples, text).expect("written");
        let train = format!("train --game othello --samples {samples} --write {written}");
        let refused = run(&train).expect_err("a refusal");
        assert!(refused.contains(why), "{refused}");
    }
}
