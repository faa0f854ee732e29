//! Ratings of all moves of gomoku, against immediate wins and losses found by counting lines of five cells.

use bestmove::game::{Game, Rng, Turn};
use bestmove::games::gomoku::{Gomoku, GomokuEvaluation, GomokuEvaluator, GomokuRules, Point};
use bestmove::search::alphabeta::Selective;
use bestmove::search::{Budget, Value, Wanted};

use crate::gomoku_proofs::{Cells, Oracle, SIZE};
use crate::support::run;

const DEPTH: u32 = 4;
const OWN: u8 = 1;
const OPPONENT: u8 = 2;

fn cell(at: Point) -> usize {
    usize::from(at.y) * SIZE + usize::from(at.x)
}

/// Value for the mover of a stone on an empty cell, where decided within four plies.
fn verdict(oracle: &Oracle, before: &Cells, own: usize) -> Option<Value> {
    if oracle.fives(before, OWN).contains(&own) {
        return Some(Value::Win(1));
    }
    let mut cells = *before;
    cells[own] = OWN;
    if !oracle.fives(&cells, OPPONENT).is_empty() {
        return Some(Value::Loss(2));
    }
    match oracle.fives(&cells, OWN).len() {
        0 => {}
        1 => return None,
        _ => return Some(Value::Win(3)),
    }
    // A quiet stone: the opponent wins by an open four.
    let empty = (0..cells.len()).filter(|&cell| cells[cell] == 0);
    let lost = empty.into_iter().any(|cell| {
        let mut after = cells;
        after[cell] = OPPONENT;
        oracle.fives(&after, OPPONENT).len() > 1
    });
    lost.then_some(Value::Loss(4))
}

/// Stones close together, without a five.
fn position(stones: usize, rng: &mut Rng) -> Option<Gomoku> {
    let mut pos = Gomoku::by_rules(SIZE as u8, GomokuRules::Freestyle).expect("a size");
    for _ in 0..stones {
        let mut near = pos.legal_moves();
        near.retain(|at| at.x.abs_diff(7).max(at.y.abs_diff(7)) <= 3);
        pos.play(rng.pick(&near)?);
        matches!(pos.turn(), Turn::Of(_)).then_some(())?;
    }
    Some(pos)
}

#[test]
fn every_immediate_threat_is_rated_right() {
    let oracle = Oracle::new();
    let mut rng = Rng::new(11);
    // Wins in 1 and 3, losses in 2 and 4.
    let mut seen = [0; 4];
    for game in 0..24 {
        // In every third position the mover has a four.
        let wanted = |pos: &Gomoku| {
            let fives = oracle.fives(&Oracle::cells(pos, pos.mover()), OWN);
            (game % 3 == 0) != fives.is_empty()
        };
        let drawn = std::iter::repeat_with(|| position(8 + game, &mut rng)).flatten().find(wanted);
        let pos = drawn.expect("there are such positions");
        let mover = pos.mover();
        let budget = Budget { depth: Some(DEPTH), ..Budget::default() };
        let method = Selective::new(GomokuEvaluator::new(GomokuEvaluation::Patterns));
        let report = run(&method, &pos, budget, Wanted::All);
        assert_eq!(report.lines.len(), pos.legal_moves().len(), "{pos:?}");
        let before = Oracle::cells(&pos, mover);
        for line in &report.lines {
            let at = line.moves[0];
            assert!(line.rated, "{at:?} in {pos:?}");
            let Some(value) = verdict(&oracle, &before, cell(at)) else { continue };
            assert_eq!(line.value, value, "{at:?} in {pos:?}");
            let kind = match value {
                Value::Win(plies) => plies / 2,
                Value::Loss(plies) => plies / 2 + 1,
                _ => unreachable!("a verdict"),
            };
            seen[kind as usize] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count >= 8), "{seen:?}");
}
