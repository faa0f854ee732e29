//! Chariots and cannons: attacks along ranks and files.

use super::squares::{FILES, RANKS, SQUARES, bit, file_of, rank_of};

/// Reachable points of a line, one bit per point.
#[derive(Clone, Copy)]
struct Reach {
    /// Empty points up to the first piece on either side, and these pieces.
    slide: u16,
    /// The second pieces: cannon captures over one screen.
    jump: u16,
}

/// Number of occupancies of a line of ten points.
const LINES: usize = 1 << RANKS;
/// The points of a rank, as bits.
const RANK: u16 = (1 << FILES) - 1;

/// Index: point, then occupied points of its line. A rank has one point less than a file; points
/// beyond its end are masked off.
static REACH: [[Reach; LINES]; RANKS] = {
    let mut table = [[Reach { slide: 0, jump: 0 }; LINES]; RANKS];
    let mut n = 0;
    while n < LINES * RANKS {
        table[n / LINES][n % LINES] = reach(n / LINES, n % LINES);
        n += 1;
    }
    table
};

const fn reach(point: usize, occupied: usize) -> Reach {
    let mut reach = Reach { slide: 0, jump: 0 };
    let mut upward = 0;
    while upward < 2 {
        let (mut at, mut met) = (point, 0);
        while met < 2 && (if upward == 1 { at + 1 < RANKS } else { at > 0 }) {
            at = if upward == 1 { at + 1 } else { at - 1 };
            let taken = occupied >> at & 1;
            if met == 0 {
                reach.slide |= 1 << at;
            } else if taken == 1 {
                reach.jump |= 1 << at;
            }
            met += taken;
        }
        upward += 1;
    }
    reach
}

/// Points of a line, as squares of file `a`.
static ON_FILE: [u128; LINES] = {
    let mut table = [0; LINES];
    let mut n = 0;
    while n < LINES * RANKS {
        if (n / RANKS) >> (n % RANKS) & 1 == 1 {
            table[n / RANKS] |= bit((n % RANKS * FILES) as u8);
        }
        n += 1;
    }
    table
};

/// Squares strictly between two squares of a rank or file; empty if they share neither.
pub(super) static BETWEEN: [[u128; SQUARES]; SQUARES] = {
    let mut table = [[0; SQUARES]; SQUARES];
    let mut n = 0;
    while n < SQUARES * SQUARES {
        let (from, to) = (n / SQUARES, n % SQUARES);
        let stride = if from / FILES == to / FILES { 1 } else { FILES };
        if from < to && (stride == 1 || from % FILES == to % FILES) {
            let mut at = from + stride;
            while at < to {
                table[from][to] |= bit(at as u8);
                at += stride;
            }
            table[to][from] = table[from][to];
        }
        n += 1;
    }
    table
};

/// The rank and the file of a square.
pub(super) static CROSS: [u128; SQUARES] = {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let file = ON_FILE[LINES - 1] << (square % FILES);
        let rank = (RANK as u128) << (square / FILES * FILES);
        table[square] = file | rank;
        square += 1;
    }
    table
};

/// Occupied points of the rank and the file through a square.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cross {
    rank: u16,
    file: u16,
}

/// Gathers five points of a file, nine bits apart.
// CITE: multiplication as a gather of bits, as in magic bitboards (Kannan 2007).
#[inline]
const fn gathered(points: u64) -> u16 {
    const POINTS: u64 = 1 | 1 << 9 | 1 << 18 | 1 << 27 | 1 << 36;
    const TOGETHER: u64 = 1 << 36 | 1 << 28 | 1 << 20 | 1 << 12 | 1 << 4;
    ((points & POINTS).wrapping_mul(TOGETHER) >> 36 & 0x1F) as u16
}

impl Cross {
    /// The cross of a square with these squares occupied.
    #[inline]
    pub(super) fn of(square: u8, occupied: u128) -> Self {
        let rank = (occupied >> (rank_of(square) * FILES as u8)) as u16 & RANK;
        let file = occupied >> file_of(square);
        Self { rank, file: gathered(file as u64) | gathered((file >> (SQUARES / 2)) as u64) << 5 }
    }
}

/// Occupied points of all ranks and files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct OccupiedLines {
    ranks: [u16; RANKS],
    files: [u16; FILES],
}

impl OccupiedLines {
    /// Toggles a square.
    #[inline]
    pub(super) fn flip(&mut self, square: u8) {
        let (file, rank) = (file_of(square), rank_of(square));
        self.ranks[rank as usize] ^= 1 << file;
        self.files[file as usize] ^= 1 << rank;
    }

    /// The lines through a square.
    #[inline]
    pub(super) fn cross(&self, square: u8) -> Cross {
        let rank = self.ranks[rank_of(square) as usize];
        Cross { rank, file: self.files[file_of(square) as usize] }
    }
}

/// Table entries for both lines of a square.
#[inline]
fn reached(square: u8, cross: Cross) -> (Reach, Reach) {
    let (file, rank) = (file_of(square) as usize, rank_of(square) as usize);
    (REACH[file][cross.rank as usize % LINES], REACH[rank][cross.file as usize % LINES])
}

#[inline]
fn joined(square: u8, along_rank: u16, along_file: u16) -> u128 {
    let rank = u128::from(along_rank & RANK) << (rank_of(square) * FILES as u8);
    rank | ON_FILE[along_file as usize % LINES] << file_of(square)
}

/// Squares attacked by a chariot on this square, including the first pieces on its lines.
#[inline]
pub(super) fn chariot_attacks(square: u8, cross: Cross) -> u128 {
    let (rank, file) = reached(square, cross);
    joined(square, rank.slide, file.slide)
}

/// Pieces of either side that a cannon on this square attacks.
#[inline]
pub(super) fn cannon_captures(square: u8, cross: Cross) -> u128 {
    let (rank, file) = reached(square, cross);
    joined(square, rank.jump, file.jump)
}
