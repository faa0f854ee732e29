//! What a process knows of all jobs: the log, read to its end and followed. Bodies stay in the log.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::jetstream::consumer::DeliverPolicy;
use async_nats::jetstream::consumer::pull::OrderedConfig;
use async_nats::jetstream::stream::Stream;
use futures_util::StreamExt;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::log::{JobRecord, LogEvent, Subjects, read_header};
use super::{PATIENCE, broken};
use crate::queue::{ItemOutcome, JobFilter, JobId, JobState, JobStatus, QueueError};

/// Time between two signs of life of a server that has nothing to say; twice that, and its log is asked for anew.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// A result of a job: where it is in the log, and what it is of.
#[derive(Clone, Copy, Debug)]
pub(super) struct ResultPlace {
    /// Its place among the results of the job, from 1.
    pub(super) event: u64,
    pub(super) item: u32,
    pub(super) outcome: ItemOutcome,
    /// Sequence number of its message.
    pub(super) sequence: u64,
}

/// What has become of a job so far.
#[derive(Debug, Default)]
struct JobView {
    /// Unknown where the log of a piece came before that of its job.
    record: Option<JobRecord>,
    /// Sequence number of its record.
    sequence: u64,
    /// First sign of it, in ms since 1970.
    created_ms: u64,
    ended_ms: Option<u64>,
    is_cancelled: bool,
    /// Claims that were not given back.
    claims: u32,
    failed: u32,
    results: Vec<ResultPlace>,
    /// Places in `results`.
    by_item: BTreeMap<u32, usize>,
}

impl JobView {
    fn apply(&mut self, event: LogEvent, sequence: u64, time_ms: u64) {
        if self.ended_ms.is_some() {
            return;
        }
        match event {
            LogEvent::New(record) => {
                (self.record, self.sequence, self.created_ms) = (Some(record), sequence, time_ms);
            }
            LogEvent::Cancelled => {
                (self.is_cancelled, self.ended_ms) = (true, Some(time_ms));
            }
            LogEvent::Claimed => self.claims += 1,
            LogEvent::Released => self.claims = self.claims.saturating_sub(1),
            LogEvent::Ended { item, outcome } => self.ended(item, outcome.into(), sequence),
        }
        let items = self.record.as_ref().map(|record| record.items as usize);
        if items == Some(self.results.len()) && self.ended_ms.is_none() {
            self.ended_ms = Some(time_ms);
        }
    }

    fn ended(&mut self, item: u32, outcome: ItemOutcome, sequence: u64) {
        // A piece may have been published twice: the first result counts.
        if let Entry::Vacant(place) = self.by_item.entry(item) {
            place.insert(self.results.len());
            let event = self.results.len() as u64 + 1;
            self.failed += u32::from(outcome != ItemOutcome::Done);
            self.results.push(ResultPlace { event, item, outcome, sequence });
        }
    }

    fn status(&self, id: JobId, keep: Duration) -> Option<JobStatus> {
        let record = self.record.as_ref()?;
        let state = match self.ended_ms {
            Some(_) if self.is_cancelled => JobState::Cancelled,
            Some(_) => JobState::Done,
            None if self.claims == 0 && self.results.is_empty() => JobState::Waiting,
            None => JobState::Running,
        };
        let keep = u64::try_from(keep.as_millis()).unwrap_or(u64::MAX >> 1);
        Some(JobStatus {
            id,
            owner: record.owner.clone(),
            kind: record.kind.clone(),
            state,
            items: record.items,
            done: self.results.len() as u32 - self.failed,
            failed: self.failed,
            created_ms: self.created_ms,
            ended_ms: self.ended_ms,
            expires_ms: self.ended_ms.map(|ended| ended + keep),
        })
    }
}

/// Where the log, or the news, are read.
pub(super) struct LogSource {
    pub(super) log: Stream,
    pub(super) subjects: Subjects,
    /// Changes with every connection that is made.
    pub(super) connections: watch::Receiver<()>,
}

/// What a process needs to know of jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knows {
    /// All that happens: it answers clients.
    Everything,
    /// What is cancelled: it only works. A thousand workers need not hear of each other's results.
    Cancelled,
}

/// All jobs as the log tells.
pub(super) struct LogView {
    jobs: Mutex<HashMap<JobId, JobView>>,
    /// Sequence number of the last message that was read.
    read: watch::Sender<u64>,
    /// How many jobs have come: pieces of a new one are worth a look.
    news: watch::Sender<u64>,
    knows: Knows,
    keep: Duration,
}

/// Follows the log until it is dropped.
pub(super) struct Follower(JoinHandle<()>);

impl Drop for Follower {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl LogView {
    /// Reads the log to its end, and follows it.
    pub(super) async fn follow(
        mut source: LogSource,
        knows: Knows,
        keep: Duration,
    ) -> Result<(Arc<Self>, Follower), QueueError> {
        let (read, news) = (watch::Sender::new(0), watch::Sender::new(0));
        let view = Arc::new(Self { jobs: Mutex::default(), read, news, knows, keep });
        let caught_up = watch::Sender::new(false);
        let mut is_read = caught_up.subscribe();
        let following = Arc::clone(&view);
        let task = tokio::spawn(async move {
            loop {
                if let Err(why) = following.read_log(&mut source, &caught_up).await {
                    tracing::warn!(why, "the log of jobs is asked for anew");
                    tokio::time::sleep(HEARTBEAT).await;
                }
            }
        });
        let follower = Follower(task);
        match tokio::time::timeout(10 * PATIENCE, is_read.wait_for(|&is_read| is_read)).await {
            Ok(_) => Ok((view, follower)),
            Err(_) => Err(broken("the log of jobs cannot be read")),
        }
    }

    /// Reads on until the connection is a new one, or the server fails.
    async fn read_log(
        &self,
        source: &mut LogSource,
        caught_up: &watch::Sender<bool>,
    ) -> Result<(), String> {
        source.connections.mark_unchanged();
        let start_sequence = *self.read.borrow() + 1;
        let config = OrderedConfig {
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence },
            headers_only: true,
            max_expires: 2 * HEARTBEAT,
            ..OrderedConfig::default()
        };
        let consumer = source.log.create_consumer(config).await.map_err(|why| why.to_string())?;
        if consumer.cached_info().num_pending == 0 {
            caught_up.send_replace(true);
        }
        let mut messages = consumer.messages().await.map_err(|why| why.to_string())?;
        loop {
            let message = tokio::select! {
                // Its server may have forgotten the consumer: to find out would take as long as heartbeats do.
                _ = source.connections.changed() => return Ok(()),
                message = messages.next() => message.ok_or("it has ended")?,
            };
            let message = message.map_err(|why| why.to_string())?;
            let info = message.info().map_err(|why| why.to_string())?;
            let time_ms = u64::try_from(info.published.unix_timestamp_nanos() / 1_000_000);
            let event = message.headers.as_ref().and_then(read_header);
            if let (Some(job), Some(event)) = (source.subjects.job_of(&message.subject), event) {
                self.apply(job, event, info.stream_sequence, time_ms.unwrap_or_default());
            }
            self.read.send_replace(info.stream_sequence);
            if info.pending == 0 {
                caught_up.send_replace(true);
            }
        }
    }

    fn jobs(&self) -> MutexGuard<'_, HashMap<JobId, JobView>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn apply(&self, job: JobId, event: LogEvent, sequence: u64, time_ms: u64) {
        if matches!(event, LogEvent::New(_)) {
            self.news.send_modify(|count| *count += 1);
            if self.knows == Knows::Cancelled {
                return;
            }
        }
        let new = || JobView { created_ms: time_ms, ..JobView::default() };
        self.jobs().entry(job).or_insert_with(new).apply(event, sequence, time_ms);
    }

    /// Changes with every message of the log.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.read.subscribe()
    }

    /// How many jobs have come.
    pub(super) fn news(&self) -> u64 {
        *self.news.borrow()
    }

    /// Waits until a message is read that has been written.
    pub(super) async fn wait_for(&self, sequence: u64) -> Result<(), QueueError> {
        let mut read = self.read.subscribe();
        match tokio::time::timeout(2 * PATIENCE, read.wait_for(|&read| read >= sequence)).await {
            Ok(_) => Ok(()),
            Err(_) => Err(broken("the log of jobs is late")),
        }
    }

    pub(super) fn is_cancelled(&self, job: JobId) -> bool {
        self.jobs().get(&job).is_some_and(|job| job.is_cancelled)
    }

    pub(super) fn status(&self, job: JobId) -> Option<JobStatus> {
        self.jobs().get(&job)?.status(job, self.keep)
    }

    /// Sequence number of the record of a job.
    pub(super) fn record(&self, job: JobId) -> Option<u64> {
        let jobs = self.jobs();
        let job = jobs.get(&job)?;
        job.record.as_ref().map(|_| job.sequence)
    }

    /// Number of jobs of this owner that are not over.
    pub(super) fn open(&self, owner: &str) -> usize {
        let is_open = |job: &&JobView| {
            job.ended_ms.is_none()
                && job.record.as_ref().is_some_and(|record| record.owner == owner)
        };
        self.jobs().values().filter(is_open).count()
    }

    /// Jobs, the latest first.
    pub(super) fn list(&self, filter: &JobFilter) -> Vec<JobStatus> {
        let jobs = self.jobs();
        let status = |(&id, job): (&JobId, &JobView)| {
            job.status(id, self.keep).map(|status| (job.sequence, status))
        };
        let is_wanted = |(_, status): &(u64, JobStatus)| {
            status.owner == filter.owner
                && filter.state.is_none_or(|state| status.state == state)
                && filter.kind.as_ref().is_none_or(|kind| status.kind == *kind)
        };
        let mut found: Vec<_> = jobs.iter().filter_map(status).filter(is_wanted).collect();
        found.sort_by_key(|&(sequence, _)| std::cmp::Reverse(sequence));
        found.into_iter().take(filter.limit as usize).map(|(_, status)| status).collect()
    }

    /// Results in the order in which they came, after this event.
    pub(super) fn events(&self, job: JobId, after: u64, limit: u32) -> Vec<ResultPlace> {
        let jobs = self.jobs();
        let Some(job) = jobs.get(&job) else { return Vec::new() };
        let after = usize::try_from(after).unwrap_or(usize::MAX);
        job.results.iter().skip(after).take(limit as usize).copied().collect()
    }

    /// Results in the order of the items, from this one on.
    pub(super) fn results(&self, job: JobId, from: u32, limit: u32) -> Vec<ResultPlace> {
        let jobs = self.jobs();
        let Some(job) = jobs.get(&job) else { return Vec::new() };
        let places = job.by_item.range(from..).take(limit as usize);
        places.map(|(_, &place)| job.results[place]).collect()
    }

    /// Forgets the jobs that ended before this time, and those that were never taken; says which, with their keys.
    pub(super) fn forget(&self, before_ms: u64) -> Vec<(JobId, Option<String>)> {
        let is_old = |job: &JobView| match &job.record {
            Some(_) => job.ended_ms.is_some_and(|ended| ended < before_ms),
            None => job.created_ms < before_ms,
        };
        let old = self.jobs().extract_if(|_, job| is_old(job)).collect::<Vec<_>>();
        old.into_iter().map(|(id, job)| (id, job.record.and_then(|record| record.key))).collect()
    }
}
