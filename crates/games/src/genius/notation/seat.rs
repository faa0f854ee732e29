//! Parses one side of the table.

use serde_json::{Map, Value};

use super::read::{flag, list, whole};
use super::view::{self, Known};
use super::{FACES, face};
use crate::genius::cards::{Card, ROWS, can_wear};
use crate::genius::characters::{Character, MOST_HP};
use crate::genius::dice::{Dice, MOST_DICE};
use crate::genius::effects::Rule;
use crate::genius::elements::{Aura, Element};
use crate::genius::lists::{DECK, GeniusSlots, MOST_HAND, Pile, Slot};
use crate::genius::state::{FIGHTERS, Fighter, Seat};
use crate::genius::statuses::{MOST_USES, Status, StatusRow, Zone};
use crate::notation::{Fault, members};

const SEAT: &[&str] = &[
    "active",
    "ended",
    "dice",
    "hand",
    "deck",
    "deck_list",
    "unseen",
    "shuffled",
    "chars",
    "team",
    "summons",
    "supports",
];
const FIGHTER: &[&str] = &["name", "hp", "energy", "alive", "aura", "skill_uses", "attach"];
/// `el` is what some records call `element`.
const STATUS: &[&str] = &["name", "n", "element", "el", "kept"];
/// Maximum copies of a card in a deck.
const COPIES: u8 = 2;

/// Parses a side.
pub(super) fn read(value: &Value) -> Result<Seat, Fault> {
    let map = members(value, SEAT)?;
    let fighters = list(map, "chars")?;
    let [a, b, c] = fighters else {
        let why = format!("{} characters; a side has {FIGHTERS}", fighters.len());
        return Err(Fault::shape(why).under("chars"));
    };
    let read = |value, n: usize| fighter(value).map_err(|f| f.under(n).under("chars"));
    let fighters = [read(a, 0)?, read(b, 1)?, read(c, 2)?];
    let mut seat = Seat::new(fighters.map(|fighter| fighter.who));
    seat.fighters = fighters;
    seat.active = match map.get("active") {
        // No active fighter: the fallen one was active.
        Some(value) if value.is_null() || *value == -1 => {
            let down = (0..).zip(&seat.fighters).find(|(_, fighter)| !fighter.alive);
            down.map(|(place, _)| place).ok_or_else(|| {
                let why = "no character is defeated, so one of them must be active";
                Fault::position(why).under("active")
            })?
        }
        _ => whole(map, "active", 0..=FIGHTERS - 1, None)?,
    };
    seat.ended = flag(map, "ended")?;
    seat.shuffled = flag(map, "shuffled")?;
    if let Some(value) = map.get("dice") {
        seat.dice = dice(value).map_err(|fault| fault.under("dice"))?;
    }
    seat.team = slots(map, "team", &[Zone::Team])?;
    seat.summons = slots(map, "summons", &[Zone::Summon])?;
    seat.supports = slots(map, "supports", &[Zone::Support])?;
    read_cards(&mut seat, map)?;
    Ok(seat)
}

/// Parses dice by face name.
pub(super) fn dice(value: &Value) -> Result<Dice, Fault> {
    let map = members(value, &FACES)?;
    let mut dice = Dice::NONE;
    for name in map.keys() {
        let count = whole(map, name, 0..=MOST_DICE, None)?;
        let face = face(name).expect("unknown members are refused");
        dice = dice.plus(Dice::of(face, count));
    }
    if dice.total() > MOST_DICE {
        let why = format!("{} dice; a side has at most {MOST_DICE}", dice.total());
        return Err(Fault::position(why));
    }
    Ok(dice)
}

fn card(value: &Value) -> Result<Card, Fault> {
    value.as_str().and_then(Card::named).ok_or_else(|| {
        let known: Vec<_> = Card::names().collect();
        Fault::shape(format!("{value} is not a card; known: {}", known.join(", ")))
    })
}

fn cards(map: &Map<String, Value>, key: &str) -> Result<Vec<Card>, Fault> {
    let read = |(n, value)| card(value).map_err(|fault| fault.under(n).under(key));
    list(map, key)?.iter().enumerate().map(read).collect()
}

/// Number of hidden cards: a number, or a list of nulls.
fn hidden(map: &Map<String, Value>, key: &str) -> Option<usize> {
    match map.get(key)? {
        Value::Number(count) => count.as_u64().map(|count| count as usize),
        Value::Array(list) if !list.is_empty() && list.iter().all(Value::is_null) => {
            Some(list.len())
        }
        _ => None,
    }
}

fn read_cards(seat: &mut Seat, map: &Map<String, Value>) -> Result<(), Fault> {
    let too_many = |count: usize, most: usize, key: &str| {
        (count > most)
            .then(|| Fault::position(format!("{count} cards; at most {most}")).under(key))
            .map_or(Ok(()), Err)
    };
    let (hand, deck) = (hidden(map, "hand"), hidden(map, "deck"));
    if hand.is_none() && map.get("hand").is_some_and(Value::is_number) {
        return Err(Fault::shape("expected a whole number").under("hand"));
    }
    if let (None, None) = (hand, deck) {
        let hand = cards(map, "hand")?;
        let deck = cards(map, "deck")?;
        too_many(hand.len(), MOST_HAND, "hand")?;
        too_many(deck.len(), DECK, "deck")?;
        check_copies(&[("hand", &hand), ("deck", &deck)])?;
        for key in ["deck_list", "unseen"] {
            if map.contains_key(key) {
                let why = "not allowed when hand and deck are lists of cards";
                return Err(Fault::position(why).under(key));
            }
        }
        seat.hand = Pile::from_cards(hand);
        seat.deck = Pile::from_cards(deck);
        seat.sort_piles();
        return Ok(());
    }
    // One of them may be a list only if it is empty.
    let size = |hidden: Option<usize>, key: &str| match hidden {
        Some(count) => Ok(count),
        None if list(map, key)?.is_empty() => Ok(0),
        None => {
            let why = "hand and deck must both be lists or both be numbers";
            Err(Fault::shape(why).under(key))
        }
    };
    let (hand, deck) = (size(hand, "hand")?, size(deck, "deck")?);
    too_many(hand, MOST_HAND, "hand")?;
    too_many(deck, DECK, "deck")?;
    let known = match (map.contains_key("unseen"), map.contains_key("deck_list")) {
        (true, _) => Known::Unseen(cards(map, "unseen")?),
        (_, true) => Known::Deck(cards(map, "deck_list")?),
        _ => Known::Nothing,
    };
    match &known {
        Known::Unseen(list) => check_copies(&[("unseen", list)])?,
        Known::Deck(list) => check_copies(&[("deck_list", list)])?,
        Known::Nothing => {}
    }
    view::deal(seat, hand, deck, known).map_err(|fault| fault.under("deck"))
}

/// Checks the maximum number of copies per card.
fn check_copies(lists: &[(&str, &[Card])]) -> Result<(), Fault> {
    let mut copies = [0; ROWS.len()];
    for (key, cards) in lists {
        for (n, card) in cards.iter().enumerate() {
            let count = &mut copies[usize::from(card.0)];
            *count += 1;
            if *count > COPIES {
                let why = format!("more than {COPIES} copies of {}", card.name());
                return Err(Fault::position(why).under(n).under(key));
            }
        }
    }
    Ok(())
}

fn fighter(value: &Value) -> Result<Fighter, Fault> {
    let map = members(value, FIGHTER)?;
    let name = map.get("name").unwrap_or(&Value::Null);
    let who = name.as_str().and_then(Character::named).ok_or_else(|| {
        let known: Vec<_> = Character::names().collect();
        let why = format!("{name} is not a character; known: {}", known.join(", "));
        Fault::shape(why).under("name")
    })?;
    let mut fighter = Fighter::new(who);
    fighter.hp = whole(map, "hp", 0..=MOST_HP, None)?;
    fighter.energy = whole(map, "energy", 0..=who.row().energy, Some(0))?;
    fighter.skills = whole(map, "skill_uses", 0..=MOST_USES, Some(0))?;
    fighter.alive = if map.contains_key("alive") { flag(map, "alive")? } else { fighter.hp > 0 };
    fighter.aura = aura(map)?;
    let zones = [Zone::Fighter, Zone::Weapon, Zone::Artifact, Zone::Talent];
    fighter.attached = slots(map, "attach", &zones)?;
    if fighter.alive != (fighter.hp > 0) {
        let why = format!(
            "{} has {} hit points; a character is alive only with hit points",
            who.name(),
            fighter.hp
        );
        return Err(Fault::position(why).under("alive"));
    }
    check_worn(&fighter)?;
    Ok(fighter)
}

fn aura(map: &Map<String, Value>) -> Result<Aura, Fault> {
    let mut aura = Aura::NONE;
    for (n, value) in list(map, "aura")?.iter().enumerate() {
        let at = |why: String| Fault::shape(why).under(n).under("aura");
        let element = value.as_str().and_then(face).and_then(Element::of_face);
        let one = element.and_then(Aura::new).ok_or_else(|| {
            at(format!("{value} cannot be an aura; known: cryo, hydro, pyro, electro, dendro"))
        })?;
        aura = aura.and(one).ok_or_else(|| {
            Fault::position("only cryo and dendro can coexist").under(n).under("aura")
        })?;
    }
    Ok(aura)
}

/// At most one weapon of the own type, one artifact and one own talent per fighter.
fn check_worn(fighter: &Fighter) -> Result<(), Fault> {
    let slots = fighter.attached.as_slice();
    for (n, slot) in slots.iter().enumerate() {
        let at = |why: String| Err(Fault::position(why).under(n).under("attach"));
        let row = slot.what.row();
        let other = slots[..n].iter().find(|other| other.what.row().zone == row.zone);
        if let (true, Some(other)) = (row.zone.is_worn(), other) {
            return at(format!("{} already has {}", fighter.who.name(), other.what.name()));
        }
        if !can_wear(fighter.who, slot.what) {
            return at(format!("{} cannot equip {}", fighter.who.name(), row.name));
        }
    }
    Ok(())
}

fn slots<const N: usize>(
    map: &Map<String, Value>,
    key: &str,
    zones: &[Zone],
) -> Result<GeniusSlots<N>, Fault> {
    let mut slots = GeniusSlots::default();
    for (n, value) in list(map, key)?.iter().enumerate() {
        let at = |fault: Fault| fault.under(n).under(key);
        let slot = slot(value, zones).map_err(at)?;
        let twice = slots.place(slot.what).is_some() && slot.what.row().zone != Zone::Support;
        if twice {
            let why = format!("duplicate {}", slot.what.name());
            return Err(at(Fault::position(why)));
        }
        if slots.is_full() {
            return Err(at(Fault::position(format!("at most {N} entries"))));
        }
        slots.push(slot);
    }
    Ok(slots)
}

fn slot(value: &Value, zones: &[Zone]) -> Result<Slot, Fault> {
    let map = members(value, STATUS)?;
    let name = map.get("name").unwrap_or(&Value::Null);
    let fits = |what: &Status| zones.contains(&what.row().zone);
    let what = name.as_str().and_then(Status::named).filter(fits).ok_or_else(|| {
        let rows = super::super::statuses::ROWS.iter();
        let known: Vec<_> =
            rows.filter(|row| zones.contains(&row.zone)).map(|row| row.name).collect();
        Fault::shape(format!("{name} is not allowed here; known: {}", known.join(", ")))
            .under("name")
    })?;
    let row = what.row();
    let n = whole(map, "n", least(row)..=most(row), Some(row.uses))?;
    let mut slot = Slot { what, n, extra: 0 };
    for key in ["element", "el"] {
        if let Some(element) = map.get(key) {
            slot.extra = absorbed(row, element).map_err(|fault| fault.under(key))?;
        }
    }
    for (place, value) in list(map, "kept")?.iter().enumerate() {
        let kept = value.as_str().and_then(face);
        let is_room = what == Status::Vanarana && place < 2;
        let kept = kept.filter(|_| is_room).ok_or_else(|| {
            Fault::shape(format!("{} cannot keep {value}", row.name)).under(place).under("kept")
        })?;
        slot.extra |= (kept + 1) << (4 * place);
    }
    let kept = u8::from(slot.extra & 0xF > 0) + u8::from(slot.extra >> 4 > 0);
    if what == Status::Vanarana && slot.n != kept {
        return Err(Fault::position("`n` must equal the number of dice in `kept`").under("n"));
    }
    Ok(slot)
}

/// Element of a summon that waits for a swirl; anemo is its own: it has absorbed none.
fn absorbed(row: &StatusRow, element: &Value) -> Result<u8, Fault> {
    let takes = row.rules.iter().any(|rule| matches!(rule, Rule::TakesSwirl));
    match element.as_str().and_then(face).filter(|_| takes) {
        Some(swirled @ 1..=4) => Ok(swirled),
        Some(own) if own == Element::Anemo as u8 => Ok(0),
        _ => Err(Fault::shape(format!("{} cannot have absorbed {element}", row.name))),
    }
}

fn least(row: &StatusRow) -> u8 {
    use super::super::statuses::Lasts;
    match row.lasts {
        Lasts::Ever | Lasts::Refilled | Lasts::Once => 0,
        Lasts::Uses | Lasts::Rounds | Lasts::Round => 1,
    }
}

fn most(row: &StatusRow) -> u8 {
    match row.zone {
        // Cards can prolong summons beyond their initial uses.
        Zone::Summon => MOST_USES,
        Zone::Support => row.uses.max(3),
        _ => row.uses.max(row.stacks),
    }
}
