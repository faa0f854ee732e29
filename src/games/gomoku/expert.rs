use super::rules::{Gomoku, Point, Rules};
use super::shapes::{self, Cell};
use crate::game::{Expert, Game, Side};

/// What gomoku knows about itself: shapes, and that a good move is next to a stone.
#[derive(Clone, Debug)]
pub struct Shapes {
    /// What lies beyond the edge.
    pub edge: Edge,
    own: Vec<Point>,
    enemy: Vec<Point>,
}

/// What the evaluation sees beyond the edge of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Empty points, as in the evaluation first published: a four on the edge looks open.
    Empty,
    /// A wall that blocks like an enemy stone.
    Wall,
}

impl Shapes {
    /// An expert that sees the edge like this.
    pub fn new(edge: Edge) -> Self {
        Self { edge, own: Vec::new(), enemy: Vec::new() }
    }
}

/// More than any board of shapes comes to.
const MOST: i32 = 1_000_000_000;

impl Expert<Gomoku> for Shapes {
    // An evaluation costs far more than a look at the common table.
    const SHARE_FROM: u32 = 1;

    fn bound(&self) -> i32 {
        MOST
    }

    // Stones are taken in the order of the board: a position has no history, and its value must
    // not depend on the line that led to it.
    fn evaluate(&mut self, pos: &Gomoku, mover: Side) -> i32 {
        let (edge, board) = (self.edge, *pos);
        let mut seen = |side: Side| {
            let stones = if side == mover { &mut self.own } else { &mut self.enemy };
            stones.clear();
            board.collect(stones, |y| board.row(side, y));
            shapes::score(stones, |point| match () {
                () if board.has(side, point) => Cell::Own,
                () if board.has(side.other(), point) => Cell::Wall,
                () if edge == Edge::Wall && !board.contains(point) => Cell::Wall,
                () => Cell::Empty,
            })
        };
        let value = seen(mover) - seen(mover.other()) / 10;
        value.clamp(-i64::from(MOST), i64::from(MOST)) as i32
    }

    // A five in one is the only candidate, then the points that stop the enemy's five (every other
    // move loses to it), then the empty points next to a stone. Only the last list leaves out moves
    // that might be better.
    fn candidates(&self, pos: &Gomoku, mover: Side, out: &mut Vec<Point>) -> bool {
        if pos.stones() == 0 {
            let middle = pos.size() / 2;
            out.push(Point { x: middle, y: middle });
            return false;
        }
        let start = out.len();
        let near = |y: u8| {
            let rows = y.saturating_sub(1)..=(y + 1).min(pos.size() - 1);
            let stones = rows.fold(0, |stones, row| {
                stones | pos.row(Side::First, row) | pos.row(Side::Second, row)
            });
            (stones | stones << 1 | stones >> 1) & pos.empty_in_row(y)
        };
        pos.collect(out, near);
        pos.keep_allowed(out, start);
        // By the rules of caro a five is stopped at its ends too.
        let decisive = if pos.rules() == Rules::Caro { 1 } else { 2 };
        for side in [mover, mover.other()].into_iter().take(decisive) {
            let five = out[start..].iter().position(|&point| pos.makes_five(side, point));
            if let Some(five) = five {
                out.swap(start, start + five);
                let mut kept = start + 1;
                for n in start + five + 1..out.len() {
                    if side != mover && pos.makes_five(side, out[n]) {
                        out.swap(kept, n);
                        kept += 1;
                    }
                }
                out.truncate(kept);
                return true;
            }
        }
        if out.len() == start {
            pos.moves(out);
            return true;
        }
        false
    }

    // Near the last stone first: that is where the answer lies most often; then near the centre.
    fn order(&self, pos: &Gomoku, _: Side, mv: Point) -> i32 {
        let middle = pos.size() / 2;
        let from = |x: u8, y: u8| i32::from(mv.x.abs_diff(x).max(mv.y.abs_diff(y)));
        let from_last = pos.last().map_or(0, |last| from(last.x, last.y));
        -32 * from_last - from(middle, middle)
    }

    fn win_probability(&self, value: f64) -> f64 {
        1.0 / (1.0 + (-value / 4_000.0).exp())
    }
}
