//! Application of card, skill and status effects.

use std::cmp::Reverse;

use super::cards::LIGHTNING_STILETTO;
use super::damage::Blow;
use super::dice::{Dice, FACES, OMNI};
use super::effects::Effect;
use super::elements::{Damage, Element};
use super::state::{FIGHTERS, Fighter, Genius, Home, Profile, Task};
use super::statuses::{MOST_USES, Status};
use engine::game::Side;

/// Source of an effect.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    pub(super) side: Side,
    /// The fighter that uses the skill, or the target fighter of a card.
    pub(super) user: u8,
    /// True for a skill.
    pub(super) is_skill: bool,
    /// Place of the card's target, or of the acting status.
    pub(super) place: u8,
    /// True if the skill was used by playing a Lightning Stiletto.
    pub(super) is_armed: bool,
}

impl Genius {
    pub(super) fn hit(&mut self, source: Source, damage: Damage, amount: u8) {
        let target = self.seat(source.side.other()).active;
        let by = source.is_skill.then_some(source.user);
        self.strike(Blow { side: source.side, by, damage, amount, target });
    }

    /// Applies an effect.
    pub(super) fn apply(&mut self, effect: &Effect, source: Source) {
        let Source { side, user, .. } = source;
        match *effect {
            Effect::Hit(damage, amount) => self.hit(source, damage, amount),
            Effect::HitNth { damage, amount, nth, more } => {
                let used = self.seat(side).fighters[usize::from(user)].skills;
                self.hit(source, damage, amount + if used == nth { more } else { 0 });
            }
            Effect::HitBeside { damage, amount, status, more } => {
                let is_there = self.seat(side).team.place(status).is_some();
                self.hit(source, damage, amount + if is_there { more } else { 0 });
            }
            Effect::HitAsTaken(amount) => {
                let summon = self.slot(side, Home::Summons, source.place);
                let taken = summon.and_then(|slot| Element::of_face(slot.extra));
                self.hit(source, Damage::Of(taken.unwrap_or(Element::Anemo)), amount);
            }
            Effect::HitBySummon { summon, damage, amount } => {
                if let Some(place) = self.seat(side).summons.place(summon) {
                    self.spend(side, Home::Summons, place as u8);
                    self.hit(source, damage, amount);
                }
            }
            Effect::PierceOthers(amount) => {
                let target = self.seat(side.other()).active;
                let damage = Damage::Piercing;
                self.strike_others(Blow { side, by: None, damage, amount, target });
            }
            // Whom this skill has just felled is not defeated yet: he comes in, and falls. The recorded games of
            // the core profile know the living only.
            Effect::PushBack => {
                let is_core = self.profile == Profile::Core;
                let may_come = |fighter: &Fighter| fighter.alive && (fighter.hp > 0 || !is_core);
                self.shove(side.other(), FIGHTERS - 1, may_come);
            }
            Effect::Create(status) => self.create(side, user, status),
            Effect::IfEquipped(status, effect) => {
                if self.seat(side).fighters[usize::from(user)].has(status) {
                    self.apply(effect, source);
                }
            }
            _ => self.provide(effect, source),
        }
    }

    /// Applies an effect that deals no damage.
    fn provide(&mut self, effect: &Effect, source: Source) {
        let Source { side, user, place, .. } = source;
        let seat = self.seat_mut(side);
        let fighter = &mut seat.fighters[usize::from(user)];
        match *effect {
            Effect::Heal(amount) => fighter.heal(amount),
            Effect::HealUpTo { hp, amount } if fighter.hp <= hp => fighter.heal(amount),
            Effect::Energy(amount) => fighter.charge(amount),
            Effect::Omni(count) => seat.dice.gain(OMNI, count),
            Effect::Draw(count) => self.tasks.push(Task::Draw(side, count)),
            Effect::Rerolls(count) => self.tasks.push(Task::Reroll(side, count)),
            Effect::Prolong(uses) => {
                let slot = &mut seat.summons.as_mut_slice()[usize::from(place)];
                slot.n = (slot.n + uses).min(MOST_USES);
            }
            Effect::Shorten(uses) => self.shorten(side.other(), place, uses),
            Effect::Stiletto if source.is_armed || seat.hand.holds(LIGHTNING_STILETTO) => {
                self.tasks.push(Task::Stiletto(side, user, source.is_armed));
            }
            Effect::Stiletto => seat.receive(LIGHTNING_STILETTO),
            Effect::Cast(number) => {
                if seat.active != user {
                    seat.active = user;
                    self.moved |= 1 << side.index();
                }
                self.tasks.push(Task::Cast(side, number, source.is_armed));
            }
            Effect::CollectUnlike(most) => self.collect(side, place, most),
            Effect::PayOut(full) if seat.supports.as_slice()[usize::from(place)].n >= full => {
                seat.dice.gain(OMNI, 2);
                self.remove(side, Home::Supports, place);
                self.tasks.push(Task::Draw(side, 2));
            }
            Effect::KeepDice => self.keep_dice(side, place),
            Effect::ReturnDice => {
                let slot = &mut seat.supports.as_mut_slice()[usize::from(place)];
                for kept in [slot.extra & 0xF, slot.extra >> 4] {
                    if kept > 0 {
                        seat.dice.gain(kept - 1, 1);
                    }
                }
                (slot.n, slot.extra) = (0, 0);
            }
            _ => {}
        }
    }

    /// Removes uses from a summon; at 0 the summon leaves.
    fn shorten(&mut self, side: Side, place: u8, uses: u8) {
        let slot = &mut self.seat_mut(side).summons.as_mut_slice()[usize::from(place)];
        slot.n = slot.n.saturating_sub(uses);
        if slot.n == 0 {
            self.remove(side, Home::Summons, place);
        }
    }

    /// After Keqing's skill: spends her card (from the hand, or the one just played) for an
    /// infusion, if she is alive.
    pub(super) fn stiletto(&mut self, side: Side, user: u8, is_played: bool) {
        let seat = self.seat_mut(side);
        let stands = seat.fighters[usize::from(user)].alive;
        if stands && (is_played || seat.hand.take(LIGHTNING_STILETTO)) {
            self.create(side, user, Status::ElectroInfusion);
        }
    }

    /// Moves unspent dice to a support: one per element, most frequent first, with omni for missing
    /// elements.
    fn collect(&mut self, side: Side, place: u8, most: u8) {
        let seat = self.seat_mut(side);
        let slot = &mut seat.supports.as_mut_slice()[usize::from(place)];
        let held = seat.dice;
        let mut faces: [u8; FACES as usize - 1] = std::array::from_fn(|n| n as u8 + 1);
        faces.sort_by_key(|&face| Reverse(held.count(face)));
        let unlike = faces.map(|face| (face, held.count(face).min(1)));
        for (face, count) in unlike.into_iter().chain([(OMNI, held.count(OMNI))]) {
            let taken = count.min(most - slot.n);
            seat.dice = seat.dice.minus(Dice::of(face, taken));
            slot.n += taken;
        }
    }

    /// Moves the two most needed unspent dice to a support.
    fn keep_dice(&mut self, side: Side, place: u8) {
        let need = self.seat(side).need();
        let seat = self.seat_mut(side);
        let slot = &mut seat.supports.as_mut_slice()[usize::from(place)];
        while slot.n < 2
            && let Some(face) = seat.dice.most_needed(need)
        {
            seat.dice = seat.dice.minus(Dice::of(face, 1));
            slot.extra |= (face + 1) << (4 * slot.n);
            slot.n += 1;
        }
    }
}
