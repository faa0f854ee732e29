//! What combinations are worth, from the weights.

use super::codes::CODES;
use super::lines::LineKind;
use super::weights::{GRAIN, WEIGHTS};
use crate::game::{Side, rewritten};

/// The source of the weights as it stands. What it says beside the numbers is kept.
const SOURCE: &str = include_str!("weights.rs");
/// Weights in a line of it.
const IN_A_LINE: usize = 12;

/// No evaluation is larger, in units.
pub(in crate::games::gomoku) const REACH: i32 = 10_000;

const KINDS: usize = LineKind::ALL.len();
/// Combinations of four kinds, whatever their order.
pub(super) const COMBINATIONS: usize = KINDS * (KINDS + 1) * (KINDS + 2) * (KINDS + 3) / 24;
/// Sets of threats that two sides can have, a bit for each threat.
const STANCES: usize = 1 << 9;
/// All weights: for the side to move, for the other, for having the move, and for the threats that there
/// are at all.
pub(in crate::games::gomoku) const TERMS: usize = STANCE + STANCES;
/// The weight for having the move.
pub(in crate::games::gomoku) const MOVE: usize = 2 * COMBINATIONS;
/// The first of the weights for the threats that there are at all, by [`Knowledge::stance`].
///
/// [`Knowledge::stance`]: super::Knowledge::stance
pub(in crate::games::gomoku) const STANCE: usize = MOVE + 1;

/// What the combination with a number is worth to a side that is to move (0) or not (1), in parts of a unit.
pub(super) fn of(number: usize, role: usize) -> i16 {
    WEIGHTS[term(number, role)]
}

/// The weight that counts for a combination of a side that is to move (0) or not (1).
pub(super) const fn term(number: usize, role: usize) -> usize {
    role * COMBINATIONS + number
}

/// By how much the points of the side to move are worth more than those of the other, from what each side's
/// are worth to it if it is to move and if not.
#[inline]
pub(super) fn lead(sums: &[[i32; 2]; 2], mover: Side) -> i32 {
    sums[mover.index()][0] - sums[mover.other().index()][1]
}

/// A sum as an evaluation for the side to move, the threats being such.
#[inline]
pub(super) fn units(sum: i32, stance: usize) -> i32 {
    let common = i32::from(WEIGHTS[MOVE]) + i32::from(WEIGHTS[STANCE + stance]);
    ((sum + common) / GRAIN).clamp(-REACH, REACH)
}

/// What a weight is called.
pub(in crate::games::gomoku) fn name(term: usize) -> String {
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
pub(in crate::games::gomoku) fn weights() -> Vec<f64> {
    WEIGHTS.iter().map(|&weight| f64::from(weight) / f64::from(GRAIN)).collect()
}

/// The source text of other weights, in units, and their scale.
pub(in crate::games::gomoku) fn source(weights: &[f64], scale: f64) -> String {
    // The cast keeps to the range of the type.
    let whole = |weight: &f64| format!("{},", (weight * f64::from(GRAIN)).round() as i16);
    let line = |line: &[f64]| line.iter().map(whole).collect::<Vec<_>>().join(" ");
    let table: Vec<_> = weights.chunks(IN_A_LINE).map(line).collect();
    rewritten(SOURCE, scale, &table)
}
