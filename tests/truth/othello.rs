//! Endgames of Othello with the exact score of every move.

use bestmove::game::{Game, Turn};
use bestmove::games::othello::{DISC, Othello, OthelloEvaluator};
use bestmove::notation::{Notation, Settings, StateInput};
use bestmove::search::alphabeta::{AlphaBeta, Options, TableUse};
use bestmove::search::{Budget, Value, Wanted};
use serde_json::Value as Json;

use crate::support::{data, depth, run};
use crate::{list, value_of, whole, word};

fn for_each_position(check: impl Fn(&Json, &Othello)) {
    let data = data("othello_endgame_generated.json");
    let rows = list(&data["positions"]);
    assert_eq!(rows.len(), 100);
    for row in rows {
        let text = format!("{} {}", word(&row["board"]), word(&row["side"]));
        let pos = Othello::read(StateInput::Text(&text), &Settings::defaults(&[]));
        check(row, &pos.unwrap_or_else(|fault| panic!("{text}: {fault}")));
    }
}

fn engine(options: Options) -> AlphaBeta<OthelloEvaluator> {
    AlphaBeta {
        evaluator: OthelloEvaluator::default(),
        options: Options { table: TableUse::Private, ..options },
    }
}

/// Discs for the side to move.
fn discs(value: Value) -> i64 {
    match value {
        Value::Heuristic(units) => units as i64 / i64::from(DISC),
        Value::Payoff(units) => i64::from(units) / i64::from(DISC),
        other => panic!("{other:?} is no amount"),
    }
}

#[test]
fn every_move_of_the_recorded_endgames_has_its_score() {
    for_each_position(|row, pos| {
        let report = run(&engine(Options::default()), pos, Budget::default(), Wanted::All);
        let recorded = row["moves"].as_object().expect("scores by move");
        assert_eq!(report.lines.len(), recorded.len(), "the moves of {row}");
        for (name, score) in recorded {
            let mv = pos.find_move(name).unwrap_or_else(|fault| panic!("{row}: {fault}"));
            let line = report.lines.iter().find(|line| line.moves[0] == mv).expect("a legal move");
            assert!(line.exact, "{name} of {row}");
            assert_eq!(discs(line.value), whole(score), "{name} of {row}");
        }
    });
}

#[test]
fn the_best_move_of_the_recorded_endgames_is_played_to_its_end() {
    for_each_position(|row, pos| {
        let report = run(&engine(Options::default()), pos, Budget::default(), Wanted::One);
        let best = &report.lines[0];
        let name = pos.move_text(best.moves[0]);
        assert!(list(&row["best"]).contains(&Json::from(name.as_str())), "{name} in {row}");
        assert_eq!((best.exact, discs(best.value)), (true, whole(&row["score"])), "{row}");
        let end = best.moves.iter().fold(*pos, |pos, &mv| pos.after(mv));
        let Turn::Over(outcome) = end.turn() else { panic!("{row}: the line ends midway") };
        let score = bestmove::search::Score::of(outcome, pos.mover(), 0);
        assert_eq!(i64::from(score.raw() / DISC), whole(&row["score"]), "{row}: the line's end");
    });
}

/// A stopped search knows the value of its best move, not that none is better.
#[test]
fn what_is_called_exact_is_exact_wherever_a_search_is_stopped() {
    for_each_position(|row, pos| {
        for nodes in [20, 50, 100, 200, 400, 800, 1_600] {
            let budget = Budget { nodes: Some(nodes), ..Budget::default() };
            let report = run(&engine(Options::default()), pos, budget, Wanted::One);
            let best = &report.lines[0];
            let is_claim = best.exact && report.settled;
            let right = !is_claim || discs(best.value) == whole(&row["score"]);
            assert!(right, "{:?} after {nodes} nodes of {row}", best.value);
        }
    });
}

/// Without the evaluator's endgame knowledge the same scores are found, only later.
#[test]
fn plain_search_to_the_end_finds_the_same_scores() {
    let plain =
        Options { pruning: bestmove::search::alphabeta::Pruning::Alpha, ..Options::default() };
    for_each_position(|row, pos| {
        if whole(&row["empties"]) > 8 {
            return;
        }
        let report = run(&engine(plain), pos, depth(16), Wanted::All);
        for (name, score) in row["moves"].as_object().expect("scores by move") {
            let mv = pos.find_move(name).unwrap_or_else(|fault| panic!("{row}: {fault}"));
            assert_eq!(discs(value_of::<Othello>(&report, mv)), whole(score), "{name} of {row}");
        }
    });
}
