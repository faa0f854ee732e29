//! Connect four positions with the exact score of every move.

use bestmove::game::Game;
use bestmove::games::connect4::{Connect4, Connect4Evaluation, Connect4Evaluator};
use bestmove::search::alphabeta::{AlphaBeta, Options, TableUse};
use bestmove::search::{Value, Wanted};
use serde_json::Value as Json;

use crate::support::{data, depth, run};
use crate::{list, value_of, whole};

const CELLS: u32 = 42;
/// Positions with fewer stones take too long to solve here.
const FROM_PLY: i64 = 12;

fn position(row: &Json) -> Connect4 {
    let columns = row["moves"].as_str().expect("columns").bytes().map(|mark| mark - b'1');
    columns.fold(Connect4::default(), |pos, column| pos.after(column))
}

/// Score in the file's convention: the winner's stones left over plus one, for the side to move.
fn score(root: &Connect4, value: Value) -> i64 {
    let left = |plies: u32| i64::from((CELLS - root.stones() - plies) / 2 + 1);
    match value {
        Value::Win(plies) => left(plies),
        Value::Loss(plies) => -left(plies),
        Value::Draw => 0,
        other => panic!("{other:?} is not solved"),
    }
}

fn solver(evaluation: Connect4Evaluation) -> AlphaBeta<Connect4Evaluator> {
    let options = Options { table: TableUse::Private, ..Options::default() };
    AlphaBeta { evaluator: Connect4Evaluator { evaluation }, options }
}

fn for_each_position(check: impl Fn(&Json, &Connect4)) {
    let data = data("connect4_positions.json");
    let rows = list(&data["positions"]).iter();
    let mut checked = 0;
    for row in rows.filter(|row| whole(&row["ply"]) >= FROM_PLY) {
        check(row, &position(row));
        checked += 1;
    }
    assert!(checked > 100, "{checked} positions");
}

#[test]
fn every_move_of_the_recorded_positions_has_its_score() {
    for_each_position(|row, pos| {
        let report = run(&solver(Connect4Evaluation::None), pos, depth(CELLS), Wanted::All);
        assert_eq!(score(pos, report.lines[0].value), whole(&row["score"]), "{row}");
        let open =
            list(&row["move_scores"]).iter().enumerate().filter(|(_, score)| !score.is_null());
        let open: Vec<_> = open.collect();
        assert_eq!(open.len(), report.lines.len(), "the moves of {row}");
        for (column, recorded) in open {
            let value = value_of::<Connect4>(&report, column as u8);
            assert_eq!(score(pos, value), whole(recorded), "column {} of {row}", column + 1);
        }
    });
}

#[test]
fn the_best_move_of_the_recorded_positions_is_one_of_the_best() {
    for_each_position(|row, pos| {
        // Once the end is in sight the evaluation of unfinished positions does not matter.
        let evaluation = match pos.stones() {
            ..16 => Connect4Evaluation::None,
            _ => Connect4Evaluation::Threats,
        };
        let report = run(&solver(evaluation), pos, depth(CELLS), Wanted::One);
        let best = &report.lines[0];
        assert_eq!(score(pos, best.value), whole(&row["score"]), "{row}");
        assert!(best.exact, "{row}");
        let columns = list(&row["best_columns"]);
        assert!(columns.contains(&Json::from(best.moves[0] + 1)), "{} in {row}", best.moves[0] + 1);
    });
}
