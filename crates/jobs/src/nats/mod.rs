//! The queue of many machines: NATS JetStream keeps, delivers and fences; this module only says what is written.
//!
//! ```text
//! NAME-pieces   a work queue: a message a piece, in one of 16 lanes by owner; acknowledged when it is over
//! NAME-answers  known answers: a message a question
//! NAME-keys     jobs of idempotency keys
//! NAME-log      what happens, in one order: jobs taken and cancelled, pieces claimed, items ended with their results
//! NAME-news     jobs taken and cancelled, for workers
//! ```
//!
//! - A piece's entries stand under one subject. Each after a claim names the one that it follows
//!   (`Nats-Expected-Last-Subject-Sequence`): after another claim the server refuses what the first worker writes.
//! - A job is taken when its record is written, after its pieces: half a job is never seen.
//! - What clients ask is answered from the log as this process has read it ([`LogView`]).

mod answers;
mod lanes;
mod log;
mod piece;
mod streams;
mod taking;
#[cfg(test)]
pub(crate) mod tests;
mod view;

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{LastRawMessageErrorKind, Stream};
use async_nats::jetstream::{self, AckKind, Context};
use async_nats::{ConnectOptions, Event, ServerAddr};
use async_trait::async_trait;
use futures_util::StreamExt;
use futures_util::stream::{self, TryStreamExt};
use serde::Serialize;
use tokio::sync::watch;

use crate::deflated::Deflated;
use crate::queue::{
    Backlog, Claim, Enqueued, Hold, ItemOutcome, ItemResult, JobFilter, JobId, JobQueue, JobStatus,
    NewJob, QueueError, QueueLimits, Token,
};
use lanes::Lanes;
use log::{JobRecord, LogEvent, Subjects, header};
use piece::Held;
pub use streams::JetStreamPlace;
use streams::Streams;
use taking::Named;
pub use view::Knows;
use view::{Follower, LogSource, LogView, ResultPlace};

/// Time in which a server answers that is there at all.
const PATIENCE: Duration = Duration::from_secs(5);
/// Pieces that are published before the server has to confirm them.
const IN_FLIGHT: usize = 256;
/// Results that are read at a time.
const READ_AHEAD: usize = 16;

/// A queue in NATS JetStream.
pub struct JetStream {
    context: Context,
    log: Stream,
    keys: Stream,
    pieces: Stream,
    answers: Stream,
    subjects: Subjects,
    lanes: Lanes,
    /// What the workers of this process hold.
    held: Mutex<HashMap<Token, Arc<Held>>>,
    view: Arc<LogView>,
    _follower: Follower,
    limits: QueueLimits,
}

fn broken(why: impl Display) -> QueueError {
    QueueError::Broken(why.to_string())
}

/// Time since 1970, in ms.
fn now_ms() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX >> 1)
}

/// What has become of an entry of the log.
enum Appended {
    /// It stands there, with this sequence number.
    At(u64),
    /// Another one stands where it was to follow.
    Overtaken,
}

impl JetStream {
    /// Opens the queue; its streams are made if there are none.
    ///
    /// # Errors
    /// When no server is there, or it has no JetStream.
    pub async fn open(place: JetStreamPlace, limits: QueueLimits) -> Result<Self, QueueError> {
        let servers = place.servers.split(',').map(|server| server.trim().parse::<ServerAddr>());
        let servers = servers.collect::<Result<Vec<_>, _>>().map_err(broken)?;
        let connected = watch::Sender::new(());
        let connections = connected.subscribe();
        let options = ConnectOptions::new().name("bestmove").event_callback(move |event| {
            if event == Event::Connected {
                connected.send_replace(());
            }
            async {}
        });
        let client = options.connect(servers).await;
        let mut context = jetstream::new(client.map_err(broken)?);
        context.set_timeout(PATIENCE);
        let subjects = Subjects(place.name.clone());
        let streams = Streams::open(&context, &place, &subjects, limits.keep).await?;
        let Streams { keys, log, news, pieces, answers } = streams;
        let lanes = Lanes::open(&pieces, &subjects, place.lease).await?;
        let read = if place.knows == Knows::Everything { log.clone() } else { news };
        let source = LogSource { log: read, subjects: subjects.clone(), connections };
        let (view, follower) = LogView::follow(source, place.knows, limits.keep).await?;
        let held = Mutex::default();
        Ok(Self {
            context,
            log,
            keys,
            pieces,
            answers,
            subjects,
            lanes,
            held,
            view,
            _follower: follower,
            limits,
        })
    }

    /// Writes an entry, and says where it stands.
    async fn append(
        &self,
        subject: String,
        head: &impl Serialize,
        body: Vec<u8>,
    ) -> Result<u64, QueueError> {
        let message = PublishMessage::build().headers(header(head)).payload(body.into());
        let sent = self.context.send_publish(subject, message).await.map_err(broken)?;
        sent.await.map(|ack| ack.sequence).map_err(|why| refused(&why))
    }

    /// Writes an entry after this one of its subject; 0 if it is the first.
    async fn append_after(
        &self,
        subject: String,
        head: &impl Serialize,
        body: Vec<u8>,
        after: u64,
    ) -> Result<Appended, QueueError> {
        let message = PublishMessage::build()
            .headers(header(head))
            .payload(body.into())
            .expected_last_subject_sequence(after);
        let sent = self.context.send_publish(subject, message).await.map_err(broken)?;
        match sent.await {
            Ok(ack) => Ok(Appended::At(ack.sequence)),
            Err(why) if why.kind() == PublishErrorKind::WrongLastSequence => {
                Ok(Appended::Overtaken)
            }
            Err(why) => Err(refused(&why)),
        }
    }

    /// The job as the log tells. What another process has just taken is in the log, and may not have been read here.
    async fn known_job(&self, job: JobId) -> Result<Option<JobStatus>, QueueError> {
        if let Some(status) = self.view.status(job) {
            return Ok(Some(status));
        }
        match self.log.get_last_raw_message_by_subject(&self.subjects.new_job(job)).await {
            Ok(record) => self.view.wait_for(record.sequence).await?,
            Err(why) if why.kind() == LastRawMessageErrorKind::NoMessageFound => {}
            Err(why) => return Err(broken(why)),
        }
        Ok(self.view.status(job))
    }

    fn held(&self) -> MutexGuard<'_, HashMap<Token, Arc<Held>>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A claim of this process that may hold.
    fn claimed(&self, token: Token) -> Option<Arc<Held>> {
        if self.view.is_cancelled(token.job) {
            self.held().remove(&token);
        }
        self.held().get(&token).cloned()
    }

    /// Reads the bodies of results.
    async fn bodies(&self, places: Vec<ResultPlace>) -> Result<Vec<ItemResult>, QueueError> {
        let results = places.into_iter().map(|place| async move {
            let message = self.log.get_raw_message(place.sequence).await.map_err(broken)?;
            let body = Deflated::inflate(&message.payload).map_err(broken)?;
            let ResultPlace { event, item, outcome, .. } = place;
            Ok(ItemResult { event, item, outcome, body })
        });
        stream::iter(results).buffered(READ_AHEAD).try_collect().await
    }
}

/// Why the server does not keep a message.
fn refused(why: &jetstream::context::PublishError) -> QueueError {
    let why = why.to_string();
    // Its words where a stream has as many bytes as it may have.
    if why.contains("maximum bytes exceeded") || why.contains("insufficient") {
        return QueueError::Full;
    }
    QueueError::Broken(why)
}

#[async_trait]
impl JobQueue for JetStream {
    fn is_durable(&self) -> bool {
        true
    }

    async fn enqueue(&self, job: NewJob) -> Result<Enqueued, QueueError> {
        let name = job.key.as_ref().map(|key| (self.subjects.key(&job.owner, &key.key), key));
        let id = match &name {
            None => JobId::draw(),
            Some((subject, key)) => match self.named(subject, key, &job.kind).await? {
                Named::New(id) => id,
                // Whoever gave it this name may have died before the job was taken.
                Named::Job(id) => match self.known_job(id).await? {
                    Some(known) => return Ok(Enqueued::Known(known)),
                    None => id,
                },
                Named::Reused => return Ok(Enqueued::KeyReused),
            },
        };
        if self.view.open(&job.owner) >= self.limits.open_jobs as usize {
            return Ok(Enqueued::TooMany);
        }
        self.publish_pieces(id, &job).await?;
        let record = JobRecord {
            owner: job.owner.clone(),
            kind: job.kind.clone(),
            items: job.items() as u32,
            key: name.map(|(subject, _)| subject),
        };
        let head = Deflated::of(&job.head).0;
        let subject = self.subjects.new_job(id);
        let event = LogEvent::New(record);
        let sequence = self.append(subject, &event, head).await?;
        // The job is taken: workers look twice a second even if they are not told.
        if let Err(why) = self.append(self.subjects.news(id), &event, Vec::new()).await {
            tracing::warn!(%why, "workers are not told of a job");
        }
        self.view.wait_for(sequence).await?;
        self.view.status(id).map(Enqueued::New).ok_or_else(|| broken("a job has been forgotten"))
    }

    async fn claim(&self, _lease: Duration) -> Result<Option<Claim>, QueueError> {
        while let Some(message) = self.lanes.next(self.view.news()).await? {
            if let Some(claim) = self.take(message).await? {
                return Ok(Some(claim));
            }
        }
        Ok(None)
    }

    async fn extend(&self, token: Token, _lease: Duration) -> Result<Hold, QueueError> {
        let Some(held) = self.claimed(token) else { return Ok(Hold::Lost) };
        held.message.ack_with(AckKind::Progress).await.map_err(broken)?;
        Ok(Hold::Held)
    }

    async fn checkpoint(
        &self,
        token: Token,
        item: u32,
        outcome: ItemOutcome,
        body: Vec<u8>,
    ) -> Result<Hold, QueueError> {
        let Some(held) = self.claimed(token) else { return Ok(Hold::Lost) };
        let mut log = held.log.lock().await;
        if log.done.contains(&item) {
            return Ok(Hold::Held);
        }
        let event = LogEvent::Ended { item, outcome: outcome.into() };
        self.write(token, &mut log, &event, Deflated::of(&body).0).await
    }

    async fn complete(&self, token: Token) -> Result<Hold, QueueError> {
        if self.claimed(token).is_none() {
            return Ok(Hold::Lost);
        }
        let Some(held) = self.held().remove(&token) else { return Ok(Hold::Lost) };
        held.message.double_ack().await.map_err(broken)?;
        Ok(Hold::Held)
    }

    async fn release(&self, token: Token) -> Result<Hold, QueueError> {
        let Some(held) = self.claimed(token) else { return Ok(Hold::Lost) };
        let hold =
            self.write(token, &mut *held.log.lock().await, &LogEvent::Released, Vec::new()).await?;
        if hold == Hold::Held {
            self.held().remove(&token);
            held.message.double_ack_with(AckKind::Nak(None)).await.map_err(broken)?;
            self.lanes.wake();
        }
        Ok(hold)
    }

    async fn cancel(&self, job: JobId) -> Result<Option<JobStatus>, QueueError> {
        let known = self.known_job(job).await?;
        if known.as_ref().is_none_or(|status| status.state.is_over()) {
            return Ok(known);
        }
        let subject = self.subjects.cancelled(job);
        let sequence = self.append(subject, &LogEvent::Cancelled, Vec::new()).await?;
        self.append(self.subjects.news(job), &LogEvent::Cancelled, Vec::new()).await?;
        self.view.wait_for(sequence).await?;
        // Workers pass over its pieces as they come to them. To purge some of a queue leaves servers of version 2.9 waiting
        // for messages that are gone.
        Ok(self.view.status(job))
    }

    async fn status(&self, job: JobId) -> Result<Option<JobStatus>, QueueError> {
        self.known_job(job).await
    }

    async fn list(&self, filter: JobFilter) -> Result<Vec<JobStatus>, QueueError> {
        Ok(self.view.list(&filter))
    }

    async fn head(&self, job: JobId) -> Result<Option<Vec<u8>>, QueueError> {
        self.known_job(job).await?;
        let Some(sequence) = self.view.record(job) else { return Ok(None) };
        let message = self.log.get_raw_message(sequence).await.map_err(broken)?;
        Deflated::inflate(&message.payload).map(Some).map_err(broken)
    }

    async fn events(
        &self,
        job: JobId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<ItemResult>, QueueError> {
        self.bodies(self.view.events(job, after, limit)).await
    }

    async fn results(
        &self,
        job: JobId,
        from: u32,
        limit: u32,
    ) -> Result<Vec<ItemResult>, QueueError> {
        self.bodies(self.view.results(job, from, limit)).await
    }

    async fn backlog(&self) -> Result<Backlog, QueueError> {
        let state = self.pieces.get_info().await.map_err(broken)?.state;
        let held = self.lanes.held().await?;
        let waiting = state.messages.saturating_sub(held);
        let since = u64::try_from(state.first_timestamp.unix_timestamp_nanos() / 1_000_000);
        let oldest = now_ms().saturating_sub(since.unwrap_or_default());
        let oldest = if waiting == 0 { Duration::ZERO } else { Duration::from_millis(oldest) };
        Ok(Backlog { waiting, held, oldest })
    }

    async fn expire(&self) -> Result<(), QueueError> {
        let keep = u64::try_from(self.limits.keep.as_millis()).unwrap_or(u64::MAX >> 1);
        for (job, key) in self.view.forget(now_ms().saturating_sub(keep)) {
            self.log.purge().filter(self.subjects.whole_job(job)).await.map_err(broken)?;
            if let Some(key) = key {
                self.keys.purge().filter(key).await.map_err(broken)?;
            }
        }
        Ok(())
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.view.changes()
    }
}
