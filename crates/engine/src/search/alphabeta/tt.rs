//! Transposition tables: one of the search for every node, and one shared between searches for the costliest
//! nodes.

use crate::search::memory::{Bound, SharedMemory, TableEntry};
use crate::search::{Score, Table, Window};

/// Nodes within this many plies of the root are always shared: the next request of the same game starts
/// there. Measured only with resumption as a whole: `cargo test --test api same_question` (README.md,
/// Figures).
const SHARED_PLIES: u32 = 2;

pub(super) struct Tables<'a> {
    private: Option<&'a Table>,
    shared: Option<&'a dyn SharedMemory>,
    /// Minimum depth of shared nodes; shallower ones are cheaper to search again than to share.
    share_from: u32,
    /// True until this search has reached the depth of earlier ones: its entries only serve move ordering,
    /// and deeper entries may decide nodes.
    catching_up: bool,
    /// True if deeper entries may always decide nodes.
    deeper_counts: bool,
}

impl<'a> Tables<'a> {
    pub(super) fn new(
        table: Option<&'a Table>,
        shared: Option<&'a dyn SharedMemory>,
        share_from: u32,
        deeper_counts: bool,
    ) -> Self {
        Self { private: table, shared, share_from, catching_up: false, deeper_counts }
    }

    pub(super) fn is_shared(&self) -> bool {
        self.shared.is_some()
    }

    pub(super) fn catch_up(&mut self, catching_up: bool) {
        self.catching_up = catching_up && !self.deeper_counts;
    }

    /// True if an entry is valid for a search of this depth.
    #[inline]
    fn is_about(&self, entry: &TableEntry, depth: u32) -> bool {
        let deeper = (self.catching_up || self.deeper_counts) && u32::from(entry.depth) > depth;
        deeper || entry.is_about(depth)
    }

    #[inline]
    pub(super) fn probe_private(&self, key: u64) -> Option<TableEntry> {
        self.private.and_then(|table| table.probe(key))
    }

    /// Prefetches the bucket of a key.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        if let Some(table) = self.private {
            table.prefetch(key);
        }
    }

    #[inline]
    pub(super) fn probe(&self, key: u64, depth: u32, ply: u32) -> Option<TableEntry> {
        let private = self.private.and_then(|table| table.probe(key));
        let shares = depth >= self.share_from || ply <= SHARED_PLIES;
        if !shares || private.is_some_and(|entry| self.is_about(&entry, depth)) {
            return private;
        }
        self.shared.and_then(|table| table.probe(key)).or(private)
    }

    #[inline]
    pub(super) fn store(&mut self, key: u64, depth: u32, ply: u32, entry: TableEntry) {
        // A score from mixed depths has no depth: only its move is used.
        let depth_of_entry = if self.catching_up && !entry.resolved { 0 } else { entry.depth };
        if let Some(table) = self.private {
            table.store(key, TableEntry { depth: depth_of_entry, ..entry });
        }
        if (depth >= self.share_from || ply <= SHARED_PLIES)
            && !self.catching_up
            && let Some(table) = self.shared
        {
            table.store(key, entry);
        }
    }

    /// Stores an entry in the private table only.
    #[inline]
    pub(super) fn store_private(&mut self, key: u64, entry: TableEntry) {
        if let Some(table) = self.private {
            table.store(key, entry);
        }
    }

    /// Score of an entry that decides a node, if it does; distances counted from the root.
    #[inline]
    pub(super) fn decides(
        &self,
        entry: &TableEntry,
        depth: u32,
        ply: u32,
        window: Window,
    ) -> Option<Score> {
        if !self.is_about(entry, depth) {
            return None;
        }
        let score = entry.score.relative_to_root(ply);
        let enough = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        };
        enough.then_some(score)
    }
}

/// Table entry for the result of a search of this depth. A proved distance holds for every depth that
/// reaches it; any other score holds for greater depths only if it depends on no horizon.
#[inline]
pub(super) fn entry(
    score: Score,
    bound: Bound,
    best: u16,
    depth: u32,
    ply: u32,
    resolved: bool,
) -> TableEntry {
    let score = score.relative_to_node(ply);
    let (depth, resolved) =
        if score.is_proved() { (score.plies(), true) } else { (depth, resolved) };
    TableEntry { score, bound, best, depth: depth.min(255) as u8, resolved }
}
