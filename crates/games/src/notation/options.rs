//! Options with a name, a type, a range and a default: declared once, checked and documented from
//! the declaration.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::Fault;

/// The type, the range and the default of an option.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OptionKind {
    /// True or false.
    Flag {
        /// The value when the option is not given.
        default: bool,
    },
    /// A whole number between two bounds, both allowed.
    Integer {
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
        /// The value when the option is not given.
        default: i64,
    },
    /// A number between two bounds, both allowed.
    Number {
        /// The least value.
        min: f64,
        /// The greatest value.
        max: f64,
        /// The value when the option is not given.
        default: f64,
    },
    /// One of several words; the first is the default.
    Choice(&'static [&'static str]),
}

/// One option.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptionSpec {
    /// The name in a request.
    pub name: &'static str,
    /// Type, range and default.
    pub kind: OptionKind,
    /// What it does.
    pub about: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Setting {
    Flag(bool),
    Integer(i64),
    Number(f64),
    Choice(&'static str),
}

/// The values of declared options, given or by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings(BTreeMap<&'static str, Setting>);

impl OptionSpec {
    fn read(&self, given: Option<&Value>) -> Result<Setting, String> {
        let expected = |what: String| {
            let given = given.map(Value::to_string).unwrap_or_default();
            format!("`{}` must be {what}, not {given}", self.name)
        };
        match self.kind {
            OptionKind::Flag { default } => given
                .map_or(Some(default), Value::as_bool)
                .map(Setting::Flag)
                .ok_or_else(|| expected("true or false".into())),
            OptionKind::Integer { min, max, default } => given
                .map_or(Some(default), whole)
                .filter(|value| (min..=max).contains(value))
                .map(Setting::Integer)
                .ok_or_else(|| expected(format!("a whole number from {min} to {max}"))),
            OptionKind::Number { min, max, default } => given
                .map_or(Some(default), Value::as_f64)
                .filter(|value| (min..=max).contains(value))
                .map(Setting::Number)
                .ok_or_else(|| expected(format!("a number from {min} to {max}"))),
            OptionKind::Choice(words) => given
                .map_or(Some(words[0]), |value| {
                    let text = value.as_str()?;
                    words.iter().find(|word| **word == text).copied()
                })
                .map(Setting::Choice)
                .ok_or_else(|| expected(format!("one of `{}`", words.join("`, `")))),
        }
    }
}

/// A JSON number without fraction: `7` and `7.0` are the same integer.
fn whole(value: &Value) -> Option<i64> {
    let float = || value.as_f64().filter(|f| f.fract() == 0.0 && f.abs() < 9e15).map(|f| f as i64);
    value.as_i64().or_else(float)
}

impl Settings {
    /// Takes the declared options out of `given`, with defaults for those that are absent.
    ///
    /// # Errors
    /// When a value has the wrong type or is out of range; the pointer names the option.
    pub fn take(specs: &[OptionSpec], given: &mut Map<String, Value>) -> Result<Self, Fault> {
        let mut settings = BTreeMap::new();
        for spec in specs {
            let value = given.remove(spec.name);
            let setting = spec.read(value.as_ref());
            settings.insert(spec.name, setting.map_err(|why| Fault::shape(why).under(spec.name))?);
        }
        Ok(Self(settings))
    }

    /// Everything by default.
    pub fn defaults(specs: &[OptionSpec]) -> Self {
        Self::take(specs, &mut Map::new()).expect("a declared default lies in its own range")
    }

    /// Whether both say the same of an option, or neither knows it.
    pub fn agrees(&self, other: &Self, name: &str) -> bool {
        self.0.get(name) == other.0.get(name)
    }

    fn get(&self, name: &str) -> Setting {
        *self.0.get(name).unwrap_or_else(|| panic!("option `{name}` is declared where it is read"))
    }

    /// The value of a flag.
    pub fn flag(&self, name: &str) -> bool {
        match self.get(name) {
            Setting::Flag(value) => value,
            other => panic!("option `{name}` is no flag: {other:?}"),
        }
    }

    /// The value of an integer.
    pub fn integer(&self, name: &str) -> i64 {
        match self.get(name) {
            Setting::Integer(value) => value,
            other => panic!("option `{name}` is no integer: {other:?}"),
        }
    }

    /// The value of a number.
    pub fn number(&self, name: &str) -> f64 {
        match self.get(name) {
            Setting::Number(value) => value,
            other => panic!("option `{name}` is no number: {other:?}"),
        }
    }

    /// The word chosen.
    pub fn choice(&self, name: &str) -> &'static str {
        match self.get(name) {
            Setting::Choice(value) => value,
            other => panic!("option `{name}` is no choice: {other:?}"),
        }
    }
}
