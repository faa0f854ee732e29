//! Search window: the open interval in which a search must return the exact value.

use std::ops::Neg;

use super::Score;

/// Bounds in the viewer's perspective. A value at or below `alpha` may be returned as any upper bound not
/// above `alpha`, one at or above `beta` as any lower bound not below `beta`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Lower bound: the viewer has this already.
    pub alpha: Score,
    /// Upper bound: the opponent has a better alternative.
    pub beta: Score,
}

impl Window {
    /// The full window: every value is exact.
    pub const FULL: Self = Self { alpha: Score::MIN, beta: Score::MAX };

    /// The window between these bounds.
    #[inline]
    pub const fn new(alpha: Score, beta: Score) -> Self {
        Self { alpha, beta }
    }

    /// Null window: tests if a value is above `alpha`.
    #[inline]
    pub const fn above(alpha: Score) -> Self {
        Self { alpha, beta: Score::from_raw(alpha.raw() + 1) }
    }

    /// Window for a side with a guaranteed `score`: alpha is just below it.
    #[inline]
    pub const fn at_least(score: Score) -> Self {
        Self { alpha: score.just_below(), beta: Score::MAX }
    }

    /// True if no value lies inside.
    #[inline]
    pub const fn is_null(self) -> bool {
        self.beta.raw() - 1 == self.alpha.raw()
    }

    /// True if the score lies inside: it is exact.
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
