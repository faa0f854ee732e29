//! Elements, auras and reactions.

/// An element. The discriminant equals the die face; 0 is the omni face.
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

    /// The element of this face, `None` for omni.
    #[inline]
    pub fn of_face(face: u8) -> Option<Self> {
        Self::ALL.get(usize::from(face).wrapping_sub(1)).copied()
    }

    /// The set with only this element.
    #[inline]
    pub(super) const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// Damage type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// No element; infusions convert it.
    Physical,
    /// Elemental: can react.
    Of(Element),
    /// Ignores bonuses and reductions.
    Piercing,
}

impl Damage {
    /// Bit for physical damage in the sets of elements of the rows.
    pub(super) const PHYSICAL_BIT: u8 = 1;

    /// Bit of this type in a set of damage types.
    #[inline]
    pub(super) const fn bit(self) -> u8 {
        match self {
            Self::Physical => Self::PHYSICAL_BIT,
            Self::Of(element) => element.bit(),
            Self::Piercing => 0,
        }
    }
}

/// Elemental reaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// Pyro and hydro.
    Vaporize,
    /// Pyro and cryo.
    Melt,
    /// Pyro and electro: an active target is forced to switch.
    Overloaded,
    /// Cryo and electro: piercing damage to the other fighters of the side.
    Superconduct,
    /// Hydro and electro: piercing damage to the other fighters of the side.
    ElectroCharged,
    /// Cryo and hydro: the target cannot use skills for the rest of the round.
    Frozen,
    /// Anemo and this element, which spreads to the other fighters of the side.
    Swirl(Element),
    /// Geo and cryo, hydro, pyro or electro: a shield for the attacker's side.
    Crystallize,
    /// Dendro and pyro: a Burning Flame summon.
    Burning,
    /// Dendro and hydro: a Dendro Core.
    Bloom,
    /// Dendro and electro: a Catalyzing Field.
    Quicken,
}

impl Reaction {
    /// Damage bonus of the reaction.
    #[inline]
    pub(super) const fn adds(self) -> u8 {
        match self {
            Self::Vaporize | Self::Melt | Self::Overloaded => 2,
            Self::Swirl(_) => 0,
            _ => 1,
        }
    }

    /// True if dendro is involved.
    #[inline]
    pub(super) const fn is_dendro(self) -> bool {
        matches!(self, Self::Burning | Self::Bloom | Self::Quicken)
    }

    /// Reaction of `element` with an aura of `other`.
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

/// Elements applied to a fighter: a set; more than one element only for cryo with dendro.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Aura(u8);

impl Aura {
    const BOTH: u8 = Element::Cryo.bit() | Element::Dendro.bit();
    const STICKY: u8 = Element::Cryo.bit()
        | Element::Hydro.bit()
        | Element::Pyro.bit()
        | Element::Electro.bit()
        | Element::Dendro.bit();

    /// No element applied.
    pub const NONE: Self = Self(0);

    /// The aura of one element; `None` if the element leaves no aura.
    pub fn new(element: Element) -> Option<Self> {
        Some(Self(element.bit())).filter(|aura| aura.0 & Self::STICKY != 0)
    }

    /// Both auras combined; `None` if they cannot coexist.
    pub fn and(self, other: Self) -> Option<Self> {
        let both = self.0 | other.0;
        (both == Self::BOTH && self != other || self.0 == 0 || other.0 == 0).then_some(Self(both))
    }

    /// The set as bits.
    #[inline]
    pub(super) const fn bits(self) -> u8 {
        self.0
    }

    /// The elements, in order of reaction.
    pub fn elements(self) -> impl Iterator<Item = Element> {
        Element::ALL.into_iter().filter(move |element| self.0 & element.bit() != 0)
    }

    /// Applies an element: returns the remaining aura and the reaction. Cryo reacts before dendro.
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
