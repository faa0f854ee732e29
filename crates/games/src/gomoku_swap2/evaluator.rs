use super::rules::{GomokuSwap2, Phase, Swap2Move};
use crate::gomoku::{Gomoku, GomokuEvaluation, GomokuEvaluator, Point};
use engine::game::{EARLIEST, Evaluator, Game, Lookahead, MoveList, Side, Tuning, zobrist};

/// Balanced openings: steps from the middle of the board to the right and up, for black, white and
/// black. Found by `cargo bench --bench search -- --swap2`; evaluated at most 4 units for either
/// side on a board of 15 points.
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
/// Minimum board size for the openings; none reaches further than five points from the middle.
const ROOM: u8 = 11;
/// Maximum distance from the other stones for stones outside the opening book.
const NEAR: u8 = 4;
/// Number of candidate points for a stone of the opening.
const SPREAD: usize = 16;
/// Value of the option of two more stones for the second player. By the rules it has none, as the
/// first may still choose; but closer to equality than this the search cannot tell which side is
/// ahead, and the second player had better leave a first player with prepared stones out of book.
const INITIATIVE: i32 = 35;

/// Evaluator of gomoku for the opening phase, in which players have no colours yet.
#[derive(Clone)]
pub struct Swap2Evaluator {
    patterns: GomokuEvaluator,
    /// Per move of the current line: true for a stone.
    line: Vec<bool>,
    /// Index of the opening to play; any if `None`.
    opening: Option<usize>,
}

impl Default for Swap2Evaluator {
    fn default() -> Self {
        let patterns = GomokuEvaluator::new(GomokuEvaluation::Patterns);
        Self { patterns, line: Vec::new(), opening: None }
    }
}

/// The point at these steps right of and above the middle.
fn from_middle(board: &Gomoku, (right, up): (i8, i8)) -> Point {
    let middle = board.size() as i8 / 2;
    Point { x: (middle + right) as u8, y: (middle + up) as u8 }
}

impl Swap2Evaluator {
    /// Generates the next stones of the openings that match the position.
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

    /// Generates points near the stones, sampled evenly from high to low promise: a balanced
    /// position lies in between.
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
    const LISTS_ALL: bool = false;
    const MOVES: MoveList = MoveList::Expert;

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

    // The side that chooses a colour next takes the better one; the side that places stones leaves
    // it to the opponent.
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
        list: MoveList,
        out: &mut Vec<Swap2Move>,
    ) -> Lookahead {
        if let Phase::Play { .. } = pos.phase() {
            let board = pos.board();
            return puts(out, |points| {
                self.patterns.lookahead(board, board.mover(), depth, list, points)
            });
        }
        let complete = self.listed(pos, mover, list, out);
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

/// Appends the points generated by a function, as moves.
fn puts<T>(out: &mut Vec<Swap2Move>, list: impl FnOnce(&mut Vec<Point>) -> T) -> T {
    // The cost of this allocation is small relative to the evaluation of a node.
    let mut points = Vec::new();
    let known = list(&mut points);
    out.extend(points.into_iter().map(Swap2Move::Put));
    known
}
