//! Character table, one row per character.

use super::dice::Cost;
use super::effects::{Effect, skill};
use super::elements::{Damage, Element};
use super::rows::row_by_number;
use super::statuses::Status;

/// Weapon type of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weapon {
    Sword,
    Claymore,
    Bow,
    Catalyst,
    Polearm,
}

/// A skill of a character.
#[derive(Clone, Copy, Debug)]
pub(super) struct Skill {
    /// One of the bits of [`skill`].
    pub(super) kind: u8,
    pub(super) cost: Cost,
    /// Applied in this order.
    pub(super) effects: &'static [Effect],
}

/// A character.
#[derive(Clone, Copy, Debug)]
pub(super) struct CharacterRow {
    pub(super) name: &'static str,
    pub(super) element: Element,
    pub(super) weapon: Weapon,
    /// Energy cost of the burst; also the maximum energy.
    pub(super) energy: u8,
    /// Normal attack, elemental skill, burst.
    pub(super) skills: [Skill; 3],
    /// True if some effect depends on the number of elemental skills used in the round.
    pub(super) counts_skills: bool,
}

/// Maximum hit points of a fighter.
pub(super) const MOST_HP: u8 = 10;

const fn row(
    name: &'static str,
    element: Element,
    weapon: Weapon,
    energy: u8,
    burst_dice: u8,
    effects: [&'static [Effect]; 3],
) -> CharacterRow {
    let normal = Cost::of(element, 1).and_any(2);
    let burst = Cost::of(element, burst_dice).and_energy(energy);
    let skills = [
        Skill { kind: skill::NORMAL, cost: normal, effects: effects[0] },
        Skill { kind: skill::ELEMENTAL, cost: Cost::of(element, 3), effects: effects[1] },
        Skill { kind: skill::BURST, cost: burst, effects: effects[2] },
    ];
    CharacterRow { name, element, weapon, energy, skills, counts_skills: false }
}

impl CharacterRow {
    const fn counting_skills(self) -> Self {
        Self { counts_skills: true, ..self }
    }
}

const fn hit(element: Element, amount: u8) -> Effect {
    Effect::Hit(Damage::Of(element), amount)
}

/// Two points of physical damage: the most common normal attack.
const BLOW: &[Effect] = &[Effect::Hit(Damage::Physical, 2)];

/// Character rows; the index is the character's number.
#[rustfmt::skip]
pub(super) static ROWS: [CharacterRow; 9] = [
    row("Diluc", Element::Pyro, Weapon::Claymore, 3, 4, [
        BLOW,
        &[Effect::HitNth { damage: Damage::Of(Element::Pyro), amount: 3, nth: 3, more: 2 }],
        &[hit(Element::Pyro, 8), Effect::Create(Status::PyroInfusion)],
    ]).counting_skills(),
    row("Kaeya", Element::Cryo, Weapon::Sword, 2, 4, [
        BLOW,
        &[hit(Element::Cryo, 3)],
        &[hit(Element::Cryo, 1), Effect::Create(Status::Icicle)],
    ]),
    row("Sucrose", Element::Anemo, Weapon::Catalyst, 2, 3, [
        &[hit(Element::Anemo, 1)],
        &[hit(Element::Anemo, 3), Effect::PushBack],
        &[hit(Element::Anemo, 1), Effect::Create(Status::LargeWindSpirit)],
    ]),
    row("Fischl", Element::Electro, Weapon::Bow, 3, 3, [
        BLOW,
        &[hit(Element::Electro, 1), Effect::Create(Status::Oz)],
        &[Effect::PierceOthers(2), hit(Element::Electro, 4)],
    ]),
    row("Xiangling", Element::Pyro, Weapon::Polearm, 2, 4, [
        BLOW,
        &[
            Effect::IfEquipped(Status::Crossfire, &Effect::Hit(Damage::Of(Element::Pyro), 1)),
            Effect::Create(Status::Guoba),
        ],
        &[hit(Element::Pyro, 3), Effect::Create(Status::Pyronado)],
    ]),
    row("Keqing", Element::Electro, Weapon::Sword, 3, 4, [
        BLOW,
        &[hit(Element::Electro, 3), Effect::Stiletto],
        &[Effect::PierceOthers(3), hit(Element::Electro, 4)],
    ]),
    row("Collei", Element::Dendro, Weapon::Bow, 2, 3, [
        BLOW,
        &[
            Effect::IfEquipped(Status::FloralSidewinder, &Effect::Create(Status::Sprout)),
            hit(Element::Dendro, 3),
        ],
        &[hit(Element::Dendro, 2), Effect::Create(Status::CuileinAnbar)],
    ]),
    row("Ningguang", Element::Geo, Weapon::Catalyst, 3, 3, [
        &[hit(Element::Geo, 1)],
        &[hit(Element::Geo, 2), Effect::Create(Status::JadeScreen)],
        &[Effect::HitBeside {
            damage: Damage::Of(Element::Geo), amount: 6, status: Status::JadeScreen, more: 2,
        }],
    ]),
    row("Bennett", Element::Pyro, Weapon::Sword, 2, 4, [
        BLOW,
        &[hit(Element::Pyro, 3)],
        &[hit(Element::Pyro, 2), Effect::Create(Status::InspirationField)],
    ]),
];

/// Character, as index into the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Character(pub(super) u8);

row_by_number!(Character, CharacterRow, "character");
