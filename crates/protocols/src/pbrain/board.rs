//! Stones on the board and their order of play.

use serde_json::{Value, json};

use super::command::BoardPoint;
use crate::uci::EngineSettings;
use catalog::{AnyGame, AnyPosition, Refusal};
use games::notation::StateInput;

/// Stone named by a manager, marked if it is the engine's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stone {
    pub(super) at: BoardPoint,
    pub(super) is_own: bool,
}

/// Square board. It may hold an unreachable setup until a position is made of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Board {
    size: i64,
    /// Initial stones in unknown order, each marked if black.
    placed: Vec<(BoardPoint, bool)>,
    /// Stones played since, in order.
    played: Vec<BoardPoint>,
}

impl Board {
    /// An empty board of `size` points per side.
    pub(super) fn new(size: i64) -> Self {
        Self { size, placed: Vec::new(), played: Vec::new() }
    }

    /// An empty board of the same size.
    pub(super) fn cleared(&self) -> Self {
        Self::new(self.size)
    }

    /// The board with these stones: in their order of play if possible, otherwise in none. The engine is to
    /// move.
    ///
    /// # Errors
    /// When a stone is off the board or named twice, or neither side could be to move.
    pub(super) fn holding(
        &self,
        stones: &[Stone],
        can_be: impl Fn(&Self) -> bool,
    ) -> Result<Self, String> {
        let own = stones.iter().filter(|stone| stone.is_own).count();
        let foreign = stones.len() - own;
        if own != foreign && own + 1 != foreign {
            return Err(format!(
                "{own} own stones and {foreign} of the opponent; before an own move there are as many own \
                 (then they are black) or one less"
            ));
        }
        let own_is_black = own == foreign;
        let mut board = self.cleared();
        for stone in stones {
            board.check(stone.at)?;
            board.placed.push((stone.at, stone.is_own == own_is_black));
        }
        let is_alternating =
            board.placed.iter().enumerate().all(|(n, stone)| stone.1 == (n % 2 == 0));
        let played = stones.iter().map(|stone| stone.at).collect();
        let in_order = Self { played, ..self.cleared() };
        Ok(if is_alternating && can_be(&in_order) { in_order } else { board })
    }

    /// Points per side.
    pub(super) fn size(&self) -> i64 {
        self.size
    }

    /// True if the board is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.placed.is_empty() && self.played.is_empty()
    }

    /// The board after a stone of the side to move.
    ///
    /// # Errors
    /// When the point is off the board or taken.
    pub(super) fn after(&self, at: BoardPoint) -> Result<Self, String> {
        self.check(at)?;
        let mut board = self.clone();
        board.played.push(at);
        Ok(board)
    }

    /// The board before the last stone.
    ///
    /// # Errors
    /// When another stone was the last, or none lies there.
    pub(super) fn before(&self, at: BoardPoint) -> Result<Self, String> {
        let mut board = self.clone();
        match board.played.pop() {
            Some(last) if last == at => {}
            Some(last) => {
                return Err(format!("{at} is not the last stone, which is {last}"));
            }
            // The order is unknown: any stone may have been the last.
            None => board.placed.retain(|stone| stone.0 != at),
        }
        if board == *self { Err(format!("no stone on {at}")) } else { Ok(board) }
    }

    fn check(&self, at: BoardPoint) -> Result<(), String> {
        let on = 0..self.size;
        if !(on.contains(&at.x) && on.contains(&at.y)) {
            return Err(format!(
                "{at} is off the board; x from the left and y from the top go from 0 to {}",
                self.size - 1
            ));
        }
        let is_taken = self.placed.iter().any(|stone| stone.0 == at) || self.played.contains(&at);
        if is_taken { Err(format!("{at} is taken; expected an empty point")) } else { Ok(()) }
    }

    /// The position.
    ///
    /// # Errors
    /// The rule that the board breaks.
    pub(super) fn open(
        &self,
        game: &dyn AnyGame,
        settings: &EngineSettings,
    ) -> Result<Box<dyn AnyPosition>, String> {
        let (state, moves) = if self.placed.is_empty() {
            let pair = |cell: &BoardPoint| json!([cell.x, self.size - 1 - cell.y]);
            let moves: Vec<_> = self.played.iter().map(pair).collect();
            (json!({ "size": self.size, "moves": moves }), Vec::new())
        } else {
            let moves = self.played.iter().map(|&cell| self.name(cell)).collect();
            (json!({ "board": self.rows() }), moves)
        };
        let opened = game.open(StateInput::Json(&state), &moves, &mut settings.of_game(game));
        opened.map_err(detail)
    }

    /// The initial stones, by rows from the top.
    fn rows(&self) -> Vec<Value> {
        let mark = |x, y| match self.placed.iter().find(|stone| stone.0 == BoardPoint { x, y }) {
            Some((_, true)) => 'x',
            Some((_, false)) => 'o',
            None => '.',
        };
        let row = |y| (0..self.size).map(|x| mark(x, y)).collect::<String>().into();
        (0..self.size).map(row).collect()
    }

    /// Name of a point in the game's notation.
    pub(super) fn name(&self, cell: BoardPoint) -> String {
        format!("{}{}", char::from(b'a' + cell.x as u8), self.size - cell.y)
    }

    /// Point with this name in the game's notation.
    pub(super) fn cell(&self, name: &str) -> Option<BoardPoint> {
        self.cells().find(|&cell| self.name(cell) == name)
    }

    /// Every point, row by row from the top.
    pub(super) fn cells(&self) -> impl Iterator<Item = BoardPoint> + use<> {
        let size = self.size;
        (0..size).flat_map(move |y| (0..size).map(move |x| BoardPoint { x, y }))
    }

    /// Every empty point.
    pub(super) fn empty(&self) -> impl Iterator<Item = BoardPoint> + '_ {
        self.cells().filter(|&cell| self.check(cell).is_ok())
    }
}

/// The error without its pointer into a state that no manager sees.
pub(super) fn detail(why: Refusal) -> String {
    match why {
        Refusal::Invalid(fault) => fault.detail,
        other => other.to_string(),
    }
}
