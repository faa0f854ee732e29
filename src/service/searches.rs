//! A search from its plan to its answer: at once if it is trivial, else in a slot.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::costs::{CostKey, Costs, TRIVIAL};
use super::pool::{self, lower_priority};
use super::queue::Candidate;
use super::slots::{SlotGuard, Slots, Work};
use super::{Asker, Failure, ServiceConfig};
use catalog::answer::{Answer, StoppedBy};
use catalog::{Context, Plan};
use engine::SharedTable;
use engine::search::Cancel;

/// State shared with the flights.
pub(super) struct Inner {
    pub(super) config: ServiceConfig,
    pub(super) slots: Slots,
    pub(super) costs: Costs,
    pub(super) table: SharedTable,
    pub(super) prepared: AtomicBool,
    pub(super) draining: AtomicBool,
    pub(super) stopping: AtomicBool,
    /// Set at shutdown: searches return their best move so far.
    pub(super) stop: Cancel,
}

/// Cancels a search when its last waiter leaves.
struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Inner {
    /// Answers a question known to be trivial at once, on the thread that reads requests. A search that
    /// turns out longer is aborted and then run like all others.
    pub(super) fn at_once(&self, plan: &Plan, key: &CostKey, asker: Asker) -> Option<Answer> {
        if plan.threads != 1 || !self.costs.is_trivial(key) {
            return None;
        }
        let _place = self.slots.enter_now(asker.client, TRIVIAL)?;
        let started = Instant::now();
        let answer = (plan.run)(&Context {
            shared: &self.table,
            cancel: self.stop.clone(),
            queued: started - asker.arrived,
            patience: PATIENCE,
            observer: None,
        });
        let in_time = answer.stats.stopped_by != StoppedBy::Time;
        self.costs.learn(key.clone(), if in_time { started.elapsed() } else { plan.expected });
        in_time.then_some(answer)
    }

    /// Time limit of a search besides its budget: those that wait share the slots, too, if budgets shrink.
    fn patience(&self, class: Work, expected: Duration) -> Duration {
        let (_, waiting) = self.slots.load(class);
        if self.config.shrink == 1 || waiting == 0 {
            return Duration::MAX;
        }
        let slots = self.slots.count();
        (expected * slots / (slots + waiting as u32)).max(expected / self.config.shrink)
    }

    fn search(
        &self,
        plan: &Plan,
        key: CostKey,
        place: &SlotGuard,
        context: &Context<'_>,
    ) -> Answer {
        let started = Instant::now();
        let mut answer = (plan.run)(context);
        if answer.stats.stopped_by != StoppedBy::Shutdown {
            self.costs.learn(key, started.elapsed());
        } else if place.is_preempted() {
            answer.stats.stopped_by = StoppedBy::Preempted;
            answer.warnings.push(PREEMPTED.to_owned());
        }
        answer
    }
}

/// Longest time that a search may block the thread that reads requests.
const PATIENCE: Duration = Duration::from_micros(200);
/// Shortest wait that a question is admitted for, however short its budget. Not tuned.
const SHORTEST_WAIT: Duration = Duration::from_millis(100);
const PREEMPTED: &str =
    "the search ended before its budget: other clients were waiting for their share of the slots";

/// Longest wait of a search: at most twice the time that it takes, and a deadline leaves half of itself to think.
fn longest_wait(most: Duration, expected: Duration, deadline: Option<Duration>) -> Duration {
    let wait = most.min((2 * expected).max(SHORTEST_WAIT));
    deadline.map_or(wait, |deadline| wait.min(deadline / 2))
}

/// Waits for a slot and searches. The slot is freed at the end of the search, not when the client leaves.
pub(super) async fn fly(
    inner: Arc<Inner>,
    plan: Plan,
    key: CostKey,
    deadline: Option<Duration>,
    asker: Asker,
) -> Result<Arc<Answer>, Failure> {
    let cost = inner.costs.bound(&key, plan.expected);
    let class = if cost <= inner.config.short { Work::Short } else { Work::Long };
    let cancel = inner.stop.child();
    let _guard = CancelOnDrop(cancel.clone());
    let wanted = Candidate {
        client: asker.client,
        threads: plan.threads.min(u64::from(u32::MAX)) as u32,
        cost,
        start_by: asker.arrived + longest_wait(inner.config.max_wait, plan.expected, deadline),
    };
    let place = inner.slots.enter(class, wanted, cancel.clone()).await.map_err(Failure::Busy)?;
    let search = move || {
        lower_priority(if class == Work::Long { LOWEST } else { inner.config.nice });
        let context = Context {
            shared: &inner.table,
            cancel,
            queued: asker.arrived.elapsed(),
            patience: inner.patience(class, plan.expected),
            observer: None,
        };
        let answer = inner.search(&plan, key, &place, &context);
        drop(place);
        inner.table.sweep();
        answer
    };
    pool::run(class, search).await.map(Arc::new).ok_or(Failure::Panicked)
}

/// Nice value of long searches: the lowest priority.
const LOWEST: i32 = 19;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_waits_longer_than_the_answer_is_worth() {
        let ms = Duration::from_millis;
        assert_eq!(longest_wait(ms(1_000), ms(200), None), ms(400));
        assert_eq!(longest_wait(ms(1_000), ms(1), None), SHORTEST_WAIT);
        assert_eq!(longest_wait(ms(300), ms(200), None), ms(300));
        assert_eq!(longest_wait(ms(1_000), ms(90), Some(ms(90))), ms(45));
    }
}
