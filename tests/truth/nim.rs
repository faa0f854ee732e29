//! Solved nim.

use bestmove::game::{Evaluator, Game, Outcome, Side, Turn};
use bestmove::games::nim::{Nim, NimEvaluator, Take};
use bestmove::search::sg::Sg;
use bestmove::search::{Value, Wanted};
use serde_json::Value as Json;

use crate::support::{data, depth, run};
use crate::{check_first_moves, list, reachable, recorded_states, whole};

const SOLVER: Sg = Sg { max_states: 100_000 };

fn position(piles: &Json, misere: bool) -> Nim {
    let heaps: Vec<_> = list(piles).iter().map(|heap| whole(heap) as u8).collect();
    Nim::new(&heaps, misere).expect("few heaps")
}

/// True if the side to move wins.
fn is_won(pos: &Nim) -> bool {
    match pos.turn() {
        Turn::Over(outcome) => outcome == Outcome::Win(pos.mover()),
        Turn::Of(_) => {
            let best = run(&SOLVER, pos, depth(99), Wanted::All).lines[0].value;
            matches!(best, Value::Win(_))
        }
    }
}

#[test]
fn sg_knows_who_wins_every_recorded_nim() {
    let data = data("nim_values.json");
    for row in list(&data["positions"]) {
        for (misere, name) in [(false, "normal_win"), (true, "misere_win")] {
            let pos = position(&row["piles"], misere);
            assert_eq!(Some(is_won(&pos)), row[name].as_bool(), "{name} of {row}");
        }
    }
}

#[test]
fn the_winning_moves_of_normal_nim_are_those_recorded() {
    let data = data("nim_values.json");
    for row in list(&data["positions"]) {
        let pos = position(&row["piles"], false);
        let Turn::Of(_) = pos.turn() else { continue };
        let report = run(&SOLVER, &pos, depth(99), Wanted::All);
        let winning = report.lines.iter().filter(|line| matches!(line.value, Value::Win(_)));
        let mut winning: Vec<_> =
            winning.map(|line| (line.moves[0].heap.into(), line.moves[0].stones.into())).collect();
        winning.sort_unstable();
        let recorded = list(&row["normal_winning_moves"]).iter();
        let mut recorded: Vec<_> = recorded.map(|mv| (whole(&mv[0]), whole(&mv[1]))).collect();
        recorded.sort_unstable();
        assert_eq!(winning, recorded, "{row}");
    }
}

#[test]
fn the_nim_sum_judges_every_recorded_nim_rightly() {
    let data = data("nim_values.json");
    for row in list(&data["positions"]) {
        for (misere, name) in [(false, "normal_win"), (true, "misere_win")] {
            let pos = position(&row["piles"], misere);
            let won = NimEvaluator.evaluate(&pos, Side::First) > 0;
            assert_eq!(Some(won), row[name].as_bool(), "{name} of {row}");
        }
    }
}

#[test]
fn another_solver_agrees_about_nim() {
    let take = |name: &str| {
        let numbers: Vec<u8> = name
            .split(|mark: char| !mark.is_ascii_digit())
            .filter_map(|n| n.parse().ok())
            .collect();
        Take { heap: numbers[0] - 1, stones: numbers[1] }
    };
    let games: [(&str, &[u8], bool); 4] = [
        ("nim(pile_sizes=1;3;5;7)", &[1, 3, 5, 7], true),
        ("nim(pile_sizes=3;4;5)", &[3, 4, 5], true),
        ("nim(pile_sizes=1;3;5;7,is_misere=false)", &[1, 3, 5, 7], false),
        ("nim(pile_sizes=1;2;1,is_misere=false)", &[1, 2, 1], false),
    ];
    for (spec, heaps, misere) in games {
        let start = Nim::new(heaps, misere).expect("few heaps");
        let report = run(&SOLVER, &start, depth(99), Wanted::All);
        check_first_moves::<Nim>(spec, &report, take);
        let states = reachable(&start);
        let open = states.iter().filter(|pos| pos.heaps().iter().any(|&heap| heap > 0)).count();
        assert_eq!(open as i64, recorded_states(spec), "{spec}");
    }
}
