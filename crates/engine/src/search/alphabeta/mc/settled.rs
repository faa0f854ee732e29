//! Chance events that one outcome stands for: typical rolls, and the guess for the opponent's draws and rolls.

use super::{ChanceSampling, DiceRolls, OpponentChance};
use crate::game::{Chance, Evaluator, Game, Rng};
use crate::search::Job;
use crate::search::alphabeta::full_width::FullWidthSearcher;
use crate::search::worlds::worlds;

/// Seed of the guess for whatever the opponent draws, rolls and holds: any constant.
const GUESS: u64 = 0;

impl<G: Game> ChanceSampling<G> {
    /// The typical outcome that replaces an event, if any.
    #[inline]
    pub(super) fn typical(&self, pos: &G, event: G::Chance) -> Option<G::Move> {
        match self.chance_options.dice {
            DiceRolls::Sampled => None,
            DiceRolls::Expected => event.typical(pos),
        }
    }

    /// Random numbers of the guess for an event, the same in every search.
    pub(super) fn guess_rng(kind: usize, time: u8, number: u8) -> Rng {
        Self::numbers(GUESS, 0, kind, time, number)
    }
}

impl<G: Game, E: Evaluator<G>> FullWidthSearcher<'_, G, E> {
    /// True if an event is the opponent's, and guessed.
    #[inline]
    pub(super) fn is_guessed(&self, pos: &G, event: G::Chance) -> bool {
        self.sampling().chance_options.opponent_chance == OpponentChance::Fixed
            && event.side(pos) == Some(self.job.mover.other())
    }

    /// The worlds of a search: `count` draws of what is hidden, or one guess `count` times.
    pub(super) fn positions(&self, job: &Job<'_, G>, count: usize) -> Vec<G> {
        let mut positions = match self.sampling().chance_options.opponent_chance {
            OpponentChance::Sampled => worlds(job.root, job.mover, count, job.seed),
            OpponentChance::Fixed => worlds(job.root, job.mover, 1, GUESS),
        };
        // Without hidden information, worlds differ only in their random numbers.
        positions.resize(count, positions[0].clone());
        positions
    }
}
