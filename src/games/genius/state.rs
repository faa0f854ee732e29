//! A position: what lies on the table, and what is still to happen before somebody may act.

use super::cards::Card;
use super::characters::{Character, MOST_HP};
use super::dice::{Cost, Dice, Need, Purse};
use super::elements::Aura;
use super::lists::{DECK, GeniusSlots, MOST_HAND, Pile};
use super::spare::Spare;
use super::statuses::Status;
use crate::game::{Outcome, Side};

/// Fighters of a side.
pub(super) const FIGHTERS: u8 = 3;
/// The round after which nobody has won.
pub(super) const LAST_ROUND: u8 = 15;
/// Dice of a side at the start of a round.
pub(super) const DICE_A_ROUND: u8 = 8;
/// The most summons, and the most supports.
pub(super) const PLACES: usize = 4;

/// Which game is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// The whole game.
    Full,
    /// All dice are omni, without rerolls and cards.
    Core,
}

/// A fighter on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fighter {
    pub(super) who: Character,
    pub(super) hp: u8,
    pub(super) energy: u8,
    /// Until his defeat is dealt with, even at 0 hit points.
    pub(super) alive: bool,
    pub(super) aura: Aura,
    /// Elemental skills used in this round.
    pub(super) skills: u8,
    pub(super) attached: GeniusSlots<8>,
}

impl Fighter {
    pub(super) fn new(who: Character) -> Self {
        Self {
            who,
            hp: MOST_HP,
            energy: 0,
            alive: true,
            aura: Aura::NONE,
            skills: 0,
            attached: GeniusSlots::default(),
        }
    }

    #[inline]
    pub(super) fn has(&self, what: Status) -> bool {
        self.attached.place(what).is_some()
    }

    pub(super) fn heal(&mut self, amount: u8) {
        if self.alive && self.hp > 0 {
            self.hp = (self.hp + amount).min(MOST_HP);
        }
    }

    pub(super) fn charge(&mut self, amount: u8) {
        self.energy = (self.energy + amount).min(self.who.row().energy);
    }
}

/// A side of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seat {
    pub(super) fighters: [Fighter; FIGHTERS as usize],
    pub(super) active: u8,
    pub(super) ended: bool,
    /// Whether nobody knows the order of the deck: then a draw is chance.
    pub(super) shuffled: bool,
    /// Whether the hand was never shown: it and the deck are one of many ways to deal.
    pub(super) unseen: bool,
    pub(super) dice: Dice,
    pub(super) team: GeniusSlots<12>,
    pub(super) summons: GeniusSlots<PLACES>,
    pub(super) supports: GeniusSlots<PLACES>,
    pub(super) hand: Pile<MOST_HAND>,
    /// The top first, or in the order of cards where it is shuffled.
    pub(super) deck: Pile<DECK>,
    /// Cards that might be in hand or deck in place of those that are.
    pub(super) spare: Spare,
}

impl Seat {
    pub(super) fn new(team: [Character; 3]) -> Self {
        Self {
            fighters: team.map(Fighter::new),
            active: 0,
            ended: false,
            shuffled: false,
            unseen: false,
            dice: Dice::NONE,
            team: GeniusSlots::default(),
            summons: GeniusSlots::default(),
            supports: GeniusSlots::default(),
            hand: Pile::default(),
            deck: Pile::default(),
            spare: Spare::default(),
        }
    }

    #[inline]
    pub(super) fn active(&self) -> &Fighter {
        &self.fighters[usize::from(self.active)]
    }

    /// A fighter that can be chosen to be active: alive and not so now.
    #[inline]
    pub(super) fn can_come(&self, place: u8) -> bool {
        place != self.active && self.fighters[usize::from(place)].alive
    }

    /// The next living fighter after the active one, `step` 1 for the next and 2 for the previous.
    #[inline]
    pub(super) fn neighbour(&self, step: u8) -> Option<u8> {
        let places = [(self.active + step) % FIGHTERS, (self.active + 2 * step) % FIGHTERS];
        places.into_iter().find(|&place| self.fighters[usize::from(place)].hp > 0)
    }

    /// What this side needs dice for.
    #[inline]
    pub(super) fn need(&self) -> Need {
        let living = self.fighters.iter().filter(|fighter| fighter.alive);
        Need {
            active: self.active().who.row().element,
            team: living.fold(0, |set, fighter| set | fighter.who.row().element.bit()),
        }
    }

    #[inline]
    pub(super) fn can_pay(&self, purse: Purse, cost: Cost) -> bool {
        self.active().energy >= cost.energy && purse.pays(cost)
    }

    /// A card comes into the hand; beyond the tenth it is lost.
    pub(super) fn receive(&mut self, card: Card) {
        self.hand.insert(card);
    }
}

/// Where a status lies, for what is to act later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// With this fighter.
    Fighter(u8),
    Team,
    Summons,
    Supports,
}

/// Something that is to happen. The last of the list happens first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// The side puts back cards of its first hand and draws as many.
    Redraw(Side),
    /// The side names its first active fighter.
    Lead(Side),
    /// So many dice are to be rolled.
    Roll(Side, u8),
    /// The side may roll dice anew, so many times.
    Reroll(Side, u8),
    /// What lasted for the last round ends.
    Age,
    /// What acts when the actions begin.
    Begin(Side),
    /// The status at this place acts by the rule of this number.
    Act(Side, Home, u8, u8),
    /// Defeats are dealt with, those of this side first.
    Defeats(Side),
    /// The side names a new active fighter.
    Choose(Side),
    /// The side has another active fighter.
    Switched(Side),
    /// The active fighter uses the skill of this number, which is paid for; whether by a Lightning
    /// Stiletto.
    Cast(Side, u8, bool),
    /// Keqing's card is spent for an infusion of this fighter; whether it was played.
    Stiletto(Side, u8, bool),
    /// A skill is over: its kinds and, from the fifth bit on, its number; and who used it.
    AfterSkill(Side, u8, u8),
    /// Cards are drawn.
    Draw(Side, u8),
    /// A combat action of this side is over.
    Pass(Side),
    /// The end phase of this side.
    End(Side),
    /// The round is over.
    NextRound,
}

/// The most that can be waiting at a time.
pub(super) const MOST_TASKS: usize = 36;

/// What is still to happen, the next at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tasks {
    len: u8,
    tasks: [Task; MOST_TASKS],
}

impl Default for Tasks {
    fn default() -> Self {
        Self { len: 0, tasks: [Task::NextRound; MOST_TASKS] }
    }
}

impl Tasks {
    #[inline]
    pub(super) fn next(&self) -> Option<Task> {
        self.as_slice().last().copied()
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[Task] {
        &self.tasks[..usize::from(self.len)]
    }

    #[inline]
    pub(super) fn push(&mut self, task: Task) {
        self.tasks[usize::from(self.len)] = task;
        self.len += 1;
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        self.len -= 1;
        self.tasks[usize::from(self.len)] = Task::NextRound;
    }

    #[inline]
    pub(super) fn replace_next(&mut self, task: Task) {
        self.tasks[usize::from(self.len) - 1] = task;
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// All statuses of a place have gone, and what they were to do is off.
    pub(super) fn forget_all(&mut self, side: Side, home: Home) {
        self.change(|task| match task {
            Task::Act(s, h, ..) if (s, h) == (side, home) => None,
            other => Some(other),
        });
    }

    /// A status has gone: what it was to do is off, and those behind it have moved up.
    pub(super) fn forget(&mut self, side: Side, home: Home, place: u8) {
        self.change(|task| match task {
            Task::Act(s, h, p, _) if (s, h, p) == (side, home, place) => None,
            Task::Act(s, h, p, rule) if (s, h) == (side, home) && p > place => {
                Some(Task::Act(s, h, p - 1, rule))
            }
            other => Some(other),
        });
    }

    /// Puts other tasks in the place of those that wait, or none.
    fn change(&mut self, becomes: impl Fn(Task) -> Option<Task>) {
        let mut kept = 0;
        for n in 0..usize::from(self.len) {
            if let Some(task) = becomes(self.tasks[n]) {
                self.tasks[kept] = task;
                kept += 1;
            }
        }
        self.tasks[kept..usize::from(self.len)].fill(Task::NextRound);
        self.len = kept as u8;
    }
}

/// A position of the card duel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Genius {
    pub(super) profile: Profile,
    pub(super) round: u8,
    /// Whose action it is when nothing waits.
    pub(super) mover: Side,
    /// Who began the round; once somebody has ended, who begins the next one.
    pub(super) first: Side,
    pub(super) outcome: Option<Outcome>,
    pub(super) seats: [Seat; 2],
    pub(super) tasks: Tasks,
    /// Sides whose active fighter has changed while an effect was carried out, as bits.
    pub(super) moved: u8,
    /// Whether dendro has reacted to the skill at hand.
    pub(super) dendro_reacted: bool,
}

impl Genius {
    #[inline]
    pub(super) fn seat(&self, side: Side) -> &Seat {
        &self.seats[side.index()]
    }

    #[inline]
    pub(super) fn seat_mut(&mut self, side: Side) -> &mut Seat {
        &mut self.seats[side.index()]
    }
}
