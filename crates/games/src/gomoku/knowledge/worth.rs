//! Values of the combinations, from the weights.

use super::codes::CODES;
use super::lines::LineKind;
use super::weights::{GRAIN, WEIGHTS};
use engine::game::{Side, rewritten};

/// Current source text of the weights; everything except the numbers is kept.
const SOURCE: &str = include_str!("weights.rs");
/// Weights per source line.
const IN_A_LINE: usize = 12;

/// Bound of the evaluation, in units.
pub(in crate::gomoku) const REACH: i32 = 10_000;

const KINDS: usize = LineKind::ALL.len();
/// Number of multisets of four kinds.
pub(super) const COMBINATIONS: usize = KINDS * (KINDS + 1) * (KINDS + 2) * (KINDS + 3) / 24;
/// Number of threat sets of both sides, one bit per threat.
const STANCES: usize = 1 << 9;
/// Number of weights: combinations for the side to move and for the opponent, the move, and the
/// sets of existing threats.
pub(in crate::gomoku) const TERMS: usize = STANCE + STANCES;
/// Index of the weight for having the move.
pub(in crate::gomoku) const MOVE: usize = 2 * COMBINATIONS;
/// Index of the first weight for a set of existing threats, see [`Knowledge::stance`].
///
/// [`Knowledge::stance`]: super::Knowledge::stance
pub(in crate::gomoku) const STANCE: usize = MOVE + 1;

/// Value of a combination for the side to move (role 0) or the opponent (role 1), in fractions of a
/// unit.
pub(super) fn of(number: usize, role: usize) -> i16 {
    WEIGHTS[term(number, role)]
}

/// Index of the weight of a combination for the side to move (role 0) or the opponent (role 1).
pub(super) const fn term(number: usize, role: usize) -> usize {
    role * COMBINATIONS + number
}

/// Advantage of the side to move: its sum as the side to move minus the other side's sum as the
/// opponent.
#[inline]
pub(super) fn lead(sums: &[[i32; 2]; 2], mover: Side) -> i32 {
    sums[mover.index()][0] - sums[mover.other().index()][1]
}

/// Evaluation for the side to move, in units, from a sum and the existing threats.
#[inline]
pub(super) fn units(sum: i32, stance: usize) -> i32 {
    let common = i32::from(WEIGHTS[MOVE]) + i32::from(WEIGHTS[STANCE + stance]);
    ((sum + common) / GRAIN).clamp(-REACH, REACH)
}

/// Name of a weight.
pub(in crate::gomoku) fn name(term: usize) -> String {
    if term == MOVE {
        return "the move".into();
    }
    if term >= STANCE {
        return format!("threats {:04b} v {:05b}", (term - STANCE) >> 5, (term - STANCE) & 31);
    }
    let side = ["mover", "opponent"][term / COMBINATIONS];
    let kinds = CODES.kinds(term % COMBINATIONS).map(|kind| format!("{kind:?}"));
    format!("{side}: {}", kinds.join(" "))
}

/// The weights, in units.
pub(in crate::gomoku) fn weights() -> Vec<f64> {
    WEIGHTS.iter().map(|&weight| f64::from(weight) / f64::from(GRAIN)).collect()
}

/// Source text for other weights, in units, with their scale.
pub(in crate::gomoku) fn source(weights: &[f64], scale: f64) -> String {
    // The cast saturates to the range of the type.
    let whole = |weight: &f64| format!("{},", (weight * f64::from(GRAIN)).round() as i16);
    let line = |line: &[f64]| line.iter().map(whole).collect::<Vec<_>>().join(" ");
    let table: Vec<_> = weights.chunks(IN_A_LINE).map(line).collect();
    rewritten(SOURCE, scale, &table)
}
