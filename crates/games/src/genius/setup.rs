//! Initial positions.

use super::cards::Card;
use super::characters::Character;
use super::dice::{Dice, OMNI};
use super::lists::Pile;
use super::state::{DICE_A_ROUND, Genius, Profile, Seat, Task, Tasks};
use engine::game::{Rng, Side};

/// Size of the first hand.
const FIRST_HAND: usize = 5;
/// Card kinds in a deck, two copies each.
const KINDS: usize = 15;

/// A team and its deck.
#[derive(Clone, Copy, Debug)]
pub(super) struct Starter {
    pub(super) team: [&'static str; 3],
    /// Two copies of each.
    pub(super) deck: [&'static str; KINDS],
}

/// The starter decks of the game.
pub(super) static STARTERS: [Starter; 2] = [
    Starter {
        team: ["Diluc", "Kaeya", "Sucrose"],
        deck: [
            "The Bestest Travel Companion!",
            "Changing Shifts",
            "Leave It to Me!",
            "Strategize",
            "Starsigns",
            "Toss-Up",
            "Quick Knit",
            "Send Off",
            "Sweet Madame",
            "Mondstadt Hash Brown",
            "Paimon",
            "Katheryne",
            "White Iron Greatsword",
            "Traveler's Handy Sword",
            "Magic Guide",
        ],
    },
    Starter {
        team: ["Xiangling", "Fischl", "Collei"],
        deck: [
            "The Bestest Travel Companion!",
            "Changing Shifts",
            "Leave It to Me!",
            "Strategize",
            "Starsigns",
            "Toss-Up",
            "Quick Knit",
            "Send Off",
            "Sweet Madame",
            "Mondstadt Hash Brown",
            "Lotus Flower Crisp",
            "Paimon",
            "Katheryne",
            "White Tassel",
            "Raven Bow",
        ],
    },
];

/// A team with its deck, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeckName {
    /// The first starter deck.
    Starter1,
    /// The second starter deck.
    Starter2,
    /// Three random characters, and two copies each of fifteen random cards usable by them.
    Random,
}

impl DeckName {
    /// All decks.
    pub const ALL: [Self; 3] = [Self::Starter1, Self::Starter2, Self::Random];

    /// Name in a state.
    pub fn name(self) -> &'static str {
        match self {
            Self::Starter1 => "starter_1",
            Self::Starter2 => "starter_2",
            Self::Random => "random",
        }
    }

    /// The characters, and the cards of which the deck has two copies each.
    fn content(self, rng: &mut Rng) -> ([Character; 3], Vec<Card>) {
        let Starter { team, deck } = match self {
            Self::Starter1 => &STARTERS[0],
            Self::Starter2 => &STARTERS[1],
            Self::Random => return random_content(rng),
        };
        let named = |name: &&str| Card::named(name).expect("starters are made of cards");
        let team = characters(*team).expect("the starters are characters");
        (team, deck.iter().map(named).collect())
    }
}

fn random_content(rng: &mut Rng) -> ([Character; 3], Vec<Card>) {
    let mut all: Vec<_> = Character::all().collect();
    rng.shuffle(&mut all);
    let team = [all[0], all[1], all[2]];
    let mut kinds: Vec<_> = Card::all().filter(|card| card.serves(team.into_iter())).collect();
    rng.shuffle(&mut kinds);
    kinds.truncate(KINDS);
    (team, kinds)
}

pub(super) fn characters(names: [&str; 3]) -> Option<[Character; 3]> {
    let [a, b, c] = names.map(Character::named);
    Some([a?, b?, c?])
}

impl Genius {
    /// An empty table.
    pub(super) fn empty(profile: Profile, teams: [[Character; 3]; 2]) -> Self {
        Self {
            profile,
            round: 1,
            mover: Side::First,
            first: Side::First,
            outcome: None,
            seats: teams.map(Seat::new),
            tasks: Tasks::default(),
            moved: 0,
            dendro_reacted: false,
        }
    }

    /// Initial position of the core profile: omni dice only, first fighter active; `None` for an
    /// unknown character.
    pub fn core(teams: [[&str; 3]; 2]) -> Option<Self> {
        let [first, second] = teams.map(characters);
        Some(Self::without_cards([first?, second?]))
    }

    fn without_cards(teams: [[Character; 3]; 2]) -> Self {
        let mut pos = Self::empty(Profile::Core, teams);
        for seat in &mut pos.seats {
            seat.dice = Dice::of(OMNI, DICE_A_ROUND);
        }
        pos
    }

    /// Initial position with these decks. A generator seeded by `seed` draws random decks first; then it shuffles
    /// the first player's deck and the second's (Fisher-Yates), whose top five cards are the first hands, with a
    /// redraw pending. The core profile has the characters of the decks and no cards.
    pub fn start(profile: Profile, decks: [DeckName; 2], seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let sides = decks.map(|deck| deck.content(&mut rng));
        match profile {
            Profile::Full => Self::dealt(sides, &mut rng),
            Profile::Core => Self::without_cards(sides.map(|(team, _)| team)),
        }
    }

    /// Initial position of the full game with the starter decks.
    pub fn deal(seed: u64) -> Self {
        Self::start(Profile::Full, [DeckName::Starter1, DeckName::Starter2], seed)
    }

    /// The same with random teams, and two copies each of fifteen cards usable by them.
    pub fn deal_any(seed: u64) -> Self {
        Self::start(Profile::Full, [DeckName::Random; 2], seed)
    }

    /// Teams with decks of two copies each of the given cards, shuffled.
    fn dealt(sides: [([Character; 3], Vec<Card>); 2], rng: &mut Rng) -> Self {
        let mut pos = Self::empty(Profile::Full, sides.each_ref().map(|(team, _)| *team));
        for (seat, (_, mut deck)) in pos.seats.iter_mut().zip(sides) {
            deck.extend_from_within(..);
            rng.shuffle(&mut deck);
            seat.hand = Pile::from_cards(deck[..FIRST_HAND].iter().copied());
            seat.deck = Pile::from_cards(deck[FIRST_HAND..].iter().copied());
            seat.sort_piles();
        }
        pos.begin_round();
        for task in [
            Task::Lead(Side::Second),
            Task::Lead(Side::First),
            Task::Redraw(Side::Second),
            Task::Redraw(Side::First),
        ] {
            pos.tasks.push(task);
        }
        pos
    }
}
