//! A fixed number of search slots, and who may wait for one.

use std::collections::HashMap;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Slots for search threads. A search that would have to wait too long is refused at once: it is
/// better to hear no now than to time out later.
#[derive(Debug)]
pub(super) struct Slots {
    free: Arc<Semaphore>,
    count: u64,
    promised: Arc<Promised>,
    max_wait: Duration,
    costs: Mutex<HashMap<CostKey, Duration>>,
}

/// What the admitted searches take.
#[derive(Debug, Default)]
struct Promised {
    /// How many slots they hold or wait for.
    slots: AtomicU64,
    /// How long they are expected to hold one, in microseconds.
    us: AtomicU64,
}

/// Searches that cost alike: game, algorithm, and the power of two of the time they may take.
pub(super) type CostKey = (String, &'static str, u32);

/// Too busy: come back later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy {
    /// When a slot is expected to be free.
    pub retry_after: Duration,
}

/// The right to wait for a slot; what it promises is taken back when it is dropped.
#[derive(Debug)]
pub(super) struct Ticket {
    promised: Arc<Promised>,
    cost_us: u64,
    threads: u32,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.promised.us.fetch_sub(self.cost_us, Relaxed);
        self.promised.slots.fetch_sub(u64::from(self.threads), Relaxed);
    }
}

/// A search that takes no longer is trivial: changing threads twice costs as much.
pub(super) const TRIVIAL: Duration = Duration::from_micros(50);

/// How slowly an expectation falls: this share of the difference stays.
const MEMORY: f64 = 0.98;

impl Slots {
    /// So many slots; no search is admitted that is expected to wait longer than `max_wait`.
    pub(super) fn new(count: usize, max_wait: Duration) -> Self {
        Self {
            free: Arc::new(Semaphore::new(count)),
            count: count as u64,
            promised: Arc::default(),
            max_wait,
            costs: Mutex::default(),
        }
    }

    /// How long a search admitted now would have to wait.
    fn predicted_wait(&self) -> Duration {
        if self.promised.slots.load(Relaxed) < self.count {
            return Duration::ZERO;
        }
        Duration::from_micros(self.promised.us.load(Relaxed) / self.count)
    }

    /// Admits a search that takes at most `budget`, or refuses it. Searches of its kind that were
    /// quicker than their budget make it cheaper.
    ///
    /// # Errors
    /// When it would wait too long.
    pub(super) fn admit(
        &self,
        key: &CostKey,
        budget: Duration,
        threads: u64,
    ) -> Result<Ticket, Busy> {
        // One after the other: two that come at the same instant do not both get the last slot.
        let costs = self.costs.lock().unwrap_or_else(PoisonError::into_inner);
        let wait = self.predicted_wait();
        if wait > self.max_wait {
            return Err(Busy { retry_after: wait });
        }
        let known = costs.get(key).copied();
        let expected = known.map_or(budget, |known| known.min(budget));
        let threads = threads.min(self.count);
        let cost_us = expected.as_micros() as u64 * threads;
        self.promised.us.fetch_add(cost_us, Relaxed);
        self.promised.slots.fetch_add(threads, Relaxed);
        Ok(Ticket { promised: Arc::clone(&self.promised), cost_us, threads: threads as u32 })
    }

    /// Waits for the slots of an admitted search.
    ///
    /// # Panics
    /// Never: the semaphore is not closed.
    pub(super) async fn wait(&self, ticket: &Ticket) -> OwnedSemaphorePermit {
        let free = Arc::clone(&self.free);
        free.acquire_many_owned(ticket.threads).await.expect("the semaphore is never closed")
    }

    /// Takes a slot for a search so short that handing it to another thread would cost more, if it
    /// is known to be one and a slot is free.
    pub(super) fn take_for_trivial(&self, key: &CostKey) -> Option<OwnedSemaphorePermit> {
        let costs = self.costs.lock().unwrap_or_else(PoisonError::into_inner);
        costs.get(key).filter(|&&cost| cost <= TRIVIAL)?;
        Arc::clone(&self.free).try_acquire_owned().ok()
    }

    /// Learns what a search has cost: at once when it was more than expected, slowly when less.
    pub(super) fn learn(&self, key: CostKey, cost: Duration) {
        let mut costs = self.costs.lock().unwrap_or_else(PoisonError::into_inner);
        let known = costs.entry(key).or_insert(cost);
        *known = cost.max(known.mul_f64(MEMORY) + cost.mul_f64(1.0 - MEMORY));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUDGET: Duration = Duration::from_millis(100);

    fn key() -> CostKey {
        ("nim".into(), "sg", 7)
    }

    #[tokio::test]
    async fn a_search_that_would_wait_too_long_is_refused_until_others_are_done() {
        let slots = Slots::new(2, Duration::from_millis(150));
        let mut tickets = Vec::new();
        let mut permits = Vec::new();
        for _ in 0..2 {
            let ticket = slots.admit(&key(), BUDGET, 1).expect("a slot is free");
            permits.push(slots.wait(&ticket).await);
            tickets.push(ticket);
        }
        // 200 ms are promised on two slots, so the next waits 100 ms, and so on.
        tickets.push(slots.admit(&key(), BUDGET, 1).expect("a short wait"));
        tickets.push(slots.admit(&key(), BUDGET, 1).expect("a wait just allowed"));
        let busy = slots.admit(&key(), BUDGET, 1).expect_err("too long a wait");
        assert_eq!(busy.retry_after, Duration::from_millis(200));
        tickets.truncate(1);
        permits.clear();
        assert!(slots.admit(&key(), BUDGET, 1).is_ok());
    }

    #[test]
    fn searches_known_to_be_quick_count_little() {
        let slots = Slots::new(1, Duration::from_millis(1));
        slots.learn(key(), Duration::from_micros(10));
        let ticket = slots.admit(&key(), BUDGET, 1).expect("a slot is free");
        assert_eq!(ticket.cost_us, 10);
        slots.learn(key(), Duration::from_millis(50));
        let ticket = slots.admit(&key(), BUDGET, 1).expect("a slot is free");
        assert_eq!(ticket.cost_us, 50_000);
    }
}
