//! Games recorded by other programs, replayed and compared.

use serde_json::Value;

use super::Notation;
use engine::game::Turn;

/// Recorded game: start position, then moves and observations.
#[derive(Clone, Debug)]
pub struct Recording<G> {
    /// Start position.
    pub start: G,
    /// Steps in the order of the record.
    pub steps: Vec<RecordStep>,
}

/// Step of a record.
#[derive(Clone, Debug)]
pub enum RecordStep {
    /// A move, as [`Notation::find_move`] reads it.
    Play(String),
    /// Expected observation: a subset of the members of [`Notation::observe`].
    See(Value),
}

/// Result of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// Moves played.
    pub moves: usize,
    /// Observations compared.
    pub seen: usize,
    /// First difference: JSON pointer, recorded value and actual value.
    pub difference: Option<String>,
}

impl<G: Notation> Recording<G> {
    /// Replays the game up to the first difference.
    pub fn replay(&self) -> Replayed {
        let mut pos = self.start.clone();
        let mut replayed = Replayed { moves: 0, seen: 0, difference: None };
        for step in &self.steps {
            match step {
                RecordStep::Play(text) => match play(&mut pos, text) {
                    Ok(()) => replayed.moves += 1,
                    Err(why) => replayed.difference = Some(why),
                },
                RecordStep::See(expected) => {
                    replayed.seen += 1;
                    replayed.difference = difference(expected, &pos.observe(), "");
                }
            }
            if replayed.difference.is_some() {
                break;
            }
        }
        replayed
    }
}

fn play<G: Notation>(pos: &mut G, text: &str) -> Result<(), String> {
    if let Turn::Over(outcome) = pos.standing() {
        return Err(format!("expected move `{text}`, but the game is over: {outcome:?}"));
    }
    let mv = pos.find_move(text).map_err(|fault| fault.detail)?;
    pos.play(mv);
    Ok(())
}

/// First difference from the expected value; unexpected members are ignored.
fn difference(expected: &Value, found: &Value, pointer: &str) -> Option<String> {
    match (expected, found) {
        (Value::Object(wanted), Value::Object(all)) => wanted.iter().find_map(|(key, value)| {
            let found = all.get(key).unwrap_or(&Value::Null);
            difference(value, found, &format!("{pointer}/{key}"))
        }),
        (Value::Array(wanted), Value::Array(all)) if wanted.len() == all.len() => {
            let mut pairs = wanted.iter().zip(all).enumerate();
            pairs.find_map(|(n, (wanted, found))| {
                difference(wanted, found, &format!("{pointer}/{n}"))
            })
        }
        _ => (expected != found).then(|| format!("{pointer}: expected {expected}, got {found}")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::difference;

    #[test]
    fn the_first_difference_is_pointed_at() {
        let found = json!({ "a": [1, { "b": 2, "c": 3 }], "d": 4 });
        assert_eq!(difference(&json!({ "a": [1, { "b": 2 }] }), &found, ""), None);
        let at_b = difference(&json!({ "a": [1, { "b": 5 }], "d": 5 }), &found, "");
        assert_eq!(at_b.as_deref(), Some("/a/1/b: expected 5, got 2"));
        let longer = difference(&json!({ "a": [1] }), &found, "").expect("the list is longer");
        assert!(longer.starts_with("/a: "), "{longer}");
        let missing = difference(&json!({ "e": 1 }), &found, "");
        assert_eq!(missing.as_deref(), Some("/e: expected 1, got null"));
    }
}
