//! Status table, one row per kind: statuses of fighters (equipment included), statuses of a side,
//! summons and supports.

use super::characters::MOST_HP;
use super::effects::{Adds, Effect, Rule, When, skill};
use super::elements::{Damage, Element};

/// Zone of a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Zone {
    /// On a fighter.
    Fighter,
    /// Weapon of a fighter.
    Weapon,
    /// Artifact of a fighter.
    Artifact,
    /// Talent of a fighter.
    Talent,
    /// On the side.
    Team,
    /// A summon.
    Summon,
    /// A support.
    Support,
}

impl Zone {
    /// True for equipment: at most one per zone and fighter.
    pub(super) const fn is_worn(self) -> bool {
        matches!(self, Self::Weapon | Self::Artifact | Self::Talent)
    }
}

/// Maximum of every counter, also for repeatedly prolonged summons.
pub(super) const MOST_USES: u8 = 9;

/// Expiry of a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lasts {
    /// Ends with its last use.
    Uses,
    /// Ends after as many rounds as its counter, the first included.
    Rounds,
    /// Ends with the round or its last use.
    Round,
    /// Ends with the round, spent or not: created at most once per round.
    Once,
    /// Ends with its bearer; uses are refilled every round.
    Refilled,
    /// Ends with its bearer.
    Ever,
}

/// Row of a status kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct StatusRow {
    pub(super) id: Status,
    pub(super) name: &'static str,
    pub(super) zone: Zone,
    /// Initial uses (or rounds).
    pub(super) uses: u8,
    /// Maximum of stacked uses; 0 if a second copy only refills the uses.
    pub(super) stacks: u8,
    pub(super) lasts: Lasts,
    pub(super) rules: &'static [Rule],
    /// A talent, and the status created instead of this one if the talent is worn.
    pub(super) enhanced: Option<(Status, Status)>,
}

/// Status kinds, in row order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
#[expect(missing_docs, reason = "the rows say what each does")]
pub enum Status {
    Frozen,
    Satiated,
    PyroInfusion,
    ElectroInfusion,
    LotusFlowerCrisp,
    TravelersHandySword,
    WhiteIronGreatsword,
    RavenBow,
    MagicGuide,
    WhiteTassel,
    GamblersEarrings,
    FlowingFlame,
    ColdBloodedStrike,
    ChaoticEntropy,
    StellarPredator,
    Crossfire,
    FloralSidewinder,
    Crystallize,
    DendroCore,
    CatalyzingField,
    ChangingShifts,
    LeaveItToMe,
    Icicle,
    JadeScreen,
    InspirationField,
    Pyronado,
    Sprout,
    BurningFlame,
    Oz,
    Guoba,
    CuileinAnbar,
    LargeWindSpirit,
    Paimon,
    Katheryne,
    Liben,
    Vanarana,
    DawnWinery,
    FavoniusCathedral,
    ThunderingPenance,
    StrategicReserve,
    GrandExpectation,
    EnhancedElectroInfusion,
    EnhancedInspirationField,
    EnhancedLargeWindSpirit,
}

const fn row(id: Status, name: &'static str, zone: Zone, uses: u8, lasts: Lasts) -> StatusRow {
    StatusRow { id, name, zone, uses, stacks: 0, lasts, rules: &[], enhanced: None }
}

impl StatusRow {
    const fn up_to(self, stacks: u8) -> Self {
        Self { stacks, ..self }
    }

    const fn with(self, rules: &'static [Rule]) -> Self {
        Self { rules, ..self }
    }

    const fn enhanced_by(self, talent: Status, enhanced: Status) -> Self {
        Self { enhanced: Some((talent, enhanced)), ..self }
    }
}

const NONE: Adds = Adds {
    amount: 0,
    kinds: 0,
    skills: false,
    to_active: false,
    from_hp: 0,
    worn: None,
    spends: false,
};
const ANY_KIND: u8 = 0xFF;
const ELECTRO: u8 = Element::Electro.bit();
const PYRO: u8 = Element::Pyro.bit();
const DENDRO: u8 = Element::Dendro.bit();
const GEO: u8 = Element::Geo.bit();

const fn weapon(id: Status, name: &'static str) -> StatusRow {
    const PLUS_1: &[Rule] =
        &[Rule::Adds(Adds { amount: 1, kinds: ANY_KIND, skills: true, ..NONE })];
    row(id, name, Zone::Weapon, 1, Lasts::Ever).with(PLUS_1)
}

/// Row of a summon with damage in the end phase.
const fn summon(id: Status, name: &'static str, uses: u8, rules: &'static [Rule]) -> StatusRow {
    row(id, name, Zone::Summon, uses, Lasts::Uses).with(rules)
}

const fn at_the_end(element: Element, amount: u8) -> Rule {
    let effect = Effect::Hit(Damage::Of(element), amount);
    Rule::On { when: When::End, effect, spends: true }
}

const fn on(when: When, effect: Effect) -> Rule {
    Rule::On { when, effect, spends: true }
}

const fn always_on(when: When, effect: Effect) -> Rule {
    Rule::On { when, effect, spends: false }
}

/// The rows, in the order of [`Status`].
#[rustfmt::skip]
pub(super) static ROWS: [StatusRow; 44] = [
    row(Status::Frozen, "Frozen", Zone::Fighter, 1, Lasts::Round).with(&[
        Rule::Stuns,
        Rule::Suffers { kinds: PYRO | Damage::PHYSICAL_BIT, amount: 2 },
    ]),
    row(Status::Satiated, "Satiated", Zone::Fighter, 1, Lasts::Round),
    row(Status::PyroInfusion, "Pyro Elemental Infusion", Zone::Fighter, 2, Lasts::Rounds)
        .with(&[Rule::Infuses(Element::Pyro)]),
    row(Status::ElectroInfusion, "Electro Elemental Infusion", Zone::Fighter, 2, Lasts::Rounds)
        .with(&[Rule::Infuses(Element::Electro)])
        .enhanced_by(Status::ThunderingPenance, Status::EnhancedElectroInfusion),
    row(Status::LotusFlowerCrisp, "Lotus Flower Crisp", Zone::Fighter, 1, Lasts::Round)
        .with(&[Rule::Lessens { from: 1, by: 3 }]),
    weapon(Status::TravelersHandySword, "Traveler's Handy Sword"),
    weapon(Status::WhiteIronGreatsword, "White Iron Greatsword"),
    weapon(Status::RavenBow, "Raven Bow"),
    weapon(Status::MagicGuide, "Magic Guide"),
    weapon(Status::WhiteTassel, "White Tassel"),
    row(Status::GamblersEarrings, "Gambler's Earrings", Zone::Artifact, 3, Lasts::Ever)
        .with(&[on(When::KnockOut, Effect::Omni(2))]),
    row(Status::FlowingFlame, "Flowing Flame", Zone::Talent, 1, Lasts::Ever)
        .with(&[Rule::CheapSkill { after: 1 }]),
    row(Status::ColdBloodedStrike, "Cold-Blooded Strike", Zone::Talent, 1, Lasts::Refilled)
        .with(&[on(When::Skill(skill::ELEMENTAL), Effect::Heal(2))]),
    row(Status::ChaoticEntropy, "Chaotic Entropy", Zone::Talent, 1, Lasts::Ever),
    row(Status::StellarPredator, "Stellar Predator", Zone::Talent, 1, Lasts::Ever).with(&[
        always_on(When::Skill(skill::NORMAL), Effect::HitBySummon {
            summon: Status::Oz, damage: Damage::Of(Element::Electro), amount: 2,
        }),
    ]),
    row(Status::Crossfire, "Crossfire", Zone::Talent, 1, Lasts::Ever),
    row(Status::FloralSidewinder, "Floral Sidewinder", Zone::Talent, 1, Lasts::Ever),
    row(Status::Crystallize, "Crystallize", Zone::Team, 1, Lasts::Uses).up_to(2)
        .with(&[Rule::Absorbs]),
    row(Status::DendroCore, "Dendro Core", Zone::Team, 1, Lasts::Uses).with(&[
        Rule::Adds(Adds { amount: 2, kinds: PYRO | ELECTRO, to_active: true, spends: true, ..NONE }),
    ]),
    row(Status::CatalyzingField, "Catalyzing Field", Zone::Team, 2, Lasts::Uses).with(&[
        Rule::Adds(Adds { amount: 1, kinds: DENDRO | ELECTRO, to_active: true, spends: true, ..NONE }),
    ]),
    row(Status::ChangingShifts, "Changing Shifts", Zone::Team, 1, Lasts::Uses)
        .with(&[Rule::CheapSwitch]),
    row(Status::LeaveItToMe, "Leave It to Me!", Zone::Team, 1, Lasts::Uses)
        .with(&[Rule::QuickSwitch]),
    row(Status::Icicle, "Icicle", Zone::Team, 3, Lasts::Uses)
        .with(&[on(When::Switch, Effect::Hit(Damage::Of(Element::Cryo), 2))]),
    row(Status::JadeScreen, "Jade Screen", Zone::Team, 2, Lasts::Uses)
        .with(&[
            Rule::Lessens { from: 2, by: 1 },
            Rule::Adds(Adds {
                amount: 1, kinds: GEO, worn: Some(Status::StrategicReserve), ..NONE
            }),
        ]),
    row(Status::InspirationField, "Inspiration Field", Zone::Team, 2, Lasts::Rounds).with(&[
        Rule::Adds(Adds { amount: 2, kinds: ANY_KIND, skills: true, from_hp: 7, ..NONE }),
        always_on(When::Skill(skill::ANY), Effect::HealUpTo { hp: 6, amount: 2 }),
    ]).enhanced_by(Status::GrandExpectation, Status::EnhancedInspirationField),
    row(Status::Pyronado, "Pyronado", Zone::Team, 2, Lasts::Uses)
        .with(&[on(When::Skill(skill::ANY), Effect::Hit(Damage::Of(Element::Pyro), 2))]),
    row(Status::Sprout, "Sprout", Zone::Team, 1, Lasts::Once).with(&[
        on(When::Skill(skill::DENDRO_REACTION), Effect::Hit(Damage::Of(Element::Dendro), 1)),
    ]),
    summon(Status::BurningFlame, "Burning Flame", 1, &[at_the_end(Element::Pyro, 1)]).up_to(2),
    summon(Status::Oz, "Oz", 2, &[at_the_end(Element::Electro, 1)]),
    summon(Status::Guoba, "Guoba", 2, &[at_the_end(Element::Pyro, 2)]),
    summon(Status::CuileinAnbar, "Cuilein-Anbar", 2, &[at_the_end(Element::Dendro, 2)]),
    summon(Status::LargeWindSpirit, "Large Wind Spirit", 3, &[
        Rule::TakesSwirl,
        on(When::End, Effect::HitAsTaken(2)),
    ]).enhanced_by(Status::ChaoticEntropy, Status::EnhancedLargeWindSpirit),
    row(Status::Paimon, "Paimon", Zone::Support, 2, Lasts::Uses)
        .with(&[on(When::Begin, Effect::Omni(2))]),
    row(Status::Katheryne, "Katheryne", Zone::Support, 1, Lasts::Refilled)
        .with(&[Rule::QuickSwitch]),
    row(Status::Liben, "Liben", Zone::Support, 0, Lasts::Ever).with(&[
        always_on(When::End, Effect::CollectUnlike(3)),
        always_on(When::Begin, Effect::PayOut(3)),
    ]),
    row(Status::Vanarana, "Vanarana", Zone::Support, 0, Lasts::Ever).with(&[
        always_on(When::End, Effect::KeepDice),
        always_on(When::Begin, Effect::ReturnDice),
    ]),
    row(Status::DawnWinery, "Dawn Winery", Zone::Support, 1, Lasts::Refilled)
        .with(&[Rule::CheapSwitch]),
    row(Status::FavoniusCathedral, "Favonius Cathedral", Zone::Support, 2, Lasts::Uses)
        .with(&[on(When::End, Effect::HealUpTo { hp: MOST_HP - 1, amount: 2 })]),
    row(Status::ThunderingPenance, "Thundering Penance", Zone::Talent, 1, Lasts::Ever),
    row(Status::StrategicReserve, "Strategic Reserve", Zone::Talent, 1, Lasts::Ever),
    row(Status::GrandExpectation, "Grand Expectation", Zone::Talent, 1, Lasts::Ever),
    row(Status::EnhancedElectroInfusion, "Enhanced Electro Elemental Infusion", Zone::Fighter, 3,
        Lasts::Rounds).with(&[
        Rule::Infuses(Element::Electro),
        Rule::Adds(Adds { amount: 1, kinds: ELECTRO, skills: true, ..NONE }),
    ]),
    row(Status::EnhancedInspirationField, "Enhanced Inspiration Field", Zone::Team, 2,
        Lasts::Rounds).with(&[
        Rule::Adds(Adds { amount: 2, kinds: ANY_KIND, skills: true, ..NONE }),
        always_on(When::Skill(skill::ANY), Effect::HealUpTo { hp: 6, amount: 2 }),
    ]),
    summon(Status::EnhancedLargeWindSpirit, "Enhanced Large Wind Spirit", 3, &[
        Rule::TakesSwirl,
        Rule::AddsAsTaken,
        on(When::End, Effect::HitAsTaken(2)),
    ]),
];

impl Status {
    /// The row of this status.
    #[inline]
    pub(super) fn row(self) -> &'static StatusRow {
        &ROWS[self as usize]
    }

    /// The status with this name.
    pub fn named(name: &str) -> Option<Self> {
        ROWS.iter().find(|row| row.name == name).map(|row| row.id)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.row().name
    }
}
