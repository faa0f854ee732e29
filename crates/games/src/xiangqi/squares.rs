//! Squares, square sets, and neighbourhoods.

use super::pieces::PieceKind;
use engine::game::Side;

/// Files `a` to `i`.
pub const FILES: usize = 9;
/// Ranks 0 to 9, from Red's back rank.
pub const RANKS: usize = 10;
/// Number of points of the board.
pub const SQUARES: usize = FILES * RANKS;

/// Steps as (file, rank) offsets.
type Steps = [(i8, i8)];

pub(super) const ORTHOGONAL: [(i8, i8); 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];
pub(super) const DIAGONAL: [(i8, i8); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];
const TWO_DIAGONAL: [(i8, i8); 4] = [(-2, -2), (2, -2), (-2, 2), (2, 2)];

/// The file of a square, 0 to 8.
#[inline]
pub(super) const fn file_of(square: u8) -> u8 {
    square % FILES as u8
}

/// The rank of a square, 0 to 9.
#[inline]
pub(super) const fn rank_of(square: u8) -> u8 {
    square / FILES as u8
}

/// The square with this file and rank.
#[inline]
pub(super) const fn square_of(file: u8, rank: u8) -> u8 {
    rank * FILES as u8 + file
}

/// The set with one square.
#[inline]
pub(super) const fn bit(square: u8) -> u128 {
    1 << square
}

/// True if the set contains the square.
#[inline]
pub(super) const fn has(set: u128, square: u8) -> bool {
    set >> square & 1 != 0
}

/// Iterator over the squares of a set, in ascending order. Two 64-bit halves are faster to scan
/// than one `u128`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Squares {
    low: u64,
    high: u64,
}

/// Iterates over the squares of a set.
#[inline]
pub(super) const fn squares(set: u128) -> Squares {
    Squares { low: set as u64, high: (set >> 64) as u64 }
}

impl Iterator for Squares {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        let (word, offset) = match (self.low, self.high) {
            (0, 0) => return None,
            (0, _) => (&mut self.high, 64),
            _ => (&mut self.low, 0),
        };
        let square = offset + word.trailing_zeros() as u8;
        *word &= *word - 1;
        Some(square)
    }

    #[inline]
    fn fold<B, F: FnMut(B, u8) -> B>(self, init: B, mut f: F) -> B {
        let (mut low, mut high, mut all) = (self.low, self.high, init);
        while low != 0 {
            all = f(all, low.trailing_zeros() as u8);
            low &= low - 1;
        }
        while high != 0 {
            all = f(all, 64 + high.trailing_zeros() as u8);
            high &= high - 1;
        }
        all
    }
}

/// The square one step away, as a set; empty beyond the edge.
pub(super) const fn stepped(square: u8, (file, rank): (i8, i8)) -> u128 {
    let (file, rank) = (file_of(square) as i8 + file, rank_of(square) as i8 + rank);
    let inside = file >= 0 && file < FILES as i8 && rank >= 0 && rank < RANKS as i8;
    if inside { bit(square_of(file as u8, rank as u8)) } else { 0 }
}

/// The squares reached by these steps.
pub(super) const fn around(square: u8, steps: &Steps) -> u128 {
    let (mut found, mut n) = (0, 0);
    while n < steps.len() {
        found |= stepped(square, steps[n]);
        n += 1;
    }
    found
}

/// For every square of `within`: the squares of `within` reached by these steps.
const fn inside(steps: &Steps, within: u128) -> [u128; SQUARES] {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        if has(within, square as u8) {
            table[square] = around(square as u8, steps) & within;
        }
        square += 1;
    }
    table
}

/// Squares of Red's half given by file and rank, and their mirror images in Black's.
const fn mirrored(points: &[(u8, u8)]) -> u128 {
    let (mut set, mut n) = (0, 0);
    while n < points.len() {
        let (file, rank) = points[n];
        set |= bit(square_of(file, rank)) | bit(square_of(file, RANKS as u8 - 1 - rank));
        n += 1;
    }
    set
}

/// All squares.
pub(super) const BOARD: u128 = (1 << SQUARES) - 1;
/// The half of each side, up to the river.
pub(super) const HALVES: [u128; 2] = [(1 << (SQUARES / 2)) - 1, BOARD ^ ((1 << (SQUARES / 2)) - 1)];
/// Both palaces.
pub(super) const PALACES: u128 =
    mirrored(&[(3, 0), (4, 0), (5, 0), (3, 1), (4, 1), (5, 1), (3, 2), (4, 2), (5, 2)]);
/// Squares of the advisors.
const ADVISOR_POINTS: u128 = mirrored(&[(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)]);
/// Squares of the elephants.
const ELEPHANT_POINTS: u128 = mirrored(&[(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)]);

/// Squares of each side's soldiers: before the river only on the initial files.
const SOLDIER_POINTS: [u128; 2] = {
    let points =
        mirrored(&[(0, 3), (2, 3), (4, 3), (6, 3), (8, 3), (0, 4), (2, 4), (4, 4), (6, 4), (8, 4)]);
    [points | HALVES[1], points | HALVES[0]]
};

/// Possible squares of a piece.
pub(super) const fn points(side: Side, kind: PieceKind) -> u128 {
    let home = HALVES[side.index()];
    match kind {
        PieceKind::General => PALACES & home,
        PieceKind::Advisor => ADVISOR_POINTS & home,
        PieceKind::Elephant => ELEPHANT_POINTS & home,
        PieceKind::Soldier => SOLDIER_POINTS[side.index()],
        PieceKind::Horse | PieceKind::Chariot | PieceKind::Cannon => BOARD,
    }
}

/// Moves of a general.
pub(super) static GENERAL: [u128; SQUARES] = inside(&ORTHOGONAL, PALACES);
/// Moves of an advisor.
pub(super) static ADVISOR: [u128; SQUARES] = inside(&DIAGONAL, ADVISOR_POINTS);
/// Moves of an elephant with all eyes free.
pub(super) static ELEPHANT: [u128; SQUARES] = inside(&TWO_DIAGONAL, ELEPHANT_POINTS);

/// Moves of each side's soldier.
pub(super) static SOLDIER: [[u128; SQUARES]; 2] =
    [soldier_steps(Side::First), soldier_steps(Side::Second)];
/// Squares from which each side's soldier attacks a square.
pub(super) static SOLDIER_FROM: [[u128; SQUARES]; 2] =
    [reversed(&soldier_steps(Side::First)), reversed(&soldier_steps(Side::Second))];

const fn soldier_steps(side: Side) -> [u128; SQUARES] {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES as u8 {
        table[square as usize] = stepped(square, (0, side.sign() as i8));
        if !has(HALVES[side.index()], square) {
            table[square as usize] |= around(square, &[(-1, 0), (1, 0)]);
        }
        square += 1;
    }
    table
}

const fn reversed(steps: &[u128; SQUARES]) -> [u128; SQUARES] {
    let mut table = [0; SQUARES];
    let mut from = 0;
    while from < SQUARES as u8 {
        let mut to = 0;
        while to < SQUARES as u8 {
            if has(steps[from as usize], to) {
                table[to as usize] |= bit(from);
            }
            to += 1;
        }
        from += 1;
    }
    table
}
