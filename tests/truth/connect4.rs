//! Connect four positions with the exact score of every move.

use bestmove::game::{Evaluator, Game, Lookahead, MoveList, Outcome, Side, Tuning, Turn};
use bestmove::games::connect4::{Connect4, Connect4Evaluation, Connect4Evaluator};
use bestmove::search::alphabeta::{AlphaBeta, Options, TableUse};
use bestmove::search::{Algorithm, Budget, Job, Report, StopReason, Value, Wanted};
use serde_json::Value as Json;

use crate::support::{data, depth, run};
use crate::{list, value_of, whole};

const CELLS: u32 = 42;
/// Positions with fewer stones take too long to search here.
const FROM_PLY: i64 = 12;
/// Positions with fewer stones take too long to solve here.
const SOLVED_FROM_PLY: i64 = 10;

/// The evaluator without the game's exact solver: the search alone.
#[derive(Clone, Copy)]
struct Unaided(Connect4Evaluator);

impl Evaluator<Connect4> for Unaided {
    const TUNING: Tuning = <Connect4Evaluator as Evaluator<Connect4>>::TUNING;

    fn bound(&self) -> i32 {
        self.0.bound()
    }

    fn reach(&self) -> i32 {
        self.0.reach()
    }

    fn evaluate(&mut self, pos: &Connect4, mover: Side) -> i32 {
        self.0.evaluate(pos, mover)
    }

    fn lookahead(
        &self,
        pos: &Connect4,
        mover: Side,
        depth: u32,
        list: MoveList,
        out: &mut Vec<u8>,
    ) -> Lookahead {
        self.0.lookahead(pos, mover, depth, list, out)
    }

    fn order(&self, pos: &Connect4, mover: Side, mv: u8) -> i32 {
        self.0.order(pos, mover, mv)
    }
}

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

fn searcher(evaluation: Connect4Evaluation) -> AlphaBeta<Unaided> {
    let options = Options { table: TableUse::Private, ..Options::default() };
    AlphaBeta { evaluator: Unaided(Connect4Evaluator { evaluation }), options }
}

fn for_each_position(from_ply: i64, check: impl Fn(&Json, &Connect4)) {
    let data = data("connect4_positions.json");
    let rows = list(&data["positions"]).iter();
    let mut checked = 0;
    for row in rows.filter(|row| whole(&row["ply"]) >= from_ply) {
        check(row, &position(row));
        checked += 1;
    }
    assert!(checked > 100, "{checked} positions");
}

/// Asserts the recorded score of the position and of each of its moves.
fn check_every_move(row: &Json, pos: &Connect4, report: &Report<u8>) {
    assert_eq!(score(pos, report.lines[0].value), whole(&row["score"]), "{row}");
    let open = list(&row["move_scores"]).iter().enumerate().filter(|(_, score)| !score.is_null());
    let open: Vec<_> = open.collect();
    assert_eq!(open.len(), report.lines.len(), "the moves of {row}");
    for (column, recorded) in open {
        let value = value_of::<Connect4>(report, column as u8);
        assert_eq!(score(pos, value), whole(recorded), "column {} of {row}", column + 1);
    }
}

#[test]
fn every_move_of_the_recorded_positions_has_its_score() {
    for_each_position(FROM_PLY, |row, pos| {
        let report = run(&searcher(Connect4Evaluation::None), pos, depth(CELLS), Wanted::All);
        check_every_move(row, pos, &report);
    });
}

#[test]
fn the_solver_gives_every_move_of_the_recorded_positions_its_score() {
    let evaluator = Connect4Evaluator { evaluation: Connect4Evaluation::Threats };
    for_each_position(SOLVED_FROM_PLY, |row, pos| {
        let report = run(&AlphaBeta::new(evaluator), pos, Budget::default(), Wanted::All);
        check_every_move(row, pos, &report);
        assert_eq!(report.stopped, StopReason::Solved);
        for line in &report.lines {
            let end = line.moves.iter().fold(*pos, |pos, &mv| pos.after(mv));
            assert!(line.exact && matches!(end.turn(), Turn::Over(_)), "{:?} in {row}", line.moves);
            let plies = line.moves.len() as u32;
            let played = match end.turn() {
                Turn::Over(Outcome::Win(side)) if side == pos.mover() => Value::Win(plies),
                Turn::Over(Outcome::Win(_)) => Value::Loss(plies),
                _ => Value::Draw,
            };
            assert_eq!(line.value, played, "{:?} in {row}", line.moves);
        }
    });
}

#[test]
fn what_the_solver_cannot_answer_in_its_share_is_searched() {
    // Two moves from the start, both bad: not in the table of early positions.
    let pos = [0, 6, 0, 6].into_iter().fold(Connect4::default(), |pos, column| pos.after(column));
    let budget = || Budget { nodes: Some(20_000), ..Budget::default() };
    let evaluator = Connect4Evaluator { evaluation: Connect4Evaluation::Threats };
    let report = run(&AlphaBeta::new(evaluator), &pos, budget(), Wanted::All);
    assert_eq!(report.stopped, StopReason::Nodes);
    assert!(report.lines.iter().all(|line| line.rated && !line.exact));
    assert!((10_000..=20_000).contains(&report.stats.nodes), "{}", report.stats.nodes);
    let again = run(&AlphaBeta::new(evaluator), &pos, budget(), Wanted::All);
    assert_eq!((again.lines, again.stats.nodes), (report.lines, report.stats.nodes));
}

#[test]
fn a_search_to_a_horizon_does_not_ask_the_solver() {
    let start = Connect4::default();
    let evaluator = Connect4Evaluator { evaluation: Connect4Evaluation::Threats };
    let engine = AlphaBeta::new(evaluator);
    let report = run(&engine, &start, depth(6), Wanted::One);
    assert!(!report.lines[0].exact);
    let report = run(&engine, &start, depth(CELLS), Wanted::One);
    assert_eq!((report.lines[0].value, report.lines[0].moves.len()), (Value::Win(41), 41));
}

#[test]
fn the_solver_keeps_to_the_moves_of_the_question() {
    let start = Connect4::default();
    let engine = AlphaBeta::new(Connect4Evaluator { evaluation: Connect4Evaluation::None });
    let report =
        engine.run(&Job { wanted: Wanted::One, ..Job::new(&start, &[0, 2, 6], depth(CELLS)) });
    assert_eq!((report.lines[0].moves[0], report.lines[0].value), (2, Value::Draw));
}

#[test]
fn the_best_move_of_the_recorded_positions_is_one_of_the_best() {
    for_each_position(FROM_PLY, |row, pos| {
        // Once the end is in sight the evaluation of unfinished positions does not matter.
        let evaluation = match pos.stones() {
            ..16 => Connect4Evaluation::None,
            _ => Connect4Evaluation::Threats,
        };
        let report = run(&searcher(evaluation), pos, depth(CELLS), Wanted::One);
        let best = &report.lines[0];
        assert_eq!(score(pos, best.value), whole(&row["score"]), "{row}");
        assert!(best.exact, "{row}");
        let columns = list(&row["best_columns"]);
        assert!(columns.contains(&Json::from(best.moves[0] + 1)), "{} in {row}", best.moves[0] + 1);
    });
}
