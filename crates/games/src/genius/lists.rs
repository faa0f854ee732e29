//! Fixed-capacity lists, copied with the position.

use super::cards::Card;
use super::statuses::Status;

/// A status in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) what: Status,
    /// Uses or rounds left; for a collecting support, the number collected.
    pub(super) n: u8,
    /// Absorbed element of a summon; or the faces stored by a support, plus 1, four bits each.
    pub(super) extra: u8,
}

/// Filler beyond a list's length.
const NO_SLOT: Slot = Slot { what: Status::Frozen, n: 0, extra: 0 };

/// Statuses in order of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GeniusSlots<const N: usize> {
    len: u8,
    slots: [Slot; N],
}

impl<const N: usize> Default for GeniusSlots<N> {
    fn default() -> Self {
        Self { len: 0, slots: [NO_SLOT; N] }
    }
}

impl<const N: usize> GeniusSlots<N> {
    #[inline]
    pub(super) fn as_slice(&self) -> &[Slot] {
        &self.slots[..usize::from(self.len)]
    }

    #[inline]
    pub(super) fn as_mut_slice(&mut self) -> &mut [Slot] {
        &mut self.slots[..usize::from(self.len)]
    }

    #[inline]
    pub(super) fn len(&self) -> u8 {
        self.len
    }

    #[inline]
    pub(super) fn is_full(&self) -> bool {
        usize::from(self.len) == N
    }

    #[inline]
    pub(super) fn place(&self, what: Status) -> Option<usize> {
        self.as_slice().iter().position(|slot| slot.what == what)
    }

    /// Appends; dropped if the list is full.
    pub(super) fn push(&mut self, slot: Slot) {
        if !self.is_full() {
            self.slots[usize::from(self.len)] = slot;
            self.len += 1;
        }
    }

    pub(super) fn remove(&mut self, place: usize) {
        self.slots.copy_within(place + 1..usize::from(self.len), place);
        self.len -= 1;
        self.slots[usize::from(self.len)] = NO_SLOT;
    }
}

/// Maximum hand size.
pub(super) const MOST_HAND: usize = 10;
/// Deck size.
pub(super) const DECK: usize = 30;

/// Sequence of cards; hands are kept sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pile<const N: usize> {
    len: u8,
    cards: [Card; N],
}

impl<const N: usize> Default for Pile<N> {
    fn default() -> Self {
        Self { len: 0, cards: [Card(0); N] }
    }
}

impl<const N: usize> Pile<N> {
    #[inline]
    pub(super) fn as_slice(&self) -> &[Card] {
        &self.cards[..usize::from(self.len)]
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        usize::from(self.len)
    }

    #[inline]
    pub(super) fn is_full(&self) -> bool {
        usize::from(self.len) == N
    }

    #[inline]
    pub(super) fn holds(&self, card: Card) -> bool {
        self.as_slice().contains(&card)
    }

    /// Places of the first card of each kind in a sorted pile, as a set.
    #[inline]
    pub(super) fn kinds(&self) -> u16 {
        let cards = self.as_slice();
        let is_first = |n: &usize| *n == 0 || cards[n - 1] != cards[*n];
        (0..cards.len().min(16)).filter(is_first).fold(0, |set, n| set | 1 << n)
    }

    /// Appends, if there is room.
    pub(super) fn push(&mut self, card: Card) {
        if !self.is_full() {
            self.cards[usize::from(self.len)] = card;
            self.len += 1;
        }
    }

    /// Inserts in sorted position, if there is room.
    pub(super) fn insert(&mut self, card: Card) {
        if !self.is_full() {
            let at = self.as_slice().partition_point(|&other| other < card);
            self.cards.copy_within(at..usize::from(self.len), at + 1);
            self.cards[at] = card;
            self.len += 1;
        }
    }

    /// Removes one copy of the card. True if one was present.
    pub(super) fn take(&mut self, card: Card) -> bool {
        let Some(at) = self.as_slice().iter().position(|&other| other == card) else {
            return false;
        };
        self.cards.copy_within(at + 1..usize::from(self.len), at);
        self.len -= 1;
        self.cards[usize::from(self.len)] = Card(0);
        true
    }

    /// Removes and returns the first card.
    pub(super) fn take_first(&mut self) -> Option<Card> {
        let first = *self.as_slice().first()?;
        self.cards.copy_within(1..usize::from(self.len), 0);
        self.len -= 1;
        self.cards[usize::from(self.len)] = Card(0);
        Some(first)
    }

    /// Sorts the cards, so that equal sets are equal piles.
    pub(super) fn sort(&mut self) {
        self.cards[..usize::from(self.len)].sort_unstable();
    }

    pub(super) fn from_cards(cards: impl IntoIterator<Item = Card>) -> Self {
        let mut pile = Self::default();
        cards.into_iter().for_each(|card| pile.push(card));
        pile
    }
}
