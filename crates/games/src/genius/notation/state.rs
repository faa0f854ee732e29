//! A position of the duel as it stands in JSON.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::{self, Deserializer, SeqAccess, Visitor};

use super::FACES;
use super::read::PHASES;
use super::write::deck_lists;
use crate::genius::cards::Card;
use crate::genius::characters::{Character, MOST_HP};
use crate::genius::dice::{Dice, MOST_DICE};
use crate::genius::lists::DECK;
use crate::genius::setup::DeckName;
use crate::genius::state::LAST_ROUND;
use crate::genius::statuses::MOST_USES;
use crate::notation::BoundedWhole;
use engine::game::Side;

/// Something with a name in a table.
pub(super) trait Tabled: Sized {
    /// With its article: `a card`.
    const WHAT: &'static str;

    /// Names in the order of the table.
    fn names() -> Vec<&'static str>;

    fn named(name: &str) -> Option<Self>;
}

/// The name of something in a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableName<T>(pub(super) T);

impl<'de, T: Tabled> Deserialize<'de> for TableName<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        T::named(&name).map(Self).ok_or_else(|| {
            let known = T::names().join(", ");
            de::Error::custom(format!("`{name}` is not {}; known: {known}", T::WHAT))
        })
    }
}

impl<T: Tabled> JsonSchema for TableName<T> {
    fn schema_name() -> Cow<'static, str> {
        T::WHAT.into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "enum": T::names() })
    }
}

impl Tabled for Card {
    const WHAT: &'static str = "a card";

    fn names() -> Vec<&'static str> {
        Self::names().collect()
    }

    fn named(name: &str) -> Option<Self> {
        Self::named(name)
    }
}

impl Tabled for Character {
    const WHAT: &'static str = "a character";

    fn names() -> Vec<&'static str> {
        Self::names().collect()
    }

    fn named(name: &str) -> Option<Self> {
        Self::named(name)
    }
}

impl Tabled for DeckName {
    const WHAT: &'static str = "a deck";

    fn names() -> Vec<&'static str> {
        Self::ALL.map(Self::name).to_vec()
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|deck| deck.name() == name)
    }
}

/// Face of a die by its number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face(pub(super) u8);

impl Tabled for Face {
    const WHAT: &'static str = "an element or `omni`";

    fn names() -> Vec<&'static str> {
        FACES.to_vec()
    }

    fn named(name: &str) -> Option<Self> {
        super::face(name).map(Self)
    }
}

/// PhaseName of the game.
#[derive(Clone, Copy, Debug)]
pub(super) struct PhaseName(pub(super) &'static str);

impl Tabled for PhaseName {
    const WHAT: &'static str = "a phase";

    fn names() -> Vec<&'static str> {
        PHASES.to_vec()
    }

    fn named(name: &str) -> Option<Self> {
        PHASES.into_iter().find(|phase| *phase == name).map(Self)
    }
}

/// A side by its number.
pub(super) type SideNumber = BoundedWhole<0, 1>;

/// The side of a number, or this one.
pub(super) fn side_or(number: Option<SideNumber>, default: Side) -> Side {
    number.map_or(default, |number| Side::BOTH[usize::from(number.small())])
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum ProfileState {
    Full,
    Core,
}

/// A position; without `players` a start position.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GeniusState {
    /// By default as the option says.
    pub(super) profile: Option<ProfileState>,
    #[schemars(extend("description" = deck_lists()))]
    pub(super) decks: Option<[TableName<DeckName>; 2]>,
    /// 1 by default.
    pub(super) round: Option<BoundedWhole<1, { LAST_ROUND as u64 }>>,
    /// `action` by default.
    pub(super) phase: Option<TableName<PhaseName>>,
    pub(super) turn: Option<SideNumber>,
    pub(super) first: Option<SideNumber>,
    pub(super) mover: Option<SideNumber>,
    pub(super) winner: Option<SideNumber>,
    /// Rerolls left of both sides.
    pub(super) rerolls: Option<[BoundedWhole<0, 9>; 2]>,
    /// Pending events, the next first: a word, the side and numbers.
    pub(super) pending: Option<Vec<String>>,
    pub(super) players: Option<[SeatState; 2]>,
}

/// One side of the table.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["active", "chars"]))]
pub(super) struct SeatState {
    /// Number of the active character; null or -1 if it has just been defeated.
    #[schemars(range(min = -1, max = 2))]
    pub(super) active: Option<i8>,
    #[serde(default)]
    pub(super) ended: bool,
    #[serde(default)]
    pub(super) dice: DiceState,
    #[serde(default)]
    pub(super) hand: PileState,
    #[serde(default)]
    pub(super) deck: PileState,
    /// What a deck and a hand that are hidden have been made of.
    pub(super) deck_list: Option<Vec<TableName<Card>>>,
    /// What a deck and a hand that are hidden still hold.
    pub(super) unseen: Option<Vec<TableName<Card>>>,
    #[serde(default)]
    pub(super) shuffled: bool,
    pub(super) chars: [FighterState; 3],
    #[serde(default)]
    pub(super) team: Vec<StatusState>,
    #[serde(default)]
    pub(super) summons: Vec<StatusState>,
    #[serde(default)]
    pub(super) supports: Vec<StatusState>,
}

/// A character on the table.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FighterState {
    pub(super) name: TableName<Character>,
    pub(super) hp: BoundedWhole<0, { MOST_HP as u64 }>,
    pub(super) energy: Option<BoundedWhole<0, 3>>,
    /// By default with hit points.
    pub(super) alive: Option<bool>,
    #[serde(default)]
    pub(super) aura: Vec<TableName<Face>>,
    pub(super) skill_uses: Option<BoundedWhole<0, { MOST_USES as u64 }>>,
    /// Equipment, talents and statuses.
    #[serde(default)]
    pub(super) attach: Vec<StatusState>,
}

/// A status, a summon, a support or a piece of equipment.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StatusState {
    pub(super) name: String,
    /// Uses left; by default all.
    pub(super) n: Option<BoundedWhole<0, { MOST_USES as u64 }>>,
    /// What a summon that waits for a swirl has absorbed.
    #[serde(alias = "el")]
    pub(super) element: Option<TableName<Face>>,
    /// Dice that are kept.
    #[serde(default)]
    pub(super) kept: Vec<TableName<Face>>,
}

/// Dice of a face.
type DiceCount = BoundedWhole<0, { MOST_DICE as u64 }>;

/// Dice by their faces.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct DiceState {
    omni: Option<DiceCount>,
    cryo: Option<DiceCount>,
    hydro: Option<DiceCount>,
    pyro: Option<DiceCount>,
    electro: Option<DiceCount>,
    geo: Option<DiceCount>,
    dendro: Option<DiceCount>,
    anemo: Option<DiceCount>,
}

impl DiceState {
    /// The dice, and their number, which may be more than a side has.
    pub(super) fn counted(self) -> (Dice, u64) {
        let Self { omni, cryo, hydro, pyro, electro, geo, dendro, anemo } = self;
        // The order of `FACES`.
        let counts = [omni, cryo, hydro, pyro, electro, geo, dendro, anemo];
        let counts = counts.map(|count| count.map_or(0, DiceCount::small));
        let total = counts.iter().map(|&count| u64::from(count)).sum();
        let add = |dice: Dice, (face, count)| dice.plus(Dice::of(face, count));
        let dice = if total <= MOST_DICE.into() {
            (0..).zip(counts).fold(Dice::NONE, add)
        } else {
            Dice::NONE
        };
        (dice, total)
    }
}

/// Cards of a hand or a deck.
pub(super) enum PileState {
    /// Face up.
    Cards(Vec<Card>),
    /// Face down: a number, or a list of nulls.
    Hidden(usize),
}

impl Default for PileState {
    fn default() -> Self {
        Self::Cards(Vec::new())
    }
}

struct PileVisitor;

impl<'de> Visitor<'de> for PileVisitor {
    type Value = PileState;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of cards, or their number from 0 to {DECK}")
    }

    fn visit_u64<E: de::Error>(self, count: u64) -> Result<PileState, E> {
        let most = DECK as u64;
        let wrong = || E::invalid_value(de::Unexpected::Unsigned(count), &self);
        if count <= most { Ok(PileState::Hidden(count as usize)) } else { Err(wrong()) }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<PileState, A::Error> {
        let (mut cards, mut hidden) = (Vec::new(), 0);
        while let Some(card) = list.next_element::<Option<TableName<Card>>>()? {
            match card {
                Some(card) => cards.push(card.0),
                None => hidden += 1,
            }
        }
        match (cards.len(), hidden) {
            (_, 0) => Ok(PileState::Cards(cards)),
            (0, _) => Ok(PileState::Hidden(hidden)),
            _ => Err(de::Error::custom("a list has either cards or nulls, not both")),
        }
    }
}

impl<'de> Deserialize<'de> for PileState {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PileVisitor)
    }
}

impl JsonSchema for PileState {
    fn schema_name() -> Cow<'static, str> {
        "Pile".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let cards = generator.subschema_for::<Vec<Option<TableName<Card>>>>();
        let count = json_schema!({ "type": "integer", "minimum": 0, "maximum": DECK });
        json_schema!({ "oneOf": [cards, count] })
    }
}
