//! Transposition table of the solver: a position and its two bounds in 64 bits.

use super::score::Bounds;
use crate::connect4::rules::{BOARD, BOTTOM};

/// Bits of a key.
const KEY_BITS: u32 = 49;
const KEY: u64 = (1 << KEY_BITS) - 1;
/// Bits of a bound, and the number added to make it positive.
const BOUND_BITS: u32 = 6;
const BIAS: i32 = 32;

/// Entries in pairs: one for the position with fewer stones, one for the latest. An entry has the whole key,
/// so that no two positions are ever confused.
pub(super) struct SolverTable {
    entries: Vec<u64>,
    shift: u32,
}

impl SolverTable {
    /// An empty table of 2^`bits` entries of 8 bytes; at least two.
    pub(super) fn new(bits: u32) -> Self {
        Self { entries: vec![0; 1 << bits], shift: u64::BITS - bits }
    }

    // CITE: Fibonacci hashing, Knuth, The Art of Computer Programming 3, section 6.4.
    #[inline]
    fn place(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize
    }

    /// Fetches the entries of a key into the cache.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch_index::prefetch_index(&self.entries, self.place(key));
    }

    /// What is known of the position with this key.
    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<Bounds> {
        let place = self.place(key);
        let entry = [self.entries[place], self.entries[place ^ 1]];
        entry.into_iter().find(|entry| entry & KEY == key).map(unpack)
    }

    /// Stores bounds over older ones of the same position, else over the latest of the pair; of that and the
    /// other the one with fewer stones, the dearer one, stays.
    #[inline]
    pub(super) fn store(&mut self, key: u64, bounds: Bounds) {
        let place = self.place(key);
        let (latest, other) = (self.entries[place], self.entries[place ^ 1]);
        let packed = key | pack(bounds);
        if other & KEY == key {
            self.entries[place ^ 1] = packed;
            return;
        }
        if latest & KEY != key && latest != 0 && (other == 0 || stones(latest) <= stones(other)) {
            self.entries[place ^ 1] = latest;
        }
        self.entries[place] = packed;
    }
}

#[inline]
fn pack(bounds: Bounds) -> u64 {
    let biased = |score: i32| (score + BIAS) as u64;
    biased(bounds.least) << KEY_BITS | biased(bounds.most) << (KEY_BITS + BOUND_BITS)
}

#[inline]
fn unpack(entry: u64) -> Bounds {
    let score = |shift: u32| (entry >> shift & ((1 << BOUND_BITS) - 1)) as i32 - BIAS;
    Bounds { least: score(KEY_BITS), most: score(KEY_BITS + BOUND_BITS) }
}

/// Stones of an entry: in each column the bits below the highest one set.
#[inline]
fn stones(entry: u64) -> u32 {
    let mut cells = entry & KEY;
    // By doubling: a column has seven bits, and the masks keep them out of the column below.
    cells |= cells >> 1 & BOARD;
    cells |= (cells >> 2) & (BOTTOM * 0b1_1111);
    cells |= (cells >> 4) & (BOTTOM * 0b111);
    cells.count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect4::Connect4;
    use engine::game::{Game, Rng};

    #[test]
    fn an_entry_gives_back_its_bounds_and_stones() {
        let mut rng = Rng::new(3);
        let mut pos = Connect4::default();
        for _ in 0..20 {
            let column = pos.random_move(&mut rng, &mut Vec::new()).expect("a column is open");
            pos.play(column);
            for bounds in [(-21, 21), (0, 0), (-3, 7)].map(|(least, most)| Bounds { least, most }) {
                let mut table = SolverTable::new(1);
                table.store(pos.key(), bounds);
                assert_eq!(table.probe(pos.key()), Some(bounds));
            }
            // Seven columns each have one bit more than stones.
            assert_eq!(stones(pos.key()), pos.stones() + 7);
        }
    }

    #[test]
    fn the_dearer_of_two_positions_stays() {
        let exact = |score| Bounds { least: score, most: score };
        let boards: Vec<_> = (1..4)
            .map(|n| (0..n).fold(Connect4::default(), |pos, column| pos.after(column)).key())
            .collect();
        let mut table = SolverTable::new(1);
        for (score, &key) in boards.iter().enumerate() {
            table.store(key, exact(score as i32));
        }
        let known: Vec<_> = boards.iter().map(|&key| table.probe(key)).collect();
        assert_eq!(known, [Some(exact(0)), None, Some(exact(2))]);
    }
}
