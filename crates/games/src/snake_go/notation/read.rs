//! Parses and validates JSON positions.

use serde_json::{Map, Value};

use super::{LEAST_SIDE, MOST_ROUNDS, xy};
use crate::notation::{Fault, members};
use crate::snake_go::cells::{Cells, Enclosure, SIDE};
use crate::snake_go::items::{Item, LASTS, MOST_GAIN, MOST_ITEMS};
use crate::snake_go::rules::{SnakeGo, SnakeGoRules};
use crate::snake_go::setup::Described;
use crate::snake_go::snakes::{MOST_BANK, MOST_SNAKES};
use engine::game::Side;

const MEMBERS: [&str; 12] = [
    "size",
    "max_round",
    "growth_rounds",
    "enclosure",
    "round",
    "player",
    "acting",
    "next_id",
    "snakes",
    "walls",
    "items",
    "eaten",
];
/// Maximum id in the first round, and number of new ids per round.
const FIRST_IDS: u16 = 40_000;
const IDS_A_ROUND: u16 = 6;
/// Maximum id in any round.
pub(super) const MOST_ID: u16 = FIRST_IDS + IDS_A_ROUND * (MOST_ROUNDS + 1);

/// Parses a state; missing rules default to `rules`.
pub(super) fn state(value: &Value, rules: SnakeGoRules) -> Result<SnakeGo, Fault> {
    let map = members(value, &MEMBERS)?;
    let rules = read_rules(map, rules)?;
    let items = match map.get("items") {
        None => Vec::new(),
        Some(items) => read_items(items, rules.size).map_err(|fault| fault.under("items"))?,
    };
    if !map.contains_key("snakes") {
        let is_of_start = |key: &&String| MEMBERS[..4].contains(&key.as_str()) || *key == "items";
        return match map.keys().find(|key| !is_of_start(key)) {
            None => Ok(SnakeGo::new(rules, &items)),
            Some(key) => {
                let why =
                    "not allowed without `snakes`: the start of a half has only rules and `items`";
                Err(Fault::shape(why).under(key))
            }
        };
    }
    let mut pos = SnakeGo::empty(rules);
    pos.set_items(&items);
    pos.round = number(map, "round", 1, 1, MOST_ROUNDS + 1)?;
    put_walls(&mut pos, map).map_err(|fault| fault.under("walls"))?;
    put_snakes(&mut pos, map).map_err(|fault| fault.under("snakes"))?;
    read_eaten(&mut pos, map).map_err(|fault| fault.under("eaten"))?;
    lay_items(&mut pos)?;
    read_next_id(&mut pos, map)?;
    read_turn(&mut pos, map)?;
    Ok(pos)
}

fn read_rules(map: &Map<String, Value>, rules: SnakeGoRules) -> Result<SnakeGoRules, Fault> {
    let enclosure = match map.get("enclosure").map(Value::as_str) {
        None => rules.enclosure,
        Some(Some("border")) => Enclosure::Border,
        Some(Some("sides")) => Enclosure::Sides,
        Some(_) => return Err(Fault::shape("expected `border` or `sides`").under("enclosure")),
    };
    let size = u16::from(rules.size);
    let size = number(map, "size", size, u16::from(LEAST_SIDE), u16::from(SIDE))? as u8;
    let max_round = number(map, "max_round", rules.max_round, 1, MOST_ROUNDS)?;
    let growth_rounds = number(map, "growth_rounds", rules.growth_rounds, 0, MOST_ROUNDS)?;
    Ok(SnakeGoRules { size, max_round, growth_rounds, enclosure })
}

/// A whole number within bounds; errors point at the value.
fn whole(value: &Value, min: u16, max: u16) -> Result<u16, Fault> {
    let number = value.as_u64().and_then(|number| u16::try_from(number).ok());
    number.filter(|number| (min..=max).contains(number)).ok_or_else(|| {
        Fault::shape(format!("expected a whole number from {min} to {max}, got {value}"))
    })
}

fn number(
    map: &Map<String, Value>,
    key: &str,
    default: u16,
    min: u16,
    max: u16,
) -> Result<u16, Fault> {
    let value = map.get(key).map_or(Ok(default), |value| whole(value, min, max));
    value.map_err(|fault| fault.under(key))
}

fn required(map: &Map<String, Value>, key: &str, min: u16, max: u16) -> Result<u16, Fault> {
    let value = map.get(key).unwrap_or(&Value::Null);
    whole(value, min, max).map_err(|fault| fault.under(key))
}

fn list<'a>(value: &'a Value, what: &str) -> Result<&'a [Value], Fault> {
    value
        .as_array()
        .map(Vec::as_slice)
        .ok_or_else(|| Fault::shape(format!("expected a list of {what}")))
}

/// Applies `read` to every element of an optional list.
fn each(
    map: &Map<String, Value>,
    key: &str,
    what: &str,
    mut read: impl FnMut(&Value) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let Some(value) = map.get(key) else { return Ok(()) };
    list(value, what)?
        .iter()
        .enumerate()
        .try_for_each(|(n, value)| read(value).map_err(|fault| fault.under(n)))
}

/// Parses a short list of numbers such as a cell `[x, y]`.
fn numbers<const N: usize>(value: &Value, most: [u16; N], what: &str) -> Result<[u16; N], Fault> {
    let all = value.as_array().filter(|all| all.len() == N);
    let all = all.ok_or_else(|| Fault::shape(format!("expected {what}, got {value}")))?;
    let mut found = [0; N];
    for n in 0..N {
        found[n] = whole(&all[n], 0, most[n]).map_err(|fault| fault.under(n))?;
    }
    Ok(found)
}

fn camp(number: u16) -> Side {
    Side::BOTH[usize::from(number)]
}

fn show(cell: u8) -> String {
    let [x, y] = xy(cell);
    format!("[{x}, {y}]")
}

/// Parses a list of items.
pub(super) fn read_items(value: &Value, size: u8) -> Result<Vec<Item>, Fault> {
    let values = list(value, "items")?;
    if values.len() > MOST_ITEMS {
        let why = format!("{} items; a game has at most {MOST_ITEMS}", values.len());
        return Err(Fault::shape(why));
    }
    let mut items: Vec<Item> = Vec::new();
    for (n, value) in values.iter().enumerate() {
        let item = read_item(value, size).and_then(|item| {
            check_order(&items, &item)?;
            Ok(item)
        });
        items.push(item.map_err(|fault| fault.under(n))?);
    }
    Ok(items)
}

fn read_item(value: &Value, size: u8) -> Result<Item, Fault> {
    let map = members(value, &["x", "y", "time", "type", "param"])?;
    let far = u16::from(size) - 1;
    let [x, y] = [required(map, "x", 0, far)?, required(map, "y", 0, far)?];
    let time = required(map, "time", 1, MOST_ROUNDS)?;
    let gain = match map.get("type").and_then(Value::as_u64) {
        Some(0) => required(map, "param", 1, u16::from(MOST_GAIN))? as u8,
        Some(2) => 0,
        _ => {
            let why = "an item's type is 0 (length) or 2 (melt ray)";
            return Err(Fault::shape(why).under("type"));
        }
    };
    Ok(Item { cell: y as u8 * SIDE + x as u8, gain, time })
}

/// Checks that items are sorted by time and never overlap on a cell.
fn check_order(before: &[Item], item: &Item) -> Result<(), Fault> {
    if let Some(last) = before.last().filter(|last| last.time > item.time) {
        let why = format!(
            "it appears in round {}, the item before it in round {}; items stand in the order in which they appear",
            item.time, last.time
        );
        return Err(Fault::shape(why).under("time"));
    }
    match before.iter().position(|other| other.cell == item.cell && other.is_open(item.time)) {
        Some(other) => {
            let why = format!(
                "item {other} may still lie on {}: an item lies there for {LASTS} rounds, and no other appears on its cell",
                show(item.cell)
            );
            Err(Fault::position(why))
        }
        None => Ok(()),
    }
}

fn put_walls(pos: &mut SnakeGo, map: &Map<String, Value>) -> Result<(), Fault> {
    let far = u16::from(pos.rules.size) - 1;
    each(map, "walls", "walls [x, y, camp]", |value| {
        let [x, y, owner] = numbers(value, [far, far, 1], "a wall [x, y, camp]")?;
        let cell = y as u8 * SIDE + x as u8;
        if pos.walls().contains(cell) {
            return Err(Fault::position(format!("duplicate wall on {}", show(cell))));
        }
        pos.walls[camp(owner).index()].insert(cell);
        Ok(())
    })
}

fn put_snakes(pos: &mut SnakeGo, map: &Map<String, Value>) -> Result<(), Fault> {
    let mut ids = Vec::new();
    each(map, "snakes", "snakes", |value| {
        let snake = read_snake(value, pos.rules.size)?;
        if ids.contains(&snake.id) {
            let why = format!("two snakes have the id {}; ids must be unique", snake.id);
            return Err(Fault::position(why).under("id"));
        }
        ids.push(snake.id);
        check_snake(pos, &snake)?;
        pos.put_snake(&snake);
        Ok(())
    })
}

fn read_snake(value: &Value, size: u8) -> Result<Described, Fault> {
    let map = members(value, &["id", "camp", "body", "bank", "ray"])?;
    let id = required(map, "id", 0, MOST_ID)?;
    let camp = camp(required(map, "camp", 0, 1)?);
    let far = u16::from(size) - 1;
    let mut body = Vec::new();
    each(map, "body", "cells [x, y] from the head on", |value| {
        let [x, y] = numbers(value, [far; 2], "a cell [x, y]")?;
        body.push(y as u8 * SIDE + x as u8);
        Ok(())
    })
    .map_err(|fault| fault.under("body"))?;
    if body.is_empty() {
        return Err(Fault::shape("the body of a snake has at least one cell").under("body"));
    }
    let bank = number(map, "bank", 0, 0, MOST_BANK)?;
    let ray = match map.get("ray") {
        None => false,
        Some(Value::Bool(ray)) => *ray,
        Some(_) => return Err(Fault::shape("expected true or false").under("ray")),
    };
    Ok(Described { id, camp, body, bank, ray })
}

fn check_snake(pos: &SnakeGo, snake: &Described) -> Result<(), Fault> {
    if pos.snakes_of(snake.camp).len() == MOST_SNAKES {
        let why = format!("player {} has more than {MOST_SNAKES} snakes", snake.camp.index());
        return Err(Fault::position(why));
    }
    if usize::from(snake.id) == snake.camp.other().index() {
        let why = "id 0 is the first player's initial snake and id 1 the second's";
        return Err(Fault::position(why).under("id"));
    }
    let mut own = Cells::EMPTY;
    for (n, &cell) in snake.body.iter().enumerate() {
        let fault = |what: &str| {
            Err(Fault::position(format!("{} {what}", show(cell))).under(n).under("body"))
        };
        let is_next = |before: u8| {
            let ([x, y], [ax, ay]) = (xy(cell), xy(before));
            x.abs_diff(ax) + y.abs_diff(ay) == 1
        };
        if own.contains(cell) {
            return fault("belongs to this snake twice");
        } else if pos.bodies.contains(cell) {
            return fault("also belongs to another snake");
        } else if pos.walls().contains(cell) {
            return fault("is a wall");
        } else if n > 0 && !is_next(snake.body[n - 1]) {
            return fault("is not a neighbour of the cell before it: the snake is broken");
        } else {
            own.insert(cell);
        }
    }
    Ok(())
}

fn read_eaten(pos: &mut SnakeGo, map: &Map<String, Value>) -> Result<(), Fault> {
    each(map, "eaten", "numbers of items", |value| {
        let most = pos.items().len();
        let number = value.as_u64().filter(|&number| number < most as u64).ok_or_else(|| {
            Fault::shape(format!("expected the number of an item, less than {most}, got {value}"))
        })? as u8;
        if pos.eaten.contains(number) {
            return Err(Fault::position(format!("duplicate item {number}")));
        }
        let time = pos.items[usize::from(number)].time;
        if time > pos.round {
            let why = format!("item {number} appears in round {time}, after round {}", pos.round);
            return Err(Fault::position(why));
        }
        pos.eaten.insert(number);
        Ok(())
    })
}

fn lay_items(pos: &mut SnakeGo) -> Result<(), Fault> {
    pos.lay_items();
    let Some(cell) = (pos.lying & pos.bodies).iter().next() else { return Ok(()) };
    let lies = |item: &Item| item.cell == cell && item.is_open(pos.round);
    let number = pos.items().iter().rposition(lies).unwrap_or_default();
    let why = format!(
        "item {number} lies under a snake on {}: it was eaten when they met, so list it here",
        show(cell)
    );
    Err(Fault::position(why).under("eaten"))
}

fn read_next_id(pos: &mut SnakeGo, map: &Map<String, Value>) -> Result<(), Fault> {
    let ids = pos.snakes.iter().filter(|snake| snake.length > 0).map(|snake| snake.id);
    let least = ids.max().map_or(2, |id| 2.max(id + 1));
    let most = FIRST_IDS + IDS_A_ROUND * pos.round;
    if least > most {
        let why = format!("in round {} ids are at most {}", pos.round, most - 1);
        return Err(Fault::shape(why).under("snakes"));
    }
    pos.next_id = number(map, "next_id", least, 2, most)?;
    if pos.next_id < least {
        let why = format!("snake {} exists already; the next id is {least} or more", least - 1);
        return Err(Fault::position(why).under("next_id"));
    }
    Ok(())
}

/// Parses the turn and the mover's snakes still to act.
fn read_turn(pos: &mut SnakeGo, map: &Map<String, Value>) -> Result<(), Fault> {
    pos.player = camp(number(map, "player", 0, 0, 1)?);
    let all: Vec<u16> =
        pos.snakes_of(pos.player).iter().map(|&place| pos.snake(place).id).collect();
    let last = pos.rules.max_round;
    if pos.round > last + 1 {
        let why = format!("the half ends after round {last}; round {} is past it", pos.round);
        return Err(Fault::position(why).under("round"));
    }
    let is_over = pos.bodies.is_empty() || pos.round > last;
    let mut acting = if is_over { Vec::new() } else { all.clone() };
    if map.contains_key("acting") {
        acting.clear();
        each(map, "acting", "ids of snakes", |value| {
            acting.push(whole(value, 0, MOST_ID)?);
            Ok(())
        })
        .map_err(|fault| fault.under("acting"))?;
    }
    let fault = |key: &str, why: String| Err(Fault::position(why).under(key));
    if is_over && pos.round > last && pos.player == Side::Second {
        fault("player", format!("after round {last} the half is over; `player` must be 0"))
    } else if is_over && !acting.is_empty() {
        fault("acting", "the half is over: no snake acts".into())
    } else if is_over {
        pos.end();
        Ok(())
    } else if all.is_empty() {
        let (player, other) = (pos.player.index(), pos.player.other().index());
        fault(
            "player",
            format!(
                "player {player} has no snake and is skipped; it is the turn of player {other}"
            ),
        )
    } else if acting.is_empty() || !all.ends_with(&acting) {
        fault(
            "acting",
            format!(
                "the snakes still to act are the last ones of the player's list {all:?}, at least one and in its order"
            ),
        )
    } else {
        pos.waiting = acting.len() as u8;
        Ok(())
    }
}
