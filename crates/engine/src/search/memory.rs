//! Table entries, and the interface to memory shared between searches.

use std::any::Any;

use super::Score;

/// Relation of a stored score to the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The value equals the score.
    Exact,
    /// The value is at least the score.
    Lower,
    /// The value is at most the score.
    Upper,
}

/// A transposition table entry, in 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableEntry {
    /// Score, with decided distances counted from the position itself.
    pub score: Score,
    /// Relation of the score to the value.
    pub bound: Bound,
    /// Search depth in plies.
    pub depth: u8,
    /// True if the entry holds for every greater depth too, because it depends on no horizon.
    pub resolved: bool,
    /// Code of the best move.
    pub best: u16,
}

impl TableEntry {
    /// True if the entry is valid for a search of this depth: exactly this depth, so that results do not
    /// depend on earlier searches, or any depth if resolved.
    #[inline]
    pub fn is_about(&self, depth: u32) -> bool {
        let own = u32::from(self.depth);
        own == depth || (self.resolved && own <= depth)
    }

    /// Packed bits: score 32, best move 16, depth 8, bound 2, resolved 1; five bits are free.
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

/// A table read and written by several searches at once. Keys already include everything that
/// distinguishes games, evaluations and kinds of search.
pub trait SharedMemory: Send + Sync {
    /// Entry under a key.
    fn probe(&self, key: u64) -> Option<TableEntry>;

    /// Stores an entry, or drops it: memory is bounded.
    fn store(&self, key: u64, entry: TableEntry);

    /// History tables that an earlier search has left under this key, if any; nobody else has them then.
    fn take_histories(&self, _key: u64) -> Option<KeptHistories> {
        None
    }

    /// Leaves history tables for a later search, or drops them.
    fn leave_histories(&self, _key: u64, _histories: KeptHistories) {}
}

/// History tables of one search; what they are is known to the searches that share their key.
pub type KeptHistories = Box<dyn Any + Send>;
