//! What a review needs of the searches of a position. It can be written and read again, so that the searches of one review
//! may be those of many processes.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::verify::PositionSearches;
use super::{ReviewPlan, verify};
use crate::answer::{Answer, MoveRating};
use crate::rating::RatingScheme;

/// The searches of a position, settled. Formats that are no texts keep every digit of its numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchedPosition {
    /// The mover's expected result from 0 to 1; `None` where the algorithm does not say.
    pub win_probability: Option<f64>,
    /// The best move.
    pub best_move: Option<String>,
    pub(super) side_to_move: Option<Cow<'static, str>>,
    pub(super) algorithm: Cow<'static, str>,
    /// The rating of the best move, and that of the played one.
    pub(super) best: Option<MoveRating>,
    pub(super) played: Option<MoveRating>,
    /// Depth of the ratings in plies.
    pub(super) depth: u32,
    pub(super) scheme: Option<RatingScheme>,
    pub(super) nodes: u64,
    pub(super) time_ms: u64,
    pub(super) warnings: Vec<String>,
}

impl SearchedPosition {
    /// A position about which nothing could be found out, and why.
    pub fn unknown(why: &str) -> Self {
        Self {
            win_probability: None,
            best_move: None,
            side_to_move: None,
            algorithm: Cow::Borrowed(""),
            best: None,
            played: None,
            depth: 0,
            scheme: None,
            nodes: 0,
            time_ms: 0,
            warnings: vec![why.to_owned()],
        }
    }

    fn new(answer: Answer, played: Option<&String>) -> Self {
        let is_played = |rating: &&MoveRating| Some(&rating.mv) == played;
        Self {
            win_probability: answer.win_probability,
            best_move: answer.best_move,
            side_to_move: answer.side_to_move.map(Cow::Borrowed),
            algorithm: answer.algorithm.into(),
            best: answer.ratings.first().cloned(),
            played: answer.ratings.iter().find(is_played).cloned(),
            depth: answer.stats.rated_depth.unwrap_or(answer.stats.depth),
            scheme: answer.scheme,
            nodes: answer.stats.nodes,
            time_ms: answer.stats.time_ms,
            warnings: answer.warnings,
        }
    }
}

impl ReviewPlan {
    /// What the searches of the position with this number have come to.
    ///
    /// # Panics
    /// Without the search of all moves.
    pub fn settled(&self, index: usize, so_far: &PositionSearches) -> SearchedPosition {
        let played = self.searches[index].played.as_ref();
        SearchedPosition::new(verify::settled(played, so_far, self.tolerance()), played)
    }
}
