//! What the tables say about a position: a private table for every node, the table shared between
//! searches for the nodes that cost most.

use super::options::TableUse;
use crate::search::memory::{Bound, Entry, SharedMemory};
use crate::search::{Score, Table, Window};

/// Nodes with less left to search are cheaper to search again than to share.
const SHARED_DEPTH: u32 = 4;

pub(super) struct Recall<'a> {
    private: Option<Table>,
    shared: Option<&'a dyn SharedMemory>,
}

impl<'a> Recall<'a> {
    pub(super) fn new(table: TableUse, mib: usize, shared: Option<&'a dyn SharedMemory>) -> Self {
        Self {
            private: (table != TableUse::Off).then(|| Table::take(mib)),
            shared: shared.filter(|_| table == TableUse::Shared),
        }
    }

    #[inline]
    pub(super) fn probe(&self, key: u64, depth: u32) -> Option<Entry> {
        let private = self.private.as_ref().and_then(|table| table.probe(key));
        if depth < SHARED_DEPTH || private.is_some_and(|entry| entry.is_about(depth)) {
            return private;
        }
        self.shared.and_then(|table| table.probe(key)).or(private)
    }

    #[inline]
    pub(super) fn store(&mut self, key: u64, depth: u32, entry: Entry) {
        if let Some(table) = &mut self.private {
            table.store(key, entry);
        }
        if depth >= SHARED_DEPTH
            && let Some(table) = self.shared
        {
            table.store(key, entry);
        }
    }
}

impl Drop for Recall<'_> {
    fn drop(&mut self) {
        if let Some(table) = self.private.take() {
            table.give_back();
        }
    }
}

/// The score that an entry decides a node with, if it does: distances counted from the root.
#[inline]
pub(super) fn decides(entry: &Entry, depth: u32, ply: u32, window: Window) -> Option<Score> {
    if !entry.is_about(depth) {
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
) -> Entry {
    let score = score.relative_to_node(ply);
    let (depth, resolved) =
        if score.is_proved() { (score.plies(), true) } else { (depth, resolved) };
    Entry { score, bound, best, depth: depth.min(255) as u8, resolved }
}
