//! Proved results of nodes.

use crate::game::{Outcome, Side};

/// Result of a node with best play, and its distance from the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    Open,
    Draw,
    Win(Side, u32),
}

impl Proof {
    /// Packs into [`Proof::BITS`] bits; 0 is open. Larger distances are clamped.
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
            // Payoffs are averaged, not proved.
            Outcome::Payoff(_) => Self::Open,
        }
    }

    /// Rank for a side, larger is better; an open node ranks with a draw.
    pub(super) fn rank(self, side: Side) -> i64 {
        match self {
            Self::Win(winner, plies) => {
                let worth = i64::from(u32::MAX) - i64::from(plies);
                if winner == side { worth } else { -worth }
            }
            _ => 0,
        }
    }

    /// True if its distance is exact: nothing is shorter than a win in one, or a loss in two where every move
    /// allows it. A longer one is an upper bound, since moves not visited may be shorter.
    pub(super) fn is_exact(self, mover: Side) -> bool {
        match self {
            Self::Open => false,
            Self::Draw => true,
            Self::Win(side, plies) => plies <= if side == mover { 1 } else { 2 },
        }
    }

    /// The same result this many plies from the end.
    pub(super) fn after(self, plies: u32) -> Self {
        match self {
            Self::Win(side, _) => Self::Win(side, plies),
            other => other,
        }
    }

    /// The same result one ply further from the end.
    pub(super) fn one_more(self) -> Self {
        match self {
            Self::Win(side, plies) => Self::Win(side, plies + 1),
            other => other,
        }
    }

    /// Result for the first side, 0 to 1; `None` if open.
    pub(super) fn result(self) -> Option<f64> {
        match self {
            Self::Open => None,
            Self::Draw => Some(0.5),
            Self::Win(side, _) => Some(if side == Side::First { 1.0 } else { 0.0 }),
        }
    }
}
