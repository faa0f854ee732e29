//! Connect Four board shared by all Rust peers, so that only the search differs.

use std::{array, iter::Take};

use rand::RngCore;

/// Seven bits per column: six cells and a guard against lines that wrap round.
const COLUMN: u64 = 0b11_1111;
const BOTTOM: u64 = 0x0408_1020_4081;
const CELLS: u64 = BOTTOM * COLUMN;

pub type Moves = Take<array::IntoIter<u8, 7>>;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Board {
    to_move: u64,
    all: u64,
}

impl Board {
    /// Plays columns written 1 to 7, as in the position files.
    pub fn from_moves(moves: &str) -> Option<Self> {
        moves.bytes().try_fold(Self::default(), |board, digit| {
            let column = digit.checked_sub(b'1').filter(|&c| c < 7)?;
            (board.result().is_none() && board.drop_cell(column) != 0).then(|| board.play(column))
        })
    }

    /// The cell a stone falls to in a column; 0 when the column is full.
    #[inline]
    fn drop_cell(self, column: u8) -> u64 {
        (self.all + BOTTOM) & (COLUMN << (7 * column))
    }

    #[inline]
    fn fill(self, cell: u64) -> Self {
        Self { to_move: self.to_move ^ self.all, all: self.all | cell }
    }

    #[inline]
    pub fn play(self, column: u8) -> Self {
        self.fill(self.drop_cell(column))
    }

    /// Open columns, the centre first: a good order for alpha-beta.
    #[inline]
    pub fn moves(self) -> Moves {
        let (mut columns, mut count) = ([0; 7], 0);
        for column in [3, 2, 4, 1, 5, 0, 6] {
            columns[count] = column;
            count += usize::from(self.drop_cell(column) != 0);
        }
        columns.into_iter().take(count)
    }

    /// For the side to move: -1 when the last stone made a line, 0 for a full board, `None` if play
    /// goes on.
    #[inline]
    pub fn result(self) -> Option<i8> {
        let stones = self.to_move ^ self.all;
        let line = |step: u32| {
            let pairs = stones & (stones >> step);
            pairs & (pairs >> (2 * step))
        };
        if (line(1) | line(6) | line(7) | line(8)) != 0 {
            Some(-1)
        } else if self.all == CELLS {
            Some(0)
        } else {
            None
        }
    }

    #[inline]
    pub fn first_to_move(self) -> bool {
        self.all.count_ones() & 1 == 0
    }

    /// Both halves are well mixed, since `minimax` takes its slot from one and its check from the
    /// other; the key is offset because an empty slot there checks as zero.
    #[inline]
    pub fn hash(self) -> u64 {
        let mixed = (self.to_move + self.all + BOTTOM).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^ (mixed >> 32)
    }

    /// A column drawn among the open ones. Few are ever full, so drawing again beats counting.
    #[inline]
    fn random_cell(self, rng: &mut impl RngCore) -> u64 {
        loop {
            let column = (u64::from(rng.next_u32()) * 7) >> 32;
            let cell = self.drop_cell(column as u8);
            if cell != 0 {
                return cell;
            }
        }
    }

    #[inline]
    pub fn random_move(self, rng: &mut impl RngCore) -> u8 {
        (self.random_cell(rng).trailing_zeros() / 7) as u8
    }

    /// Plays at random to the end; the result is for the side to move here.
    #[inline]
    pub fn playout(mut self, rng: &mut impl RngCore) -> i8 {
        let mut sign = 1;
        loop {
            if let Some(result) = self.result() {
                return sign * result;
            }
            self = self.fill(self.random_cell(rng));
            sign = -sign;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(board: Board, plies: u32) -> u64 {
        match (plies, board.result()) {
            (0, _) => 1,
            (_, Some(_)) => 0,
            (_, None) => board.moves().map(|column| games(board.play(column), plies - 1)).sum(),
        }
    }

    #[test]
    fn counts_games_as_published() {
        assert_eq!(games(Board::default(), 7), 823_536);
        assert_eq!(games(Board::default(), 8), 5_673_234);
    }
}
