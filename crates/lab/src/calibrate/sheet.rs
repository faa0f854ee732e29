//! Summary of the measurements, and its output.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::Measured;
use super::fit::{self, FittedLine};

/// Bins of the curve, with equal numbers of positions.
const PARTS: usize = 8;
/// Quantile of the gains that defines R.
const SURE: f64 = 0.9;

/// Gain of searches of one depth over the static evaluation.
struct Gain {
    depth: u32,
    count: usize,
    median: f64,
    /// R: the 90 % quantile.
    most: f64,
}

/// Linear prediction of one depth's values from another's.
struct DepthPair {
    shallow: usize,
    deep: usize,
    line: FittedLine,
}

/// How well results were foretold, of proved positions too.
struct Foretold {
    positions: usize,
    proved: usize,
    brier: f64,
    /// Brier score of whoever always foretells the mean result of the first side.
    base: f64,
}

/// Summary of all measurements.
pub(super) struct Sheet {
    foretold: Option<Foretold>,
    /// Mean value, predicted result and actual result per bin.
    curve: Vec<[f64; 3]>,
    /// Brier scores of the deepest search's forecasts, and of the fitted curve's.
    brier: [Option<f64>; 2],
    /// Scale of the best-fitting logistic curve of values.
    scale: Option<f64>,
    gains: Vec<Gain>,
    /// R over the logarithm of the depth.
    growth: Option<FittedLine>,
    pairs: Vec<DepthPair>,
}

impl Sheet {
    pub(super) fn of(measured: &[Measured], depth: u32) -> Self {
        let mut told: Vec<_> = measured.iter().filter_map(forecast).collect();
        told.sort_by(|one, other| one[0].total_cmp(&other[0]));
        let part = told.len().div_ceil(PARTS).max(1);
        let mean = |part: &[[f64; 3]]| {
            [0, 1, 2].map(|n| part.iter().map(|row| row[n]).sum::<f64>() / part.len() as f64)
        };
        let points: Vec<_> = told.iter().map(|row| (row[0], row[2])).collect();
        let scale = fit::scale(&points);
        let fitted = scale.and_then(|scale| {
            let foretell = |&(value, result): &(f64, f64)| (fit::logistic(value, scale), result);
            fit::brier(&points.iter().map(foretell).collect::<Vec<_>>())
        });
        let forecasts: Vec<_> = told.iter().map(|row| (row[1], row[2])).collect();
        let gains: Vec<_> = (1..=depth).filter_map(|depth| gain(measured, depth)).collect();
        let growth: Vec<_> =
            gains.iter().map(|gain| (f64::from(gain.depth).ln(), gain.most)).collect();
        Self {
            foretold: foretold(measured),
            curve: told.chunks(part).map(mean).collect(),
            brier: [fit::brier(&forecasts), fitted],
            scale,
            growth: fit::line(&growth),
            gains,
            pairs: pairs(measured, depth as usize),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.gains.is_empty()
    }

    /// What was foretold and what came, a point for each bin.
    pub(super) fn reliability(&self) -> Vec<(f64, f64)> {
        self.curve.iter().map(|&[_, told, came]| (told, came)).collect()
    }

    pub(super) fn print(&self, unit: &str, out: &mut impl Write) -> io::Result<()> {
        if let Some(Foretold { positions, proved, brier, base }) = self.foretold {
            write!(
                out,
                "{positions} positions, {proved} of them proved: Brier score {brier:.4}, of the mean result {base:.4}"
            )?;
            // All games may have the same result.
            if base > 0.0 {
                write!(out, ": better by {:.1} %", 100.0 * (1.0 - brier / base))?;
            }
            writeln!(out, "\n")?;
        }
        writeln!(out, "unit: {unit}\n\n{:>8} {:>10} {:>8}", "value", "foretold", "result")?;
        for [value, told, result] in &self.curve {
            writeln!(out, "{value:>8.2} {told:>10.3} {result:>8.3}")?;
        }
        if let [Some(brier), Some(fitted)] = self.brier
            && let Some(scale) = self.scale
        {
            writeln!(out, "Brier score {brier:.4}; {fitted:.4} with the scale {scale:.2}")?;
        }
        writeln!(out, "\n{:>5} {:>6} {:>8} {:>8}", "depth", "count", "median", "R")?;
        for Gain { depth, count, median, most } in &self.gains {
            writeln!(out, "{depth:>5} {count:>6} {median:>8.2} {most:>8.2}")?;
        }
        if let Some(FittedLine { slope, base, .. }) = self.growth {
            writeln!(out, "R = {base:.2} + {slope:.2} ln depth")?;
        }
        writeln!(
            out,
            "\n{:>7} {:>5} {:>7} {:>7} {:>7}   deep = a * shallow + b + e",
            "shallow", "deep", "a", "b", "sigma"
        )?;
        for DepthPair { shallow, deep, line: FittedLine { slope, base, sigma } } in &self.pairs {
            writeln!(out, "{shallow:>7} {deep:>5} {slope:>7.3} {base:>7.2} {sigma:>7.2}")?;
        }
        Ok(())
    }

    pub(super) fn json(&self) -> Value {
        let gain = |gain: &Gain| json!({ "depth": gain.depth, "count": gain.count, "median": gain.median, "r": gain.most });
        let pair = |DepthPair { shallow, deep, line }: &DepthPair| json!({ "shallow": shallow, "deep": deep, "a": line.slope, "b": line.base, "sigma": line.sigma });
        json!({
            "curve": self.curve,
            "brier": self.brier[0],
            "brier_fitted": self.brier[1],
            "scale": self.scale,
            "gains": self.gains.iter().map(gain).collect::<Vec<_>>(),
            "r": self.growth.map(|line| json!({ "at_depth_1": line.base, "by_ln_depth": line.slope })),
            "probcut": self.pairs.iter().map(pair).collect::<Vec<_>>(),
        })
    }
}

fn foretold(measured: &[Measured]) -> Option<Foretold> {
    let known: Vec<_> = measured.iter().filter_map(|one| Some((one, one.told?))).collect();
    let of_first = |one: &Measured, result: f64| if one.is_first { result } else { 1.0 - result };
    let mean =
        known.iter().map(|(one, _)| of_first(one, one.result)).sum::<f64>() / known.len() as f64;
    let told: Vec<_> = known.iter().map(|(one, told)| (*told, one.result)).collect();
    let mean: Vec<_> = known.iter().map(|(one, _)| (of_first(one, mean), one.result)).collect();
    let proved = known.iter().filter(|(one, _)| forecast(one).is_none()).count();
    let (brier, base) = (fit::brier(&told)?, fit::brier(&mean)?);
    Some(Foretold { positions: known.len(), proved, brier, base })
}

/// Deepest value, predicted result and actual result.
fn forecast(one: &Measured) -> Option<[f64; 3]> {
    Some([(*one.values.last()?)?, one.told?, one.result])
}

fn gain(measured: &[Measured], depth: u32) -> Option<Gain> {
    let found = |one: &Measured| Some(one.values[depth as usize]? - one.values[0]?);
    let mut gains: Vec<_> = measured.iter().filter_map(found).collect();
    let most = fit::quantile(&mut gains, SURE)?;
    let median = fit::quantile(&mut gains, 0.5)?;
    Some(Gain { depth, count: gains.len(), median, most })
}

fn pairs(measured: &[Measured], deepest: usize) -> Vec<DepthPair> {
    let of = |shallow: usize, deep: usize| {
        let point = |one: &Measured| Some((one.values[shallow]?, one.values[deep]?));
        let points: Vec<_> = measured.iter().filter_map(point).collect();
        fit::line(&points).map(|line| DepthPair { shallow, deep, line })
    };
    (0..deepest)
        .flat_map(|shallow| (shallow + 1..=deepest).filter_map(move |deep| of(shallow, deep)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_result_is_that_of_the_first_side() {
        let one = |is_first, told, result| Measured { is_first, values: vec![None], told, result };
        // The first side scores 1, 0 and 0.5.
        let measured = [
            one(true, Some(0.75), 1.0),
            one(false, Some(1.0), 1.0),
            one(true, Some(0.25), 0.5),
            one(true, None, 0.0),
        ];
        let all = foretold(&measured).expect("three forecasts");
        assert_eq!((all.positions, all.proved), (3, 3));
        assert!((all.brier - 0.125 / 3.0).abs() < 1e-12, "{}", all.brier);
        assert!((all.base - 0.5 / 3.0).abs() < 1e-12, "{}", all.base);
        assert!(foretold(&measured[3..]).is_none());
    }
}
