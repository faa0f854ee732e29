//! Calibrations: those of the `--calibration` flag, and the curves of win probabilities that the program comes with.

use std::sync::LazyLock;

use clap::Args;
use games::notation::Fault;
use serde_json::Value;

use crate::Catalog;

/// Calibrations of games, for every command that searches.
#[derive(Args, Clone, Debug)]
pub struct Calibrations {
    /// Calibration files written by `bestmove calibrate --write`, one per game, separated by commas: source
    /// of the game's razor and self-loss margins, ProbCut rows and win probabilities
    #[arg(
        long = "calibration",
        env = "BESTMOVE_CALIBRATION",
        default_value = "",
        value_name = "FILES"
    )]
    pub files: String,
}

/// Scale of a game's curve of win probabilities, in reported units: what `bestmove calibrate` has measured in self-play
/// of the default evaluation; [docs/win-probability.md](../../../docs/win-probability.md) has the commands. `None` where
/// the evaluator's own figure holds.
pub(super) fn win_probability_scale(game: &str) -> Option<f64> {
    static MEASURED: LazyLock<Value> = LazyLock::new(|| {
        let file = include_str!("../data/win-probability.json");
        serde_json::from_str(file).expect("the file is valid JSON")
    });
    MEASURED.get(game)?.get("scale")?.as_f64()
}

impl Calibrations {
    /// The catalog with these calibrations.
    ///
    /// # Errors
    /// Names the faulty file, the place in it and the expected value.
    pub fn catalog(&self) -> Result<Catalog, String> {
        let mut catalog = Catalog::default();
        for path in self.files.split(',').map(str::trim).filter(|path| !path.is_empty()) {
            let text = std::fs::read_to_string(path)
                .map_err(|why| format!("calibration {path}: {why}"))?;
            let file = serde_json::from_str(&text)
                .map_err(|why| format!("calibration {path}: invalid JSON: {why}"))?;
            catalog.calibrate(&file).map_err(|Fault { pointer, detail, .. }| {
                format!("calibration {path}#{pointer}: {detail}")
            })?;
        }
        Ok(catalog)
    }
}
