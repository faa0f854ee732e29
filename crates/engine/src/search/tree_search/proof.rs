//! What is proved about a node.

use crate::game::{Outcome, Side};

/// The result of a node with best play on both sides, and its distance from the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    Open,
    Draw,
    Win(Side, u32),
}

impl Proof {
    /// Packs it into [`Proof::BITS`] bits: 0 is open. Distances beyond what fits are cut.
    pub(super) fn pack(self) -> u32 {
        match self {
            Self::Open => 0,
            Self::Draw => 1,
            Self::Win(side, plies) => 2 | side as u32 | plies.min(Self::MOST_PLIES) << 2,
        }
    }

    /// Bits of a packed proof.
    pub(super) const BITS: u32 = 16;
    const MOST_PLIES: u32 = (1 << (Self::BITS - 2)) - 1;

    pub(super) fn unpack(bits: u32) -> Self {
        match bits {
            0 => Self::Open,
            1 => Self::Draw,
            _ => Self::Win(Side::BOTH[(bits & 1) as usize], bits >> 2),
        }
    }

    pub(super) fn of(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win(side) => Self::Win(side, 0),
            Outcome::Draw => Self::Draw,
            // Amounts are averaged, not proved.
            Outcome::Payoff(_) => Self::Open,
        }
    }

    /// How good it is for a side, larger is better; an open node stands with a draw.
    pub(super) fn rank(self, side: Side) -> i64 {
        match self {
            Self::Win(winner, plies) => {
                let worth = i64::from(u32::MAX) - i64::from(plies);
                if winner == side { worth } else { -worth }
            }
            _ => 0,
        }
    }

    /// One ply further from the end.
    pub(super) fn one_more(self) -> Self {
        match self {
            Self::Win(side, plies) => Self::Win(side, plies + 1),
            other => other,
        }
    }

    /// The result for the first side, 0 to 1.
    pub(super) fn result(self) -> Option<f64> {
        match self {
            Self::Open => None,
            Self::Draw => Some(0.5),
            Self::Win(side, _) => Some(if side == Side::First { 1.0 } else { 0.0 }),
        }
    }
}
