//! Othello: perft, endgames to their end, playouts, and the FFO suite from a user's file.

use std::time::{Duration, Instant};

use bestmove::game::Game;
use bestmove::games::othello::{DISC, Othello, OthelloEvaluator};
use bestmove::notation::{Notation, Settings, StateInput};
use bestmove::search::alphabeta::{AlphaBeta, Options, TableUse};
use bestmove::search::tree_search::{TreeOptions, TreeSearch};
use bestmove::search::{Budget, Report, Value, Wanted};
use serde_json::Value as Json;

use super::{median, run};

const ENDGAMES: &str = include_str!("../../tests/data/othello_endgame_generated.json");

/// Figures of every run.
pub(super) fn figures() {
    perft();
    endgames();
    let uct = TreeSearch { evaluator: OthelloEvaluator::default(), options: TreeOptions::uct() };
    let budget = Budget { simulations: Some(50_000), ..Budget::default() };
    let times = (0..7).map(|_| {
        let report = run(&uct, &Othello::default(), budget.clone(), Wanted::One);
        report.stats.time
    });
    let rate = 50.0 / median(times.collect()).as_secs_f64();
    println!("uct on othello: {rate:.0} k playouts/s over 50,000");
}

/// Sequences of `plies` moves; the last ply is counted, not listed.
fn leaves(pos: &Othello, plies: u32, moves: &mut Vec<u8>) -> u64 {
    if plies == 1 && pos.legal() != 0 {
        return u64::from(pos.legal().count_ones());
    }
    let start = moves.len();
    pos.moves(moves);
    let mut sum = 0;
    for n in start..moves.len() {
        sum += if plies == 1 { 1 } else { leaves(&pos.after(moves[n]), plies - 1, moves) };
    }
    moves.truncate(start);
    sum
}

fn perft() {
    let times = (0..21).map(|_| {
        let begun = Instant::now();
        assert_eq!(leaves(&Othello::default(), 9, &mut Vec::new()), 3_005_288);
        begun.elapsed()
    });
    let rate = 3.005_288 / median(times.collect()).as_secs_f64();
    println!("othello perft 9: median {rate:.0} M leaves/s");
}

fn engine() -> AlphaBeta<OthelloEvaluator> {
    let options = Options { table: TableUse::Private, table_mib: 64, ..Options::default() };
    AlphaBeta { evaluator: OthelloEvaluator::default(), options }
}

fn word(json: &Json) -> &str {
    json.as_str().expect("a text")
}

fn position(row: &Json) -> Othello {
    let text = format!("{} {}", word(&row["board"]), word(&row["side"]));
    let read = Othello::read(StateInput::Text(&text), &Settings::defaults(&[]));
    read.unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

/// Exact score in discs; `None` if the search was stopped before.
fn score(report: &Report<u8>) -> Option<i64> {
    match report.lines[0].value {
        Value::Heuristic(units) if report.lines[0].exact => Some(units as i64 / i64::from(DISC)),
        _ => None,
    }
}

fn endgames() {
    let data: Json = serde_json::from_str(ENDGAMES).expect("the file is JSON");
    let rows = data["positions"].as_array().expect("positions");
    for (wanted, what) in [(Wanted::One, "the position"), (Wanted::All, "every move")] {
        let (mut right, mut time) = (0, Duration::ZERO);
        for row in rows {
            let pos = position(row);
            let report = run(&engine(), &pos, Budget::default(), wanted);
            time += report.stats.time;
            let rated = &report.lines[..wanted.of(report.lines.len())];
            let known = |mv: u8| row["moves"][pos.move_text(mv)].as_i64();
            let all_right = rated.iter().all(|line| match line.value {
                Value::Heuristic(units) => {
                    known(line.moves[0]) == Some(units as i64 / i64::from(DISC))
                }
                _ => false,
            });
            right += u32::from(all_right && score(&report) == row["score"].as_i64());
        }
        let (count, mean) = (rows.len(), time.as_secs_f64() * 1e3 / rows.len() as f64);
        println!(
            "exact othello, {what}, 6 to 13 empty: {right} of {count} right, mean {mean:.2} ms"
        );
    }
}

/// The positions `from` to `to` of an FFO file, each for at most `limit`, on one thread.
pub(super) fn ffo(file: &str, [from, to]: [u64; 2], limit: Duration) {
    let text = std::fs::read_to_string(file).unwrap_or_else(|why| panic!("{file}: {why}"));
    let data: Json = serde_json::from_str(&text).expect("the file is JSON");
    let rows = data["positions"].as_array().expect("positions").iter();
    println!("  no empty expected    found          nodes  seconds");
    let (mut right, mut stopped, mut count, mut time) = (0, 0, 0, Duration::ZERO);
    for row in rows.filter(|row| (from..=to).contains(&row["no"].as_u64().expect("a number"))) {
        let pos = position(row);
        let budget = Budget { time: Some(limit), ..Budget::default() };
        let report = run(&engine(), &pos, budget, Wanted::One);
        let (found, best) = (score(&report), pos.move_text(report.lines[0].moves[0]));
        let bests = row["best"].as_array().expect("the best moves");
        let is_right = found == row["score"].as_i64() && bests.contains(&Json::from(best.as_str()));
        let verdict = match found {
            None => "not solved within the limit",
            Some(_) if is_right => "right",
            Some(_) => "WRONG",
        };
        let written =
            |score: Option<i64>| score.map_or("-".to_owned(), |score| format!("{score:+}"));
        println!(
            "{:>4} {:>5} {:>5} {:<4} {:>4} {best:<4} {:>12} {:>8.2}  {verdict}",
            row["no"].as_u64().expect("a number"),
            row["empties"].as_u64().expect("a number"),
            written(row["score"].as_i64()),
            word(&bests[0]),
            written(found),
            report.stats.nodes,
            report.stats.time.as_secs_f64(),
        );
        right += u32::from(is_right);
        stopped += u32::from(found.is_none());
        count += 1;
        time += report.stats.time;
    }
    println!("{right} of {count} right, {stopped} not solved, {:.1} s", time.as_secs_f64());
}
