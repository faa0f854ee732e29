//! UCB1: the bound by which `uct` chooses.

use super::arena::ArenaNode;
use crate::game::Side;

/// Natural logarithm with a relative error of about 1 %, far less than the uncertainty of the exploration
/// constant; fast, and with the same bits on every machine.
#[inline]
pub(super) fn ln(n: u32) -> f32 {
    let bits = (n.max(1) as f32).to_bits();
    let exponent = (bits >> 23) as f32 - 127.0;
    let mantissa = f32::from_bits(bits & 0x007F_FFFF | 0x3F80_0000);
    let log2 = exponent + (2.0 - mantissa / 3.0) * mantissa - 5.0 / 3.0;
    log2 * std::f32::consts::LN_2
}

/// Child with the highest upper confidence bound for the mover; an unvisited child comes first, and a proved
/// loss, by its mean, last.
// CITE: UCB1, Auer, Cesa-Bianchi and Fischer 2002.
#[inline]
pub(super) fn highest_bound(
    children: &[ArenaNode],
    mover: Side,
    exploration: f32,
    skip: impl Fn(&ArenaNode) -> bool,
) -> usize {
    let sign = mover.sign() as f32;
    let (mut best, mut highest) = (0, f32::NEG_INFINITY);
    for (n, child) in children.iter().enumerate() {
        let visits = child.visits();
        if visits == 0 {
            return n;
        }
        let bound = sign * child.mean() + exploration / (visits as f32).sqrt();
        if bound > highest && !skip(child) {
            (best, highest) = (n, bound);
        }
    }
    best
}
