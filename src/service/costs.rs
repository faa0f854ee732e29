//! What searches have cost so far, by kind.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use foldhash::fast::RandomState;

/// Work of similar cost.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum CostKey {
    /// A search: game, algorithm, power of two of the time budget in ms, depth limit.
    Search(&'static str, &'static str, u32, Option<u64>),
    /// Reading a question without moves by the rules: game, power of two of the length of the body.
    Reading(&'static str, u32),
}

/// Durations learned.
#[derive(Debug, Default)]
pub(super) struct Costs(Mutex<HashMap<CostKey, KnownCost, RandomState>>);

/// What is known of a kind.
#[derive(Clone, Copy, Debug)]
struct KnownCost {
    /// A bound of the duration, as far as known.
    expected: Duration,
    /// Above 0 if work of the kind is trivial: see [`KnownCost::learn`].
    trivial: i8,
}

/// Longest duration of trivial work: two thread switches cost as much.
pub(super) const TRIVIAL: Duration = Duration::from_micros(50);

/// Decay of an overestimated cost per search: this share of the difference remains.
const MEMORY: f64 = 0.98;
/// A kind is trivial while fewer than one in this many is longer: a thread may lose its core at any time.
const TRIVIAL_TO_OTHERS: i8 = 4;
/// Most that is remembered of how much was trivial. Not tuned.
const MOST_TRIVIAL: i8 = 20;
/// Most kinds known; more are not learned. Limits of depth come from clients.
const MOST_KINDS: usize = 10_000;

impl KnownCost {
    /// The expectation rises at once and falls slowly; whether the kind is trivial changes only with several.
    fn learn(&mut self, cost: Duration) {
        self.expected = cost.max(self.expected.mul_f64(MEMORY) + cost.mul_f64(1.0 - MEMORY));
        let step = if cost <= TRIVIAL { 1 } else { -TRIVIAL_TO_OTHERS };
        self.trivial = (self.trivial + step).clamp(-MOST_TRIVIAL, MOST_TRIVIAL);
    }
}

impl Costs {
    fn known(&self, key: &CostKey) -> Option<KnownCost> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).copied()
    }

    /// Bound of the duration of work whose budget is `most`. It is learned how far searches outlast their budgets:
    /// those behind them wait for that, too.
    pub(super) fn bound(&self, key: &CostKey, most: Duration) -> Duration {
        self.known(key).map_or(most, |known| known.expected.min(2 * most))
    }

    /// True for work known to be too short to be handed to another thread.
    pub(super) fn is_trivial(&self, key: &CostKey) -> bool {
        self.known(key).is_some_and(|known| known.trivial > 0)
    }

    /// Learns from work that ended by itself.
    pub(super) fn learn(&self, key: CostKey, cost: Duration) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() < MOST_KINDS || known.contains_key(&key) {
            known.entry(key).or_insert(KnownCost { expected: cost, trivial: 0 }).learn(cost);
        }
    }
}

#[cfg(test)]
impl Costs {
    /// Number of kinds of searches that are known.
    pub(super) fn searches(&self) -> usize {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.keys().filter(|key| matches!(key, CostKey::Search(..))).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);
    const BUDGET: Duration = Duration::from_millis(100);

    fn key() -> CostKey {
        CostKey::Search("nim", "sg", 7, None)
    }

    #[test]
    fn what_is_unknown_costs_its_budget_and_the_rest_what_it_has_cost() {
        let costs = Costs::default();
        assert_eq!(costs.bound(&key(), BUDGET), BUDGET);
        costs.learn(key(), MS);
        assert_eq!(costs.bound(&key(), BUDGET), MS);
        costs.learn(key(), 50 * MS);
        assert_eq!(costs.bound(&key(), BUDGET), 50 * MS, "the expectation rises at once");
        costs.learn(key(), MS);
        assert!(costs.bound(&key(), BUDGET) > 48 * MS, "and falls slowly");
        costs.learn(key(), 500 * MS);
        assert_eq!(costs.bound(&key(), BUDGET), 2 * BUDGET, "no search outlasts its budget so far");
    }

    #[test]
    fn a_kind_is_trivial_while_most_are() {
        let costs = Costs::default();
        assert!(!costs.is_trivial(&key()), "nothing is known yet");
        costs.learn(key(), TRIVIAL);
        assert!(costs.is_trivial(&key()));
        (0..20).for_each(|_| costs.learn(key(), TRIVIAL));
        costs.learn(key(), 10 * MS);
        assert!(costs.is_trivial(&key()), "a thread may lose its core");
        (0..4).for_each(|_| costs.learn(key(), 10 * MS));
        assert!(!costs.is_trivial(&key()));
    }
}
