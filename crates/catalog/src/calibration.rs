//! Reader of calibration files, written by `bestmove calibrate`.

use serde_json::{Map, Value};

use engine::search::{Calibration, MarginByDepth, ProbCutRow};
use games::notation::{Fault, members};

/// Content of a calibration file, in reported units.
pub(super) struct CalibrationFile<'a> {
    pub(super) game: &'a str,
    pub(super) unit: &'a str,
    pub(super) measured: Calibration,
}

type Object = Map<String, Value>;

impl<'a> CalibrationFile<'a> {
    /// # Errors
    /// The fault, its place and the expected value.
    pub(super) fn read(file: &'a Value) -> Result<Self, Fault> {
        let map = members(file, &["game", "unit", "measured", "positions", "seed", "nodes"])?;
        let measured = member(map, "measured", "an object")?;
        Ok(Self {
            game: text(map, "game")?,
            unit: text(map, "unit")?,
            measured: read_measured(measured).map_err(|fault| fault.under("measured"))?,
        })
    }
}

fn read_measured(value: &Value) -> Result<Calibration, Fault> {
    const KNOWN: [&str; 7] = ["scale", "r", "probcut", "curve", "brier", "brier_fitted", "gains"];
    let map = members(value, &KNOWN)?;
    let scale = match member(map, "scale", POSITIVE)? {
        Value::Null => None,
        _ => Some(number(map, "scale", POSITIVE, |scale| scale > 0.0)?),
    };
    let razor_margin = match member(map, "r", "R by depth")? {
        Value::Null => None,
        r => Some(read_growth(r).map_err(|fault| fault.under("r"))?),
    };
    let Value::Array(rows) = member(map, "probcut", "a list of rows")? else {
        return Err(Fault::shape("expected a list of rows").under("probcut"));
    };
    let rows = rows.iter().enumerate().map(|(n, row)| read_pair(row).map_err(|f| f.under(n)));
    let probcut = rows.collect::<Result<_, _>>().map_err(|fault: Fault| fault.under("probcut"))?;
    Ok(Calibration { scale, razor_margin, probcut })
}

fn read_growth(value: &Value) -> Result<MarginByDepth, Fault> {
    let map = members(value, &["at_depth_1", "by_ln_depth"])?;
    Ok(MarginByDepth {
        at_depth_1: number(map, "at_depth_1", AT_LEAST_NOTHING, |r| r >= 0.0)?,
        by_ln_depth: number(map, "by_ln_depth", ANY, |_| true)?,
    })
}

fn read_pair(value: &Value) -> Result<ProbCutRow, Fault> {
    let map = members(value, &["shallow", "deep", "a", "b", "sigma"])?;
    let pair = ProbCutRow {
        shallow: plies(map, "shallow")?,
        deep: plies(map, "deep")?,
        a: number(map, "a", ANY, |_| true)?,
        b: number(map, "b", ANY, |_| true)?,
        sigma: number(map, "sigma", AT_LEAST_NOTHING, |sigma| sigma >= 0.0)?,
    };
    if pair.deep <= pair.shallow {
        let why = format!("must be greater than `shallow` {}, got {}", pair.shallow, pair.deep);
        return Err(Fault::shape(why).under("deep"));
    }
    Ok(pair)
}

const ANY: &str = "a number";
const POSITIVE: &str = "a number above 0";
const AT_LEAST_NOTHING: &str = "a number of at least 0";

fn member<'a>(map: &'a Object, key: &str, expected: &str) -> Result<&'a Value, Fault> {
    map.get(key).ok_or_else(|| Fault::shape(format!("missing; expected {expected}")).under(key))
}

fn text<'a>(map: &'a Object, key: &str) -> Result<&'a str, Fault> {
    let value = member(map, key, "a string")?;
    value.as_str().ok_or_else(|| Fault::shape(format!("expected a string, got {value}")).under(key))
}

fn number(
    map: &Object,
    key: &str,
    expected: &str,
    fits: impl Fn(f64) -> bool,
) -> Result<f64, Fault> {
    let value = member(map, key, expected)?;
    let found = value.as_f64().filter(|&number| fits(number));
    found.ok_or_else(|| Fault::shape(format!("expected {expected}, got {value}")).under(key))
}

fn plies(map: &Object, key: &str) -> Result<u32, Fault> {
    let expected = "a whole number of plies";
    let value = member(map, key, expected)?;
    let found = value.as_u64().and_then(|plies| plies.try_into().ok());
    found.ok_or_else(|| Fault::shape(format!("expected {expected}, got {value}")).under(key))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::Catalog;
    use engine::search::{Calibration, MarginByDepth, ProbCutRow};

    use super::*;

    fn file() -> Value {
        json!({
            "game": "easycard", "unit": "100 = one hit point", "positions": 40, "seed": 1, "nodes": 100,
            "measured": {
                "scale": 250.5, "r": { "at_depth_1": 210.0, "by_ln_depth": -3.5 },
                "probcut": [{ "shallow": 1, "deep": 5, "a": 0.9, "b": -12.0, "sigma": 80.0 }],
                "curve": [], "brier": null, "brier_fitted": null, "gains": []
            }
        })
    }

    /// Error message about the file with this value at a pointer, or with that member removed.
    fn refused(pointer: &str, value: Option<Value>) -> String {
        let mut file = file();
        let (above, key) = pointer.rsplit_once('/').expect("a pointer");
        let above = file.pointer_mut(above).expect("there");
        match (value, above) {
            (Some(value), above) => above[key] = value,
            (None, Value::Object(map)) => drop(map.remove(key)),
            (None, _) => panic!("{pointer} is not a member of an object"),
        }
        let fault = Catalog::default().calibrate(&file).expect_err("it is wrong");
        assert!(fault.pointer.starts_with(pointer), "{fault}");
        fault.detail
    }

    #[test]
    fn what_was_measured_is_read() {
        let file = file();
        let record = CalibrationFile::read(&file).expect("a file");
        assert_eq!((record.game, record.unit), ("easycard", "100 = one hit point"));
        let razor_margin = Some(MarginByDepth { at_depth_1: 210.0, by_ln_depth: -3.5 });
        let probcut = vec![ProbCutRow { shallow: 1, deep: 5, a: 0.9, b: -12.0, sigma: 80.0 }];
        assert_eq!(record.measured, Calibration { scale: Some(250.5), razor_margin, probcut });
    }

    #[test]
    fn what_could_not_be_fitted_is_null() {
        let mut file = file();
        file["measured"]["scale"] = Value::Null;
        file["measured"]["r"] = Value::Null;
        file["measured"]["probcut"] = json!([]);
        assert_eq!(CalibrationFile::read(&file).expect("a file").measured, Calibration::NOTHING);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let says = |pointer: &str, value: Option<Value>, words: &str| {
            let said = refused(pointer, value);
            assert!(said.contains(words), "{pointer}: {said}");
        };
        says("/game", Some(json!("chess")), "unknown game `chess`; known: nim");
        says("/game", Some(json!(7)), "expected a string, got 7");
        says("/unit", Some(json!("pawns")), "measured in `pawns`");
        for missing in ["/game", "/unit", "/measured", "/measured/r", "/measured/scale"] {
            says(missing, None, "missing; expected");
        }
        for missing in ["at_depth_1", "by_ln_depth"] {
            says(&format!("/measured/r/{missing}"), None, "missing; expected a number");
        }
        says("/measured/probcut", None, "missing; expected a list of rows");
        says("/measured/r/at_depth_1", Some(json!(-3)), "expected a number of at least 0, got -3");
        says("/measured/r/by_ln_depth", Some(json!("x")), "expected a number, got \"x\"");
        says("/measured/scale", Some(json!(0)), "expected a number above 0, got 0");
        says("/measured/scale", Some(json!([])), "expected a number above 0, got []");
        says("/measured/probcut", Some(json!({})), "expected a list of rows");
        says("/measured/probcut/0/shallow", Some(json!(1.5)), "a whole number of plies, got 1.5");
        says("/measured/probcut/0/deep", Some(json!(1)), "must be greater than `shallow` 1, got 1");
        says("/measured/probcut/0/sigma", Some(json!(-1)), "expected a number of at least 0");
        says("/measured/probcut/0/a", Some(json!(null)), "expected a number, got null");
        says("/measured/probcut/0/b", None, "missing; expected a number");
        says("/measured/more", Some(json!(1)), "unknown field `more`");
    }

    #[test]
    fn a_game_is_calibrated_once() {
        let mut catalog = Catalog::default();
        let is_calibrated =
            |catalog: &Catalog| catalog.game("easycard").expect("a game").describe().calibrated;
        assert!(!is_calibrated(&catalog));
        catalog.calibrate(&file()).expect("a file");
        assert!(is_calibrated(&catalog));
        let fault = catalog.calibrate(&file()).expect_err("it was before");
        assert_eq!(
            (fault.pointer.as_str(), fault.detail.contains("two calibration files")),
            ("/game", true)
        );
    }
}
