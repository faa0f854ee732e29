use std::convert::Infallible;

use crate::game::{Acyclic, Game, Outcome, Perfect, Rng, Side, Turn, zobrist};

/// The smallest and the largest board.
pub const SIZES: std::ops::RangeInclusive<u8> = 5..=20;
const MAX: usize = 20;
/// Stones in a line that win.
const FIVE: u32 = 5;

/// The four directions of a line as steps in x and y.
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
    /// The point `n` steps further in a direction, on the board or off it.
    #[inline]
    pub(super) fn step(self, (dx, dy): (i8, i8), n: i8) -> (i8, i8) {
        (self.x as i8 + n * dx, self.y as i8 + n * dy)
    }
}

/// A position of freestyle gomoku: five or more in a line win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gomoku {
    /// One bit a point: `rows[side][y]` bit `x`.
    rows: [[u32; MAX]; 2],
    size: u8,
    stones: u16,
    mover: Side,
    won: bool,
    /// The stone played last, if any: for ordering, not part of the hash.
    last: Option<Point>,
    hash: u64,
}

const STONES: [[u64; MAX * MAX]; 2] = [zobrist::keys(0x474f_0001), zobrist::keys(0x474f_0002)];
const MOVER: u64 = zobrist::mix(0x474f_0003);

impl Gomoku {
    /// The empty board; `None` for a size outside [`SIZES`].
    pub fn new(size: u8) -> Option<Self> {
        SIZES.contains(&size).then(|| Self {
            rows: [[0; MAX]; 2],
            size,
            stones: 0,
            mover: Side::First,
            won: false,
            last: None,
            hash: zobrist::mix(u64::from(size)),
        })
    }

    /// Puts a stone of `side` on an empty point without any rule of turn; whoever is to move
    /// stays so. Returns whether it completes five in a line.
    pub fn put(&mut self, side: Side, at: Point) -> bool {
        self.rows[side.index()][usize::from(at.y)] |= 1 << at.x;
        self.hash ^= STONES[side.index()][usize::from(at.y) * MAX + usize::from(at.x)];
        self.stones += 1;
        self.last = Some(at);
        let five = self.makes_five(side, at);
        self.won |= five;
        five
    }

    /// The same board with `mover` to move.
    pub fn with_mover(mut self, mover: Side) -> Self {
        if mover != self.mover {
            self.hash ^= MOVER;
            self.mover = mover;
        }
        self
    }

    /// The same board with the last stone forgotten, as when it is read from a diagram.
    pub fn without_last(self) -> Self {
        Self { last: None, ..self }
    }

    /// Points on a side of the board.
    pub fn size(&self) -> u8 {
        self.size
    }

    /// Stones on the board.
    pub fn stones(&self) -> u16 {
        self.stones
    }

    /// Who is to move while the game goes on.
    #[inline]
    pub fn mover(&self) -> Side {
        self.mover
    }

    /// The stone played last, if any.
    pub fn last(&self) -> Option<Point> {
        self.last
    }

    /// The stones of a side in a rank, bit x for file x.
    #[inline]
    pub(super) fn row(&self, side: Side, y: u8) -> u32 {
        self.rows[side.index()][usize::from(y)]
    }

    /// Whose stone lies on a point of the board.
    pub fn stone(&self, at: Point) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.has(side, (at.x as i8, at.y as i8)))
    }

    /// Whether a point, given by its coordinates, lies on the board.
    #[inline]
    pub(super) fn contains(&self, (x, y): (i8, i8)) -> bool {
        let on = 0..self.size as i8;
        on.contains(&x) && on.contains(&y)
    }

    /// Whether `side` has a stone there; never off the board.
    #[inline]
    pub(super) fn has(&self, side: Side, (x, y): (i8, i8)) -> bool {
        self.contains((x, y)) && self.rows[side.index()][y as usize] >> x & 1 == 1
    }

    /// Whether a stone of `side` on this point stands, or would stand, in a line of five.
    pub(super) fn makes_five(&self, side: Side, at: Point) -> bool {
        DIRECTIONS.into_iter().any(|direction| {
            let run = |sign: i8| {
                (1..FIVE as i8)
                    .take_while(|&n| self.has(side, at.step(direction, sign * n)))
                    .count()
            };
            run(1) + run(-1) + 1 >= FIVE as usize
        })
    }

    /// Every point of the board, rank by rank from the bottom.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let size = self.size;
        (0..size).flat_map(move |y| (0..size).map(move |x| Point { x, y }))
    }

    /// The empty points of a rank as bits.
    #[inline]
    pub(super) fn empty_in_row(&self, y: u8) -> u32 {
        let all = (1_u32 << self.size) - 1;
        all & !(self.row(Side::First, y) | self.row(Side::Second, y))
    }

    /// Appends the points whose bits are set, rank by rank; `bits` gives those of a rank.
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
        if !self.won {
            self.collect(out, |y| self.empty_in_row(y));
        }
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

    // Points are tried at random while the board is empty enough for that to be quick.
    #[inline]
    fn random_move(&self, rng: &mut Rng, scratch: &mut Vec<Point>) -> Option<Point> {
        let cells = usize::from(self.size).pow(2);
        if usize::from(self.stones) * 4 > cells * 3 {
            scratch.clear();
            self.moves(scratch);
            return rng.pick(scratch);
        }
        loop {
            let cell = rng.below(cells) as u16;
            let size = u16::from(self.size);
            let (x, y) = ((cell % size) as u8, (cell / size) as u8);
            if self.empty_in_row(y) >> x & 1 == 1 {
                return Some(Point { x, y });
            }
        }
    }
}

impl Acyclic for Gomoku {}
