use std::convert::Infallible;

use super::bits::{flips, placeable};
use engine::game::{Acyclic, Game, History, Outcome, Perfect, Rng, Side, Turn, zobrist};

/// The move of a side that cannot place a disc while the opponent can.
pub const PASS: u8 = 64;
/// The four centre squares, which are never empty.
pub(super) const CENTRE: u64 = 0x0000_0018_1800_0000;
/// Evaluation units per disc.
pub const DISC: i32 = 100;

/// A position of Othello. Bit 0 is `a1`, bit 7 `h1`, bit 63 `h8`: row 1 is the topmost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Othello {
    /// Discs of the side to move.
    own: u64,
    /// Discs of the opponent.
    opponent: u64,
    /// Legal squares of the side to move; cached for turn, move generation and draws.
    legal: u64,
    mover: Side,
    /// True if neither side can place a disc.
    over: bool,
}

impl Default for Othello {
    fn default() -> Self {
        Self::new([0x0000_0008_1000_0000, 0x0000_0010_0800_0000], Side::First)
    }
}

impl Othello {
    /// The position with these discs of black and of white, which must be disjoint.
    pub fn new(discs: [u64; 2], mover: Side) -> Self {
        Self::of(discs[mover.index()], discs[mover.other().index()], mover)
    }

    #[inline]
    fn of(own: u64, opponent: u64, mover: Side) -> Self {
        let legal = placeable(own, opponent);
        let over = legal == 0 && placeable(opponent, own) == 0;
        Self { own, opponent, legal, mover, over }
    }

    /// Side to move, while the game is not over.
    #[inline]
    pub fn mover(&self) -> Side {
        self.mover
    }

    /// The discs of a side.
    pub fn discs(&self, side: Side) -> u64 {
        if side == self.mover { self.own } else { self.opponent }
    }

    /// The empty squares.
    #[inline]
    pub fn empty(&self) -> u64 {
        !(self.own | self.opponent)
    }

    /// Discs of the side to move.
    #[inline]
    pub(super) fn own(&self) -> u64 {
        self.own
    }

    /// Discs of the opponent.
    #[inline]
    pub(super) fn opponent(&self) -> u64 {
        self.opponent
    }

    /// Legal squares of the side to move, as bits.
    #[inline]
    pub fn legal(&self) -> u64 {
        self.legal
    }
}

/// Final margin of `own` in a finished game; the empty squares go to the winner.
#[inline]
pub(super) fn margin(own: u64, opponent: u64) -> i32 {
    let (own, opponent) = (own.count_ones() as i32, opponent.count_ones() as i32);
    let lead = own - opponent;
    lead + lead.signum() * (64 - own - opponent)
}

/// The square of the lowest bit.
#[inline]
pub(super) fn first_square(squares: u64) -> u8 {
    squares.trailing_zeros() as u8
}

impl Game for Othello {
    /// The square, 0 to 63, or [`PASS`].
    type Move = u8;
    type Chance = Infallible;
    type Info = Perfect;

    const PAYOFFS: bool = true;

    #[inline]
    fn turn(&self) -> Turn<Infallible> {
        if self.over {
            let units = DISC * margin(self.own, self.opponent);
            Turn::Over(Outcome::Payoff(self.mover.sign() * units))
        } else {
            Turn::Of(self.mover)
        }
    }

    #[inline]
    fn moves(&self, out: &mut Vec<u8>) {
        if self.legal == 0 && !self.over {
            out.push(PASS);
        }
        let mut squares = self.legal;
        while squares != 0 {
            out.push(first_square(squares));
            squares &= squares - 1;
        }
    }

    #[inline]
    fn play(&mut self, mv: u8) {
        let (own, opponent) = if mv == PASS {
            (self.own, self.opponent)
        } else {
            let flipped = flips(self.own, self.opponent, mv);
            (self.own | flipped | 1 << mv, self.opponent & !flipped)
        };
        *self = Self::of(opponent, own, self.mover.other());
    }

    #[inline]
    fn hash(&self) -> u64 {
        const WHITE: u64 = zobrist::mix(0x004F_5448_454C_4C4F);
        let side = if self.mover == Side::First { 0 } else { WHITE };
        zobrist::mix(self.own ^ zobrist::mix(self.opponent ^ side))
    }

    #[inline]
    fn move_code(mv: u8) -> u16 {
        u16::from(mv)
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng, _: &mut Vec<u8>) -> Option<u8> {
        if self.legal == 0 {
            return (!self.over).then_some(PASS);
        }
        let mut squares = self.legal;
        for _ in 0..rng.below(squares.count_ones() as usize) {
            squares &= squares - 1;
        }
        Some(first_square(squares))
    }
}

impl Acyclic for Othello {}

impl History for Othello {}
