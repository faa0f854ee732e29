//! Jobs: work that outlasts a request. A job is cut into pieces; workers claim pieces, store the result of each item, and
//! may be killed at any time. Nothing here knows what a piece is about. Beside them answers that are known.
//!
//! ```text
//!            enqueue          claim                 checkpoint ...  complete
//!  client ───────────► waiting ─────► held (lease) ─────────────────────────► over
//!                         ▲               │ release, or the lease ends
//!                         └───────────────┘ too often without a result: the next item is abandoned
//! ```
//!
//! - A delivery of a piece is fenced by its token: who has lost the lease can store nothing more.
//! - Each result is stored once, whoever computes it twice.
//! - Owners take turns: the next piece is of the one who has waited longest. Jobs of one owner go in their order.

mod answers;
mod deflated;
mod embedded;
#[cfg(feature = "nats")]
mod nats;
mod queue;
#[cfg(test)]
mod tests;

pub use answers::{AnswerKey, AnswerStore, KnownAnswer};
pub use embedded::{Embedded, Store};
#[cfg(feature = "nats")]
pub use nats::{JetStream, JetStreamPlace, Knows};
pub use queue::{
    Backlog, Claim, Enqueued, Hold, IdempotencyKey, ItemOutcome, ItemResult, JobFilter, JobId,
    JobQueue, JobState, JobStatus, NewJob, NewPiece, QueueError, QueueLimits, Token,
};
