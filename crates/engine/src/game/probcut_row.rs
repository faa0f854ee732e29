//! What a shallow search says about a deeper one.

/// ProbCut regression of a pair of depths, in plies: deep value = a * shallow value + b + e.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProbCutRow {
    /// Depth of the predicting search.
    pub shallow: u32,
    /// Depth of the predicted search.
    pub deep: u32,
    /// Slope.
    pub a: f64,
    /// Intercept.
    pub b: f64,
    /// Standard deviation of the error e.
    pub sigma: f64,
}

impl ProbCutRow {
    /// Shallow value from which on the deep value is at least `least`, unless the error is below minus
    /// `doubt` standard deviations; `None` where a better shallow value does not predict a better deep one.
    pub fn needed(self, least: i32, doubt: f64) -> Option<f64> {
        (self.a > 0.0).then(|| (f64::from(least) - self.b + doubt * self.sigma) / self.a)
    }

    /// Shallow value up to which the deep value is at most `most`, unless the error is above `doubt` standard
    /// deviations; `None` as in [`needed`](Self::needed).
    pub fn allowed(self, most: i32, doubt: f64) -> Option<f64> {
        self.needed(most, -doubt)
    }
}
