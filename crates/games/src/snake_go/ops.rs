use super::cells::SIDE;
use engine::game::Rng;

/// One of the four directions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// +x.
    #[default]
    Right,
    /// +y.
    Up,
    /// -x.
    Left,
    /// -y.
    Down,
}

impl Direction {
    /// All directions, in the order of the operations.
    pub const ALL: [Self; 4] = [Self::Right, Self::Up, Self::Left, Self::Down];

    #[inline]
    pub(super) fn from_bits(bits: u8) -> Self {
        Self::ALL[usize::from(bits & 3)]
    }

    /// The reverse direction.
    #[inline]
    pub(super) fn opposite(self) -> Self {
        Self::from_bits(self as u8 ^ 2)
    }

    /// The adjacent cell in this direction, which must exist.
    #[inline]
    pub(super) fn from(self, cell: u8) -> u8 {
        const STEPS: [u8; 4] = [1, SIDE, 1_u8.wrapping_neg(), SIDE.wrapping_neg()];
        cell.wrapping_add(STEPS[self as usize])
    }
}

/// Operation of a snake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Moves the head one step.
    Step(Direction),
    /// Melts all walls ahead.
    Melt,
    /// Splits the snake in two.
    Split,
}

impl Op {
    /// All operations, in the order of their numbers 1 to 6 in recorded games.
    pub const ALL: [Self; 6] = [
        Self::Step(Direction::Right),
        Self::Step(Direction::Up),
        Self::Step(Direction::Left),
        Self::Step(Direction::Down),
        Self::Melt,
        Self::Split,
    ];

    /// Index in [`Op::ALL`].
    #[inline]
    pub(super) const fn index(self) -> u8 {
        match self {
            Self::Step(direction) => direction as u8,
            Self::Melt => 4,
            Self::Split => 5,
        }
    }
}

/// Random operation of a set in the order of [`Op::ALL`].
#[inline]
pub(super) fn pick(mut ops: u8, rng: &mut Rng) -> Option<Op> {
    if ops == 0 {
        return None;
    }
    for _ in 0..rng.below(ops.count_ones() as usize) {
        ops &= ops - 1;
    }
    Some(Op::ALL[ops.trailing_zeros() as usize])
}
