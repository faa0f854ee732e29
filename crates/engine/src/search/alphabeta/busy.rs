//! Moves that the threads of a search are looking at: a thread defers what another one searches, and finds
//! the result in the table when it comes back to it.
// CITE: ABDADA, Weill 1996, in the simplified form of Kerrigan 2016, "Simplified ABDADA".

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use crate::game::zobrist;

/// Slots: many more than threads have open nodes. Not tuned.
const SLOTS: usize = 1 << 12;

/// The moves being searched, by position and depth.
pub(super) struct BusyMoves(Box<[AtomicU64]>);

impl BusyMoves {
    pub(super) fn new() -> Self {
        Self((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    /// Key of a move of a position, searched to this depth.
    #[inline]
    pub(super) fn key(pos: u64, code: u16, depth: u32) -> u64 {
        zobrist::mix(pos ^ u64::from(code) << 32 ^ u64::from(depth) << 48)
    }

    fn slot(&self, key: u64) -> &AtomicU64 {
        &self.0[key as usize % SLOTS]
    }

    /// True if a thread is at it.
    #[inline]
    pub(super) fn has(&self, key: u64) -> bool {
        self.slot(key).load(Relaxed) == key
    }

    #[inline]
    pub(super) fn begin(&self, key: u64) {
        self.slot(key).store(key, Relaxed);
    }

    #[inline]
    pub(super) fn end(&self, key: u64) {
        if self.has(key) {
            self.slot(key).store(0, Relaxed);
        }
    }
}
