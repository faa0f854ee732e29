use super::rules::{GomokuSwap2, Phase, Swap2Move};
use crate::game::{EARLIEST, Evaluator, Game, Lookahead, Side, Tuning, zobrist};
use crate::games::gomoku::{Gomoku, GomokuEvaluation, GomokuEvaluator, Point};

/// Openings in which neither colour is ahead: steps from the middle of the board to the right and up, for
/// black, white and black. `cargo bench --bench search -- --swap2` finds them; they were worth at most 4
/// units to either side on 15 points a side.
pub const OPENINGS: [[(i8, i8); 3]; 12] = [
    [(-2, -1), (0, -1), (4, -1)],
    [(4, -2), (4, 1), (5, -5)],
    [(5, -1), (-1, -4), (1, -3)],
    [(2, 4), (2, 3), (-2, 4)],
    [(3, 1), (4, 1), (0, -4)],
    [(0, 3), (-3, -2), (3, -1)],
    [(-3, -5), (3, -4), (2, -2)],
    [(1, 2), (0, 1), (5, -2)],
    [(2, -2), (3, -1), (5, 1)],
    [(1, -2), (-2, -2), (-3, -4)],
    [(-1, 4), (3, 5), (3, -1)],
    [(5, -2), (5, -4), (5, -5)],
];
/// The smallest board that has room for them; none reaches further from the middle than five points.
const ROOM: u8 = 11;
/// Stones that follow no opening are put at most so far from the others.
const NEAR: u8 = 4;
/// So many points are looked at for a stone of the opening.
const SPREAD: usize = 16;
/// What the two stones more are worth to the second player. By rules alone they are worth nothing, as the
/// first may still choose; but nearer to even than this no search can tell who is ahead, and then the second
/// had better leave a first who has prepared his three stones.
const INITIATIVE: i32 = 35;

/// What gomoku knows of the stones, as it concerns players who have no colour yet.
#[derive(Clone)]
pub struct Swap2Evaluator {
    patterns: GomokuEvaluator,
    /// For each move of the line being searched whether it was a stone.
    line: Vec<bool>,
    /// The opening to play; any if it is none.
    opening: Option<usize>,
}

impl Default for Swap2Evaluator {
    fn default() -> Self {
        let patterns = GomokuEvaluator::new(GomokuEvaluation::Patterns);
        Self { patterns, line: Vec::new(), opening: None }
    }
}

/// A point so many steps right of the middle and up.
fn from_middle(board: &Gomoku, (right, up): (i8, i8)) -> Point {
    let middle = board.size() as i8 / 2;
    Point { x: (middle + right) as u8, y: (middle + up) as u8 }
}

impl Swap2Evaluator {
    /// Lists the next stones of the openings that begin like the position.
    fn book(&self, pos: &GomokuSwap2, out: &mut Vec<Swap2Move>) {
        if pos.board().size() < ROOM {
            return;
        }
        let stones = pos.played();
        for (n, opening) in OPENINGS.iter().enumerate() {
            let line = opening.map(|steps| Swap2Move::Put(from_middle(pos.board(), steps)));
            let next = line[stones.len()];
            let is_wanted = self.opening.is_none_or(|wanted| wanted == n);
            if is_wanted && line.starts_with(stones) && !out.contains(&next) {
                out.push(next);
            }
        }
    }

    /// Lists points near the stones, some of which promise much and some little: between them lies what
    /// makes a position even.
    fn spread(&self, pos: &GomokuSwap2, out: &mut Vec<Swap2Move>) {
        let board = pos.board();
        let stones: Vec<_> = board.points().filter(|&at| board.stone(at).is_some()).collect();
        if stones.is_empty() {
            out.push(Swap2Move::Put(from_middle(board, (0, 0))));
            return;
        }
        let is_near = |at: &Point| {
            let beside = |stone: &Point| at.x.abs_diff(stone.x).max(at.y.abs_diff(stone.y)) <= NEAR;
            board.stone(*at).is_none() && stones.iter().any(beside)
        };
        let mut near: Vec<_> = board.points().filter(is_near).collect();
        near.sort_by_cached_key(|&at| -self.patterns.order(board, board.mover(), at));
        let count = near.len().min(SPREAD);
        out.extend((0..count).map(|n| Swap2Move::Put(near[n * near.len() / count])));
    }
}

impl Evaluator<GomokuSwap2> for Swap2Evaluator {
    const TUNING: Tuning = <GomokuEvaluator as Evaluator<Gomoku>>::TUNING;

    fn bound(&self) -> i32 {
        Evaluator::<Gomoku>::bound(&self.patterns)
    }

    fn randomize(&mut self, seed: u64) -> bool {
        let drawn = zobrist::mix(seed) % OPENINGS.len() as u64;
        self.opening = (seed != 0).then_some(drawn as usize);
        self.opening.is_some()
    }

    fn enter(&mut self, root: &GomokuSwap2) {
        self.line.clear();
        self.patterns.enter(root.board());
    }

    #[inline]
    fn push(&mut self, before: &GomokuSwap2, mv: Swap2Move, after: &GomokuSwap2) {
        if let Swap2Move::Put(at) = mv {
            self.patterns.push(before.board(), at, after.board());
        }
        self.line.push(matches!(mv, Swap2Move::Put(_)));
    }

    #[inline]
    fn pop(&mut self) {
        if self.line.pop() == Some(true) {
            self.patterns.pop();
        }
    }

    // Who chooses a colour next takes the better one; who puts stones leaves it to the other.
    #[inline]
    fn evaluate(&mut self, pos: &GomokuSwap2, mover: Side) -> i32 {
        let board = pos.board();
        let value = self.patterns.evaluate(board, board.mover());
        let (value, extended) = match pos.phase() {
            Phase::Three => (-value.abs(), false),
            Phase::Choice => (value.abs(), false),
            Phase::Two => (-value.abs(), true),
            Phase::Colour => (value.abs(), true),
            Phase::Play { extended, .. } => (value, extended),
        };
        let initiative = if extended { -mover.sign() * INITIATIVE } else { 0 };
        (value + initiative).clamp(-self.bound(), self.bound())
    }

    fn candidates(&self, pos: &GomokuSwap2, _: Side, out: &mut Vec<Swap2Move>) -> bool {
        let start = out.len();
        match pos.phase() {
            Phase::Choice | Phase::Colour => pos.moves(out),
            Phase::Play { .. } => {
                let board = pos.board();
                return puts(out, |points| self.patterns.candidates(board, board.mover(), points));
            }
            Phase::Three => self.book(pos, out),
            Phase::Two => {}
        }
        if out.len() == start {
            self.spread(pos, out);
        }
        !pos.phase().words().is_empty()
    }

    fn lookahead(
        &self,
        pos: &GomokuSwap2,
        mover: Side,
        depth: u32,
        out: &mut Vec<Swap2Move>,
    ) -> Lookahead {
        if let Phase::Play { .. } = pos.phase() {
            let board = pos.board();
            return puts(out, |points| {
                self.patterns.lookahead(board, board.mover(), depth, points)
            });
        }
        let complete = self.candidates(pos, mover, out);
        Lookahead::Open { complete, win_from: EARLIEST, loss_from: EARLIEST }
    }

    #[inline]
    fn order(&self, pos: &GomokuSwap2, _: Side, mv: Swap2Move) -> i32 {
        let board = pos.board();
        match (pos.phase(), mv) {
            (Phase::Play { .. }, Swap2Move::Put(at)) => {
                self.patterns.order(board, board.mover(), at)
            }
            _ => 0,
        }
    }

    fn win_probability(&self, value: f64) -> f64 {
        Evaluator::<Gomoku>::win_probability(&self.patterns, value)
    }
}

/// Appends the points that a function lists.
fn puts<T>(out: &mut Vec<Swap2Move>, list: impl FnOnce(&mut Vec<Point>) -> T) -> T {
    // Judging a node costs many times what this memory does.
    let mut points = Vec::new();
    let known = list(&mut points);
    out.extend(points.into_iter().map(Swap2Move::Put));
    known
}
