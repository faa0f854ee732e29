//! Evaluations with weights fitted to the results of games.

use super::{Evaluator, Game};

/// An evaluator with a linear evaluation: a sum of weights times factors of the position.
///
/// For [`First`](super::Side::First) the sum of weight x factor is the evaluation, except for rounding
/// and bounds; [`laws::check_fitted`](super::laws::check_fitted) holds it to that. Interpolation between
/// two weights, as between the opening and the endgame, is in the factors.
pub trait Fitted<G: Game>: Evaluator<G> {
    /// The weights, in the units of [`Evaluator::evaluate`].
    fn weights(&self) -> Vec<f64>;

    /// Appends the indices of the weights that count in a position with their factors; each index once and
    /// below the number of weights.
    fn factors(&self, pos: &G, out: &mut Vec<(u32, f32)>);

    /// True if the static evaluation is meaningful where `mv` is the best move: not in the middle of an
    /// exchange or under a direct threat.
    fn is_calm(&self, pos: &G, mv: G::Move) -> bool;

    /// Name of a weight in a table.
    fn name(&self, weight: usize) -> String {
        weight.to_string()
    }

    /// Source text with these weights, in units, in place of the present ones. A side at `value` units is
    /// expected to score 1 / (1 + exp(-value / scale)).
    fn source(&self, weights: &[f64], scale: f64) -> String;
}

/// The source of an evaluation's weights with another scale and another table, line by line. All other
/// text is kept.
///
/// # Panics
/// If the source lacks `SCALE: f64 = ...;` or, at the end, a table that begins with `= [`.
pub fn rewritten(source: &str, scale: f64, table: &[String]) -> String {
    let parts = || {
        let (head, rest) = source.split_once("SCALE: f64 = ")?;
        let (between, _) = rest.split_once(';')?.1.split_once("= [\n")?;
        Some((head, between))
    };
    let (head, between) = parts().expect("the source has a scale and a table");
    let table: String = table.iter().map(|line| format!("    {line}\n")).collect();
    format!("{head}SCALE: f64 = {scale:.1};{between}= [\n{table}];\n")
}
