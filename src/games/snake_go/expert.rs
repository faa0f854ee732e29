use super::rules::{Direction, Op, SnakeGo, pick};
use super::territory::{self, Weights};
use crate::game::{Expert, Rng, Side};

/// What Snake Go knows about itself: who will own which cells, and how not to die.
#[derive(Clone, Copy, Debug)]
pub struct Keeper {
    /// How unfinished positions are judged.
    pub evaluation: Evaluation,
    /// What the parts of the evaluation count.
    pub weights: Weights,
}

/// How an unfinished position is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// By the score if the half ended now.
    Score,
    /// Also by what the snakes can still become and reach.
    Territory,
}

/// Units of one cell of the final score.
pub(super) const CELL: i32 = 100;
/// More than all cells of the map and what they may become.
const MOST: i32 = 60_000;

/// The steps among the operations.
const STEPS: u8 = 0b1111;

/// What the steps of the snake that acts next lead to, as bits in the order of
/// [`Direction::ALL`]. Every legal step is in one of the sets.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outlook {
    /// Into free cells.
    pub(super) safe: u8,
    /// Onto the own body: a loop closes.
    pub(super) closing: u8,
    /// Into free cells with an item.
    pub(super) eating: u8,
}

/// Looks one step ahead.
#[inline]
pub(super) fn outlook(pos: &SnakeGo, legal: u8) -> Outlook {
    let place = pos.actor();
    let snake = pos.snake(place);
    let leaves_tail = pos.is_growing(place);
    let walls = pos.walls();
    let mut seen = Outlook::default();
    for towards in Direction::ALL {
        let bit = 1 << towards as u8 & legal;
        let Some(target) = pos.neighbour(snake.head, towards).filter(|_| bit != 0) else {
            continue;
        };
        if walls.contains(target) {
            continue;
        }
        if !pos.bodies.contains(target) || target == snake.tail && !leaves_tail {
            seen.safe |= bit;
            seen.eating |= if pos.lying.contains(target) { bit } else { 0 };
        } else if pos.place_at(target) == place {
            seen.closing |= bit;
        }
    }
    seen
}

impl Keeper {
    /// An expert with this evaluation.
    pub fn new(evaluation: Evaluation) -> Self {
        Self { evaluation, weights: Weights::default() }
    }
}

impl Expert<SnakeGo> for Keeper {
    fn bound(&self) -> i32 {
        MOST
    }

    fn evaluate(&mut self, pos: &SnakeGo, mover: Side) -> i32 {
        let [first, second] = match self.evaluation {
            Evaluation::Score => pos.score().map(|cells| CELL * cells as i32),
            Evaluation::Territory => territory::worth(pos, &self.weights),
        };
        (mover.sign() * (first - second)).clamp(-MOST, MOST)
    }

    // A step into certain death is left out while another operation exists.
    fn candidates(&self, pos: &SnakeGo, _: Side, out: &mut Vec<Op>) -> bool {
        let legal = pos.legal();
        let Outlook { safe, closing, .. } = outlook(pos, legal);
        let deadly = legal & STEPS & !(safe | closing);
        let worth_it = if legal == deadly { legal } else { legal & !deadly };
        out.extend(Op::ALL.into_iter().filter(|op| worth_it >> op.index() & 1 == 1));
        worth_it == legal
    }

    fn order(&self, pos: &SnakeGo, _: Side, op: Op) -> i32 {
        let Op::Step(towards) = op else { return -1 };
        let Outlook { safe, closing, eating } = outlook(pos, pos.legal());
        let bit = 1 << towards as u8;
        let straight = i32::from(pos.snake(pos.actor()).heading == towards);
        match () {
            () if eating & bit != 0 => 3,
            () if closing & bit != 0 => 2,
            () if safe & bit != 0 => straight,
            () => -2,
        }
    }

    #[inline]
    fn playout_move(&self, pos: &SnakeGo, rng: &mut Rng, _: &mut Vec<Op>) -> Option<Op> {
        let legal = pos.legal();
        if legal == 0 {
            return None;
        }
        let Outlook { safe, closing, eating } = outlook(pos, legal);
        let others = legal & !STEPS;
        match () {
            () if eating != 0 => pick(eating, rng),
            () if closing != 0 && (safe == 0 || rng.below(2) == 0) => pick(closing, rng),
            () if safe != 0 && (others == 0 || rng.below(16) != 0) => pick(safe, rng),
            () if others != 0 => pick(others, rng),
            () => pick(legal, rng),
        }
    }

    fn win_probability(&self, value: f64) -> f64 {
        1.0 / (1.0 + (-value / 1_000.0).exp())
    }
}
