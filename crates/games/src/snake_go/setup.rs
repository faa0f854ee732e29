//! Construction of positions: initial and custom ones.

use super::cells::SIDE;
use super::items::Item;
use super::ops::Direction;
use super::rules::{SnakeGo, SnakeGoRules};
use super::snakes::{MOST_SNAKES, Snake, owner};
use engine::game::{Side, zobrist};

/// Description of a snake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Described {
    pub(super) id: u16,
    pub(super) camp: Side,
    /// Cells, head first.
    pub(super) body: Vec<u8>,
    pub(super) bank: u16,
    pub(super) ray: bool,
}

impl SnakeGo {
    /// Start of a half: one-cell snakes in the top left and bottom right corners. `items` are
    /// sorted by time, at most [`MOST_ITEMS`](super::MOST_ITEMS).
    pub fn new(rules: SnakeGoRules, items: &[Item]) -> Self {
        let mut pos = Self::empty(rules);
        pos.set_items(items);
        let far = rules.size - 1;
        for (id, camp, cell) in [(0, Side::First, SIDE * far), (1, Side::Second, far)] {
            pos.put_snake(&Described { id, camp, body: vec![cell], bank: 0, ray: false });
        }
        pos.begin_round();
        pos.waiting = 1;
        pos
    }

    /// Sets the items of the game; none has appeared yet.
    pub(super) fn set_items(&mut self, items: &[Item]) {
        self.items[..items.len()].copy_from_slice(items);
        self.item_count = items.len() as u16;
        let SnakeGoRules { size, max_round, growth_rounds, enclosure } = self.rules;
        let rules = u64::from(size) << 40
            | u64::from(max_round) << 24
            | u64::from(growth_rounds) << 8
            | enclosure as u64;
        self.key = items.iter().fold(zobrist::mix(rules), |key, item| {
            let Item { cell, gain, time } = *item;
            let item = u64::from(time) << 16 | u64::from(gain) << 8 | u64::from(cell);
            zobrist::mix(key ^ item)
        });
    }

    /// Appends a snake to its side's list. The cells must be free and the list not full.
    pub(super) fn put_snake(&mut self, snake: &Described) {
        let order = &mut self.order[snake.camp.index()];
        let at = usize::from(order.len());
        let place = (snake.camp.index() * MOST_SNAKES + at) as u8;
        order.insert(at, place);
        let body = &snake.body;
        let mut heading = Direction::default();
        self.put_link(body[0], place, heading);
        for (n, pair) in body.windows(2).enumerate() {
            let step = |towards: &Direction| towards.from(pair[1]) == pair[0];
            let ahead = Direction::ALL.into_iter().find(step).unwrap_or_default();
            self.put_link(pair[1], place, ahead);
            if n == 0 {
                heading = ahead;
            }
        }
        self.snakes[usize::from(place)] = Snake {
            head: body[0],
            tail: body[body.len() - 1],
            heading,
            ray: snake.ray,
            length: body.len() as u16,
            bank: snake.bank,
            id: snake.id,
        };
    }

    /// Description of the snake in a slot.
    pub(super) fn describe(&self, place: u8) -> Described {
        let Snake { head, tail, ray, bank, id, .. } = *self.snake(place);
        let mut body = vec![tail];
        let mut cell = tail;
        while cell != head {
            cell = self.ahead(cell).from(cell);
            body.push(cell);
        }
        body.reverse();
        Described { id, camp: owner(place), body, bank, ray }
    }
}
