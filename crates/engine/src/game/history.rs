//! Rules that depend on the history of the game.

use super::{Game, Outcome};

/// Rules that look at earlier positions: repetition, moves without progress. A search sees positions only,
/// so that these rules are applied around it. A game without such rules implements the trait with no body.
///
/// A *history* holds the positions since the last irreversible move, the current one last.
pub trait History: Game {
    /// True if the move from here to `next` is irreversible: no earlier position can come again.
    fn is_irreversible(&self, _next: &Self) -> bool {
        true
    }

    /// Result of the game by its history, with the name of the rule; `None` while the game goes on.
    fn adjudicate(_history: &[Self]) -> Option<(Outcome, &'static str)> {
        None
    }

    /// True if rules on the history may still change a result that the position alone proves within `plies`.
    fn history_may_change_result(_history: &[Self], _plies: u32) -> bool {
        false
    }
}
