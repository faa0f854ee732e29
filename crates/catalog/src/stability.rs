//! Whether the rating of a move stands against the error of its value.

use super::rating::Label;
use super::written::WrittenLine;
use engine::search::Value;

/// What the moves of a position are held against, in expected result.
pub(super) struct Stability<'a> {
    /// That of the best move.
    pub(super) best: f64,
    /// That of the best move one iteration earlier.
    pub(super) earlier_best: Option<f64>,
    /// The reference of the scheme.
    pub(super) reference: f64,
    /// What a correct move may lose.
    pub(super) tolerance: f64,
    /// Standard error of a value.
    pub(super) stderr: &'a dyn Fn(Value) -> f64,
}

impl Stability<'_> {
    /// True if class and label are the same at both ends of the error; `None` if the error is unknown.
    pub(super) fn of(&self, line: &WrittenLine) -> Option<bool> {
        let p = line.win_probability?;
        let error = self.error(line, p)?;
        Some(error == 0.0 || self.rating(p - error) == self.rating(p + error))
    }

    /// Error of a move's loss: how far the last iteration has moved it, and two standard errors.
    fn error(&self, line: &WrittenLine, now: f64) -> Option<f64> {
        if line.exact {
            return Some(0.0);
        }
        let stderr = (self.stderr)(line.value);
        let then = self.earlier_best.zip(line.earlier).map(|(best, then)| best - then);
        match then {
            Some(then) => Some((self.best - now - then).abs() + 2.0 * stderr),
            None => (stderr > 0.0).then_some(2.0 * stderr),
        }
    }

    /// Label and class of a move with this expected result.
    fn rating(&self, p: f64) -> (Label, bool, bool) {
        let loss = (self.reference - p).max(0.0);
        (Label::of(loss, false, None), loss <= self.tolerance, p >= 0.5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Notations;

    fn line(now: f64, earlier: Option<f64>, exact: bool) -> WrittenLine {
        WrittenLine {
            moves: Vec::new(),
            notations: Notations::new(),
            value: Value::Unknown,
            exact,
            rated: true,
            bounded: false,
            worlds: Vec::new(),
            win_probability: Some(now),
            earlier,
            patient: false,
            state: 0,
        }
    }

    fn is_stable(line: &WrittenLine, stderr: f64) -> Option<bool> {
        let stability = Stability {
            best: 0.9,
            earlier_best: Some(0.9),
            reference: 0.9,
            tolerance: 0.02,
            stderr: &|_| stderr,
        };
        stability.of(line)
    }

    #[test]
    fn a_rating_is_stable_if_the_error_reaches_no_other() {
        // A loss of 0.15 is an error, from 0.10 to 0.20.
        assert_eq!(is_stable(&line(0.75, Some(0.72), false), 0.0), Some(true), "0.12 to 0.18");
        assert_eq!(is_stable(&line(0.75, Some(0.69), false), 0.0), Some(false), "0.09 to 0.21");
        assert_eq!(
            is_stable(&line(0.75, Some(0.72), false), 0.02),
            Some(false),
            "and 0.04 of chance"
        );
        assert_eq!(is_stable(&line(0.75, None, false), 0.0), None, "there was no iteration before");
        assert_eq!(is_stable(&line(0.75, None, true), 0.0), Some(true), "it is exact");
    }
}
