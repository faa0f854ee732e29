use super::cells::Loop;
use super::items::Item;
use super::ops::{Direction, Op};
use super::rules::SnakeGo;
use engine::game::Side;

/// Maximum bank: no half has enough rounds to use more.
pub(super) const MOST_BANK: u16 = 9_999;

/// Maximum snakes per player.
pub(super) const MOST_SNAKES: usize = 4;

/// A snake; unused slots have length 0.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Snake {
    pub(super) head: u8,
    pub(super) tail: u8,
    /// Direction from the neck to the head; `Right` without a neck.
    pub(super) heading: Direction,
    pub(super) ray: bool,
    pub(super) length: u16,
    pub(super) bank: u16,
    pub(super) id: u16,
}

/// Slots of snakes in order of action.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SnakeOrder {
    places: [u8; MOST_SNAKES],
    count: u8,
}

impl SnakeOrder {
    #[inline]
    pub(super) fn as_slice(&self) -> &[u8] {
        &self.places[..usize::from(self.count)]
    }

    #[inline]
    pub(super) fn len(&self) -> u8 {
        self.count
    }

    #[inline]
    fn position(&self, place: u8) -> usize {
        self.as_slice().iter().position(|&other| other == place).unwrap_or_default()
    }

    pub(super) fn insert(&mut self, at: usize, place: u8) {
        self.places.copy_within(at..MOST_SNAKES - 1, at + 1);
        self.places[at] = place;
        self.count += 1;
    }

    fn remove(&mut self, at: usize) {
        self.places.copy_within(at + 1.., at);
        self.count -= 1;
    }
}

/// Owner of a slot.
#[inline]
pub(super) fn owner(place: u8) -> Side {
    Side::BOTH[usize::from(place) / MOST_SNAKES]
}

impl SnakeGo {
    /// Executes a legal operation of the snake in this slot.
    #[inline]
    pub(super) fn act(&mut self, place: u8, op: Op) {
        match op {
            Op::Step(towards) => self.step(place, towards),
            Op::Melt => self.melt(place),
            Op::Split => self.split(place),
        }
    }

    fn step(&mut self, place: u8, towards: Direction) {
        let Snake { head, bank, .. } = *self.snake(place);
        if !self.is_growing(place) {
            self.vacate_tail(place);
        } else if !self.is_growing_freely(place) {
            self.snake_mut(place).bank = bank - 1;
        }
        match self.neighbour(head, towards) {
            Some(target) if !self.walls().contains(target) => {
                if !self.bodies.contains(target) {
                    self.enter(place, target, towards);
                } else if self.place_at(target) == place {
                    self.solidify(place, target);
                } else {
                    self.remove(place);
                }
            }
            _ => self.remove(place),
        }
    }

    /// Removes the tail cell; a one-cell snake then is empty until its head arrives.
    #[inline]
    fn vacate_tail(&mut self, place: u8) {
        let tail = self.snake(place).tail;
        let next = self.ahead(tail).from(tail);
        self.bodies.remove(tail);
        self.links[usize::from(tail)] = 0;
        let snake = self.snake_mut(place);
        snake.tail = next;
        snake.length -= 1;
    }

    /// Moves the head into a free cell.
    #[inline]
    fn enter(&mut self, place: u8, target: u8, towards: Direction) {
        let snake = &mut self.snakes[usize::from(place)];
        if snake.length == 0 {
            snake.tail = target;
            snake.heading = Direction::default();
        } else {
            self.links[usize::from(snake.head)] = place << 2 | towards as u8;
            snake.heading = towards;
        }
        snake.head = target;
        snake.length += 1;
        self.links[usize::from(target)] = place << 2;
        self.bodies.insert(target);
        if self.lying.contains(target) {
            self.eat(place, target);
        }
    }

    #[cold]
    fn eat(&mut self, place: u8, cell: u8) {
        let present = usize::from(self.expired)..usize::from(self.coming);
        let lies_here = |&n: &usize| self.items[n].cell == cell && !self.eaten.contains(n as u8);
        if let Some(number) = present.rev().find(lies_here) {
            self.take(place, number);
        }
    }

    /// The snake eats the item with this index.
    pub(super) fn take(&mut self, place: u8, number: usize) {
        let Item { cell, gain, .. } = self.items[number];
        self.eaten.insert(number as u8);
        self.lying.remove(cell);
        let snake = self.snake_mut(place);
        snake.bank = (snake.bank + u16::from(gain)).min(MOST_BANK);
        snake.ray |= gain == 0;
    }

    /// The loop closed by a step of this snake onto `target`, a cell of its own body, after the
    /// tail has moved (if it does).
    pub(super) fn closed_by(&self, place: u8, target: u8) -> Loop {
        let mut path = Loop::default();
        let head = self.snake(place).head;
        let mut cell = target;
        while cell != head {
            let next = self.ahead(cell).from(cell);
            path.step(cell, next);
            cell = next;
        }
        path.step(head, target);
        path
    }

    #[cold]
    fn solidify(&mut self, place: u8, target: u8) {
        let path = self.closed_by(place, target);
        let area = path.area(self.rules.size, self.rules.enclosure);
        let caught = (area & self.bodies)
            .iter()
            .fold(1_u8 << place, |caught, cell| caught | 1 << self.place_at(cell));
        for place in (0..self.snakes.len() as u8).filter(|place| caught >> place & 1 == 1) {
            self.remove(place);
        }
        let owner = owner(place);
        self.walls[owner.index()] = self.walls[owner.index()] | area;
        self.walls[owner.other().index()] = self.walls[owner.other().index()] & !area;
    }

    /// Removes the snake.
    #[cold]
    fn remove(&mut self, place: u8) {
        while self.snake(place).length > 0 {
            self.vacate_tail(place);
        }
        let side = owner(place);
        let order = &mut self.order[side.index()];
        let at = order.position(place);
        let is_waiting =
            side == self.player && at + usize::from(self.waiting) >= order.as_slice().len();
        order.remove(at);
        self.waiting -= u8::from(is_waiting);
    }

    #[cold]
    fn split(&mut self, place: u8) {
        let old = *self.snake(place);
        let side = owner(place);
        let first = (side.index() * MOST_SNAKES) as u8;
        let new = (first..first + MOST_SNAKES as u8)
            .find(|&free| self.snake(free).length == 0)
            .expect("a split is legal only below the most snakes");
        let length = old.length / 2;
        // From the old tail on, all links are reversed.
        let (mut cell, mut back, mut heading) = (old.tail, 0, Direction::default());
        for n in 0..length {
            let ahead = self.ahead(cell);
            self.links[usize::from(cell)] = new << 2 | back;
            back = ahead.opposite() as u8;
            if n == 0 && length > 1 {
                heading = ahead.opposite();
            }
            self.snake_mut(new).tail = cell;
            cell = ahead.from(cell);
        }
        let tail = self.snake(new).tail;
        let id = self.next_id;
        *self.snake_mut(new) =
            Snake { head: old.tail, tail, heading, ray: false, length, bank: old.bank, id };
        let left = old.length - length;
        let heading = if left > 1 { old.heading } else { Direction::default() };
        *self.snake_mut(place) = Snake { tail: cell, length: left, bank: 0, heading, ..old };
        self.next_id += 1;
        let order = &mut self.order[side.index()];
        order.insert(order.position(place) + 1, new);
    }

    #[cold]
    fn melt(&mut self, place: u8) {
        let Snake { head, heading, .. } = *self.snake(place);
        let mut cell = head;
        while let Some(next) = self.neighbour(cell, heading) {
            cell = next;
            self.walls[0].remove(cell);
            self.walls[1].remove(cell);
        }
        self.snake_mut(place).ray = false;
    }
}
