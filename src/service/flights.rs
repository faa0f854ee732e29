//! Coalescing of equal questions in flight into one search: two parallel searches of one position save each
//! other almost nothing.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared, WeakShared};
use tokio::sync::watch;

/// Shared future of an answer, the same for all waiters.
type Flight<T> = Shared<BoxFuture<'static, T>>;

/// Flights by question, each with its news `N`.
type FlightMap<T, N> = DashMap<String, (WeakShared<BoxFuture<'static, T>>, watch::Sender<N>)>;

/// Searches in flight by question. A flight lives as long as it has a waiter; with the last waiter its
/// future is dropped, and with it everything that the future guards.
#[derive(Debug)]
pub(super) struct Flights<T: Clone, N>(Arc<FlightMap<T, N>>);

impl<T: Clone, N> Default for Flights<T, N> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T: Clone + Send + Sync + 'static, N: Default> Flights<T, N> {
    /// Joins the flight of this question, or starts one, which may tell news.
    pub(super) fn join<F>(
        &self,
        question: String,
        start: impl FnOnce(watch::Sender<N>) -> F,
    ) -> Passage<T, N>
    where
        F: Future<Output = T> + Send + 'static,
    {
        let place = self.0.entry(question.clone());
        let held = match &place {
            Entry::Occupied(held) => held.get().0.upgrade().zip(Some(held.get().1.clone())),
            Entry::Vacant(_) => None,
        };
        let (flight, news) = held.unwrap_or_else(|| {
            let news = watch::Sender::new(N::default());
            let flight = start(news.clone()).boxed().shared();
            let weak = flight.downgrade().expect("it has not been polled");
            place.insert((weak, news.clone()));
            (flight, news)
        });
        Passage { flights: Arc::clone(&self.0), question, flight: Some(flight), news }
    }
}

/// A waiter's part in a flight: the future of its answer.
pub(super) struct Passage<T: Clone, N> {
    flights: Arc<FlightMap<T, N>>,
    question: String,
    /// Until the waiter leaves.
    flight: Option<Flight<T>>,
    news: watch::Sender<N>,
}

impl<T: Clone, N> Passage<T, N> {
    /// The news of the flight from now on.
    pub(super) fn news(&self) -> watch::Receiver<N> {
        self.news.subscribe()
    }
}

impl<T: Clone, N> Future for Passage<T, N> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        self.flight.as_mut().map_or(Poll::Pending, |flight| flight.poll_unpin(cx))
    }
}

impl<T: Clone, N> Drop for Passage<T, N> {
    /// Leaves the flight. It is forgotten when the last waiter leaves or the first one has its answer: a finished flight
    /// cannot be joined, the next equal question starts a new one.
    fn drop(&mut self) {
        let flight = &mut self.flight;
        self.flights.remove_if(&self.question, |_, (held, _)| {
            // While the place is locked: of two that leave at once, one is the last.
            drop(flight.take());
            held.upgrade().is_none_or(|flight| flight.peek().is_some())
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::sync::Notify;

    use super::*;

    #[tokio::test]
    async fn equal_questions_in_flight_are_one_search() {
        let flights = Arc::new(Flights::<_, ()>::default());
        let (started, go) = (Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
        let ask = |question: &'static str| {
            let (flights, started, go) = (flights.clone(), started.clone(), go.clone());
            async move {
                let work = |_: watch::Sender<()>| {
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
        let flights: Flights<(), ()> = Flights::default();
        let dropped = Arc::new(AtomicUsize::new(0));
        let work = |_: watch::Sender<()>| {
            let guard = Guard(dropped.clone());
            async move {
                let _guard = guard;
                std::future::pending::<()>().await;
            }
        };
        let mut first = flights.join("same".into(), work);
        let mut second = flights.join("same".into(), work);
        assert!((&mut first).now_or_never().is_none());
        assert!((&mut second).now_or_never().is_none());
        drop(first);
        assert_eq!(dropped.load(Ordering::SeqCst), 0, "somebody still waits");
        drop(second);
        assert_eq!(dropped.load(Ordering::SeqCst), 1);
        assert!(flights.0.is_empty());
    }

    #[tokio::test]
    async fn news_reach_all_that_look_on_and_late_ones_too() {
        let flights = Flights::<(), u8>::default();
        let tell = std::cell::OnceCell::new();
        let join = || {
            flights.join("same".into(), |news| {
                tell.set(news).expect("one flight is started");
                std::future::pending()
            })
        };
        let (first, second) = (join(), join());
        let mut news = [first.news(), second.news()];
        tell.get().expect("it has started").send_replace(1);
        tell.get().expect("it has started").send_replace(2);
        for news in &mut news {
            assert!(news.has_changed().expect("the flight lives"));
            assert_eq!(*news.borrow_and_update(), 2, "the latest");
        }
        assert_eq!(*join().news().borrow(), 2);
        drop((first, second));
        assert!(flights.0.is_empty());
    }
}
