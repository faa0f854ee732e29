//! The opening swap2: what an engine answers to no stones, three or five.

use serde_json::json;

use super::board::Board;
use super::command::BoardPoint;
use crate::catalog::answer::PositionAnswer;
use crate::catalog::{AnyGame, AnyPosition};
use crate::cli::engine::EngineSettings;
use crate::notation::StateInput;

/// The game of which such an opening is a part.
pub(super) const GAME: &str = "gomoku_swap2";
/// An answer takes at most so many searches: for three stones, or for `two` and two stones.
pub(super) const SEARCHES: u64 = 3;

/// An opening that is being answered, move by move.
#[derive(Clone, Debug)]
pub(super) struct Opening {
    board: Board,
    /// Stones and words, as the game writes them.
    moves: Vec<String>,
    /// How many of them are not the engine's answer.
    given: usize,
    /// Whether nobody wants to wait any more.
    pub(super) hurried: bool,
}

impl Opening {
    /// The opening with these stones, which are black, white, black and so on.
    ///
    /// # Errors
    /// When there is no answer to so many, or they do not lie on different points of the board.
    pub(super) fn new(empty: Board, stones: &[BoardPoint]) -> Result<Self, String> {
        let board = stones.iter().try_fold(empty, |board, &at| board.after(at))?;
        let mut moves: Vec<_> = stones.iter().map(|&at| board.name(at)).collect();
        match moves.len() {
            0 | 3 => {}
            // There are five where the second player has put two.
            5 => moves.insert(3, "two".into()),
            count => {
                return Err(format!(
                    "{count} stones; a SWAP2BOARD has none, 3 (black, white, black) or 5 (then white and black)"
                ));
            }
        }
        Ok(Self { board, given: moves.len(), moves, hurried: false })
    }

    /// The position as far as the answer goes.
    ///
    /// # Errors
    /// Says what of it is against the rules.
    pub(super) fn open(
        &self,
        game: &dyn AnyGame,
        settings: &EngineSettings,
    ) -> Result<Box<dyn AnyPosition>, String> {
        let state = json!({ "size": self.board.size(), "moves": self.moves });
        let opened = game.open(StateInput::Json(&state), &[], &mut settings.of_game(game));
        opened.map_err(super::board::detail)
    }

    /// Whether the other player is to move.
    pub(super) fn is_answered(&self, position: &PositionAnswer) -> bool {
        // After three stones the second player answers, and otherwise the first.
        let own = if self.given == 3 { "second" } else { "first" };
        position.side_to_move != Some(own)
    }

    /// Plays a move of the answer.
    ///
    /// # Errors
    /// When it is a stone that has no place.
    pub(super) fn play(&mut self, name: String) -> Result<(), String> {
        if let Some(at) = self.board.cell(&name) {
            self.board = self.board.after(at)?;
        }
        self.moves.push(name);
        Ok(())
    }

    /// The answer as a manager reads it. Who takes white shows it by a white stone.
    pub(super) fn answer(&self) -> String {
        let said = |name: &String| match name.as_str() {
            "swap" | "black" => Some("SWAP".to_owned()),
            name => self.board.cell(name).map(|at| at.to_string()),
        };
        let said: Vec<_> = self.moves[self.given..].iter().filter_map(said).collect();
        said.join(" ")
    }

    /// The stones with those of the answer.
    pub(super) fn into_board(self) -> Board {
        self.board
    }
}
