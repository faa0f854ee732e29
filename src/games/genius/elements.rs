//! Elements, the auras they leave and how they react.

/// An element. Its number is also that of its face on a die, where 0 is the omni face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Element {
    /// Ice.
    Cryo = 1,
    /// Water.
    Hydro,
    /// Fire.
    Pyro,
    /// Lightning.
    Electro,
    /// Stone.
    Geo,
    /// Plants.
    Dendro,
    /// Wind.
    Anemo,
}

impl Element {
    /// All elements, in the order of the faces.
    pub const ALL: [Self; 7] =
        [Self::Cryo, Self::Hydro, Self::Pyro, Self::Electro, Self::Geo, Self::Dendro, Self::Anemo];

    /// The element on this face, `None` for omni.
    #[inline]
    pub fn of_face(face: u8) -> Option<Self> {
        Self::ALL.get(usize::from(face).wrapping_sub(1)).copied()
    }

    /// A set with this element alone.
    #[inline]
    pub(super) const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// What a blow consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// No element; an infusion may give it one.
    Physical,
    /// Of an element: it may react.
    Of(Element),
    /// Nothing adds to it and nothing lessens it.
    Piercing,
}

impl Damage {
    /// The sets of elements in the rows have this bit for physical damage.
    pub(super) const PHYSICAL_BIT: u8 = 1;

    /// This kind in a set of kinds.
    #[inline]
    pub(super) const fn bit(self) -> u8 {
        match self {
            Self::Physical => Self::PHYSICAL_BIT,
            Self::Of(element) => element.bit(),
            Self::Piercing => 0,
        }
    }
}

/// What comes of two elements that meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// Pyro and hydro.
    Vaporize,
    /// Pyro and cryo.
    Melt,
    /// Pyro and electro: an active target has to give way.
    Overloaded,
    /// Cryo and electro: the others of the side are pierced.
    Superconduct,
    /// Hydro and electro: the others of the side are pierced.
    ElectroCharged,
    /// Cryo and hydro: no skills for the rest of the round.
    Frozen,
    /// Anemo and this element, which spreads to the others of the side.
    Swirl(Element),
    /// Geo and cryo, hydro, pyro or electro: a shield for the attacker's side.
    Crystallize,
    /// Dendro and pyro: a summon that burns.
    Burning,
    /// Dendro and hydro: a core.
    Bloom,
    /// Dendro and electro: a field.
    Quicken,
}

impl Reaction {
    /// What the reaction adds to the damage.
    #[inline]
    pub(super) const fn adds(self) -> u8 {
        match self {
            Self::Vaporize | Self::Melt | Self::Overloaded => 2,
            Self::Swirl(_) => 0,
            _ => 1,
        }
    }

    /// Whether dendro took part.
    #[inline]
    pub(super) const fn is_dendro(self) -> bool {
        matches!(self, Self::Burning | Self::Bloom | Self::Quicken)
    }

    /// What `element` does with an aura of `other`.
    fn between(element: Element, other: Element) -> Option<Self> {
        use Element::{Anemo, Cryo, Dendro, Electro, Geo, Hydro, Pyro};
        Some(match (element, other) {
            (Pyro, Hydro) | (Hydro, Pyro) => Self::Vaporize,
            (Pyro, Cryo) | (Cryo, Pyro) => Self::Melt,
            (Pyro, Electro) | (Electro, Pyro) => Self::Overloaded,
            (Cryo, Electro) | (Electro, Cryo) => Self::Superconduct,
            (Hydro, Electro) | (Electro, Hydro) => Self::ElectroCharged,
            (Cryo, Hydro) | (Hydro, Cryo) => Self::Frozen,
            (Dendro, Pyro) | (Pyro, Dendro) => Self::Burning,
            (Dendro, Hydro) | (Hydro, Dendro) => Self::Bloom,
            (Dendro, Electro) | (Electro, Dendro) => Self::Quicken,
            (Anemo, Cryo | Hydro | Pyro | Electro) => Self::Swirl(other),
            (Geo, Cryo | Hydro | Pyro | Electro) => Self::Crystallize,
            _ => return None,
        })
    }
}

/// The elements that stick to a fighter: a set, with more than one only where cryo and dendro lie
/// together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Aura(u8);

impl Aura {
    const BOTH: u8 = Element::Cryo.bit() | Element::Dendro.bit();
    const STICKY: u8 = Element::Cryo.bit()
        | Element::Hydro.bit()
        | Element::Pyro.bit()
        | Element::Electro.bit()
        | Element::Dendro.bit();

    /// Nothing sticks.
    pub const NONE: Self = Self(0);

    /// This element alone, if it sticks at all.
    pub fn new(element: Element) -> Option<Self> {
        Some(Self(element.bit())).filter(|aura| aura.0 & Self::STICKY != 0)
    }

    /// Both auras at once, if they can lie together.
    pub fn and(self, other: Self) -> Option<Self> {
        let both = self.0 | other.0;
        (both == Self::BOTH && self != other || self.0 == 0 || other.0 == 0).then_some(Self(both))
    }

    /// The set as bits.
    #[inline]
    pub(super) const fn bits(self) -> u8 {
        self.0
    }

    /// The elements, the one that reacts first at the front.
    pub fn elements(self) -> impl Iterator<Item = Element> {
        Element::ALL.into_iter().filter(move |element| self.0 & element.bit() != 0)
    }

    /// An element arrives: the aura that is left and the reaction. Cryo reacts before dendro.
    #[inline]
    pub fn meet(self, element: Element) -> (Self, Option<Reaction>) {
        if self.0 == 0 {
            return (Self(element.bit() & Self::STICKY), None);
        }
        for other in self.elements() {
            let reaction = Reaction::between(element, other);
            if reaction.is_some() {
                return (Self(self.0 & !other.bit()), reaction);
            }
        }
        let both = self.0 | element.bit();
        (if both == Self::BOTH { Self(both) } else { self }, None)
    }
}
