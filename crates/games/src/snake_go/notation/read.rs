//! Parses and validates JSON positions.

use serde_json::Value;

use super::state::{Camp, Coordinate, ItemState, SnakeGoState, SnakeState};
use super::{MOST_ROUNDS, xy};
use crate::notation::{BoundedWhole, Fault, read_state};
use crate::snake_go::cells::{Cells, SIDE};
use crate::snake_go::items::{Item, LASTS, MOST_GAIN, MOST_ITEMS};
use crate::snake_go::rules::{SnakeGo, SnakeGoRules};
use crate::snake_go::setup::Described;
use crate::snake_go::snakes::MOST_SNAKES;
use engine::game::Side;

/// Maximum id in the first round, and number of new ids per round.
const FIRST_IDS: u16 = 40_000;
const IDS_A_ROUND: u16 = 6;
/// Maximum id in any round.
pub(super) const MOST_ID: u16 = FIRST_IDS + IDS_A_ROUND * (MOST_ROUNDS + 1);

/// Parses a state; missing rules default to `rules`.
pub(super) fn state(value: &Value, rules: SnakeGoRules) -> Result<SnakeGo, Fault> {
    let state: SnakeGoState = read_state(value)?;
    let rules = state.rules(rules);
    let items = read_items(state.items.as_deref().unwrap_or_default(), rules.size)
        .map_err(|fault| fault.under("items"))?;
    let Some(snakes) = &state.snakes else {
        return match state.beyond_the_start() {
            None => Ok(SnakeGo::new(rules, &items)),
            Some(key) => {
                let why =
                    "not allowed without `snakes`: the start of a half has only rules and `items`";
                Err(Fault::shape(why).under(key))
            }
        };
    };
    let mut pos = SnakeGo::empty(rules);
    pos.set_items(&items);
    pos.round = state.round.map_or(1, BoundedWhole::medium);
    put_walls(&mut pos, state.walls.as_deref().unwrap_or_default())
        .map_err(|fault| fault.under("walls"))?;
    put_snakes(&mut pos, snakes).map_err(|fault| fault.under("snakes"))?;
    read_eaten(&mut pos, state.eaten.as_deref().unwrap_or_default())
        .map_err(|fault| fault.under("eaten"))?;
    lay_items(&mut pos)?;
    read_next_id(&mut pos, state.next_id.map(BoundedWhole::medium))?;
    read_turn(&mut pos, &state)?;
    Ok(pos)
}

/// Calls `put` with every element; a fault has the number of its element.
fn each<T>(list: &[T], mut put: impl FnMut(&T) -> Result<(), Fault>) -> Result<(), Fault> {
    list.iter().enumerate().try_for_each(|(n, item)| put(item).map_err(|fault| fault.under(n)))
}

/// A cell of a map of this size; a fault is under the name or number of the coordinate.
fn cell<K: ToString>([x, y]: [Coordinate; 2], names: [K; 2], size: u8) -> Result<u8, Fault> {
    for (coordinate, name) in [x, y].into_iter().zip(names) {
        if coordinate.small() >= size {
            let (far, given) = (size - 1, coordinate.small());
            let why = format!("expected a whole number from 0 to {far}, got {given}");
            return Err(Fault::shape(why).under(name));
        }
    }
    Ok(y.small() * SIDE + x.small())
}

fn camp(number: Camp) -> Side {
    Side::BOTH[usize::from(number.small())]
}

fn show(cell: u8) -> String {
    let [x, y] = xy(cell);
    format!("[{x}, {y}]")
}

fn read_items(list: &[ItemState], size: u8) -> Result<Vec<Item>, Fault> {
    if list.len() > MOST_ITEMS {
        let why = format!("{} items; a game has at most {MOST_ITEMS}", list.len());
        return Err(Fault::shape(why));
    }
    let mut items: Vec<Item> = Vec::new();
    each(list, |state| {
        let item = read_item(state, size)?;
        check_order(&items, &item)?;
        items.push(item);
        Ok(())
    })?;
    Ok(items)
}

fn read_item(state: &ItemState, size: u8) -> Result<Item, Fault> {
    let cell = cell([state.x, state.y], ["x", "y"], size)?;
    let param = state.param.map(BoundedWhole::medium);
    let gain = match (state.kind.small(), param) {
        (0, Some(gain)) if (1..=u16::from(MOST_GAIN)).contains(&gain) => gain as u8,
        (0, _) => {
            let why = format!("expected a whole number from 1 to {MOST_GAIN}");
            return Err(Fault::shape(why).under("param"));
        }
        (2, _) => 0,
        _ => {
            let why = "an item's type is 0 (length) or 2 (melt ray)";
            return Err(Fault::shape(why).under("type"));
        }
    };
    Ok(Item { cell, gain, time: state.time.medium() })
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

fn put_walls(pos: &mut SnakeGo, walls: &[(Coordinate, Coordinate, Camp)]) -> Result<(), Fault> {
    each(walls, |&(x, y, owner)| {
        let cell = cell([x, y], [0, 1], pos.rules.size)?;
        if pos.walls().contains(cell) {
            return Err(Fault::position(format!("duplicate wall on {}", show(cell))));
        }
        pos.walls[camp(owner).index()].insert(cell);
        Ok(())
    })
}

fn put_snakes(pos: &mut SnakeGo, snakes: &[SnakeState]) -> Result<(), Fault> {
    let mut ids = Vec::new();
    each(snakes, |state| {
        let snake = read_snake(state, pos.rules.size)?;
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

fn read_snake(state: &SnakeState, size: u8) -> Result<Described, Fault> {
    let mut body = Vec::new();
    each(&state.body, |&place| {
        body.push(cell(place, [0, 1], size)?);
        Ok(())
    })
    .map_err(|fault| fault.under("body"))?;
    if body.is_empty() {
        return Err(Fault::shape("the body of a snake has at least one cell").under("body"));
    }
    Ok(Described {
        id: state.id.medium(),
        camp: camp(state.camp),
        body,
        bank: state.bank.map_or(0, BoundedWhole::medium),
        ray: state.ray,
    })
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

fn read_eaten(pos: &mut SnakeGo, numbers: &[BoundedWhole<0, 255>]) -> Result<(), Fault> {
    each(numbers, |number| {
        let (number, most) = (number.small(), pos.items().len());
        if usize::from(number) >= most {
            let why = format!("expected the number of an item, less than {most}, got {number}");
            return Err(Fault::shape(why));
        }
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

fn read_next_id(pos: &mut SnakeGo, given: Option<u16>) -> Result<(), Fault> {
    let ids = pos.snakes.iter().filter(|snake| snake.length > 0).map(|snake| snake.id);
    let least = ids.max().map_or(2, |id| 2.max(id + 1));
    let most = FIRST_IDS + IDS_A_ROUND * pos.round;
    if least > most {
        let why = format!("in round {} ids are at most {}", pos.round, most - 1);
        return Err(Fault::shape(why).under("snakes"));
    }
    pos.next_id = given.unwrap_or(least);
    if pos.next_id > most {
        let why = format!("expected a whole number from 2 to {most}, got {}", pos.next_id);
        return Err(Fault::shape(why).under("next_id"));
    }
    if pos.next_id < least {
        let why = format!("snake {} exists already; the next id is {least} or more", least - 1);
        return Err(Fault::position(why).under("next_id"));
    }
    Ok(())
}

/// Parses the turn and the mover's snakes still to act.
fn read_turn(pos: &mut SnakeGo, state: &SnakeGoState) -> Result<(), Fault> {
    pos.player = state.player.map_or(Side::First, camp);
    let all: Vec<u16> =
        pos.snakes_of(pos.player).iter().map(|&place| pos.snake(place).id).collect();
    let last = pos.rules.max_round;
    if pos.round > last + 1 {
        let why = format!("the half ends after round {last}; round {} is past it", pos.round);
        return Err(Fault::position(why).under("round"));
    }
    let is_over = pos.bodies.is_empty() || pos.round > last;
    let mut acting = if is_over { Vec::new() } else { all.clone() };
    if let Some(ids) = &state.acting {
        acting = ids.iter().map(|id| id.medium()).collect();
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
