//! The order in which stones were played, for an evaluation that depends on it.

use super::rules::{Gomoku, Point};
use engine::game::{Side, zobrist};

/// Points of the largest board.
const POINTS: usize = 20 * 20;
/// Domain of the hash keys for stones with their numbers.
const ORDERED: u64 = 0x474f_0004_0000_0000;

/// Number of every stone, if the order is kept: the how-manieth of its side it is, from 1. A side has at most
/// 200 stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StoneOrder {
    is_kept: bool,
    numbers: [u8; POINTS],
}

fn index(at: Point) -> usize {
    usize::from(at.y) * 20 + usize::from(at.x)
}

impl StoneOrder {
    /// No stones yet.
    pub(super) const fn new(is_kept: bool) -> Self {
        Self { is_kept, numbers: [0; POINTS] }
    }

    /// True if the order is kept.
    #[inline]
    pub(super) fn is_kept(&self) -> bool {
        self.is_kept
    }

    /// Notes the next stone of a side; returns its hash key. `earlier` counts the stones of that side.
    pub(super) fn note(&mut self, at: Point, earlier: u32) -> u64 {
        self.numbers[index(at)] = earlier as u8 + 1;
        zobrist::mix(ORDERED | (index(at) as u64) << 8 | u64::from(earlier))
    }
}

impl Gomoku {
    /// This empty board, which will keep the order of its stones: positions that differ in it alone are
    /// different positions.
    pub(super) fn keeping_order(mut self) -> Self {
        debug_assert!(self.stones() == 0, "the order counts from the first stone on");
        self.order = StoneOrder::new(true);
        self.hash ^= zobrist::mix(ORDERED);
        self
    }

    /// True if the order of the stones is kept.
    #[inline]
    pub(super) fn keeps_order(&self) -> bool {
        self.order.is_kept()
    }

    /// The how-manieth stone of its side lies on a point, from 1; 0 for none, or where the order is not kept.
    #[inline]
    pub(super) fn number(&self, at: Point) -> u8 {
        self.order.numbers[index(at)]
    }

    /// The stones in the order played, black first; empty where it is not kept.
    pub(super) fn course(&self) -> Vec<Point> {
        let mut course: Vec<_> = self.points().filter(|&at| self.number(at) > 0).collect();
        course.sort_by_key(|&at| (self.number(at), self.stone(at) == Some(Side::Second)));
        course
    }
}
