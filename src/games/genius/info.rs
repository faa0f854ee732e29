//! Dice that fall, cards that are drawn, and what each side sees of them.

use super::cards::{Card, LIGHTNING_STILETTO, ROWS};
use super::dice::FACES;
use super::lists::Pile;
use super::moves::{Act, GeniusMove};
use super::spare::Spare;
use super::state::{Genius, Seat};
use crate::game::{Chance, Info, Rng, Side};

/// What chance decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GeniusChance {
    /// The face of one die. A roll of eight is eight such events, which says the same as one event with
    /// 6,435 outcomes.
    Die,
    /// The top card of a shuffled deck.
    Card(Side),
}

impl Chance<Genius> for GeniusChance {
    const EXISTS: bool = true;

    fn outcomes(self, pos: &Genius, out: &mut Vec<(GeniusMove, f64)>) {
        match self {
            Self::Die => {
                out.extend((0..FACES).map(|face| (Act::Roll(face).into(), 1.0 / f64::from(FACES))));
            }
            Self::Card(side) => {
                let deck = pos.seat(side).deck.as_slice();
                let count = |n: &u8| deck.iter().filter(|card| card.0 == *n).count();
                let held = (0..ROWS.len() as u8).filter(|n| count(n) > 0);
                out.extend(
                    held.map(|n| (Act::Draw(Card(n)).into(), count(&n) as f64 / deck.len() as f64)),
                );
            }
        }
    }

    fn kind(self) -> usize {
        match self {
            Self::Die => 0,
            Self::Card(side) => 1 + side.index(),
        }
    }

    fn sample(self, pos: &Genius, rng: &mut Rng) -> GeniusMove {
        match self {
            Self::Die => Act::Roll(rng.below(usize::from(FACES)) as u8).into(),
            Self::Card(side) => {
                let card = rng.pick(pos.seat(side).deck.as_slice());
                Act::Draw(card.expect("a card is drawn from a deck that has one")).into()
            }
        }
    }
}

/// A side sees the table, its own hand, and which cards its own deck holds. Of the opponent's hand it sees
/// the number of cards; a card that a opponent's skill has made is no secret.
#[derive(Clone, Copy, Debug)]
pub enum GeniusView {}

impl Seat {
    /// Every card that hand and deck can hold, as the opponent knows it.
    pub(super) fn pool(&self) -> impl Iterator<Item = Card> {
        let held = self.hand.as_slice().iter().chain(self.deck.as_slice()).copied();
        held.chain(self.spare.cards())
    }

    /// Deals hand and deck anew from all that they can hold.
    fn deal(&mut self, rng: &mut Rng) {
        let mut pool = [Card(0); 256];
        let mut count = 0;
        for card in self.pool().filter(|&card| card != LIGHTNING_STILETTO).take(pool.len()) {
            pool[count] = card;
            count += 1;
        }
        let made = self.hand.as_slice().iter().filter(|&&card| card == LIGHTNING_STILETTO).count();
        let pool = &mut pool[..count];
        // Sorted first: what is drawn must not depend on how the cards lie now.
        pool.sort_unstable();
        rng.shuffle(pool);
        let (hand, rest) = pool.split_at(self.hand.len() - made);
        let (deck, spare) = rest.split_at(self.deck.len());
        let made = std::iter::repeat_n(LIGHTNING_STILETTO, made);
        self.hand = Pile::from_cards(made.chain(hand.iter().copied()));
        self.deck = Pile::from_cards(deck.iter().copied());
        self.spare = Spare::default();
        spare.iter().for_each(|&card| self.spare.add(card));
        self.sort_piles();
    }
}

impl Info<Genius> for GeniusView {
    const HIDDEN: bool = true;

    fn world(pos: &Genius, viewer: Side, rng: &mut Rng) -> Genius {
        let mut world = *pos;
        for seat in &mut world.seats {
            seat.shuffled = true;
            seat.sort_piles();
        }
        world.seat_mut(viewer.other()).deal(rng);
        world
    }

    fn view(pos: &Genius, viewer: Side) -> u64 {
        super::hash::seen_by(pos, viewer)
    }
}
