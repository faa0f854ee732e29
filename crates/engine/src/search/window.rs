//! The open interval in which a search must tell the exact value.

use std::ops::Neg;

use super::Score;

/// The viewer's bounds. A value at or below `alpha` may be returned as any upper bound that is not
/// above `alpha`, one at or above `beta` as any lower bound that is not below `beta`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// What the viewer has already.
    pub alpha: Score,
    /// What the other side will not allow.
    pub beta: Score,
}

impl Window {
    /// Every value is told exactly.
    pub const FULL: Self = Self { alpha: Score::MIN, beta: Score::MAX };

    /// Between these bounds.
    #[inline]
    pub const fn new(alpha: Score, beta: Score) -> Self {
        Self { alpha, beta }
    }

    /// The empty window that asks whether a value is above `alpha`.
    #[inline]
    pub const fn above(alpha: Score) -> Self {
        Self { alpha, beta: Score::from_raw(alpha.raw() + 1) }
    }

    /// For a side that is certain of a value.
    #[inline]
    pub const fn at_least(score: Score) -> Self {
        Self { alpha: Score::from_raw(score.raw() - 1), beta: Score::MAX }
    }

    /// Whether no value lies inside.
    #[inline]
    pub const fn is_null(self) -> bool {
        self.beta.raw() - 1 == self.alpha.raw()
    }

    /// Whether a value is told exactly.
    #[inline]
    pub fn holds(self, score: Score) -> bool {
        self.alpha < score && score < self.beta
    }
}

impl Neg for Window {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}
