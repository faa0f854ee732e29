//! Evaluation beyond the cells owned now: closable loops, reachability, and items. The weights were
//! chosen by matches.

use super::cells::{Cells, SIDE};
use super::evaluator::CELL;
use super::items::Item;
use super::ops::Direction;
use super::rules::SnakeGo;
use engine::game::Side;

/// Horizon of the reachability analysis, in rounds.
const FAR: u16 = 20;
/// A cell of length in the bank.
const BANK: i32 = 90;
/// A cell of length, or a ray, on the map, for the side to reach it first.
const FOOD: i32 = 90;
const RAY: i32 = 30;
/// A cell reached first by a side. If much larger, snakes avoid each other and loops; if zero, they
/// lack direction.
const REACH: i32 = 2;
/// A cell gained by a loop that could be closed at once.
const CLOSING: i32 = 80;
/// A cell gained by the largest possible loop of the snake's length.
const SHAPE: i32 = 25;
/// Penalty per cell of a snake whose head has no exit, or one exit.
const STUCK: [i32; 2] = [60, 8];

/// Evaluation per side, in hundredths of a cell.
pub(super) fn worth(pos: &SnakeGo) -> [i32; 2] {
    let left = i32::from(pos.rules.max_round + 1 - pos.round);
    let mut worth = reach(pos);
    for side in Side::BOTH {
        let places = pos.snakes_of(side);
        let walls = CELL * pos.walls[side.index()].count() as i32;
        let snakes: i32 = places.iter().map(|&place| snake(pos, place, left)).sum();
        worth[side.index()] += walls + snakes;
    }
    worth
}

/// Value of a snake: length, bank, and prospects in the remaining rounds.
fn snake(pos: &SnakeGo, place: u8, left: i32) -> i32 {
    let snake = pos.snake(place);
    let length = i32::from(snake.length);
    let given = if pos.is_growing_freely(place) {
        i32::from(pos.rules.growth_rounds + 1 - pos.round)
    } else {
        0
    };
    let bank = (i32::from(snake.bank) + given).min(left);
    let stuck = STUCK.get(ways_on(pos, place)).copied().unwrap_or(0);
    // A loop of 4 k cells encloses a square of (k + 1)^2.
    let grown = length + bank;
    let square = (grown + 4) * (grown + 4) / 16;
    let shape = if left > grown { SHAPE * (square - grown).max(0) } else { 0 };
    let promise = shape.max(best_loop(pos, place, bank, left));
    CELL * length + BANK * bank - stuck * length + promise
}

/// Number of free cells next to the head.
fn ways_on(pos: &SnakeGo, place: u8) -> usize {
    let head = pos.snake(place).head;
    let blocked = pos.walls() | pos.bodies;
    let is_free = |towards: &Direction| {
        pos.neighbour(head, *towards).is_some_and(|cell| !blocked.contains(cell))
    };
    Direction::ALL.iter().filter(|towards| is_free(towards)).count()
}

/// Value of the best loop the snake can close unhindered: from the head straight to a cell of its
/// body that is still occupied on arrival.
// CITE: Pick 1899: cells on and inside a loop = enclosed area + half its length + 1.
fn best_loop(pos: &SnakeGo, place: u8, bank: i32, left: i32) -> i32 {
    let snake = pos.snake(place);
    let length = i32::from(snake.length);
    let from_head = |cell: u8| {
        let [x, y] = [cell % SIDE, cell / SIDE].map(i32::from);
        let [hx, hy] = [snake.head % SIDE, snake.head / SIDE].map(i32::from);
        (x - hx, y - hy)
    };
    // From the tail on. The loop through a cell encloses the area swept by the body from there to
    // the head; doubled, it is the total sweep minus the sweep up to the cell.
    let mut swept = 0;
    let mut seen = [(0, 0); 256];
    let (mut cell, mut count) = (snake.tail, 0);
    while cell != snake.head {
        let next = pos.ahead(cell).from(cell);
        let ((x, y), (nx, ny)) = (from_head(cell), from_head(next));
        seen[count] = (swept, x.abs() + y.abs());
        swept += x * ny - nx * y;
        (cell, count) = (next, count + 1);
    }
    let mut best = 0;
    for (gone, &(before, steps)) in (0..).zip(&seen[..count.saturating_sub(2)]) {
        // The tail leaves one cell per step without growth.
        let stays = gone >= steps - bank.min(steps);
        if stays && steps <= left {
            let around = length - 1 - gone + steps;
            let cells = ((swept - before).abs() + around) / 2 + 1;
            best = best.max(CLOSING * (cells - length) * 8 / (7 + steps));
        }
    }
    best
}

/// Value of cells and items reached first, per side; includes items yet to appear.
fn reach(pos: &SnakeGo) -> [i32; 2] {
    let mut open = Cells::board(pos.rules.size) & !(pos.walls() | pos.bodies);
    let mut reached = Side::BOTH.map(|side| {
        let mut heads = Cells::EMPTY;
        pos.snakes_of(side).iter().for_each(|&place| heads.insert(pos.snake(place).head));
        heads
    });
    let items = items_ahead(pos);
    let mut worth = [0; 2];
    for steps in 1..=FAR {
        let before = open;
        for side in [pos.player, pos.player.other()].map(Side::index) {
            let new = reached[side].spread() & open;
            reached[side] = reached[side] | new;
            open = open & !new;
            let found = (new & items).iter().map(|cell| food(pos, cell, steps));
            worth[side] += found.sum::<i32>();
        }
        if open == before {
            break;
        }
    }
    [0, 1].map(|side| worth[side] + REACH * reached[side].count() as i32)
}

/// Items that will appear within the horizon.
fn soon(pos: &SnakeGo) -> impl Iterator<Item = &Item> {
    let coming = &pos.items()[usize::from(pos.coming)..];
    coming.iter().take_while(|item| item.time <= pos.round + FAR)
}

/// Cells with an item now or within the horizon.
fn items_ahead(pos: &SnakeGo) -> Cells {
    soon(pos).fold(pos.lying, |mut cells, item| {
        cells.insert(item.cell);
        cells
    })
}

/// Value of the item on a cell for a head that arrives in `steps` rounds; decreases with the time
/// until it can be eaten.
#[cold]
fn food(pos: &SnakeGo, cell: u8, steps: u16) -> i32 {
    let appeared = pos.items()[..usize::from(pos.coming)].iter();
    let lying = appeared
        .rev()
        .find(|item| item.cell == cell)
        .filter(|item| pos.lying.contains(cell) && item.is_open(pos.round + steps));
    let Some(item) = lying.or_else(|| soon(pos).find(|item| item.cell == cell)) else { return 0 };
    let wait = i32::from(steps.max(item.time.saturating_sub(pos.round)));
    let worth = if item.gain == 0 { RAY } else { FOOD * i32::from(item.gain) };
    worth * 8 / (8 + wait)
}
