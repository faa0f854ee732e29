//! Pieces as workers hold them, and the log of each.

use std::collections::BTreeSet;

use async_nats::jetstream::stream::LastRawMessageErrorKind;
use async_nats::jetstream::{AckKind, Message};
use tokio::sync::Mutex;

use super::log::{LogEvent, PieceHeader, StoredOutcome, read_header};
use super::{Appended, JetStream, broken};
use crate::deflated::Deflated;
use crate::queue::{Claim, Hold, JobId, QueueError, Token};

/// A piece that a worker of this process holds.
pub(super) struct Held {
    pub(super) message: Message,
    pub(super) log: Mutex<PieceLog>,
}

/// What has happened to a piece.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PieceLog {
    /// Sequence number of the last entry.
    pub(super) last: u64,
    /// Items that have ended.
    pub(super) done: BTreeSet<u32>,
    /// Claims since the last progress that were not given back.
    pub(super) tries: u32,
}

impl PieceLog {
    fn apply(&mut self, sequence: u64, event: Option<&LogEvent>) {
        self.last = sequence;
        match event {
            Some(LogEvent::Claimed) => self.tries += 1,
            Some(LogEvent::Released) => self.tries = self.tries.saturating_sub(1),
            Some(&LogEvent::Ended { item, .. }) => {
                self.tries = 0;
                self.done.insert(item);
            }
            Some(LogEvent::New(_) | LogEvent::Cancelled) | None => {}
        }
    }
}

impl JetStream {
    /// Claims the piece of a message. `None` if there is nothing left to do for it.
    pub(super) async fn take(&self, message: Message) -> Result<Option<Claim>, QueueError> {
        let header = message.headers.as_ref().and_then(read_header::<PieceHeader>);
        let job = header.as_ref().and_then(|header| header.job.parse::<JobId>().ok());
        let (Some(PieceHeader { piece, kind, items, .. }), Some(job)) = (header, job) else {
            // In good time for a version of the program that can read it.
            message.ack_with(AckKind::Nak(Some(super::PATIENCE))).await.map_err(broken)?;
            return Err(broken("another version of the program has published a piece"));
        };
        if self.view.is_cancelled(job) {
            message.double_ack().await.map_err(broken)?;
            return Ok(None);
        }
        // The claim that stands last holds: of a piece that has never been delivered there is nothing to read.
        let is_first = message.info().map_err(broken)?.delivered == 1;
        let mut log =
            if is_first { PieceLog::default() } else { self.piece_log(job, piece).await? };
        let next = |log: &PieceLog| items.iter().copied().find(|item| !log.done.contains(item));
        if log.tries >= self.limits.tries
            && let Some(item) = next(&log)
        {
            let event = LogEvent::Ended { item, outcome: StoredOutcome::Abandoned };
            // Who has claimed it meanwhile says the same.
            let _ = self.write_after(job, piece, &mut log, &event, Deflated::of(&[]).0).await?;
        }
        if next(&log).is_none() {
            message.double_ack().await.map_err(broken)?;
            return Ok(None);
        }
        let subject = self.subjects.piece_log(job, piece);
        let sequence = self.append(subject, &LogEvent::Claimed, Vec::new()).await?;
        log.apply(sequence, Some(&LogEvent::Claimed));
        let payload = Deflated::inflate(&message.payload).map_err(broken)?;
        let token = Token { job, piece, delivery: log.last };
        let (tries, done) = (log.tries, log.done.iter().copied().collect());
        self.held().insert(token, Held { message, log: Mutex::new(log) }.into());
        Ok(Some(Claim { token, kind, payload, items, done, tries }))
    }

    /// What has happened to a piece so far.
    async fn piece_log(&self, job: JobId, piece: u32) -> Result<PieceLog, QueueError> {
        let subject = self.subjects.piece_log(job, piece);
        let mut log = PieceLog::default();
        loop {
            let next = self.log.raw_message_builder().next_by_subject(subject.clone());
            match next.sequence(log.last + 1).send().await {
                Ok(message) => {
                    log.apply(message.sequence, read_header(&message.headers).as_ref());
                }
                Err(why) if why.kind() == LastRawMessageErrorKind::NoMessageFound => {
                    return Ok(log);
                }
                Err(why) => return Err(broken(why)),
            }
        }
    }

    /// Writes an entry of a piece that is held, if it is still.
    pub(super) async fn write(
        &self,
        token: Token,
        log: &mut PieceLog,
        event: &LogEvent,
        body: Vec<u8>,
    ) -> Result<Hold, QueueError> {
        let hold = self.write_after(token.job, token.piece, log, event, body).await?;
        if hold == Hold::Lost {
            self.held().remove(&token);
        }
        Ok(hold)
    }

    /// Writes an entry where the log of a piece is known to end.
    async fn write_after(
        &self,
        job: JobId,
        piece: u32,
        log: &mut PieceLog,
        event: &LogEvent,
        body: Vec<u8>,
    ) -> Result<Hold, QueueError> {
        let subject = self.subjects.piece_log(job, piece);
        match self.append_after(subject, event, body, log.last).await? {
            Appended::At(sequence) => {
                log.apply(sequence, Some(event));
                Ok(Hold::Held)
            }
            Appended::Overtaken => Ok(Hold::Lost),
        }
    }
}
