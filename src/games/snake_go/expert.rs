use super::ops::{Direction, Op, pick};
use super::rules::SnakeGo;
use super::territory;
use crate::game::{Expert, Rng, Side};

/// What Snake Go knows about itself: who will own which cells, and how not to die.
#[derive(Clone, Copy, Debug)]
pub struct SnakeGoEvaluator {
    /// How unfinished positions are judged.
    pub evaluation: SnakeGoEvaluation,
    /// The lead that makes a win e times as likely as a loss, in units.
    doubt: f64,
}

/// How an unfinished position is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnakeGoEvaluation {
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

/// How far a lead drifts in a round, in units: after n rounds sqrt n times as far, as in a random
/// walk. Fitted to games of the program against itself; it holds from 4 rounds to the whole half.
const DOUBT: f64 = 77.0;

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

/// What the owner gains in cells when the snake that acts next closes a loop by this step.
fn gain(pos: &SnakeGo, towards: Direction) -> i32 {
    let place = pos.actor();
    let snake = pos.snake(place);
    let loops = pos.closed_by(place, towards.from(snake.head));
    let area = loops.area(pos.rules.size, pos.rules.enclosure);
    let foreign = area & !pos.walls[pos.player.index()];
    foreign.count() as i32 - i32::from(snake.length)
}

/// The steps of a set that gain cells by closing a loop.
fn gaining(pos: &SnakeGo, closing: u8) -> u8 {
    let gains = |towards: &Direction| closing >> *towards as u8 & 1 == 1 && gain(pos, *towards) > 0;
    let steps = Direction::ALL.into_iter().filter(gains);
    steps.fold(0, |steps, towards| steps | 1 << towards as u8)
}

impl SnakeGoEvaluator {
    /// An expert for searches from this position.
    pub fn new(evaluation: SnakeGoEvaluation, root: &SnakeGo) -> Self {
        let left = f64::from(root.rules.max_round + 1 - root.round);
        Self { evaluation, doubt: DOUBT * left.max(1.0).sqrt() }
    }
}

impl Expert<SnakeGo> for SnakeGoEvaluator {
    fn bound(&self) -> i32 {
        MOST
    }

    fn evaluate(&mut self, pos: &SnakeGo, mover: Side) -> i32 {
        let [first, second] = match self.evaluation {
            SnakeGoEvaluation::Score => pos.score().map(|cells| CELL * cells as i32),
            SnakeGoEvaluation::Territory => territory::worth(pos),
        };
        (mover.sign() * (first - second)).clamp(-MOST, MOST)
    }

    // A step into certain death is left out while another operation exists.
    fn candidates(&self, pos: &SnakeGo, _: Side, out: &mut Vec<Op>) -> bool {
        let legal = pos.legal();
        let Outlook { safe, closing, .. } = outlook(pos, legal);
        let deadly = legal & STEPS & !(safe | closing);
        let chosen = if legal == deadly { legal } else { legal & !deadly };
        out.extend(Op::ALL.into_iter().filter(|op| chosen >> op.index() & 1 == 1));
        chosen == legal
    }

    // Loops by what they gain, food among them; straight on, which keeps loops open; what kills last.
    fn order(&self, pos: &SnakeGo, _: Side, op: Op) -> i32 {
        let Op::Step(towards) = op else { return -1 };
        let Outlook { safe, closing, eating } = outlook(pos, pos.legal());
        let bit = 1 << towards as u8;
        if closing & bit != 0 {
            gain(pos, towards)
        } else if eating & bit != 0 {
            2
        } else if safe & bit != 0 {
            i32::from(pos.snake(pos.actor()).heading == towards)
        } else {
            -1_000
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
        let gaining = if closing == 0 { 0 } else { gaining(pos, closing) };
        if gaining != 0 && rng.below(2) == 0 {
            pick(gaining, rng)
        } else if eating != 0 {
            pick(eating, rng)
        } else if safe != 0 && (others == 0 || rng.below(16) != 0) {
            pick(safe, rng)
        } else if closing != 0 {
            pick(closing, rng)
        } else if others != 0 {
            pick(others, rng)
        } else {
            pick(legal, rng)
        }
    }

    fn win_probability(&self, value: f64) -> f64 {
        1.0 / (1.0 + (-value / self.doubt).exp())
    }
}
