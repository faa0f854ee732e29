//! Side to move, and the outcome of a game.

use std::ops::Not;

/// One of the two players. `First` opens the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The player with the first move in the start position.
    First,
    /// The other player.
    Second,
}

impl Side {
    /// Both sides, in the order they play.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// The opponent.
    #[inline]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// 0 for `First`, 1 for `Second`: an index into per-side arrays.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// +1 for `First`, -1 for `Second`: converts a value between `First`'s perspective and this side's.
    #[inline]
    pub const fn sign(self) -> i32 {
        match self {
            Self::First => 1,
            Self::Second => -1,
        }
    }
}

impl Not for Side {
    type Output = Self;

    fn not(self) -> Self {
        self.other()
    }
}

/// Outcome of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This side has won.
    Win(Side),
    /// Nobody has won.
    Draw,
    /// `First` receives this many units (and `Second` pays them); only in games with
    /// [`Game::PAYOFFS`](super::Game::PAYOFFS).
    Payoff(i32),
}

/// State of play in a position: finished, chance event or side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn<C> {
    /// The game has ended.
    Over(Outcome),
    /// A chance event: dice are rolled or a card is drawn.
    Chance(C),
    /// This side chooses a move.
    Of(Side),
}

impl<C> Turn<C> {
    /// The side that chooses a move, if one does.
    #[inline]
    pub fn mover(&self) -> Option<Side> {
        match self {
            Self::Of(side) => Some(*side),
            Self::Over(_) | Self::Chance(_) => None,
        }
    }
}
