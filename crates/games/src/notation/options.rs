//! Options in JSON: checked against their declaration.

pub use engine::options::{OptionKind, OptionSpec, OptionValue, Settings};
use serde_json::{Map, Value, json};

use super::{Fault, did_you_mean};

/// Reads the value of an option, the default if none is given.
///
/// # Errors
/// The expected value.
fn read(spec: &OptionSpec, given: Option<&Value>) -> Result<OptionValue, String> {
    let Some(given) = given else { return Ok(spec.kind.default()) };
    let expected = |what: String| format!("`{}` must be {what}, got {given}", spec.name);
    match spec.kind {
        OptionKind::Flag { .. } => {
            given.as_bool().map(OptionValue::Flag).ok_or_else(|| expected("true or false".into()))
        }
        OptionKind::Integer { min, max, .. } => whole(given)
            .filter(|value| (min..=max).contains(value))
            .map(OptionValue::Integer)
            .ok_or_else(|| expected(format!("a whole number from {min} to {max}"))),
        OptionKind::Number { min, max, .. } => given
            .as_f64()
            .filter(|value| (min..=max).contains(value))
            .map(OptionValue::Number)
            .ok_or_else(|| expected(format!("a number from {min} to {max}"))),
        OptionKind::Choice(words) => given
            .as_str()
            .and_then(|text| words.iter().find(|word| **word == text))
            .map(|word| OptionValue::Choice(word))
            .ok_or_else(|| {
                let similar =
                    did_you_mean(given.as_str().unwrap_or_default(), words.iter().copied());
                expected(format!("one of `{}`", words.join("`, `"))) + &similar
            }),
    }
}

/// A JSON number without fraction: `7` and `7.0` are the same integer.
fn whole(value: &Value) -> Option<i64> {
    let float = || value.as_f64().filter(|f| f.fract() == 0.0 && f.abs() < 9e15).map(|f| f as i64);
    value.as_i64().or_else(float)
}

/// Takes the declared options out of `given`, with defaults for those that are absent.
///
/// # Errors
/// When a value has the wrong type or is out of range; the pointer names the option.
pub fn take_options(
    specs: &[OptionSpec],
    given: &mut Map<String, Value>,
) -> Result<Settings, Fault> {
    let take = |spec: &OptionSpec| {
        let value = given.remove(spec.name);
        let value = read(spec, value.as_ref());
        let value = value.map_err(|why| Fault::shape(why).under(spec.name))?;
        Ok((spec.name, value))
    };
    specs.iter().map(take).collect()
}

/// JSON schema of options with these declarations.
pub fn options_schema<'a>(specs: impl IntoIterator<Item = &'a OptionSpec>) -> Value {
    let property = |spec: &OptionSpec| {
        let about = spec.about;
        let schema = match spec.kind {
            OptionKind::Flag { default } => {
                json!({ "type": "boolean", "default": default, "description": about })
            }
            OptionKind::Integer { min, max, default } => json!({
                "type": "integer", "minimum": min, "maximum": max, "default": default, "description": about
            }),
            OptionKind::Number { min, max, default } => json!({
                "type": "number", "minimum": min, "maximum": max, "default": default, "description": about
            }),
            OptionKind::Choice(words) => {
                json!({ "enum": words, "default": words[0], "description": about })
            }
        };
        (spec.name.to_owned(), schema)
    };
    let properties: Map<String, Value> = specs.into_iter().map(property).collect();
    json!({ "type": "object", "additionalProperties": false, "properties": properties })
}
