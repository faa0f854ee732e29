//! Scores from the first side's point of view. Inside, every score is that of the side to move.

use serde_json::Number;

use super::answer::{Answer, MoveRating, PositionAnswer, ScoreAnswer};
use super::explain::number;
use super::question::Perspective;
use super::review::answer::{BestAlternative, MoveReview};

impl ScoreAnswer {
    /// The same score for the other side.
    fn mirrored(self) -> Self {
        let mirror = |value: &Number| number(-value.as_f64().unwrap_or_default());
        match self {
            Self::Win { plies } => Self::Loss { plies },
            Self::Loss { plies } => Self::Win { plies },
            Self::Payoff { value, unit } => Self::Payoff { value: mirror(&value), unit },
            Self::Heuristic { value, stderr, unit } => {
                Self::Heuristic { value: mirror(&value), stderr, unit }
            }
            Self::Estimate { value, simulations, stderr } => {
                let value = number(1.0 - value.as_f64().unwrap_or_default());
                Self::Estimate { value, simulations, stderr }
            }
            Self::Draw | Self::Unknown => self,
        }
    }
}

fn is_mirrored(wanted: Perspective, mover: Option<&str>, sides: [&str; 2]) -> bool {
    wanted == Perspective::First && mover == Some(sides[1])
}

/// An answer for the side to move, as it is `wanted`.
pub(super) fn answer(answer: Answer, wanted: Perspective, sides: [&'static str; 2]) -> Answer {
    let position = answer.position.map(|after| position(after, wanted, sides));
    let answer = Answer { position, ..answer };
    if !is_mirrored(wanted, answer.side_to_move, sides) {
        return answer;
    }
    let other = |p: f64| 1.0 - p;
    let rating = |rated: MoveRating| MoveRating {
        score: rated.score.mirrored(),
        win_probability: rated.win_probability.map(other),
        ..rated
    };
    Answer {
        score: answer.score.map(ScoreAnswer::mirrored),
        win_probability: answer.win_probability.map(other),
        ratings: answer.ratings.into_iter().map(rating).collect(),
        ..answer
    }
}

/// A position with the evaluation for the side to move, as it is `wanted`.
pub(super) fn position(
    position: PositionAnswer,
    wanted: Perspective,
    sides: [&'static str; 2],
) -> PositionAnswer {
    if !is_mirrored(wanted, position.side_to_move, sides) {
        return position;
    }
    PositionAnswer { evaluation: position.evaluation.map(ScoreAnswer::mirrored), ..position }
}

/// A played move with scores for its mover, as it is `wanted`.
pub(super) fn played(
    played: MoveReview,
    wanted: Perspective,
    sides: [&'static str; 2],
) -> MoveReview {
    if !is_mirrored(wanted, Some(played.side), sides) {
        return played;
    }
    let other = |p: f64| 1.0 - p;
    let best = |best: BestAlternative| BestAlternative {
        score: best.score.mirrored(),
        win_probability: best.win_probability.map(other),
        ..best
    };
    MoveReview {
        score: played.score.map(ScoreAnswer::mirrored),
        win_probability: played.win_probability.map(other),
        best: played.best.map(best),
        ..played
    }
}
