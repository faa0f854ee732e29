//! Coalescing of equal questions in flight into one search: two parallel searches of one position save each
//! other almost nothing.

use std::future::Future;

use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared, WeakShared};

/// Shared future of an answer, the same for all waiters.
type Flight<T> = Shared<BoxFuture<'static, T>>;

/// Searches in flight by question. A flight lives as long as it has a waiter; with the last waiter its
/// future is dropped, and with it everything that the future guards.
#[derive(Debug)]
pub(super) struct Flights<T: Clone>(DashMap<String, WeakShared<BoxFuture<'static, T>>>);

impl<T: Clone> Default for Flights<T> {
    fn default() -> Self {
        Self(DashMap::new())
    }
}

impl<T: Clone + Send + Sync + 'static> Flights<T> {
    /// Joins the flight of this question, or starts one.
    pub(super) async fn join<F>(&self, question: String, start: impl FnOnce() -> F) -> T
    where
        F: Future<Output = T> + Send + 'static,
    {
        let flight: Flight<T> = match self.0.entry(question.clone()) {
            Entry::Occupied(mut held) => match held.get().upgrade() {
                Some(flight) => flight,
                None => {
                    let flight = start().boxed().shared();
                    if let Some(weak) = flight.downgrade() {
                        held.insert(weak);
                    }
                    flight
                }
            },
            Entry::Vacant(free) => {
                let flight = start().boxed().shared();
                if let Some(weak) = flight.downgrade() {
                    free.insert(weak);
                }
                flight
            }
        };
        let _landed = Landing { flights: &self.0, question };
        flight.await
    }
}

/// Removes a flight from the map when its last waiter is gone or has its answer.
struct Landing<'a, T: Clone> {
    flights: &'a DashMap<String, WeakShared<BoxFuture<'static, T>>>,
    question: String,
}

impl<T: Clone> Drop for Landing<'_, T> {
    fn drop(&mut self) {
        // A finished flight cannot be joined: the next equal question starts a new one.
        let is_over = |flight: &WeakShared<BoxFuture<'static, T>>| {
            flight.upgrade().is_none_or(|flight| {
                flight.peek().is_some() || flight.strong_count().is_none_or(|n| n <= 2)
            })
        };
        self.flights.remove_if(&self.question, |_, flight| is_over(flight));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::sync::Notify;

    use super::*;

    #[tokio::test]
    async fn equal_questions_in_flight_are_one_search() {
        let flights = Arc::new(Flights::default());
        let (started, go) = (Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
        let ask = |question: &'static str| {
            let (flights, started, go) = (flights.clone(), started.clone(), go.clone());
            async move {
                let work = || {
                    started.fetch_add(1, Ordering::SeqCst);
                    async move {
                        go.notified().await;
                        question.len()
                    }
                };
                flights.join(question.to_owned(), work).await
            }
        };
        let release = async {
            tokio::task::yield_now().await;
            go.notify_one();
            tokio::task::yield_now().await;
            go.notify_one();
        };
        let (one, same, other, ()) = tokio::join!(ask("one"), ask("one"), ask("other"), release);
        assert_eq!((one, same, other), (3, 3, 5));
        assert_eq!(started.load(Ordering::SeqCst), 2);
        assert!(flights.0.is_empty(), "landed flights are forgotten");
    }

    #[tokio::test]
    async fn a_flight_is_dropped_when_the_last_waiter_leaves() {
        struct Guard(Arc<AtomicUsize>);
        impl Drop for Guard {
            fn drop(&mut self) {
                self.0.fetch_add(1, Ordering::SeqCst);
            }
        }
        let flights: Flights<()> = Flights::default();
        let dropped = Arc::new(AtomicUsize::new(0));
        let work = || {
            let guard = Guard(dropped.clone());
            async move {
                let _guard = guard;
                std::future::pending::<()>().await;
            }
        };
        let mut first = Box::pin(flights.join("same".into(), work));
        let mut second = Box::pin(flights.join("same".into(), work));
        assert!((&mut first).now_or_never().is_none());
        assert!((&mut second).now_or_never().is_none());
        drop(first);
        assert_eq!(dropped.load(Ordering::SeqCst), 0, "somebody still waits");
        drop(second);
        assert_eq!(dropped.load(Ordering::SeqCst), 1);
        assert!(flights.0.is_empty());
    }
}
