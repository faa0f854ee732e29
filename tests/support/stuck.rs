//! A toy that ends only by running out of moves: the players take two or three stones in turn from a heap,
//! and a player unable to has lost, won or drawn, as agreed.

use std::convert::Infallible;

use bestmove::game::{Acyclic, Game, Indexed, Outcome, Perfect, Side, Turn, zobrist};

const MOST: u8 = 24;

/// `RESULT` of the stuck player: -1 lost, 0 drawn, 1 won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heap<const RESULT: i8> {
    pub stones: u8,
    pub mover: Side,
}

impl<const RESULT: i8> Heap<RESULT> {
    pub fn new(stones: u8) -> Self {
        assert!(stones < MOST, "{stones} stones are too many");
        Self { stones, mover: Side::First }
    }
}

impl<const RESULT: i8> Game for Heap<RESULT> {
    type Move = u8;
    type Chance = Infallible;
    type Info = Perfect;

    fn turn(&self) -> Turn<Infallible> {
        Turn::Of(self.mover)
    }

    fn moves(&self, out: &mut Vec<u8>) {
        out.extend([2, 3].into_iter().filter(|&stones| stones <= self.stones));
    }

    fn play(&mut self, mv: u8) {
        self.stones -= mv;
        self.mover = self.mover.other();
    }

    fn hash(&self) -> u64 {
        zobrist::mix(self.index() as u64)
    }

    fn move_code(mv: u8) -> u16 {
        u16::from(mv)
    }

    fn stuck(&self, mover: Side) -> Outcome {
        match RESULT {
            -1 => Outcome::Win(mover.other()),
            0 => Outcome::Draw,
            _ => Outcome::Win(mover),
        }
    }
}

impl<const RESULT: i8> Acyclic for Heap<RESULT> {}

impl<const RESULT: i8> Indexed for Heap<RESULT> {
    const STATES: usize = 2 * MOST as usize;

    fn index(&self) -> usize {
        2 * usize::from(self.stones) + self.mover.index()
    }

    fn at(index: usize) -> Option<Self> {
        let stones = u8::try_from(index / 2).ok().filter(|&stones| stones < MOST)?;
        Some(Self { stones, mover: Side::BOTH[index % 2] })
    }
}
