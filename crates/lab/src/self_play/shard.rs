//! What a file of positions holds already, so that the same command goes on where it ends.
//!
//! ```text
//! # {"game":"othello","seed":15, ...}      the terms of the games below
//! state | result | score                   a line each position
//!                                          an empty line after each game, also after one without positions
//! ```

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use serde_json::Value;

use arena::self_play::{PositionLine, terms_of};

/// Finished games of one command.
#[derive(Debug, Default)]
pub(super) struct Shard {
    pub(super) games: u64,
    pub(super) positions: usize,
    /// Wins, draws and losses of the first side, of games with positions.
    pub(super) results: [u64; 3],
}

impl Shard {
    /// The games of these terms in a file, and the file, ready for more of them up to `wanted`. A game that was being
    /// written is cut off; after games of other terms a line tells these.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub(super) fn go_on(path: &Path, terms: &Value, wanted: u64) -> Result<(Self, File), String> {
        let named = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
        let mut file = File::options()
            .create(true)
            .read(true)
            .append(true)
            .open(path)
            .map_err(|w| named(&w))?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(|why| named(&why))?;
        let (shard, whole, last) = Self::read(&text, terms).map_err(|why| named(&why))?;
        file.set_len(whole as u64).map_err(|why| named(&why))?;
        if last != Some(true) && shard.games < wanted {
            writeln!(file, "# {terms}").map_err(|why| named(&why))?;
        }
        Ok((shard, file))
    }

    /// The games of these terms in a text, the length of its whole games, and whether the last ones are of these terms;
    /// `None` where the text tells no terms.
    fn read(text: &str, terms: &Value) -> Result<(Self, usize, Option<bool>), String> {
        let mut shard = Self::default();
        let (mut at, mut whole, mut own) = (0, 0, None);
        // Positions of the game so far, and its result.
        let mut game = (0, None);
        for line in text.split_inclusive('\n') {
            at += line.len();
            if !line.ends_with('\n') {
                break;
            }
            if let Some(told) = terms_of(line) {
                own = Some(serde_json::from_str::<Value>(told).is_ok_and(|told| told == *terms));
            } else if !line.trim().is_empty() {
                let position = PositionLine::read(line.trim())?;
                game = (game.0 + 1, Some(position.result));
                continue;
            } else if own == Some(true) {
                shard.add(game);
            }
            (whole, game) = (at, (0, None));
        }
        // A file without terms is not ours to cut.
        Ok((shard, if own.is_some() { whole } else { text.len() }, own))
    }

    fn add(&mut self, (positions, result): (usize, Option<f64>)) {
        self.games += 1;
        self.positions += positions;
        if let Some(result) = result {
            self.results[place(result)] += 1;
        }
    }
}

/// Place of a result of the first side among wins, draws and losses.
pub(super) fn place(result: f64) -> usize {
    (2.0 - 2.0 * result) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_whole_games_of_the_same_terms_count() {
        let own = "# {\"seed\":1}\na | 1 | 3\nb | 1 | 2\n\n\nc | 0 | -\n\n";
        let other = "# {\"seed\":2}\na | 1 | 3\n\n";
        for torn in ["", "d | 0.5 | 3\n", "d | 0.5", "#"] {
            let text = format!("{own}{other}{own}{torn}");
            let (shard, whole, last) = Shard::read(&text, &json!({ "seed": 1 })).expect("lines");
            assert_eq!((shard.games, shard.positions, shard.results), (6, 6, [2, 0, 2]), "{torn}");
            assert_eq!((whole, last), (text.len() - torn.len(), Some(true)));
        }
        let (shard, whole, last) = Shard::read(other, &json!({ "seed": 1 })).expect("lines");
        assert_eq!((shard.games, whole, last), (0, other.len(), Some(false)));
        let (shard, whole, last) = Shard::read("a | 1 | 3\n", &json!({})).expect("lines");
        assert_eq!((shard.games, whole, last), (0, 10, None), "a file without terms is kept");
    }
}
