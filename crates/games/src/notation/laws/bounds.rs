//! The law that an evaluation stays within its bound, whatever the options ask for.

use super::option_sets::{in_turn, starts};
use super::read_back::random_successor;
use crate::notation::{Served, Settings};
use engine::game::{Evaluator, Outcome, Rng, Turn};

/// Checks in random games from the start position of every set of options that no evaluation is beyond the
/// evaluator's reach, and no reach or payoff beyond its bound.
///
/// # Panics
/// Where one is.
pub fn check_bounds<G: Served>(seed: u64) {
    let mut rng = Rng::new(seed);
    let starts = starts::<G>(&mut rng);
    in_turn(&starts, |start, settings| check_game(start, settings, &mut rng));
}

/// Follows a random game with the evaluator of its start; returns the number of positions.
fn check_game<G: Served>(start: &G, settings: &Settings, rng: &mut Rng) -> usize {
    let mut pos = start.clone();
    let mut evaluator = start.evaluator(settings);
    let (reach, bound) = (evaluator.reach(), evaluator.bound());
    assert!(reach <= bound, "{settings:?}: a reach of {reach}, a bound of {bound}");
    evaluator.enter(&pos);
    for count in 1.. {
        if let Turn::Of(mover) = pos.turn() {
            let value = evaluator.evaluate(&pos, mover);
            assert!(value.abs() <= reach, "{settings:?}: {value} for {}", pos.json());
        }
        if let Turn::Over(Outcome::Payoff(payoff)) = pos.turn() {
            assert!(payoff.abs() <= bound, "{settings:?}: {payoff} paid in {}", pos.json());
        }
        let Some(mv) = random_successor(&pos, rng) else { return count };
        let next = pos.after(mv);
        evaluator.push(&pos, mv, &next);
        pos = next;
    }
    unreachable!("random games end")
}
