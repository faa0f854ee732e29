//! Scores: one number inside a search, a tagged value at the edge.

use std::ops::Neg;

use crate::game::{Chance, Evaluator, Game, Info, Outcome, Side};

/// A value in one side's perspective. Larger is better.
///
/// ```text
///  -2*10^9+n   lost in n plies from the root (proved)
/// -1.5*10^9+n  lost in n plies against the listed moves (no proof)
///    -10^9 ..
///       0      a draw, or a heuristic value of 0
///     .. 10^9  heuristic values and payoffs in the game's units
///  1.5*10^9-n  won in n plies against the opponent's listed moves
///   2*10^9-n   won in n plies from the root (proved)
/// ```
/// A shorter win is larger, so a won side never walks in circles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score(i32);

const PROVED: i32 = 2_000_000_000;
const LIKELY: i32 = 1_500_000_000;
/// Maximum distance in plies: no game is longer.
const MAX_PLIES: i32 = 100_000;

impl Score {
    /// Below every value.
    pub const MIN: Self = Self(-i32::MAX);
    /// Above every value.
    pub const MAX: Self = Self(i32::MAX);
    /// The value of a draw.
    pub const DRAW: Self = Self(0);
    /// Largest heuristic value.
    pub const LIMIT: i32 = 1_000_000_000;

    /// A heuristic value or a payoff, at most [`Score::LIMIT`] up or down.
    #[inline]
    pub const fn heuristic(value: i32) -> Self {
        Self(value)
    }

    /// Win in `plies` from the root.
    #[inline]
    pub const fn win(plies: u32) -> Self {
        Self(PROVED - plies as i32)
    }

    /// Loss in `plies` from the root.
    #[inline]
    pub const fn loss(plies: u32) -> Self {
        Self(plies as i32 - PROVED)
    }

    /// Score of a finished game, `ply` plies from the root.
    #[inline]
    pub fn of(outcome: Outcome, viewer: Side, ply: u32) -> Self {
        match outcome {
            Outcome::Win(side) if side == viewer => Self::win(ply),
            Outcome::Win(_) => Self::loss(ply),
            Outcome::Draw => Self::DRAW,
            Outcome::Payoff(value) => Self(viewer.sign() * value),
        }
    }

    /// The next smaller score.
    #[inline]
    pub(super) const fn just_below(self) -> Self {
        Self(self.0 - 1)
    }

    /// The raw number.
    #[inline]
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// True for a proved win or loss.
    #[inline]
    pub const fn is_proved(self) -> bool {
        self.0.abs() > PROVED - MAX_PLIES
    }

    /// True for a proved win.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.is_proved() && self.0 > 0
    }

    /// True for a win or a loss, proved or against listed moves only; false for a heuristic value.
    #[inline]
    pub const fn is_decided(self) -> bool {
        self.0.abs() > Self::LIMIT
    }

    /// Distance of a win or loss, proved or not, in plies from the root.
    #[inline]
    pub const fn plies(self) -> u32 {
        let top = if self.is_proved() { PROVED } else { LIKELY };
        (top - self.0.abs()) as u32
    }

    /// Lower bound for a side with an incomplete move list, `plies` from the root: all its listed moves may
    /// lose without a proof of its loss.
    #[inline]
    pub const fn likely_loss(plies: u32) -> Self {
        Self(plies as i32 - LIKELY)
    }

    /// The score without its proof: a proved win or loss becomes one against listed moves only.
    #[inline]
    pub const fn without_proof(self) -> Self {
        if !self.is_proved() {
            return self;
        }
        let loss = Self::likely_loss(self.plies());
        if self.0 > 0 { Self(-loss.0) } else { loss }
    }

    /// The score with decided distances counted from a node `ply` plies below the root, as in table entries:
    /// the same position occurs at different distances from different roots.
    #[inline]
    pub const fn relative_to_node(self, ply: u32) -> Self {
        if !self.is_decided() { self } else { Self(self.0 + self.0.signum() * ply as i32) }
    }

    /// The inverse of [`Score::relative_to_node`].
    #[inline]
    pub const fn relative_to_root(self, ply: u32) -> Self {
        if !self.is_decided() { self } else { Self(self.0 - self.0.signum() * ply as i32) }
    }

    /// Value in an average over chance: decided values count `bound`.
    #[inline]
    pub fn squashed(self, bound: i32) -> f64 {
        f64::from(self.0.clamp(-bound, bound))
    }

    pub(super) const fn from_raw(raw: i32) -> Self {
        Self(raw)
    }
}

impl Neg for Score {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// Mean of the values and its standard error, `None` for a single value.
pub fn mean_and_stderr(values: &[f64]) -> (f64, Option<f64>) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (values.len() > 1).then(|| (squares / (n * (n - 1.0))).sqrt()))
}

/// What the scores of a search mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreScale {
    /// True if the game ends in payoffs.
    pub payoffs: bool,
    /// Largest absolute value that is not a proved result.
    pub reach: i32,
    /// True if the distance of a proved win or loss is exact, false if it is a bound.
    pub distances: bool,
}

impl ScoreScale {
    /// Scores of a game with this evaluator, with exact distances.
    pub fn of<G: Game, E: Evaluator<G>>(evaluator: &E) -> Self {
        // A mean over chance or worlds has results in it.
        let means = G::PAYOFFS || G::Chance::EXISTS || G::Info::HIDDEN;
        let reach = if means { evaluator.bound() } else { evaluator.reach() };
        Self { payoffs: G::PAYOFFS, reach, distances: true }
    }

    /// True if the distance of a proved score is exact: there is nothing shorter than one ply.
    pub(super) const fn is_exact(self, proved: Score) -> bool {
        self.distances || proved.plies() <= 1
    }
}

/// Value for the side to move, as reported.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Proved win in this many plies (by tree search: at most).
    Win(u32),
    /// Proved loss in this many plies.
    Loss(u32),
    /// Proved draw.
    Draw,
    /// Proved payoff, in the game's internal units.
    Payoff(i32),
    /// Heuristic value in the game's internal units.
    Heuristic(f64),
    /// Mean over determinizations, in the game's internal units.
    Sampled {
        /// Mean value.
        mean: f64,
        /// Standard error of the mean.
        stderr: f64,
    },
    /// Expected result by playouts, 0 (loss) to 1 (win).
    Estimate {
        /// Mean result.
        mean: f64,
        /// Number of playouts.
        simulations: u64,
        /// Standard error of the mean.
        stderr: f64,
    },
    /// Unknown.
    Unknown,
}

impl Value {
    /// True for a result: a win, a loss, a draw or a payoff.
    pub const fn is_proved(self) -> bool {
        matches!(self, Self::Win(_) | Self::Loss(_) | Self::Draw | Self::Payoff(_))
    }

    /// Mean value over worlds, at least one.
    pub(super) fn of_worlds(values: &[f64]) -> Self {
        let (mean, stderr) = mean_and_stderr(values);
        stderr.map_or(Self::Heuristic(mean), |stderr| Self::Sampled { mean, stderr })
    }

    /// Converts a score; `resolved`: it depends on finished games only, so that 0 is a draw. A win or loss
    /// against listed moves only is no proof: it is worth the greatest evaluation.
    pub fn from_score(score: Score, resolved: bool, scale: ScoreScale) -> Self {
        let ScoreScale { payoffs, reach, .. } = scale;
        if score.is_win() {
            Self::Win(score.plies())
        } else if score.is_proved() {
            Self::Loss(score.plies())
        } else if score == Score::DRAW && resolved && !payoffs {
            Self::Draw
        } else if resolved && payoffs {
            Self::Payoff(score.raw())
        } else {
            Self::Heuristic(f64::from(score.raw().clamp(-reach, reach)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_proved_stays_within_the_evaluation() {
        let scale = ScoreScale { payoffs: false, reach: 700, distances: true };
        let value = |score| Value::from_score(score, false, scale);
        assert_eq!(value(Score::likely_loss(3)), Value::Heuristic(-700.0));
        assert_eq!(value(Score::win(3).without_proof()), Value::Heuristic(700.0));
        assert_eq!(value(Score::heuristic(-35)), Value::Heuristic(-35.0));
        assert_eq!(value(Score::win(3)), Value::Win(3));
    }
}
