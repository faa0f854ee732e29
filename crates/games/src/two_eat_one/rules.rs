use std::convert::Infallible;

use super::symmetry;
use engine::game::{Game, History, Indexed, Outcome, Perfect, Side, Turn, zobrist};

/// Number of cells, numbered by row from the top left.
const CELLS: u8 = 16;
/// Stones of a side at the start.
pub(super) const MOST_STONES: u32 = 4;

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TwoEatOne {
    /// The mover's stones, one bit per cell.
    own: u16,
    opponent: u16,
    mover: Side,
}

/// A move: a stone to an adjacent cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TwoEatOneMove {
    /// Source cell.
    pub from: u8,
    /// Target cell.
    pub to: u8,
}

/// Reason why a position is unreachable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TwoEatOneFault {
    /// A cell holds stones of both sides.
    Overlap,
    /// The side has more than four stones.
    TooMany(Side),
    /// The side not to move had already lost, with at most one stone.
    PlayedOn(Side),
    /// The side to move has too few stones for the opponent's last losses: two stones capture one,
    /// three can capture two.
    NoCaptor(Side),
}

impl Default for TwoEatOne {
    fn default() -> Self {
        Self { own: 0xF000, opponent: 0x000F, mover: Side::First }
    }
}

/// Neighbours of each cell: right, down, up, left; `CELLS` if there is none.
const NEIGHBOURS: [[u8; 4]; CELLS as usize] = {
    let mut all = [[CELLS; 4]; CELLS as usize];
    let mut cell = 0;
    while cell < CELLS {
        let (row, column) = (cell / 4, cell % 4);
        let near = &mut all[cell as usize];
        if column < 3 {
            near[0] = cell + 1;
        }
        if row < 3 {
            near[1] = cell + 4;
        }
        if row > 0 {
            near[2] = cell - 4;
        }
        if column > 0 {
            near[3] = cell - 1;
        }
        cell += 1;
    }
    all
};

/// The top row; the four bits of a column are four apart.
const COLUMN: u16 = 0x1111;

/// True if the mover captures the single opponent stone of a line, given its four cells as bits.
#[inline]
const fn takes(own: u16, opponent: u16) -> bool {
    matches!((own, opponent), (0b0110, 0b0001 | 0b1000) | (0b1100, 0b0010) | (0b0011, 0b0100))
}

/// The four cells of a column as the low bits, top cell first.
#[inline]
const fn column_bits(stones: u16, column: u8) -> u16 {
    // The multiplication gathers bits 0, 4, 8 and 12 into adjacent bits from bit 12.
    let spread = ((stones >> column) & COLUMN) as u32;
    ((spread * 0x1248) >> 12) as u16 & 0xF
}

impl TwoEatOne {
    /// A position with these stones, one bit per cell.
    ///
    /// # Errors
    /// If the numbers of stones are unreachable.
    pub fn new(stones: [u16; 2], mover: Side) -> Result<Self, TwoEatOneFault> {
        let [own, opponent] = [stones[mover.index()], stones[mover.other().index()]];
        if own & opponent != 0 {
            return Err(TwoEatOneFault::Overlap);
        }
        let counts = stones.map(u16::count_ones);
        if let Some(side) = Side::BOTH.into_iter().find(|side| counts[side.index()] > MOST_STONES) {
            return Err(TwoEatOneFault::TooMany(side));
        }
        match (own.count_ones(), opponent.count_ones()) {
            (_, 0 | 1) => Err(TwoEatOneFault::PlayedOn(mover.other())),
            (0, 2) => Err(TwoEatOneFault::NoCaptor(mover)),
            _ => Ok(Self { own, opponent, mover }),
        }
    }

    /// Side to move, also after the end of the game.
    pub fn mover(&self) -> Side {
        self.mover
    }

    /// Stones of a side, one bit per cell.
    pub fn stones(&self, side: Side) -> u16 {
        if side == self.mover { self.own } else { self.opponent }
    }

    /// Number of stones on the board.
    pub fn count(&self) -> u32 {
        (self.own | self.opponent).count_ones()
    }

    /// Stones of the mover minus those of the opponent.
    #[inline]
    pub fn lead(&self) -> i32 {
        self.own.count_ones() as i32 - self.opponent.count_ones() as i32
    }

    /// The opponent's stones captured by a stone on `to`, with the mover's stones on `own`.
    #[inline]
    fn taken(own: u16, opponent: u16, to: u8) -> u16 {
        let (row, column) = (to & !3, to & 3);
        let mut taken = 0;
        if takes(own >> row & 0xF, opponent >> row & 0xF) {
            taken |= opponent & 0xF << row;
        }
        if takes(column_bits(own, column), column_bits(opponent, column)) {
            taken |= opponent & COLUMN << column;
        }
        taken
    }

    /// Number of stones captured by a move, 0 to 2.
    #[inline]
    pub fn captures(&self, step: TwoEatOneMove) -> u32 {
        let own = self.own ^ 1 << step.from ^ 1 << step.to;
        Self::taken(own, self.opponent, step.to).count_ones()
    }
}

impl Game for TwoEatOne {
    type Move = TwoEatOneMove;
    type Chance = Infallible;
    type Info = Perfect;

    #[inline]
    fn turn(&self) -> Turn<Infallible> {
        if self.own.count_ones() <= 1 {
            Turn::Over(Outcome::Win(self.mover.other()))
        } else {
            Turn::Of(self.mover)
        }
    }

    fn moves(&self, out: &mut Vec<TwoEatOneMove>) {
        if let Turn::Over(_) = self.turn() {
            return;
        }
        let taken = self.own | self.opponent;
        let mut left = self.own;
        while left != 0 {
            let from = left.trailing_zeros() as u8;
            left &= left - 1;
            let free = |to: &u8| *to < CELLS && taken >> to & 1 == 0;
            let near = NEIGHBOURS[usize::from(from)].into_iter().filter(free);
            out.extend(near.map(|to| TwoEatOneMove { from, to }));
        }
    }

    #[inline]
    fn play(&mut self, step: TwoEatOneMove) {
        let own = self.own ^ 1 << step.from ^ 1 << step.to;
        let opponent = self.opponent & !Self::taken(own, self.opponent, step.to);
        *self = Self { own: opponent, opponent: own, mover: self.mover.other() };
    }

    #[inline]
    fn hash(&self) -> u64 {
        let side = self.mover.index() as u64;
        zobrist::mix(u64::from(self.own) | u64::from(self.opponent) << 16 | side << 32)
    }

    #[inline]
    fn move_code(step: TwoEatOneMove) -> u16 {
        u16::from(step.from) * u16::from(CELLS) + u16::from(step.to)
    }
}

/// Placements of up to four stones on sixteen cells: 1 + 16 + 120 + 560 + 1,820.
const PLACEMENTS: usize = 2_517;

/// All placements in ascending order, and their ranks by bits.
const RANKS: ([u16; PLACEMENTS], [u16; 1 << CELLS]) = {
    let mut placements = [0; PLACEMENTS];
    let mut ranks = [0; 1 << CELLS];
    let (mut stones, mut rank) = (0_usize, 0_usize);
    while stones < 1 << CELLS {
        if stones.count_ones() <= MOST_STONES {
            placements[rank] = stones as u16;
            ranks[stones] = rank as u16;
            rank += 1;
        }
        stones += 1;
    }
    (placements, ranks)
};
static PLACEMENT: [u16; PLACEMENTS] = RANKS.0;
static RANK: [u16; 1 << CELLS] = RANKS.1;

/// Index of a position, from the ranks of both sides' placements.
#[inline]
fn number(own: u16, opponent: u16) -> usize {
    usize::from(RANK[usize::from(own)]) * PLACEMENTS + usize::from(RANK[usize::from(opponent)])
}

impl Indexed for TwoEatOne {
    const STATES: usize = PLACEMENTS * PLACEMENTS;

    #[inline]
    fn index(&self) -> usize {
        number(self.own, self.opponent)
    }

    fn at(index: usize) -> Option<Self> {
        let [own, opponent] = [PLACEMENT[index / PLACEMENTS], PLACEMENT[index % PLACEMENTS]];
        Self::new([own, opponent], Side::First).ok()
    }

    #[inline]
    fn class(&self) -> usize {
        let (own, opponent) = symmetry::least_image(self.own, self.opponent);
        number(own, opponent)
    }
}

/// Plies without a capture that end a game.
const QUIET_PLIES: usize = 100;

impl History for TwoEatOne {
    fn is_irreversible(&self, next: &Self) -> bool {
        next.count() != self.count()
    }

    fn adjudicate(history: &[Self]) -> Option<(Outcome, &'static str)> {
        let last = history.last()?;
        if history.iter().filter(|pos| *pos == last).count() >= 3 {
            Some((Outcome::Draw, "threefold_repetition"))
        } else if history.len() > QUIET_PLIES {
            Some((Outcome::Draw, "hundred_plies_without_capture"))
        } else {
            None
        }
    }

    // A draw by repetition needs a position that occurred twice before: a forced win never repeats
    // its own positions.
    fn history_may_change_result(history: &[Self], plies: u32) -> bool {
        let twice = |(n, pos)| history[..n].contains(pos);
        history.len() - 1 + plies as usize > QUIET_PLIES || history.iter().enumerate().any(twice)
    }
}
