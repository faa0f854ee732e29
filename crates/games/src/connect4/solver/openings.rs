//! Table of early positions.
//!
//! The file has the positions by rising key, each as the difference to the last key (LEB128: seven bits a byte,
//! low ones first, the highest bit set if more follow) and one byte, the score plus 32.

use std::sync::OnceLock;

use crate::connect4::rules::Connect4;

/// The embedded table; `docs/connect-four.md` says how it is made.
const EMBEDDED: &[u8] = include_bytes!("../../../data/connect4-openings.bin");
const BIAS: i32 = 32;
/// Bits of a score in an entry.
const SCORE_BITS: u32 = 8;

/// Exact scores of early positions, one for a position and its mirror image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EarlyPositions {
    /// Key and score, by rising key.
    entries: Vec<u64>,
    /// Most stones of a position.
    deepest: u32,
}

impl EarlyPositions {
    /// The empty table.
    pub fn none() -> &'static Self {
        static NONE: EarlyPositions = EarlyPositions { entries: Vec::new(), deepest: 0 };
        &NONE
    }

    /// The table that is part of the program; read once.
    pub fn embedded() -> &'static Self {
        static TABLE: OnceLock<EarlyPositions> = OnceLock::new();
        TABLE.get_or_init(|| Self::read(EMBEDDED).expect("the embedded table is whole"))
    }

    /// Reads a file of [`EarlyPositions::write`]; `None` if it ends within an entry.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut bytes = bytes.iter().copied();
        let mut read = Self::default();
        let mut key = 0;
        while bytes.len() > 0 {
            key += difference(&mut bytes)?;
            read.entries.push(packed(key, i32::from(bytes.next()?) - BIAS));
        }
        let stones = read.positions().map(|(pos, _)| pos.stones());
        read.deepest = stones.max().unwrap_or(0);
        Some(read)
    }

    /// The file of this table.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut last = 0;
        for entry in &self.entries {
            let mut rest = (entry >> SCORE_BITS) - last;
            last += rest;
            while rest >> 7 != 0 {
                bytes.push(rest as u8 | 0x80);
                rest >>= 7;
            }
            bytes.extend([rest as u8, *entry as u8]);
        }
        bytes
    }

    /// Score of a position for the side to move, if the table has it.
    #[inline]
    pub(super) fn score(&self, pos: &Connect4) -> Option<i32> {
        if self.entries.is_empty() || pos.stones() > self.deepest {
            return None;
        }
        self.find(pos.canonical_key())
    }

    fn find(&self, key: u64) -> Option<i32> {
        let place = self.entries.partition_point(|entry| entry >> SCORE_BITS < key);
        let entry = *self.entries.get(place)?;
        (entry >> SCORE_BITS == key).then(|| score(entry))
    }

    /// Number of positions.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Adds a position and its score.
    pub(super) fn insert(&mut self, pos: &Connect4, score: i32) {
        let key = pos.canonical_key();
        let place = self.entries.partition_point(|entry| entry >> SCORE_BITS < key);
        self.entries.insert(place, packed(key, score));
        self.deepest = self.deepest.max(pos.stones());
    }

    /// Positions, each as one of a pair of mirror images, and their scores for the side to move.
    pub fn positions(&self) -> impl Iterator<Item = (Connect4, i32)> {
        self.entries.iter().map(|&entry| (Connect4::from_key(entry >> SCORE_BITS), score(entry)))
    }
}

fn packed(key: u64, score: i32) -> u64 {
    key << SCORE_BITS | (score + BIAS) as u64
}

fn score(entry: u64) -> i32 {
    i32::from(entry as u8) - BIAS
}

/// The next LEB128 number.
fn difference(bytes: &mut impl Iterator<Item = u8>) -> Option<u64> {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let byte = bytes.next()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}
