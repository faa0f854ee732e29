//! Endgames of Othello with the exact score of every move.

use bestmove::game::{Game, Rng, Turn};
use bestmove::games::othello::{DISC, Othello, OthelloEvaluator};
use bestmove::notation::{Notation, Settings, StateInput};
use bestmove::search::alphabeta::{AlphaBeta, Options, ProbCut, TableUse};
use bestmove::search::{Algorithm, Budget, Value, Wanted};
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

fn probcut() -> ProbCut<OthelloEvaluator> {
    let options = Options { table: TableUse::Private, ..Options::default() };
    ProbCut { options, ..ProbCut::new(OthelloEvaluator::default()) }
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

fn plays_to_the_end(method: &impl Algorithm<Othello>) {
    for_each_position(|row, pos| {
        let report = run(method, pos, Budget::default(), Wanted::One);
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

#[test]
fn the_best_move_of_the_recorded_endgames_is_played_to_its_end() {
    plays_to_the_end(&engine(Options::default()));
}

#[test]
fn forecasts_cut_no_proof() {
    plays_to_the_end(&probcut());
}

/// Positions 12 to 40 random moves from the start.
fn middle_games() -> impl Iterator<Item = Othello> {
    (0..40).map(|seed| {
        let mut rng = Rng::new(seed);
        let start = (Othello::default(), Vec::new());
        let (pos, _) = (0..12 + seed % 29).fold(start, |(pos, mut scratch), _| {
            let mv = pos.random_move(&mut rng, &mut scratch);
            (mv.map_or(pos, |mv| pos.after(mv)), scratch)
        });
        pos
    })
}

#[test]
fn forecasts_save_most_of_the_work_and_err_little() {
    let (mut nodes, mut error, mut count) = ([0, 0], 0.0, 0.0);
    for pos in middle_games() {
        let reports = [
            run(&engine(Options::default()), &pos, depth(8), Wanted::One),
            run(&probcut(), &pos, depth(8), Wanted::One),
        ];
        let [full, cut] = reports.each_ref().map(|report| discs(report.lines[0].value));
        nodes = [nodes[0] + reports[0].stats.nodes, nodes[1] + reports[1].stats.nodes];
        error += (full - cut).abs() as f64;
        count += 1.0;
    }
    assert!(2 * nodes[1] < nodes[0], "nodes {nodes:?}");
    assert!(error / count < 1.0, "mean error {} discs", error / count);
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
