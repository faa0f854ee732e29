//! Evaluation networks: a sparse first layer, one hidden layer, one output per
//! bucket. Integers only, so that a value is the same on every machine.
//!
//! ```text
//! active rows of view 0 ──sum──► accumulator ──clip, square──┐
//!                                                            ├─ weights of the bucket ──► value
//! active rows of view 1 ──sum──► accumulator ──clip, square──┘
//! ```
//! A policy head, where there is one, reads the clipped sums of view 0: `policy`.
//!
//! View 0 is the side to move, view 1 the other side; games seen from the side to move alone have one view.
// CITE: efficiently updatable networks, Nasu 2018; squared clipped activations as in published engines.

mod policy;
mod reference;

use policy::PolicyHead;
pub use policy::{MOST_MOVE_WEIGHT, MoveRows};
pub use reference::ReferenceNetwork;

use wide::i16x8;

use crate::game::{Game, Side};

/// Activation of 1, and the largest one.
pub const ACTIVE: i16 = 255;
/// Output weight of 1.
pub const WEIGHT: i16 = 64;
/// Largest absolute output weight: with `ACTIVE` it fits 16 bits.
pub const MOST_WEIGHT: i16 = 127;
/// Largest number of summed activations, so that 32 bits hold the sum: 255 * 255 * 127 * 256 < 2^31.
const MOST_LANES: usize = 256;

/// What a network sees of a position.
pub trait NetworkInput<G: Game>: 'static {
    /// Name of what the rows stand for, with its version: a network learned from other rows is refused.
    const FEATURES: &str;
    /// Rows of the first layer.
    const ROWS: usize;
    /// Views: 2, or 1 if the side to move alone decides the rows.
    const VIEWS: usize;
    /// Output buckets.
    const BUCKETS: usize;
    /// Rows of one king bucket: rows this far apart stand for the same piece on the same point, and training gives
    /// them a part in common. 0 without king buckets.
    const SHARED_ROWS: usize = 0;
    /// Evaluation units of a logit: a side at this value is expected to score 1 / (1 + 1/e).
    const SCALE: i32;
    /// Rows of the policy head; 0 without it.
    const MOVE_ROWS: usize = 0;

    /// Appends the active rows of a position as `view` sees it.
    fn rows(pos: &G, view: Side, out: &mut Vec<u32>);

    /// Output bucket of a position, below `BUCKETS`.
    fn bucket(pos: &G) -> usize;

    /// The value that the network's output is added to, for the side to move; 0 if it stands alone.
    fn base(_pos: &G, _mover: Side) -> i32 {
        0
    }

    /// The row in place of `row` in the mirror image of a position, which is worth the same.
    fn mirrored(row: u32) -> u32 {
        row
    }

    /// Moves to choose from, and the rows of each in the policy head. None where there is nothing to choose.
    fn choices(_pos: &G, _mover: Side) -> Vec<(G::Move, MoveRows)> {
        Vec::new()
    }

    /// The rows of both views, that of the side to move first.
    fn seen(pos: &G, mover: Side) -> Vec<Vec<u32>> {
        let views = [mover, mover.other()];
        let rows = |&view: &Side| {
            let mut rows = Vec::new();
            Self::rows(pos, view, &mut rows);
            rows
        };
        views[..Self::VIEWS].iter().map(rows).collect()
    }
}

/// Sums of the first layer for one view.
pub type Accumulator<const HIDDEN: usize> = [i16; HIDDEN];

/// A network with `HIDDEN` sums per view.
#[derive(Debug)]
pub struct Network<const HIDDEN: usize> {
    rows: Vec<Accumulator<HIDDEN>>,
    bias: Accumulator<HIDDEN>,
    /// Per bucket, then per view.
    outputs: Vec<Accumulator<HIDDEN>>,
    /// Per bucket, in units of `ACTIVE` * `ACTIVE` * `WEIGHT`.
    offsets: Vec<i32>,
    policy: PolicyHead<HIDDEN>,
    views: usize,
    scale: i64,
}

impl<const HIDDEN: usize> Network<HIDDEN> {
    /// Reads a network file for this input: one line of JSON about its origin, of which `features` counts here, then
    /// little-endian numbers of 16 bits (rows, bias, outputs, rows of moves), then of 32 bits: one per bucket, one per
    /// row of moves.
    ///
    /// # Errors
    /// When the features or the length are not those of the input, or an output weight is too large.
    pub fn read<G: Game, I: NetworkInput<G>>(file: &[u8]) -> Result<Self, String> {
        let head =
            file.iter().position(|&byte| byte == b'\n').ok_or("a network has a first line")?;
        let (head, body) = (String::from_utf8_lossy(&file[..head]), &file[head + 1..]);
        let features = format!("\"features\":\"{}\"", I::FEATURES);
        if !head.contains(&features) {
            return Err(format!("expected {features} in the first line"));
        }
        let lanes = I::VIEWS * HIDDEN;
        let vectors = I::ROWS + 1 + I::BUCKETS * I::VIEWS + I::MOVE_ROWS;
        let offsets = I::BUCKETS + I::MOVE_ROWS;
        let expected = 2 * vectors * HIDDEN + 4 * offsets;
        if body.len() != expected || lanes > MOST_LANES {
            return Err(format!(
                "expected {expected} bytes after the first line, got {}",
                body.len()
            ));
        }
        let (small, large) = body.split_at(expected - 4 * offsets);
        let (pairs, _) = small.as_chunks::<2>();
        let (fours, _) = large.as_chunks::<4>();
        let numbers: Vec<i16> = pairs.iter().map(|pair| i16::from_le_bytes(*pair)).collect();
        let (rows, _) = numbers.as_chunks::<HIDDEN>();
        let (rows, rest) = rows.split_at(I::ROWS);
        let (bias, rest) = rest.split_at(1);
        let (outputs, moves) = rest.split_at(I::BUCKETS * I::VIEWS);
        let largest = outputs.as_flattened().iter().map(|weight| weight.unsigned_abs()).max();
        if largest > Some(MOST_WEIGHT.unsigned_abs()) {
            return Err(format!("an output weight is beyond {MOST_WEIGHT}"));
        }
        let mut offsets: Vec<_> = fours.iter().map(|four| i32::from_le_bytes(*four)).collect();
        let policy = PolicyHead::new(moves, offsets.split_off(I::BUCKETS));
        Ok(Self {
            rows: rows.to_vec(),
            bias: bias[0],
            outputs: outputs.to_vec(),
            offsets,
            policy,
            views: I::VIEWS,
            scale: I::SCALE.into(),
        })
    }

    /// The sums without any active row.
    pub fn empty(&self) -> Accumulator<HIDDEN> {
        self.bias
    }

    /// Adds an active row.
    #[inline]
    pub fn add(&self, sums: &mut Accumulator<HIDDEN>, row: u32) {
        each_lanes(sums, [&self.rows[row as usize]], |sums, [weights]| sums + weights);
    }

    /// Removes an active row.
    #[inline]
    pub fn remove(&self, sums: &mut Accumulator<HIDDEN>, row: u32) {
        each_lanes(sums, [&self.rows[row as usize]], |sums, [weights]| sums - weights);
    }

    /// Replaces an active row by another, in one pass.
    #[inline]
    pub fn replace(&self, sums: &mut Accumulator<HIDDEN>, old: u32, new: u32) {
        let rows = [&self.rows[old as usize], &self.rows[new as usize]];
        each_lanes(sums, rows, |sums, [old, new]| sums - old + new);
    }

    /// Value for the side to move, in evaluation units, of the sums of all views.
    #[inline]
    pub fn value(&self, views: &[&Accumulator<HIDDEN>], bucket: usize) -> i32 {
        let outputs = &self.outputs[bucket * self.views..][..self.views];
        let sum: i32 = views.iter().zip(outputs).map(|(sums, weights)| lanes(sums, weights)).sum();
        // In 64 bits: no sum of 32 bits times a scale in units is beyond them.
        let one = i64::from(ACTIVE) * i64::from(ACTIVE) * i64::from(WEIGHT);
        ((i64::from(sum) + i64::from(self.offsets[bucket])) * self.scale / one) as i32
    }
}

/// Changes sums eight at a time. A loop over single sums becomes the same vector instructions only in some of the places
/// that it is inlined into: without them a search of Othello visits two thirds of the nodes a second.
#[inline(always)]
fn each_lanes<const HIDDEN: usize, const ROWS: usize>(
    sums: &mut Accumulator<HIDDEN>,
    rows: [&Accumulator<HIDDEN>; ROWS],
    change: impl Fn(i16x8, [i16x8; ROWS]) -> i16x8,
) {
    const { assert!(HIDDEN.is_multiple_of(8), "sums come in eights") };
    let (sums, _) = sums.as_chunks_mut();
    for (n, sums) in sums.iter_mut().enumerate() {
        let weights = rows.map(|row| i16x8::new(row.as_chunks().0[n]));
        *sums = change(i16x8::new(*sums), weights).to_array();
    }
}

/// Sum of squared, clipped activations times weights. In 16 bits up to the last product, which compilers turn into
/// multiply-add instructions.
#[inline]
fn lanes<const HIDDEN: usize>(sums: &Accumulator<HIDDEN>, weights: &Accumulator<HIDDEN>) -> i32 {
    let mut total = 0;
    for (&sum, &weight) in sums.iter().zip(weights) {
        let active = sum.clamp(0, ACTIVE);
        total += i32::from(active.wrapping_mul(weight)) * i32::from(active);
    }
    total
}
