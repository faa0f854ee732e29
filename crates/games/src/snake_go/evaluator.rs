use super::ops::{Direction, Op, pick};
use super::rules::SnakeGo;
use super::territory;
use engine::game::{Evaluator, Rng, Side, logistic};

/// Evaluator of Snake Go: territory estimate and avoidance of dead ends.
#[derive(Clone, Copy, Debug)]
pub struct SnakeGoEvaluator {
    /// Evaluation of unfinished positions.
    pub evaluation: SnakeGoEvaluation,
    /// Lead with win odds of e to 1, in units.
    doubt: f64,
}

/// Evaluation of unfinished positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnakeGoEvaluation {
    /// Current score.
    Score,
    /// Current score plus growth and reach of the snakes.
    Territory,
}

/// Evaluation units per cell of the final score.
pub(super) const CELL: i32 = 100;
/// Bound of the evaluation: more than all cells of the map and their prospects.
const MOST: i32 = 60_000;

/// Bits of the steps in an operation set.
const STEPS: u8 = 0b1111;

/// Standard deviation of the lead per round, in units; grows as sqrt n over n rounds, as in a
/// random walk. Fitted to self-play; valid from 4 rounds to a whole half.
const DOUBT: f64 = 77.0;

/// Steps of the snake to act, by result, as bits in the order of [`Direction::ALL`]. A legal step
/// in no set is deadly.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outlook {
    /// Into free cells.
    pub(super) safe: u8,
    /// Onto the own body: closes a loop.
    pub(super) closing: u8,
    /// Into free cells with an item.
    pub(super) eating: u8,
}

/// One-step lookahead.
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

/// Cells gained by the owner if the snake to act closes a loop with this step.
fn gain(pos: &SnakeGo, towards: Direction) -> i32 {
    let place = pos.actor();
    let snake = pos.snake(place);
    let loops = pos.closed_by(place, towards.from(snake.head));
    let area = loops.area(pos.rules.size, pos.rules.enclosure);
    let foreign = area & !pos.walls[pos.player.index()];
    foreign.count() as i32 - i32::from(snake.length)
}

/// The steps that gain cells by closing a loop.
fn gaining(pos: &SnakeGo, closing: u8) -> u8 {
    let gains = |towards: &Direction| closing >> *towards as u8 & 1 == 1 && gain(pos, *towards) > 0;
    let steps = Direction::ALL.into_iter().filter(gains);
    steps.fold(0, |steps, towards| steps | 1 << towards as u8)
}

impl SnakeGoEvaluator {
    /// An evaluator for searches from this root.
    pub fn new(evaluation: SnakeGoEvaluation, root: &SnakeGo) -> Self {
        let left = f64::from(root.rules.max_round + 1 - root.round);
        Self { evaluation, doubt: DOUBT * left.max(1.0).sqrt() }
    }
}

impl Evaluator<SnakeGo> for SnakeGoEvaluator {
    // All moves by default: the list leaves out little, and without it endings are proved.
    const LISTS_ALL: bool = false;

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

    // Deadly steps are omitted while another operation exists.
    fn candidates(&self, pos: &SnakeGo, _: Side, out: &mut Vec<Op>) -> bool {
        let legal = pos.legal();
        let Outlook { safe, closing, .. } = outlook(pos, legal);
        let deadly = legal & STEPS & !(safe | closing);
        let chosen = if legal == deadly { legal } else { legal & !deadly };
        out.extend(Op::ALL.into_iter().filter(|op| chosen >> op.index() & 1 == 1));
        chosen == legal
    }

    // Loops by their gain, food in between; straight steps, which keep loops open; deadly steps
    // last.
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

    // The policy `expert` of playouts: loops that gain, food, safe steps. It never kills the own snake while
    // another operation exists.
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
        logistic(value, self.doubt)
    }
}
