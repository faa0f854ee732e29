//! Games played out without thought.

use crate::game::{Chance, Expert, Game, Outcome, Rng, Side, Turn};

/// How moves are chosen in a playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayoutStyle {
    /// Any legal move.
    Random,
    /// As the game's expert would.
    Expert,
}

/// The result of a finished game for the first side, 0 to 1.
#[inline]
pub(super) fn result<G: Game, E: Expert<G>>(outcome: Outcome, expert: &E) -> f64 {
    match outcome {
        Outcome::Win(Side::First) => 1.0,
        Outcome::Win(Side::Second) => 0.0,
        Outcome::Draw => 0.5,
        Outcome::Payoff(value) => expert.result(value),
    }
}

/// What a side sees of a result of the first side.
#[inline]
pub(super) fn seen_by(side: Side, result: f64) -> f64 {
    match side {
        Side::First => result,
        Side::Second => 1.0 - result,
    }
}

/// Plays a game to its end and returns the result for the first side, 0 to 1.
#[inline]
pub(super) fn playout<G: Game, E: Expert<G>>(
    pos: G,
    expert: &E,
    style: PlayoutStyle,
    rng: &mut Rng,
    scratch: &mut Vec<G::Move>,
) -> f64 {
    result::<G, E>(end(pos, expert, style, rng, scratch), expert)
}

/// Plays a game to its end.
#[inline]
pub(super) fn end<G: Game, E: Expert<G>>(
    mut pos: G,
    expert: &E,
    style: PlayoutStyle,
    rng: &mut Rng,
    scratch: &mut Vec<G::Move>,
) -> Outcome {
    loop {
        let mv = match pos.turn() {
            Turn::Over(outcome) => return outcome,
            Turn::Chance(event) => event.sample(&pos, rng),
            Turn::Of(mover) => {
                let choice = match style {
                    PlayoutStyle::Random => pos.random_move(rng, scratch),
                    PlayoutStyle::Expert => expert.playout_move(&pos, rng, scratch),
                };
                match choice {
                    Some(mv) => mv,
                    None => return pos.stuck(mover),
                }
            }
        };
        pos.play(mv);
    }
}
