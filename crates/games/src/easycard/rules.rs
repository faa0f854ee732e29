use std::convert::Infallible;

use engine::game::{Acyclic, Game, History, Outcome, Perfect, Side, Turn, zobrist};

/// Maximum hit points of a side.
pub(super) const MOST_HP: u8 = 10;
/// Dice of a side at the start of a round.
pub(super) const DICE: u8 = 6;
/// Maximum dice of a side.
pub(super) const MOST_DICE: u8 = 8;
/// Maximum shield.
pub(super) const MOST_SHIELD: u8 = 2;
/// Maximum cards of one kind in a hand.
pub(super) const MOST_CARDS: u8 = 5;
/// Maximum number of rounds.
pub(super) const MOST_ROUNDS: u8 = 9;

const MEAL_HEALS: u8 = 2;

/// Number of cards of each kind in a hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hand {
    /// Cards that increase the boost.
    pub focus: u8,
    /// Cards that give a die.
    pub coin: u8,
    /// Cards that heal.
    pub meal: u8,
}

/// One side of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EasyCardSide {
    /// Hit points, 0 to 10.
    pub hp: u8,
    /// Unspent dice, 0 to 8.
    pub dice: u8,
    /// Reduction of the next damage, 0 to 2.
    pub shield: u8,
    /// Extra damage of the next attack.
    pub boost: u8,
    /// Remaining cards.
    pub hand: Hand,
    /// True if a meal was eaten in this round.
    pub fed: bool,
    /// True if this side has ended its round.
    pub ended: bool,
}

/// Parameters of the initial position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EasyCardSetup {
    /// Hit points of each side, 1 to 10.
    pub hp: u8,
    /// The last round, 1 to 9.
    pub rounds: u8,
    /// Cards of each side.
    pub hand: Hand,
}

impl Default for EasyCardSetup {
    fn default() -> Self {
        Self { hp: MOST_HP, rounds: 4, hand: Hand { focus: 1, coin: 1, meal: 1 } }
    }
}

/// Action of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A card: increases the boost by 1.
    Focus,
    /// A card: gives one die.
    Coin,
    /// A card and a die: heals 2.
    Meal,
    /// A die: increases the shield by 1.
    Guard,
    /// Three dice: 2 damage plus the boost.
    Attack,
    /// Five dice: 4 damage plus the boost.
    Heavy,
    /// Ends the round for the mover.
    End,
}

impl Action {
    /// All actions, quick ones first.
    pub const ALL: [Self; 7] =
        [Self::Focus, Self::Coin, Self::Meal, Self::Guard, Self::Attack, Self::Heavy, Self::End];

    /// Cost in dice.
    pub const fn cost(self) -> u8 {
        match self {
            Self::Focus | Self::Coin | Self::End => 0,
            Self::Meal | Self::Guard => 1,
            Self::Attack => 3,
            Self::Heavy => 5,
        }
    }

    /// Damage without the boost.
    pub const fn damage(self) -> u8 {
        match self {
            Self::Attack => 2,
            Self::Heavy => 4,
            _ => 0,
        }
    }

    /// True if the mover keeps the move.
    pub const fn is_quick(self) -> bool {
        matches!(self, Self::Focus | Self::Coin | Self::Meal | Self::Guard)
    }
}

/// A position of EasyCard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EasyCard {
    pub(super) round: u8,
    pub(super) rounds: u8,
    pub(super) mover: Side,
    pub(super) sides: [EasyCardSide; 2],
}

impl EasyCard {
    /// Initial position.
    pub fn new(setup: EasyCardSetup) -> Self {
        let fighter = EasyCardSide {
            hp: setup.hp,
            dice: DICE,
            shield: 0,
            boost: 0,
            hand: setup.hand,
            fed: false,
            ended: false,
        };
        Self { round: 1, rounds: setup.rounds, mover: Side::First, sides: [fighter; 2] }
    }

    /// One side of the table.
    #[inline]
    pub fn fighter(&self, side: Side) -> &EasyCardSide {
        &self.sides[side.index()]
    }

    /// True if the action is legal for the mover.
    #[inline]
    pub(super) fn allows(&self, action: Action) -> bool {
        let own = self.fighter(self.mover);
        let has_what_it_takes = match action {
            Action::Focus => own.hand.focus > 0,
            Action::Coin => own.hand.coin > 0 && own.dice < MOST_DICE,
            Action::Meal => own.hand.meal > 0 && !own.fed,
            Action::Guard => own.shield < MOST_SHIELD,
            Action::Attack | Action::Heavy | Action::End => true,
        };
        has_what_it_takes && own.dice >= action.cost()
    }

    /// Hit points lost by the opponent if the mover takes this action.
    #[inline]
    pub(super) fn harm(&self, action: Action) -> u8 {
        let (own, opponent) = (self.fighter(self.mover), self.fighter(self.mover.other()));
        match action.damage() {
            0 => 0,
            damage => (damage + own.boost).saturating_sub(opponent.shield).min(opponent.hp),
        }
    }

    fn strike(&mut self, action: Action) {
        let harm = self.harm(action);
        let boost = std::mem::take(&mut self.sides[self.mover.index()].boost);
        let opponent = &mut self.sides[self.mover.other().index()];
        opponent.shield = opponent.shield.saturating_sub(action.damage() + boost);
        opponent.hp -= harm;
    }

    fn next_round(&mut self) {
        self.round += 1;
        for fighter in &mut self.sides {
            *fighter = EasyCardSide { dice: DICE, shield: 0, fed: false, ended: false, ..*fighter };
        }
    }
}

impl Game for EasyCard {
    type Move = Action;
    type Chance = Infallible;
    type Info = Perfect;

    #[inline]
    fn turn(&self) -> Turn<Infallible> {
        let [first, second] = self.sides.map(|fighter| fighter.hp);
        if first > 0 && second > 0 && self.round <= self.rounds {
            return Turn::Of(self.mover);
        }
        Turn::Over(match first.cmp(&second) {
            std::cmp::Ordering::Greater => Outcome::Win(Side::First),
            std::cmp::Ordering::Less => Outcome::Win(Side::Second),
            std::cmp::Ordering::Equal => Outcome::Draw,
        })
    }

    #[inline]
    fn moves(&self, out: &mut Vec<Action>) {
        if matches!(self.turn(), Turn::Of(_)) {
            out.extend(Action::ALL.into_iter().filter(|&action| self.allows(action)));
        }
    }

    #[inline]
    fn play(&mut self, action: Action) {
        let own = &mut self.sides[self.mover.index()];
        own.dice -= action.cost();
        match action {
            Action::Focus => {
                own.hand.focus -= 1;
                own.boost += 1;
            }
            Action::Coin => {
                own.hand.coin -= 1;
                own.dice += 1;
            }
            Action::Meal => {
                own.hand.meal -= 1;
                own.hp = (own.hp + MEAL_HEALS).min(MOST_HP);
                own.fed = true;
            }
            Action::Guard => own.shield += 1,
            Action::Attack | Action::Heavy => self.strike(action),
            Action::End => own.ended = true,
        }
        if action.is_quick() {
            return;
        }
        let foe_has_ended = self.fighter(self.mover.other()).ended;
        if !foe_has_ended {
            self.mover = self.mover.other();
        } else if action == Action::End {
            // The first side to end begins.
            self.mover = self.mover.other();
            self.next_round();
        }
    }

    #[inline]
    fn hash(&self) -> u64 {
        let side = |fighter: &EasyCardSide| {
            let EasyCardSide { hp, dice, shield, boost, hand, fed, ended } = *fighter;
            let parts = [hp, dice, shield, boost, hand.focus, hand.coin, hand.meal];
            let flags = u64::from(fed) << 1 | u64::from(ended);
            parts.iter().fold(flags, |bits, &part| bits << 4 | u64::from(part))
        };
        let [first, second] = [side(&self.sides[0]), side(&self.sides[1])];
        let clock = u64::from(self.round) << 8 | u64::from(self.rounds) << 1 | self.mover as u64;
        zobrist::mix(zobrist::mix(first << 30 | second) ^ clock)
    }

    #[inline]
    fn move_code(action: Action) -> u16 {
        action as u16
    }
}

// Cards and dice only decrease within a round, and rounds only increase.
impl Acyclic for EasyCard {}

impl History for EasyCard {}
