//! History tables from question to question: the next one of a game asks about much the same moves.

use super::SelectiveNode;
use super::correction::Correction;
use super::history::HistoryTable;
use crate::search::SharedMemory;

/// Key of history tables among what searches leave.
const KEY: u64 = 0x4849_5354;

/// What a search has learned that holds beyond its root.
struct Learned<M> {
    history: HistoryTable,
    answers: Vec<Option<M>>,
    correction: Correction,
}

impl<M: Copy + Send + 'static> SelectiveNode<M> {
    /// Takes over what an earlier search has learned.
    pub(super) fn take_over(&mut self, memory: &dyn SharedMemory) {
        if let Some(kept) = memory.take_histories(KEY)
            && let Ok(learned) = kept.downcast::<Learned<M>>()
        {
            let Learned { history, answers, correction } = *learned;
            (self.history, self.answers) = (history, answers);
            self.correction = correction.within(&self.correction);
        }
    }

    /// Leaves what this search has learned.
    pub(super) fn hand_on(self, memory: &dyn SharedMemory) {
        let Self { history, answers, correction, .. } = self;
        memory.leave_histories(KEY, Box::new(Learned { history, answers, correction }));
    }
}
