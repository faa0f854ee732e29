//! Fixed pool of search slots with admission control.

use std::collections::HashMap;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Slots for search threads. A search with too long a predicted wait is refused at once instead of timing
/// out later.
#[derive(Debug)]
pub(super) struct Slots {
    free: Arc<Semaphore>,
    count: u64,
    promised: Arc<Promised>,
    max_wait: Duration,
    costs: Mutex<HashMap<CostKey, Cost>>,
}

/// What is known of a kind of search.
#[derive(Clone, Copy, Debug)]
struct Cost {
    /// Duration to be expected.
    expected: Duration,
    /// Above 0 if searches of the kind are trivial: see [`Cost::learn`].
    trivial: i8,
}

/// Load promised to the admitted searches.
#[derive(Debug, Default)]
struct Promised {
    /// Slots held or waited for.
    slots: AtomicU64,
    /// Expected total time in slots, in microseconds.
    us: AtomicU64,
}

/// Searches of similar cost: game, algorithm, and the power of two of the time budget.
pub(super) type CostKey = (String, &'static str, u32);

/// Refusal because of too much load: retry later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy {
    /// Time until a slot is expected to be free.
    pub retry_after: Duration,
}

/// Right to wait for a slot; its promised load is withdrawn on drop.
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

/// Longest duration of a trivial search: two thread switches cost as much.
pub(super) const TRIVIAL: Duration = Duration::from_micros(50);

/// Decay of an overestimated cost per search: this share of the difference remains.
const MEMORY: f64 = 0.98;
/// A kind is trivial while fewer than one search in this many is longer: a thread may lose its core at any time.
const TRIVIAL_TO_OTHERS: i8 = 4;
/// Most that is remembered of how many searches were trivial. Not tuned.
const MOST_TRIVIAL: i8 = 20;

impl Cost {
    /// Learns from a search: the expectation rises at once and falls slowly, whether the kind is trivial changes only
    /// with several searches.
    fn learn(&mut self, cost: Duration) {
        self.expected = cost.max(self.expected.mul_f64(MEMORY) + cost.mul_f64(1.0 - MEMORY));
        let step = if cost <= TRIVIAL { 1 } else { -TRIVIAL_TO_OTHERS };
        self.trivial = (self.trivial + step).clamp(-MOST_TRIVIAL, MOST_TRIVIAL);
    }
}

impl Slots {
    /// Pool of `count` slots; refuses searches with a predicted wait longer than `max_wait`.
    pub(super) fn new(count: usize, max_wait: Duration) -> Self {
        Self {
            free: Arc::new(Semaphore::new(count)),
            count: count as u64,
            promised: Arc::default(),
            max_wait,
            costs: Mutex::default(),
        }
    }

    /// Predicted wait of a search admitted now.
    fn predicted_wait(&self) -> Duration {
        if self.promised.slots.load(Relaxed) < self.count {
            return Duration::ZERO;
        }
        Duration::from_micros(self.promised.us.load(Relaxed) / self.count)
    }

    /// Admits a search that takes at most `budget`, or refuses it. Its expected cost is the learned cost of
    /// its kind, at most the budget.
    ///
    /// # Errors
    /// When the predicted wait is too long.
    pub(super) fn admit(
        &self,
        key: &CostKey,
        budget: Duration,
        threads: u64,
    ) -> Result<Ticket, Busy> {
        // Serialised: two simultaneous searches must not both get the last slot.
        let costs = self.costs.lock().unwrap_or_else(PoisonError::into_inner);
        let wait = self.predicted_wait();
        if wait > self.max_wait {
            return Err(Busy { retry_after: wait });
        }
        let known = costs.get(key);
        let expected = known.map_or(budget, |known| known.expected.min(budget));
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

    /// Takes a free slot for a search known to be too short to be handed to another thread; `None` if the
    /// search is not known as such or no slot is free.
    pub(super) fn take_for_trivial(&self, key: &CostKey) -> Option<OwnedSemaphorePermit> {
        let costs = self.costs.lock().unwrap_or_else(PoisonError::into_inner);
        costs.get(key).filter(|cost| cost.trivial > 0)?;
        Arc::clone(&self.free).try_acquire_owned().ok()
    }

    /// Updates what is known of a kind of search.
    pub(super) fn learn(&self, key: CostKey, cost: Duration) {
        let mut costs = self.costs.lock().unwrap_or_else(PoisonError::into_inner);
        costs.entry(key).or_insert(Cost { expected: cost, trivial: 0 }).learn(cost);
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
