//! Transposition table of one search, shared by its threads: plain words, no locks.

use std::cell::RefCell;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use super::memory::TableEntry;

/// Entries per bucket: one cache line.
const WAYS: usize = 4;
/// Largest table that an idle thread keeps, in bytes: the largest that a method has by default.
pub const MOST_KEPT: usize = 16 << 20;
/// Free bits of a packed entry: the generation, one per search.
const GENERATION_SHIFT: u32 = 59;
const GENERATIONS: u64 = 1 << (64 - GENERATION_SHIFT);

/// A packed entry, and its key combined with it by exclusive or: where two threads write at once and the halves
/// do not belong together, the key is that of no position.
// CITE: Hyatt and Mann 2002, "A lock-less transposition table implementation for parallel search".
#[derive(Debug, Default)]
struct TableSlot {
    check: AtomicU64,
    packed: AtomicU64,
}

impl TableSlot {
    #[inline]
    fn load(&self) -> (u64, u64) {
        let packed = self.packed.load(Relaxed);
        (self.check.load(Relaxed) ^ packed, packed)
    }

    #[inline]
    fn store(&self, key: u64, packed: u64) {
        self.check.store(key ^ packed, Relaxed);
        self.packed.store(packed, Relaxed);
    }
}

/// Four positions: exactly one cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([TableSlot; WAYS]);

/// A 4-way table. A new search does not clear it: entries of earlier ones count as empty.
#[derive(Debug, Default)]
pub struct Table {
    buckets: Vec<Bucket>,
    /// Number of buckets in use, a power of two, less one.
    mask: usize,
    generation: u64,
}

thread_local! {
    static IDLE: RefCell<Option<Table>> = const { RefCell::new(None) };
}

impl Table {
    /// An empty table of about this many MiB (a power of two of buckets, at least one); reuses the memory of
    /// this thread's last table if that is large enough.
    pub fn take(mib: usize) -> Self {
        let buckets = (mib << 20) / size_of::<Bucket>();
        let buckets = if buckets == 0 { 1 } else { 1 << buckets.ilog2() };
        let idle = IDLE.with(|idle| idle.borrow_mut().take());
        let mut table = idle
            .filter(|table| table.buckets.len() >= buckets && table.generation + 1 < GENERATIONS)
            .unwrap_or_else(|| Self::of(buckets));
        table.generation += 1;
        table.mask = buckets - 1;
        table
    }

    fn of(buckets: usize) -> Self {
        Self {
            buckets: (0..buckets).map(|_| Bucket::default()).collect(),
            mask: buckets - 1,
            generation: 0,
        }
    }

    /// Leaves the table for the next search on this thread; a large one is freed.
    pub fn give_back(self) {
        if size_of_val(&*self.buckets) <= MOST_KEPT {
            IDLE.with(|idle| *idle.borrow_mut() = Some(self));
        }
    }

    #[inline]
    fn bucket(&self, key: u64) -> usize {
        key as usize & self.mask
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
        let mut held = bucket.iter().map(TableSlot::load);
        let found = held.find(|&(own, packed)| own == key && self.is_current(packed));
        found.map(|(_, packed)| TableEntry::unpack(packed))
    }

    /// Stores an entry: over the same position, else over an empty slot, else over the shallowest.
    #[inline]
    pub fn store(&self, key: u64, entry: TableEntry) {
        let Bucket(bucket) = &self.buckets[self.bucket(key)];
        let held: [(u64, u64); WAYS] = std::array::from_fn(|way| bucket[way].load());
        let worth = |&(_, packed): &(u64, u64)| {
            if self.is_current(packed) {
                1 + u64::from(TableEntry::unpack(packed).depth)
            } else {
                0
            }
        };
        let same = |&(own, packed): &(u64, u64)| own == key && self.is_current(packed);
        let way = held.iter().position(same).unwrap_or_else(|| {
            (0..WAYS).min_by_key(|&way| worth(&held[way])).expect("a bucket has slots")
        });
        bucket[way].store(key, entry.pack() | self.generation << GENERATION_SHIFT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_used_again_is_as_good_as_new() {
        let entry = TableEntry::unpack(1);
        let mut table = Table::take(2);
        for turn in 0..2 * GENERATIONS {
            (0..1_000).for_each(|key| table.store(key << 20 | key, entry));
            assert!(table.probe(7 << 20 | 7).is_some());
            table.give_back();
            let mib = 1 + turn as usize % 2;
            table = Table::take(mib);
            assert_eq!((table.mask + 1) * size_of::<Bucket>(), mib << 20, "the size asked for");
            assert!((0..1_000).all(|key| table.probe(key << 20 | key).is_none()));
        }
        assert_eq!(table.buckets.len() * size_of::<Bucket>(), 2 << 20, "the larger one is kept");
    }
}
