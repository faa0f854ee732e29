use super::{Connect4Solver, EarlyPositions};
use crate::connect4::Connect4;
use engine::game::{ExactSolver, Game, Outcome, Rng, Side, Turn};

/// Score by searching everything: the oracle, in the convention of the solver.
fn plain(pos: &Connect4) -> i32 {
    let moves = pos.legal_moves();
    let value = |mv: u8| {
        let next = pos.after(mv);
        match next.turn() {
            Turn::Over(Outcome::Win(_)) => (43 - pos.stones() as i32) / 2,
            Turn::Over(_) => 0,
            _ => -plain(&next),
        }
    };
    moves.into_iter().map(value).max().expect("a column is open")
}

/// Unfinished positions of random games with at least this many stones.
fn late(least: u32, games: u64) -> Vec<Connect4> {
    let mut rng = Rng::new(7);
    let mut all = Vec::new();
    for _ in 0..games {
        let mut pos = Connect4::default();
        while let Turn::Of(_) = pos.turn() {
            if pos.stones() >= least {
                all.push(pos);
            }
            pos.play(pos.random_move(&mut rng, &mut Vec::new()).expect("a column is open"));
        }
    }
    all
}

#[test]
fn late_positions_have_the_score_of_a_search_of_everything() {
    let mut solver = Connect4Solver::without_openings();
    let positions = late(30, 2_500);
    assert!(positions.len() > 1_000, "{} positions", positions.len());
    for pos in positions {
        assert_eq!(solver.score(&pos, &mut || true), Some(plain(&pos)), "{pos:?}");
    }
}

#[test]
fn a_solution_is_played_out_as_it_says() {
    let mut solver = Connect4Solver::without_openings();
    for start in late(20, 40) {
        let mut pos = start;
        let promised = solver.solve(&pos, &mut || true).expect("nothing stops it");
        let mut left = promised.plies;
        while let Turn::Of(_) = pos.turn() {
            let next = solver.solve(&pos, &mut || true).expect("nothing stops it");
            assert_eq!((next.outcome, next.plies), (promised.outcome, left), "{start:?} {pos:?}");
            pos.play(next.best);
            left -= 1;
        }
        assert_eq!((pos.turn(), left), (Turn::Over(promised.outcome), 0), "{start:?}");
    }
}

#[test]
fn a_solver_that_is_stopped_says_nothing_and_can_be_asked_again() {
    let pos = [3, 3, 3, 3, 3, 2, 2, 2, 4, 4, 4, 4]
        .into_iter()
        .fold(Connect4::default(), |pos, mv| pos.after(mv));
    let mut solver = Connect4Solver::without_openings();
    let mut nodes = 0;
    assert_eq!(
        solver.solve(&pos, &mut || {
            nodes += 1;
            nodes < 100
        }),
        None
    );
    assert_eq!(nodes, 100);
    let fresh = Connect4Solver::without_openings().solve(&pos, &mut || true);
    let (again, fresh) = (solver.solve(&pos, &mut || true), fresh.expect("nothing stops it"));
    assert_eq!(again.map(|found| (found.outcome, found.plies)), Some((fresh.outcome, fresh.plies)));
}

#[test]
fn a_table_of_openings_is_read_as_it_was_written() {
    let score = |pos: &Connect4| pos.stones() as i32 - 21;
    let positions: Vec<_> = late(2, 3).into_iter().rev().collect();
    let mut table = EarlyPositions::default();
    for pos in &positions {
        table.insert(pos, score(pos));
    }
    assert_eq!(EarlyPositions::read(&table.write()), Some(table.clone()));
    assert_eq!(EarlyPositions::read(&table.write()[..table.write().len() - 1]), None);
    for pos in &positions {
        assert_eq!(table.score(pos), Some(score(pos)));
    }
    assert_eq!(table.score(&Connect4::default().after(0).after(0).after(0).after(0)), None);
}

/// Positions of the embedded table that are solved anew: with at least this many stones, every so many.
const SOLVED_ANEW: (u32, usize) = (8, 197);

#[test]
fn a_sample_of_the_embedded_table_is_solved_anew() {
    let (stones, step) = SOLVED_ANEW;
    let late = EarlyPositions::embedded().positions().filter(|(pos, _)| pos.stones() >= stones);
    let sample: Vec<_> = late.step_by(step).collect();
    assert!(sample.len() >= 5, "{} positions", sample.len());
    for (pos, score) in sample {
        let mut solver = Connect4Solver::without_openings();
        assert_eq!(solver.score(&pos, &mut || true), Some(score), "{pos:?}");
    }
}

#[test]
fn the_embedded_table_agrees_with_itself() {
    // A position is worth its best move: no move known is better, and if all are known, one is as good.
    let table = EarlyPositions::embedded();
    let mut compared = 0;
    for (pos, score) in table.positions() {
        let moves = pos.legal_moves().into_iter().map(|column| pos.after(column));
        let known: Vec<_> = moves.map(|next| table.score(&next).map(|score| -score)).collect();
        let best = known.iter().flatten().max();
        assert!(best.is_none_or(|&best| best <= score), "{pos:?}");
        if known.iter().all(Option::is_some) {
            assert_eq!(best, Some(&score), "{pos:?}");
            compared += 1;
        }
    }
    assert!(compared > 0, "the first moves are known");
}

// CITE: Allen 1988 and Allis 1988: the first player wins with the centre, and with no other first move.
#[test]
fn the_first_moves_have_their_known_scores() {
    let start = Connect4::default();
    let mut solver = Connect4Solver::default();
    let scores: Vec<_> = start
        .legal_moves()
        .into_iter()
        .map(|column| -solver.score(&start.after(column), &mut || true).expect("not stopped"))
        .collect();
    assert_eq!(scores, [-2, -1, 0, 1, 0, -1, -2]);
    let solution = solver.solve(&start, &mut || true).expect("not stopped");
    assert_eq!((solution.outcome, solution.plies), (Outcome::Win(Side::First), 41));
    assert_eq!(solution.best, 3);
}
