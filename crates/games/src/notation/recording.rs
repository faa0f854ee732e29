//! Games that other programs played and wrote down, and whether ours go the same way.

use serde_json::Value;

use super::Notation;
use engine::game::Turn;

/// A recorded game: where it begins, and what was played and seen from there on.
#[derive(Clone, Debug)]
pub struct Recording<G> {
    /// The first position.
    pub start: G,
    /// In the order of the record.
    pub steps: Vec<RecordStep>,
}

/// A line of a record.
#[derive(Clone, Debug)]
pub enum RecordStep {
    /// A move, as [`Notation::find_move`] reads it.
    Play(String),
    /// What the position looked like: some members of what [`Notation::observe`] writes.
    See(Value),
}

/// What came of playing a recorded game again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// Moves played.
    pub moves: usize,
    /// Observations compared.
    pub seen: usize,
    /// The first difference: where (a JSON pointer), what the record says and what came.
    pub difference: Option<String>,
}

impl<G: Notation> Recording<G> {
    /// Plays the game again up to the first difference.
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
        return Err(format!("the record plays `{text}`, but the game is over: {outcome:?}"));
    }
    let mv = pos.find_move(text).map_err(|fault| fault.detail)?;
    pos.play(mv);
    Ok(())
}

/// The first place where something is found that is not as expected. Members that are not expected
/// do not count.
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
        _ => (expected != found)
            .then(|| format!("{pointer}: the record says {expected}, here it is {found}")),
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
        assert_eq!(at_b.as_deref(), Some("/a/1/b: the record says 5, here it is 2"));
        let longer = difference(&json!({ "a": [1] }), &found, "").expect("the list is longer");
        assert!(longer.starts_with("/a: "), "{longer}");
        let missing = difference(&json!({ "e": 1 }), &found, "");
        assert_eq!(missing.as_deref(), Some("/e: the record says 1, here it is null"));
    }
}
