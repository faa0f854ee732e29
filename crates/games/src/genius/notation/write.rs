//! Serializes positions.

use serde_json::{Map, Value, json};

use super::pending::{self, ClockNote};
use super::{FACES, read, view};
use crate::genius::cards::Card;
use crate::genius::dice::Dice;
use crate::genius::lists::Slot;
use crate::genius::setup::{DeckName, STARTERS};
use crate::genius::state::{Fighter, Genius, Seat, Task};
use crate::genius::statuses::Status;
use engine::game::{Outcome, Side};

/// The JSON form of a position.
pub(super) fn position(pos: &Genius) -> Value {
    let (phase, turn) = phase(pos);
    let rerolls = rerolls(pos);
    let winner = match pos.outcome {
        Some(Outcome::Win(side)) => Some(side.index()),
        _ => None,
    };
    let mut state = json!({
        "profile": pos.profile_name(),
        "round": pos.round,
        "phase": phase,
        "turn": turn.index(),
        "first": pos.first.index(),
        "winner": winner,
        "players": [seat(&pos.seats[0]), seat(&pos.seats[1])],
    });
    if ["roll", "reroll"].contains(&phase) {
        state["rerolls"] = json!(rerolls);
    }
    let both_ended = pos.seats.iter().all(|seat| seat.ended);
    let clock =
        ClockNote { phase, profile: pos.profile, turn, first: pos.first, rerolls, both_ended };
    let tasks = pos.tasks.as_slice();
    if clock.tasks().as_slice() != tasks {
        let words: Vec<_> = tasks.iter().rev().map(|&task| pending::text(task)).collect();
        state["pending"] = json!(words);
    }
    if pos.mover != read::usual_mover(phase, turn, pos.first) {
        state["mover"] = json!(pos.mover.index());
    }
    state
}

/// Name of the phase, and the side to act.
fn phase(pos: &Genius) -> (&'static str, Side) {
    if pos.outcome.is_some() {
        return ("over", pos.mover);
    }
    let rolls = |task: &Task| matches!(task, Task::Begin(_));
    match pos.tasks.next() {
        Some(Task::Redraw(side)) => ("redraw", side),
        Some(Task::Lead(side)) => ("lead", side),
        Some(Task::Choose(side)) => ("death", side),
        Some(Task::Reroll(side, _)) if pos.tasks.as_slice().iter().any(rolls) => ("roll", side),
        Some(Task::Reroll(side, _)) => ("reroll", side),
        Some(Task::Draw(side, _)) => ("draw", side),
        Some(Task::Roll(side, _)) => ("dice", side),
        _ => ("action", pos.mover),
    }
}

fn rerolls(pos: &Genius) -> [u8; 2] {
    Side::BOTH.map(|side| {
        pos.tasks.as_slice().iter().fold(0, |left, &task| match task {
            Task::Reroll(of, times) if of == side => left + times,
            _ => left,
        })
    })
}

fn seat(seat: &Seat) -> Value {
    let names = |cards: &[Card]| -> Vec<_> { cards.iter().map(|card| card.name()).collect() };
    let fighters: Vec<_> = seat.fighters.iter().map(fighter).collect();
    let mut value = json!({
        "active": seat.active,
        "ended": seat.ended,
        "dice": dice(seat.dice),
        "hand": names(seat.hand.as_slice()),
        "deck": names(seat.deck.as_slice()),
        "chars": fighters,
        "team": slots(seat.team.as_slice()),
        "summons": slots(seat.summons.as_slice()),
        "supports": slots(seat.supports.as_slice()),
    });
    if seat.shuffled {
        value["shuffled"] = json!(true);
    }
    if seat.unseen {
        value["hand"] = json!(seat.hand.len());
        value["deck"] = json!(seat.deck.len());
        value["unseen"] = json!(view::names(seat));
    }
    value
}

fn fighter(fighter: &Fighter) -> Value {
    let aura: Vec<_> = fighter.aura.elements().map(|element| FACES[element as usize]).collect();
    json!({
        "name": fighter.who.name(),
        "hp": fighter.hp,
        "energy": fighter.energy,
        "alive": fighter.alive,
        "aura": aura,
        "skill_uses": fighter.skills,
        "attach": slots(fighter.attached.as_slice()),
    })
}

/// Dice by face name.
pub(super) fn dice(dice: Dice) -> Value {
    let faces = (0..).zip(FACES).filter(|&(face, _)| dice.count(face) > 0);
    faces
        .map(|(face, name)| (name.to_owned(), json!(dice.count(face))))
        .collect::<Map<_, _>>()
        .into()
}

fn slots(slots: &[Slot]) -> Vec<Value> {
    let write = |slot: &Slot| {
        let mut value = json!({ "name": slot.what.name(), "n": slot.n });
        match slot.what {
            _ if slot.extra == 0 => {}
            Status::Vanarana => {
                let kept = [slot.extra & 0xF, slot.extra >> 4].into_iter().filter(|&kept| kept > 0);
                let kept: Vec<_> = kept.map(|kept| FACES[usize::from(kept) - 1]).collect();
                value["kept"] = json!(kept);
            }
            _ => value["element"] = json!(FACES[usize::from(slot.extra)]),
        }
        value
    };
    slots.iter().map(write).collect()
}

/// The decks of a start position, card by card.
pub(super) fn deck_lists() -> String {
    let lists = DeckName::ALL.into_iter().zip(&STARTERS).map(|(deck, starter)| {
        let (team, cards) = (starter.team.join(", "), starter.deck.join(", "));
        format!("`{}`: {team} with two each of {cards}. ", deck.name())
    });
    let lists: String = lists.collect();
    format!(
        "the first player's and the second's deck. {lists}`random`: three characters and two each of fifteen \
         cards they can use, drawn by the option `deal_seed`, which also shuffles"
    )
}
