use std::convert::Infallible;

use engine::game::{Acyclic, Game, History, Indexed, Outcome, Perfect, Side, Turn, zobrist};

/// The eight lines as sets of cells. Cell 0 is the top left corner, cell 8 the bottom right:
/// ```text
/// 0 1 2
/// 3 4 5
/// 6 7 8
/// ```
const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const FULL: u16 = 0o777;

/// A position of tic-tac-toe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TicTacToe {
    /// The cells of each side as bits.
    stones: [u16; 2],
}

/// Reason why an arrangement of stones is unreachable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TicTacToeFault {
    /// The first player must have as many stones as the second, or one more.
    Count {
        /// Stones of the first player.
        first: u32,
        /// Stones of the second player.
        second: u32,
    },
    /// Both sides have three in a row.
    BothWon,
    /// The winning side did not make the last move.
    PlayedOn,
}

impl TicTacToe {
    /// The position with these cells taken (bit n is cell n); the sets must be disjoint.
    ///
    /// # Errors
    /// If the position is unreachable.
    pub fn new(first: u16, second: u16) -> Result<Self, TicTacToeFault> {
        let (ones, twos) = (first.count_ones(), second.count_ones());
        if ones != twos && ones != twos + 1 {
            return Err(TicTacToeFault::Count { first: ones, second: twos });
        }
        let pos = Self { stones: [first, second] };
        match (pos.won(Side::First), pos.won(Side::Second)) {
            (true, true) => Err(TicTacToeFault::BothWon),
            (true, false) if ones == twos => Err(TicTacToeFault::PlayedOn),
            (false, true) if ones > twos => Err(TicTacToeFault::PlayedOn),
            _ => Ok(pos),
        }
    }

    /// Cells of a side, as bits.
    pub fn stones(&self, side: Side) -> u16 {
        self.stones[side.index()]
    }

    /// Side to move, while the game is not over.
    pub fn mover(&self) -> Side {
        let [first, second] = self.stones;
        if first.count_ones() == second.count_ones() { Side::First } else { Side::Second }
    }

    fn won(&self, side: Side) -> bool {
        LINES.iter().any(|line| self.stones(side) & line == *line)
    }

    fn empty(&self) -> u16 {
        FULL & !(self.stones[0] | self.stones[1])
    }
}

impl Game for TicTacToe {
    /// The cell, 0 to 8.
    type Move = u8;
    type Chance = Infallible;
    type Info = Perfect;

    fn turn(&self) -> Turn<Infallible> {
        let mover = self.mover();
        if self.won(mover.other()) {
            Turn::Over(Outcome::Win(mover.other()))
        } else if self.empty() == 0 {
            Turn::Over(if self.won(mover) { Outcome::Win(mover) } else { Outcome::Draw })
        } else {
            Turn::Of(mover)
        }
    }

    fn moves(&self, out: &mut Vec<u8>) {
        if matches!(self.turn(), Turn::Of(_)) {
            let empty = self.empty();
            out.extend((0..9).filter(|cell| empty >> cell & 1 == 1));
        }
    }

    fn play(&mut self, mv: u8) {
        self.stones[self.mover().index()] |= 1 << mv;
    }

    fn hash(&self) -> u64 {
        zobrist::mix(u64::from(self.stones[0]) << 16 | u64::from(self.stones[1]))
    }

    fn move_code(mv: u8) -> u16 {
        u16::from(mv)
    }
}

impl Acyclic for TicTacToe {}

/// Index: cells as digits in base 3 (0 empty, 1 first, 2 second), cell 0 least significant.
impl Indexed for TicTacToe {
    const STATES: usize = 3_usize.pow(9);

    fn index(&self) -> usize {
        (0..9).rev().fold(0, |index, cell| {
            let [first, second] = self.stones.map(|stones| usize::from(stones >> cell & 1));
            index * 3 + first + 2 * second
        })
    }

    fn at(index: usize) -> Option<Self> {
        let digits = (0..9).map(|cell| (cell, index / 3_usize.pow(cell) % 3));
        let of = |side: usize| {
            digits.clone().filter(|&(_, digit)| digit == side).map(|(cell, _)| 1 << cell).sum()
        };
        Self::new(of(1), of(2)).ok()
    }
}

impl History for TicTacToe {}
