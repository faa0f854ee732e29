//! Horses and elephants: leaps, which an adjacent piece can block.
//!
//! ```text
//! . 3 . 3 .      A horse on H needs its leg free: the neighbour in the direction of the longer
//! 1 . 3 . 2      half of the leap. The four neighbours as four bits select the remaining leaps.
//! . 1 H 2 .      An elephant needs its eye free, the point between. From the target square, the
//! 1 . 0 . 2      horse's leg is a diagonal neighbour, like the elephant's eye.
//! . 0 . 0 .
//! ```

use super::squares::{DIAGONAL, ELEPHANT, ORTHOGONAL, SQUARES, around, file_of, rank_of, stepped};

/// Number of occupancy patterns of four neighbours.
const PATTERNS: usize = 16;

type Leaps = [[u128; PATTERNS]; SQUARES];

/// Index: occupied orthogonal neighbours in the order of [`ORTHOGONAL`].
static HORSE: Leaps = leaps(&ORTHOGONAL, Way::HorseFrom);
/// Index: occupied diagonal neighbours in the order of [`DIAGONAL`].
static HORSE_TO: Leaps = leaps(&DIAGONAL, Way::HorseTo);
static ELEPHANT_LEAPS: Leaps = leaps(&DIAGONAL, Way::Elephant);

#[derive(Clone, Copy)]
enum Way {
    HorseFrom,
    HorseTo,
    Elephant,
}

/// The leaps past the neighbour in this direction.
const fn past(square: u8, (file, rank): (i8, i8), way: Way) -> u128 {
    match way {
        Way::HorseFrom if file == 0 => around(square, &[(-1, 2 * rank), (1, 2 * rank)]),
        Way::HorseFrom => around(square, &[(2 * file, -1), (2 * file, 1)]),
        Way::HorseTo => around(square, &[(file, 2 * rank), (2 * file, rank)]),
        Way::Elephant => stepped(square, (2 * file, 2 * rank)) & ELEPHANT[square as usize],
    }
}

const fn leaps(neighbours: &[(i8, i8); 4], way: Way) -> Leaps {
    let mut table = [[0; PATTERNS]; SQUARES];
    let mut n = 0;
    while n < SQUARES * PATTERNS * 4 {
        let (square, pattern, direction) = (n / 4 / PATTERNS, n / 4 % PATTERNS, n % 4);
        if pattern >> direction & 1 == 0 {
            table[square][pattern] |= past(square as u8, neighbours[direction], way);
        }
        n += 1;
    }
    table
}

/// Occupied orthogonal neighbours. Bits beyond the edge may be wrong: no leap goes there.
#[inline]
fn orthogonal(square: u8, occupied: u128) -> usize {
    let near = (occupied << 9 >> square) as usize;
    near & 1 | near >> 7 & 2 | near >> 8 & 4 | near >> 15 & 8
}

/// Occupied diagonal neighbours, as [`orthogonal`].
#[inline]
fn diagonal(square: u8, occupied: u128) -> usize {
    let near = (occupied << 10 >> square) as usize;
    near & 1 | near >> 1 & 2 | near >> 16 & 4 | near >> 17 & 8
}

/// Squares a horse on this square can move to.
#[inline]
pub(super) fn horse_attacks(square: u8, occupied: u128) -> u128 {
    HORSE[square as usize][orthogonal(square, occupied)]
}

/// Squares from which a horse attacks this square.
#[inline]
pub(super) fn horse_attacks_to(square: u8, occupied: u128) -> u128 {
    HORSE_TO[square as usize][diagonal(square, occupied)]
}

/// Squares an elephant on this square can move to; also those from which one attacks it.
#[inline]
pub(super) fn elephant_attacks(square: u8, occupied: u128) -> u128 {
    ELEPHANT_LEAPS[square as usize][diagonal(square, occupied)]
}

/// The leg of a horse move: one step in the longer direction.
#[inline]
pub(super) const fn horse_leg(from: u8, to: u8) -> u128 {
    let file = file_of(to) as i8 - file_of(from) as i8;
    let rank = rank_of(to) as i8 - rank_of(from) as i8;
    stepped(from, (file / 2, rank / 2))
}

/// Squares from which a horse could attack a square, and the legs of these leaps.
pub(super) const fn horse_region(square: u8) -> u128 {
    around(square, &DIAGONAL) | HORSE_TO[square as usize][0]
}
