//! Options of methods and games: name, range, default, description and field in one declaration.
//!
//! `options!` declares a struct whose fields are options, `choices!` an enum whose variants are words.

use std::collections::BTreeMap;

/// Type, range and default of an option.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OptionKind {
    /// True or false.
    Flag {
        /// The default.
        default: bool,
    },
    /// A whole number in `min..=max`.
    Integer {
        /// Least value.
        min: i64,
        /// Greatest value.
        max: i64,
        /// The default.
        default: i64,
    },
    /// A number in `min..=max`.
    Number {
        /// Least value.
        min: f64,
        /// Greatest value.
        max: f64,
        /// The default.
        default: f64,
    },
    /// One of several words; the first is the default.
    Choice(&'static [&'static str]),
}

/// One option.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptionSpec {
    /// Name in a request.
    pub name: &'static str,
    /// Type, range and default.
    pub kind: OptionKind,
    /// Description.
    pub about: &'static str,
}

/// Value of an option.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OptionValue {
    /// Of [`OptionKind::Flag`].
    Flag(bool),
    /// Of [`OptionKind::Integer`].
    Integer(i64),
    /// Of [`OptionKind::Number`].
    Number(f64),
    /// Of [`OptionKind::Choice`].
    Choice(&'static str),
}

impl OptionKind {
    /// The default.
    pub fn default(self) -> OptionValue {
        match self {
            Self::Flag { default } => OptionValue::Flag(default),
            Self::Integer { default, .. } => OptionValue::Integer(default),
            Self::Number { default, .. } => OptionValue::Number(default),
            Self::Choice(words) => OptionValue::Choice(words[0]),
        }
    }
}

/// Values of declared options by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings(BTreeMap<&'static str, OptionValue>);

impl FromIterator<(&'static str, OptionValue)> for Settings {
    fn from_iter<I: IntoIterator<Item = (&'static str, OptionValue)>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

impl Settings {
    /// The default of every option.
    pub fn defaults(specs: &[OptionSpec]) -> Self {
        specs.iter().map(|spec| (spec.name, spec.kind.default())).collect()
    }

    /// Value of an option, `None` if it is not declared.
    pub fn get(&self, name: &str) -> Option<OptionValue> {
        self.0.get(name).copied()
    }

    /// True if an option has its default by these specifications, or neither has it.
    pub fn is_default(&self, specs: &[OptionSpec], name: &str) -> bool {
        let declared = specs.iter().find(|spec| spec.name == name);
        self.get(name) == declared.map(|spec| spec.kind.default())
    }

    fn declared(&self, name: &str) -> OptionValue {
        self.get(name).unwrap_or_else(|| panic!("option `{name}` is declared where it is read"))
    }

    /// Value of a declared flag.
    pub fn flag(&self, name: &str) -> bool {
        OptionField::of(self.declared(name))
    }

    /// Value of a declared integer.
    pub fn integer(&self, name: &str) -> i64 {
        OptionField::of(self.declared(name))
    }

    /// Value of a declared number.
    pub fn number(&self, name: &str) -> f64 {
        OptionField::of(self.declared(name))
    }

    /// Word of a declared choice.
    pub fn choice(&self, name: &str) -> &'static str {
        match self.declared(name) {
            OptionValue::Choice(word) => word,
            other => panic!("option `{name}` is not a choice: {other:?}"),
        }
    }
}

/// A struct whose fields are options. Declare it with `options!`.
pub trait OptionSet {
    /// Names of the options.
    const NAMES: &'static [&'static str];

    /// The option with this name, with the value of `self` as default.
    fn spec(&self, name: &str) -> Option<OptionSpec>;

    /// All options, with the values of `self` as defaults.
    fn specs(&self) -> Vec<OptionSpec> {
        Self::NAMES.iter().filter_map(|name| self.spec(name)).collect()
    }

    /// Takes over the values of options that `settings` has.
    fn apply(&mut self, settings: &Settings);
}

/// A type of field that can be an option.
pub trait OptionField: Copy {
    /// Kind of an option with this default. `range` counts for numbers only.
    fn kind(self, range: [f64; 2]) -> OptionKind;

    /// The field for a value of that kind.
    fn of(value: OptionValue) -> Self;
}

impl OptionField for bool {
    fn kind(self, _: [f64; 2]) -> OptionKind {
        OptionKind::Flag { default: self }
    }

    fn of(value: OptionValue) -> Self {
        match value {
            OptionValue::Flag(value) => value,
            other => panic!("not a flag: {other:?}"),
        }
    }
}

impl OptionField for i64 {
    fn kind(self, [min, max]: [f64; 2]) -> OptionKind {
        OptionKind::Integer { min: min as Self, max: max as Self, default: self }
    }

    fn of(value: OptionValue) -> Self {
        match value {
            OptionValue::Integer(value) => value,
            other => panic!("not an integer: {other:?}"),
        }
    }
}

impl OptionField for i32 {
    fn kind(self, range: [f64; 2]) -> OptionKind {
        i64::from(self).kind(range)
    }

    fn of(value: OptionValue) -> Self {
        i64::of(value) as Self
    }
}

impl OptionField for u32 {
    fn kind(self, range: [f64; 2]) -> OptionKind {
        i64::from(self).kind(range)
    }

    fn of(value: OptionValue) -> Self {
        i64::of(value) as Self
    }
}

impl OptionField for usize {
    fn kind(self, range: [f64; 2]) -> OptionKind {
        (self as i64).kind(range)
    }

    fn of(value: OptionValue) -> Self {
        i64::of(value) as Self
    }
}

/// `None` is 0.
impl OptionField for Option<u32> {
    fn kind(self, range: [f64; 2]) -> OptionKind {
        self.unwrap_or(0).kind(range)
    }

    fn of(value: OptionValue) -> Self {
        Some(u32::of(value)).filter(|&value| value > 0)
    }
}

impl OptionField for f64 {
    fn kind(self, [min, max]: [f64; 2]) -> OptionKind {
        OptionKind::Number { min, max, default: self }
    }

    fn of(value: OptionValue) -> Self {
        match value {
            OptionValue::Number(value) => value,
            other => panic!("not a number: {other:?}"),
        }
    }
}

/// Declares a struct whose fields are options, its `Default` and its [`OptionSet`]. The doc comment of a
/// field is the option's description; numbers have a range; a name that differs from the field stands in
/// parentheses. Fields that are not options follow after `and`.
macro_rules! options {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $(
                $(#[doc = $about:literal])+
                $field:ident $(($public:literal))? : $ty:ty = $default:expr $(, [$min:expr, $max:expr])?;
            )+
        }
        $(and {
            $( $(#[doc = $doc:literal])+ $plain:ident : $plain_ty:ty = $plain_default:expr; )+
        })?
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name {
            $( $(#[doc = $about])+ pub $field: $ty, )+
            $( $( $(#[doc = $doc])+ pub $plain: $plain_ty, )+ )?
        }

        impl $name {
            /// The default of every option.
            pub const DEFAULT: Self =
                Self { $( $field: $default, )+ $( $( $plain: $plain_default, )+ )? };
        }

        impl Default for $name {
            fn default() -> Self {
                Self::DEFAULT
            }
        }

        impl $crate::options::OptionSet for $name {
            const NAMES: &'static [&'static str] =
                &[ $( $crate::options::options!(@name $field $($public)?) ),+ ];

            fn spec(&self, name: &str) -> Option<$crate::options::OptionSpec> {
                use $crate::options::{OptionField, OptionSpec};
                $( if name == $crate::options::options!(@name $field $($public)?) {
                    return Some(OptionSpec {
                        name: $crate::options::options!(@name $field $($public)?),
                        kind: OptionField::kind(self.$field, $crate::options::options!(@range $($min, $max)?)),
                        about: concat!($($about),+).trim_ascii(),
                    });
                } )+
                None
            }

            fn apply(&mut self, settings: &$crate::options::Settings) {
                $( if let Some(value) = settings.get($crate::options::options!(@name $field $($public)?)) {
                    self.$field = $crate::options::OptionField::of(value);
                } )+
            }
        }
    };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $public:literal) => { $public };
    (@range) => { [0.0, 0.0] };
    (@range $min:expr, $max:expr) => { [f64::from($min), f64::from($max)] };
}
pub(crate) use options;

/// [`options!`] of flags only, with a constructor for all on or all off.
macro_rules! switches {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $( $(#[doc = $about:literal])+ $field:ident = $default:literal; )+
        }
    ) => {
        $crate::options::options! {
            $(#[$meta])*
            pub struct $name {
                $( $(#[doc = $about])+ $field: bool = $default; )+
            }
        }

        impl $name {
            /// Every switch on, or every switch off.
            pub const fn all(on: bool) -> Self {
                Self { $( $field: on, )+ }
            }
        }
    };
}
pub(crate) use switches;

/// `words` with `first` moved to the front: the place of the default.
pub(crate) const fn starting_with<const N: usize>(
    words: [&'static str; N],
    first: &str,
) -> [&'static str; N] {
    let mut sorted = words;
    let mut n = 0;
    while n < N && !is_same(words[n].as_bytes(), first.as_bytes()) {
        n += 1;
    }
    sorted[0] = words[n];
    while n > 0 {
        sorted[n] = words[n - 1];
        n -= 1;
    }
    sorted
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut n = 0;
    while n < a.len() && n < b.len() && a[n] == b[n] {
        n += 1;
    }
    n == a.len() && n == b.len()
}

/// Declares an enum whose variants are the words of an option.
macro_rules! choices {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $( $(#[doc = $doc:literal])+ $variant:ident = $word:literal, )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $( $(#[doc = $doc])+ $variant, )+
        }

        impl $crate::options::OptionField for $name {
            fn kind(self, _: [f64; 2]) -> $crate::options::OptionKind {
                const WORDS: [&str; [$($word),+].len()] = [$($word),+];
                match self {
                    $( Self::$variant => {
                        const OWN: &[&str] = &$crate::options::starting_with(WORDS, $word);
                        $crate::options::OptionKind::Choice(OWN)
                    } )+
                }
            }

            fn of(value: $crate::options::OptionValue) -> Self {
                match value {
                    $( $crate::options::OptionValue::Choice($word) => Self::$variant, )+
                    other => panic!("not a word of this choice: {other:?}"),
                }
            }
        }
    };
}
pub(crate) use choices;

#[cfg(test)]
mod tests {
    #![allow(unreachable_pub, reason = "the macros declare public types")]

    use super::*;

    choices! {
        /// A colour.
        pub enum Colour {
            /// Red.
            Red = "red",
            /// Green.
            Green = "green",
            /// Blue.
            Blue = "blue",
        }
    }

    options! {
        /// Some options.
        pub struct Some4 {
            /// A number.
            share: f64 = 0.5, [0.0, 1.0];
            /// A count, whose description
            /// takes two lines.
            count("amount"): usize = 4, [1, 9];
            /// A colour.
            colour: Colour = Colour::Red;
            /// A limit; 0: none.
            limit: Option<u32> = None, [0, 7];
        }
        and {
            /// Not an option.
            other: i32 = 7;
        }
    }

    #[test]
    fn a_declaration_is_a_struct_its_defaults_and_its_specs() {
        let specs = Some4::default().specs();
        assert_eq!(specs.len(), 4);
        let about = "A count, whose description takes two lines.";
        let kind = OptionKind::Integer { min: 1, max: 9, default: 4 };
        assert_eq!(specs[1], OptionSpec { name: "amount", kind, about });
        assert_eq!(specs[2].kind, OptionKind::Choice(&["red", "green", "blue"]));
        let green = Some4 { colour: Colour::Green, ..Some4::default() };
        assert_eq!(green.specs()[2].kind, OptionKind::Choice(&["green", "red", "blue"]));
        assert_eq!(
            Some4 { count: 8, ..Some4::default() }.specs()[1].kind.default(),
            OptionValue::Integer(8)
        );
    }

    #[test]
    fn settings_are_taken_over_by_name() {
        let mut options = Some4::default();
        options.apply(&Settings::defaults(&options.specs()));
        assert_eq!(options, Some4::default());
        let given = [
            ("amount", OptionValue::Integer(2)),
            ("colour", OptionValue::Choice("blue")),
            ("limit", OptionValue::Integer(3)),
        ];
        options.apply(&given.into_iter().collect());
        assert_eq!(
            options,
            Some4 { count: 2, colour: Colour::Blue, limit: Some(3), ..Some4::default() }
        );
    }
}
