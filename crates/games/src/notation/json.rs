//! Input in JSON: types read by serde, the schemas derived from these types, and faults in plain words.

use std::borrow::Cow;
use std::fmt;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::{self, DeserializeOwned, Deserializer, Visitor};
use serde_json::Value;
use serde_path_to_error::{Path, Segment};

use super::reader::ValueReader;
use super::{Fault, did_you_mean};

/// The JSON schema (draft 2020-12) of what [`read_json`] reads, in one piece.
pub fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    // The name of a type of this program.
    schema.remove("title");
    schema.to_value()
}

/// Reads a value.
///
/// # Errors
/// What is wrong, and where in the value.
pub fn read_json<T: DeserializeOwned>(value: &Value) -> Result<T, Fault> {
    T::deserialize(ValueReader(value))
}

/// Reads a state.
///
/// # Errors
/// What is wrong, where in the value, and what the member is.
pub fn read_state<T: DeserializeOwned + JsonSchema>(value: &Value) -> Result<T, Fault> {
    read_json(value).map_err(|fault| {
        let schema = schema_of::<T>();
        let member =
            fault.pointer.strip_prefix('/').and_then(|name| schema["properties"].get(name));
        let about = member.and_then(|member| member["description"].as_str());
        let about = about.and_then(|about| about.split(". ").next());
        let about = about.map_or_else(String::new, |about| format!("; {about}"));
        Fault { detail: fault.detail + &about, ..fault }
    })
}

/// The path to a value as a JSON pointer.
pub fn json_pointer(path: &Path) -> String {
    let segments = path.iter().map(|segment| match segment {
        Segment::Seq { index } => format!("/{index}"),
        Segment::Map { key } => format!("/{}", key.replace('~', "~0").replace('/', "~1")),
        Segment::Enum { variant } => format!("/{variant}"),
        Segment::Unknown => String::new(),
    });
    segments.collect()
}

/// A message of serde in the words of this service, and with the known name nearest to an unknown one.
pub fn in_plain_words(message: &str) -> String {
    // Line and column are redundant beside the pointer.
    let text = message.split(" at line ").next().unwrap_or(message);
    let wrong =
        text.strip_prefix("invalid type: ").or_else(|| text.strip_prefix("invalid value: "));
    if let Some((given, expected)) = wrong.and_then(|rest| rest.rsplit_once(", expected ")) {
        return format!("expected {}, got {}", plain_type(expected), plain_value(given));
    }
    if let Some((given, expected)) =
        text.strip_prefix("invalid length ").and_then(|rest| rest.split_once(", expected "))
    {
        return match plain_type(expected) {
            object if expected.starts_with("struct ") => format!("expected {object}, got a list"),
            list => format!("expected {list}, got {given}"),
        };
    }
    let text = text.replace("unknown variant", "unknown value");
    let is_unknown = text.starts_with("unknown field") || text.starts_with("unknown value");
    // The first name in quotes is the given one.
    let mut names = text.split('`').skip(1).step_by(2);
    let given = names.next().filter(|_| is_unknown);
    let similar = given.map_or_else(String::new, |given| did_you_mean(given, names));
    text + &similar
}

/// What serde says that it expects.
fn plain_type(expected: &str) -> String {
    if expected.starts_with("struct ") || expected == "a map" {
        return "an object".to_owned();
    }
    for list in ["an array of length ", "a tuple of size "] {
        if let Some(length) = expected.strip_prefix(list) {
            return format!("a list of {length}");
        }
    }
    let known = [
        ("a boolean", "true or false"),
        ("a sequence", "a list"),
        ("string or map", "a string"),
        ("f64", "a number"),
        ("i8", "a whole number"),
    ];
    let plain = known.into_iter().find(|(word, _)| *word == expected);
    plain.map_or(expected, |(_, plain)| plain).to_owned()
}

/// What serde says that it was given: "integer `7`" is 7.
fn plain_value(given: &str) -> String {
    match given {
        "map" => "an object".to_owned(),
        "sequence" => "a list".to_owned(),
        "unit value" => "null".to_owned(),
        _ => match given.strip_prefix("string ").or_else(|| given.split('`').nth(1)) {
            Some(value) => value.to_owned(),
            None => given.to_owned(),
        },
    }
}

/// A whole number within bounds; `7.0` is the number 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundedWhole<const LEAST: u64, const MOST: u64>(pub u64);

impl<const LEAST: u64, const MOST: u64> BoundedWhole<LEAST, MOST> {
    /// The number, which the bounds must fit into `u8`.
    pub const fn small(self) -> u8 {
        const { assert!(MOST <= u8::MAX as u64) };
        self.0 as u8
    }

    /// The number, which the bounds must fit into `u16`.
    pub const fn medium(self) -> u16 {
        const { assert!(MOST <= u16::MAX as u64) };
        self.0 as u16
    }
}

struct BoundedVisitor<const LEAST: u64, const MOST: u64>;

impl<const LEAST: u64, const MOST: u64> Visitor<'_> for BoundedVisitor<LEAST, MOST> {
    type Value = BoundedWhole<LEAST, MOST>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from {LEAST} to {MOST}")
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Self::Value, E> {
        if (LEAST..=MOST).contains(&value) {
            Ok(BoundedWhole(value))
        } else {
            Err(E::invalid_value(de::Unexpected::Unsigned(value), &self))
        }
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Self::Value, E> {
        let whole = u64::try_from(value)
            .map_err(|_| E::invalid_value(de::Unexpected::Signed(value), &self))?;
        self.visit_u64(whole)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Self::Value, E> {
        if value.fract() == 0.0 && (0.0..9e15).contains(&value) {
            self.visit_u64(value as u64)
        } else {
            Err(E::invalid_value(de::Unexpected::Float(value), &self))
        }
    }
}

impl<'de, const LEAST: u64, const MOST: u64> Deserialize<'de> for BoundedWhole<LEAST, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(BoundedVisitor)
    }
}

impl<const LEAST: u64, const MOST: u64> JsonSchema for BoundedWhole<LEAST, MOST> {
    fn schema_name() -> Cow<'static, str> {
        format!("WholeFrom{LEAST}To{MOST}").into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": LEAST, "maximum": MOST })
    }
}
