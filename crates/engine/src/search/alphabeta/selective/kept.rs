//! What `selective` keeps from question to question: the next one of a game asks about much the same moves.

use super::correction::Correction;
use super::history::HistoryTable;

/// Key of history tables among what searches leave.
pub(super) const KEY: u64 = 0x4849_5354;

/// What a search has learned that holds beyond its root.
pub(super) struct Learned<M> {
    pub(super) history: HistoryTable,
    pub(super) answers: Vec<Option<M>>,
    pub(super) correction: Correction,
}
