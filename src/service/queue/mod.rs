//! Who searches next: a fair queue for a number of slots. Pure bookkeeping: it knows no threads and no clock.
//!
//! ```text
//!            submit                    next                      leave
//!  client ----------> waiting (bounded) ------> running (slots) --------> free
//!             |                                    |
//!             +-> busy: it would start too late    +-> preempted: another client waits for its share
//! ```
//!
//! - The next to start is one whose client holds the fewest slots, the first come of these.
//! - A search is admitted if, by the durations known, it and all others that wait start in time. What is known of
//!   durations are bounds, so a promise holds unless a search outlasts its budget.
//! - A newcomer may take the place of a search that waits for a client with more of them.
//! - Where clients outnumber slots, a running search that has had its time slice ends for a newcomer.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use super::client::Client;

/// Most searches that wait, for each slot and in all. A submission looks at each of them for each of them.
const MOST_WAITING: (usize, usize) = (16, 256);
/// Shortest rest of a search that is worth preempting: shorter ones are waited for. Not tuned.
const WORTH_PREEMPTING: Duration = Duration::from_millis(100);
/// Bound of the time in which a preempted search returns; it looks every 0.1 ms. Not tuned.
const PREEMPTION: Duration = Duration::from_millis(20);

/// Number of a search in a queue.
pub(super) type Id = u64;

/// A search to be admitted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) client: Client,
    /// Slots that it takes.
    pub(super) threads: u32,
    /// Bound of its duration, as far as known.
    pub(super) cost: Duration,
    /// Its budget: what takes longer does not look at the time.
    pub(super) budget: Duration,
    /// Latest start; after it nobody wants the answer.
    pub(super) start_by: Instant,
}

/// Refusal because of too much load: retry later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy {
    /// Time after which the same question would be admitted, if no others come.
    pub retry_after: Duration,
}

/// An admitted search, and what it displaces.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Admission {
    pub(super) id: Id,
    /// Time until it is expected to start, if nobody else comes.
    pub(super) expected: Duration,
    /// Searches that wait no longer: refused after all.
    pub(super) refused: Vec<Id>,
    /// A running search that is to return what it has.
    pub(super) preempted: Option<Id>,
}

/// How much there is of one kind of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Searches that run.
    pub running: usize,
    /// Slots that they take.
    pub busy_slots: u32,
    /// Searches that wait.
    pub waiting: usize,
    /// Time that the oldest of these has waited.
    pub oldest_wait: Duration,
}

#[derive(Clone, Copy, Debug)]
struct Waiting {
    id: Id,
    wanted: Candidate,
    since: Instant,
}

#[derive(Clone, Copy, Debug)]
struct Running {
    id: Id,
    client: Client,
    threads: u32,
    began: Instant,
    ends: Instant,
    due: Instant,
}

/// The queue of one kind of work.
#[derive(Debug)]
pub(super) struct Queue {
    slots: u32,
    /// Time that a search has before it gives way where there are more clients than slots.
    time_slice: Duration,
    last: Id,
    waiting: Vec<Waiting>,
    running: Vec<Running>,
}

impl Queue {
    pub(super) const fn new(slots: u32, time_slice: Duration) -> Self {
        Self { slots, time_slice, last: 0, waiting: Vec::new(), running: Vec::new() }
    }

    /// What runs and what waits.
    pub(super) fn load(&self, now: Instant) -> Load {
        let oldest = self.waiting.iter().map(|search| search.since).min();
        Load {
            running: self.running.len(),
            busy_slots: self.slots - free(self.slots, &self.running),
            waiting: self.waiting.len(),
            oldest_wait: oldest
                .map_or(Duration::ZERO, |since| now.saturating_duration_since(since)),
        }
    }

    /// Threads of all searches, running and waiting.
    pub(super) fn threads(&self) -> u32 {
        let running = self.running.iter().map(|search| search.threads);
        running.chain(self.waiting.iter().map(|search| search.wanted.threads)).sum()
    }

    /// Number of searches that have outlasted their budgets by `grace`.
    pub(super) fn overdue(&self, now: Instant, grace: Duration) -> usize {
        self.running.iter().filter(|search| search.due + grace < now).count()
    }

    /// Admits a search; [`Self::next`] says when it starts.
    ///
    /// # Errors
    /// When it would start too late, or make others do so that have the same right.
    pub(super) fn submit(&mut self, now: Instant, wanted: Candidate) -> Result<Admission, Busy> {
        let id = self.last + 1;
        let wanted = Candidate {
            threads: wanted.threads.min(self.slots),
            // Who gets a slot at once is never too late.
            start_by: wanted.start_by.max(now),
            ..wanted
        };
        let preempted = self.to_preempt(now, &wanted);
        let ends = |search: &Running| {
            let preempted = preempted == Some(search.id);
            if preempted { search.ends.min(now + PREEMPTION) } else { search.ends }
        };
        let running: Vec<_> =
            self.running.iter().map(|search| Running { ends: ends(search), ..*search }).collect();
        let mut waiting = self.waiting.clone();
        waiting.push(Waiting { id, wanted, since: now });
        let mut refused = Vec::new();
        let expected = loop {
            let late = match self.expected_wait(now, &running, &waiting) {
                Ok(expected) => break expected,
                Err(late) => late,
            };
            let slice_ends = self.until_slice_ends(now, &wanted);
            let lateness = Busy { retry_after: slice_ends.map_or(late, |left| late.min(left)) };
            let victim = self.to_refuse(&waiting, wanted.client).ok_or(lateness)?;
            waiting.retain(|search| search.id != victim);
            refused.push(victim);
        };
        self.last = id;
        (self.waiting, self.running) = (waiting, running);
        Ok(Admission { id, expected, refused, preempted })
    }

    /// Starts a search of this duration at once if a slot is free and nobody waits.
    pub(super) fn start_now(&mut self, now: Instant, client: Client, cost: Duration) -> Option<Id> {
        if !self.waiting.is_empty() || free(self.slots, &self.running) == 0 {
            return None;
        }
        self.last += 1;
        let ends = now + cost;
        self.running.push(Running {
            id: self.last,
            client,
            threads: 1,
            began: now,
            ends,
            due: ends,
        });
        Some(self.last)
    }

    /// The next search to start, if a slot is free for it; it counts as running from now on.
    pub(super) fn next(&mut self, now: Instant) -> Option<Id> {
        let place = next(self.slots, &self.running, &self.waiting)?;
        let Waiting { id, wanted, .. } = self.waiting.remove(place);
        self.running.push(started(id, &wanted, now));
        Some(id)
    }

    /// Forgets a search, running or waiting.
    pub(super) fn leave(&mut self, id: Id) {
        self.running.retain(|search| search.id != id);
        self.waiting.retain(|search| search.id != id);
    }

    /// The running search that has to make room for this one: where its client has nothing running, the longest one
    /// of a client that holds more than its share of the slots, or that has had its time slice.
    fn to_preempt(&self, now: Instant, wanted: &Candidate) -> Option<Id> {
        let client = wanted.client;
        if free(self.slots, &self.running) >= wanted.threads || self.held_by(client) > 0 {
            return None;
        }
        // Those that are on their way out already make room for one newcomer each.
        let leaving = self.running.iter().filter(|search| search.ends <= now + PREEMPTION).count();
        if leaving > self.waiting.len() {
            return None;
        }
        let share = self.share(client);
        let holders = self.running.iter().filter(|search| {
            let rest = search.ends.saturating_duration_since(now);
            let has_had_its_slice = share == 0 && search.began + self.time_slice <= now;
            let holds_more = self.held_by(search.client) > share.max(1);
            rest > WORTH_PREEMPTING && (holds_more || has_had_its_slice)
        });
        holders.max_by_key(|search| search.ends).map(|search| search.id)
    }

    /// Slots for each client, this newcomer among them; 0 where they share the slots by time.
    fn share(&self, newcomer: Client) -> u32 {
        let running = self.running.iter().map(|search| search.client);
        let waiting = self.waiting.iter().map(|search| search.wanted.client);
        let clients: HashSet<_> = running.chain(waiting).chain([newcomer]).collect();
        self.slots / clients.len() as u32
    }

    /// Time until a search has had its time slice that this newcomer may end; those that wait come first.
    fn until_slice_ends(&self, now: Instant, newcomer: &Candidate) -> Option<Duration> {
        let client = newcomer.client;
        // One search gives way, and may not hold enough slots for several threads.
        let goes_on = |search: &Running| search.ends > now + PREEMPTION;
        let has_a_slot = self.running.iter().any(|one| one.client == client && goes_on(one));
        if newcomer.threads > 1 || has_a_slot || self.share(client) > 0 {
            return None;
        }
        if !self.waiting.is_empty() {
            return Some(self.time_slice * self.waiting.len() as u32);
        }
        let slices = self.running.iter().map(|search| search.began + self.time_slice);
        let left = slices.map(|ends| ends.saturating_duration_since(now));
        left.filter(|left| !left.is_zero()).min()
    }

    fn held_by(&self, client: Client) -> u32 {
        held(&self.running, client)
    }

    /// The search that waits last for the client with the most of them, if those are more than the newcomer's.
    fn to_refuse(&self, waiting: &[Waiting], newcomer: Client) -> Option<Id> {
        let count = |client| {
            let waits = waiting.iter().filter(|search| search.wanted.client == client).count();
            waits + self.running.iter().filter(|search| search.client == client).count()
        };
        let most = waiting.iter().max_by_key(|search| (count(search.wanted.client), search.id))?;
        (count(most.wanted.client) > count(newcomer)).then_some(most.id)
    }

    /// Time until the last come of those that wait starts, if nobody else comes.
    ///
    /// # Errors
    /// How much too late the first search would start that does, in the order of their starts.
    fn expected_wait(
        &self,
        now: Instant,
        running: &[Running],
        waiting: &[Waiting],
    ) -> Result<Duration, Duration> {
        let (for_each_slot, in_all) = MOST_WAITING;
        let newcomer = waiting.last().expect("one has come");
        if waiting.len() > in_all.min(for_each_slot * self.slots as usize) {
            return Err(newcomer.wanted.cost);
        }
        let mut expected = Duration::ZERO;
        for (Waiting { id, wanted, .. }, start) in
            expected_starts(self.slots, now, running, waiting)
        {
            if start > wanted.start_by {
                return Err(start - wanted.start_by);
            }
            if id == newcomer.id {
                expected = start - now;
            }
        }
        Ok(expected)
    }
}

/// Those that wait in the order of their starts, each with the time by which it starts, if nobody else comes.
fn expected_starts(
    slots: u32,
    now: Instant,
    running: &[Running],
    waiting: &[Waiting],
) -> impl Iterator<Item = (Waiting, Instant)> {
    let (mut now, mut running, mut waiting) = (now, running.to_vec(), waiting.to_vec());
    std::iter::from_fn(move || {
        while !waiting.is_empty() {
            if let Some(place) = next(slots, &running, &waiting) {
                let search = waiting.remove(place);
                running.push(started(search.id, &search.wanted, now));
                return Some((search, now));
            }
            now = now.max(running.iter().map(|search| search.ends).min()?);
            running.retain(|search| search.ends > now);
        }
        None
    })
}

fn started(id: Id, wanted: &Candidate, now: Instant) -> Running {
    let (client, threads) = (wanted.client, wanted.threads);
    let (ends, due) = (now + wanted.cost, now + wanted.budget);
    Running { id, client, threads, began: now, ends, due }
}

fn free(slots: u32, running: &[Running]) -> u32 {
    slots.saturating_sub(running.iter().map(|search| search.threads).sum())
}

/// Slots that a client holds.
fn held(running: &[Running], client: Client) -> u32 {
    running.iter().filter(|search| search.client == client).map(|search| search.threads).sum()
}

/// Place of the next search to start, if there are slots for it.
fn next(slots: u32, running: &[Running], waiting: &[Waiting]) -> Option<usize> {
    let free = free(slots, running);
    if free == 0 {
        return None;
    }
    // Slots that each client holds or gets; of those with the fewest, first come is first served.
    let mut held = HashMap::new();
    for search in running {
        *held.entry(search.client).or_insert(0) += search.threads;
    }
    let order = waiting.iter().map(|Waiting { wanted, .. }| {
        let held = held.entry(wanted.client).or_insert(0);
        *held += wanted.threads;
        *held - wanted.threads
    });
    let (first, _) = order.enumerate().min_by_key(|&(_, held)| held)?;
    (waiting[first].wanted.threads <= free).then_some(first)
}

#[cfg(test)]
mod tests;
