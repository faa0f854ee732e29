//! Where a queue is, and its streams.

use std::time::Duration;

use async_nats::jetstream::Context;
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, Stream};

use super::broken;
use super::log::Subjects;
use super::view::Knows;
use crate::queue::QueueError;

/// Where the servers are, and what is kept there.
#[derive(Clone, Debug)]
pub struct JetStreamPlace {
    /// Addresses of servers of one cluster: `nats://host:4222`, with commas between them.
    pub servers: String,
    /// Name of this installation: its streams begin with it.
    pub name: String,
    /// Copies of everything that a cluster keeps: 1, 3 or 5.
    pub replicas: usize,
    /// Bytes that the log may take, and again the pieces, and the known answers.
    pub bytes: u64,
    /// Time after which a piece of a silent worker is another's.
    pub lease: Duration,
    /// What this process needs to know.
    pub knows: Knows,
}

/// The streams of an installation.
pub(super) struct Streams {
    pub(super) keys: Stream,
    pub(super) log: Stream,
    pub(super) news: Stream,
    pub(super) pieces: Stream,
    pub(super) answers: Stream,
}

impl Streams {
    /// Opens them, or makes them.
    pub(super) async fn open(
        context: &Context,
        place: &JetStreamPlace,
        subjects: &Subjects,
        keep: Duration,
    ) -> Result<Self, QueueError> {
        let config = |name: &str, subject, retention| Config {
            name: format!("{}-{name}", place.name),
            subjects: vec![subject],
            retention,
            max_bytes: i64::try_from(place.bytes).unwrap_or(i64::MAX),
            discard: DiscardPolicy::New,
            num_replicas: place.replicas,
            ..Config::default()
        };
        let (queue, kept) = (RetentionPolicy::WorkQueue, RetentionPolicy::Limits);
        let latest = |config| Config { max_messages_per_subject: 1, ..config };
        let news = latest(config("news", subjects.all_news(), kept));
        let answers = latest(config("answers", subjects.answers(), kept));
        let open = async |config| context.get_or_create_stream(config).await.map_err(broken);
        Ok(Self {
            keys: open(config("keys", subjects.keys(), kept)).await?,
            log: open(config("log", subjects.log(), kept)).await?,
            news: open(Config { max_age: keep, ..news }).await?,
            pieces: open(config("pieces", subjects.pieces(), queue)).await?,
            answers: open(Config { discard: DiscardPolicy::Old, ..answers }).await?,
        })
    }
}
