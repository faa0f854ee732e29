//! Items on the map, known to both players from the start.

use super::cells::SIDE;
use engine::game::Rng;

/// Maximum number of items in a game: the generator makes about half as many.
pub const MOST_ITEMS: usize = 256;
/// Lifetime of an item, in rounds.
pub(super) const LASTS: u16 = 16;
/// Maximum length gain of an item.
pub(super) const MOST_GAIN: u8 = 5;

/// An item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Item {
    /// Cell, `16 y + x`.
    pub cell: u8,
    /// Length added to the bank, in cells; 0 for a melt ray.
    pub gain: u8,
    /// Round of appearance.
    pub time: u16,
}

impl Item {
    /// True if it is present in this round, unless eaten.
    #[inline]
    pub fn is_open(&self, round: u16) -> bool {
        (self.time..self.time + LASTS).contains(&round)
    }
}

/// Items of a game by the published generator: one per round with probability 1/4, in a square
/// around the centre that grows by two cells a side every 20 rounds.
pub fn generate(seed: u64, size: u8, max_round: u16) -> Vec<Item> {
    let mut rng = Rng::new(seed);
    let mut items: Vec<Item> = Vec::new();
    for time in 1..=max_round {
        if rng.below(4) != 0 || items.len() == MOST_ITEMS {
            continue;
        }
        let side = usize::from(size).min(4 + 2 * usize::from((time - 1) / 20));
        let corner = (usize::from(size) - side) / 2;
        let cell = loop {
            let [x, y] = [0; 2].map(|_| (corner + rng.below(side)) as u8);
            let cell = SIDE * y + x;
            if !items.iter().any(|item| item.cell == cell && item.is_open(time)) {
                break cell;
            }
        };
        // Odds of length against rays.
        let (length, ray) = match time {
            ..=64 => (5, 1),
            65..=384 => (5, 2),
            _ => (4, 3),
        };
        let is_length = rng.below(length + ray) < length;
        let gain = if is_length { 1 + rng.below(usize::from(MOST_GAIN)) as u8 } else { 0 };
        items.push(Item { cell, gain, time });
    }
    items
}
