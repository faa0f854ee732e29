//! Evaluator of xiangqi: evaluation, static exchange evaluation, and repetition verdicts from the
//! game history and the current line.

mod evaluation;
mod fitting;
mod network;
mod noise;
mod piece_values;
mod see;
mod terms;
#[cfg(test)]
mod tests;
mod weights;

use std::borrow::Cow;

use super::pieces::PieceKind;
use super::repetition::judge;
use super::rules::{QUIET_PLIES, Xiangqi, XiangqiMove};
use super::squares::SQUARES;
use engine::game::{
    Evaluator, Game, Outcome, SelectiveParameters, Side, Tactics, Tuning, Verdict, logistic,
    zobrist,
};
use network::Accumulators;
pub use network::{XIANGQI_HIDDEN, XiangqiInput};
use noise::EvalNoise;
use see::value_of;
use terms::TermSink;
use weights::{SCALE, WEIGHTS};

/// Bound of the evaluation, in hundredths of a soldier.
const REACH: i32 = 10_000;
/// Contribution of each piece kind to the game stage; 0 for generals, guards and soldiers.
const STAGE: [i32; 7] = [0, 0, 0, 2, 4, 2, 0];
/// Stage with all pieces on the board.
const OPENING: i32 = 32;

/// A sum of weights, for opening and endgame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tapered {
    opening: i32,
    endgame: i32,
}

impl TermSink for Tapered {
    #[inline]
    fn add(&mut self, term: usize, times: i32) {
        let [opening, endgame] = WEIGHTS[term];
        self.opening += times * i32::from(opening);
        self.endgame += times * i32::from(endgame);
    }
}

impl Tapered {
    /// The sum interpolated at this stage.
    #[inline]
    fn at(self, stage: i32) -> i32 {
        let stage = stage.min(OPENING);
        (self.opening * stage + self.endgame * (OPENING - stage)) / OPENING
    }
}

/// Game stage of a position.
fn stage_of(pos: &Xiangqi) -> i32 {
    EvaluatorStackEntry::of(pos).stage
}

/// Search stack: data of a position, updated incrementally.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct EvaluatorStackEntry {
    hash: u64,
    /// Sum of the placement terms.
    placed: Tapered,
    /// Game stage: remaining attacking material, at most [`OPENING`] in the interpolation.
    stage: i32,
    /// Plies since the last capture or pass: no earlier position can recur.
    reversible: u32,
    /// What the seed prefers, for Red, at full strength.
    liked: i32,
}

impl EvaluatorStackEntry {
    fn of(pos: &Xiangqi) -> Self {
        let mut level = Self {
            hash: pos.hash(),
            placed: Tapered::default(),
            stage: 0,
            reversible: 0,
            liked: 0,
        };
        for square in 0..SQUARES as u8 {
            if let Some((side, kind)) = pos.at(square) {
                level.put(side, kind, square, 1);
            }
        }
        level
    }

    /// Red's advantage by the hand-made terms.
    #[inline]
    fn hand(&self, pos: &Xiangqi) -> i32 {
        let mut sum = self.placed;
        evaluation::other_terms(pos, &mut sum);
        sum.at(self.stage)
    }

    /// Puts a piece on a square (+1) or takes it off (-1).
    #[inline]
    fn put(&mut self, side: Side, kind: PieceKind, square: u8, sign: i32) {
        evaluation::place(side, kind, square, sign, &mut self.placed);
        self.stage += sign * STAGE[kind.index()];
    }
}

/// Evaluation function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum XiangqiEvaluation {
    /// The hand-made terms, corrected by a network trained by self-play.
    #[default]
    Network,
    /// Placement, mobility, attacks and guards, with weights fitted to games.
    Hand,
    /// Values of the pieces alone.
    Material,
}

/// Evaluator of xiangqi.
#[derive(Clone, Debug, Default)]
pub struct XiangqiEvaluator {
    evaluation: XiangqiEvaluation,
    /// Game history up to the root, then the current line.
    line: Vec<Xiangqi>,
    levels: Vec<EvaluatorStackEntry>,
    /// The network's sums on the current line from the root on; none without the network.
    accumulators: Vec<Accumulators>,
    /// Index of the root in `line`.
    root: usize,
    history: Vec<Xiangqi>,
    noise: Option<EvalNoise>,
}

impl XiangqiEvaluator {
    /// An evaluator with this evaluation function; the order of moves and what is known of exchanges are the
    /// same for all.
    pub fn new(evaluation: XiangqiEvaluation) -> Self {
        Self { evaluation, ..Self::default() }
    }

    /// Stack entry of a position that begins a line.
    fn entry(&self, pos: &Xiangqi) -> EvaluatorStackEntry {
        let liked = self.noise.as_ref().map_or(0, |noise| noise.of(pos));
        EvaluatorStackEntry { liked, ..EvaluatorStackEntry::of(pos) }
    }

    /// True for the last position of the line, which has entries of its own.
    #[inline]
    fn is_last(&self, pos: &Xiangqi) -> bool {
        self.levels.last().is_some_and(|level| level.hash == pos.hash())
    }

    /// Stack entry of a position: cached if it is the last of the line.
    #[inline]
    fn level(&self, pos: &Xiangqi) -> EvaluatorStackEntry {
        let cached = self.levels.last().filter(|_| self.is_last(pos));
        cached.copied().unwrap_or_else(|| self.entry(pos))
    }

    /// The network's sums in a position: cached if it is the last of the line.
    #[inline]
    fn accumulators_of(&self, pos: &Xiangqi) -> Cow<'_, Accumulators> {
        let cached = self.accumulators.last().filter(|_| self.is_last(pos));
        cached.map_or_else(|| Cow::Owned(Accumulators::of(pos)), Cow::Borrowed)
    }

    /// Appends the network's sums after a move. Copied once, then changed in place: they are 300 bytes.
    #[inline]
    fn push_accumulators(&mut self, before: &Xiangqi, step: XiangqiMove, after: &Xiangqi) {
        if self.is_last(before) {
            let last = self.accumulators.len() - 1;
            self.accumulators.extend_from_within(last..);
        } else {
            self.accumulators.push(Accumulators::of(before));
        }
        if let Some(last) = self.accumulators.last_mut() {
            last.play(before, step, after);
        }
    }

    fn extend(&mut self, pos: &Xiangqi, level: EvaluatorStackEntry) {
        self.line.push(*pos);
        self.levels.push(level);
    }
}

impl Evaluator<Xiangqi> for XiangqiEvaluator {
    // As strong as the default at 50,000 nodes, and 14 plies take 0.41 of its nodes: docs/selective.md.
    const TUNING: Tuning = Tuning {
        selective: SelectiveParameters {
            late_moves: 12,
            reduction: 135,
            reduction_cut: 150,
            reverse_margin: 90,
            reverse_depth: 8,
            singular_margin: 3,
            ..SelectiveParameters::DEFAULT
        },
        ..Tuning::DEFAULT
    };

    fn bound(&self) -> i32 {
        REACH
    }

    fn set_history(&mut self, history: &[Xiangqi]) {
        self.history = history.to_vec();
    }

    fn randomize(&mut self, seed: u64) -> bool {
        let has_taste = seed != 0 && self.evaluation != XiangqiEvaluation::Material;
        self.noise = has_taste.then(|| EvalNoise::new(seed));
        self.noise.is_some()
    }

    fn enter(&mut self, root: &Xiangqi) {
        self.line.clear();
        self.levels.clear();
        self.accumulators.clear();
        let leads_here = self.history.last().is_some_and(|last| last == root);
        let before = if leads_here { self.history.len() - 1 } else { 0 };
        for n in 0..before {
            let pos = self.history[n];
            let entry = EvaluatorStackEntry { reversible: n as u32, ..self.entry(&pos) };
            self.extend(&pos, entry);
        }
        self.root = before;
        let entry = EvaluatorStackEntry { reversible: before as u32, ..self.entry(root) };
        self.extend(root, entry);
        if self.evaluation == XiangqiEvaluation::Network {
            self.accumulators.push(Accumulators::of(root));
        }
    }

    #[inline]
    fn push(&mut self, before: &Xiangqi, step: XiangqiMove, after: &Xiangqi) {
        if self.evaluation == XiangqiEvaluation::Network {
            self.push_accumulators(before, step, after);
        }
        let mut level = self.level(before);
        level.hash = after.hash();
        level.reversible += 1;
        let (side, kind) = before.at(step.from).expect("a piece moves");
        if let Some((opponent, captured)) = before.at(step.to) {
            level.put(opponent, captured, step.to, -1);
            level.reversible = 0;
        }
        level.put(side, kind, step.from, -1);
        level.put(side, kind, step.to, 1);
        if let Some(noise) = &self.noise {
            level.liked += noise.change(before, step);
        }
        self.extend(after, level);
    }

    #[inline]
    fn pop(&mut self) {
        self.line.pop();
        self.levels.pop();
        self.accumulators.pop();
    }

    fn evaluate(&mut self, pos: &Xiangqi, mover: Side) -> i32 {
        let level = self.level(pos);
        let hand = || level.hand(pos) + noise::at(level.liked, level.stage);
        let red = match self.evaluation {
            XiangqiEvaluation::Network => {
                let correction = self.accumulators_of(pos).correction(pos.mover(), level.stage);
                hand() + pos.mover().sign() * correction
            }
            XiangqiEvaluation::Hand => hand(),
            XiangqiEvaluation::Material => piece_values::balance(pos),
        };
        (mover.sign() * red).clamp(-REACH, REACH)
    }

    /// In tenths of a soldier: captures by the victim, other moves by the gain in placement.
    #[inline]
    fn order(&self, pos: &Xiangqi, _: Side, step: XiangqiMove) -> i32 {
        if let Some(victim) = pos.kind_at(step.to) {
            return value_of(Some(victim)) / 10 - value_of(pos.kind_at(step.from)).min(1_000) / 100;
        }
        let (side, kind) = pos.at(step.from).expect("a piece moves");
        let mut gain = Tapered::default();
        evaluation::place(side, kind, step.from, -1, &mut gain);
        evaluation::place(side, kind, step.to, 1, &mut gain);
        side.sign() * gain.at(self.level(pos).stage) / 10
    }

    // The scale is that of the hand-made terms; for the values of pieces alone it is not tuned.
    fn win_probability(&self, value: f64) -> f64 {
        logistic(value, SCALE)
    }
}

impl Tactics<Xiangqi> for XiangqiEvaluator {
    const MOVE_INDICES: usize = 2 * 7 * SQUARES;
    const VICTIMS: usize = 8;
    const PAWN: i32 = 100;

    #[inline]
    fn move_index(&self, pos: &Xiangqi, step: XiangqiMove) -> usize {
        let (side, kind) = pos.at(step.from).expect("a piece moves");
        (7 * side.index() + kind.index()) * SQUARES + usize::from(step.to)
    }

    #[inline]
    fn victim(&self, pos: &Xiangqi, step: XiangqiMove) -> usize {
        pos.kind_at(step.to).map_or(0, |kind| kind.index() + 1)
    }

    #[inline]
    fn victim_value(&self, pos: &Xiangqi, step: XiangqiMove) -> i32 {
        value_of(pos.kind_at(step.to))
    }

    #[inline]
    fn see_at_least(&self, pos: &Xiangqi, step: XiangqiMove, least: i32) -> bool {
        see::brings(pos, step, least)
    }

    #[inline]
    fn noisy(&self, pos: &Xiangqi, out: &mut Vec<XiangqiMove>) {
        pos.captures(out);
    }

    #[inline]
    fn threatened(&self, pos: &Xiangqi) -> bool {
        pos.in_check()
    }

    #[inline]
    fn threatens(&self, pos: &Xiangqi, step: XiangqiMove) -> bool {
        pos.gives_check(step)
    }

    fn pass(&self, pos: &Xiangqi, mover: Side) -> Option<Xiangqi> {
        let officers =
            pos.both(PieceKind::Horse) | pos.both(PieceKind::Chariot) | pos.both(PieceKind::Cannon);
        (officers & pos.of(mover) != 0).then(|| pos.passed())
    }

    fn push_pass(&mut self, after: &Xiangqi) {
        let mut level = self.levels.last().copied().unwrap_or_else(|| self.entry(after));
        level.hash = after.hash();
        level.reversible = 0;
        // A pass moves no piece.
        self.accumulators.extend(self.accumulators.last().copied());
        self.extend(after, level);
    }

    #[inline]
    fn structure_key(&self, pos: &Xiangqi) -> u64 {
        let soldiers = pos.both(PieceKind::Soldier);
        let red = soldiers & pos.of(Side::First);
        let low = soldiers as u64 ^ (red as u64).rotate_left(21);
        let high = (soldiers >> 64) as u64 ^ ((red >> 64) as u64).rotate_left(43);
        zobrist::mix(low ^ zobrist::mix(high))
    }

    fn verdict(&self, pos: &Xiangqi) -> Option<Verdict> {
        if pos.quiet() >= QUIET_PLIES {
            return Some(Verdict::Draw);
        }
        let now = self.line.len() - 1;
        let reversible = self.levels[now].reversible as usize;
        let mut seen_before_root = false;
        for back in (4..=reversible).step_by(2) {
            let then = now - back;
            if self.levels[then].hash != pos.hash() {
                continue;
            }
            // Within the line one repetition suffices; positions of the game history need a third
            // occurrence.
            if then > self.root || seen_before_root {
                return Some(match judge(&self.line[then..=now], pos.rules()).outcome {
                    Outcome::Win(side) if side == pos.mover() => Verdict::Win,
                    Outcome::Win(_) => Verdict::Loss,
                    _ => Verdict::Draw,
                });
            }
            seen_before_root = true;
        }
        None
    }
}
