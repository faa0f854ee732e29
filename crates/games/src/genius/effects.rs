//! Building blocks of characters, cards and statuses: effects, and rules for statuses in play. A
//! new character or card is a table row of these; see the README of this folder.

use super::elements::{Damage, Element};
use super::statuses::Status;

/// An effect. "User" is the fighter that uses the skill or is the card's target; otherwise the
/// active fighter of the side.
#[derive(Clone, Copy, Debug)]
pub(super) enum Effect {
    /// Damage to the opponent's active fighter.
    Hit(Damage, u8),
    /// The same, plus `more` if this is the n-th elemental skill of the user in the round.
    HitNth { damage: Damage, amount: u8, nth: u8, more: u8 },
    /// The same, plus `more` while the side has a status.
    HitBeside { damage: Damage, amount: u8, status: Status, more: u8 },
    /// Damage of the summon's own element: anemo until another is absorbed.
    HitAsTaken(u8),
    /// Damage by a summon of the side if it is in play; spends one of its uses.
    HitBySummon { summon: Status, damage: Damage, amount: u8 },
    /// Piercing damage to all fighters of the opponent except the active one.
    PierceOthers(u8),
    /// Forces the opponent to switch to the previous fighter.
    PushBack,
    /// Creates a status in the zone of its row; fighter zones refer to the user.
    Create(Status),
    /// An effect conditional on an equipment of the user.
    IfEquipped(Status, &'static Effect),
    /// Heals the user.
    Heal(u8),
    /// Heals the user if they have at most `hp` hit points.
    HealUpTo { hp: u8, amount: u8 },
    /// Gives the user energy.
    Energy(u8),
    /// Gives omni dice.
    Omni(u8),
    /// Draws cards.
    Draw(u8),
    /// Grants rerolls of any dice.
    Rerolls(u8),
    /// Adds uses to the targeted summon.
    Prolong(u8),
    /// Removes uses from the targeted summon.
    Shorten(u8),
    /// Adds Keqing's card to the hand, or spends it for an infusion at the end of the skill.
    Stiletto,
    /// Makes the user active and uses this skill.
    Cast(u8),
    /// A support collects unspent dice of different faces, up to this total.
    CollectUnlike(u8),
    /// A support that has collected this many gives two omni dice and two cards, and leaves.
    PayOut(u8),
    /// A support stores up to two unspent dice.
    KeepDice,
    /// A support returns its stored dice.
    ReturnDice,
}

/// Skill types, as bits of a set.
pub(super) mod skill {
    /// A normal attack.
    pub(in super::super) const NORMAL: u8 = 1;
    /// An elemental skill.
    pub(in super::super) const ELEMENTAL: u8 = 2;
    /// An elemental burst.
    pub(in super::super) const BURST: u8 = 4;
    /// Any of them.
    pub(in super::super) const ANY: u8 = NORMAL | ELEMENTAL | BURST;
    /// Any of them that triggered a dendro reaction.
    pub(in super::super) const DENDRO_REACTION: u8 = 8;
}

/// Trigger of a status. A status on a fighter is triggered by that fighter's skills only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// After a skill of the side whose type is in this set.
    Skill(u8),
    /// After any change of the side's active fighter.
    Switch,
    /// In the end phase.
    End,
    /// At the start of the action phase.
    Begin,
    /// After a knockout of an opponent while the bearer is active.
    KnockOut,
}

/// Rule of a status in play.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rule {
    /// Converts physical damage of the bearer's skills to this element.
    Infuses(Element),
    /// Damage bonus of the bearer (team status: of any fighter of the side).
    Adds(Adds),
    /// Damage bonus of 1 for the side's damage of the element absorbed by this summon.
    AddsAsTaken,
    /// Extra damage of these types suffered by the bearer, once.
    Suffers { kinds: u8, amount: u8 },
    /// Reduces damage of at least `from`; spends a use.
    Lessens { from: u8, by: u8 },
    /// Shield: absorbs damage, one use per point.
    Absorbs,
    /// Prevents the bearer from using skills.
    Stuns,
    /// The next switch costs one die less; spends a use.
    CheapSwitch,
    /// The next switch is a fast action; spends a use.
    QuickSwitch,
    /// The bearer's elemental skill costs one die less after `after` uses in the round.
    CheapSkill { after: u8 },
    /// Absorbs the element of the side's first swirl.
    TakesSwirl,
    /// Triggered effect; spends a use if `spends`.
    On { when: When, effect: Effect, spends: bool },
}

/// Condition and amount of a damage bonus.
#[derive(Clone, Copy, Debug)]
pub(super) struct Adds {
    pub(super) amount: u8,
    /// Damage types, as a set.
    pub(super) kinds: u8,
    /// Restricted to skills of fighters.
    pub(super) skills: bool,
    /// Restricted to the opponent's active fighter as target.
    pub(super) to_active: bool,
    /// Restricted to fighters with at least this many hit points.
    pub(super) from_hp: u8,
    /// Team status: restricted to sides with a fighter that wears this.
    pub(super) worn: Option<Status>,
    /// Spends a use.
    pub(super) spends: bool,
}
