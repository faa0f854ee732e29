//! Jobs as they are taken: their names, and their pieces.

use async_nats::jetstream::message::PublishMessage;
use futures_util::stream::{self, StreamExt, TryStreamExt};

use super::log::{KeyRecord, PieceHeader, header, read_header};
use super::{Appended, IN_FLIGHT, JetStream, broken, refused};
use crate::deflated::Deflated;
use crate::queue::{IdempotencyKey, JobId, NewJob, NewPiece, QueueError};

/// What a name stands for.
pub(super) enum Named {
    /// Nothing until now.
    New(JobId),
    Job(JobId),
    /// Another job has it.
    Reused,
}

impl JetStream {
    /// The job of this name: that of the one who came first.
    pub(super) async fn named(
        &self,
        subject: &str,
        key: &IdempotencyKey,
        kind: &str,
    ) -> Result<Named, QueueError> {
        let id = JobId::draw();
        let (digest, kind) = (key.digest.clone(), kind.to_owned());
        let mine = KeyRecord { id: id.to_string(), digest, kind };
        match self.append_after(subject.to_owned(), &mine, Vec::new(), 0).await? {
            Appended::At(_) => Ok(Named::New(id)),
            Appended::Overtaken => {
                let known =
                    self.keys.get_last_raw_message_by_subject(subject).await.map_err(broken)?;
                let known: Option<KeyRecord> = read_header(&known.headers);
                let same =
                    known.filter(|known| known.digest == mine.digest && known.kind == mine.kind);
                Ok(same.and_then(|same| same.id.parse().ok()).map_or(Named::Reused, Named::Job))
            }
        }
    }

    pub(super) async fn publish_pieces(&self, id: JobId, job: &NewJob) -> Result<(), QueueError> {
        let lane = self.subjects.lane_of(&job.owner);
        let message = |(place, piece): (usize, &NewPiece)| {
            let (kind, items) = (job.kind.clone(), piece.items.clone());
            let head = PieceHeader { job: id.to_string(), piece: place as u32, kind, items };
            let payload = Deflated::of(&piece.payload).0.into();
            let message = PublishMessage::build().headers(header(&head)).payload(payload);
            // What has come twice within two minutes is published once.
            (lane.clone(), message.message_id(format!("{id}.{place}")))
        };
        let messages: Vec<_> = job.pieces.iter().enumerate().map(message).collect();
        let sent = stream::iter(messages).map(|(subject, message)| async {
            let sent = self.context.send_publish(subject, message).await.map_err(broken)?;
            sent.await.map(drop).map_err(|why| refused(&why))
        });
        sent.buffered(IN_FLIGHT).try_collect().await
    }
}
