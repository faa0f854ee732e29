//! Slots for four kinds of work, each with its queue. Questions are read and short searches run beside long ones and
//! those of jobs, whose threads have the lowest priority: the system lets them have what the others leave.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, oneshot};

use super::client::Client;
use super::queue::{Admission, Busy, Candidate, Id, Load, Queue};
use engine::search::Cancel;

/// Shortest time slice: the longest reading of a question, which nothing ends before its time.
const SHORTEST_SLICE: Duration = Duration::from_millis(200);

/// Kind of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// The rules read a question.
    Reading,
    /// A search that somebody waits for.
    Short,
    /// A search that gives way to short ones.
    Long,
    /// A search of a job, which nobody waits for.
    Background,
}

/// The slots.
#[derive(Debug)]
pub(super) struct Slots {
    lanes: [Arc<Lane>; 4],
    count: u32,
    freed: Arc<Notify>,
    /// Places that are taken for work of jobs.
    reserved: Arc<Mutex<u32>>,
}

/// The slots of one kind of work.
#[derive(Debug)]
struct Lane {
    state: Mutex<LaneState>,
    /// Tells that a place is free in any lane.
    freed: Arc<Notify>,
}

#[derive(Debug)]
struct LaneState {
    queue: Queue,
    searches: HashMap<Id, Ticket>,
}

/// How a search in the queue is started and ended.
#[derive(Debug)]
struct Ticket {
    /// Tells the one that waits; gone without a word, the search is refused.
    start: Option<oneshot::Sender<()>>,
    cancel: Cancel,
    preempted: Arc<AtomicBool>,
}

/// A place in a queue or, later, in a slot; free again on drop.
#[derive(Debug)]
pub(super) struct SlotGuard {
    lane: Arc<Lane>,
    id: Id,
    work: Work,
    preempted: Arc<AtomicBool>,
}

/// A place in a queue, until the search may start.
#[derive(Debug)]
pub(super) struct QueuedSearch {
    place: SlotGuard,
    started: oneshot::Receiver<()>,
    /// Time until it is expected to start, if nobody else comes; `None` if it has started.
    pub(super) expected: Option<Duration>,
    cost: Duration,
}

impl QueuedSearch {
    /// Waits for the slots.
    ///
    /// # Errors
    /// When a client with fewer searches needs the place.
    pub(super) async fn slot(self) -> Result<SlotGuard, Busy> {
        // The sender goes only with the place in the queue.
        self.started.await.map_err(|_| Busy { retry_after: self.cost })?;
        Ok(self.place)
    }
}

/// An idle slot, taken for work of a job until it is dropped.
#[derive(Debug)]
pub struct IdleSlot {
    reserved: Arc<Mutex<u32>>,
    freed: Arc<Notify>,
}

impl Drop for IdleSlot {
    fn drop(&mut self) {
        *self.reserved.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.freed.notify_waiters();
    }
}

impl Slots {
    /// So many slots for each kind of work; where clients outnumber them, a search gives way after a time slice.
    pub(super) fn new(count: usize, time_slice: Duration) -> Self {
        let count = count.min(u32::MAX as usize) as u32;
        let freed = Arc::<Notify>::default();
        let lane = || {
            let state = Mutex::new(LaneState {
                queue: Queue::new(count, time_slice.max(SHORTEST_SLICE)),
                searches: HashMap::new(),
            });
            Arc::new(Lane { state, freed: Arc::clone(&freed) })
        };
        Self { lanes: [lane(), lane(), lane(), lane()], count, freed, reserved: Arc::default() }
    }

    const fn lane(&self, work: Work) -> &Arc<Lane> {
        &self.lanes[work as usize]
    }

    /// Number of slots of each kind of work.
    pub(super) const fn count(&self) -> u32 {
        self.count
    }

    /// What runs and what waits.
    pub(super) fn load(&self, work: Work) -> Load {
        self.lane(work).lock().queue.load(Instant::now())
    }

    /// Waits for an idle slot: there are fewer threads of searches, those of jobs included, than slots.
    pub(super) async fn idle_slot(&self) -> IdleSlot {
        loop {
            let freed = self.freed.notified();
            if let Some(slot) = self.reserve() {
                return slot;
            }
            freed.await;
        }
    }

    /// Takes an idle slot, if there is one.
    fn reserve(&self) -> Option<IdleSlot> {
        let mut reserved = self.reserved.lock().unwrap_or_else(PoisonError::into_inner);
        let threads = |work| self.lane(work).lock().queue.threads();
        // Work of jobs has been given a slot, and may have more threads.
        let jobs = threads(Work::Background).max(*reserved);
        if threads(Work::Short) + threads(Work::Long) + jobs >= self.count {
            return None;
        }
        *reserved += 1;
        Some(IdleSlot { reserved: Arc::clone(&self.reserved), freed: Arc::clone(&self.freed) })
    }

    /// Work that has outlasted its budget by `grace`.
    pub(super) fn overdue(&self, grace: Duration) -> usize {
        let now = Instant::now();
        self.lanes.iter().map(|lane| lane.lock().queue.overdue(now, grace)).sum()
    }

    /// Waits for the slots of a search that `cancel` ends.
    ///
    /// # Errors
    /// When it would start too late, at once; or later, when a client with fewer searches needs the place.
    pub(super) async fn enter(
        &self,
        work: Work,
        wanted: Candidate,
        cancel: Cancel,
    ) -> Result<SlotGuard, Busy> {
        self.submit(work, wanted, cancel)?.slot().await
    }

    /// Takes a place in the queue for a search that `cancel` ends.
    ///
    /// # Errors
    /// When it would start too late.
    pub(super) fn submit(
        &self,
        work: Work,
        wanted: Candidate,
        cancel: Cancel,
    ) -> Result<QueuedSearch, Busy> {
        self.lane(work).submit(work, wanted, cancel)
    }

    /// Takes a free slot for a search so short that it runs on the thread that asks, if nobody waits.
    pub(super) fn enter_now(&self, client: Client, cost: Duration) -> Option<SlotGuard> {
        let lane = self.lane(Work::Short);
        let id = lane.lock().queue.start_now(Instant::now(), client, cost)?;
        Some(SlotGuard { lane: Arc::clone(lane), id, work: Work::Short, preempted: Arc::default() })
    }
}

impl Lane {
    fn lock(&self) -> MutexGuard<'_, LaneState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn submit(
        self: &Arc<Self>,
        work: Work,
        wanted: Candidate,
        cancel: Cancel,
    ) -> Result<QueuedSearch, Busy> {
        let now = Instant::now();
        let mut state = self.lock();
        let Admission { id, expected, refused, preempted } = state.queue.submit(now, wanted)?;
        for id in refused {
            state.searches.remove(&id);
        }
        if let Some(search) = preempted.and_then(|id| state.searches.get(&id)) {
            search.preempted.store(true, Relaxed);
            search.cancel.cancel();
        }
        let (start, started) = oneshot::channel();
        let preempted = Arc::<AtomicBool>::default();
        let search = Ticket { start: Some(start), cancel, preempted: Arc::clone(&preempted) };
        state.searches.insert(id, search);
        state.start(now);
        let waits = state.searches.get(&id).is_some_and(|search| search.start.is_some());
        let place = SlotGuard { lane: Arc::clone(self), id, work, preempted };
        let expected = waits.then_some(expected);
        Ok(QueuedSearch { place, started, expected, cost: wanted.cost })
    }
}

impl LaneState {
    /// Starts what can start.
    fn start(&mut self, now: Instant) {
        while let Some(id) = self.queue.next(now) {
            let start = self.searches.get_mut(&id).and_then(|search| search.start.take());
            // Who does not wait any more leaves by itself.
            let _ = start.map(|start| start.send(()));
        }
    }
}

impl SlotGuard {
    /// The kind of work.
    pub(super) const fn work(&self) -> Work {
        self.work
    }

    /// True if the search was ended for another client's sake.
    pub(super) fn is_preempted(&self) -> bool {
        self.preempted.load(Relaxed)
    }
}

impl Drop for SlotGuard {
    fn drop(&mut self) {
        let mut state = self.lane.lock();
        state.queue.leave(self.id);
        state.searches.remove(&self.id);
        state.start(Instant::now());
        self.lane.freed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn work_of_jobs_takes_idle_slots_alone() {
        let slots = Slots::new(4, Duration::from_secs(1));
        let (now, cost) = (Instant::now(), Duration::from_secs(60));
        let client = IpAddr::from([192, 0, 2, 1]).into();
        let wanted = Candidate { client, threads: 3, cost, budget: cost, start_by: now };
        let search = slots.enter(Work::Long, wanted, Cancel::default()).await.expect("a slot");
        let first = slots.idle_slot().now_or_never().expect("three of four are held");
        assert!(slots.idle_slot().now_or_never().is_none(), "nothing is idle");
        let waiting = slots.idle_slot();
        drop(search);
        let second = waiting.now_or_never().expect("three are idle");
        let others = [slots.idle_slot().now_or_never(), slots.idle_slot().now_or_never()];
        assert!(others.iter().all(Option::is_some));
        assert!(slots.idle_slot().now_or_never().is_none());
        drop((first, second));
        assert!(slots.idle_slot().now_or_never().is_some());
    }
}
