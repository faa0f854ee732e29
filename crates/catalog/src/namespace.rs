//! Keys of the shared table that keep games, evaluations and methods apart.

use engine::game::zobrist;
use engine::search::{SharedMemory, TableEntry};
use games::notation::Settings;

/// Keys of one game, evaluation and method: entries of others are never read.
pub(super) struct Namespace<'a> {
    inner: &'a dyn SharedMemory,
    salt: u64,
}

impl<'a> Namespace<'a> {
    /// The shared memory as a game, its settings and a method see it, and an evaluator with the preferences
    /// of `seed`, if it has any.
    pub(super) fn new(
        inner: &'a dyn SharedMemory,
        game: &str,
        settings: &Settings,
        method: &str,
        seed: Option<u64>,
    ) -> Self {
        let text = format!("{game} {settings:?} {method} {seed:?}");
        let salt = text.bytes().fold(0, |salt, byte| zobrist::mix(salt ^ u64::from(byte)));
        Self { inner, salt }
    }
}

impl SharedMemory for Namespace<'_> {
    fn probe(&self, key: u64) -> Option<TableEntry> {
        self.inner.probe(key ^ self.salt)
    }

    fn store(&self, key: u64, entry: TableEntry) {
        self.inner.store(key ^ self.salt, entry);
    }
}
