use std::convert::Infallible;

use super::order::StoneOrder;
use super::renju::{self, Foul};
use engine::game::{
    Acyclic, Game, History, Outcome, Perfect, Rng, Side, Turn, retain_from, zobrist,
};

/// Minimum and maximum board size.
pub const SIZES: std::ops::RangeInclusive<u8> = 5..=20;
const MAX: usize = 20;
/// Length of a winning line.
const FIVE: usize = 5;

/// The four line directions as steps in x and y.
pub(super) const DIRECTIONS: [(i8, i8); 4] = [(0, 1), (1, 0), (1, 1), (-1, 1)];

/// A point of the board: `x` counts files from the left, `y` ranks from the bottom, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    /// The file, from 0.
    pub x: u8,
    /// The rank, from 0.
    pub y: u8,
}

impl Point {
    /// The point `n` steps ahead in a direction, possibly off the board.
    #[inline]
    pub(super) fn step(self, (dx, dy): (i8, i8), n: i8) -> (i8, i8) {
        (self.x as i8 + n * dx, self.y as i8 + n * dy)
    }
}

/// Rule set: winning lines and forbidden moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GomokuRules {
    /// Five or more.
    #[default]
    Freestyle,
    /// Exactly five: a longer line is legal, but does not win.
    Standard,
    /// White wins with five or more, Black with exactly five; longer lines, double fours and double
    /// threes are forbidden to Black.
    Renju,
    /// Six or more, or five not blocked at both ends by the opponent; the edge does not block.
    Caro,
}

/// A position of gomoku.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gomoku {
    /// One bit per point: `rows[side][y]` bit `x`.
    rows: [[u32; MAX]; 2],
    size: u8,
    rules: GomokuRules,
    stones: u16,
    mover: Side,
    won: bool,
    /// The last stone, if any: for move ordering, not part of the hash.
    last: Option<Point>,
    pub(super) order: StoneOrder,
    pub(super) hash: u64,
}

const STONES: [[u64; MAX * MAX]; 2] = [zobrist::keys(0x474f_0001), zobrist::keys(0x474f_0002)];
const MOVER: u64 = zobrist::mix(0x474f_0003);

impl Gomoku {
    /// Empty freestyle board; `None` for a size outside [`SIZES`].
    pub fn new(size: u8) -> Option<Self> {
        Self::by_rules(size, GomokuRules::Freestyle)
    }

    /// Empty board; `None` for a size outside [`SIZES`].
    pub fn by_rules(size: u8, rules: GomokuRules) -> Option<Self> {
        SIZES.contains(&size).then(|| Self {
            rows: [[0; MAX]; 2],
            size,
            rules,
            stones: 0,
            mover: Side::First,
            won: false,
            last: None,
            order: StoneOrder::new(false),
            hash: zobrist::mix(u64::from(size) + ((rules as u64) << 8)),
        })
    }

    /// Places a stone of `side` on an empty point without changing the side to move. True if it
    /// completes five in a line.
    pub fn put(&mut self, side: Side, at: Point) -> bool {
        self.lay(side, at);
        self.last = Some(at);
        let five = self.makes_five(side, at);
        self.won |= five;
        five
    }

    /// Lays a stone without asking whether it wins.
    #[inline]
    fn lay(&mut self, side: Side, at: Point) {
        if self.order.is_kept() {
            let earlier = self.rows[side.index()].iter().map(|row| row.count_ones()).sum();
            self.hash ^= self.order.note(at, earlier);
        }
        self.rows[side.index()][usize::from(at.y)] |= 1 << at.x;
        self.hash ^= STONES[side.index()][usize::from(at.y) * MAX + usize::from(at.x)];
        self.stones += 1;
    }

    /// This empty board with the stones of a diagram, in their order. Who has won is seen once all of them lie there: five of
    /// six in a line may win, or five that a later stone blocks.
    pub(super) fn with_stones(mut self, stones: &[(Side, Point)]) -> Self {
        for &(side, at) in stones {
            self.lay(side, at);
        }
        self.won = Side::BOTH.into_iter().any(|side| self.five_of(side).is_some());
        self
    }

    /// A stone of a side in a winning line, if any.
    pub(super) fn five_of(&self, side: Side) -> Option<Point> {
        self.points().find(|&at| self.stone(at) == Some(side) && self.makes_five(side, at))
    }

    /// The same board with `mover` to move.
    pub fn with_mover(mut self, mover: Side) -> Self {
        if mover != self.mover {
            self.hash ^= MOVER;
            self.mover = mover;
        }
        self
    }

    /// The same board without a last stone, as if read from a diagram.
    pub fn without_last(self) -> Self {
        Self { last: None, ..self }
    }

    /// True if a side has won.
    pub fn has_five(&self) -> bool {
        self.won
    }

    /// The rule set.
    pub fn rules(&self) -> GomokuRules {
        self.rules
    }

    /// Reason why an empty point is forbidden to the side to move, if any.
    pub fn foul(&self, at: Point) -> Option<Foul> {
        if self.restricts(self.mover) { renju::foul(self, at) } else { None }
    }

    /// True if the rules can forbid points to this side.
    #[inline]
    pub(super) fn restricts(&self, side: Side) -> bool {
        self.rules == GomokuRules::Renju && side == Side::First
    }

    /// Board size in points per side.
    pub fn size(&self) -> u8 {
        self.size
    }

    /// Stones on the board.
    pub fn stones(&self) -> u16 {
        self.stones
    }

    /// Side to move, while the game is not over.
    #[inline]
    pub fn mover(&self) -> Side {
        self.mover
    }

    /// The last stone, if any.
    pub fn last(&self) -> Option<Point> {
        self.last
    }

    /// The stones of a side in a rank, bit `x` for file `x`.
    #[inline]
    pub(super) fn row(&self, side: Side, y: u8) -> u32 {
        self.rows[side.index()][usize::from(y)]
    }

    /// Owner of the stone on a point of the board, if any.
    pub fn stone(&self, at: Point) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.has(side, (at.x as i8, at.y as i8)))
    }

    /// True if these coordinates are on the board.
    #[inline]
    pub(super) fn contains(&self, (x, y): (i8, i8)) -> bool {
        let on = 0..self.size as i8;
        on.contains(&x) && on.contains(&y)
    }

    /// True if `side` has a stone there; false off the board.
    #[inline]
    pub(super) fn has(&self, side: Side, (x, y): (i8, i8)) -> bool {
        self.contains((x, y)) && self.rows[side.index()][y as usize] >> x & 1 == 1
    }

    /// The point with these coordinates, if it is on the board and empty.
    #[inline]
    pub(super) fn empty_at(&self, (x, y): (i8, i8)) -> Option<Point> {
        let taken = |side| self.has(side, (x, y));
        let empty = self.contains((x, y)) && !Side::BOTH.into_iter().any(taken);
        empty.then_some(Point { x: x as u8, y: y as u8 })
    }

    /// Length of the unbroken run of stones starting next to a point, capped at five.
    #[inline]
    fn beyond(&self, side: Side, at: Point, direction: (i8, i8), sign: i8) -> usize {
        (1..=FIVE as i8).take_while(|&n| self.has(side, at.step(direction, sign * n))).count()
    }

    /// Length of the unbroken run of `side` through a point, which holds an own stone or counts as
    /// one.
    #[inline]
    pub(super) fn run(&self, side: Side, at: Point, direction: (i8, i8)) -> usize {
        self.beyond(side, at, direction, 1) + self.beyond(side, at, direction, -1) + 1
    }

    /// True if a stone of `side` on this point is, or would be, part of a winning line.
    pub(super) fn makes_five(&self, side: Side, at: Point) -> bool {
        DIRECTIONS.into_iter().any(|direction| {
            let run = self.run(side, at, direction);
            match self.rules {
                GomokuRules::Freestyle => run >= FIVE,
                GomokuRules::Standard => run == FIVE,
                GomokuRules::Renju => run == FIVE || run > FIVE && side == Side::Second,
                GomokuRules::Caro => {
                    run > FIVE || run == FIVE && !self.is_shut(side, at, direction)
                }
            }
        })
    }

    /// True if the opponent's stones are at both ends of a run.
    fn is_shut(&self, side: Side, at: Point, direction: (i8, i8)) -> bool {
        [1, -1].into_iter().all(|sign| {
            let end = self.beyond(side, at, direction, sign) as i8 + 1;
            self.has(side.other(), at.step(direction, sign * end))
        })
    }

    /// All points of the board, by rank from the bottom.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let size = self.size;
        (0..size).flat_map(move |y| (0..size).map(move |x| Point { x, y }))
    }

    /// The empty points of a rank, as bits.
    #[inline]
    pub(super) fn empty_in_row(&self, y: u8) -> u32 {
        let all = (1_u32 << self.size) - 1;
        all & !(self.row(Side::First, y) | self.row(Side::Second, y))
    }

    /// Removes the points illegal for the side to move from the empty points in `points[start..]`.
    pub(super) fn keep_allowed(&self, points: &mut Vec<Point>, start: usize) {
        if self.restricts(self.mover) {
            retain_from(points, start, |point| self.foul(point).is_none());
        }
    }

    /// Appends the points with set bits, by rank; `bits` returns those of a rank.
    #[inline]
    pub(super) fn collect(&self, out: &mut Vec<Point>, bits: impl Fn(u8) -> u32) {
        for y in 0..self.size {
            let mut left = bits(y);
            while left != 0 {
                out.push(Point { x: left.trailing_zeros() as u8, y });
                left &= left - 1;
            }
        }
    }
}

impl Game for Gomoku {
    type Move = Point;
    type Chance = Infallible;
    type Info = Perfect;

    #[inline]
    fn turn(&self) -> Turn<Infallible> {
        if self.won {
            Turn::Over(Outcome::Win(self.mover.other()))
        } else if usize::from(self.stones) == usize::from(self.size).pow(2) {
            Turn::Over(Outcome::Draw)
        } else {
            Turn::Of(self.mover)
        }
    }

    fn moves(&self, out: &mut Vec<Point>) {
        if self.won {
            return;
        }
        let start = out.len();
        self.collect(out, |y| self.empty_in_row(y));
        self.keep_allowed(out, start);
    }

    #[inline]
    fn play(&mut self, mv: Point) {
        self.put(self.mover, mv);
        self.mover = self.mover.other();
        self.hash ^= MOVER;
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.hash
    }

    fn move_code(mv: Point) -> u16 {
        u16::from(mv.y) << 8 | u16::from(mv.x)
    }

    // Samples points at random while the board is empty enough for that to be fast.
    #[inline]
    fn random_move(&self, rng: &mut Rng, scratch: &mut Vec<Point>) -> Option<Point> {
        let cells = usize::from(self.size).pow(2);
        let tries = if usize::from(self.stones) * 4 > cells * 3 { 0 } else { cells };
        for _ in 0..tries {
            let cell = rng.below(cells) as u16;
            let size = u16::from(self.size);
            let (x, y) = ((cell % size) as u8, (cell / size) as u8);
            let point = Point { x, y };
            if self.empty_in_row(y) >> x & 1 == 1 && self.foul(point).is_none() {
                return Some(point);
            }
        }
        scratch.clear();
        self.moves(scratch);
        rng.pick(scratch)
    }
}

impl Acyclic for Gomoku {}

impl History for Gomoku {}
