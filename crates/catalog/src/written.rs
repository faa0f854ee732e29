//! Type-erased report: moves as text.

use engine::game::Evaluator;
use engine::search::{Calibration, Line, Report, Stats, StopReason, Value};
use games::notation::{Notation, Served};

use super::answer::Notations;
use super::position::Position;
use super::rating::TOLERANCE;

/// Root move with its search results.
#[derive(Clone, Debug)]
pub(super) struct WrittenLine {
    /// Principal variation, the root move first.
    pub(super) moves: Vec<String>,
    /// The same in the game's human notations.
    pub(super) notations: Notations,
    /// Value for the side to move at the root; without `rated` an upper bound.
    pub(super) value: Value,
    /// True if the value is the game-theoretic one.
    pub(super) exact: bool,
    /// True if the value was searched; otherwise it is an upper bound.
    pub(super) rated: bool,
    /// True if the value stands just below the best one because a deeper search has found no better.
    pub(super) bounded: bool,
    /// Value in each determinization.
    pub(super) worlds: Vec<f64>,
    /// Expected result, 0 to 1.
    pub(super) win_probability: Option<f64>,
    /// What it was one iteration earlier, where every move is searched to the same depth.
    pub(super) earlier: Option<f64>,
    /// True if the move earns extra rating points.
    pub(super) patient: bool,
    /// Hash of the position after the root move.
    pub(super) state: u64,
}

impl WrittenLine {
    /// What is known of the value: an upper bound says nothing but a loss.
    pub(super) fn known(&self) -> Value {
        if self.rated || matches!(self.value, Value::Loss(_)) { self.value } else { Value::Unknown }
    }
}

/// The best lines of a report.
#[derive(Clone, Debug)]
pub(super) struct WrittenReport {
    /// Name of the side to move at the root.
    pub(super) mover: &'static str,
    /// Best first; the best alone where no move is rated.
    pub(super) lines: Vec<WrittenLine>,
    /// Lines that tie for best with an equal exact value.
    pub(super) ties: usize,
    /// True if no other move can turn out better than the best line.
    pub(super) settled: bool,
    /// True if the history of the game may still change the best line's proved result.
    pub(super) may_change: bool,
    /// The position without search.
    pub(super) standing: Standing,
    pub(super) stats: Stats,
    pub(super) stopped: StopReason,
}

/// What the evaluation says of the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    /// Static evaluation for the side to move, in internal units.
    pub(super) value: f64,
    /// Its expected result, 0 to 1.
    pub(super) win_probability: f64,
    /// Evaluation that costs [`TOLERANCE`] of expected result in an even position, in internal units.
    pub(super) tolerance: f64,
}

/// Sources of win probabilities: the calibration, or else the evaluator.
pub(super) struct Odds<'a, G: Served> {
    pub(super) evaluator: &'a G::Evaluator,
    pub(super) calibration: &'a Calibration,
}

impl<G: Served> Odds<'_, G> {
    /// Expected result, 0 to 1.
    pub(super) fn of(&self, value: Value) -> Option<f64> {
        match value {
            Value::Win(_) => Some(1.0),
            Value::Loss(_) => Some(0.0),
            Value::Draw => Some(0.5),
            Value::Payoff(payoff) => Some(self.evaluator.result(payoff)),
            Value::Heuristic(value) | Value::Sampled { mean: value, .. } => {
                let measured = self.calibration.win_probability(value);
                Some(measured.unwrap_or_else(|| self.evaluator.win_probability(value)))
            }
            Value::Estimate { mean, .. } => Some(mean),
            Value::Unknown => None,
        }
    }

    /// What the evaluation says of a position with this static value for the side to move.
    pub(super) fn standing(&self, value: f64) -> Standing {
        let result = |value| self.of(Value::Heuristic(value)).unwrap_or(0.5);
        // Curves of expected results are straight near 0.
        let slope = result(1.0) - result(0.0);
        let tolerance = if slope > 0.0 { TOLERANCE / slope } else { 0.0 };
        Standing { value, win_probability: result(value), tolerance }
    }

    /// Converts a line to text.
    ///
    /// A line ends where the history of the game ends it, which searches ignore after a few plies.
    pub(super) fn write(&self, root: &Position<G>, line: &Line<G::Move>) -> WrittenLine {
        let mut position = root.clone();
        let mut notations = blank::<G>();
        let write = |&mv: &G::Move| {
            let text = position.ended.is_none().then(|| position.pos.move_text(mv))?;
            note(&position.pos, mv, &mut notations);
            position.advance(mv);
            Some(text)
        };
        let mut written = WrittenLine {
            moves: line.moves.iter().map_while(write).collect(),
            notations,
            value: line.value,
            exact: line.exact,
            rated: line.rated,
            bounded: line.bounded,
            worlds: line.worlds.clone(),
            win_probability: None,
            earlier: None,
            patient: root.pos.is_patient(line.moves[0]),
            state: root.pos.after(line.moves[0]).hash(),
        };
        written.win_probability = self.of(written.known());
        written
    }
}

/// No moves yet, in each of the game's human notations.
pub(super) fn blank<G: Notation>() -> Notations {
    G::NOTATIONS.iter().map(|&name| (name.into(), Vec::new())).collect()
}

/// Appends a legal move.
pub(super) fn note<G: Notation>(pos: &G, mv: G::Move, notations: &mut Notations) {
    for (name, moves) in notations {
        moves.push(pos.human(mv, name));
    }
}

/// Number of lines of a report that tie for best; 1 if the best line has only a bound.
pub(super) fn ties<M>(report: &Report<M>) -> usize {
    if report.lines[0].rated { report.best_ties } else { 1 }
}
