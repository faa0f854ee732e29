//! Positions of xiangqi with their moves and counts, and games with verdicts on their end.

use std::collections::HashSet;
use std::sync::Mutex;

use bestmove::game::{Evaluator, Game, History, Outcome, Side, Turn};
use bestmove::games::xiangqi::{Xiangqi, XiangqiEvaluator, XiangqiMove};
use bestmove::notation::{Fault, Notation, StateInput, take_options};
use bestmove::search::alphabeta::Selective;
use bestmove::search::{Algorithm, Budget, Job, Line, Report, Value, Wanted};
use serde_json::{Value as Json, json};

use crate::support::data;
use crate::{counts, list, word};

fn read(fen: &str, options: &Json) -> Result<Xiangqi, Fault> {
    let mut options = options.as_object().expect("an object").clone();
    let settings = take_options(Xiangqi::facts().options, &mut options).expect("known options");
    Xiangqi::read(StateInput::Text(fen), &settings)
}

/// Legal moves; the record has no rule of dead material.
fn legal(pos: &Xiangqi) -> Vec<XiangqiMove> {
    let mut moves = Vec::new();
    pos.legal(&mut moves);
    moves
}

/// Sequences of exactly `plies` moves.
fn perft(pos: &Xiangqi, plies: u32) -> u64 {
    let moves = legal(pos);
    if plies == 1 {
        return moves.len() as u64;
    }
    moves.into_iter().map(|mv| perft(&pos.after(mv), plies - 1)).sum()
}

#[test]
fn recorded_positions_have_the_recorded_moves_and_perft() {
    let data = data("xiangqi_perft.json");
    let rows = list(&data["positions"]);
    assert_eq!(rows.len(), 48);
    for row in rows {
        // Red is to move while the generals face each other: unreachable.
        if row["id"] == "perft-065" {
            let fault = read(word(&row["fen"]), &json!({})).expect_err("it cannot come up");
            assert!(fault.detail.contains("attacked by the general on d0"), "{fault}");
            continue;
        }
        let pos = read(word(&row["fen"]), &json!({})).unwrap_or_else(|why| panic!("{row}: {why}"));
        let mut names: Vec<_> = legal(&pos).iter().map(|&mv| pos.move_text(mv)).collect();
        names.sort();
        assert_eq!(json!(names), row["legal_moves"], "{row}");
        assert_eq!(json!(pos.in_check()), row["in_check"], "{row}");
        for (plies, count) in (1..).zip(counts(&row["perft"])) {
            assert_eq!(perft(&pos, plies), count, "{plies} plies: {row}");
        }
        if row["terminal"] != Json::Null {
            assert_eq!(pos.standing(), Turn::Over(Outcome::Win(pos.mover().other())), "{row}");
        }
    }
}

/// First end of a game: moves played, result and reason.
fn first_end(row: &Json, options: &Json) -> Option<(usize, Outcome, &'static str)> {
    let start = read(word(&row["start_fen"]), options);
    let mut history = vec![start.unwrap_or_else(|why| panic!("{row}: {why}"))];
    let mut moves = list(&row["moves"]).iter();
    for plies in 0.. {
        if let Some((outcome, reason)) = ended(&history) {
            return Some((plies, outcome, reason));
        }
        let pos = *history.last().expect("a position");
        let step = pos.find_move(word(moves.next()?)).unwrap_or_else(|why| panic!("{row}: {why}"));
        let next = pos.after(step);
        if pos.is_irreversible(&next) {
            history.clear();
        }
        history.push(next);
    }
    None
}

fn ended(history: &[Xiangqi]) -> Option<(Outcome, &'static str)> {
    let last = history.last().expect("a position");
    match last.standing() {
        Turn::Over(outcome) => Some((outcome, last.reason(outcome))),
        Turn::Of(_) => Xiangqi::adjudicate(history),
    }
}

fn recorded_outcome(row: &Json) -> Outcome {
    match word(&row["computer_rule"]) {
        "red" => Outcome::Win(Side::First),
        "black" => Outcome::Win(Side::Second),
        _ => Outcome::Draw,
    }
}

#[test]
fn repeated_positions_are_judged_as_recorded() {
    let data = data("xiangqi_repetition.json");
    let rows = list(&data["cases"]);
    assert_eq!(rows.len(), 142);
    for row in rows {
        let reason = match word(&row["reason"]) {
            "loss_stm_perpetual_check" | "win_stm_perpetual_check" => "perpetual_check",
            "loss_stm_perpetual_chase" | "win_stm_perpetual_chase" => "perpetual_chase",
            "draw_mutual_perpetual_check" => "mutual_perpetual_check",
            "draw_mutual_chase" => "mutual_perpetual_chase",
            "draw_repetition" | "draw_repetition_with_checks" => "threefold_repetition",
            other => panic!("an unknown reason {other}"),
        };
        // One diagram has a soldier on an impossible point.
        let lax = row["id"] == "xq-rep-107";
        assert_eq!(read(word(&row["start_fen"]), &json!({})).is_err(), lax, "{row}");
        let plies = list(&row["moves"]).len();
        let expected = Some((plies, recorded_outcome(row), reason));
        assert_eq!(first_end(row, &json!({ "lax": lax })), expected, "{row}");
        // Without the rule of chases, those that chase draw.
        let expected = match reason {
            "perpetual_chase" | "mutual_perpetual_chase" => {
                Some((plies, Outcome::Draw, "threefold_repetition"))
            }
            _ => expected,
        };
        let options = json!({ "lax": lax, "rules": "check_only" });
        assert_eq!(first_end(row, &options), expected, "check_only: {row}");
    }
}

#[test]
fn quiet_moves_and_dead_material_are_judged_as_recorded() {
    let data = data("xiangqi_repetition.json");
    let rows = list(&data["sixty_move_and_material"]);
    assert_eq!(rows.len(), 9);
    for row in rows {
        let plies = list(&row["moves"]).len();
        let expected = match word(&row["reason"]) {
            "none" => None,
            "draw_60_moves" => Some((plies, Outcome::Draw, "sixty_moves")),
            // The material is dead before the first move.
            "draw_insufficient_material" => Some((0, Outcome::Draw, "dead_material")),
            "checkmate_loss_stm" => Some((plies, Outcome::Win(Side::First), "checkmate")),
            other => panic!("an unknown reason {other}"),
        };
        assert_eq!(first_end(row, &json!({})), expected, "{row}");
    }
}

/// True if the side to move has lost within `plies` whatever it plays: exhaustive search.
fn is_lost_within(pos: &Xiangqi, plies: u32) -> bool {
    let moves = legal(pos);
    moves.is_empty()
        || plies >= 2 && moves.into_iter().all(|mv| is_won_within(&pos.after(mv), plies - 1))
}

fn is_won_within(pos: &Xiangqi, plies: u32) -> bool {
    legal(pos).into_iter().any(|mv| is_lost_within(&pos.after(mv), plies - 1))
}

/// Result of selective search for the last position of a course.
fn searched(history: &[Xiangqi], nodes: u64) -> Line<XiangqiMove> {
    searched_by(XiangqiEvaluator::default(), history, nodes)
}

fn searched_by(evaluator: XiangqiEvaluator, history: &[Xiangqi], nodes: u64) -> Line<XiangqiMove> {
    iterations(evaluator, history, nodes).pop().expect("an answer")
}

/// Best line of every iteration, and at last that of the answer.
fn iterations(
    mut evaluator: XiangqiEvaluator,
    history: &[Xiangqi],
    nodes: u64,
) -> Vec<Line<XiangqiMove>> {
    let root = history.last().expect("a position");
    evaluator.set_history(history);
    let news = Mutex::new(Vec::new());
    let observer =
        |report: &Report<XiangqiMove>| news.lock().expect("no panic").push(report.clone());
    let answer = Selective::new(evaluator).run(&Job {
        wanted: Wanted::One,
        observer: Some(&observer),
        ..Job::new(root, &legal(root), Budget { nodes: Some(nodes), ..Budget::default() })
    });
    let mut reports = news.into_inner().expect("no panic");
    reports.push(answer);
    reports.into_iter().map(|report| report.lines.into_iter().next().expect("a line")).collect()
}

/// Asserts that the line of a win claimed in `plies` can be played and ends as claimed. It may break off
/// where a table knew the rest.
fn assert_wins(history: &[Xiangqi], line: &[XiangqiMove], plies: u32, row: &Json) {
    let mut history = history.to_vec();
    for mv in line {
        assert_eq!(ended(&history), None, "{row}");
        let pos = history.last().expect("a position");
        assert!(legal(pos).contains(mv), "{mv:?}: {row}");
        let next = pos.after(*mv);
        history.push(next);
    }
    let end = history.last().expect("a position");
    assert_eq!(legal(end).is_empty(), line.len() as u32 == plies, "{row}");
}

#[test]
fn a_mate_that_selective_search_claims_is_one() {
    let data = data("xiangqi_tactics.json");
    let short = |row: &&Json| row["mate_in"].as_u64().is_some_and(|moves| moves <= 3);
    let (mut claimed, mut shortest) = (0, 0);
    for row in list(&data["positions"]).iter().filter(short) {
        let pos = read(word(&row["fen"]), &json!({})).expect("a position");
        let best = searched(&[pos], 20_000);
        let Value::Win(plies) = best.value else { continue };
        claimed += 1;
        let wanted = row["mate_in"].as_u64().expect("a number") as u32;
        assert!(plies + 1 >= 2 * wanted, "{}: there is no mate so short", row["id"]);
        shortest += u32::from(plies + 1 == 2 * wanted);
        assert_wins(&[pos], &best.moves, plies, row);
        if plies <= 5 {
            let next = pos.after(best.moves[0]);
            assert!(is_lost_within(&next, plies - 1), "{}: {plies} plies", row["id"]);
        }
    }
    assert!(claimed >= 90 && shortest >= 90, "{claimed} claimed, {shortest} the shortest");
}

#[test]
fn a_mate_that_was_seen_is_not_given_up_for_a_longer_one() {
    let data = data("xiangqi_tactics.json");
    let mut seen = 0;
    for row in list(&data["positions"]).iter().filter(|row| row["kind"] == "mate") {
        let pos = read(word(&row["fen"]), &json!({})).expect("a position");
        let mut shortest = None;
        for line in iterations(XiangqiEvaluator::default(), &[pos], 10_000) {
            let plies = match line.value {
                Value::Win(plies) => Some(plies),
                _ => None,
            };
            assert!(shortest.is_none() || plies.is_some() && plies <= shortest, "{}", row["id"]);
            shortest = plies;
        }
        seen += u32::from(shortest.is_some());
    }
    assert!(seen >= 90, "{seen} mates");
}

#[test]
fn a_mate_is_no_forbidden_repetition() {
    let data = data("xiangqi_repetition.json");
    let mut claimed = 0;
    for row in list(&data["cases"]).iter().filter(|row| row["id"] != "xq-rep-107") {
        let mut history = vec![read(word(&row["start_fen"]), &json!({})).expect("a position")];
        let moves = list(&row["moves"]);
        // Up to where one move, and up to where three moves end the game.
        for (played, mv) in moves[..moves.len() - 1].iter().enumerate() {
            let pos = *history.last().expect("a position");
            history.push(pos.after(pos.find_move(word(mv)).expect("a move")));
            if ![1, 3].contains(&(moves.len() - 1 - played)) {
                continue;
            }
            let best = searched(&history, 5_000);
            if let Value::Win(plies) = best.value {
                claimed += 1;
                assert_wins(&history, &best.moves, plies, row);
            }
        }
    }
    assert!(claimed >= 5, "{claimed} claimed");
}

/// Moves of the side to move, all or only checks, each with its successor.
fn steps(pos: &Xiangqi, checks: bool) -> Vec<Xiangqi> {
    let next = legal(pos).into_iter().map(|mv| pos.after(mv));
    next.filter(|next| !checks || next.in_check()).collect()
}

/// Two checks with replies that lead back to the position.
fn circles(pos: &Xiangqi) -> Vec<[Xiangqi; 4]> {
    let mut found = Vec::new();
    for first in steps(pos, true) {
        for second in steps(&first, false) {
            for third in steps(&second, true) {
                let back = steps(&third, false).into_iter().filter(|end| end.hash() == pos.hash());
                found.extend(back.map(|end| [first, second, third, end]));
            }
        }
    }
    found
}

#[test]
fn a_mate_by_one_check_too_many_is_not_claimed() {
    let data = data("xiangqi_tactics.json");
    let (mut courses, mut claimed) = (0, 0);
    for row in list(&data["positions"]).iter().filter(|row| row["kind"] == "mate") {
        let pos = read(word(&row["fen"]), &json!({})).expect("a position");
        for circle in circles(&pos) {
            let mut history = vec![pos];
            history.extend(circle);
            history.extend(&circle[..2]);
            courses += 1;
            let best = searched(&history, 3_000);
            if let Value::Win(plies) = best.value {
                claimed += 1;
                assert_wins(&history, &best.moves, plies, row);
            }
        }
    }
    assert!(courses >= 200 && claimed >= 100, "{courses} courses, {claimed} claimed");
}

#[test]
fn games_begin_differently_by_seed() {
    let first = |seed| {
        let mut evaluator = XiangqiEvaluator::default();
        evaluator.randomize(seed);
        searched_by(evaluator, &[Xiangqi::default()], 20_000).moves
    };
    let lines: Vec<_> = (0..16).map(first).collect();
    let moves: HashSet<_> = lines.iter().map(|line| format!("{:?}", line[0])).collect();
    assert!(moves.len() >= 3, "{moves:?}");
    assert_eq!(lines[7], first(7), "the same seed, the same line");
}
