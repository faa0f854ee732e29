//! Move generation, costs and payments.

use super::cards::{Card, CardRow, CardTarget};
use super::dice::{Cost, Dice, OMNI, Purse};
use super::effects::{Rule, skill};
use super::lists::MOST_HAND;
use super::state::{FIGHTERS, Fighter, Genius, PLACES, Profile, Seat, Task};
use super::statuses::Status;
use engine::game::{Rng, Side};

/// Target of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// No target.
    Nothing,
    /// A fighter of the side.
    Fighter(u8),
    /// A summon of the side.
    Summon(u8),
    /// A summon of the opponent.
    FoeSummon(u8),
    /// A support of the side, to be replaced.
    Support(u8),
}

impl Target {
    /// Code below 16.
    #[inline]
    fn code(self) -> u16 {
        match self {
            Self::Nothing => 0,
            Self::Fighter(n) => 1 + u16::from(n),
            Self::Summon(n) => 4 + u16::from(n),
            Self::FoeSummon(n) => 8 + u16::from(n),
            Self::Support(n) => 12 + u16::from(n),
        }
    }
}

/// Action of a player or outcome of chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// The active fighter uses the normal attack (0), the elemental skill (1) or the burst (2).
    Skill(u8),
    /// Makes another fighter active.
    Switch(u8),
    /// Plays a card.
    Play(Card, Target),
    /// Discards a card to change a die of this face to the active fighter's element.
    Tune(Card, u8),
    /// Ends the round for the side.
    End,
    /// Makes a fighter active: the first one, or the replacement of a fallen one.
    Choose(u8),
    /// Rerolls these dice.
    Reroll(Dice),
    /// Puts back the cards of the first hand at these places (bits) and draws replacements.
    Redraw(u16),
    /// Chance: a die falls on this face.
    Roll(u8),
    /// Chance: this card is drawn.
    Draw(Card),
}

/// A move: an action, and its payment if it is not the cheapest one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GeniusMove {
    /// The action.
    pub act: Act,
    /// The dice; `None` for the cheapest payment.
    pub dice: Option<Dice>,
}

impl From<Act> for GeniusMove {
    fn from(act: Act) -> Self {
        Self { act, dice: None }
    }
}

impl Act {
    /// Code that identifies the action within a position.
    #[inline]
    pub(super) fn code(self) -> u16 {
        match self {
            Self::Skill(n) => u16::from(n),
            Self::Switch(n) => 0x10 + u16::from(n),
            Self::End => 0x20,
            Self::Choose(n) => 0x30 + u16::from(n),
            Self::Roll(face) => 0x40 + u16::from(face),
            Self::Play(card, target) => 0x4000 + (u16::from(card.0) << 4) + target.code(),
            Self::Tune(card, face) => 0x8000 + (u16::from(card.0) << 3) + u16::from(face),
            Self::Draw(card) => 0xA000 + u16::from(card.0),
            Self::Reroll(dice) => 0xC000 + u16::from(dice.faces()),
            Self::Redraw(places) => 0xD000 + places,
        }
    }
}

impl Act {
    /// The card played by the action with this code.
    pub(super) fn card_of(code: u16) -> Option<Card> {
        (0x4000..0x8000).contains(&code).then(|| Card(((code - 0x4000) >> 4) as u8))
    }

    /// True for the code of a tuning.
    pub(super) fn is_tuning(code: u16) -> bool {
        (0x8000..0xA000).contains(&code)
    }
}

impl Seat {
    /// Cost of a skill of the active fighter.
    #[inline]
    pub(super) fn skill_cost(&self, number: u8) -> Cost {
        let fighter = self.active();
        let skill = &fighter.who.row().skills[usize::from(number)];
        let mut cost = skill.cost;
        if skill.kind == skill::ELEMENTAL
            && let Some((element, count)) = cost.own
        {
            let rules = fighter.attached.as_slice().iter().flat_map(|slot| slot.what.row().rules);
            let is_cheap = |rule: &&Rule| matches!(rule, Rule::CheapSkill { after } if *after == fighter.skills);
            let off = rules.filter(is_cheap).count() as u8;
            cost.own = Some((element, count - off.min(count)));
        }
        cost
    }

    /// Cost of the next switch.
    #[inline]
    pub(super) fn switch_cost(&self) -> Cost {
        Cost::any(
            1 - u8::from(self.switch_rule(|rule| matches!(rule, Rule::CheapSwitch)).is_some()),
        )
    }

    /// First status with such a rule and a use left: (true for a support, place).
    #[inline]
    pub(super) fn switch_rule(&self, wanted: impl Fn(&Rule) -> bool) -> Option<(bool, u8)> {
        let lists = [(false, self.team.as_slice()), (true, self.supports.as_slice())];
        lists.into_iter().find_map(|(is_support, slots)| {
            let found = slots
                .iter()
                .position(|slot| slot.n > 0 && slot.what.row().rules.iter().any(&wanted));
            found.map(|place| (is_support, place as u8))
        })
    }
}

impl Fighter {
    #[inline]
    fn is_stunned(&self) -> bool {
        self.has(Status::Frozen)
    }
}

impl Genius {
    /// Generates the moves of the deciding side.
    pub(super) fn list(&self, side: Side, out: &mut Vec<GeniusMove>) {
        let mut add = |act: Act| out.push(act.into());
        let seat = self.seat(side);
        let places = 0..FIGHTERS;
        match self.tasks.next() {
            Some(Task::Choose(_)) => {
                places.filter(|&place| seat.can_come(place)).map(Act::Choose).for_each(add);
            }
            Some(Task::Lead(_)) => {
                let lives = |place: &u8| seat.fighters[usize::from(*place)].alive;
                places.filter(lives).map(Act::Choose).for_each(add);
            }
            Some(Task::Redraw(_)) => list_redraws(seat, add),
            Some(Task::Reroll(..)) => list_rerolls(seat, add),
            _ => {
                self.list_actions(side, &mut add);
                if let Some(tunings) = self.tunings(side) {
                    tunings.list(seat, add);
                }
            }
        }
    }

    /// Generates all actions except tunings.
    fn list_actions(&self, side: Side, add: &mut impl FnMut(Act)) {
        let seat = self.seat(side);
        let purse = Purse::new(seat.dice);
        list_skills(seat, purse, add);
        self.list_cards(side, purse, add);
        if seat.can_pay(purse, seat.switch_cost()) {
            (0..FIGHTERS)
                .filter(|&place| seat.can_come(place))
                .map(Act::Switch)
                .for_each(&mut *add);
        }
        add(Act::End);
    }

    /// Random move of the deciding side, uniformly distributed.
    #[inline]
    pub(super) fn pick(
        &self,
        side: Side,
        rng: &mut Rng,
        scratch: &mut Vec<GeniusMove>,
    ) -> Option<GeniusMove> {
        scratch.clear();
        let tunings = match self.tasks.next() {
            None => {
                self.list_actions(side, &mut |act| scratch.push(act.into()));
                self.tunings(side)
            }
            Some(_) => {
                self.list(side, scratch);
                None
            }
        };
        let all = scratch.len() + tunings.map_or(0, Tunings::count);
        if all == 0 {
            return None;
        }
        let n = rng.below(all);
        let tuning =
            || tunings.map(|tunings| tunings.nth(self.seat(side), n - scratch.len()).into());
        scratch.get(n).copied().or_else(tuning)
    }

    /// Tunable cards and dice.
    #[inline]
    fn tunings(&self, side: Side) -> Option<Tunings> {
        let seat = self.seat(side);
        let own = seat.active().who.row().element as u8;
        let faces = seat.dice.faces() & !(1 << OMNI) & !(1 << own);
        let cards = seat.hand.kinds();
        let exist = self.profile == Profile::Full && faces != 0 && cards != 0;
        exist.then_some(Tunings { faces, cards })
    }

    fn list_cards(&self, side: Side, purse: Purse, add: &mut impl FnMut(Act)) {
        let seat = self.seat(side);
        let mut last = None;
        for &card in seat.hand.as_slice() {
            let row = card.row();
            if last != Some(card) && seat.can_pay(purse, row.cost) {
                self.targets(side, row, |target| add(Act::Play(card, target)));
            }
            last = Some(card);
        }
    }

    /// Enumerates the legal targets of a card.
    #[inline]
    pub(super) fn targets(&self, side: Side, row: &CardRow, mut add: impl FnMut(Target)) {
        let seat = self.seat(side);
        let fighters = |fits: &dyn Fn(&Fighter) -> bool, add: &mut dyn FnMut(Target)| {
            for (place, fighter) in (0..).zip(&seat.fighters) {
                if fighter.alive && fits(fighter) {
                    add(Target::Fighter(place));
                }
            }
        };
        let is_hungry = |fighter: &Fighter| !fighter.has(Status::Satiated);
        match row.aim {
            CardTarget::Company if !(0..FIGHTERS).any(|place| seat.can_come(place)) => {}
            CardTarget::Support if seat.supports.is_full() => {
                (0..PLACES as u8).map(Target::Support).for_each(add);
            }
            CardTarget::Nothing | CardTarget::Company | CardTarget::Support => add(Target::Nothing),
            CardTarget::Tired => {
                let active = seat.active();
                if active.energy < active.who.row().energy {
                    add(Target::Fighter(seat.active));
                }
            }
            CardTarget::Hurt => {
                fighters(&|f| f.hp < super::characters::MOST_HP && is_hungry(f), &mut add);
            }
            CardTarget::Hungry => fighters(&is_hungry, &mut add),
            CardTarget::Armed(weapon) => fighters(&|f| f.who.row().weapon == weapon, &mut add),
            CardTarget::Anybody => fighters(&|_| true, &mut add),
            CardTarget::Talent(name) => {
                let active = seat.active();
                if active.who.name() == name && !active.is_stunned() {
                    add(Target::Fighter(seat.active));
                }
            }
            CardTarget::Named(name) => {
                fighters(&|f| f.who.name() == name && !f.is_stunned(), &mut add);
            }
            CardTarget::Summon => (0..seat.summons.len()).map(Target::Summon).for_each(add),
            CardTarget::FoeSummon => {
                let opponent = self.seat(side.other());
                (0..opponent.summons.len()).map(Target::FoeSummon).for_each(add);
            }
        }
    }

    /// Cost of an action, in dice and energy.
    pub(super) fn cost(&self, side: Side, act: Act) -> Cost {
        let seat = self.seat(side);
        match act {
            Act::Skill(number) => seat.skill_cost(number),
            Act::Switch(_) => seat.switch_cost(),
            Act::Play(card, _) => card.row().cost,
            _ => Cost::FREE,
        }
    }

    /// The dice that pay for a move.
    #[inline]
    pub(super) fn payment(&self, side: Side, mv: GeniusMove) -> Dice {
        let seat = self.seat(side);
        mv.dice.unwrap_or_else(|| self.cost(side, mv.act).payment(seat.dice, seat.need()))
    }
}

/// Reasonable rerolls: all dice except omni and a subset of the elements present, from the empty
/// subset to the elements of no fighter of the side.
fn list_rerolls(seat: &Seat, mut add: impl FnMut(Act)) {
    let need = seat.need();
    let omni = 1 << OMNI;
    let kept = [!0, omni | need.team, omni | need.active.bit(), omni, 0];
    for (n, &faces) in kept.iter().enumerate() {
        let rolled = seat.dice.only(!faces);
        if kept[..n].iter().all(|&earlier| seat.dice.only(!earlier) != rolled) {
            add(Act::Reroll(rolled));
        }
    }
}

/// All choices of cards to put back; equal cards only by count.
fn list_redraws(seat: &Seat, add: impl FnMut(Act)) {
    let hand = seat.hand.as_slice();
    let is_first_choice = |places: &u16| {
        (1..hand.len()).all(|n| {
            // Equal cards: those in front first.
            hand[n] != hand[n - 1] || places >> n & 1 == 0 || places >> (n - 1) & 1 == 1
        })
    };
    debug_assert!(hand.len() <= MOST_HAND, "a hand has its limit");
    (0..1_u16 << hand.len()).filter(is_first_choice).map(Act::Redraw).for_each(add);
}

fn list_skills(seat: &Seat, purse: Purse, add: &mut impl FnMut(Act)) {
    if !seat.active().is_stunned() {
        let payable = (0..3).filter(|&number| seat.can_pay(purse, seat.skill_cost(number)));
        payable.map(Act::Skill).for_each(add);
    }
}

/// The tunings of a position: each card kind in the hand with each convertible face.
#[derive(Clone, Copy)]
struct Tunings {
    /// Faces, as a set.
    faces: u8,
    /// Places in the hand of the first card of each kind, as a set.
    cards: u16,
}

impl Tunings {
    #[inline]
    fn count(self) -> usize {
        (self.faces.count_ones() * self.cards.count_ones()) as usize
    }

    fn list(self, seat: &Seat, mut add: impl FnMut(Act)) {
        (0..self.count()).for_each(|n| add(self.nth(seat, n)));
    }

    #[inline]
    fn nth(self, seat: &Seat, n: usize) -> Act {
        let faces = self.faces.count_ones() as usize;
        let card = place(self.cards.into(), n / faces);
        Act::Tune(seat.hand.as_slice()[card], place(self.faces.into(), n % faces) as u8)
    }
}

/// Index of the n-th set bit, counted from 0.
#[inline]
fn place(mut set: u32, n: usize) -> usize {
    (0..n).for_each(|_| set &= set - 1);
    set.trailing_zeros() as usize
}
