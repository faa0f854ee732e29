use std::convert::Infallible;

use super::cells::{Cells, Enclosure, SIDE};
use super::items::{Item, LASTS, MOST_ITEMS};
use super::ops::{Direction, Op, pick};
use super::snakes::{MOST_SNAKES, Snake, SnakeOrder, owner};
use engine::game::{Acyclic, Game, History, Outcome, Perfect, Rng, Side, Turn, zobrist};

/// Parameters of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SnakeGoRules {
    /// Map size, 4 to 16.
    pub size: u8,
    /// The last round.
    pub max_round: u16,
    /// Last round of free growth for the initial snakes.
    pub growth_rounds: u16,
    /// Area enclosed by a self-touching loop.
    pub enclosure: Enclosure,
}

impl Default for SnakeGoRules {
    fn default() -> Self {
        Self { size: SIDE, max_round: 512, growth_rounds: 8, enclosure: Enclosure::Border }
    }
}

/// A position of Snake Go: about 1.5 KB, mostly the item list.
#[derive(Clone, Copy, Debug)]
pub struct SnakeGo {
    pub(super) rules: SnakeGoRules,
    pub(super) round: u16,
    pub(super) player: Side,
    pub(super) winner: Option<Side>,
    /// Number of the mover's snakes still to act: the last ones of the mover's list, since a new
    /// snake is inserted right behind the one that has acted.
    pub(super) waiting: u8,
    pub(super) next_id: u16,
    pub(super) order: [SnakeOrder; 2],
    /// The first player's four slots, then the second's.
    pub(super) snakes: [Snake; 2 * MOST_SNAKES],
    pub(super) walls: [Cells; 2],
    /// Cells of all snakes.
    pub(super) bodies: Cells,
    /// Per cell of a snake: its slot, and the direction to the next cell towards the head;
    /// otherwise 0.
    pub(super) links: [u8; 256],
    /// Cells with an item.
    pub(super) lying: Cells,
    /// Indices of the eaten items.
    pub(super) eaten: Cells,
    /// Index of the first item that has not appeared; items before `expired` are gone.
    pub(super) coming: u16,
    pub(super) expired: u16,
    pub(super) item_count: u16,
    pub(super) items: [Item; MOST_ITEMS],
    /// Hash key of rules and items.
    pub(super) key: u64,
}

impl SnakeGo {
    /// A map without snakes, before the first round.
    pub(super) fn empty(rules: SnakeGoRules) -> Self {
        Self {
            rules,
            round: 1,
            player: Side::First,
            winner: None,
            waiting: 0,
            next_id: 2,
            order: [SnakeOrder::default(); 2],
            snakes: [Snake::default(); 2 * MOST_SNAKES],
            walls: [Cells::EMPTY; 2],
            bodies: Cells::EMPTY,
            links: [0; 256],
            lying: Cells::EMPTY,
            eaten: Cells::EMPTY,
            coming: 0,
            expired: 0,
            item_count: 0,
            items: [Item::default(); MOST_ITEMS],
            key: 0,
        }
    }

    /// Cells owned by the first and the second side: snakes and walls.
    pub fn score(&self) -> [u32; 2] {
        Side::BOTH.map(|side| {
            let snakes = self.snakes_of(side).iter();
            let alive: u32 = snakes.map(|&place| u32::from(self.snake(place).length)).sum();
            alive + self.walls[side.index()].count()
        })
    }

    /// Slots of a side's snakes in order of action.
    #[inline]
    pub(super) fn snakes_of(&self, side: Side) -> &[u8] {
        self.order[side.index()].as_slice()
    }

    #[inline]
    pub(super) fn snake(&self, place: u8) -> &Snake {
        &self.snakes[usize::from(place)]
    }

    #[inline]
    pub(super) fn snake_mut(&mut self, place: u8) -> &mut Snake {
        &mut self.snakes[usize::from(place)]
    }

    /// Slot of the snake to act; requires a waiting snake.
    #[inline]
    pub(super) fn actor(&self) -> u8 {
        let places = self.snakes_of(self.player);
        places[places.len() - usize::from(self.waiting)]
    }

    /// The items of the game, indexed from 0.
    pub(super) fn items(&self) -> &[Item] {
        &self.items[..usize::from(self.item_count)]
    }

    #[inline]
    pub(super) fn walls(&self) -> Cells {
        self.walls[0] | self.walls[1]
    }

    /// Slot of the snake on a cell of `bodies`.
    #[inline]
    pub(super) fn place_at(&self, cell: u8) -> u8 {
        self.links[usize::from(cell)] >> 2
    }

    /// Direction from a cell of a snake (not its head) to the next cell towards the head.
    #[inline]
    pub(super) fn ahead(&self, cell: u8) -> Direction {
        Direction::from_bits(self.links[usize::from(cell)])
    }

    /// The neighbour of a cell, if on the map.
    #[inline]
    pub(super) fn neighbour(&self, cell: u8, towards: Direction) -> Option<u8> {
        let last = self.rules.size - 1;
        let (x, y) = (cell % SIDE, cell / SIDE);
        let inside = match towards {
            Direction::Right => x < last,
            Direction::Up => y < last,
            Direction::Left => x > 0,
            Direction::Down => y > 0,
        };
        inside.then(|| towards.from(cell))
    }

    /// True if this snake is an initial one with free growth in this round.
    #[inline]
    pub(super) fn is_growing_freely(&self, place: u8) -> bool {
        let is_initial = usize::from(self.snake(place).id) == owner(place).index();
        is_initial && self.round <= self.rules.growth_rounds
    }

    /// True if a step of this snake now leaves its tail in place.
    #[inline]
    pub(super) fn is_growing(&self, place: u8) -> bool {
        self.snake(place).bank > 0 || self.is_growing_freely(place)
    }

    /// Legal operations, as bits in the order of [`Op::ALL`]; none if the game is over.
    #[inline]
    pub(super) fn legal(&self) -> u8 {
        if self.winner.is_some() {
            return 0;
        }
        let place = self.actor();
        let snake = self.snake(place);
        let mut legal = 0b1111;
        if snake.length > 2 || snake.length == 2 && self.is_growing(place) {
            legal &= !(1 << snake.heading.opposite() as u8);
        }
        if snake.length >= 2 {
            legal |= u8::from(snake.ray) << Op::Melt.index();
            let has_room = usize::from(self.order[self.player.index()].len()) < MOST_SNAKES;
            legal |= u8::from(has_room) << Op::Split.index();
        }
        legal
    }

    /// Passes the turn to the next snake, or ends the game.
    #[inline]
    pub(super) fn pass_on(&mut self) {
        while self.waiting == 0 && self.winner.is_none() {
            if self.order.iter().all(|order| order.len() == 0) {
                self.end();
                return;
            }
            self.player = self.player.other();
            if self.player == Side::First {
                self.round += 1;
                if self.round > self.rules.max_round {
                    self.end();
                    return;
                }
                self.begin_round();
            }
            self.waiting = self.order[self.player.index()].len();
        }
    }

    /// Ends the half and counts the cells.
    #[cold]
    pub(super) fn end(&mut self) {
        let [first, second] = self.score();
        self.winner = Some(if first > second { Side::First } else { Side::Second });
    }

    /// Expires old items and adds new ones; an item that appears on a snake is eaten at once.
    #[inline]
    pub(super) fn begin_round(&mut self) {
        while self.expired < self.coming
            && self.items[usize::from(self.expired)].time + LASTS <= self.round
        {
            let number = self.expired as u8;
            if !self.eaten.contains(number) {
                self.lying.remove(self.items[usize::from(number)].cell);
            }
            self.expired += 1;
        }
        while self.coming < self.item_count
            && self.items[usize::from(self.coming)].time <= self.round
        {
            let number = usize::from(self.coming);
            let cell = self.items[number].cell;
            if self.bodies.contains(cell) {
                self.take(self.place_at(cell), number);
            } else {
                self.lying.insert(cell);
            }
            self.coming += 1;
        }
    }

    /// Places the items present in this round.
    pub(super) fn lay_items(&mut self) {
        let items = &self.items[..usize::from(self.item_count)];
        // No round starts after the last one.
        let round = self.round.min(self.rules.max_round);
        self.coming = items.partition_point(|item| item.time <= round) as u16;
        self.expired = items.partition_point(|item| item.time + LASTS <= round) as u16;
        for number in self.expired..self.coming {
            if !self.eaten.contains(number as u8) {
                self.lying.insert(self.items[usize::from(number)].cell);
            }
        }
    }

    /// Places a cell of a snake; the link stores its slot and the direction ahead.
    pub(super) fn put_link(&mut self, cell: u8, place: u8, ahead: Direction) {
        self.links[usize::from(cell)] = place << 2 | ahead as u8;
        self.bodies.insert(cell);
    }
}

/// Direction bits of eight links; independent of the snakes' slots.
const DIRECTIONS: u64 = 0x0303_0303_0303_0303;

/// Mixes pairs of words into a key, each pair with its own factors.
// CITE: the multiplication of wyhash (Wang Yi 2019): both halves of a product of 64-bit words.
struct SnakeGoHasher {
    key: u64,
    factor: u64,
}

impl SnakeGoHasher {
    #[inline]
    fn pair(&mut self, a: u64, b: u64) {
        const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
        self.factor = self.factor.wrapping_add(STEP);
        let product = u128::from(a ^ self.factor) * u128::from(b ^ self.factor.rotate_left(32));
        self.key ^= product as u64 ^ (product >> 64) as u64;
    }

    #[inline]
    fn cells(&mut self, cells: Cells) {
        let [a, b, c, d] = cells.0;
        self.pair(a, b);
        self.pair(c, d);
    }
}

impl Game for SnakeGo {
    type Move = Op;
    type Chance = Infallible;
    type Info = Perfect;

    #[inline]
    fn turn(&self) -> Turn<Infallible> {
        match self.winner {
            Some(side) => Turn::Over(Outcome::Win(side)),
            None => Turn::Of(self.player),
        }
    }

    #[inline]
    fn moves(&self, out: &mut Vec<Op>) {
        let legal = self.legal();
        out.extend(Op::ALL.into_iter().filter(|op| legal >> op.index() & 1 == 1));
    }

    #[inline]
    fn play(&mut self, op: Op) {
        let place = self.actor();
        self.waiting -= 1;
        self.act(place, op);
        self.pass_on();
    }

    // Computed on demand: playouts do not need it. Slots and ids of snakes do not affect the
    // future, except ids of snakes with free growth.
    fn hash(&self) -> u64 {
        let mut folding = SnakeGoHasher { key: self.key, factor: 0x736E_616B_655F_676F };
        for pair in self.links.chunks_exact(16) {
            let (a, b) = pair.split_at(8);
            let word = |half: &[u8]| {
                half.iter().rev().fold(0, |word, &link| word << 8 | u64::from(link)) & DIRECTIONS
            };
            folding.pair(word(a), word(b));
        }
        for cells in [self.bodies, self.walls[0], self.walls[1], self.lying] {
            folding.cells(cells);
        }
        for (n, &place) in (1..).zip(Side::BOTH.iter().flat_map(|&side| self.snakes_of(side))) {
            let Snake { head, tail, ray, bank, .. } = *self.snake(place);
            let ends = u64::from(head) << 8 | u64::from(tail);
            let flags = u64::from(ray) << 1 | u64::from(self.is_growing_freely(place));
            folding.pair(ends << 16 | u64::from(bank), flags << 16 | n << 8 | u64::from(place / 4));
        }
        let over = u64::from(self.winner.is_some());
        let turn = u64::from(self.waiting) << 2 | over << 1 | self.player as u64;
        folding.pair(u64::from(self.round), turn);
        zobrist::mix(folding.key)
    }

    #[inline]
    fn move_code(op: Op) -> u16 {
        u16::from(op.index())
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng, _: &mut Vec<Op>) -> Option<Op> {
        pick(self.legal(), rng)
    }
}

// Rounds only increase, and every snake acts once per round.
impl Acyclic for SnakeGo {}

impl History for SnakeGo {}
