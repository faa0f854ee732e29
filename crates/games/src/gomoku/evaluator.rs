use super::knowledge::{Activations, Duty, Knowledge, REACH, SCALE};
use super::rules::{Gomoku, Point};
use super::shapes::{self, LineCell};
use engine::game::{
    Evaluator, Game, Lookahead, MoveList, SelectiveParameters, Side, Tuning, logistic, retain_from,
    zobrist,
};

/// Evaluator of gomoku: incrementally updated pattern knowledge for every empty point, and the
/// evaluations derived from it.
#[derive(Clone)]
pub struct GomokuEvaluator {
    evaluation: GomokuEvaluation,
    /// Seed of small random preferences; none for 0.
    seed: u64,
    /// Weight of defence of the shape evaluation.
    ratio: f64,
    known: Option<Knowledge>,
    /// What the policy head reads of the position with this hash.
    prepared: Option<(u64, Activations)>,
    own: Vec<Point>,
    enemy: Vec<Point>,
}

/// Evaluation function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GomokuEvaluation {
    /// Patterns of every empty point, with weights fitted to games.
    Patterns,
    /// The same patterns, corrected by a network trained by self-play.
    Network,
    /// Shapes of stones, as in the originally published evaluation.
    Shapes(BoardEdge),
}

/// Treatment of points beyond the edge by the shape evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardEdge {
    /// Empty points, as originally published: a four on the edge counts as open.
    Empty,
    /// A wall, equivalent to an opponent's stone.
    Wall,
}

/// Maximum random preference, in evaluation units.
const TASTE: i32 = 4;
/// Maximum number of candidate moves in a position without a forced answer.
const MOST: usize = 22;
/// Plies left to search from which the policy head orders moves. Not tuned: a node of one ply costs little more than its
/// order.
const POLICY_FROM: u32 = 2;
/// Hundredths of a logit for one unit of the order. With `quiet_order` 300 it is as good as any: 80 and 1,000 scored 48 %
/// of 200 games each against the order by value, 300 scored 54 %, crates/training/README.md.
const POLICY_GRAIN: i32 = 4;
const HUNDREDTHS: f32 = 100.0;
/// Bound of the shape evaluation.
const MOST_OF_SHAPES: i32 = 1_000_000_000;
/// Scale of the shape evaluation: this value has an expected score of 0.73.
const SCALE_OF_SHAPES: f64 = 4_000.0;

impl GomokuEvaluator {
    /// An evaluator with this evaluation function.
    pub fn new(evaluation: GomokuEvaluation) -> Self {
        let (own, enemy) = (Vec::new(), Vec::new());
        Self { evaluation, seed: 0, ratio: 1.0, known: None, prepared: None, own, enemy }
    }

    /// The same with this weight of defence, of the shape evaluation only: a tenth of the opponent's shapes times
    /// `ratio` is taken from the own ones.
    pub fn with_ratio(self, ratio: f64) -> Self {
        Self { ratio, ..self }
    }

    /// Calls `look` with the knowledge of a position; rebuilt for any other than the current one.
    #[inline]
    pub(super) fn with<T>(&self, pos: &Gomoku, look: impl FnOnce(&Knowledge) -> T) -> T {
        match &self.known {
            Some(known) if known.is_of(pos) => look(known),
            _ => look(&self.knowledge(pos)),
        }
    }

    /// Computes the knowledge of a position.
    fn knowledge(&self, pos: &Gomoku) -> Knowledge {
        Knowledge::new(pos, self.evaluation == GomokuEvaluation::Network)
    }

    /// True if points are judged by patterns, not by shapes of stones.
    #[inline]
    fn knows_patterns(&self) -> bool {
        !matches!(self.evaluation, GomokuEvaluation::Shapes(_))
    }

    /// Updates the knowledge after a pass of the mover to `after`.
    #[inline]
    pub(super) fn pushed_pass(&mut self, after: &Gomoku) {
        if let Some(known) = &mut self.known {
            known.push_pass(after);
        }
    }

    /// The evaluation function.
    #[inline]
    pub(super) fn evaluation(&self) -> GomokuEvaluation {
        self.evaluation
    }

    /// A pattern value plus the random preference of the position.
    #[inline]
    pub(super) fn by_patterns(
        &mut self,
        pos: &Gomoku,
        value: impl FnOnce(&mut Knowledge) -> i32,
    ) -> i32 {
        let value = match &mut self.known {
            Some(known) if known.is_of(pos) => value(known),
            _ => value(&mut self.knowledge(pos)),
        };
        (value + self.taste(pos)).clamp(-REACH, REACH)
    }

    /// Random preference of a position.
    #[inline]
    fn taste(&self, pos: &Gomoku) -> i32 {
        match self.seed {
            0 => 0,
            seed => (zobrist::mix(pos.hash() ^ seed) >> 32) as i32 % (TASTE + 1),
        }
    }

    fn shapes(&mut self, pos: &Gomoku, mover: Side, edge: BoardEdge) -> i32 {
        // In board order, unless the position keeps the order of its stones: its value is its own.
        let board = *pos;
        let mut seen = |side: Side| {
            let stones = if side == mover { &mut self.own } else { &mut self.enemy };
            stones.clear();
            board.collect(stones, |y| board.row(side, y));
            if board.keeps_order() {
                stones.sort_unstable_by_key(|&at| board.number(at));
            }
            shapes::score(stones, |point| {
                let is_outside = edge == BoardEdge::Wall && !board.contains(point);
                if board.has(side, point) {
                    LineCell::Own
                } else if board.has(side.other(), point) || is_outside {
                    LineCell::Wall
                } else {
                    LineCell::Empty
                }
            })
        };
        let value = seen(mover) as f64 - seen(mover.other()) as f64 * self.ratio * 0.1;
        let most = f64::from(MOST_OF_SHAPES);
        value.round().clamp(-most, most) as i32
    }

    /// Generates the most promising empty points close to a stone; all points without stones.
    fn near(&self, pos: &Gomoku, known: &Knowledge, mover: Side, out: &mut Vec<Point>) {
        let start = out.len();
        let distance = if self.knows_patterns() { 2 } else { 1 };
        let last = pos.size() - 1;
        pos.collect(out, |y| {
            let rows = y.saturating_sub(distance)..=(y + distance).min(last);
            let stones = rows.fold(0, |stones, row| {
                stones | pos.row(Side::First, row) | pos.row(Side::Second, row)
            });
            let beside = (1..=distance).fold(stones, |all, n| all | stones << n | stones >> n);
            beside & pos.empty_in_row(y)
        });
        retain_from(out, start, |at| known.allows(pos, mover, at));
        if out.len() == start {
            pos.moves(out);
        }
        if self.knows_patterns() && out.len() - start > MOST {
            let best = most_promising(&out[start..], |at| known.promise(mover, at));
            out.truncate(start);
            out.extend(best);
        }
    }

    /// Generates the candidate moves.
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
            // In a lost position any move will do.
            if out.len() == start {
                self.near(pos, known, mover, out);
            }
        }
        listing
    }
}

/// The points of highest promise, best first; ties by input order. `points` has at least `MOST`
/// elements.
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

/// Properties of a candidate list.
#[derive(Clone, Copy, Debug)]
struct Listing {
    /// True if no omitted move is better.
    complete: bool,
    /// Plies to a proven loss of the mover, if any.
    lost: Option<u32>,
}

impl Evaluator<Gomoku> for GomokuEvaluator {
    // A probe of the shared table costs about as much as a tree of two plies. Candidates are few and the best
    // come first, hence `late_moves`. A stone changes up to four lines at once, hence the wide quiet margins:
    // 400 games against Rapfi each, `docs/selective.md`.
    const TUNING: Tuning = Tuning {
        share_from: 3,
        selective: SelectiveParameters {
            late_moves: 6,
            quiet_gain: 250,
            quiet_gain_ply: 200,
            threat_plies: 24,
            ..SelectiveParameters::DEFAULT
        },
        // 72 % ± 9 of 100 games at 2,000 simulations against 1.0: `benches/exploration.py --game gomoku`.
        exploration: 0.35,
        ..Tuning::DEFAULT
    };
    const LISTS_ALL: bool = false;
    // 225 points: few of them matter.
    const MOVES: MoveList = MoveList::Expert;

    fn bound(&self) -> i32 {
        match self.evaluation {
            GomokuEvaluation::Patterns | GomokuEvaluation::Network => REACH,
            GomokuEvaluation::Shapes(_) => MOST_OF_SHAPES,
        }
    }

    fn randomize(&mut self, seed: u64) -> bool {
        self.seed = seed;
        seed != 0 && self.knows_patterns()
    }

    fn enter(&mut self, root: &Gomoku) {
        match &mut self.known {
            Some(known) => known.enter(root),
            None => self.known = Some(self.knowledge(root)),
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
            GomokuEvaluation::Patterns | GomokuEvaluation::Network => {
                let stones = pos.stones().into();
                self.by_patterns(pos, |known| known.value(mover) + known.correction(mover, stones))
            }
            GomokuEvaluation::Shapes(edge) => self.shapes(pos, mover, edge),
        }
    }

    fn candidates(&self, pos: &Gomoku, mover: Side, out: &mut Vec<Point>) -> bool {
        self.with(pos, |known| self.list(pos, known, mover, out).complete)
    }

    fn lookahead(
        &self,
        pos: &Gomoku,
        mover: Side,
        depth: u32,
        list: MoveList,
        out: &mut Vec<Point>,
    ) -> Lookahead {
        self.with(pos, |known| {
            let within = |plies: &u32| *plies <= depth;
            if let Some(plies) = known.wins_in(pos, mover).filter(within) {
                return Lookahead::Win(plies);
            }
            let start = out.len();
            let Listing { mut complete, lost } = self.list(pos, known, mover, out);
            if let Some(plies) = lost.filter(within) {
                return Lookahead::Loss(plies);
            }
            if list == MoveList::All {
                out.truncate(start);
                complete = self.listed(pos, mover, list, out);
            }
            let (win_from, loss_from) = known.earliest(mover);
            Lookahead::Open { complete, win_from, loss_from }
        })
    }

    // Promise of the point for both sides, scaled down to be minor relative to the history.
    fn order(&self, pos: &Gomoku, mover: Side, mv: Point) -> i32 {
        self.with(pos, |known| known.promise(mover, mv) / 2)
    }

    fn prepare_order(&mut self, pos: &Gomoku, mover: Side, depth: u32) {
        self.prepared = None;
        if let Some(known) = self.known.as_mut().filter(|_| depth >= POLICY_FROM)
            && known.is_of(pos)
        {
            self.prepared = known.activations(mover).map(|active| (pos.hash(), active));
        }
    }

    #[inline]
    fn order_by_depth(&self, pos: &Gomoku, mover: Side, mv: Point, _: u32) -> i32 {
        match &self.prepared {
            Some((hash, active)) if *hash == pos.hash() => {
                self.with(pos, |known| known.logit(active, mover, mv)) / POLICY_GRAIN
            }
            _ => self.order(pos, mover, mv),
        }
    }

    fn policy(&mut self, pos: &Gomoku, mover: Side, moves: &[Point], out: &mut Vec<f32>) -> bool {
        self.prepare_order(pos, mover, POLICY_FROM);
        let Some((_, active)) = &self.prepared else { return false };
        let logit = |&mv: &Point| self.with(pos, |known| known.logit(active, mover, mv)) as f32;
        out.extend(moves.iter().map(|mv| logit(mv) / HUNDREDTHS));
        true
    }

    fn win_probability(&self, value: f64) -> f64 {
        let scale = match self.evaluation {
            GomokuEvaluation::Patterns | GomokuEvaluation::Network => SCALE,
            GomokuEvaluation::Shapes(_) => SCALE_OF_SHAPES,
        };
        logistic(value, scale)
    }
}
