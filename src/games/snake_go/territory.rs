//! What a position is worth beside the cells owned now: who reaches which cell first, what lies
//! there to eat, and which loops can still be closed.

use super::cells::{Cells, SIDE};
use super::expert::CELL;
use super::rules::{Direction, SnakeGo};
use crate::game::Side;

/// Rounds that territory looks ahead.
const FAR: u16 = 20;

/// Weights of the parts of the evaluation, in percent of a cell where nothing else is said.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// A cell of length that is still in the bank.
    pub bank: i32,
    /// All of the map's future income in cells a hundred rounds, for who reaches all cells first.
    pub income: i32,
    /// A cell of length that lies ahead, reached first; less each round that it takes.
    pub item: i32,
    /// A ray that lies ahead.
    pub ray: i32,
    /// A cell gained by a loop that could be closed at once; less for each step that it takes.
    pub closing: i32,
    /// A cell gained by the largest loop that the length would allow.
    pub shape: i32,
    /// A snake whose head has no way on, and one with a single way, a cell of its length.
    pub stuck: [i32; 2],
    /// A cell reached first.
    pub reach: i32,
    /// A snake beside the first.
    pub company: i32,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            bank: 90,
            income: 0,
            item: 90,
            ray: 30,
            closing: 80,
            shape: 25,
            stuck: [60, 8],
            reach: 2,
            company: 60,
        }
    }
}

/// What each side has, in hundredths of a cell.
pub(super) fn worth(pos: &SnakeGo, weights: &Weights) -> [i32; 2] {
    let left = i32::from(pos.rules.max_round + 1 - pos.round);
    let mut worth = future(pos, weights, left);
    for side in Side::BOTH {
        let walls = pos.walls[side.index()].count() as i32;
        let places = pos.snakes_of(side);
        let snakes: i32 = places.iter().map(|&place| snake(pos, place, weights, left)).sum();
        let company = weights.company * (places.len() as i32 - 1).max(0) * left.min(100) / 100;
        worth[side.index()] += CELL * walls + snakes + company;
    }
    worth
}

/// What a snake is and may become.
fn snake(pos: &SnakeGo, place: u8, weights: &Weights, left: i32) -> i32 {
    let snake = pos.snake(place);
    let length = i32::from(snake.length);
    let free = if pos.is_growing_freely(place) {
        i32::from(pos.rules.growth_rounds + 1 - pos.round)
    } else {
        0
    };
    let bank = (i32::from(snake.bank) + free).min(left);
    let ways = ways_on(pos, place);
    let closable = best_loop(pos, place, bank, left, weights);
    let stuck = match ways {
        0 => weights.stuck[0],
        1 => weights.stuck[1],
        _ => 0,
    };
    // A loop of 4 k cells encloses a square of (k + 1)^2.
    let grown = length + bank;
    let square = (grown + 4) * (grown + 4) / 16;
    let shape = if left > grown { weights.shape * (square - grown).max(0) } else { 0 };
    CELL * length - stuck * length + weights.bank * bank + closable.max(shape)
}

/// Free cells beside the head.
fn ways_on(pos: &SnakeGo, place: u8) -> usize {
    let head = pos.snake(place).head;
    let blocked = pos.walls() | pos.bodies;
    let is_free = |towards: &Direction| {
        pos.neighbour(head, *towards).is_some_and(|cell| !blocked.contains(cell))
    };
    Direction::ALL.iter().filter(|towards| is_free(towards)).count()
}

/// The gain of the best loop that the snake can close if nobody hinders it: from the head straight
/// to some cell of its body, which must still be there on arrival.
// CITE: Pick 1899: cells on and inside a loop = enclosed area + half its length + 1.
fn best_loop(pos: &SnakeGo, place: u8, bank: i32, left: i32, weights: &Weights) -> i32 {
    let snake = pos.snake(place);
    let length = i32::from(snake.length);
    if length < 4 {
        return 0;
    }
    let xy = |cell: u8| (i32::from(cell % SIDE), i32::from(cell / SIDE));
    let (hx, hy) = xy(snake.head);
    // From the tail on: twice the area between the body so far and the tail, seen from the head.
    let mut cell = snake.tail;
    let (mut x, mut y) = xy(cell);
    let mut best = 0;
    let mut total = 0;
    let mut sums = [0_i32; 256];
    let mut at = [(0_i32, 0_i32); 256];
    let mut n = 0;
    while cell != snake.head {
        let next = pos.ahead(cell).from(cell);
        let (nx, ny) = xy(next);
        sums[n] = total;
        at[n] = (x, y);
        total += (x - hx) * (ny - hy) - (nx - hx) * (y - hy);
        (cell, x, y) = (next, nx, ny);
        n += 1;
    }
    for from_tail in 0..n.saturating_sub(2) {
        let (x, y) = at[from_tail];
        let steps = (x - hx).abs() + (y - hy).abs();
        let back = n as i32 - from_tail as i32;
        // The tail vacates a cell for every step without growth.
        if (from_tail as i32) < steps - bank.min(steps) || steps > left {
            continue;
        }
        let doubled = (total - sums[from_tail]).abs();
        let cells = (doubled + back + steps) / 2 + 1;
        let gain = (cells - length).max(0) * weights.closing * 8 / (7 + steps);
        best = best.max(gain);
    }
    best
}

/// What lies ahead: items for who reaches them first, and a share of everything that will still
/// appear for who reaches most.
fn future(pos: &SnakeGo, weights: &Weights, left: i32) -> [i32; 2] {
    let free = Cells::board(pos.rules.size) & !(pos.walls() | pos.bodies);
    let heads = |side: Side| {
        let mut heads = Cells::EMPTY;
        for &place in pos.snakes_of(side) {
            heads.insert(pos.snake(place).head);
        }
        heads
    };
    let mut reached = [heads(Side::First), heads(Side::Second)];
    let items = coming_items(pos);
    let mut found = [0; 2];
    let mut open = free;
    let order = [pos.player, pos.player.other()];
    for step in 1..=FAR {
        let mut spread = false;
        for side in order {
            let own = &mut reached[side.index()];
            let new = own.spread() & open;
            if new.is_empty() {
                continue;
            }
            spread = true;
            *own = *own | new;
            open = open & !new;
            for cell in (new & items).iter() {
                found[side.index()] += item_worth(pos, cell, step, weights);
            }
        }
        if !spread {
            break;
        }
    }
    let counts = reached.map(|cells| cells.count() as i32);
    let all = (counts[0] + counts[1]).max(1);
    // Half a cell of length a round appears on the map as long as there is room for it.
    let income = (left * weights.income).min(CELL * free.count() as i32);
    [0, 1].map(|n| found[n] + weights.reach * counts[n] + income * counts[n] / all)
}

/// Cells where an item lies or will appear soon.
fn coming_items(pos: &SnakeGo) -> Cells {
    let soon = pos.items()[usize::from(pos.coming)..].iter();
    soon.take_while(|item| item.time <= pos.round + FAR).fold(pos.lying, |mut cells, item| {
        cells.insert(item.cell);
        cells
    })
}

/// What the item on a cell promises to a head that can be there in so many rounds.
fn item_worth(pos: &SnakeGo, cell: u8, steps: u16, weights: &Weights) -> i32 {
    let last = usize::from(pos.coming);
    let lying = pos.items()[..last].iter().rfind(|item| item.cell == cell);
    let lying = lying.filter(|item| pos.lying.contains(cell) && item.is_open(pos.round + steps));
    let item = lying.or_else(|| {
        pos.items()[last..]
            .iter()
            .take_while(|item| item.time <= pos.round + FAR)
            .find(|item| item.cell == cell)
    });
    let Some(item) = item else { return 0 };
    let wait = steps.max(item.time.saturating_sub(pos.round));
    let worth = if item.gain == 0 { weights.ray } else { weights.item * i32::from(item.gain) };
    worth * 8 / (8 + i32::from(wait))
}
