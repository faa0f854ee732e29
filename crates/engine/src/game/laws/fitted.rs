//! The laws of evaluators whose weights are fitted.

use crate::game::{Fitted, Game, Rng, Turn};

/// Maximum plies of a random game.
const PLIES: usize = 150;

/// Checks in the positions of random games that the evaluation is the sum of the weights times their
/// factors.
///
/// # Panics
/// Where a law of [`Fitted`] is broken.
pub fn check_fitted<G: Game, E: Fitted<G>>(start: &G, evaluator: &E, seed: u64, games: usize) {
    let mut rng = Rng::new(seed);
    let weights = evaluator.weights();
    let reach = f64::from(evaluator.reach());
    for _ in 0..games {
        let (mut pos, mut line) = (start.clone(), Vec::new());
        while let Turn::Of(mover) = pos.turn()
            && line.len() < PLIES
        {
            let mut factors = Vec::new();
            evaluator.factors(&pos, &mut factors);
            let mut numbers: Vec<_> = factors.iter().map(|(number, _)| *number).collect();
            numbers.sort_unstable();
            numbers.dedup();
            assert_eq!(numbers.len(), factors.len(), "a weight counts twice after {line:?}");
            let counted =
                |&(number, factor): &(u32, f32)| weights[number as usize] * f64::from(factor);
            let sum: f64 = factors.iter().map(counted).sum();
            let value = f64::from(mover.sign() * evaluator.clone().evaluate(&pos, mover));
            let error = (sum.clamp(-reach, reach) - value).abs();
            assert!(error < 1.0, "the sum is {sum}, the evaluation {value}, after {line:?}");
            let Some(mv) = pos.random_move(&mut rng, &mut Vec::new()) else { break };
            line.push(mv);
            pos.play(mv);
        }
    }
}
