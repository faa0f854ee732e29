//! Whole numbers, and the file that the engine reads.

use std::path::Path;

use serde_json::{Value, json};

use crate::model::Model;
use engine::network::{ACTIVE, MOST_MOVE_WEIGHT, MOST_WEIGHT, WEIGHT};

/// Where a network comes from.
pub(crate) struct Origin<'a> {
    pub(crate) game: &'a str,
    /// What its rows stand for.
    pub(crate) features: &'a str,
    /// Terms of the games, as their files tell them.
    pub(crate) terms: &'a [Value],
    pub(crate) hash: &'a str,
    pub(crate) games: usize,
    pub(crate) positions: usize,
    pub(crate) minutes: f64,
    pub(crate) loss: f32,
}

/// Writes the first line about the origin, then the numbers.
///
/// # Errors
/// When the file cannot be written.
pub(crate) fn write<const HIDDEN: usize>(
    model: &Model<HIDDEN>,
    origin: &Origin<'_>,
    path: &Path,
) -> Result<(), String> {
    let shape = model.shape;
    let head = json!({
        "game": origin.game,
        "features": origin.features,
        "play": origin.terms,
        "architecture": { "rows": shape.rows, "hidden": HIDDEN, "views": shape.views, "buckets": shape.buckets, "move_rows": shape.move_rows },
        "command": std::env::args().skip(1).map(|word| without_folders(&word)).collect::<Vec<_>>().join(" "),
        "data_sha256": origin.hash,
        "games": origin.games,
        "positions": origin.positions,
        "minutes": (origin.minutes * 10.0).round() / 10.0,
        "held_out_loss": origin.loss,
        "licence": "MIT OR Apache-2.0",
    });
    let mut bytes = format!("{head}\n").into_bytes();
    let mut small = |numbers: &[f32], one: i16, most: i16| {
        for number in numbers {
            let whole = (number * f32::from(one)).round().clamp(-f32::from(most), f32::from(most));
            bytes.extend((whole as i16).to_le_bytes());
        }
    };
    // 48 rows of one sign and the bias fit 16 bits. Gomoku has more rows, of small weights.
    small(model.whole_rows().as_flattened(), ACTIVE, i16::MAX / 64);
    small(&model.bias, ACTIVE, i16::MAX / 4);
    small(model.outputs.as_flattened(), WEIGHT, MOST_WEIGHT);
    small(model.moves.as_flattened(), WEIGHT, MOST_MOVE_WEIGHT);
    let one = f64::from(ACTIVE) * f64::from(ACTIVE) * f64::from(WEIGHT);
    for offset in &model.offsets {
        bytes.extend(((f64::from(*offset) * one) as i32).to_le_bytes());
    }
    for offset in &model.move_offsets {
        let one = f64::from(ACTIVE) * f64::from(WEIGHT);
        bytes.extend(((f64::from(*offset) * one) as i32).to_le_bytes());
    }
    std::fs::write(path, bytes).map_err(|why| format!("{}: {why}", path.display()))
}

/// A word of the command, of a path its last part.
fn without_folders(word: &str) -> String {
    word.rsplit('/').next().map_or(String::new(), str::to_owned)
}
