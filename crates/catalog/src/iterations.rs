//! Values of root moves by iteration: how far the last one has moved them tells their error.

use std::sync::{Mutex, PoisonError};

use engine::search::{Report, Value};

/// Values of all root moves after an iteration.
struct IterationValues<M> {
    depth: u32,
    values: Vec<(M, Value)>,
}

/// The last two iterations of a search that has told of them.
pub(super) struct Iterations<M>(Mutex<[Option<IterationValues<M>>; 2]>);

impl<M> Default for Iterations<M> {
    fn default() -> Self {
        Self(Mutex::new([None, None]))
    }
}

impl<M: Copy + PartialEq> Iterations<M> {
    /// Notes an interim report.
    pub(super) fn note(&self, report: &Report<M>) {
        let values = report.lines.iter().filter(|line| line.rated);
        let values = values.map(|line| (line.moves[0], line.value)).collect();
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.swap(0, 1);
        last[1] = Some(IterationValues { depth: report.stats.depth, values });
    }

    /// Value of a root move in the last iteration that was less deep than `depth`.
    pub(super) fn before(&self, depth: u32, mv: M) -> Option<Value> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = last.iter().rev().flatten().find(|iteration| iteration.depth < depth)?;
        before.values.iter().find(|(other, _)| *other == mv).map(|&(_, value)| value)
    }
}
