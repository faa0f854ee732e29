//! Parses one side of the table.

use super::FACES;
use super::read::within;
use super::state::{DiceState, Face, FighterState, PileState, SeatState, StatusState, TableName};
use super::view::{self, Known};
use crate::genius::cards::{Card, ROWS, can_wear};
use crate::genius::dice::{Dice, MOST_DICE};
use crate::genius::effects::Rule;
use crate::genius::elements::{Aura, Element};
use crate::genius::lists::{DECK, GeniusSlots, MOST_HAND, Pile, Slot};
use crate::genius::state::{FIGHTERS, Fighter, Seat};
use crate::genius::statuses::{MOST_USES, Status, StatusRow, Zone};
use crate::notation::{BoundedWhole, Fault};

/// Maximum copies of a card in a deck.
const COPIES: u8 = 2;

/// Parses a side.
pub(super) fn read(state: &SeatState) -> Result<Seat, Fault> {
    let read = |n: usize| fighter(&state.chars[n]).map_err(|f| f.under(n).under("chars"));
    let fighters = [read(0)?, read(1)?, read(2)?];
    let mut seat = Seat::new(fighters.map(|fighter| fighter.who));
    seat.fighters = fighters;
    seat.active = match state.active {
        // No active fighter: the fallen one was active.
        None | Some(-1) => {
            let down = (0..).zip(&seat.fighters).find(|(_, fighter)| !fighter.alive);
            down.map(|(place, _)| place).ok_or_else(|| {
                let why = "no character is defeated, so one of them must be active";
                Fault::position(why).under("active")
            })?
        }
        Some(place) => u8::try_from(place).ok().filter(|&n| n < FIGHTERS).ok_or_else(|| {
            let most = FIGHTERS - 1;
            let why = format!("expected a whole number from 0 to {most}, got {place}");
            Fault::shape(why).under("active")
        })?,
    };
    seat.ended = state.ended;
    seat.shuffled = state.shuffled;
    seat.dice = dice(state.dice).map_err(|fault| fault.under("dice"))?;
    seat.team = slots(&state.team, "team", &[Zone::Team])?;
    seat.summons = slots(&state.summons, "summons", &[Zone::Summon])?;
    seat.supports = slots(&state.supports, "supports", &[Zone::Support])?;
    read_cards(&mut seat, state)?;
    Ok(seat)
}

/// The dice of a side.
pub(super) fn dice(state: DiceState) -> Result<Dice, Fault> {
    let (dice, total) = state.counted();
    if total > MOST_DICE.into() {
        let why = format!("{total} dice; a side has at most {MOST_DICE}");
        return Err(Fault::position(why));
    }
    Ok(dice)
}

fn cards(list: Option<&Vec<TableName<Card>>>) -> Option<Vec<Card>> {
    list.map(|list| list.iter().map(|name| name.0).collect())
}

fn read_cards(seat: &mut Seat, state: &SeatState) -> Result<(), Fault> {
    let too_many = |count: usize, most: usize, key: &str| {
        (count > most)
            .then(|| Fault::position(format!("{count} cards; at most {most}")).under(key))
            .map_or(Ok(()), Err)
    };
    let (unseen, deck_list) = (cards(state.unseen.as_ref()), cards(state.deck_list.as_ref()));
    // One of them may be a list only if it is empty.
    let (hand, deck) = match (&state.hand, &state.deck) {
        (PileState::Cards(hand), PileState::Cards(deck)) => {
            too_many(hand.len(), MOST_HAND, "hand")?;
            too_many(deck.len(), DECK, "deck")?;
            check_copies(&[("hand", hand), ("deck", deck)])?;
            for (key, given) in [("deck_list", deck_list.is_some()), ("unseen", unseen.is_some())] {
                if given {
                    let why = "not allowed when hand and deck are lists of cards";
                    return Err(Fault::position(why).under(key));
                }
            }
            seat.hand = Pile::from_cards(hand.clone());
            seat.deck = Pile::from_cards(deck.clone());
            seat.sort_piles();
            return Ok(());
        }
        (PileState::Hidden(hand), PileState::Hidden(deck)) => (*hand, *deck),
        (PileState::Hidden(hand), PileState::Cards(deck)) if deck.is_empty() => (*hand, 0),
        (PileState::Cards(hand), PileState::Hidden(deck)) if hand.is_empty() => (0, *deck),
        (hand, _) => {
            let key = if matches!(hand, PileState::Cards(_)) { "hand" } else { "deck" };
            let why = "hand and deck must both be lists or both be numbers";
            return Err(Fault::shape(why).under(key));
        }
    };
    too_many(hand, MOST_HAND, "hand")?;
    too_many(deck, DECK, "deck")?;
    let known = match (unseen, deck_list) {
        (Some(list), _) => {
            check_copies(&[("unseen", &list)])?;
            Known::Unseen(list)
        }
        (None, Some(list)) => {
            check_copies(&[("deck_list", &list)])?;
            Known::Deck(list)
        }
        (None, None) => Known::Nothing,
    };
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

fn fighter(state: &FighterState) -> Result<Fighter, Fault> {
    let who = state.name.0;
    let mut fighter = Fighter::new(who);
    fighter.hp = state.hp.small();
    let energy = state.energy.map_or(0, BoundedWhole::small);
    fighter.energy = within(energy, "energy", 0..=who.row().energy)?;
    fighter.skills = state.skill_uses.map_or(0, BoundedWhole::small);
    fighter.alive = state.alive.unwrap_or(fighter.hp > 0);
    fighter.aura = aura(&state.aura)?;
    let zones = [Zone::Fighter, Zone::Weapon, Zone::Artifact, Zone::Talent];
    fighter.attached = slots(&state.attach, "attach", &zones)?;
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

fn aura(faces: &[TableName<Face>]) -> Result<Aura, Fault> {
    let mut aura = Aura::NONE;
    for (n, face) in faces.iter().enumerate() {
        let one = Element::of_face(face.0.0).and_then(Aura::new).ok_or_else(|| {
            let name = FACES[usize::from(face.0.0)];
            let why =
                format!("`{name}` cannot be an aura; known: cryo, hydro, pyro, electro, dendro");
            Fault::shape(why).under(n).under("aura")
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
    list: &[StatusState],
    key: &str,
    zones: &[Zone],
) -> Result<GeniusSlots<N>, Fault> {
    let mut slots = GeniusSlots::default();
    for (n, state) in list.iter().enumerate() {
        let at = |fault: Fault| fault.under(n).under(key);
        let slot = slot(state, zones).map_err(at)?;
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

fn slot(state: &StatusState, zones: &[Zone]) -> Result<Slot, Fault> {
    let name = &state.name;
    let fits = |what: &Status| zones.contains(&what.row().zone);
    let what = Status::named(name).filter(fits).ok_or_else(|| {
        let rows = super::super::statuses::ROWS.iter();
        let known: Vec<_> =
            rows.filter(|row| zones.contains(&row.zone)).map(|row| row.name).collect();
        Fault::shape(format!("`{name}` is not allowed here; known: {}", known.join(", ")))
            .under("name")
    })?;
    let row = what.row();
    let n = within(state.n.map_or(row.uses, BoundedWhole::small), "n", least(row)..=most(row))?;
    let mut slot = Slot { what, n, extra: 0 };
    if let Some(element) = state.element {
        slot.extra = absorbed(row, element.0).map_err(|fault| fault.under("element"))?;
    }
    for (place, face) in state.kept.iter().enumerate() {
        if what != Status::Vanarana || place >= 2 {
            let why = format!("{} cannot keep `{}`", row.name, FACES[usize::from(face.0.0)]);
            return Err(Fault::shape(why).under(place).under("kept"));
        }
        slot.extra |= (face.0.0 + 1) << (4 * place);
    }
    let kept = u8::from(slot.extra & 0xF > 0) + u8::from(slot.extra >> 4 > 0);
    if what == Status::Vanarana && slot.n != kept {
        return Err(Fault::position("`n` must equal the number of dice in `kept`").under("n"));
    }
    Ok(slot)
}

/// Element of a summon that waits for a swirl; anemo is its own: it has absorbed none.
fn absorbed(row: &StatusRow, face: Face) -> Result<u8, Fault> {
    let takes = row.rules.iter().any(|rule| matches!(rule, Rule::TakesSwirl));
    match face.0 {
        swirled @ 1..=4 if takes => Ok(swirled),
        own if takes && own == Element::Anemo as u8 => Ok(0),
        other => {
            let name = FACES[usize::from(other)];
            Err(Fault::shape(format!("{} cannot have absorbed `{name}`", row.name)))
        }
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
