//! JSON of a shape, or a problem that points at what is wrong.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::problem::{Problem, ProblemCode};
use catalog::PlainObject;
use games::notation::{in_plain_words, json_pointer};

/// The problem of a body, or a question of a batch, that is longer than this.
pub(crate) fn longer_than(bytes: usize) -> Problem {
    let detail = format!("the body must have at most {bytes} bytes");
    Problem::new(ProblemCode::BodyTooLarge, detail)
}

/// Reads a JSON object of the shape `T`.
pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    // To know the place of an error costs as much as reading: only a body that has one is read so.
    serde_json::from_slice(bytes).or_else(|_| parse_placed(bytes)).map(|PlainObject(value)| value)
}

fn parse_placed<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|why| {
        if why.inner().classify() == serde_json::error::Category::Data {
            return wrong_shape(why);
        }
        // A number or a truth value where a word is expected is no syntax error, but read as one from text.
        match serde_json::from_slice::<Value>(bytes) {
            Ok(json) => serde_path_to_error::deserialize::<_, T>(json)
                .map_or_else(wrong_shape, |_| not_json(why.inner())),
            Err(why) => not_json(&why),
        }
    })?;
    json.end().map_err(|why| not_json(&why))?;
    Ok(value)
}

fn wrong_shape(why: serde_path_to_error::Error<serde_json::Error>) -> Problem {
    let pointer = json_pointer(why.path());
    let detail = in_plain_words(&why.into_inner().to_string());
    let detail = misplaced_limit(&detail).unwrap_or(detail);
    Problem::new(ProblemCode::InvalidRequest, &detail).at(pointer, detail)
}

/// What stands in a budget, and is looked for beside it.
const LIMITS: [&str; 4] = ["time_ms", "depth", "nodes", "simulations"];

/// What to say of a limit beside the budget.
fn misplaced_limit(detail: &str) -> Option<String> {
    let name = detail.strip_prefix("unknown field `")?.split('`').next()?;
    let is_limit = LIMITS.contains(&name) && detail.contains("`budget`");
    is_limit.then(|| format!("unknown field `{name}`; did you mean `budget.{name}`?"))
}

fn not_json(why: &serde_json::Error) -> Problem {
    let detail = format!("invalid JSON: {why}");
    Problem::new(ProblemCode::NotJson, detail)
}
