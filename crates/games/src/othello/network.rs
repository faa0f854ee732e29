//! What the network of Othello sees: the contents of lines and corners, and the number of moves.

use std::sync::LazyLock;

use super::bits::placeable;
use super::evaluator::hand;
use super::rules::Othello;
use engine::game::Side;
use engine::network::{Network, NetworkInput};

/// Sums of the first layer.
pub const OTHELLO_HIDDEN: usize = 16;

/// The network in the program.
static NETWORK: LazyLock<Network<OTHELLO_HIDDEN>> = LazyLock::new(|| {
    let file = include_bytes!("../../networks/othello.network");
    Network::read::<Othello, OthelloInput>(file).expect("the file fits its input")
});

/// Rows of a position as the side to move sees it.
// CITE: patterns of lines and corners, Buro, "Improving heuristic mini-max search by supervised learning", 2002.
#[derive(Debug)]
pub struct OthelloInput;

/// Squares whose contents are told apart together.
#[derive(Clone, Copy)]
enum Pattern {
    /// A row, by its number from the top.
    Row(u32),
    /// A diagonal, by its length: from the top row down to the left edge.
    Diagonal(u32),
    /// Three by three squares.
    Corner,
}

impl Pattern {
    /// Number of squares.
    const fn squares(self) -> u32 {
        match self {
            Self::Row(_) => 8,
            Self::Diagonal(length) => length,
            Self::Corner => 9,
        }
    }

    /// The squares of a board as the lowest bits.
    #[inline(always)]
    const fn gather(self, board: u64) -> u64 {
        match self {
            Self::Row(row) => board >> (8 * row) & 0xFF,
            Self::Diagonal(length) => columns(board, DIAGONALS[length as usize]),
            Self::Corner => board & 7 | board >> 5 & 0x38 | board >> 10 & 0x1C0,
        }
    }

    /// The contents as the mirror shows them: lines run the other way, rows and columns of a corner change places.
    fn mirrored(self, contents: u32) -> u32 {
        let squares = self.squares();
        let digit = |place: u32| contents / 3_u32.pow(place) % 3;
        let from = |place: u32| match self {
            Self::Corner => place % 3 * 3 + place / 3,
            Self::Row(_) | Self::Diagonal(_) => squares - 1 - place,
        };
        (0..squares).map(|place| 3_u32.pow(place) * digit(from(place))).sum()
    }
}

/// The columns of the squares of a diagonal, in which every column occurs at most once.
const fn columns(board: u64, diagonal: u64) -> u64 {
    (board & diagonal).wrapping_mul(0x0101_0101_0101_0101) >> 56
}

/// The diagonal with `length` squares from the top row down to the left edge.
const fn diagonal(length: u32) -> u64 {
    let (mut set, mut row) = (0, 0);
    while row < length {
        set |= 1 << (8 * row + length - 1 - row);
        row += 1;
    }
    set
}

/// Diagonals by length.
const DIAGONALS: [u64; 9] = {
    let mut all = [0; 9];
    let mut length = 0;
    while length < 9 {
        all[length] = diagonal(length as u32);
        length += 1;
    }
    all
};

/// Patterns, each seen from the four sides of the board.
const PATTERNS: [Pattern; 10] = [
    Pattern::Row(0),
    Pattern::Row(1),
    Pattern::Row(2),
    Pattern::Row(3),
    Pattern::Diagonal(8),
    Pattern::Diagonal(7),
    Pattern::Diagonal(6),
    Pattern::Diagonal(5),
    Pattern::Diagonal(4),
    Pattern::Corner,
];

/// First row of every pattern, then of the numbers of moves.
const FIRST: [u32; PATTERNS.len() + 1] = {
    let mut first = [0; PATTERNS.len() + 1];
    let mut n = 0;
    while n < PATTERNS.len() {
        first[n + 1] = first[n] + 3_u32.pow(PATTERNS[n].squares());
        n += 1;
    }
    first
};
/// Numbers of moves told apart, of either side.
const MOVES: u32 = 24;

/// The number whose digits in base 3 are the bits of a set of up to 9 squares.
static TERNARY: [u32; 512] = {
    let mut table = [0; 512];
    let mut bits = 0;
    while bits < 512 {
        let mut place = 0;
        while place < 9 {
            if bits >> place & 1 == 1 {
                table[bits] += 3_u32.pow(place);
            }
            place += 1;
        }
        bits += 1;
    }
    table
};

/// Rows and columns exchanged.
const fn transposed(mut board: u64) -> u64 {
    let mut swap = (board ^ board >> 7) & 0x00AA_00AA_00AA_00AA;
    board ^= swap ^ swap << 7;
    swap = (board ^ board >> 14) & 0x0000_CCCC_0000_CCCC;
    board ^= swap ^ swap << 14;
    swap = (board ^ board >> 28) & 0x0000_0000_F0F0_F0F0;
    board ^ swap ^ swap << 28
}

/// The board turned by 0, 90, 180 and 270 degrees.
const fn turned(board: u64) -> [u64; 4] {
    let quarter = transposed(board).swap_bytes();
    [board, quarter, board.reverse_bits(), quarter.reverse_bits()]
}

/// Calls `see` with every active row.
#[inline]
fn each_row(pos: &Othello, mut see: impl FnMut(u32)) {
    let (own, opponent) = (turned(pos.own()), turned(pos.opponent()));
    for (own, opponent) in own.into_iter().zip(opponent) {
        for (pattern, first) in PATTERNS.iter().zip(FIRST) {
            let digits = |board| TERNARY[pattern.gather(board) as usize & 511];
            see(first + digits(own) + 2 * digits(opponent));
        }
    }
    let moves = |squares: u64| squares.count_ones().min(MOVES - 1);
    let first = FIRST[PATTERNS.len()];
    see(first + moves(pos.legal()));
    see(first + MOVES + moves(placeable(pos.opponent(), pos.own())));
}

/// What the network adds to the hand-made evaluation, in hundredths of a disc for the side to move.
#[inline]
pub(super) fn correction(pos: &Othello) -> i32 {
    let network = &*NETWORK;
    let mut sums = network.empty();
    each_row(pos, |row| network.add(&mut sums, row));
    network.value(&[&sums], OthelloInput::bucket(pos))
}

impl NetworkInput<Othello> for OthelloInput {
    const FEATURES: &str = "othello-patterns-1";
    const ROWS: usize = (FIRST[PATTERNS.len()] + 2 * MOVES) as usize;
    const VIEWS: usize = 1;
    const BUCKETS: usize = 10;
    const SCALE: i32 = 1_000;

    fn rows(pos: &Othello, _: Side, out: &mut Vec<u32>) {
        each_row(pos, |row| out.push(row));
    }

    fn bucket(pos: &Othello) -> usize {
        (pos.empty().count_ones() as usize).saturating_sub(1) / 6
    }

    fn base(pos: &Othello, _: Side) -> i32 {
        hand(pos)
    }

    fn mirrored(row: u32) -> u32 {
        let patterns = PATTERNS.iter().zip(FIRST).zip(&FIRST[1..]);
        let mut own = patterns.filter(|(_, end)| row < **end);
        own.next().map_or(row, |((pattern, first), _)| first + pattern.mirrored(row - first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::game::{Game, Rng, Turn};
    use engine::network::ReferenceNetwork;

    /// A square by row and column.
    type Square = (usize, usize);

    /// Squares of a pattern in the order of their digits, from its picture.
    fn pictures() -> Vec<Vec<Square>> {
        let rows = (0..4).map(|row| (0..8).map(|column| (row, column)).collect());
        let diagonals = [8, 7, 6, 5, 4]
            .map(|length: usize| (0..length).map(|column| (length - 1 - column, column)).collect());
        let corner = (0..9).map(|n| (n / 3, n % 3)).collect();
        rows.chain(diagonals).chain([corner]).collect()
    }

    /// The square of the board that lies where `square` is after some quarter turns.
    fn before_turns((row, column): Square, quarters: usize) -> Square {
        (0..quarters).fold((row, column), |(row, column), _| (column, 7 - row))
    }

    /// Active rows by looking at one square after the other.
    fn slow(pos: &Othello) -> Vec<u32> {
        let holds = |set: u64, (row, column): Square| (set >> (8 * row + column) & 1) as u32;
        let digit = |square| holds(pos.own(), square) + 2 * holds(pos.opponent(), square);
        let mut rows = Vec::new();
        let mut first = 0;
        for picture in pictures() {
            for quarters in 0..4 {
                let digits =
                    picture.iter().rev().map(|&square| digit(before_turns(square, quarters)));
                rows.push(first + digits.fold(0, |number, digit| 3 * number + digit));
            }
            first += 3_u32.pow(picture.len() as u32);
        }
        let turned_over = Othello::new([pos.opponent(), pos.own()], Side::First);
        rows.push(first + pos.legal().count_ones().min(23));
        rows.push(first + 24 + turned_over.legal().count_ones().min(23));
        rows.sort_unstable();
        rows
    }

    fn fast(pos: &Othello) -> Vec<u32> {
        let mut rows = Vec::new();
        each_row(pos, |row| rows.push(row));
        rows.sort_unstable();
        rows
    }

    #[test]
    fn a_file_of_other_features_or_length_or_with_too_large_weights_is_refused() {
        let file = include_bytes!("../../networks/othello.network");
        let read = Network::<OTHELLO_HIDDEN>::read::<Othello, OthelloInput>;
        assert!(read(file).is_ok());
        assert!(read(&file[..file.len() - 1]).is_err());
        let mut other = file.to_vec();
        let version = b"othello-patterns-1";
        let at = other.windows(version.len()).position(|part| part == version).expect("a name");
        other[at + version.len() - 1] = b'2';
        assert!(read(&other).is_err_and(|why| why.contains("\"features\":\"othello-patterns-1\"")));
        let mut large = file.to_vec();
        // The last output weight stands before the offsets.
        let last = large.len() - 4 * OthelloInput::BUCKETS - 2;
        large[last..last + 2].copy_from_slice(&128_i16.to_le_bytes());
        assert!(read(&large).is_err_and(|why| why.contains("127")));
        large[last..last + 2].copy_from_slice(&(-127_i16).to_le_bytes());
        assert!(read(&large).is_ok());
    }

    #[test]
    fn values_are_those_of_slow_sums() {
        let file = include_bytes!("../../networks/othello.network");
        let slow_network = ReferenceNetwork::read::<Othello, OthelloInput>(file, OTHELLO_HIDDEN);
        let mut rng = Rng::new(2);
        for _ in 0..crate::games_of_test(500) {
            let mut pos = Othello::default();
            while let Turn::Of(_) = pos.turn() {
                let slow = slow_network.value(&[slow(&pos)], OthelloInput::bucket(&pos));
                assert_eq!(correction(&pos), slow, "{pos:?}");
                let mv = pos.random_move(&mut rng, &mut Vec::new()).expect("a side is to move");
                pos.play(mv);
            }
        }
    }

    fn mirrored(board: u64) -> u64 {
        board.reverse_bits().swap_bytes()
    }

    #[test]
    fn rows_are_those_that_the_squares_show_and_mirrored_ones_those_of_the_mirror() {
        let mut rng = Rng::new(1);
        for _ in 0..500 {
            let mut pos = Othello::default();
            while let Turn::Of(_) = pos.turn() {
                let rows = fast(&pos);
                assert_eq!(rows, slow(&pos), "{pos:?}");
                assert!(rows.iter().all(|&row| (row as usize) < OthelloInput::ROWS));
                let mut image: Vec<_> =
                    rows.iter().map(|&row| OthelloInput::mirrored(row)).collect();
                image.sort_unstable();
                let mirror =
                    Othello::new([mirrored(pos.own()), mirrored(pos.opponent())], Side::First);
                assert_eq!(image, fast(&mirror), "{pos:?}");
                assert!(OthelloInput::bucket(&pos) < OthelloInput::BUCKETS);
                let mv = pos.random_move(&mut rng, &mut Vec::new()).expect("a side is to move");
                pos.play(mv);
            }
        }
    }
}
