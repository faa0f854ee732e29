//! Statistics of the measurements: quantiles, regression lines and one logistic curve.

pub(super) use engine::game::logistic;

/// Line y = slope * x + base, and the standard deviation of its residuals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FittedLine {
    pub(super) slope: f64,
    pub(super) base: f64,
    pub(super) sigma: f64,
}

/// Quantile: the value that this share of all does not exceed; `None` of no values.
pub(super) fn quantile(values: &mut [f64], share: f64) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    Some(values[(share * last as f64).round() as usize])
}

/// Least-squares line; `None` where all points have the same x.
pub(super) fn line(points: &[(f64, f64)]) -> Option<FittedLine> {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let spread = points.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>();
    if points.len() < 2 || spread == 0.0 {
        return None;
    }
    let slope = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>() / spread;
    let base = y - slope * x;
    let error = |point: &(f64, f64)| (point.1 - slope * point.0 - base).powi(2);
    Some(FittedLine { slope, base, sigma: (points.iter().map(error).sum::<f64>() / count).sqrt() })
}

/// Mean squared distance of forecasts to results; `None` of no forecasts.
// CITE: Brier 1950.
pub(super) fn brier(forecasts: &[(f64, f64)]) -> Option<f64> {
    let error = |(forecast, result): &(f64, f64)| (forecast - result).powi(2);
    let sum = forecasts.iter().map(error).sum::<f64>();
    (!forecasts.is_empty()).then(|| sum / forecasts.len() as f64)
}

/// Maximum-likelihood scale of the logistic curve from values to results; `None` where values say nothing
/// of results, or everything.
pub(super) fn scale(points: &[(f64, f64)]) -> Option<f64> {
    const HALVINGS: usize = 60;
    // The loss is convex in the steepness 1 / scale: its slope changes sign once.
    let falls = |steepness: f64| {
        let slope =
            |&(value, result): &(f64, f64)| (logistic(value, 1.0 / steepness) - result) * value;
        points.iter().map(slope).sum::<f64>() < 0.0
    };
    let largest = points.iter().fold(1e-9, |most: f64, point| most.max(point.0.abs()));
    let (mut low, mut high) = (0.0, 1_000.0 / largest);
    // If no result contradicts its value, the loss falls forever, until rounding hides it.
    let goes_with = |&(value, result): &(f64, f64)| {
        if value > 0.0 {
            result == 1.0
        } else if value < 0.0 {
            result == 0.0
        } else {
            true
        }
    };
    if !falls(low) || falls(high) || points.iter().all(goes_with) {
        return None;
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        *(if falls(middle) { &mut low } else { &mut high }) = middle;
    }
    Some(1.0 / high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_again() {
        let points: Vec<_> = (0..10).map(|n| (f64::from(n), 3.0 - 0.5 * f64::from(n))).collect();
        let found = line(&points).expect("a line");
        assert!((found.slope + 0.5).abs() < 1e-12 && (found.base - 3.0).abs() < 1e-12);
        assert!(found.sigma < 1e-9);
        let off = |n: usize| if n.is_multiple_of(2) { 2.0 } else { -2.0 };
        let noisy: Vec<_> = (0..1_000).map(|n| ((n / 2) as f64, off(n))).collect();
        assert!((line(&noisy).expect("a line").sigma - 2.0).abs() < 0.01);
        assert_eq!(line(&[(1.0, 1.0), (1.0, 2.0)]), None);
        assert_eq!(line(&[]), None);
    }

    #[test]
    fn nine_in_ten_do_not_exceed_the_quantile() {
        let mut values: Vec<_> = (0..=100).rev().map(f64::from).collect();
        assert_eq!(quantile(&mut values, 0.9), Some(90.0));
        assert_eq!(quantile(&mut values, 1.0), Some(100.0));
        assert_eq!(quantile(&mut [], 0.9), None);
    }

    #[test]
    fn the_scale_behind_results_is_found_again() {
        let value = |n: i32| f64::from(n) / 10.0;
        let points: Vec<_> = (-50..=50).map(|n| (value(n), logistic(value(n), 2.5))).collect();
        let found = scale(&points).expect("a scale");
        assert!((found - 2.5).abs() < 1e-6, "{found}");
        let told: Vec<_> = points.iter().map(|&(_, result)| (result, result)).collect();
        assert_eq!(brier(&told), Some(0.0));
        assert_eq!(brier(&[(0.5, 1.0), (0.5, 0.0)]), Some(0.25));
        assert_eq!(scale(&[(1.0, 1.0), (-1.0, 0.0)]), None, "values say everything");
    }
}
