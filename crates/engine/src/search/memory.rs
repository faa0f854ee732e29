//! What searches remember of positions, and the seam to what they share with each other.

use super::Score;

/// How a remembered score relates to the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The value is the score.
    Exact,
    /// The value is the score or more.
    Lower,
    /// The value is the score or less.
    Upper,
}

/// What is known of a position, in 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableEntry {
    /// The score, decided distances counted from the position itself.
    pub score: Score,
    /// How the score relates to the value.
    pub bound: Bound,
    /// The depth for which this holds, in plies.
    pub depth: u8,
    /// Whether it holds for every greater depth too, because no horizon stands behind it.
    pub resolved: bool,
    /// The code of the best move.
    pub best: u16,
}

impl TableEntry {
    /// Whether it says something about a search of this depth: of exactly this depth, so that what
    /// is found does not depend on what was searched before, or of no depth in particular.
    #[inline]
    pub fn is_about(&self, depth: u32) -> bool {
        let own = u32::from(self.depth);
        own == depth || (self.resolved && own <= depth)
    }

    /// Packs it: score 32, best move 16, depth 8, bound 2, resolved 1; five bits are free.
    #[inline]
    pub fn pack(self) -> u64 {
        u64::from(self.score.raw() as u32)
            | u64::from(self.best) << 32
            | u64::from(self.depth) << 48
            | (self.bound as u64) << 56
            | u64::from(self.resolved) << 58
    }

    /// The inverse of [`TableEntry::pack`]; the free bits are ignored.
    #[inline]
    pub fn unpack(bits: u64) -> Self {
        let bound = match bits >> 56 & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        };
        Self {
            score: Score::from_raw(bits as u32 as i32),
            best: (bits >> 32) as u16,
            depth: (bits >> 48) as u8,
            bound,
            resolved: bits >> 58 & 1 == 1,
        }
    }
}

/// A table that several searches read and write at once. Keys are already mixed with everything
/// that tells entries of different games, evaluations and kinds of search apart.
pub trait SharedMemory: Send + Sync {
    /// What is known under a key.
    fn probe(&self, key: u64) -> Option<TableEntry>;

    /// Remembers an entry, or does not: memory is bounded.
    fn store(&self, key: u64, entry: TableEntry);
}
