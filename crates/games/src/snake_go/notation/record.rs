//! Recorded halves: `{"size", "max_round", "items": [[x, y, time, type, param]], "ops": "434...",
//! "winner", "snaps": [{"after", "round", "player", "over", "snakes", "walls", "score"}]}`; a snake
//! is `[id, camp, bank, ray, body]`. A single record, or a list.

use serde_json::{Value, json};

use super::read;
use crate::notation::{Fault, RecordStep, Recording};
use crate::snake_go::rules::{SnakeGo, SnakeGoRules};

/// Parses the games of a file.
pub(super) fn games(file: &Value, rules: SnakeGoRules) -> Result<Vec<Recording<SnakeGo>>, Fault> {
    match file {
        Value::Array(games) => {
            let read = |(n, value)| game(value, rules).map_err(|fault: Fault| fault.under(n));
            games.iter().enumerate().map(read).collect()
        }
        _ => Ok(vec![game(file, rules)?]),
    }
}

fn game(value: &Value, rules: SnakeGoRules) -> Result<Recording<SnakeGo>, Fault> {
    let of = |row: &Value| named(row, &["x", "y", "time", "type", "param"]);
    let items: Vec<_> = rows(value, "items")?.iter().map(of).collect();
    let mut state = json!({ "items": items });
    for key in ["size", "max_round"] {
        if let Some(number) = value.get(key) {
            state[key] = number.clone();
        }
    }
    let start = read::state(&state, rules)?;
    let ops = value["ops"].as_str().ok_or_else(|| {
        Fault::shape("expected a string of operations, one digit each").under("ops")
    })?;
    let mut seen = Vec::new();
    for (n, snap) in rows(value, "snaps")?.iter().enumerate() {
        let after = snap["after"].as_u64().ok_or_else(|| {
            Fault::shape("expected after how many operations")
                .under("after")
                .under(n)
                .under("snaps")
        })?;
        seen.push((after as usize, observation(snap)));
    }
    let mut seen = seen.into_iter().peekable();
    let mut steps = Vec::new();
    for (n, op) in ops.chars().map(Some).chain([None]).enumerate() {
        while let Some((_, snap)) = seen.next_if(|(after, _)| *after == n) {
            steps.push(RecordStep::See(snap));
        }
        steps.extend(op.map(|op| RecordStep::Play(op.into())));
    }
    if let Some((after, _)) = seen.next() {
        let why = format!("a state after {after} operations; they grow, up to {}", ops.len());
        return Err(Fault::shape(why).under("snaps"));
    }
    if let Some(winner) = value.get("winner") {
        steps.push(RecordStep::See(json!({ "over": true, "winner": winner })));
    }
    Ok(Recording { start, steps })
}

fn rows<'a>(value: &'a Value, key: &str) -> Result<&'a [Value], Fault> {
    let rows = value[key].as_array().map(Vec::as_slice);
    rows.ok_or_else(|| Fault::shape("expected a list").under(key))
}

/// An object from a list and the names of its elements.
fn named(row: &Value, names: &[&str]) -> Value {
    names.iter().enumerate().map(|(n, name)| ((*name).to_owned(), row[n].clone())).collect()
}

/// A snapshot in the form of [`Notation::observe`](crate::notation::Notation::observe).
fn observation(snap: &Value) -> Value {
    let mut seen = snap.clone();
    if let Some(map) = seen.as_object_mut() {
        map.remove("after");
    }
    let snakes = seen.get_mut("snakes").and_then(Value::as_array_mut);
    for snake in snakes.into_iter().flatten() {
        *snake = named(snake, &["id", "camp", "bank", "ray", "body"]);
        snake["ray"] = json!(snake["ray"] != 0);
    }
    seen
}
