//! Playouts.

use super::{Clock, terminal};
use crate::game::{Chance, Evaluator, Game, Outcome, Rng, Side, Turn};
use crate::options::{choices, options};

choices! {
    /// Policy of playouts.
    pub enum PlayoutStyle {
        /// Any legal move, uniformly.
        Random = "random",
        /// The evaluator's playout move.
        Evaluator = "expert",
    }
}

/// Result of a finished game for the first side, 0 to 1.
#[inline]
pub(super) fn result<G: Game, E: Evaluator<G>>(outcome: Outcome, evaluator: &E) -> f64 {
    match outcome {
        Outcome::Win(Side::First) => 1.0,
        Outcome::Win(Side::Second) => 0.0,
        Outcome::Draw => 0.5,
        Outcome::Payoff(value) => evaluator.result(value),
    }
}

/// Converts a result between the first side's perspective and this side's.
#[inline]
pub(super) fn seen_by(side: Side, result: f64) -> f64 {
    match side {
        Side::First => result,
        Side::Second => 1.0 - result,
    }
}

// CITE: Lorentz 2008, "Amazons discover Monte-Carlo": playouts cut short and evaluated.
options! {
    /// Options of playouts.
    #[derive(Eq)]
    pub struct Playout {
        /// Playout moves: uniformly random, or by the game's own policy.
        style("playout"): PlayoutStyle = PlayoutStyle::Random;
        /// Moves after which a playout ends with a static evaluation; 0 plays to the end.
        depth("playout_depth"): Option<u32> = None, [0, 10_000];
        /// Plies that every position of a playout is searched exhaustively: the playout ends where that
        /// decides the game. A new node of a tree is proved by it.
        terminal_search: u32 = 0, [0, 8];
    }
}

impl From<PlayoutStyle> for Playout {
    fn from(style: PlayoutStyle) -> Self {
        Self { style, ..Self::default() }
    }
}

/// End of a playout.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// End of the game.
    Over(Outcome),
    /// Cut short: static evaluation for the side to move.
    Judged(Side, i32),
}

impl End {
    /// The result for the first side, 0 to 1.
    #[inline]
    pub(super) fn result<G: Game, E: Evaluator<G>>(self, evaluator: &E) -> f64 {
        match self {
            Self::Over(outcome) => result::<G, E>(outcome, evaluator),
            Self::Judged(mover, value) => {
                seen_by(mover, evaluator.win_probability(f64::from(value)))
            }
        }
    }
}

impl Playout {
    /// Plays a game on to its end or to the depth limit.
    #[inline]
    pub(super) fn run<G: Game, E: Evaluator<G>>(
        self,
        mut pos: G,
        evaluator: &E,
        clock: &mut Clock,
        rng: &mut Rng,
        scratch: &mut Vec<G::Move>,
    ) -> End {
        // No game has more moves than this.
        let mut left = self.depth.unwrap_or(u32::MAX);
        loop {
            let mv = match pos.turn() {
                Turn::Over(outcome) => return End::Over(outcome),
                Turn::Chance(event) => event.sample(&pos, rng),
                Turn::Of(mover) => {
                    if left == 0 {
                        return judged(&pos, mover, evaluator, scratch);
                    }
                    left -= 1;
                    if let Some(outcome) = self.decided(&pos, evaluator, clock) {
                        return End::Over(outcome);
                    }
                    let choice = match self.style {
                        PlayoutStyle::Random => pos.random_move(rng, scratch),
                        PlayoutStyle::Evaluator => evaluator.playout_move(&pos, rng, scratch),
                    };
                    match choice {
                        Some(mv) => mv,
                        None => return End::Over(pos.stuck(mover)),
                    }
                }
            };
            pos.play(mv);
        }
    }
}

impl Playout {
    /// Result of the game, if it is decided within the plies of terminal search. Out of time, the playout
    /// goes on.
    #[inline]
    fn decided<G: Game, E: Evaluator<G>>(
        self,
        pos: &G,
        evaluator: &E,
        clock: &mut Clock,
    ) -> Option<Outcome> {
        if self.terminal_search == 0 {
            return None;
        }
        let found = terminal::search(pos, evaluator, self.terminal_search, clock);
        found.ok().flatten().map(|found| found.outcome)
    }
}

/// Static evaluation by an evaluator that enters the position for it.
#[cold]
fn judged<G: Game, E: Evaluator<G>>(
    pos: &G,
    mover: Side,
    evaluator: &E,
    scratch: &mut Vec<G::Move>,
) -> End {
    scratch.clear();
    pos.moves(scratch);
    if scratch.is_empty() {
        return End::Over(pos.stuck(mover));
    }
    let mut judge = evaluator.clone();
    judge.enter(pos);
    End::Judged(mover, judge.evaluate(pos, mover))
}
