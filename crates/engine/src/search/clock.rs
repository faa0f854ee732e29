//! Search limits. The only place in a search that reads the time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::report::Stats;

/// Reason why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The requested depth is complete.
    Depth,
    /// The node budget is used up.
    Nodes,
    /// The simulation budget is used up.
    Simulations,
    /// The thinking time is over.
    Time,
    /// The time limit counted from arrival is over.
    Deadline,
    /// The result is exact; a longer search cannot change it.
    Solved,
    /// There is only one move, and a longer search would not change it.
    OnlyMove,
    /// Cancelled from outside.
    Shutdown,
    /// Not ended: an intermediate report.
    Running,
}

/// Unwinds a search whose budget is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped(pub StopReason);

/// Search limits. The first limit reached stops the search.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Search depth in plies.
    pub depth: Option<u32>,
    /// Nodes, summed over threads.
    pub nodes: Option<u64>,
    /// Playouts, summed over threads.
    pub simulations: Option<u64>,
    /// Thinking time from the start of the search.
    pub time: Option<Duration>,
    /// Time by which an answer must exist.
    pub deadline: Option<Instant>,
}

impl Budget {
    /// The same limits, with thinking time at most `time`.
    pub fn within(mut self, time: Duration) -> Self {
        self.time = Some(self.time.map_or(time, |own| own.min(time)));
        self
    }

    /// This fraction of nodes and time, given as a divisor; the other limits stay.
    pub(super) fn part(&self, divisor: u32) -> Self {
        let now = Instant::now();
        let shorter = |end: Instant| now + end.saturating_duration_since(now) / divisor;
        Self {
            nodes: self.nodes.map(|nodes| nodes / u64::from(divisor)),
            time: self.time.map(|time| time / divisor),
            deadline: self.deadline.map(shorter),
            ..*self
        }
    }

    /// All but this fraction of nodes and time, given as a divisor.
    pub(super) fn without(&self, divisor: u32) -> Self {
        let now = Instant::now();
        let sooner = |end: Instant| end - end.saturating_duration_since(now) / divisor;
        Self {
            nodes: self.nodes.map(|nodes| nodes - nodes / u64::from(divisor)),
            time: self.time.map(|time| time - time / divisor),
            deadline: self.deadline.map(sooner),
            ..*self
        }
    }

    /// What is left of nodes and time after this work.
    pub(super) fn less(&self, spent: &Stats) -> Self {
        Self {
            nodes: self.nodes.map(|nodes| nodes.saturating_sub(spent.nodes)),
            time: self.time.map(|time| time.saturating_sub(spent.time)),
            ..*self
        }
    }

    /// The time limits alone, as a deadline for a search that starts now.
    pub fn end(&self) -> Self {
        let end = self.time.and_then(|time| Instant::now().checked_add(time));
        let deadline = [end, self.deadline].into_iter().flatten().min();
        Self { deadline, ..Self::default() }
    }
}

/// Cancellation flag of running searches. Clones share one flag.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    flag: Arc<AtomicBool>,
    parent: Option<Arc<Self>>,
}

impl Cancel {
    /// Cancels every search that holds a clone or a child.
    pub fn cancel(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// A separate flag that is also set by this one.
    pub fn child(&self) -> Self {
        Self { flag: Arc::default(), parent: Some(Arc::new(self.clone())) }
    }

    /// True if cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
            || self.parent.as_ref().is_some_and(|parent| parent.is_cancelled())
    }
}

/// Target time between two checks of the limits. Not tuned.
const LOOK_EVERY: Duration = Duration::from_micros(100);
/// Maximum nodes between two checks, however cheap. Not tuned.
const MAX_STRIDE: u64 = 1_024;

/// Counts the nodes of one search thread and stops it when a limit is reached.
#[derive(Debug)]
pub struct Clock {
    started: Instant,
    end: Option<(Instant, StopReason)>,
    cancel: Cancel,
    max_nodes: u64,
    nodes: u64,
    /// Node count of the next check.
    next_look: u64,
    stride: u64,
    last_look: Instant,
}

impl Clock {
    /// A clock that starts now. `share` is the number of threads that divide the node budget.
    pub fn start(budget: &Budget, cancel: &Cancel, share: u64) -> Self {
        let started = Instant::now();
        let time = budget.time.and_then(|time| started.checked_add(time));
        let end = match (time, budget.deadline) {
            (Some(time), Some(deadline)) if deadline < time => {
                Some((deadline, StopReason::Deadline))
            }
            (Some(time), _) => Some((time, StopReason::Time)),
            (None, deadline) => deadline.map(|deadline| (deadline, StopReason::Deadline)),
        };
        let max_nodes = budget.nodes.map_or(u64::MAX, |nodes| nodes.div_ceil(share));
        // The first check comes at once: it measures the cost of a node.
        let stride = 1;
        let next_look = stride.min(max_nodes);
        Self {
            started,
            end,
            cancel: cancel.clone(),
            max_nodes,
            nodes: 0,
            next_look,
            stride,
            last_look: started,
        }
    }

    /// Checks time and cancellation alone: what time it is.
    ///
    /// # Errors
    /// If the search is to end.
    pub(super) fn time_left(&self) -> Result<Instant, Stopped> {
        if self.cancel.is_cancelled() {
            return Err(Stopped(StopReason::Shutdown));
        }
        let now = Instant::now();
        match self.end {
            Some((end, reason)) if now >= end => Err(Stopped(reason)),
            _ => Ok(now),
        }
    }

    /// Counts a node.
    ///
    /// # Errors
    /// If a limit is reached.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.next_look {
            self.look()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// Checks time, cancellation and node budget.
    ///
    /// # Errors
    /// If a limit is reached.
    #[cold]
    pub fn look(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.max_nodes {
            return Err(Stopped(StopReason::Nodes));
        }
        let now = self.time_left()?;
        let spent = now - self.last_look;
        if spent > LOOK_EVERY {
            self.stride = (self.stride / 2).max(1);
        } else if spent < LOOK_EVERY / 2 {
            self.stride = (self.stride * 2).min(MAX_STRIDE);
        }
        self.last_look = now;
        self.next_look = self.max_nodes.min(self.nodes + self.stride);
        Ok(())
    }

    /// Nodes counted so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Node limit of this thread.
    pub(super) fn max_nodes(&self) -> u64 {
        self.max_nodes
    }

    /// Statistics known to the clock: nodes and time.
    pub(super) fn stats(&self) -> Stats {
        Stats { nodes: self.nodes, time: self.elapsed(), ..Stats::default() }
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cancellation_goes_down_and_not_up() {
        let all = Cancel::default();
        let one = all.child();
        let threads = one.child();
        threads.cancel();
        assert!(threads.is_cancelled() && !one.is_cancelled() && !all.is_cancelled());
        let others = one.child();
        all.cancel();
        assert!(one.is_cancelled() && others.is_cancelled());
    }
}
