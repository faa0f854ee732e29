//! Games and test cases recorded by other programs, in three forms:
//!
//! - full games: `{"games": [{"first", "steps": [{"state", "legal", "action", "next"}]}]}`; `next`
//!   is null if it equals the state of the next step, `legal` lists all actions with their costs;
//! - cases: `{"cases": [{"state", "action", "lpsim"}]}`, `lpsim` being the resulting state;
//! - games of the core profile: `[{"teams", "actions", "snaps": [{"after", "state"}]}]`.
//!
//! Dice are taken from the following states; cards are drawn in deck order.

use serde_json::{Value, json};

use super::{FACES, read, write};
use crate::genius::cards::Card;
use crate::genius::dice::Cost;
use crate::genius::lists::Slot;
use crate::genius::moves::{Act, Target};
use crate::genius::state::{Fighter, Genius, Seat, Task};
use crate::genius::statuses::Status;
use crate::notation::{Fault, RecordStep, Recording, Settings};
use engine::game::{Game, Side, Turn};

type RecordReader = fn(&Value, &Settings) -> Result<Recording<Genius>, Fault>;

/// Parses the recordings of a file.
pub(super) fn games(file: &Value, settings: &Settings) -> Result<Vec<Recording<Genius>>, Fault> {
    let (list, key, read): (_, _, RecordReader) = match (&file["games"], &file["cases"], file) {
        (Value::Array(games), ..) => (games, Some("games"), game),
        (_, Value::Array(cases), _) => (cases, Some("cases"), case),
        (.., Value::Array(games)) => (games, None, core_game),
        _ => return Err(Fault::shape("expected `games`, `cases` or a list of core games")),
    };
    let read = |(n, value)| {
        read(value, settings).map_err(|fault| {
            let fault = fault.under(n);
            key.map_or(fault.clone(), |key| fault.under(key))
        })
    };
    list.iter().enumerate().map(read).collect()
}

fn game(value: &Value, settings: &Settings) -> Result<Recording<Genius>, Fault> {
    let rows = value["steps"].as_array().map(Vec::as_slice).unwrap_or_default();
    let Some(first) = rows.first() else {
        return Err(Fault::shape("expected a list of steps").under("steps"));
    };
    let at = |n: usize| move |fault: Fault| fault.under("state").under(n).under("steps");
    let mut start = first["state"].clone();
    if let (Some(first), Some(map)) = (value.get("first"), start.as_object_mut()) {
        map.insert("first".into(), first.clone());
    }
    let start = read::position(&start, settings).map_err(at(0))?;
    let mut steps = Vec::new();
    for (n, row) in rows.iter().enumerate() {
        let next = match &row["next"] {
            Value::Null => &rows.get(n + 1).unwrap_or(row)["state"],
            next => next,
        };
        let mut seen = observation(&row["state"]);
        if let Some(legal) = row.get("legal").and_then(Value::as_array) {
            seen["legal"] = sorted(legal.clone());
        }
        steps.push(RecordStep::See(seen));
        steps.push(RecordStep::Play(row["action"].to_string()));
        steps.extend(rolls(row, next).into_iter().map(RecordStep::Play));
        if n + 1 == rows.len() {
            steps.push(RecordStep::See(observation(next)));
        }
    }
    Ok(Recording { start, steps })
}

fn case(value: &Value, settings: &Settings) -> Result<Recording<Genius>, Fault> {
    let start = read::position(&value["state"], settings);
    let start = start.map_err(|fault| fault.under("state"))?;
    let action = RecordStep::Play(value["action"].to_string());
    Ok(Recording { start, steps: vec![action, RecordStep::See(observation(&value["lpsim"]))] })
}

/// The dice rolled between two states, one by one.
fn rolls(row: &Value, next: &Value) -> Vec<String> {
    let faces = |dice: &Value| -> Vec<u64> {
        FACES.iter().map(|face| dice[face].as_u64().unwrap_or_default()).collect()
    };
    let fell = |dice: Vec<u64>| {
        FACES
            .into_iter()
            .zip(dice)
            .flat_map(|(face, count)| (0..count).map(move |_| format!("roll {face}")))
    };
    let state = &row["state"];
    let dice = |state: &Value, side: usize| faces(&state["players"][side]["dice"]);
    if row["action"]["type"] == "reroll" {
        let side = row["actor"].as_u64().unwrap_or_default() as usize;
        let rolled = faces(&row["action"]["dice"]);
        let held = dice(state, side).into_iter().zip(&rolled);
        let kept = held.map(|(held, rolled)| held.saturating_sub(*rolled));
        let new =
            dice(next, side).into_iter().zip(kept).map(|(all, kept)| all.saturating_sub(kept));
        let mut new: Vec<_> = new.collect();
        // Omni dice given by supports since then were not rolled.
        new[0] -= new.iter().sum::<u64>().saturating_sub(rolled.iter().sum()).min(new[0]);
        return fell(new).collect();
    }
    if next["phase"] == "roll" && next["round"] != state["round"] {
        return [0, 1].into_iter().flat_map(|side| fell(dice(next, side))).collect();
    }
    Vec::new()
}

/// A state in the form of [`Notation::observe`](crate::notation::Notation::observe): hands are
/// sets, and skill counts exist for Diluc only.
fn observation(state: &Value) -> Value {
    let mut seen = state.clone();
    forget_spent(&mut seen);
    for player in seen["players"].as_array_mut().into_iter().flatten() {
        for fighter in player["chars"].as_array_mut().into_iter().flatten() {
            if fighter["name"] != "Diluc"
                && let Some(map) = fighter.as_object_mut()
            {
                map.remove("skill_uses");
            }
        }
        // A side that has to choose has no active fighter.
        if player["active"] == -1
            && let Some(map) = player.as_object_mut()
        {
            map.remove("active");
        }
        player["summons"].as_array_mut().into_iter().flatten().for_each(name_element);
        let hand = player["hand"].as_array_mut().into_iter().flatten();
        let mut hand: Vec<_> = hand.map(Value::take).collect();
        let order = |name: &Value| Card::named(name.as_str().unwrap_or_default());
        hand.sort_by_key(order);
        player["hand"] = hand.into();
    }
    if seen["phase"] == "over"
        && let Some(map) = seen.as_object_mut()
    {
        map.remove("turn");
    }
    seen
}

/// The element of a recorded summon, which may be called `el`, by our name; without it where it is that of the
/// wind itself.
fn name_element(summon: &mut Value) {
    let Some(map) = summon.as_object_mut() else { return };
    let element = map.remove("el").or_else(|| map.remove("element"));
    if let Some(element) = element.filter(|element| *element != "anemo") {
        map.insert("element".into(), element);
    }
}

/// Removes spent once-per-round statuses of a side: they are invisible.
pub(super) fn forget_spent(state: &mut Value) {
    for player in state["players"].as_array_mut().into_iter().flatten() {
        if let Some(team) = player["team"].as_array_mut() {
            team.retain(|status| status["n"] != 0);
        }
    }
}

fn sorted(mut list: Vec<Value>) -> Value {
    list.sort_by_key(Value::to_string);
    list.into()
}

/// All actions with their costs.
pub(super) fn legal(pos: &Genius, side: Side) -> Value {
    let moves = pos.legal_moves();
    let write = |act: Act| {
        let cost = |cost: Cost| {
            let own = cost.own.map(|(element, n)| json!([FACES[element as usize], n]));
            json!({ "elem": own, "same": cost.same, "any": cost.any, "energy": cost.energy })
        };
        let cost = cost(pos.cost(side, act));
        match act {
            Act::Skill(n) => json!({ "type": "skill", "skill": n, "cost": cost }),
            Act::Switch(to) => json!({ "type": "switch", "to": to, "cost": cost }),
            Act::Tune(card, die) => {
                let die = FACES[usize::from(die)];
                json!({ "type": "tune", "card": card.name(), "die": die, "cost": null })
            }
            Act::Play(card, target) => {
                let (own, opponent) = (side.index(), side.other().index());
                let target = match target {
                    Target::Nothing => Value::Null,
                    Target::Fighter(n) => json!(["char", own, n]),
                    Target::Summon(n) => json!(["summon", own, summon_name(pos, side, n)]),
                    Target::FoeSummon(n) => {
                        json!(["summon", opponent, summon_name(pos, side.other(), n)])
                    }
                    Target::Support(n) => json!(["support", own, n]),
                };
                json!({ "type": "card", "card": card.name(), "target": target, "cost": cost })
            }
            _ => json!({ "type": "end", "cost": null }),
        }
    };
    sorted(moves.into_iter().map(|mv| write(mv.act)).collect())
}

fn summon_name(pos: &Genius, side: Side, place: u8) -> &'static str {
    pos.seat(side).summons.as_slice()[usize::from(place)].what.name()
}

fn core_game(value: &Value, _: &Settings) -> Result<Recording<Genius>, Fault> {
    let team = |side: usize| -> Option<[&str; 3]> {
        let names = value["teams"][side].as_array()?;
        let names: Option<Vec<_>> = names.iter().map(Value::as_str).collect();
        names?.try_into().ok()
    };
    let start = team(0).zip(team(1)).and_then(|(first, second)| Genius::core([first, second]));
    let start = start
        .ok_or_else(|| Fault::shape("expected two teams of three characters").under("teams"))?;
    let mut seen: Vec<(usize, Value)> = Vec::new();
    for snap in value["snaps"].as_array().into_iter().flatten() {
        let after = snap["after"].as_u64().unwrap_or_default() as usize;
        seen.push((after, json!({ "core": core_observation(&snap["state"]) })));
    }
    let mut steps = Vec::new();
    let actions = value["actions"].as_array().map(Vec::as_slice).unwrap_or_default();
    for (n, action) in actions.iter().map(Some).chain([None]).enumerate() {
        let now = seen.iter().filter(|(after, _)| *after == n);
        steps.extend(now.map(|(_, state)| RecordStep::See(state.clone())));
        steps.extend(action.and_then(Value::as_str).map(|text| RecordStep::Play(text.into())));
    }
    Ok(Recording { start, steps })
}

/// A recorded state without redundant fields: the turn is dropped at a choice or at the end of the
/// game.
fn core_observation(state: &Value) -> Value {
    let mut seen = state.clone();
    let is_settled = state["winner"].is_null() && state["choose"] == json!([]);
    if let (false, Some(map)) = (is_settled, seen.as_object_mut()) {
        map.remove("mover");
        if !state["winner"].is_null() {
            map.remove("actor");
        }
    }
    seen
}

/// The position in the form of the recorded games of the core profile.
pub(super) fn core_state(pos: &Genius) -> Value {
    let choose: Vec<_> = match pos.tasks.next() {
        Some(Task::Choose(side)) => vec![side.index()],
        _ => Vec::new(),
    };
    let actor = match pos.turn() {
        Turn::Of(side) => side,
        _ => pos.mover,
    };
    let sides: Vec<_> = pos.seats.iter().map(core_side).collect();
    let winner = write::position(pos)["winner"].clone();
    json!({
        "round": pos.round, "mover": pos.mover.index(), "actor": actor.index(), "winner": winner,
        "choose": choose, "sides": sides
    })
}

/// Uses of a status.
fn uses(slots: &[Slot], what: Status) -> u8 {
    slots.iter().find(|slot| slot.what == what).map_or(0, |slot| slot.n)
}

fn core_side(seat: &Seat) -> Value {
    let team = |what| uses(seat.team.as_slice(), what);
    let summons: Vec<_> = seat.summons.as_slice().iter().map(core_summon).collect();
    let fighters: Vec<_> = seat.fighters.iter().map(core_fighter).collect();
    json!({
        "active": seat.active, "dice": seat.dice.total(), "ended": seat.ended,
        "icicle": team(Status::Icicle), "core": team(Status::DendroCore),
        "field": team(Status::CatalyzingField), "shield": team(Status::Crystallize),
        "summons": summons, "chars": fighters
    })
}

fn core_summon(slot: &Slot) -> Value {
    let (name, own) = match slot.what {
        Status::Oz => ("Oz", "electro"),
        Status::BurningFlame => ("BurningFlame", "pyro"),
        Status::CuileinAnbar => ("CuileinAnbar", "dendro"),
        Status::LargeWindSpirit => ("LargeWindSpirit", "anemo"),
        other => (other.name(), ""),
    };
    json!([name, slot.n, if slot.extra > 0 { FACES[usize::from(slot.extra)] } else { own }])
}

fn core_fighter(fighter: &Fighter) -> Value {
    let on = |what| uses(fighter.attached.as_slice(), what);
    let aura: Vec<_> = fighter.aura.elements().map(|element| FACES[element as usize]).collect();
    json!([
        fighter.who.name(),
        fighter.hp,
        fighter.energy,
        aura,
        on(Status::Frozen) > 0,
        on(Status::PyroInfusion),
        fighter.skills
    ])
}
