//! Known answers: a stream with one message a question, the oldest of which make room.

use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::LastRawMessageErrorKind;
use async_trait::async_trait;

use super::log::{header, read_header};
use super::{JetStream, broken, refused};
use crate::answers::{AnswerKey, AnswerStore, KnownAnswer};
use crate::deflated::Deflated;
use crate::queue::QueueError;

#[async_trait]
impl AnswerStore for JetStream {
    async fn known(&self, key: AnswerKey) -> Result<Option<KnownAnswer>, QueueError> {
        let subject = self.subjects.answer(&key);
        let message = match self.answers.get_last_raw_message_by_subject(&subject).await {
            Ok(message) => message,
            Err(why) if why.kind() == LastRawMessageErrorKind::NoMessageFound => return Ok(None),
            Err(why) => return Err(broken(why)),
        };
        let body = Deflated::inflate(&message.payload).map_err(broken)?;
        Ok(read_header(&message.headers).map(|rank| KnownAnswer { rank, body }))
    }

    async fn learn(&self, key: AnswerKey, answer: KnownAnswer) -> Result<(), QueueError> {
        if self.known(key).await?.is_some_and(|known| known.rank >= answer.rank) {
            return Ok(());
        }
        // Of two that learn at once the later one is kept: both are right.
        let message = PublishMessage::build()
            .headers(header(&answer.rank))
            .payload(Deflated::of(&answer.body).0.into());
        let sent = self.context.send_publish(self.subjects.answer(&key), message).await;
        sent.map_err(broken)?.await.map(drop).map_err(|why| refused(&why))
    }
}
