//! Swap2 opening: the engine's answers to no, three or five stones.

use serde_json::json;

use super::board::Board;
use super::command::BoardPoint;
use crate::uci::EngineSettings;
use catalog::answer::PositionAnswer;
use catalog::{AnyGame, AnyPosition};
use games::notation::StateInput;

/// Game that includes such an opening.
pub(super) const GAME: &str = "gomoku_swap2";
/// Most searches per answer: for three stones, or for `two` and two stones.
pub(super) const SEARCHES: u64 = 3;

/// Opening being answered, move by move.
#[derive(Clone, Debug)]
pub(super) struct Opening {
    board: Board,
    /// Stones and words in the game's notation.
    moves: Vec<String>,
    /// Number of leading moves that are not the engine's answer.
    given: usize,
    /// True if the answer is wanted at once.
    pub(super) hurried: bool,
}

impl Opening {
    /// The opening with these stones, black and white in turn.
    ///
    /// # Errors
    /// When the number of stones is invalid, or they are not on distinct points of the board.
    pub(super) fn new(empty: Board, stones: &[BoardPoint]) -> Result<Self, String> {
        let board = stones.iter().try_fold(empty, |board, &at| board.after(at))?;
        let mut moves: Vec<_> = stones.iter().map(|&at| board.name(at)).collect();
        match moves.len() {
            0 | 3 => {}
            // Five stones: the second player has put two.
            5 => moves.insert(3, "two".into()),
            count => {
                return Err(format!(
                    "{count} stones; a SWAP2BOARD has none, 3 (black, white, black) or 5 (then white and black)"
                ));
            }
        }
        Ok(Self { board, given: moves.len(), moves, hurried: false })
    }

    /// The position after the answer so far.
    ///
    /// # Errors
    /// The rule that the opening breaks.
    pub(super) fn open(
        &self,
        game: &dyn AnyGame,
        settings: &EngineSettings,
    ) -> Result<Box<dyn AnyPosition>, String> {
        let state = json!({ "size": self.board.size(), "moves": self.moves });
        let opened = game.open(StateInput::Json(&state), &[], &mut settings.of_game(game));
        opened.map_err(super::board::detail)
    }

    /// True if the other player is to move.
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

    /// The answer in the manager's notation. A white stone says that the engine takes white.
    pub(super) fn answer(&self) -> String {
        let said = |name: &String| match name.as_str() {
            "swap" | "black" => Some("SWAP".to_owned()),
            name => self.board.cell(name).map(|at| at.to_string()),
        };
        let said: Vec<_> = self.moves[self.given..].iter().filter_map(said).collect();
        said.join(" ")
    }

    /// The board with the stones of the answer.
    pub(super) fn into_board(self) -> Board {
        self.board
    }
}
