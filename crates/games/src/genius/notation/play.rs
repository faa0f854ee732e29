//! Text form of moves.

use serde_json::Value;

use super::{FACES, face, seat};
use crate::genius::cards::Card;
use crate::genius::dice::Dice;
use crate::genius::moves::{Act, GeniusMove, Target};
use crate::genius::state::{FIGHTERS, Genius, Task};
use crate::notation::{Fault, choices, illegal_move, members, read_json};
use engine::game::{Game, Side, Turn};

/// A move with its payment.
pub(super) fn text(pos: &Genius, mv: GeniusMove) -> String {
    let act = act_text(pos, mv.act);
    let Turn::Of(side) = pos.turn() else { return act };
    match pos.cost(side, mv.act).dice() {
        0 => act,
        _ => format!("{act} with {}", dice_text(pos.payment(side, mv))),
    }
}

/// `cryo:2 omni:1`, or `nothing`.
fn dice_text(dice: Dice) -> String {
    let faces = (0..).zip(FACES).filter(|&(face, _)| dice.count(face) > 0);
    let words: Vec<_> = faces.map(|(face, name)| format!("{name}:{}", dice.count(face))).collect();
    if words.is_empty() { "nothing".into() } else { words.join(" ") }
}

fn act_text(pos: &Genius, act: Act) -> String {
    match act {
        Act::Skill(number) => format!("skill {number}"),
        Act::Switch(place) => format!("switch {place}"),
        Act::Play(card, target) => {
            let card = card.name();
            match target {
                Target::Nothing => format!("play {card}"),
                Target::Fighter(place) => format!("play {card} on {place}"),
                Target::Summon(place) => format!("play {card} on summon {place}"),
                Target::FoeSummon(place) => format!("play {card} on opponent summon {place}"),
                Target::Support(place) => format!("play {card} on support {place}"),
            }
        }
        Act::Tune(card, face) => format!("tune {} {}", card.name(), FACES[usize::from(face)]),
        Act::End => "end".into(),
        Act::Choose(place) => format!("choose {place}"),
        Act::Reroll(dice) => format!("reroll {}", dice_text(dice)),
        Act::Redraw(places) => {
            let hand = pos.seat(pos.decider()).hand;
            let back = hand.as_slice().iter().enumerate().filter(|(n, _)| places >> n & 1 == 1);
            let names: Vec<_> = back.map(|(_, card)| card.name()).collect();
            let names = if names.is_empty() { "nothing".into() } else { names.join(", ") };
            format!("redraw {names}")
        }
        Act::Roll(face) => format!("roll {}", FACES[usize::from(face)]),
        Act::Draw(card) => format!("draw {}", card.name()),
    }
}

/// The legal move with this text.
pub(super) fn find(pos: &Genius, text: &str) -> Result<GeniusMove, Fault> {
    let text = text.trim();
    let illegal = |why: String| illegal_move(pos, text, &why);
    let parsed = if text.starts_with('{') { from_json(pos, text) } else { from_text(pos, text) };
    let (act, dice) = parsed.map_err(illegal)?;
    legal(pos, act, dice).map_err(illegal)
}

/// Checks legality and payment of an action.
fn legal(pos: &Genius, act: Act, dice: Option<Dice>) -> Result<GeniusMove, String> {
    if let (Act::Reroll(rolled), Some(Task::Reroll(side, _))) = (act, pos.tasks.next()) {
        let held = pos.seat(side).dice;
        return if held.holds(rolled) {
            Ok(act.into())
        } else {
            Err(format!("the available dice are {}", dice_text(held)))
        };
    }
    if !choices(pos).iter().any(|mv| mv.act == act) {
        return Err("it cannot be done or paid for".into());
    }
    let (Some(dice), Turn::Of(side)) = (dice, pos.turn()) else { return Ok(act.into()) };
    let cost = pos.cost(side, act);
    if !pos.seat(side).dice.holds(dice) {
        return Err(format!("the available dice are {}", dice_text(pos.seat(side).dice)));
    }
    if !cost.is_paid_by(dice) {
        return Err(format!(
            "{} do not pay for it; {}",
            dice_text(dice),
            cost_text(pos, side, act)
        ));
    }
    let is_canonical = cost.payment(pos.seat(side).dice, pos.seat(side).need()) == dice;
    Ok(GeniusMove { act, dice: (!is_canonical).then_some(dice) })
}

fn cost_text(pos: &Genius, side: Side, act: Act) -> String {
    let cost = pos.cost(side, act);
    let own = cost.own.map(|(element, n)| format!("{n} {}", FACES[element as usize]));
    let same = (cost.same > 0).then(|| format!("{} of one kind", cost.same));
    let any = (cost.any > 0).then(|| format!("{} of any kind", cost.any));
    let parts: Vec<_> = [own, same, any].into_iter().flatten().collect();
    if parts.is_empty() {
        "it costs nothing".into()
    } else {
        format!("it costs {} (omni stands for any)", parts.join(" and "))
    }
}

type Parsed = Result<(Act, Option<Dice>), String>;

fn from_text(pos: &Genius, text: &str) -> Parsed {
    let (act, paid) = match text.rsplit_once(" with ") {
        Some((act, dice)) => (act, Some(read_dice(dice)?)),
        None => (text, None),
    };
    let act = act.trim();
    let (word, rest) = act.split_once(' ').unwrap_or((act, ""));
    let rest = rest.trim();
    let number = |most: u8| {
        rest.parse::<u8>()
            .ok()
            .filter(|n| *n <= most)
            .ok_or_else(|| format!("expected a number from 0 to {most} after `{word}`"))
    };
    let act = match &word.to_ascii_lowercase()[..] {
        "na" if rest.is_empty() => Act::Skill(0),
        "burst" if rest.is_empty() => Act::Skill(2),
        "skill" if rest.is_empty() => Act::Skill(1),
        "skill" => Act::Skill(number(2)?),
        "switch" if ["next", "previous"].contains(&rest) => {
            let seat = pos.seat(pos.decider());
            let step = if rest == "next" { 1 } else { FIGHTERS - 1 };
            Act::Switch(seat.neighbour(step, |fighter| fighter.alive).unwrap_or(FIGHTERS))
        }
        "switch" => Act::Switch(number(2)?),
        "choose" => Act::Choose(number(2)?),
        "end" => Act::End,
        "reroll" => Act::Reroll(read_dice(rest)?),
        "roll" => Act::Roll(face(rest).ok_or_else(|| format!("`{rest}` is not a die face"))?),
        "draw" => Act::Draw(card(rest)?),
        "redraw" => Act::Redraw(redraw(pos, rest)?),
        "tune" => {
            let (name, die) = rest.rsplit_once(' ').unwrap_or((rest, ""));
            Act::Tune(card(name)?, face(die).ok_or_else(|| format!("`{die}` is not a die face"))?)
        }
        "play" => {
            let (name, target) = match rest.rsplit_once(" on ") {
                Some((name, target)) => (name, read_target(target)?),
                None => (rest, Target::Nothing),
            };
            Act::Play(card(name)?, target)
        }
        _ => {
            return Err("expected `skill`, `switch`, `play`, `tune`, `end`, `choose`, \
                        `reroll` or `redraw`"
                .into());
        }
    };
    Ok((act, paid))
}

fn card(name: &str) -> Result<Card, String> {
    let name = name.trim();
    let found = Card::names().find(|known| known.eq_ignore_ascii_case(name));
    found.and_then(Card::named).ok_or_else(|| format!("unknown card `{name}`"))
}

fn read_dice(text: &str) -> Result<Dice, String> {
    if text == "nothing" {
        return Ok(Dice::NONE);
    }
    text.split_whitespace().try_fold(Dice::NONE, |dice, word| {
        let wrong = || format!("`{word}` is not a number of dice such as `cryo:2`");
        let (name, count) = word.split_once(':').ok_or_else(wrong)?;
        let face = face(name).ok_or_else(wrong)?;
        let count = count.parse::<u8>().ok().filter(|n| *n <= 16).ok_or_else(wrong)?;
        if dice.count(face) > 0 {
            return Err(format!("duplicate face {name}"));
        }
        Ok(dice.plus(Dice::of(face, count)))
    })
}

fn read_target(text: &str) -> Result<Target, String> {
    let words: Vec<_> = text.split_whitespace().collect();
    let number = |word: &str, most: u8| {
        let number = word.parse::<u8>().ok().filter(|n| *n <= most);
        number.ok_or_else(|| format!("`{word}` is not a number from 0 to {most}"))
    };
    match words[..] {
        ["opponent", "summon", n] => number(n, 3).map(Target::FoeSummon),
        ["summon", n] => number(n, 3).map(Target::Summon),
        ["support", n] => number(n, 3).map(Target::Support),
        [n] => number(n, 2).map(Target::Fighter),
        _ => Err(format!(
            "`{text}` is not a target; expected `1`, `summon 0`, `opponent summon 0` or `support 3`"
        )),
    }
}

fn redraw(pos: &Genius, text: &str) -> Result<u16, String> {
    let hand = pos.seat(pos.decider()).hand;
    let mut places = 0;
    for name in text.split(',').filter(|name| !name.trim().is_empty() && name.trim() != "nothing") {
        let card = card(name)?;
        let place = hand
            .as_slice()
            .iter()
            .enumerate()
            .position(|(n, held)| *held == card && places >> n & 1 == 0);
        places |= 1 << place.ok_or_else(|| format!("not enough `{}` in the hand", card.name()))?;
    }
    Ok(places)
}

/// `{"type": "skill", "skill": 1, "dice": {"cryo": 3}}` and the like.
fn from_json(pos: &Genius, text: &str) -> Parsed {
    let value: Value =
        serde_json::from_str(text).map_err(|why| format!("it is not JSON: {why}"))?;
    let known = ["type", "skill", "kit", "to", "card", "target", "die", "dice"];
    let map = members(&value, &known).map_err(|fault| fault.detail)?;
    let word = |key: &str| map.get(key).and_then(Value::as_str).unwrap_or_default();
    let number = |key: &str, most: u8| {
        let number = map.get(key).and_then(Value::as_u64).and_then(|n| u8::try_from(n).ok());
        number
            .filter(|n| *n <= most)
            .ok_or_else(|| format!("`{key}` must be a number from 0 to {most}"))
    };
    let dice = || match map.get("dice") {
        None | Some(Value::Null) => Ok(None),
        Some(value) => {
            read_json(value).and_then(seat::dice).map(Some).map_err(|fault: Fault| fault.detail)
        }
    };
    let act = match word("type") {
        "skill" => match word("kit") {
            "na" => Act::Skill(0),
            "skill" => Act::Skill(1),
            "burst" => Act::Skill(2),
            _ => Act::Skill(number("skill", 2)?),
        },
        "switch" => Act::Switch(number("to", 2)?),
        "choose" => Act::Choose(number("to", 2)?),
        "end" => Act::End,
        "tune" => {
            let die = word("die");
            Act::Tune(
                card(word("card"))?,
                face(die).ok_or_else(|| format!("`{die}` is not a die face"))?,
            )
        }
        "card" | "play" => Act::Play(card(word("card"))?, json_target(pos, map.get("target"))?),
        "reroll" => return Ok((Act::Reroll(dice()?.unwrap_or_default()), None)),
        other => return Err(format!("`{other}` is not a type of move")),
    };
    Ok((act, dice()?))
}

/// `["char", 0, 1]`: kind, side, and place (or name of a summon).
fn json_target(pos: &Genius, value: Option<&Value>) -> Result<Target, String> {
    let Some(Value::Array(parts)) = value else { return Ok(Target::Nothing) };
    let wrong = || "expected a target [\"char\", side, place]".to_owned();
    let [what, side, place] = &parts[..] else { return Err(wrong()) };
    let side = side.as_u64().filter(|n| *n < 2).ok_or_else(wrong)? as usize;
    let side = Side::BOTH[side];
    let is_own = side == pos.decider();
    let summons = pos.seat(side).summons.as_slice();
    let named = |name: &str| summons.iter().position(|slot| slot.what.name() == name);
    let place = match (place.as_str(), place.as_u64()) {
        (Some(name), _) => named(name),
        (_, number) => number.filter(|n| *n < 4).map(|n| n as usize),
    };
    let place = place.ok_or_else(wrong)? as u8;
    match what.as_str() {
        Some("char") if is_own => Ok(Target::Fighter(place)),
        Some("summon") if is_own => Ok(Target::Summon(place)),
        Some("summon") => Ok(Target::FoeSummon(place)),
        Some("support") if is_own => Ok(Target::Support(place)),
        _ => Err(wrong()),
    }
}
