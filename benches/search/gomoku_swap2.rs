//! Even openings of gomoku, for the book of swap2.

use bestmove::game::Rng;
use bestmove::games::gomoku::{Gomoku, GomokuEvaluation, GomokuEvaluator, Point};
use bestmove::search::alphabeta::Selective;
use bestmove::search::{Budget, Value, Wanted};

use super::run;

/// Largest distance of a stone from the middle, and of stones from each other, in points.
const REACH: i8 = 5;
const APART: i8 = 6;
const TRIES: usize = 240;
const BOOK: usize = 12;
const NODES: u64 = 300_000;

/// Prints the most even ones of `TRIES` random openings, with their values for white.
pub(super) fn openings() {
    let engine = Selective::new(GomokuEvaluator::new(GomokuEvaluation::Patterns));
    let budget = Budget { nodes: Some(NODES), ..Budget::default() };
    let mut rng = Rng::new(1);
    let mut found = Vec::new();
    while found.len() < TRIES {
        let steps = draw(&mut rng);
        let mut pos = Gomoku::new(15).expect("a size");
        for (right, up) in steps {
            pos.put(pos.mover(), Point { x: (7 + right) as u8, y: (7 + up) as u8 });
            pos = pos.with_mover(pos.mover().other());
        }
        let line = &run(&engine, &pos, budget.clone(), Wanted::One).lines[0];
        let value = match line.value {
            Value::Heuristic(value) => value.round() as i32,
            // A proved result is the least even of all.
            _ => i32::MAX,
        };
        found.push((value, steps));
    }
    found.sort_by_key(|(value, _)| value.unsigned_abs());
    for (value, steps) in &found[..BOOK] {
        println!("{steps:?}, // {value}");
    }
}

/// Three points close to each other.
fn draw(rng: &mut Rng) -> [(i8, i8); 3] {
    let mut step = || rng.below(2 * REACH as usize + 1) as i8 - REACH;
    loop {
        let steps = [(); 3].map(|()| (step(), step()));
        let far = |a: (i8, i8), b: (i8, i8)| (a.0 - b.0).abs().max((a.1 - b.1).abs());
        let pairs = [(0, 1), (0, 2), (1, 2)].map(|(a, b)| far(steps[a], steps[b]));
        if pairs.iter().all(|far| (1..=APART).contains(far)) {
            return steps;
        }
    }
}
