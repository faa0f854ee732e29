//! Answers that are known: an exact or a deep one is searched once, whoever asks.

use async_trait::async_trait;

use crate::queue::QueueError;

/// Name of a question: a digest of all that its answer depends on.
pub type AnswerKey = [u8; 32];

/// A known answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownAnswer {
    /// How much is known: a greater rank replaces a smaller one.
    pub rank: u64,
    /// The answer.
    pub body: Vec<u8>,
}

/// A store of known answers. What is in it may be forgotten at any time.
#[async_trait]
pub trait AnswerStore: Send + Sync {
    /// What is known of a question.
    async fn known(&self, key: AnswerKey) -> Result<Option<KnownAnswer>, QueueError>;

    /// Keeps an answer, unless as much or more is known.
    async fn learn(&self, key: AnswerKey, answer: KnownAnswer) -> Result<(), QueueError>;
}
