//! The policy head in floating point: shares of the choices, their gradient, and the losses of both heads.

use crate::model::{Model, add};
use engine::network::MoveRows;

/// Sums of losses.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Losses {
    value: f64,
    values: usize,
    policy: f64,
    /// Positions in which the choice of the search is the first of the policy.
    first: usize,
    policies: usize,
}

impl Losses {
    pub(crate) fn value(&mut self, loss: f32) {
        self.value += f64::from(loss);
        self.values += 1;
    }

    /// Counts a position in which the search has chosen the move `best`.
    pub(crate) fn policy(&mut self, best: usize, shares: &[f32]) {
        self.policy -= f64::from(shares[best].max(f32::MIN_POSITIVE).ln());
        self.first += usize::from(shares.iter().all(|&share| share <= shares[best]));
        self.policies += 1;
    }

    /// Mean loss of the values.
    pub(crate) fn mean_value(&self) -> f32 {
        (self.value / self.values.max(1) as f64) as f32
    }
}

impl std::ops::AddAssign for Losses {
    fn add_assign(&mut self, other: Self) {
        self.value += other.value;
        self.values += other.values;
        self.policy += other.policy;
        self.first += other.first;
        self.policies += other.policies;
    }
}

impl std::fmt::Display for Losses {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.5}", self.mean_value())?;
        let count = self.policies as f64;
        if count > 0.0 {
            let (policy, first) = (self.policy / count, 100.0 * self.first as f64 / count);
            write!(f, ", policy {policy:.4}, first {first:.1} %")?;
        }
        Ok(())
    }
}

/// Activations that the policy head reads.
pub(crate) fn active<const HIDDEN: usize>(sums: &[f32; HIDDEN]) -> [f32; HIDDEN] {
    sums.map(|sum| sum.clamp(0.0, 1.0))
}

impl<const HIDDEN: usize> Model<HIDDEN> {
    /// How likely each choice is the best one; the shares sum up to 1.
    pub(crate) fn policy(&self, active: &[f32; HIDDEN], choices: &[MoveRows]) -> Vec<f32> {
        let logit = |rows: &MoveRows| -> f32 {
            let of_row = |row: &u32| {
                let weights = &self.moves[*row as usize];
                let sum: f32 = active.iter().zip(weights).map(|(sum, weight)| sum * weight).sum();
                sum + self.move_offsets[*row as usize]
            };
            rows.iter().map(of_row).sum()
        };
        let mut shares: Vec<f32> = choices.iter().map(logit).collect();
        let most = shares.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        shares.iter_mut().for_each(|share| *share = (*share - most).exp());
        let all: f32 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= all);
        shares
    }

    /// Adds the gradient of the policy's loss to the head and returns that of the activations.
    pub(crate) fn learn_policy(
        &self,
        best: usize,
        choices: &[MoveRows],
        active: &[f32; HIDDEN],
        shares: &[f32],
        gradient: &mut Self,
    ) -> [f32; HIDDEN] {
        let mut below = [0.0; HIDDEN];
        for (n, (rows, share)) in choices.iter().zip(shares).enumerate() {
            let slope = share - f32::from(u8::from(n == best));
            let weighted = active.map(|active| slope * active);
            for &row in rows {
                gradient.move_offsets[row as usize] += slope;
                add(&mut gradient.moves[row as usize], &weighted);
                add(&mut below, &self.moves[row as usize].map(|weight| slope * weight));
            }
        }
        below
    }
}
