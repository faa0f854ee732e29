//! Type-erased linear evaluations, whose weights can be fitted.

use serde_json::{Map, Value};

use engine::game::Fitted;
use games::notation::{Fault, Served, Settings, StateInput, take_options};

/// Linear evaluation. States are those of the game with default options, in text notation if there is one,
/// otherwise in JSON.
pub trait Linear: Send + Sync {
    /// Weights in internal units.
    fn weights(&self) -> Vec<f64>;

    /// Internal units per reported unit.
    fn unit(&self) -> f64;

    /// Indices and factors of the weights that contribute to a state, for the first side.
    ///
    /// # Errors
    /// An invalid state.
    fn factors(&self, state: &str) -> Result<Vec<(u32, f32)>, Fault>;

    /// True if a state of a game by these options with this best move is calm enough for its static evaluation to be
    /// meaningful.
    ///
    /// # Errors
    /// An invalid state, move or option.
    fn is_calm(&self, state: &str, mv: &str, options: &Map<String, Value>) -> Result<bool, Fault>;

    /// Display name of a weight.
    fn name(&self, weight: usize) -> String;

    /// Source text for other weights, in internal units, and for the scale of the curve from values to
    /// expected results.
    fn source(&self, weights: &[f64], scale: f64) -> String;
}

/// Linear evaluation of the game `G`.
pub(super) struct LinearEvaluation<G: Served> {
    settings: Settings,
    evaluator: G::Evaluator,
}

impl<G: Served> LinearEvaluation<G> {
    pub(super) fn new() -> Self {
        let settings = Settings::defaults(G::facts().options);
        let start = G::read(StateInput::Start, &settings).expect("a game has a start position");
        Self { evaluator: start.evaluator(&settings), settings }
    }

    fn read(state: &str, settings: &Settings) -> Result<G, Fault> {
        match serde_json::from_str::<Value>(state) {
            Ok(json @ Value::Object(_)) => G::read(StateInput::Json(&json), settings),
            _ => G::read(StateInput::Text(state), settings),
        }
    }
}

impl<G: Served> Linear for LinearEvaluation<G>
where
    G::Evaluator: Fitted<G>,
{
    fn weights(&self) -> Vec<f64> {
        self.evaluator.weights()
    }

    fn unit(&self) -> f64 {
        G::facts().scale.into()
    }

    fn factors(&self, state: &str) -> Result<Vec<(u32, f32)>, Fault> {
        let mut factors = Vec::new();
        self.evaluator.factors(&Self::read(state, &self.settings)?, &mut factors);
        Ok(factors)
    }

    fn is_calm(&self, state: &str, mv: &str, options: &Map<String, Value>) -> Result<bool, Fault> {
        let settings = take_options(G::facts().options, &mut options.clone())?;
        let pos = Self::read(state, &settings)?;
        let mv = pos.find_move(mv)?;
        Ok(self.evaluator.is_calm(&pos, mv))
    }

    fn name(&self, weight: usize) -> String {
        self.evaluator.name(weight)
    }

    fn source(&self, weights: &[f64], scale: f64) -> String {
        self.evaluator.source(weights, scale)
    }
}
