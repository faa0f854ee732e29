//! What the tables say about a position: a private table for every node, the table shared between
//! searches for the nodes that cost most.

use super::options::TableUse;
use crate::search::memory::{Bound, SharedMemory, TableEntry};
use crate::search::{Score, Table, Window};

/// Nodes this near to the root are always shared: the next question of the same game begins there.
const SHARED_PLIES: u32 = 2;

pub(super) struct Tables<'a> {
    private: Option<Table>,
    shared: Option<&'a dyn SharedMemory>,
    /// Nodes with fewer plies left are cheaper to search again than to share.
    share_from: u32,
    /// Earlier searches went so deep. Until this one has caught up with them, what it finds only
    /// prepares the ground, and knowledge of greater depth is welcome.
    catching_up: bool,
    /// Whether knowledge of greater depth is always welcome.
    deeper_counts: bool,
}

impl<'a> Tables<'a> {
    pub(super) fn new(
        table: TableUse,
        mib: usize,
        shared: Option<&'a dyn SharedMemory>,
        share_from: u32,
        deeper_counts: bool,
    ) -> Self {
        Self {
            private: (table != TableUse::Off).then(|| Table::take(mib)),
            shared: shared.filter(|_| table == TableUse::Shared),
            share_from,
            catching_up: false,
            deeper_counts,
        }
    }

    pub(super) fn is_shared(&self) -> bool {
        self.shared.is_some()
    }

    pub(super) fn catch_up(&mut self, catching_up: bool) {
        self.catching_up = catching_up && !self.deeper_counts;
    }

    /// Whether an entry says something about a search of this depth.
    #[inline]
    fn is_about(&self, entry: &TableEntry, depth: u32) -> bool {
        let deeper = (self.catching_up || self.deeper_counts) && u32::from(entry.depth) > depth;
        deeper || entry.is_about(depth)
    }

    #[inline]
    pub(super) fn probe_private(&self, key: u64) -> Option<TableEntry> {
        self.private.as_ref().and_then(|table| table.probe(key))
    }

    /// Has what is known of a position brought near while something else is done.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        if let Some(table) = &self.private {
            table.prefetch(key);
        }
    }

    #[inline]
    pub(super) fn probe(&self, key: u64, depth: u32, ply: u32) -> Option<TableEntry> {
        let private = self.private.as_ref().and_then(|table| table.probe(key));
        let shares = depth >= self.share_from || ply <= SHARED_PLIES;
        if !shares || private.is_some_and(|entry| self.is_about(&entry, depth)) {
            return private;
        }
        self.shared.and_then(|table| table.probe(key)).or(private)
    }

    #[inline]
    pub(super) fn store(&mut self, key: u64, depth: u32, ply: u32, entry: TableEntry) {
        // What mixes depths is of no depth: only its move will be used.
        let depth_of_entry = if self.catching_up && !entry.resolved { 0 } else { entry.depth };
        if let Some(table) = &mut self.private {
            table.store(key, TableEntry { depth: depth_of_entry, ..entry });
        }
        if (depth >= self.share_from || ply <= SHARED_PLIES)
            && !self.catching_up
            && let Some(table) = self.shared
        {
            table.store(key, entry);
        }
    }

    /// Stores what concerns this search alone.
    #[inline]
    pub(super) fn store_private(&mut self, key: u64, entry: TableEntry) {
        if let Some(table) = &mut self.private {
            table.store(key, entry);
        }
    }

    /// The score that an entry decides a node with, if it does: distances counted from the root.
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

impl Drop for Tables<'_> {
    fn drop(&mut self) {
        if let Some(table) = self.private.take() {
            table.give_back();
        }
    }
}

/// The entry for what a search of this depth found. A proved distance holds for every depth that
/// reaches so far; any other score holds for greater depths only if no horizon stands behind it.
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
