//! A deserializer of JSON values whose errors are faults with their places. Unlike that of `serde_json` it takes no
//! list for an object and no object for a word: neither is in a schema.

use std::fmt::Display;

use serde::de::value::{BorrowedStrDeserializer, StrDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde_json::{Value, map};

use super::json::in_plain_words;
use super::{Fault, did_you_mean};

/// A value to be read.
pub(super) struct ValueReader<'a>(pub(super) &'a Value);

impl<'de> Deserializer<'de> for ValueReader<'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(flag) => visitor.visit_bool(*flag),
            Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(whole), ..) => visitor.visit_u64(whole),
                (_, Some(whole), _) => visitor.visit_i64(whole),
                (.., number) => visitor.visit_f64(number.unwrap_or(f64::NAN)),
            },
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(items) => visitor.visit_seq(Items(items.iter().enumerate())),
            Value::Object(map) => visitor.visit_map(Members { left: map.iter(), value: None }),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        members: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        if self.0.is_object() {
            return self.deserialize_any(visitor);
        }
        Err(Fault::shape(format!("expected an object with `{}`", members.join("`, `"))))
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.0 {
            Value::Array(items) if items.len() != length => {
                let why = format!("expected a list of {length}, got {}", items.len());
                Err(Fault::shape(why))
            }
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        words: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let Value::String(word) = self.0 else {
            let why = format!("expected one of `{}`, got {}", words.join("`, `"), self.0);
            return Err(Fault::shape(why));
        };
        let word: StrDeserializer<'_, Fault> = word.as_str().into_deserializer();
        visitor.visit_enum(word)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple_struct map identifier ignored_any
    }
}

/// The elements of a list that are left.
struct Items<'a>(std::iter::Enumerate<std::slice::Iter<'a, Value>>);

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Fault> {
        let Some((index, item)) = self.0.next() else { return Ok(None) };
        seed.deserialize(ValueReader(item)).map(Some).map_err(|fault| fault.under(index))
    }
}

/// The members of an object that are left, and the one whose name has been read.
struct Members<'a> {
    left: map::Iter<'a>,
    value: Option<(&'a str, &'a Value)>,
}

impl<'de> MapAccess<'de> for Members<'de> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Fault> {
        let Some((key, value)) = self.left.next() else { return Ok(None) };
        self.value = Some((key, value));
        seed.deserialize(BorrowedStrDeserializer::new(key)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let (key, value) = self.value.take().expect("a name is read before its value");
        seed.deserialize(ValueReader(value)).map_err(|fault| fault.under(key))
    }
}

impl Error for Fault {
    fn custom<T: Display>(why: T) -> Self {
        Self::shape(in_plain_words(&why.to_string()))
    }

    fn unknown_field(name: &str, known: &'static [&'static str]) -> Self {
        let similar = did_you_mean(name, known.iter().copied());
        let known = known.join("`, `");
        Self::shape(format!("unknown field `{name}`, expected one of `{known}`{similar}"))
            .under(name)
    }

    fn missing_field(name: &'static str) -> Self {
        Self::shape(format!("missing field `{name}`")).under(name)
    }
}
