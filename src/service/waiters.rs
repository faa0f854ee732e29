//! Waiters: each has its answer at the end, and may look on until then.

use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{self, Stream};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use super::Failure;
use super::flights::Passage;
use super::searches::Searched;
use catalog::answer::Answer;

/// Shortest time between two interim answers to one onlooker.
const PAUSE: Duration = Duration::from_millis(50);

/// How a flight ends.
pub(super) type Landed = Result<Arc<Searched>, Failure>;

/// How far a search is.
#[derive(Debug, Default)]
pub(super) enum Progress {
    /// It is not known whether there is a slot.
    #[default]
    Queued,
    /// It waits for a slot, until this time as is expected.
    Waits(std::time::Instant),
    /// It has begun.
    Begun,
    /// It has an interim answer.
    Known(Arc<Answer>),
}

/// A client that waits for the answer to its question.
pub struct Waiter {
    /// The question's id: others that share the search have their own.
    pub(super) id: Option<String>,
    pub(super) awaited: Awaited,
}

/// Where an answer comes from.
pub(super) enum Awaited {
    /// It is here.
    Now(Box<Searched>),
    /// A search, shared with others.
    Flight(Passage<Landed, Progress>),
}

impl Waiter {
    /// Waits for the answer.
    ///
    /// # Errors
    /// The reason for a missing answer.
    pub async fn answer(self) -> Result<Searched, Failure> {
        match self.awaited {
            Awaited::Now(searched) => Ok(*searched),
            Awaited::Flight(passage) => passage.await.map(|searched| named(&searched, self.id)),
        }
    }

    /// Waits until the search has a place, or ended.
    ///
    /// # Errors
    /// When it has ended without an answer.
    pub async fn look_on(self) -> Result<Onlooker, Failure> {
        let mut passage = match self.awaited {
            Awaited::Now(searched) => return Ok(Onlooker(View::Answered(searched))),
            Awaited::Flight(passage) => passage,
        };
        let mut news = passage.news();
        let begun = tokio::select! {
            biased;
            landed = &mut passage => Err(landed?),
            _ = news.wait_for(|progress| !matches!(progress, Progress::Queued)) => Ok(()),
        };
        // Who comes late is told at once what is known.
        news.mark_changed();
        Ok(Onlooker(match begun {
            Err(searched) => View::Answered(Box::new(named(&searched, self.id))),
            Ok(()) => {
                let (not_before, waits) = (Instant::now(), false);
                View::Search { id: self.id, passage, news, not_before, waits }
            }
        }))
    }
}

/// The answer to the question with this id.
fn named(searched: &Searched, id: Option<String>) -> Searched {
    let mut searched = searched.clone();
    searched.answer.id = id;
    searched
}

/// A waiter that is told how far its search is.
pub struct Onlooker(View);

/// What an onlooker sees.
enum View {
    /// The answer.
    Answered(Box<Searched>),
    /// A search that runs.
    Search {
        id: Option<String>,
        passage: Passage<Landed, Progress>,
        news: watch::Receiver<Progress>,
        /// Earliest time of the next interim answer.
        not_before: Instant,
        /// True if it has been told that the search waits.
        waits: bool,
    },
    /// Nothing more.
    Over,
}

/// What an onlooker is told.
#[derive(Debug)]
pub enum News {
    /// The search waits for a slot, so long as is expected.
    Waits(Duration),
    /// The search has begun, after its wait.
    Begun,
    /// What the search would answer now.
    Interim(Answer),
    /// The last news.
    End(Result<Searched, Failure>),
}

impl Onlooker {
    /// All news, as they come.
    pub fn told(self) -> impl Stream<Item = News> + Send {
        stream::unfold(self, |mut onlooker| async move {
            let news = onlooker.next().await?;
            Some((news, onlooker))
        })
    }

    /// The next news: interim answers, of which the latest counts, and one end. Dropped before it is ready, this future
    /// takes nothing with it.
    pub async fn next(&mut self) -> Option<News> {
        let end = match &mut self.0 {
            View::Over => return None,
            View::Answered(_) => None,
            View::Search { id, passage, news, not_before, waits } => tokio::select! {
                biased;
                landed = passage => Some(landed.map(|searched| named(&searched, id.take()))),
                told = interim(news, *not_before, *waits) => {
                    *not_before = Instant::now() + PAUSE;
                    *waits = matches!(told, Interim::Waits(_));
                    return Some(match told {
                        Interim::Waits(left) => News::Waits(left),
                        Interim::Begun => News::Begun,
                        Interim::Known(answer) => {
                            News::Interim(Answer { id: id.clone(), ..Answer::clone(&answer) })
                        }
                    });
                }
            },
        };
        let answered = match std::mem::replace(&mut self.0, View::Over) {
            View::Answered(searched) => Some(Ok(*searched)),
            _ => None,
        };
        end.or(answered).map(News::End)
    }
}

/// What is told before the end.
enum Interim {
    Waits(Duration),
    Begun,
    Known(Arc<Answer>),
}

/// The next of what is told before the end, not before this time; that it has begun to those that were told to wait.
async fn interim(
    news: &mut watch::Receiver<Progress>,
    not_before: Instant,
    waits: bool,
) -> Interim {
    sleep_until(not_before).await;
    loop {
        if news.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
        match &*news.borrow_and_update() {
            Progress::Known(answer) => return Interim::Known(Arc::clone(answer)),
            Progress::Waits(until) => {
                return Interim::Waits(until.saturating_duration_since(std::time::Instant::now()));
            }
            Progress::Begun if waits => return Interim::Begun,
            Progress::Queued | Progress::Begun => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use tokio::sync::oneshot;

    use super::super::flights::Flights;
    use super::*;

    fn interim(depth: u32) -> Progress {
        let question = catalog::question::Question::about("nim");
        let allowance = catalog::Allowance::unlimited();
        let catalog = catalog::Catalog::default();
        let plan = catalog.plan(&question, &allowance, std::time::Instant::now());
        let table = engine::SharedTable::new(1);
        let run = plan.unwrap_or_else(|why| panic!("{why}")).run;
        let mut answer = run(&catalog::Context::alone(&table));
        answer.stats.depth = depth;
        Progress::Known(Arc::new(answer))
    }

    fn depth(news: Option<News>) -> u32 {
        match news {
            Some(News::Interim(answer)) => answer.stats.depth,
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn the_latest_news_come_once_and_the_end_comes_last() {
        let flights = Flights::<Landed, Progress>::default();
        let (fail, failed) = oneshot::channel();
        let tell = std::cell::OnceCell::new();
        let passage = flights.join("same".into(), |news| {
            tell.set(news).expect("one flight is started");
            async { Err(failed.await.expect("it is told")) }
        });
        let tell = tell.get().expect("it has started");
        let waiter = Waiter { id: Some("mine".into()), awaited: Awaited::Flight(passage) };
        let mut looking_on = Box::pin(waiter.look_on());
        assert!((&mut looking_on).now_or_never().is_none(), "it may be refused");
        let wait = Duration::from_secs(60);
        tell.send_replace(Progress::Waits(std::time::Instant::now() + wait));
        let mut onlooker = looking_on.await.unwrap_or_else(|why| panic!("{why:?}"));
        let told = onlooker.next().await;
        assert!(matches!(told, Some(News::Waits(left)) if left <= wait && 2 * left > wait));
        tell.send_replace(Progress::Begun);
        assert!(matches!(onlooker.next().await, Some(News::Begun)));
        assert!(onlooker.next().now_or_never().is_none());
        [1, 2].into_iter().for_each(|depth| drop(tell.send_replace(interim(depth))));
        let asked = Instant::now();
        assert_eq!(depth(onlooker.next().await), 2);
        let View::Search { not_before, .. } = &onlooker.0 else { panic!("it goes on") };
        assert!(*not_before >= asked + PAUSE);
        assert!(onlooker.next().now_or_never().is_none(), "it is told once");
        tell.send_replace(interim(3));
        assert_eq!(depth(onlooker.next().await), 3);
        let late = flights.join("same".into(), |_| std::future::pending());
        let late = Waiter { id: None, awaited: Awaited::Flight(late) }.look_on().await;
        let mut late = late.unwrap_or_else(|why| panic!("{why:?}"));
        assert_eq!(depth(late.next().await), 3, "what is known is told at once");
        fail.send(Failure::Panicked).expect("it waits");
        let end = onlooker.next().await;
        assert!(matches!(end, Some(News::End(Err(Failure::Panicked)))), "{end:?}");
        assert!(onlooker.next().await.is_none());
    }

    #[tokio::test]
    async fn no_news_come_before_their_time() {
        let (tell, mut news) = watch::channel(Progress::Queued);
        tell.send_replace(interim(1));
        let later = Instant::now() + Duration::from_secs(3_600);
        assert!(super::interim(&mut news, later, false).now_or_never().is_none());
        super::interim(&mut news, Instant::now(), false).await;
    }
}
