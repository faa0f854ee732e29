//! Damage calculation: conversion, reaction, bonuses, reductions, consequences.

use super::effects::Rule;
use super::elements::{Aura, Damage, Element, Reaction};
use super::lists::{GeniusSlots, Slot};
use super::state::{FIGHTERS, Fighter, Genius, Home, Seat};
use super::statuses::{Lasts, Status, StatusRow, Zone};
use engine::game::Side;

/// Damage being calculated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blow {
    /// Attacking side.
    pub(super) side: Side,
    /// The fighter whose skill deals it, if any.
    pub(super) by: Option<u8>,
    pub(super) damage: Damage,
    pub(super) amount: u8,
    /// Targeted fighter of the opponent.
    pub(super) target: u8,
}

impl Genius {
    /// Deals damage.
    pub(super) fn strike(&mut self, blow: Blow) {
        let opponent = blow.side.other();
        let target = usize::from(blow.target);
        if self.seat(opponent).fighters[target].hp == 0 {
            return;
        }
        let damage = self.converted(blow);
        let (aura, reaction) = match damage {
            Damage::Of(element) => self.seat(opponent).fighters[target].aura.meet(element),
            _ => (self.seat(opponent).fighters[target].aura, None),
        };
        let mut amount = blow.amount;
        if damage != Damage::Piercing {
            amount += reaction.map_or(0, Reaction::adds);
            amount += self.additions(blow, damage);
            amount += suffered(&mut self.seat_mut(opponent).fighters[target], damage);
            amount = self.lessened(opponent, blow.target, amount);
        }
        let fighter = &mut self.seat_mut(opponent).fighters[target];
        fighter.aura = aura;
        fighter.hp = fighter.hp.saturating_sub(amount);
        if let Some(reaction) = reaction {
            self.dendro_reacted |= blow.by.is_some() && reaction.is_dendro();
            self.react(reaction, blow);
        }
    }

    /// Damages all of the opponent's living fighters except the target, starting with the next.
    pub(super) fn strike_others(&mut self, blow: Blow) {
        for step in 1..FIGHTERS {
            self.strike(Blow { target: (blow.target + step) % FIGHTERS, ..blow });
        }
    }

    /// Damage type after the attacker's infusions.
    #[inline]
    fn converted(&self, blow: Blow) -> Damage {
        let (Damage::Physical, Some(by)) = (blow.damage, blow.by) else { return blow.damage };
        let attached = self.seat(blow.side).fighters[usize::from(by)].attached.as_slice();
        let infusion = attached.iter().flat_map(|slot| slot.what.row().rules).find_map(|rule| {
            let Rule::Infuses(element) = rule else { return None };
            Some(Damage::Of(*element))
        });
        infusion.unwrap_or(blow.damage)
    }

    /// Damage bonus of the attacker's side.
    #[inline]
    fn additions(&mut self, blow: Blow, damage: Damage) -> u8 {
        let opponent = self.seat(blow.side.other());
        let hits = Hits { damage, by: blow.by, to_active: opponent.active == blow.target };
        let seat = self.seat_mut(blow.side);
        let hp = blow.by.map_or(0, |by| seat.fighters[usize::from(by)].hp);
        let mut more = taken(seat, damage);
        let Seat { fighters, team, .. } = seat;
        if let Some(by) = blow.by {
            more += hits.add(&mut fighters[usize::from(by)].attached, hp, |_| false);
        }
        more + hits.add(team, hp, |what| fighters.iter().any(|fighter| fighter.has(what)))
    }

    /// Damage left after the target's shields and reductions.
    #[inline]
    fn lessened(&mut self, side: Side, target: u8, amount: u8) -> u8 {
        let seat = self.seat_mut(side);
        let amount = protect(&mut seat.fighters[usize::from(target)].attached, amount);
        if target == seat.active { protect(&mut seat.team, amount) } else { amount }
    }

    fn react(&mut self, reaction: Reaction, blow: Blow) {
        let (side, opponent, target) = (blow.side, blow.side.other(), blow.target);
        match reaction {
            Reaction::Vaporize | Reaction::Melt => {}
            Reaction::Overloaded => {
                if self.seat(opponent).active == target {
                    self.shove(opponent, 1, |fighter| fighter.hp > 0);
                }
            }
            Reaction::Superconduct | Reaction::ElectroCharged => {
                let piercing = Damage::Piercing;
                self.strike_others(Blow { by: None, damage: piercing, amount: 1, ..blow });
            }
            Reaction::Frozen => {
                if self.seat(opponent).fighters[usize::from(target)].hp > 0 {
                    self.create(opponent, target, Status::Frozen);
                }
            }
            Reaction::Swirl(element) => {
                let spread = Damage::Of(element);
                self.strike_others(Blow { by: None, damage: spread, amount: 1, ..blow });
                take_swirl(self.seat_mut(side), element);
            }
            Reaction::Crystallize => self.create(side, 0, Status::Crystallize),
            Reaction::Burning => self.create(side, 0, Status::BurningFlame),
            Reaction::Bloom => self.create(side, 0, Status::DendroCore),
            Reaction::Quicken => self.create(side, 0, Status::CatalyzingField),
        }
    }

    /// Forces a switch of the active fighter to the first neighbour who may come, if any; `step` is 1 for the
    /// next, 2 for the previous.
    pub(super) fn shove(&mut self, side: Side, step: u8, may_come: impl Fn(&Fighter) -> bool) {
        if let Some(place) = self.seat(side).neighbour(step, may_come) {
            self.seat_mut(side).active = place;
            self.moved |= 1 << side.index();
        }
    }

    /// Creates a status; a status of the fighter zones is placed on `fighter`.
    pub(super) fn create(&mut self, side: Side, fighter: u8, what: Status) {
        let seat = self.seat_mut(side);
        let attached = &mut seat.fighters[usize::from(fighter)].attached;
        let row = match what.row().enhanced {
            Some((talent, enhanced)) if attached.place(talent).is_some() => enhanced.row(),
            _ => what.row(),
        };
        match row.zone {
            Zone::Fighter => arrive(attached, row),
            Zone::Weapon | Zone::Artifact | Zone::Talent => {
                let worn = |slot: &Slot| slot.what.row().zone == row.zone;
                if let Some(old) = attached.as_slice().iter().position(worn) {
                    attached.remove(old);
                    self.tasks.forget(side, Home::Fighter(fighter), old as u8);
                }
                arrive(&mut self.seat_mut(side).fighters[usize::from(fighter)].attached, row);
            }
            Zone::Team => arrive(&mut seat.team, row),
            Zone::Summon => arrive(&mut seat.summons, row),
            Zone::Support => seat.supports.push(Slot { what, n: row.uses, extra: 0 }),
        }
    }

    /// Removes a status.
    pub(super) fn remove(&mut self, side: Side, home: Home, place: u8) {
        let (at, seat) = (usize::from(place), self.seat_mut(side));
        match home {
            Home::Fighter(fighter) => seat.fighters[usize::from(fighter)].attached.remove(at),
            Home::Team => seat.team.remove(at),
            Home::Summons => seat.summons.remove(at),
            Home::Supports => seat.supports.remove(at),
        }
        self.tasks.forget(side, home, place);
    }
}

/// Adds a status to a list, or refreshes the existing one, which may be its weaker form. A
/// refreshed status has no absorbed element yet.
fn arrive<const N: usize>(slots: &mut GeniusSlots<N>, row: &StatusRow) {
    let becomes = |what: Status| what.row().enhanced.map_or(what, |(_, enhanced)| enhanced);
    let is_it = |slot: &Slot| slot.what == row.id || becomes(slot.what) == row.id;
    match slots.as_slice().iter().position(is_it) {
        Some(_) if row.lasts == Lasts::Once => {}
        Some(place) => {
            let slot = &mut slots.as_mut_slice()[place];
            slot.what = row.id;
            slot.n = match row.stacks {
                0 => slot.n.max(row.uses),
                most => (slot.n + row.uses).min(most),
            };
            slot.extra = 0;
        }
        None => slots.push(Slot { what: row.id, n: row.uses, extra: 0 }),
    }
}

/// Spends a use of the status at this place. True if this removes the status.
pub(super) fn spend<const N: usize>(slots: &mut GeniusSlots<N>, place: usize) -> bool {
    let slot = &mut slots.as_mut_slice()[place];
    slot.n = slot.n.saturating_sub(1);
    let is_gone = slot.n == 0 && matches!(slot.what.row().lasts, Lasts::Uses | Lasts::Round);
    if is_gone {
        slots.remove(place);
    }
    is_gone
}

/// Properties of a hit that bonuses depend on.
#[derive(Clone, Copy)]
struct Hits {
    damage: Damage,
    by: Option<u8>,
    to_active: bool,
}

impl Hits {
    /// Sum of the damage bonuses of a list; spends their uses. These statuses have no triggered
    /// rules, so a removed one has no pending task.
    #[inline]
    fn add<const N: usize>(
        self,
        slots: &mut GeniusSlots<N>,
        hp: u8,
        is_worn: impl Fn(Status) -> bool,
    ) -> u8 {
        let (mut more, mut place) = (0, 0);
        while let Some(slot) = slots.as_slice().get(place) {
            let mut is_gone = false;
            for rule in slot.what.row().rules {
                let Rule::Adds(adds) = rule else { continue };
                let counts = adds.kinds & self.damage.bit() != 0
                    && (!adds.skills || self.by.is_some())
                    && (!adds.to_active || self.to_active)
                    && hp >= adds.from_hp
                    && adds.worn.is_none_or(&is_worn);
                if counts {
                    more += adds.amount;
                    is_gone = adds.spends && spend(slots, place);
                    break;
                }
            }
            place += usize::from(!is_gone);
        }
        more
    }
}

/// Damage bonus from the side's summons that have absorbed the element of this damage.
fn taken(seat: &Seat, damage: Damage) -> u8 {
    let Damage::Of(element) = damage else { return 0 };
    let adds = |slot: &Slot| {
        slot.extra == element as u8
            && slot.what.row().rules.iter().any(|rule| matches!(rule, Rule::AddsAsTaken))
    };
    seat.summons.as_slice().iter().filter(|slot| adds(slot)).count() as u8
}

/// Lets summons that wait for the first swirl absorb its element.
fn take_swirl(seat: &mut Seat, element: Element) {
    for slot in seat.summons.as_mut_slice() {
        let takes = slot.what.row().rules.iter().any(|rule| matches!(rule, Rule::TakesSwirl));
        if takes && slot.extra == 0 {
            slot.extra = element as u8;
        }
    }
}

/// Extra damage suffered by a fighter; removes the status.
#[inline]
fn suffered(fighter: &mut Fighter, damage: Damage) -> u8 {
    let found = fighter.attached.as_slice().iter().enumerate().find_map(|(place, slot)| {
        slot.what.row().rules.iter().find_map(|rule| match *rule {
            Rule::Suffers { kinds, amount } if kinds & damage.bit() != 0 => Some((place, amount)),
            _ => None,
        })
    });
    let Some((place, amount)) = found else { return 0 };
    fighter.attached.remove(place);
    amount
}

/// Damage left after the reductions of a status list.
#[inline]
fn protect<const N: usize>(slots: &mut GeniusSlots<N>, mut amount: u8) -> u8 {
    let mut place = 0;
    while let Some(slot) = slots.as_slice().get(place) {
        let stops = slot.what.row().rules.iter().find_map(|rule| match *rule {
            Rule::Lessens { from, by } if amount >= from => Some((by.min(amount), 1)),
            Rule::Absorbs => Some(slot.n.min(amount)).map(|points| (points, points)),
            _ => None,
        });
        let mut is_gone = false;
        if let Some((points, uses)) = stops {
            amount -= points;
            for _ in 0..uses {
                is_gone = spend(slots, place);
            }
        }
        place += usize::from(!is_gone);
    }
    amount
}

impl Fighter {
    /// Clears a defeated fighter.
    pub(super) fn fall(&mut self) {
        self.alive = false;
        self.energy = 0;
        self.skills = 0;
        self.aura = Aura::NONE;
        self.attached = GeniusSlots::default();
    }
}
