//! Salted keys of the shared transposition table: one key space per game, evaluation and method.

use super::answer::SearchedMoves;
use engine::game::zobrist;
use engine::search::{KeptHistories, SharedMemory, TableEntry};
use games::notation::Settings;

/// Key space of one game, evaluation and method; entries of others are never read.
pub(super) struct Namespace<'a> {
    inner: &'a dyn SharedMemory,
    salt: u64,
    /// The salt without the seed: histories are of moves, which small preferences of an evaluator hardly change.
    unseeded: u64,
}

impl<'a> Namespace<'a> {
    /// The key space of a game with these settings and a method that looks at these `moves`; `seed` is that of a
    /// randomized evaluator.
    pub(super) fn new(
        inner: &'a dyn SharedMemory,
        game: &str,
        settings: &Settings,
        method: &str,
        moves: Option<SearchedMoves>,
        seed: Option<u64>,
    ) -> Self {
        let hash = |salt: u64, text: &str| {
            text.bytes().fold(salt, |salt, byte| zobrist::mix(salt ^ u64::from(byte)))
        };
        let unseeded = hash(0, &format!("{game} {settings:?} {method} {moves:?}"));
        Self { inner, salt: hash(unseeded, &format!("{seed:?}")), unseeded }
    }
}

impl SharedMemory for Namespace<'_> {
    fn probe(&self, key: u64) -> Option<TableEntry> {
        self.inner.probe(key ^ self.salt)
    }

    fn store(&self, key: u64, entry: TableEntry) {
        self.inner.store(key ^ self.salt, entry);
    }

    fn take_histories(&self, key: u64) -> Option<KeptHistories> {
        self.inner.take_histories(key ^ self.unseeded)
    }

    fn leave_histories(&self, key: u64, histories: KeptHistories) {
        self.inner.leave_histories(key ^ self.unseeded, histories);
    }
}
