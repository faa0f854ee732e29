//! The position: table and pending tasks.

use super::cards::Card;
use super::characters::{Character, MOST_HP};
use super::dice::{Cost, Dice, Need, Purse};
use super::elements::Aura;
use super::lists::{DECK, GeniusSlots, MOST_HAND, Pile};
use super::spare::Spare;
use super::statuses::Status;
use engine::game::{Outcome, Side};

/// Fighters per side.
pub(super) const FIGHTERS: u8 = 3;
/// Last round; without a winner the game then is a draw.
pub(super) const LAST_ROUND: u8 = 15;
/// Dice per side at the start of a round.
pub(super) const DICE_A_ROUND: u8 = 8;
/// Maximum number of summons and of supports.
pub(super) const PLACES: usize = 4;

/// Rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// The whole game.
    Full,
    /// Omni dice only; no rerolls and no cards.
    Core,
}

/// A fighter on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fighter {
    pub(super) who: Character,
    pub(super) hp: u8,
    pub(super) energy: u8,
    /// True until the defeat is handled, even at 0 hit points.
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
    /// True if the order of the deck is unknown: draws are chance events.
    pub(super) shuffled: bool,
    /// True if the hand was never shown: hand and deck are one sample of the possible deals.
    pub(super) unseen: bool,
    pub(super) dice: Dice,
    pub(super) team: GeniusSlots<12>,
    pub(super) summons: GeniusSlots<PLACES>,
    pub(super) supports: GeniusSlots<PLACES>,
    pub(super) hand: Pile<MOST_HAND>,
    /// Top card first; in card order if shuffled.
    pub(super) deck: Pile<DECK>,
    /// Cards possible in hand or deck instead of the present ones.
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

    /// True if the fighter can become active: alive and not active.
    #[inline]
    pub(super) fn can_come(&self, place: u8) -> bool {
        place != self.active && self.fighters[usize::from(place)].alive
    }

    /// The first fighter after the active one who may come; `step` is 1 for next, 2 for previous.
    #[inline]
    pub(super) fn neighbour(&self, step: u8, may_come: impl Fn(&Fighter) -> bool) -> Option<u8> {
        let places = [(self.active + step) % FIGHTERS, (self.active + 2 * step) % FIGHTERS];
        places.into_iter().find(|&place| may_come(&self.fighters[usize::from(place)]))
    }

    /// Dice needs of this side.
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

    /// Adds a card to the hand; dropped beyond the tenth.
    pub(super) fn receive(&mut self, card: Card) {
        self.hand.insert(card);
    }
}

/// Location of a status, for pending tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// With this fighter.
    Fighter(u8),
    Team,
    Summons,
    Supports,
}

/// Pending task. The last of the list is executed first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// The side exchanges cards of its first hand.
    Redraw(Side),
    /// The side chooses its first active fighter.
    Lead(Side),
    /// Dice left to roll.
    Roll(Side, u8),
    /// The side may reroll, this number of times.
    Reroll(Side, u8),
    /// Expires the statuses of the last round.
    Age,
    /// Triggers at the start of the action phase.
    Begin(Side),
    /// Executes the rule with this number of the status at this place.
    Act(Side, Home, u8, u8),
    /// Handles defeats, those of this side first.
    Defeats(Side),
    /// The side chooses a new active fighter.
    Choose(Side),
    /// The active fighter of the side has changed.
    Switched(Side),
    /// The active fighter uses the skill of this number, already paid for; true if by a Lightning
    /// Stiletto.
    Cast(Side, u8, bool),
    /// Keqing's card is spent for an infusion of this fighter; true if it was played.
    Stiletto(Side, u8, bool),
    /// End of a skill: its types and, from the fifth bit on, its number; the user.
    AfterSkill(Side, u8, u8),
    /// Cards left to draw.
    Draw(Side, u8),
    /// End of a combat action of this side.
    Pass(Side),
    /// The end phase of this side.
    End(Side),
    /// End of the round.
    NextRound,
}

/// Maximum number of pending tasks.
pub(super) const MOST_TASKS: usize = 36;

/// Stack of pending tasks; the next one is last.
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

    /// Drops the tasks of all statuses of a removed list.
    pub(super) fn forget_all(&mut self, side: Side, home: Home) {
        self.change(|task| match task {
            Task::Act(s, h, ..) if (s, h) == (side, home) => None,
            other => Some(other),
        });
    }

    /// Drops the tasks of a removed status and shifts the places behind it.
    pub(super) fn forget(&mut self, side: Side, home: Home, place: u8) {
        self.change(|task| match task {
            Task::Act(s, h, p, _) if (s, h, p) == (side, home, place) => None,
            Task::Act(s, h, p, rule) if (s, h) == (side, home) && p > place => {
                Some(Task::Act(s, h, p - 1, rule))
            }
            other => Some(other),
        });
    }

    /// Maps every pending task to its replacement; `None` drops it.
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
    /// Side to act when no task is pending.
    pub(super) mover: Side,
    /// First player of the round; after the first end of round, of the next one.
    pub(super) first: Side,
    pub(super) outcome: Option<Outcome>,
    pub(super) seats: [Seat; 2],
    pub(super) tasks: Tasks,
    /// Sides whose active fighter changed during the current effect, as bits.
    pub(super) moved: u8,
    /// True if the current skill caused a dendro reaction.
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
