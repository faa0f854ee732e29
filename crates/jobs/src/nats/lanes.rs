//! The queues of waiting pieces. Each is a consumer of the server's; they take turns.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::pull::Config;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer};
use async_nats::jetstream::stream::Stream;
use futures_util::StreamExt;
use futures_util::future::try_join_all;
use tokio::time::timeout;

use super::log::{LANES, Subjects};
use super::{PATIENCE, broken};
use crate::queue::QueueError;

/// Time for which an empty queue is not asked again, unless a job has come. Half of that between two looks of an idle worker.
const EMPTY: Duration = Duration::from_millis(500);

/// The queues, and whose turn it is.
pub(super) struct Lanes {
    consumers: Vec<PullConsumer>,
    turn: Mutex<LaneTurn>,
}

struct LaneTurn {
    next: usize,
    /// When each was last found empty.
    empty: [Option<Instant>; LANES],
    /// Number of jobs that had come by then.
    news: u64,
}

impl Lanes {
    /// The queues of this stream. A piece whose worker is silent for so long is another's.
    pub(super) async fn open(
        pieces: &Stream,
        subjects: &Subjects,
        lease: Duration,
    ) -> Result<Self, QueueError> {
        let consumer = |lane| {
            let config = Config {
                durable_name: Some(format!("lane-{lane}")),
                filter_subject: subjects.lane(lane),
                ack_policy: AckPolicy::Explicit,
                ack_wait: lease,
                // A piece that ends its workers is told apart by its log, which knows of progress.
                max_deliver: -1,
                // As many as there are slots anywhere.
                max_ack_pending: 1_000_000,
                ..Config::default()
            };
            pieces.create_consumer(config)
        };
        let consumers = try_join_all((0..LANES).map(consumer)).await.map_err(broken)?;
        let turn = LaneTurn { next: 0, empty: [None; LANES], news: 0 };
        Ok(Self { consumers, turn: Mutex::new(turn) })
    }

    fn turn(&self) -> MutexGuard<'_, LaneTurn> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues that may hold a piece, in their order.
    fn order(&self, news: u64) -> Vec<usize> {
        let mut turn = self.turn();
        if std::mem::replace(&mut turn.news, news) != news {
            turn.empty = [None; LANES];
        }
        let may_hold = |&lane: &usize| turn.empty[lane].is_none_or(|then| then.elapsed() >= EMPTY);
        (0..LANES).map(|place| (turn.next + place) % LANES).filter(may_hold).collect()
    }

    /// The next piece, which is the caller's for the time of a lease.
    pub(super) async fn next(&self, news: u64) -> Result<Option<Message>, QueueError> {
        for lane in self.order(news) {
            let found = timeout(PATIENCE, fetch(&self.consumers[lane])).await.map_err(broken)??;
            let mut turn = self.turn();
            if found.is_some() {
                turn.next = (lane + 1) % LANES;
                return Ok(found);
            }
            turn.empty[lane] = Some(Instant::now());
        }
        Ok(None)
    }

    /// Number of pieces that are held.
    pub(super) async fn held(&self) -> Result<u64, QueueError> {
        let infos = self.consumers.iter().map(PullConsumer::get_info);
        let infos = try_join_all(infos).await.map_err(broken)?;
        Ok(infos.iter().map(|info| info.num_ack_pending as u64).sum())
    }

    /// A piece waits again: any of them may hold it.
    pub(super) fn wake(&self) {
        self.turn().empty = [None; LANES];
    }
}

/// One piece, if there is one now.
async fn fetch(consumer: &PullConsumer) -> Result<Option<Message>, QueueError> {
    let mut messages = consumer.fetch().max_messages(1).messages().await.map_err(broken)?;
    messages.next().await.transpose().map_err(broken)
}
