//! Dice as counts of faces, costs, and payments.

use super::elements::Element;

/// The wildcard face: pays for any element.
pub(super) const OMNI: u8 = 0;
/// Number of faces.
pub(super) const FACES: u8 = 8;
/// Maximum dice of a side.
pub(super) const MOST_DICE: u8 = 16;

/// Dice by face: one byte a face, omni first, then the elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dice(u64);

const ONES: u64 = 0x0101_0101_0101_0101;

impl Dice {
    /// No dice.
    pub const NONE: Self = Self(0);

    /// `count` dice of one face.
    #[inline]
    pub const fn of(face: u8, count: u8) -> Self {
        Self((count as u64) << (8 * face))
    }

    /// Number of dice with this face.
    #[inline]
    pub const fn count(self, face: u8) -> u8 {
        (self.0 >> (8 * face)) as u8
    }

    /// Number of dice, at most 255.
    #[inline]
    pub const fn total(self) -> u8 {
        (self.0.wrapping_mul(ONES) >> 56) as u8
    }

    /// Sum of both.
    #[inline]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// Difference; `other` must be contained.
    #[inline]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }

    /// True if all of `other` are contained.
    #[inline]
    pub fn holds(self, other: Self) -> bool {
        (0..FACES).all(|face| self.count(face) >= other.count(face))
    }

    /// The dice whose face is in this set of faces.
    #[inline]
    pub fn only(self, faces: u8) -> Self {
        let kept = (0..FACES).filter(|face| faces >> face & 1 == 1);
        Self(kept.fold(0, |bits, face| bits | self.0 & 0xFF << (8 * face)))
    }

    /// The faces present, as a set.
    #[inline]
    pub fn faces(self) -> u8 {
        (0..FACES).fold(0, |set, face| set | u8::from(self.count(face) > 0) << face)
    }

    /// The face of the die most needed by a side.
    pub(super) fn most_needed(self, need: Need) -> Option<u8> {
        let faces = (0..FACES).filter(|&face| self.count(face) > 0);
        faces.max_by_key(|&face| (need.of(face), self.count(face), FACES - face))
    }

    /// The counts packed into one number.
    #[inline]
    pub(super) const fn bits(self) -> u64 {
        self.0
    }

    /// Adds dice of a face, up to the maximum total.
    #[inline]
    pub(super) fn gain(&mut self, face: u8, count: u8) {
        let room = MOST_DICE.saturating_sub(self.total());
        *self = self.plus(Self::of(face, count.min(room)));
    }
}

/// Cost of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Element (omni also pays) and number of dice.
    pub own: Option<(Element, u8)>,
    /// Dice of one common face (omni as wildcard).
    pub same: u8,
    /// Dice of any face.
    pub any: u8,
    /// Energy of the active fighter.
    pub energy: u8,
}

impl Cost {
    /// Nothing.
    pub const FREE: Self = Self { own: None, same: 0, any: 0, energy: 0 };

    /// Dice of an element.
    pub(super) const fn of(element: Element, count: u8) -> Self {
        Self { own: Some((element, count)), ..Self::FREE }
    }

    /// Dice of one face.
    pub(super) const fn same(same: u8) -> Self {
        Self { same, ..Self::FREE }
    }

    /// Dice of any face.
    pub(super) const fn any(any: u8) -> Self {
        Self { any, ..Self::FREE }
    }

    /// The same cost plus dice of any face.
    pub(super) const fn and_any(self, any: u8) -> Self {
        Self { any, ..self }
    }

    /// The same cost plus energy.
    pub(super) const fn and_energy(self, energy: u8) -> Self {
        Self { energy, ..self }
    }

    /// Number of dice.
    pub const fn dice(self) -> u8 {
        let own = match self.own {
            Some((_, count)) => count,
            None => 0,
        };
        own + self.same + self.any
    }

    /// True if exactly these dice pay for it.
    pub fn is_paid_by(self, dice: Dice) -> bool {
        dice.total() == self.dice() && Purse::new(dice).pays(self)
    }

    /// The cheapest payment, by need of the side: first elements of no fighter of the side, then of
    /// the side's, then of the active fighter's, omni last. Ties: the rarest face for costs of any
    /// face, the most frequent face for costs of one face.
    #[inline]
    pub fn payment(self, dice: Dice, need: Need) -> Dice {
        let mut paid = Dice::NONE;
        if let Some((element, count)) = self.own {
            let own = dice.count(element as u8).min(count);
            paid = Dice::of(element as u8, own).plus(Dice::of(OMNI, count - own));
        }
        if self.same > 0 {
            paid = paid.plus(same_face(dice.minus(paid), self.same, need));
        }
        for _ in 0..self.any {
            let left = dice.minus(paid);
            let cheapest = (0..FACES)
                .filter(|&face| left.count(face) > 0)
                .min_by_key(|&face| (need.of(face), left.count(face)));
            paid = paid.plus(Dice::of(cheapest.unwrap_or(OMNI), 1));
        }
        paid
    }
}

/// Dice with the precomputed values of the payment test.
#[derive(Clone, Copy, Debug)]
pub(super) struct Purse {
    dice: Dice,
    total: u8,
    /// Highest count of one element.
    most: u8,
}

impl Purse {
    #[inline]
    pub(super) fn new(dice: Dice) -> Self {
        let most = (1..FACES).fold(0, |most, face| dice.count(face).max(most));
        Self { dice, total: dice.total(), most }
    }

    /// True if a subset of the dice pays for it.
    #[inline]
    pub(super) fn pays(self, cost: Cost) -> bool {
        let omni = self.dice.count(OMNI);
        let has_own = match cost.own {
            Some((element, count)) => self.dice.count(element as u8) + omni >= count,
            None => true,
        };
        has_own && self.most + omni >= cost.same && self.total >= cost.dice()
    }
}

fn same_face(dice: Dice, count: u8, need: Need) -> Dice {
    let omni = dice.count(OMNI);
    let best = (1..FACES)
        .filter(|&face| dice.count(face) > 0 && dice.count(face) + omni >= count)
        .min_by_key(|&face| {
            let jokers = count.saturating_sub(dice.count(face));
            (jokers, need.of(face), u8::MAX - dice.count(face))
        });
    let face = best.unwrap_or(OMNI);
    let plain = if face == OMNI { 0 } else { dice.count(face).min(count) };
    Dice::of(face, plain).plus(Dice::of(OMNI, count - plain))
}

/// Elements needed by a side.
#[derive(Clone, Copy, Debug)]
pub struct Need {
    /// The element of the active fighter.
    pub(super) active: Element,
    /// The elements of the living fighters, as a set.
    pub(super) team: u8,
}

impl Need {
    /// Number of values of [`Need::of`].
    pub(super) const LEVELS: usize = 4;
    /// Need for a die of the active fighter's element.
    pub(super) const ACTIVE: u8 = 2;

    /// Need for a die of this face, from 0; highest for omni.
    #[inline]
    pub(super) fn of(self, face: u8) -> u8 {
        if face == OMNI {
            3
        } else if face == self.active as u8 {
            Self::ACTIVE
        } else {
            self.team >> face & 1
        }
    }
}
