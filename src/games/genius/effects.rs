//! What characters, cards and statuses are made of: effects, and the rules that statuses follow while
//! they lie on the table. A new character or card is a row of these; see the README of this folder.

use super::elements::{Damage, Element};
use super::statuses::Status;

/// Something that happens. "User" is the fighter whose skill it is or at whom a card is aimed; else
/// the active fighter of the side.
#[derive(Clone, Copy, Debug)]
pub(super) enum Effect {
    /// Damage to the opponent's active fighter.
    Hit(Damage, u8),
    /// The same, `more` of it when this is the n-th elemental skill of the user in the round.
    HitNth { damage: Damage, amount: u8, nth: u8, more: u8 },
    /// The same, `more` of it while the side has a status.
    HitBeside { damage: Damage, amount: u8, status: Status, more: u8 },
    /// Damage of the summon's own element, wind until it has taken another.
    HitAsTaken(u8),
    /// Damage by a summon of the side if it is out, of which it spends a use.
    HitBySummon { summon: Status, damage: Damage, amount: u8 },
    /// Piercing damage to all opponents but the active one.
    PierceOthers(u8),
    /// The opponent's active fighter gives way to the previous one.
    PushBack,
    /// A status comes to where its row says; one for fighters comes to the user.
    Create(Status),
    /// An effect that needs the user to have an equipment.
    IfEquipped(Status, &'static Effect),
    /// The user is healed.
    Heal(u8),
    /// The user is healed if he has no more than so many hit points.
    HealUpTo { hp: u8, amount: u8 },
    /// The user gains energy.
    Energy(u8),
    /// Omni dice.
    Omni(u8),
    /// Cards are drawn.
    Draw(u8),
    /// Rerolls of any dice.
    Rerolls(u8),
    /// The summon aimed at gains uses.
    Prolong(u8),
    /// The summon aimed at loses uses.
    Shorten(u8),
    /// Keqing's card comes to the hand, or is spent for an infusion when the skill is over.
    Stiletto,
    /// The user becomes active and casts this skill.
    Cast(u8),
    /// A support collects unspent dice of different faces, so many in all.
    CollectUnlike(u8),
    /// A support that has collected so many brings two omni dice and two cards, and leaves.
    PayOut(u8),
    /// A support keeps up to two unspent dice.
    KeepDice,
    /// A support gives back what it has kept.
    ReturnDice,
}

/// Kinds of skills, as bits of a set.
pub(super) mod skill {
    /// A normal attack.
    pub(in super::super) const NORMAL: u8 = 1;
    /// An elemental skill.
    pub(in super::super) const ELEMENTAL: u8 = 2;
    /// An elemental burst.
    pub(in super::super) const BURST: u8 = 4;
    /// Any of them.
    pub(in super::super) const ANY: u8 = NORMAL | ELEMENTAL | BURST;
    /// Any of them that has made dendro react.
    pub(in super::super) const DENDRO_REACTION: u8 = 8;
}

/// When a status acts. What lies on a fighter answers his own skills only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// After a skill of the side that is of this set of kinds.
    Skill(u8),
    /// After the side has another active fighter, for whatever reason.
    Switch,
    /// In the end phase.
    End,
    /// When the actions of a round begin.
    Begin,
    /// When a opponent is knocked out while the bearer is active.
    KnockOut,
}

/// What a status does while it lies on the table.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rule {
    /// Physical damage of the bearer's skills is of this element.
    Infuses(Element),
    /// The bearer (or, for a team's status, anybody of the side) deals more damage.
    Adds(Adds),
    /// Damage of the side of the element that this summon has taken grows by 1.
    AddsAsTaken,
    /// The bearer suffers more of these kinds of damage, once.
    Suffers { kinds: u8, amount: u8 },
    /// Damage of at least `from` is lessened, for a use.
    Lessens { from: u8, by: u8 },
    /// Damage is lessened, a use a point.
    Absorbs,
    /// The bearer cannot use skills.
    Stuns,
    /// The next switch costs a die less, for a use.
    CheapSwitch,
    /// The next switch is quick, for a use.
    QuickSwitch,
    /// The bearer's elemental skill costs a die less after so many uses in the round.
    CheapSkill { after: u8 },
    /// Takes the element of the side's first swirl.
    TakesSwirl,
    /// Acts when its time comes; for a use, if it spends one.
    On { when: When, effect: Effect, spends: bool },
}

/// Which damage grows, and by how much.
#[derive(Clone, Copy, Debug)]
pub(super) struct Adds {
    pub(super) amount: u8,
    /// Kinds of damage, as a set.
    pub(super) kinds: u8,
    /// Only damage by skills of fighters.
    pub(super) skills: bool,
    /// Only damage to the opponent's active fighter.
    pub(super) to_active: bool,
    /// Only by fighters with at least so many hit points.
    pub(super) from_hp: u8,
    /// Only while a fighter of the side wears this; for the status of a team.
    pub(super) worn: Option<Status>,
    /// For a use.
    pub(super) spends: bool,
}
