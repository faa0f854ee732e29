//! Claimed proofs of a tree search are correct.

use bestmove::game::{Evaluator, Game, Plain, Side, Turn};
use bestmove::games::tictactoe::TicTacToe;
use bestmove::search::tree_search::{TreeOptions, TreeSearch};
use bestmove::search::{Line, Playout, PlayoutStyle, Report, StopReason, Value, Wanted};

use crate::stuck::Heap;
use crate::{STYLES, THREATS, ask, connect4_from, mcts, proved, puct, tictactoe_open, uct, whole};

/// Solvers with different lookahead, and PUCT with the evaluator's own.
fn solvers<E: Clone>(evaluator: &E) -> Vec<TreeSearch<E>> {
    let all = STYLES.into_iter().flat_map(|playout| {
        [0, 2].map(|terminal_search| TreeSearch {
            evaluator: evaluator.clone(),
            options: TreeOptions {
                playout: Playout { terminal_search, ..playout.into() },
                ..TreeOptions::uct()
            },
        })
    });
    all.chain([puct(evaluator.clone())]).collect()
}

/// Checks the proofs of a report against the result of each move and, where known, against the plies of
/// best play; returns their number.
fn check_proofs(
    report: &Report<u8>,
    truth: impl Fn(u8) -> (i64, Option<i64>),
    what: &str,
) -> usize {
    let claimed: Vec<&Line<u8>> =
        report.lines.iter().filter(|line| line.value.is_proved()).collect();
    for line in &claimed {
        let (result, plies) = truth(line.moves[0]);
        assert_eq!(proved(line.value), Some(result), "{:?} in {what}", line.moves);
        // A proof need not be the shortest win, but must not claim to be shorter than that.
        if let (Value::Win(claim) | Value::Loss(claim), Some(plies)) = (line.value, plies) {
            assert!(i64::from(claim) >= plies, "{:?} in {claim}: {what}", line.moves);
            assert_eq!((i64::from(claim) - plies) % 2, 0, "{:?} in {claim}: {what}", line.moves);
            assert!(
                !line.exact || i64::from(claim) == plies,
                "{:?} in {claim}: {what}",
                line.moves
            );
        }
    }
    for line in report.lines.iter().filter(|line| line.exact) {
        assert!(line.value.is_proved(), "{:?} is unproved in {what}", line.moves);
    }
    claimed.len()
}

#[test]
fn proofs_of_tictactoe_are_true() {
    let mut claims = 0;
    for (pos, row) in tictactoe_open().into_iter().step_by(9) {
        let truth = |cell: u8| {
            let value = &row["moves"][cell.to_string()];
            (whole(&value[0]), Some(whole(&value[1])))
        };
        for method in solvers(&Plain) {
            for (playouts, wanted) in [(30, Wanted::One), (400, Wanted::All)] {
                let report = ask(&method, &pos, playouts, wanted, 3, 1);
                claims += check_proofs(&report, truth, &format!("{row} {:?}", method.options));
            }
        }
    }
    assert!(claims > 5_000, "{claims} claims");
}

/// Evaluator that lists two moves at most, and says that others may be better.
#[derive(Clone)]
pub(crate) struct Narrow;

impl Evaluator<TicTacToe> for Narrow {
    const LISTS_ALL: bool = false;

    fn bound(&self) -> i32 {
        1
    }

    fn evaluate(&mut self, _: &TicTacToe, _: Side) -> i32 {
        0
    }

    fn candidates(&self, pos: &TicTacToe, _: Side, out: &mut Vec<u8>) -> bool {
        out.extend(pos.legal_moves().into_iter().take(2));
        false
    }
}

#[test]
fn an_incomplete_list_of_moves_proves_no_loss() {
    for (pos, row) in tictactoe_open().into_iter().step_by(9) {
        let truth = |cell: u8| (whole(&row["moves"][cell.to_string()][0]), None);
        for method in solvers(&Narrow) {
            let report = ask(&method, &pos, 30, Wanted::All, 9, 1);
            check_proofs(&report, truth, &format!("{row} {:?}", method.options));
        }
    }
}

#[test]
fn proofs_of_connect4_are_true() {
    let mut claims = 0;
    for (pos, row) in connect4_from(16) {
        let truth = |column: u8| (whole(&row["move_scores"][usize::from(column)]).signum(), None);
        for method in solvers(&THREATS) {
            let report = ask(&method, &pos, 2_000, Wanted::All, 4, 1);
            claims += check_proofs(&report, truth, &format!("{row} {:?}", method.options));
        }
    }
    assert!(claims > 300, "{claims} claims");
}

#[test]
fn a_small_game_is_solved_and_the_search_ends() {
    for (pos, row) in tictactoe_open().into_iter().step_by(50) {
        if whole(&row["plies"]) > 5 {
            continue;
        }
        for method in [uct(Plain), puct(Plain)] {
            let report = ask(&method, &pos, 100_000, Wanted::All, 5, 1);
            assert_eq!(report.stopped, StopReason::Solved, "{row}");
            assert!(report.lines.iter().all(|line| line.value.is_proved()), "{row}");
            assert_eq!(proved(report.lines[0].value), Some(whole(&row["value"])), "{row}");
        }
    }
}

#[test]
fn without_a_solver_nothing_is_proved() {
    for (pos, row) in tictactoe_open().into_iter().step_by(200) {
        let report = ask(&mcts(Plain), &pos, 2_000, Wanted::All, 6, 1);
        assert!(report.lines.iter().all(|line| !line.value.is_proved()), "{row}");
    }
}

#[test]
fn a_game_that_ends_by_running_out_of_moves_is_proved_too() {
    for stones in 4..12 {
        let pos = Heap::<-1>::new(stones);
        // A player facing 0 or 1 stones modulo five has lost.
        let truth = if stones % 5 < 2 { -1 } else { 1 };
        for method in [uct(Plain), puct(Plain)] {
            let report = ask(&method, &pos, 20_000, Wanted::All, 7, 1);
            assert_eq!(report.stopped, StopReason::Solved, "{stones} stones");
            assert_eq!(proved(report.lines[0].value), Some(truth), "{stones}");
        }
    }
}

#[test]
fn the_line_of_a_proved_win_is_played_to_its_end_or_is_legal_so_far() {
    for (pos, row) in connect4_from(24) {
        let method = TreeSearch {
            evaluator: THREATS,
            options: TreeOptions { playout: PlayoutStyle::Evaluator.into(), ..TreeOptions::uct() },
        };
        let report = ask(&method, &pos, 3_000, Wanted::One, 8, 1);
        for line in &report.lines {
            let mut at = pos;
            for &mv in &line.moves {
                assert!(at.legal_moves().contains(&mv), "{:?} in {row}", line.moves);
                at.play(mv);
            }
            if let (Value::Win(plies) | Value::Loss(plies), Turn::Over(_)) = (line.value, at.turn())
            {
                assert_eq!(line.moves.len() as u32, plies, "{:?} in {row}", line.moves);
            }
        }
    }
}
