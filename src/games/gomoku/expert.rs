use super::knowledge::{Duty, Knowledge, REACH, SCALE};
use super::rules::{Gomoku, Point};
use super::shapes::{self, LineCell};
use crate::game::{Expert, Game, Lookahead, Side, zobrist};

/// What gomoku knows about itself: what a stone would make on every empty point, kept along the line
/// being searched, and what that is worth.
#[derive(Clone)]
pub struct GomokuEvaluator {
    evaluation: GomokuEvaluation,
    /// Small preferences go by this; none by 0.
    seed: u64,
    known: Option<Knowledge>,
    own: Vec<Point>,
    enemy: Vec<Point>,
}

/// How a position is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GomokuEvaluation {
    /// By what stones would make, with weights fitted to games.
    Patterns,
    /// By the shapes that stones form, as in the evaluation first published.
    Shapes(BoardEdge),
}

/// What the evaluation by shapes sees beyond the edge of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardEdge {
    /// Empty points, as first published: a four on the edge looks open.
    Empty,
    /// A wall that blocks like an enemy stone.
    Wall,
}

/// Preferences stay within so many units.
const TASTE: i32 = 4;
/// So many moves that answer nothing are looked at.
const MOST: usize = 22;
/// More than any board of shapes comes to.
const MOST_OF_SHAPES: i32 = 1_000_000_000;
/// A side that stands at so much by shapes is expected to score 0.73.
const SCALE_OF_SHAPES: f64 = 4_000.0;

impl GomokuEvaluator {
    /// An expert that judges like this.
    pub fn new(evaluation: GomokuEvaluation) -> Self {
        Self { evaluation, seed: 0, known: None, own: Vec::new(), enemy: Vec::new() }
    }

    /// Looks at what is known of a position: of any other than the one at hand it is found out anew.
    #[inline]
    pub(super) fn with<T>(&self, pos: &Gomoku, look: impl FnOnce(&Knowledge) -> T) -> T {
        match &self.known {
            Some(known) if known.is_of(pos) => look(known),
            _ => look(&Knowledge::of(pos)),
        }
    }

    /// The mover has passed, which led to `after`.
    #[inline]
    pub(super) fn pushed_pass(&mut self, after: &Gomoku) {
        if let Some(known) = &mut self.known {
            known.push_pass(after);
        }
    }

    /// How a position is judged.
    #[inline]
    pub(super) fn evaluation(&self) -> GomokuEvaluation {
        self.evaluation
    }

    /// A value by patterns, with what is liked about the position.
    #[inline]
    pub(super) fn by_patterns(&self, pos: &Gomoku, value: impl FnOnce(&Knowledge) -> i32) -> i32 {
        (self.with(pos, value) + self.taste(pos)).clamp(-REACH, REACH)
    }

    /// What is liked about a position for no reason.
    #[inline]
    fn taste(&self, pos: &Gomoku) -> i32 {
        match self.seed {
            0 => 0,
            seed => (zobrist::mix(pos.hash() ^ seed) >> 32) as i32 % (TASTE + 1),
        }
    }

    fn shapes(&mut self, pos: &Gomoku, mover: Side, edge: BoardEdge) -> i32 {
        // Stones are taken in the order of the board: a position has no history, and its value must not
        // depend on the line that led to it.
        let board = *pos;
        let mut seen = |side: Side| {
            let stones = if side == mover { &mut self.own } else { &mut self.enemy };
            stones.clear();
            board.collect(stones, |y| board.row(side, y));
            shapes::score(stones, |point| {
                if board.has(side, point) {
                    LineCell::Own
                } else if board.has(side.other(), point) {
                    LineCell::Wall
                } else if edge == BoardEdge::Wall && !board.contains(point) {
                    LineCell::Wall
                } else {
                    LineCell::Empty
                }
            })
        };
        let value = seen(mover) - seen(mover.other()) / 10;
        value.clamp(-i64::from(MOST_OF_SHAPES), i64::from(MOST_OF_SHAPES)) as i32
    }

    /// Lists the most promising of the empty points close to a stone; all of the board if there are none.
    fn near(&self, pos: &Gomoku, known: &Knowledge, mover: Side, out: &mut Vec<Point>) {
        let start = out.len();
        let distance = if self.evaluation == GomokuEvaluation::Patterns { 2 } else { 1 };
        let last = pos.size() - 1;
        pos.collect(out, |y| {
            let rows = y.saturating_sub(distance)..=(y + distance).min(last);
            let stones = rows.fold(0, |stones, row| {
                stones | pos.row(Side::First, row) | pos.row(Side::Second, row)
            });
            let beside = (1..=distance).fold(stones, |all, n| all | stones << n | stones >> n);
            beside & pos.empty_in_row(y)
        });
        let mut kept = start;
        for n in start..out.len() {
            if known.allows(pos, mover, out[n]) {
                out[kept] = out[n];
                kept += 1;
            }
        }
        out.truncate(kept);
        if kept == start {
            pos.moves(out);
        }
        if self.evaluation == GomokuEvaluation::Patterns && out.len() - start > MOST {
            let best = most_promising(&out[start..], |at| known.promise(mover, at));
            out.truncate(start);
            out.extend(best);
        }
    }

    /// Lists the moves worth searching.
    fn list(&self, pos: &Gomoku, known: &Knowledge, mover: Side, out: &mut Vec<Point>) -> Listing {
        let mut listing = Listing { complete: true, lost: None };
        if pos.stones() == 0 {
            let middle = pos.size() / 2;
            out.push(Point { x: middle, y: middle });
            listing.complete = false;
        } else if known.wins_in(pos, mover).is_some() {
            known.fours(pos, mover, out);
        } else {
            let start = out.len();
            match known.duty(pos, mover, out) {
                Duty::Answer { sure } => listing.complete = sure,
                Duty::Lost(plies) => listing.lost = Some(plies),
                Duty::Free => listing.complete = false,
            }
            // Who has lost can play anything.
            if out.len() == start {
                self.near(pos, known, mover, out);
            }
        }
        listing
    }
}

/// The points of the largest promise, the best first, of equals those that come first. There are at least
/// so many.
fn most_promising(points: &[Point], promise: impl Fn(Point) -> i32) -> [Point; MOST] {
    let mut best = [(i32::MIN, points[0]); MOST];
    for &at in points {
        let this = promise(at);
        let mut place = MOST;
        while place > 0 && best[place - 1].0 < this {
            if place < MOST {
                best[place] = best[place - 1];
            }
            place -= 1;
        }
        if place < MOST {
            best[place] = (this, at);
        }
    }
    best.map(|(_, at)| at)
}

/// What is known of a list of moves.
#[derive(Clone, Copy, Debug)]
struct Listing {
    /// No move that was left out is better.
    complete: bool,
    /// The mover loses in so many plies by every move.
    lost: Option<u32>,
}

impl Expert<Gomoku> for GomokuEvaluator {
    fn bound(&self) -> i32 {
        match self.evaluation {
            GomokuEvaluation::Patterns => REACH,
            GomokuEvaluation::Shapes(_) => MOST_OF_SHAPES,
        }
    }

    // A look at the common table costs about as much as a small tree.
    const SHARE_FROM: u32 = 3;

    fn randomize(&mut self, seed: u64) -> bool {
        self.seed = seed;
        seed != 0 && self.evaluation == GomokuEvaluation::Patterns
    }

    fn enter(&mut self, root: &Gomoku) {
        match &mut self.known {
            Some(known) => known.enter(root),
            None => self.known = Some(Knowledge::of(root)),
        }
    }

    #[inline]
    fn push(&mut self, before: &Gomoku, mv: Point, after: &Gomoku) {
        if let Some(known) = &mut self.known {
            known.push(before.mover(), mv, after);
        }
    }

    #[inline]
    fn pop(&mut self) {
        if let Some(known) = &mut self.known {
            known.pop();
        }
    }

    #[inline]
    fn evaluate(&mut self, pos: &Gomoku, mover: Side) -> i32 {
        match self.evaluation {
            GomokuEvaluation::Patterns => self.by_patterns(pos, |known| known.value(mover)),
            GomokuEvaluation::Shapes(edge) => self.shapes(pos, mover, edge),
        }
    }

    fn candidates(&self, pos: &Gomoku, mover: Side, out: &mut Vec<Point>) -> bool {
        self.with(pos, |known| self.list(pos, known, mover, out).complete)
    }

    fn lookahead(&self, pos: &Gomoku, mover: Side, depth: u32, out: &mut Vec<Point>) -> Lookahead {
        self.with(pos, |known| {
            let within = |plies: &u32| *plies <= depth;
            if let Some(plies) = known.wins_in(pos, mover).filter(within) {
                return Lookahead::Win(plies);
            }
            let Listing { complete, lost } = self.list(pos, known, mover, out);
            if let Some(plies) = lost.filter(within) {
                return Lookahead::Loss(plies);
            }
            let (win_from, loss_from) = known.earliest(mover);
            Lookahead::Open { complete, win_from, loss_from }
        })
    }

    // What either side would have there, in parts so small that what a search learns counts beside it.
    fn order(&self, pos: &Gomoku, mover: Side, mv: Point) -> i32 {
        self.with(pos, |known| known.promise(mover, mv) / 2)
    }

    fn win_probability(&self, value: f64) -> f64 {
        let scale = match self.evaluation {
            GomokuEvaluation::Patterns => SCALE,
            GomokuEvaluation::Shapes(_) => SCALE_OF_SHAPES,
        };
        1.0 / (1.0 + (-value / scale).exp())
    }
}
