//! Transposition table shared by all searches.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::sync::{Mutex, PoisonError};

use dashmap::DashMap;
use foldhash::fast::FixedState;

use crate::search::{KeptHistories, SharedMemory, TableEntry};

const SHARDS: usize = 64;
/// Position of the age at writing in the free bits of a packed entry.
const AGE_SHIFT: u32 = 59;
const AGES: u64 = 1 << (64 - AGE_SHIFT);
/// Most history tables kept, of up to 4 MiB each: those of xiangqi.
const MOST_HISTORIES: usize = 4;

/// Bounded map from position key to entry. Values are copied out; no guard outlives a call.
pub struct SharedTable {
    entries: DashMap<u64, u64, FixedState>,
    /// Number of entries: `DashMap::len` would lock every shard.
    count: AtomicUsize,
    capacity: usize,
    age: AtomicU64,
    sweeping: AtomicBool,
    /// Random salt: clients choose the positions but must not be able to choose the keys.
    salt: u64,
    /// History tables of ended searches, the latest last, with their keys. Locked once a search.
    histories: Mutex<Vec<(u64, KeptHistories)>>,
}

impl std::fmt::Debug for SharedTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SharedTable").field("len", &self.len()).finish_non_exhaustive()
    }
}

impl SharedTable {
    /// A table of at most `capacity` entries, about 36 bytes each.
    pub fn new(capacity: usize) -> Self {
        Self {
            entries: DashMap::with_hasher_and_shard_amount(FixedState::default(), SHARDS),
            count: AtomicUsize::new(0),
            capacity,
            age: AtomicU64::new(0),
            sweeping: AtomicBool::new(false),
            salt: RandomState::new().hash_one("shared table"),
            histories: Mutex::default(),
        }
    }

    /// Number of entries held.
    pub fn len(&self) -> usize {
        self.count.load(Relaxed)
    }

    /// True if the table is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Evicts, shard by shard, the entries not written since the last sweep if the table is nearly full;
    /// true if there was anything to do. Meant for a background thread.
    pub fn sweep(&self) -> bool {
        if self.len() * 8 < self.capacity * 7 || self.sweeping.swap(true, Relaxed) {
            return false;
        }
        let age = self.age.load(Relaxed);
        let mut kept = 0;
        // If every entry is young, half of them go all the same.
        self.entries.retain(|key, packed| {
            let keep = *packed >> AGE_SHIFT == age && (kept < self.capacity / 2 || key % 2 == 0);
            kept += usize::from(keep);
            if !keep {
                self.count.fetch_sub(1, Relaxed);
            }
            keep
        });
        self.age.store((age + 1) % AGES, Relaxed);
        self.sweeping.store(false, Relaxed);
        true
    }
}

impl SharedMemory for SharedTable {
    fn probe(&self, key: u64) -> Option<TableEntry> {
        self.entries.get(&(key ^ self.salt)).map(|packed| TableEntry::unpack(*packed))
    }

    fn store(&self, key: u64, entry: TableEntry) {
        let packed = entry.pack() | self.age.load(Relaxed) << AGE_SHIFT;
        let key = key ^ self.salt;
        if self.len() >= self.capacity {
            // Full until the next sweep: only existing entries are renewed.
            if let Some(mut held) = self.entries.get_mut(&key) {
                *held = packed;
            }
        } else if self.entries.insert(key, packed).is_none() {
            self.count.fetch_add(1, Relaxed);
        }
    }

    fn take_histories(&self, key: u64) -> Option<KeptHistories> {
        let mut kept = self.histories.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.iter().rposition(|&(own, _)| own == key)?;
        Some(kept.remove(place).1)
    }

    fn leave_histories(&self, key: u64, histories: KeptHistories) {
        let mut kept = self.histories.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST_HISTORIES {
            kept.remove(0);
        }
        kept.push((key, histories));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Bound, Score};

    fn entry(value: i32) -> TableEntry {
        TableEntry {
            score: Score::heuristic(value),
            bound: Bound::Exact,
            depth: 5,
            resolved: false,
            best: 3,
        }
    }

    #[test]
    fn what_is_stored_is_found_and_nothing_else() {
        let table = SharedTable::new(100);
        table.store(1, entry(-7));
        assert_eq!(table.probe(1), Some(entry(-7)));
        assert_eq!(table.probe(2), None);
    }

    #[test]
    fn it_never_holds_more_than_its_capacity_and_makes_room_when_swept() {
        let table = SharedTable::new(1_000);
        for key in 0..5_000 {
            table.store(key, entry(1));
        }
        assert_eq!(table.len(), 1_000);
        assert!(table.sweep());
        assert!(table.len() <= 760, "{} left", table.len());
        table.store(9_999, entry(2));
        assert_eq!(table.probe(9_999), Some(entry(2)));
        assert!(!table.sweep(), "there is room");
    }

    #[test]
    fn a_sweep_keeps_what_was_written_since_the_last_one() {
        let table = SharedTable::new(1_000);
        (0..880).for_each(|key| table.store(key, entry(1)));
        assert!(table.sweep());
        let young = 10_000..10_250;
        young.clone().for_each(|key| table.store(key, entry(2)));
        assert!(table.sweep());
        assert_eq!(table.len(), 250, "what is old is gone");
        assert!(young.into_iter().all(|key| table.probe(key) == Some(entry(2))));
    }

    #[test]
    fn the_latest_histories_are_kept_and_each_has_one_owner() {
        let table = SharedTable::new(1);
        let number = |kept: Option<KeptHistories>| kept?.downcast().ok().map(|number| *number);
        (0..=MOST_HISTORIES).for_each(|n| table.leave_histories(n as u64, Box::new(n)));
        assert_eq!(number(table.take_histories(0)), None::<usize>, "the oldest makes room");
        assert_eq!(number(table.take_histories(1)), Some(1_usize));
        assert_eq!(number(table.take_histories(1)), None::<usize>, "it is taken");
        (7..9_usize).for_each(|n| table.leave_histories(5, Box::new(n)));
        assert_eq!(number(table.take_histories(5)), Some(8_usize), "the latest first");
    }
}
