//! Resolution of pending tasks, up to a choice, a chance event, or the next action of a player.

use super::apply::Source;
use super::damage::spend;
use super::effects::{Effect, Rule, When, skill};
use super::lists::{GeniusSlots, Slot};
use super::state::{FIGHTERS, Genius, Home, Task};
use super::statuses::{Lasts, Status};
use engine::game::{Outcome, Side};

impl Genius {
    /// Resolves tasks until a decision or a chance event is needed.
    pub(super) fn run(&mut self) {
        while self.outcome.is_none() {
            let Some(task) = self.tasks.next() else { return };
            if self.waits_for(task) {
                return;
            }
            self.tasks.pop();
            self.carry_out(task);
        }
        self.tasks.clear();
    }

    /// True if a task needs a player or chance.
    fn waits_for(&mut self, task: Task) -> bool {
        match task {
            Task::Redraw(_) | Task::Lead(_) | Task::Choose(_) | Task::Reroll(..) => true,
            Task::Roll(_, count) => count > 0,
            Task::Draw(side, count) => {
                let seat = self.seat(side);
                count > 0 && seat.shuffled && seat.deck.len() > 0
            }
            _ => false,
        }
    }

    fn carry_out(&mut self, task: Task) {
        match task {
            // A roll of no dice is complete; the others wait for a player.
            Task::Redraw(_)
            | Task::Lead(_)
            | Task::Choose(_)
            | Task::Reroll(..)
            | Task::Roll(..) => {}
            Task::Age => self.age(),
            Task::Begin(side) => self.call(side, When::Begin, 0, 0),
            Task::Act(side, home, place, rule) => self.act(side, home, place, rule),
            Task::Defeats(side) => self.defeats(side),
            Task::Switched(side) => self.call(side, When::Switch, 0, 0),
            Task::Cast(side, number, is_armed) => self.cast(side, number, is_armed),
            Task::Stiletto(side, user, is_played) => self.stiletto(side, user, is_played),
            Task::AfterSkill(side, kinds, user) => {
                self.call(side, When::Skill(kinds & 0xF), user, kinds >> 4);
            }
            Task::Draw(side, count) => self.draw(side, count),
            Task::Pass(side) => {
                let opponent = side.other();
                self.mover = if self.seat(opponent).ended { side } else { opponent };
            }
            Task::End(side) => self.call(side, When::End, 0, 0),
            Task::NextRound => self.next_round(),
        }
    }

    fn draw(&mut self, side: Side, count: u8) {
        for _ in 0..count {
            if let Some(card) = self.seat_mut(side).deck.take_first() {
                self.seat_mut(side).receive(card);
            }
        }
    }

    /// Uses a skill of the active fighter, already paid for.
    fn cast(&mut self, side: Side, number: u8, is_armed: bool) {
        let user = self.seat(side).active;
        let fighter = &mut self.seat_mut(side).fighters[usize::from(user)];
        let skill = &fighter.who.row().skills[usize::from(number)];
        let is_elemental = skill.kind == skill::ELEMENTAL;
        fighter.skills += u8::from(is_elemental);
        self.dendro_reacted = false;
        let source = Source { side, user, is_skill: true, place: 0, is_armed };
        for effect in skill.effects {
            self.apply(effect, source);
        }
        if skill.kind != skill::BURST {
            self.seat_mut(side).fighters[usize::from(user)].charge(1);
        }
        let reacted = if self.dendro_reacted { skill::DENDRO_REACTION } else { 0 };
        self.tasks.push(Task::AfterSkill(side, skill.kind | reacted | number << 4, user));
        self.solve_payoff(side);
    }

    /// After an effect: handles defeats first, then triggers on a change of the active fighter.
    pub(super) fn solve_payoff(&mut self, side: Side) {
        for side in [side.other(), side] {
            if self.moved >> side.index() & 1 == 1 {
                self.tasks.push(Task::Switched(side));
            }
        }
        self.moved = 0;
        self.tasks.push(Task::Defeats(side));
    }

    /// Triggers the statuses of a side that react to an event. After a skill, `user` is the fighter
    /// and `number` the skill.
    fn call(&mut self, side: Side, when: When, user: u8, number: u8) {
        let Self { seats, tasks, .. } = self;
        let seat = &seats[side.index()];
        let created = match when {
            When::Skill(_) => {
                let row = seat.fighters[usize::from(user)].who.row();
                row.skills[usize::from(number)].effects
            }
            _ => &[],
        };
        // A status created by a skill does not spend a use on the same skill.
        let is_new = |slot: &Slot| {
            slot.what.row().lasts == Lasts::Uses
                && created
                    .iter()
                    .any(|effect| matches!(effect, Effect::Create(s) if *s == slot.what))
        };
        // In reverse order: the last task pushed is executed first.
        let mut note = |home, slots: &[Slot]| {
            for (place, slot) in (0..slots.len() as u8).zip(slots).rev() {
                if let Some(rule) = answer(slot, when)
                    && !is_new(slot)
                {
                    tasks.push(Task::Act(side, home, place, rule));
                }
            }
        };
        note(Home::Supports, seat.supports.as_slice());
        note(Home::Summons, seat.summons.as_slice());
        note(Home::Team, seat.team.as_slice());
        for step in (0..FIGHTERS).rev() {
            let place = (seat.active + step) % FIGHTERS;
            if !matches!(when, When::Skill(_)) || place == user {
                let attached = &seat.fighters[usize::from(place)].attached;
                note(Home::Fighter(place), attached.as_slice());
            }
        }
    }

    fn slots(&self, side: Side, home: Home) -> &[Slot] {
        let seat = self.seat(side);
        match home {
            Home::Fighter(fighter) => seat.fighters[usize::from(fighter)].attached.as_slice(),
            Home::Team => seat.team.as_slice(),
            Home::Summons => seat.summons.as_slice(),
            Home::Supports => seat.supports.as_slice(),
        }
    }

    pub(super) fn slot(&self, side: Side, home: Home, place: u8) -> Option<Slot> {
        self.slots(side, home).get(usize::from(place)).copied()
    }

    fn place(&self, side: Side, home: Home, what: Status) -> Option<u8> {
        let place = self.slots(side, home).iter().position(|slot| slot.what == what);
        place.map(|place| place as u8)
    }

    /// Executes one rule of a status; spends a use afterwards.
    fn act(&mut self, side: Side, home: Home, place: u8, rule: u8) {
        let Some(slot) = self.slot(side, home, place) else { return };
        let rule = slot.what.row().rules.get(usize::from(rule));
        let Some(Rule::On { effect, spends, .. }) = rule else { return };
        if *spends && slot.n == 0 {
            return;
        }
        let user = match home {
            Home::Fighter(fighter) => fighter,
            _ => self.seat(side).active,
        };
        // A heal without effect does not spend a use.
        let hp = self.seat(side).fighters[usize::from(user)].hp;
        if matches!(effect, Effect::HealUpTo { hp: most, .. } if hp > *most) {
            return;
        }
        self.apply(effect, Source { side, user, is_skill: false, place, is_armed: false });
        if *spends {
            // The effect may have shifted the status; kinds are unique except among supports.
            let place = match home {
                Home::Supports => Some(place),
                _ => self.place(side, home, slot.what),
            };
            if let Some(place) = place {
                self.spend(side, home, place);
            }
        }
        self.solve_payoff(side);
    }

    /// Spends a use of a status.
    pub(super) fn spend(&mut self, side: Side, home: Home, place: u8) {
        fn of<const N: usize>(slots: &mut GeniusSlots<N>, place: u8) -> bool {
            spend(slots, usize::from(place))
        }
        let seat = self.seat_mut(side);
        let is_gone = match home {
            Home::Fighter(fighter) => of(&mut seat.fighters[usize::from(fighter)].attached, place),
            Home::Team => of(&mut seat.team, place),
            Home::Summons => of(&mut seat.summons, place),
            Home::Supports => of(&mut seat.supports, place),
        };
        if is_gone {
            self.tasks.forget(side, home, place);
        }
    }

    /// Handles fighters without hit points, those of `side` first.
    fn defeats(&mut self, side: Side) {
        let (mut to_choose, mut fallen) = ([None; 2], [0; 2]);
        for (n, side) in [side, side.other()].into_iter().enumerate() {
            for place in 0..FIGHTERS {
                let fighter = &mut self.seat_mut(side).fighters[usize::from(place)];
                if fighter.alive && fighter.hp == 0 {
                    fighter.fall();
                    self.tasks.forget_all(side, Home::Fighter(place));
                    fallen[n] += 1;
                    if place == self.seat(side).active {
                        to_choose[n] = Some(side);
                    }
                }
            }
        }
        for side in [side, side.other()] {
            if self.seat(side).fighters.iter().all(|fighter| !fighter.alive) {
                self.outcome = Some(Outcome::Win(side.other()));
                return;
            }
        }
        for (side, count) in [side, side.other()].into_iter().zip(fallen) {
            (0..count).for_each(|_| self.knocked_out_by(side.other()));
        }
        for side in to_choose.into_iter().rev().flatten() {
            self.tasks.push(Task::Choose(side));
        }
    }

    /// Triggers the statuses on the active fighter of this side after a knockout of an opponent.
    fn knocked_out_by(&mut self, side: Side) {
        let user = self.seat(side).active;
        let attached = self.seat(side).active().attached;
        for (place, slot) in (0..).zip(attached.as_slice()) {
            if slot.n > 0
                && let Some(rule) = answer(slot, When::KnockOut)
                && let Rule::On { effect, .. } = &slot.what.row().rules[usize::from(rule)]
            {
                self.spend(side, Home::Fighter(user), place);
                self.apply(effect, Source { side, user, is_skill: false, place, is_armed: false });
            }
        }
    }
}

/// Index of the rule that reacts to an event.
#[inline]
fn answer(slot: &Slot, event: When) -> Option<u8> {
    let rules = slot.what.row().rules;
    let place = rules.iter().position(|rule| match (rule, event) {
        (Rule::On { when: When::Skill(kinds), .. }, When::Skill(kind)) => kinds & kind != 0,
        (Rule::On { when, .. }, event) => *when == event,
        _ => false,
    });
    place.map(|place| place as u8)
}
