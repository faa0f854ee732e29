//! A search from its plan to its answer: at once if it is trivial, else in a slot.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::costs::{CostKey, Costs, TRIVIAL};
use super::pool::{self, lower_priority};
use super::queue::Candidate;
use super::slots::{SlotGuard, Slots, Work};
use super::waiters::{Landed, Progress};
use super::{Failure, Priority, RequestInfo, ServiceConfig};
use catalog::answer::{Answer, StoppedBy};
use catalog::{Context, Plan};
use engine::SharedTable;
use engine::search::Cancel;
use tokio::sync::watch;

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

/// An answer, and what it took: a reproducible answer itself tells no times.
#[derive(Clone, Debug)]
pub struct Searched {
    /// The answer.
    pub answer: Answer,
    /// Time from arrival to the start of the search.
    pub queued: Duration,
    /// Time of the search.
    pub took: Duration,
}

/// Cancels a search when its last waiter leaves.
pub(super) struct CancelOnDrop(pub(super) Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Inner {
    /// Answers a question known to be trivial at once, on the thread that reads requests. A search that
    /// turns out longer is aborted and then run like all others.
    pub(super) fn at_once(
        &self,
        plan: &Plan,
        key: &CostKey,
        request: RequestInfo,
    ) -> Option<Searched> {
        if plan.threads != 1 || !self.costs.is_trivial(key) {
            return None;
        }
        let _place = self.slots.enter_now(request.client, TRIVIAL)?;
        let searched = run(
            plan,
            &Context {
                shared: &self.table,
                cancel: self.stop.clone(),
                queued: request.arrived.elapsed(),
                patience: PATIENCE,
                observer: None,
            },
        );
        if searched.answer.stats.stopped_by == StoppedBy::Time {
            return None;
        }
        self.costs.learn(key.clone(), searched.took);
        Some(searched)
    }

    fn search(
        &self,
        plan: &Plan,
        key: CostKey,
        place: &SlotGuard,
        context: &Context<'_>,
    ) -> Searched {
        let mut searched = run(plan, context);
        let answer = &mut searched.answer;
        if answer.stats.stopped_by != StoppedBy::Shutdown {
            // At the lowest priority a search takes longer than others have to expect.
            if place.work() != Work::Background {
                self.costs.learn(key, searched.took);
            }
        } else if place.is_preempted() {
            answer.stats.stopped_by = StoppedBy::Preempted;
            answer.warnings.push(PREEMPTED.to_owned());
        }
        searched
    }
}

fn run(plan: &Plan, context: &Context<'_>) -> Searched {
    let started = Instant::now();
    let answer = (plan.run)(context);
    Searched { answer, queued: context.queued, took: started.elapsed() }
}

/// Longest time that a search may block the thread that reads requests.
const PATIENCE: Duration = Duration::from_micros(200);
/// Time by which a start may come later than planned: searches end a little late, and threads wake late. Under twenty
/// times the capacity 99.8 % start in time, without it 98.1 %: `benches/hostile.py --only 20 --seconds 60`.
const DELAY: Duration = Duration::from_millis(5);
/// Shortest wait that a question is admitted for, however short its budget: with it, what is not worth preempting is
/// waited for.
const SHORTEST_WAIT: Duration = Duration::from_millis(100).saturating_add(DELAY);
const PREEMPTED: &str =
    "the search ended before its budget: other clients were waiting for their share of the slots";

/// Longest wait for a slot: nobody waits longer than twice the time that the answer takes.
fn longest_wait(most: Duration, expected: Duration) -> Duration {
    most.min((2 * expected).max(SHORTEST_WAIT))
}

/// Latest planned start of work that waits at most so long from its arrival, and not beyond half of its deadline.
pub(super) fn latest_start(arrived: Instant, wait: Duration, halfway: Option<Instant>) -> Instant {
    let latest = arrived + wait;
    halfway.map_or(latest, |halfway| latest.min(halfway)) - DELAY
}

/// Part of a budget that a search gets: those that wait share the slots with it, but at least one in `shrink` is left.
fn shrunk(budget: Duration, slots: u32, waiting: u32, shrink: u32) -> Duration {
    (budget * slots / (slots + waiting)).max(budget / shrink)
}

/// Waits for a slot and searches. The slot is freed at the end of the search, not when the client leaves.
pub(super) async fn fly(
    inner: Arc<Inner>,
    plan: Plan,
    key: CostKey,
    halfway: Option<Instant>,
    request: RequestInfo,
    news: watch::Sender<Progress>,
) -> Landed {
    let cost = inner.costs.bound(&key, plan.expected);
    let most = inner.config.patience(request.priority);
    let (kind, wait) = match request.priority {
        Priority::Background => (Work::Background, most),
        Priority::Interactive => {
            let is_short = cost.min(plan.expected) <= inner.config.short;
            let kind = if is_short { Work::Short } else { Work::Long };
            (kind, longest_wait(most, plan.expected))
        }
    };
    let cancel = inner.stop.child();
    let _guard = CancelOnDrop(cancel.clone());
    let wanted = Candidate {
        client: request.client,
        threads: plan.threads.min(u64::from(u32::MAX)) as u32,
        cost,
        budget: plan.expected,
        start_by: latest_start(request.arrived, wait, halfway),
    };
    let queued = inner.slots.submit(kind, wanted, cancel.clone()).map_err(Failure::Busy)?;
    if let Some(expected) = queued.expected {
        news.send_replace(Progress::Waits(Instant::now() + expected));
    }
    let place = queued.slot().await.map_err(Failure::Busy)?;
    news.send_replace(Progress::Begun);
    let search = move || {
        let tell = |answer: &dyn Fn() -> Answer| {
            if news.receiver_count() > 0 {
                news.send_replace(Progress::Known(Arc::new(answer())));
            }
        };
        let waiting = inner.slots.load(kind).waiting;
        lower_priority(if kind == Work::Short { inner.config.nice } else { LOWEST });
        let context = Context {
            shared: &inner.table,
            cancel,
            queued: request.arrived.elapsed(),
            patience: shrunk(
                plan.expected,
                inner.slots.count(),
                waiting as u32,
                inner.config.shrink,
            ),
            observer: Some(&tell),
        };
        let searched = inner.search(&plan, key, &place, &context);
        drop(place);
        inner.table.sweep();
        searched
    };
    pool::run(kind, search).await.map(Arc::new).ok_or(Failure::Panicked)
}

/// Nice value of long searches and those of jobs: the lowest priority.
pub(super) const LOWEST: i32 = 19;

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn nobody_waits_longer_than_the_answer_is_worth() {
        assert_eq!(longest_wait(1_000 * MS, 200 * MS), 400 * MS);
        assert_eq!(longest_wait(1_000 * MS, MS), SHORTEST_WAIT);
        assert_eq!(longest_wait(300 * MS, 200 * MS), 300 * MS);
    }

    #[test]
    fn half_of_a_deadline_is_left_for_the_search() {
        let now = Instant::now();
        let latest = |wait, halfway| latest_start(now, wait, halfway) + DELAY;
        assert_eq!(latest(1_000 * MS, Some(now + 10 * MS)), now + 10 * MS);
        assert_eq!(latest(1_000 * MS, None), now + 1_000 * MS);
        assert_eq!(latest(10 * MS, Some(now + 1_000 * MS)), now + 10 * MS);
    }

    #[test]
    fn budgets_shrink_with_those_that_wait_and_not_below_their_part() {
        assert_eq!(shrunk(100 * MS, 2, 0, 4), 100 * MS, "nobody waits");
        assert_eq!(shrunk(100 * MS, 2, 2, 4), 50 * MS);
        assert_eq!(shrunk(100 * MS, 2, 98, 4), 25 * MS);
        assert_eq!(shrunk(100 * MS, 2, 98, 1), 100 * MS, "the default");
    }
}
