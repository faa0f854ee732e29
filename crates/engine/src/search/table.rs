//! Private transposition table of one search thread: plain memory, no atomics, no locks.

use std::cell::RefCell;

use super::memory::TableEntry;

/// Entries per bucket: one cache line.
const WAYS: usize = 4;
/// Free bits of a packed entry: the generation, one per search.
const GENERATION_SHIFT: u32 = 59;
const GENERATIONS: u64 = 1 << (64 - GENERATION_SHIFT);

/// Key and packed entry of four positions: exactly one cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Bucket([(u64, u64); WAYS]);

/// A 4-way table. A new search does not clear it: entries of earlier ones count as empty.
#[derive(Debug, Default)]
pub struct Table {
    buckets: Vec<Bucket>,
    generation: u64,
}

thread_local! {
    static IDLE: RefCell<Option<Table>> = const { RefCell::new(None) };
}

impl Table {
    /// An empty table of about this many MiB (a power of two of buckets, at least one); reuses the memory of
    /// this thread's last table if the size fits.
    pub fn take(mib: usize) -> Self {
        let buckets = (mib << 20) / size_of::<Bucket>();
        let buckets = if buckets == 0 { 1 } else { 1 << buckets.ilog2() };
        let idle = IDLE.with(|idle| idle.borrow_mut().take());
        let mut table = idle
            .filter(|table| table.buckets.len() == buckets)
            .unwrap_or_else(|| Self { buckets: vec![Bucket::default(); buckets], generation: 0 });
        table.generation += 1;
        if table.generation == GENERATIONS {
            table.buckets.fill(Bucket::default());
            table.generation = 1;
        }
        table
    }

    /// Leaves the table for the next search on this thread.
    pub fn give_back(self) {
        IDLE.with(|idle| *idle.borrow_mut() = Some(self));
    }

    #[inline]
    fn bucket(&self, key: u64) -> usize {
        key as usize & (self.buckets.len() - 1)
    }

    #[inline]
    fn is_current(&self, packed: u64) -> bool {
        packed >> GENERATION_SHIFT == self.generation
    }

    /// Prefetches the bucket of a key.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch_index::prefetch_index(&self.buckets, self.bucket(key));
    }

    /// Entry of this search under a key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<TableEntry> {
        let Bucket(bucket) = &self.buckets[self.bucket(key)];
        let found = bucket.iter().find(|slot| slot.0 == key && self.is_current(slot.1));
        found.map(|slot| TableEntry::unpack(slot.1))
    }

    /// Stores an entry: over the same position, else over an empty slot, else over the shallowest.
    #[inline]
    pub fn store(&mut self, key: u64, entry: TableEntry) {
        let (index, generation) = (self.bucket(key), self.generation);
        let Bucket(bucket) = &mut self.buckets[index];
        let worth = |&(held, packed): &(u64, u64)| {
            if packed >> GENERATION_SHIFT != generation {
                0
            } else if held == key {
                1
            } else {
                2 + u64::from(TableEntry::unpack(packed).depth)
            }
        };
        let same =
            |&(held, packed): &(u64, u64)| held == key && packed >> GENERATION_SHIFT == generation;
        let slot = bucket.iter().position(same).unwrap_or_else(|| {
            (0..WAYS).min_by_key(|&way| worth(&bucket[way])).expect("a bucket has slots")
        });
        bucket[slot] = (key, entry.pack() | generation << GENERATION_SHIFT);
    }
}
