//! Evaluations whose weights can be fitted, the types of their games forgotten.

use serde_json::Value;

use engine::game::Fitted;
use games::notation::{Fault, Served, Settings, StateInput};

/// A linear evaluation. States are those of the game with its options as they are by default, and in
/// text where they have one.
pub trait Linear: Send + Sync {
    /// The weights, in internal units.
    fn weights(&self) -> Vec<f64>;

    /// Internal units in one unit of a score.
    fn unit(&self) -> f64;

    /// Scores in one point, the value of the smallest thing that counts.
    fn point(&self) -> f64;

    /// The numbers of the weights that count in a state, with their factors, as the first side sees it.
    ///
    /// # Errors
    /// Says what is wrong with the state.
    fn factors(&self, state: &str) -> Result<Vec<(u32, f32)>, Fault>;

    /// Whether the evaluation means something where this is the best move.
    ///
    /// # Errors
    /// Says what is wrong with the state or the move.
    fn is_calm(&self, state: &str, mv: &str) -> Result<bool, Fault>;

    /// What a weight is called in a table.
    fn name(&self, weight: usize) -> String;

    /// The source text of other weights, in internal units, and of the scale by which values foretell
    /// results.
    fn source(&self, weights: &[f64], scale: f64) -> String;
}

/// The evaluation of the game `G`.
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

    fn read(&self, state: &str) -> Result<G, Fault> {
        match serde_json::from_str::<Value>(state) {
            Ok(json @ Value::Object(_)) => G::read(StateInput::Json(&json), &self.settings),
            _ => G::read(StateInput::Text(state), &self.settings),
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

    fn point(&self) -> f64 {
        G::facts().point
    }

    fn factors(&self, state: &str) -> Result<Vec<(u32, f32)>, Fault> {
        let mut factors = Vec::new();
        self.evaluator.factors(&self.read(state)?, &mut factors);
        Ok(factors)
    }

    fn is_calm(&self, state: &str, mv: &str) -> Result<bool, Fault> {
        let pos = self.read(state)?;
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
