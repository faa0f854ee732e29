//! Words of the program in answers that are read back.

use std::collections::HashSet;
use std::sync::{LazyLock, Mutex, PoisonError};

use serde::{Deserialize, Deserializer};

/// A word of the program. An alias: the derived reader would borrow a plain reference from what it reads.
pub(super) type StaticWord = &'static str;

/// Texts of answers live as long as the program: there are few of them, and only its own answers are read.
fn as_static<E: serde::de::Error>(text: String) -> Result<&'static str, E> {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(&known) = known.get(text.as_str()) {
        return Ok(known);
    }
    if known.len() >= MOST_KNOWN {
        return Err(E::custom("not a text of an answer"));
    }
    let text: &'static str = text.leak();
    known.insert(text);
    Ok(text)
}

pub(super) fn interned<'de, D: Deserializer<'de>>(text: D) -> Result<&'static str, D::Error> {
    as_static(String::deserialize(text)?)
}

pub(super) fn maybe_interned<'de, D: Deserializer<'de>>(
    text: D,
) -> Result<Option<&'static str>, D::Error> {
    Option::<String>::deserialize(text)?.map(as_static).transpose()
}

static KNOWN: LazyLock<Mutex<HashSet<&'static str>>> = LazyLock::new(Mutex::default);
/// More than all names of games, methods, sides and reasons.
const MOST_KNOWN: usize = 1_000;
