use super::apply::Source;
use super::cards::{Card, LIGHTNING_STILETTO};
use super::dice::Dice;
use super::effects::Rule;
use super::info::{GeniusChance, GeniusView};
use super::moves::{Act, GeniusMove, Target};
use super::state::{Genius, Home, Seat, Task};
use engine::game::{Game, History, Rng, Side, Turn};

impl Genius {
    /// The deciding side.
    #[inline]
    pub(super) fn decider(&self) -> Side {
        match self.tasks.next() {
            Some(
                Task::Redraw(side) | Task::Lead(side) | Task::Choose(side) | Task::Reroll(side, _),
            ) => side,
            _ => self.mover,
        }
    }

    /// Applies the answer to the pending task.
    fn answer(&mut self, act: Act) {
        let side = self.decider();
        match (self.tasks.next(), act) {
            (Some(Task::Roll(side, count)), Act::Roll(face)) => {
                self.seat_mut(side).dice.gain(face, 1);
                self.count_down(Task::Roll(side, count - 1), count);
            }
            (Some(Task::Draw(side, count)), Act::Draw(card)) => {
                let seat = self.seat_mut(side);
                seat.deck.take(card);
                seat.receive(card);
                self.count_down(Task::Draw(side, count - 1), count);
            }
            (Some(Task::Reroll(_, times)), Act::Reroll(dice)) => {
                self.count_down(Task::Reroll(side, times - 1), times);
                let seat = self.seat_mut(side);
                seat.dice = seat.dice.minus(dice);
                self.tasks.push(Task::Roll(side, dice.total()));
            }
            (Some(Task::Choose(_)), Act::Choose(place)) => {
                self.tasks.pop();
                self.seat_mut(side).active = place;
                self.tasks.push(Task::Switched(side));
            }
            (Some(Task::Lead(_)), Act::Choose(place)) => {
                self.tasks.pop();
                self.seat_mut(side).active = place;
            }
            (Some(Task::Redraw(_)), Act::Redraw(places)) => {
                self.tasks.pop();
                self.redraw(side, places);
            }
            _ => {}
        }
    }

    fn count_down(&mut self, left: Task, count: u8) {
        if count == 1 {
            self.tasks.pop();
        } else {
            self.tasks.replace_next(left);
        }
    }

    /// Puts cards back under the deck and draws the same number.
    fn redraw(&mut self, side: Side, places: u16) {
        let seat = self.seat_mut(side);
        let hand = seat.hand;
        for (n, &card) in hand.as_slice().iter().enumerate() {
            if places >> n & 1 == 1 {
                seat.hand.take(card);
                if seat.shuffled {
                    seat.deck.insert(card);
                } else {
                    seat.deck.push(card);
                }
            }
        }
        self.tasks.push(Task::Draw(side, places.count_ones() as u8));
    }

    /// Executes an action of the action phase.
    fn act_out(&mut self, side: Side, mv: GeniusMove) {
        let paid = self.payment(side, mv);
        let cost = self.cost(side, mv.act);
        let seat = self.seat_mut(side);
        let active = usize::from(seat.active);
        seat.dice = seat.dice.minus(paid);
        seat.fighters[active].energy -= cost.energy;
        match mv.act {
            Act::Skill(number) => {
                self.tasks.push(Task::Pass(side));
                self.tasks.push(Task::Cast(side, number, false));
            }
            Act::Switch(place) => self.switch(side, place),
            Act::Play(card, target) => {
                seat.hand.take(card);
                self.play_card(side, card, target);
            }
            Act::Tune(card, face) => {
                seat.hand.take(card);
                let own = seat.active().who.row().element as u8;
                seat.dice = seat.dice.minus(Dice::of(face, 1)).plus(Dice::of(own, 1));
            }
            Act::End => self.declare_end(side),
            _ => {}
        }
    }

    fn switch(&mut self, side: Side, place: u8) {
        self.use_up(side, |rule| matches!(rule, Rule::CheapSwitch));
        let is_quick = self.use_up(side, |rule| matches!(rule, Rule::QuickSwitch));
        if !is_quick {
            self.tasks.push(Task::Pass(side));
        }
        self.seat_mut(side).active = place;
        self.tasks.push(Task::Switched(side));
    }

    /// Spends a use of a switch rule. True if there is one.
    fn use_up(&mut self, side: Side, wanted: impl Fn(&Rule) -> bool) -> bool {
        let Some((is_support, place)) = self.seat(side).switch_rule(wanted) else { return false };
        let home = if is_support { Home::Supports } else { Home::Team };
        self.spend(side, home, place);
        true
    }

    fn play_card(&mut self, side: Side, card: Card, target: Target) {
        let row = card.row();
        if row.is_combat {
            self.tasks.push(Task::Pass(side));
        }
        let (user, place) = match target {
            Target::Nothing => (self.seat(side).active, 0),
            Target::Fighter(user) => (user, 0),
            Target::Summon(place) | Target::FoeSummon(place) => (self.seat(side).active, place),
            Target::Support(place) => {
                self.remove(side, Home::Supports, place);
                (self.seat(side).active, 0)
            }
        };
        let is_armed = card == LIGHTNING_STILETTO;
        for effect in row.effects {
            self.apply(effect, Source { side, user, is_skill: false, place, is_armed });
        }
        self.solve_payoff(side);
    }
}

impl Game for Genius {
    type Move = GeniusMove;
    type Chance = GeniusChance;
    type Info = GeniusView;

    #[inline]
    fn turn(&self) -> Turn<GeniusChance> {
        if let Some(outcome) = self.outcome {
            return Turn::Over(outcome);
        }
        match self.tasks.next() {
            Some(Task::Roll(..)) => Turn::Chance(GeniusChance::Die),
            Some(Task::Draw(side, _)) => Turn::Chance(GeniusChance::Card(side)),
            _ => Turn::Of(self.decider()),
        }
    }

    fn moves(&self, out: &mut Vec<GeniusMove>) {
        if let Turn::Of(side) = self.turn() {
            self.list(side, out);
        }
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng, scratch: &mut Vec<GeniusMove>) -> Option<GeniusMove> {
        self.pick(self.decider(), rng, scratch)
    }

    fn play(&mut self, mv: GeniusMove) {
        match self.tasks.next() {
            None => self.act_out(self.mover, mv),
            Some(_) => self.answer(mv.act),
        }
        self.run();
    }

    fn hash(&self) -> u64 {
        super::hash::of(self)
    }

    #[inline]
    fn move_code(mv: GeniusMove) -> u16 {
        mv.act.code()
    }
}

impl Seat {
    /// Sorts the piles whose order is irrelevant: the hand and, if shuffled, the deck.
    pub(super) fn sort_piles(&mut self) {
        self.hand.sort();
        if self.shuffled {
            self.deck.sort();
        }
    }
}

impl History for Genius {}
