//! The cards, a row each.

use super::characters::{Character, Weapon};
use super::dice::Cost;
use super::effects::Effect;
use super::elements::Element;
use super::rows::row_by_number;
use super::statuses::Status;

/// What a card is aimed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CardTarget {
    /// Nothing.
    Nothing,
    /// Nothing, where another fighter lives to switch to.
    Company,
    /// A support's place, free or cleared for it.
    Support,
    /// The active fighter, who lacks energy.
    Tired,
    /// A living fighter of the side who is hurt and has not eaten.
    Hurt,
    /// A living fighter of the side who has not eaten.
    Hungry,
    /// A living fighter of the side with this weapon.
    Armed(Weapon),
    /// A living fighter of the side.
    Anybody,
    /// The character with this name, active: he equips the card and uses the skill of that number.
    Talent(&'static str),
    /// The character with this name, active or not.
    Named(&'static str),
    /// A summon of the side.
    Summon,
    /// A summon of the opponent.
    FoeSummon,
}

/// A card.
#[derive(Clone, Copy, Debug)]
pub(super) struct CardRow {
    pub(super) name: &'static str,
    pub(super) cost: Cost,
    pub(super) aim: CardTarget,
    /// In this order.
    pub(super) effects: &'static [Effect],
    /// Whether the turn passes, as after a skill.
    pub(super) is_combat: bool,
}

const fn row(
    name: &'static str,
    cost: Cost,
    aim: CardTarget,
    effects: &'static [Effect],
) -> CardRow {
    CardRow { name, cost, aim, effects, is_combat: false }
}

impl CardRow {
    const fn combat(self) -> Self {
        Self { is_combat: true, ..self }
    }
}

/// A card that Keqing makes; it is in nobody's deck.
pub(super) const LIGHTNING_STILETTO: Card = Card(0);

/// The rows; a card's number is its place here.
#[rustfmt::skip]
pub(super) static ROWS: [CardRow; 33] = [
    row("Lightning Stiletto", Cost::of(Element::Electro, 3), CardTarget::Named("Keqing"),
        &[Effect::Cast(1)]).combat(),
    row("The Bestest Travel Companion!", Cost::any(2), CardTarget::Nothing, &[Effect::Omni(2)]),
    row("Changing Shifts", Cost::FREE, CardTarget::Company, &[Effect::Create(Status::ChangingShifts)]),
    row("Leave It to Me!", Cost::FREE, CardTarget::Company, &[Effect::Create(Status::LeaveItToMe)]),
    row("Strategize", Cost::same(1), CardTarget::Nothing, &[Effect::Draw(2)]),
    row("Starsigns", Cost::any(2), CardTarget::Tired, &[Effect::Energy(1)]),
    row("Toss-Up", Cost::FREE, CardTarget::Nothing, &[Effect::Rerolls(2)]),
    row("Quick Knit", Cost::same(1), CardTarget::Summon, &[Effect::Prolong(1)]),
    row("Send Off", Cost::same(2), CardTarget::FoeSummon, &[Effect::Shorten(2)]),
    row("Sweet Madame", Cost::FREE, CardTarget::Hurt,
        &[Effect::Heal(1), Effect::Create(Status::Satiated)]),
    row("Mondstadt Hash Brown", Cost::same(1), CardTarget::Hurt,
        &[Effect::Heal(2), Effect::Create(Status::Satiated)]),
    row("Lotus Flower Crisp", Cost::same(1), CardTarget::Hungry,
        &[Effect::Create(Status::LotusFlowerCrisp), Effect::Create(Status::Satiated)]),
    row("Traveler's Handy Sword", Cost::same(2), CardTarget::Armed(Weapon::Sword),
        &[Effect::Create(Status::TravelersHandySword)]),
    row("White Iron Greatsword", Cost::same(2), CardTarget::Armed(Weapon::Claymore),
        &[Effect::Create(Status::WhiteIronGreatsword)]),
    row("Raven Bow", Cost::same(2), CardTarget::Armed(Weapon::Bow), &[Effect::Create(Status::RavenBow)]),
    row("Magic Guide", Cost::same(2), CardTarget::Armed(Weapon::Catalyst),
        &[Effect::Create(Status::MagicGuide)]),
    row("White Tassel", Cost::same(2), CardTarget::Armed(Weapon::Polearm),
        &[Effect::Create(Status::WhiteTassel)]),
    row("Gambler's Earrings", Cost::same(1), CardTarget::Anybody,
        &[Effect::Create(Status::GamblersEarrings)]),
    row("Paimon", Cost::same(3), CardTarget::Support, &[Effect::Create(Status::Paimon)]),
    row("Katheryne", Cost::same(1), CardTarget::Support, &[Effect::Create(Status::Katheryne)]),
    row("Liben", Cost::FREE, CardTarget::Support, &[Effect::Create(Status::Liben)]),
    row("Vanarana", Cost::FREE, CardTarget::Support, &[Effect::Create(Status::Vanarana)]),
    row("Dawn Winery", Cost::same(2), CardTarget::Support, &[Effect::Create(Status::DawnWinery)]),
    row("Favonius Cathedral", Cost::same(2), CardTarget::Support,
        &[Effect::Create(Status::FavoniusCathedral)]),
    row("Flowing Flame", Cost::of(Element::Pyro, 3), CardTarget::Talent("Diluc"),
        &[Effect::Create(Status::FlowingFlame), Effect::Cast(1)]).combat(),
    row("Cold-Blooded Strike", Cost::of(Element::Cryo, 4), CardTarget::Talent("Kaeya"),
        &[Effect::Create(Status::ColdBloodedStrike), Effect::Cast(1)]).combat(),
    row("Chaotic Entropy", Cost::of(Element::Anemo, 3).and_energy(2), CardTarget::Talent("Sucrose"),
        &[Effect::Create(Status::ChaoticEntropy), Effect::Cast(2)]).combat(),
    row("Stellar Predator", Cost::of(Element::Electro, 3), CardTarget::Talent("Fischl"),
        &[Effect::Create(Status::StellarPredator), Effect::Cast(1)]).combat(),
    row("Crossfire", Cost::of(Element::Pyro, 4), CardTarget::Talent("Xiangling"),
        &[Effect::Create(Status::Crossfire), Effect::Cast(1)]).combat(),
    row("Floral Sidewinder", Cost::of(Element::Dendro, 4), CardTarget::Talent("Collei"),
        &[Effect::Create(Status::FloralSidewinder), Effect::Cast(1)]).combat(),
    row("Thundering Penance", Cost::of(Element::Electro, 3), CardTarget::Talent("Keqing"),
        &[Effect::Create(Status::ThunderingPenance), Effect::Cast(1)]).combat(),
    row("Strategic Reserve", Cost::of(Element::Geo, 4), CardTarget::Talent("Ningguang"),
        &[Effect::Create(Status::StrategicReserve), Effect::Cast(1)]).combat(),
    row("Grand Expectation", Cost::of(Element::Pyro, 4).and_energy(2), CardTarget::Talent("Bennett"),
        &[Effect::Create(Status::GrandExpectation), Effect::Cast(2)]).combat(),
];

/// A card by its place among the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Card(pub(super) u8);

row_by_number!(Card, CardRow, "card");

impl Card {
    /// Whether it does something for a team with these characters, and may be in its deck.
    pub(super) fn serves(self, mut team: impl Iterator<Item = Character>) -> bool {
        match self.row().aim {
            _ if self == LIGHTNING_STILETTO => false,
            CardTarget::Armed(weapon) => team.any(|who| who.row().weapon == weapon),
            CardTarget::Talent(name) | CardTarget::Named(name) => {
                team.any(|who| who.name() == name)
            }
            _ => true,
        }
    }
}

/// Whether a character can have this on him: a weapon of his kind, a talent of his own, or anything
/// that is neither.
pub(super) fn can_wear(who: Character, what: Status) -> bool {
    let creates = |effect: &Effect| matches!(effect, Effect::Create(status) if *status == what);
    let card = ROWS.iter().find(|row| row.effects.iter().any(creates));
    card.is_none_or(|card| match card.aim {
        CardTarget::Armed(weapon) => who.row().weapon == weapon,
        CardTarget::Talent(name) => who.name() == name,
        _ => true,
    })
}
