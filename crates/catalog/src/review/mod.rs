//! Reviews of games and ratings of played moves.
//!
//! ```text
//! ReviewQuestion ─► plan.rs: ReviewPlan ─► questions ─► (searched by whoever has the slots) ─► answers
//! verify.rs, searched.rs: answers about one position ─► SearchedPosition
//! moves.rs, summary.rs: ReviewPlan + SearchedPositions ─► ReviewAnswer
//! file.rs: ReviewAnswer ─► comments of a game file
//! ```

pub mod answer;
pub mod file;
mod moves;
mod plan;
pub mod question;
mod searched;
mod summary;
#[cfg(test)]
mod tests;
mod verify;

pub use crate::rating::Label;
pub use answer::{RateAnswer, ReviewAnswer, ReviewProgress};
pub use plan::{MOST_REVIEWED, ReviewPlan};
pub use question::{RateQuestion, ReviewQuestion};
pub use searched::SearchedPosition;
pub use verify::{PositionSearches, SearchStep};
