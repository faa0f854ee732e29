//! A review as comments of a game file.

use engine::game::{Outcome, Side};
use games::files::{self, Annotation, AnnotationMark, FileFormat, GameFile};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::{MoveReview, ReviewAnswer};
use super::plan::ReviewPlan;
use crate::rating::Label;

/// Format of a game file that has comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CommentedFormat {
    /// Smart Game Format, of gomoku and othello.
    Sgf,
    /// Portable Game Notation, of xiangqi.
    Pgn,
    /// JSON, of every game.
    Json,
}

impl From<CommentedFormat> for FileFormat {
    fn from(format: CommentedFormat) -> Self {
        match format {
            CommentedFormat::Sgf => Self::Sgf,
            CommentedFormat::Pgn => Self::Pgn,
            CommentedFormat::Json => Self::Json,
        }
    }
}

/// A probability in percent, as in tables and comments.
pub fn percent(p: Option<f64>) -> String {
    p.map_or_else(|| "-".to_owned(), |p| format!("{:.1}", 100.0 * p))
}

/// The word of a value that is written as one.
pub fn word(value: impl Serialize) -> String {
    serde_json::json!(value).as_str().unwrap_or("-").to_owned()
}

/// What is said of a move: nothing of a good one but its label.
pub fn remark(one: &MoveReview) -> String {
    let Some(label) = one.label else { return "not rated".to_owned() };
    let best = one.best.as_ref().filter(|_| !one.refutation.is_empty() || one.missed_win);
    let unsure = if one.stable == Some(false) { "?" } else { "" };
    let mut said = word(label) + unsure;
    if let Some(best) = best {
        said += &format!("; better {}", best.principal_variation.join(" "));
    }
    if !one.refutation.is_empty() {
        said += &format!("; answered by {}", one.refutation.join(" "));
    }
    said
}

/// An annotation for each of so many plies; what chance has brought has none.
pub fn annotations(plies: usize, review: &ReviewAnswer) -> Vec<Annotation> {
    let mut annotations = vec![Annotation::default(); plies];
    for one in &review.moves {
        let mark = match one.label {
            Some(Label::Inaccuracy) => Some(AnnotationMark::Dubious),
            Some(Label::Mistake) => Some(AnnotationMark::Mistake),
            Some(Label::Blunder) => Some(AnnotationMark::Blunder),
            _ => None,
        };
        let said = format!("{} %, {}", percent(one.win_probability), remark(one));
        annotations[one.ply] = Annotation { mark, comment: Some(said) };
    }
    annotations
}

impl ReviewPlan {
    /// The game with its review as comments, in the format that the question names.
    pub(super) fn file(&self, review: &ReviewAnswer) -> Option<String> {
        let mut file = GameFile::new(self.game, self.question.file?.into());
        // The start needs no word, and other programs know none for it.
        file.state = self.question.state.clone().filter(|state| state != "startpos");
        file.options.clone_from(&self.game_options);
        file.moves.clone_from(&self.moves);
        file.result = review.outcome.as_ref().and_then(|outcome| self.result(&outcome.result));
        Some(files::write(&file, &annotations(self.moves.len(), review)))
    }

    /// The outcome with this name; `None` for one that is not a win, a loss or a draw.
    fn result(&self, name: &str) -> Option<Outcome> {
        let winner = self.sides.iter().position(|side| *side == name);
        winner
            .map(|side| Outcome::Win(Side::BOTH[side]))
            .or((name == "draw").then_some(Outcome::Draw))
    }
}
