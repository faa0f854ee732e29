//! What combinations are worth, from the weights.

use super::lines::Kind;
use super::weights::{GRAIN, WEIGHTS};
use crate::game::rewritten;

/// The source of the weights as it stands. What it says beside the numbers is kept.
const SOURCE: &str = include_str!("weights.rs");
/// Weights in a line of it.
const IN_A_LINE: usize = 12;

/// No evaluation is larger, in units.
pub(in crate::games::gomoku) const REACH: i32 = 10_000;

const KINDS: usize = Kind::ALL.len();
/// Pairs of the two best kinds of a combination.
const PAIRS: usize = KINDS * (KINDS + 1) / 2;
/// Weights of the combinations for one side: a pair, the third and the fourth kind.
const OF_A_SIDE: usize = PAIRS + 2 * KINDS;
/// Sets of threats that two sides can have, a bit for each threat.
const STANCES: usize = 1 << 9;
/// All weights: for the side to move, for the other, for having the move, and for the threats that there
/// are at all.
pub(in crate::games::gomoku) const TERMS: usize = STANCE + STANCES;
/// The weight for having the move.
pub(in crate::games::gomoku) const MOVE: usize = 2 * OF_A_SIDE;
/// The first of the weights for the threats that there are at all, by [`Knowledge::stance`].
///
/// [`Knowledge::stance`]: super::Knowledge::stance
pub(in crate::games::gomoku) const STANCE: usize = MOVE + 1;

/// What a combination, its kinds given the best first, is worth to a side that is to move (0) or not (1),
/// in parts of a unit.
pub(super) fn of(kinds: [Kind; 4], role: usize) -> i16 {
    let worth = terms(kinds, role).into_iter().map(|term| WEIGHTS[term]);
    worth.fold(0, i16::saturating_add)
}

/// A sum as an evaluation for the side to move, the threats being such.
#[inline]
pub(super) fn units(sum: i32, stance: usize) -> i32 {
    let common = i32::from(WEIGHTS[MOVE]) + i32::from(WEIGHTS[STANCE + stance]);
    ((sum + common) / GRAIN).clamp(-REACH, REACH)
}

/// The weights that count for a combination of a side that is to move (0) or not (1).
pub(super) fn terms(kinds: [Kind; 4], role: usize) -> [usize; 3] {
    let [first, second, third, fourth] = kinds.map(|kind| kind as usize);
    let pair = first * (first + 1) / 2 + second;
    [pair, PAIRS + third, PAIRS + KINDS + fourth].map(|term| role * OF_A_SIDE + term)
}

/// What a weight is called.
pub(in crate::games::gomoku) fn name(term: usize) -> String {
    if term == MOVE {
        return "the move".into();
    }
    if term >= STANCE {
        return format!("threats {:04b} v {:05b}", (term - STANCE) >> 5, (term - STANCE) & 31);
    }
    let (role, term) = (term / OF_A_SIDE, term % OF_A_SIDE);
    let side = ["mover", "foe"][role];
    let kind = |n: usize| format!("{:?}", Kind::ALL[n]);
    let what = match term {
        PAIRS.. => {
            let place = if term < PAIRS + KINDS { "third" } else { "fourth" };
            format!("{place} {}", kind((term - PAIRS) % KINDS))
        }
        _ => {
            let first = (0..KINDS).rfind(|first| first * (first + 1) / 2 <= term).unwrap_or(0);
            format!("{} {}", kind(first), kind(term - first * (first + 1) / 2))
        }
    };
    format!("{side}: {what}")
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
