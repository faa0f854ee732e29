//! Hash keys of positions and of information sets.

use super::cards::Card;
use super::effects::Rule;
use super::lists::GeniusSlots;
use super::state::{Genius, Home, Seat, Task};
use super::statuses::ROWS;
use engine::game::{Outcome, Side, zobrist::mix};

/// True if the order of a status among its like is significant: triggered and protective rules
/// apply in order; bonuses and cost reductions commute. Statuses without order are hashed as a set.
static IS_ORDERED: [bool; ROWS.len()] = {
    let mut ordered = [false; ROWS.len()];
    let mut n = 0;
    while n < ROWS.len() {
        let rules = ROWS[n].rules;
        let mut m = 0;
        while m < rules.len() {
            ordered[n] |= matches!(
                rules[m],
                Rule::On { .. } | Rule::Lessens { .. } | Rule::Absorbs | Rule::Infuses(_)
            );
            m += 1;
        }
        n += 1;
    }
    ordered
};

/// Mixes words into a key, each with its own factor.
// CITE: the multiplication of wyhash (Wang Yi 2019): both halves of a product of 64-bit words.
struct GeniusHasher {
    key: u64,
    factor: u64,
}

impl GeniusHasher {
    const fn new(domain: u64) -> Self {
        Self { key: domain, factor: domain }
    }

    #[inline]
    fn word(&mut self, word: u64) {
        const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
        self.factor = self.factor.wrapping_add(STEP);
        let product = u128::from(word ^ self.factor) * u128::from(self.factor.rotate_left(32) | 1);
        self.key = self.key.rotate_left(5) ^ product as u64 ^ (product >> 64) as u64;
    }

    /// Hashes statuses: ordered ones as a sequence, the others as a set.
    #[inline]
    fn slots<const N: usize>(&mut self, slots: &GeniusSlots<N>, keeps_order: bool) {
        let mut set = 0_u64;
        for slot in slots.as_slice() {
            let bits =
                slot.what as u64 | u64::from(slot.n) << 8 | u64::from(slot.extra) << 16 | 1 << 24;
            if keeps_order || IS_ORDERED[slot.what as usize] {
                self.word(bits);
            } else {
                set = set.wrapping_add(mix(bits));
            }
        }
        self.word(set ^ u64::from(slots.len()) << 56);
    }

    /// Hashes cards as a set.
    #[inline]
    fn set(&mut self, cards: impl Iterator<Item = Card>) {
        self.word(cards.fold(0, |set, card| set.wrapping_add(mix(1 + u64::from(card.0)))));
    }
}

/// Hash key of a position.
pub(super) fn of(pos: &Genius) -> u64 {
    let mut folding = public(pos);
    for seat in &pos.seats {
        folding.set(seat.hand.as_slice().iter().copied());
        let flags = u64::from(seat.shuffled) << 1 | u64::from(seat.unseen);
        folding.word(flags << 32 | seat.deck.len() as u64);
        if seat.shuffled {
            folding.set(seat.deck.as_slice().iter().copied());
        } else {
            let cards = seat.deck.as_slice().chunks(8);
            for some in cards {
                folding.word(some.iter().fold(0, |word, card| word << 8 | u64::from(card.0)));
            }
        }
        if seat.unseen {
            seat.spare.words().into_iter().for_each(|word| folding.word(word));
        }
    }
    mix(folding.key)
}

/// Hash key of a side's information set: its own hand, the cards of its own deck, and for the
/// opponent's cards only the hand size and the pool of possible cards.
pub(super) fn seen_by(pos: &Genius, viewer: Side) -> u64 {
    let mut folding = public(pos);
    let own = pos.seat(viewer);
    folding.set(own.hand.as_slice().iter().copied());
    folding.set(own.deck.as_slice().iter().copied());
    let opponent = pos.seat(viewer.other());
    let sizes = (own.deck.len(), opponent.hand.len(), opponent.deck.len());
    folding.word((sizes.0 << 16 | sizes.1 << 8 | sizes.2) as u64);
    folding.set(opponent.pool());
    mix(folding.key ^ viewer as u64)
}

/// Hashes all public information.
fn public(pos: &Genius) -> GeniusHasher {
    let mut folding = GeniusHasher::new(0x6765_6E69_7573);
    let tasks = pos.tasks.as_slice();
    // Who begins the next round is open until a side has ended this one; what is left of a start is in the
    // tasks.
    let ended = pos.seats.iter().any(|seat| seat.ended);
    let first = if ended { 1 + pos.first as u64 } else { 0 };
    let outcome = match pos.outcome {
        None => 0,
        Some(Outcome::Win(side)) => 1 + side as u64,
        Some(_) => 3,
    };
    let clock = u64::from(pos.round) << 8 | outcome << 5 | (pos.profile as u64) << 4;
    folding.word(clock | first << 1 | pos.mover as u64);
    for &task in tasks {
        folding.word(bits(task));
    }
    for seat in &pos.seats {
        table(&mut folding, seat);
    }
    folding
}

fn table(folding: &mut GeniusHasher, seat: &Seat) {
    folding.word(u64::from(seat.active) << 1 | u64::from(seat.ended));
    folding.word(seat.dice.bits());
    for fighter in &seat.fighters {
        let skills = if fighter.who.row().counts_skills { fighter.skills } else { 0 };
        let parts = [fighter.who.0, fighter.hp, fighter.energy, fighter.aura.bits(), skills];
        let bits = parts.iter().fold(0, |bits, &part| bits << 8 | u64::from(part));
        folding.word(bits << 1 | u64::from(fighter.alive));
        folding.slots(&fighter.attached, false);
    }
    folding.slots(&seat.team, false);
    folding.slots(&seat.summons, true);
    folding.slots(&seat.supports, true);
}

fn bits(task: Task) -> u64 {
    let word = |kind: u64, side: Side, a: u8, b: u8| {
        kind << 32 | (side as u64) << 24 | u64::from(a) << 8 | u64::from(b)
    };
    match task {
        Task::Redraw(side) => word(1, side, 0, 0),
        Task::Lead(side) => word(2, side, 0, 0),
        Task::Roll(side, count) => word(3, side, count, 0),
        Task::Reroll(side, count) => word(4, side, count, 0),
        Task::Begin(side) => word(5, side, 0, 0),
        Task::Act(side, home, place, rule) => {
            let home = match home {
                Home::Fighter(fighter) => u64::from(fighter),
                Home::Team => 3,
                Home::Summons => 4,
                Home::Supports => 5,
            };
            word(6, side, place, rule) | home << 16
        }
        Task::Defeats(side) => word(7, side, 0, 0),
        Task::Choose(side) => word(8, side, 0, 0),
        Task::Switched(side) => word(9, side, 0, 0),
        Task::Cast(side, number, is_armed) => word(10, side, number, is_armed.into()),
        Task::Stiletto(side, user, is_played) => word(17, side, user, is_played.into()),
        Task::AfterSkill(side, kinds, user) => word(11, side, kinds, user),
        Task::Draw(side, count) => word(12, side, count, 0),
        Task::Pass(side) => word(13, side, 0, 0),
        Task::End(side) => word(14, side, 0, 0),
        Task::NextRound => 15 << 32,
        Task::Age => 16 << 32,
    }
}
