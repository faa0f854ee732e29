//! Cards that a hidden hand may hold in addition to the known ones.

use super::cards::{Card, ROWS};

/// Bits per card for its number of copies.
const BITS: usize = 2;

/// Up to three copies of each card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Spare([u64; 2]);

// The bits of all cards fit.
const _: () = assert!(ROWS.len() * BITS <= 128);

impl Spare {
    const A_WORD: usize = 64 / BITS;

    pub(super) fn count(self, card: Card) -> u8 {
        let n = usize::from(card.0);
        (self.0[n / Self::A_WORD] >> (n % Self::A_WORD * BITS) & 3) as u8
    }

    /// Adds a copy; saturates at three.
    pub(super) fn add(&mut self, card: Card) {
        let n = usize::from(card.0);
        if self.count(card) < 3 {
            self.0[n / Self::A_WORD] += 1 << (n % Self::A_WORD * BITS);
        }
    }

    pub(super) fn words(self) -> [u64; 2] {
        self.0
    }

    /// The cards in ascending order.
    pub(super) fn cards(self) -> impl Iterator<Item = Card> {
        let all = (0..ROWS.len()).map(|n| Card(n as u8));
        all.flat_map(move |card| (0..self.count(card)).map(move |_| card))
    }
}
