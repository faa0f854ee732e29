//! What xiangqi knows about itself: an evaluation, what exchanges bring, and what the course of the game
//! and of the line being searched makes of repeated positions.

mod evaluation;
mod exchange;
mod fitting;
mod taste;
mod terms;
#[cfg(test)]
mod tests;
mod weights;

use super::pieces::Kind;
use super::repetition::judge;
use super::rules::{QUIET_PLIES, Step, Xiangqi};
use super::squares::SQUARES;
use crate::game::{Expert, Game, Outcome, Side, Tactics, Verdict, zobrist};
use exchange::value_of;
use taste::Taste;
use terms::Tally;
use weights::{SCALE, WEIGHTS};

/// No evaluation is larger, in hundredths of a soldier.
const REACH: i32 = 10_000;
/// What the pieces beside generals, guards and soldiers count for the stage of the game.
const STAGE: [i32; 7] = [0, 0, 0, 2, 4, 2, 0];
/// All of them.
const OPENING: i32 = 32;

/// A sum of weights, for the opening and for the endgame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tapered {
    opening: i32,
    endgame: i32,
}

impl Tally for Tapered {
    #[inline]
    fn add(&mut self, term: usize, times: i32) {
        let [opening, endgame] = WEIGHTS[term];
        self.opening += times * i32::from(opening);
        self.endgame += times * i32::from(endgame);
    }
}

impl Tapered {
    /// The sum where so much is left to attack with.
    #[inline]
    fn at(self, stage: i32) -> i32 {
        let stage = stage.min(OPENING);
        (self.opening * stage + self.endgame * (OPENING - stage)) / OPENING
    }
}

/// What is known of a position of the line without looking at it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Level {
    hash: u64,
    /// Where the pieces stand.
    placed: Tapered,
    /// How much is left to attack with, at most [`OPENING`].
    stage: i32,
    /// Plies since the last capture or pass: no earlier position can come again.
    reversible: u32,
}

impl Level {
    fn of(pos: &Xiangqi) -> Self {
        let mut level =
            Self { hash: pos.hash(), placed: Tapered::default(), stage: 0, reversible: 0 };
        for square in 0..SQUARES as u8 {
            if let Some((side, kind)) = pos.at(square) {
                level.put(side, kind, square, 1);
            }
        }
        level
    }

    /// Puts a piece on a square (+1) or takes it off (-1).
    #[inline]
    fn put(&mut self, side: Side, kind: Kind, square: u8, sign: i32) {
        evaluation::place(side, kind, square, sign, &mut self.placed);
        self.stage += sign * STAGE[kind.index()];
    }
}

/// The knowledge of xiangqi.
#[derive(Clone, Debug, Default)]
pub struct Strategist {
    /// The course of the game up to the root, and the line from there.
    line: Vec<Xiangqi>,
    levels: Vec<Level>,
    /// Where the root lies in it.
    root: usize,
    course: Vec<Xiangqi>,
    taste: Option<Taste>,
}

impl Strategist {
    /// What is known of a position: kept, if it is the last of the line.
    #[inline]
    fn level(&self, pos: &Xiangqi) -> Level {
        match self.levels.last() {
            Some(level) if level.hash == pos.hash() => *level,
            _ => Level::of(pos),
        }
    }

    fn extend(&mut self, pos: &Xiangqi, level: Level) {
        self.line.push(*pos);
        self.levels.push(level);
    }
}

impl Expert<Xiangqi> for Strategist {
    fn bound(&self) -> i32 {
        REACH
    }

    fn recall(&mut self, course: &[Xiangqi]) {
        self.course = course.to_vec();
    }

    fn vary(&mut self, seed: u64) -> bool {
        self.taste = (seed != 0).then(|| Taste::new(seed));
        self.taste.is_some()
    }

    fn enter(&mut self, root: &Xiangqi) {
        self.line.clear();
        self.levels.clear();
        let leads_here = self.course.last().is_some_and(|last| last == root);
        let before = if leads_here { self.course.len() - 1 } else { 0 };
        for n in 0..before {
            let pos = self.course[n];
            self.extend(&pos, Level { reversible: n as u32, ..Level::of(&pos) });
        }
        self.root = before;
        self.extend(root, Level { reversible: before as u32, ..Level::of(root) });
    }

    #[inline]
    fn push(&mut self, before: &Xiangqi, step: Step, after: &Xiangqi) {
        let mut level = self.level(before);
        level.hash = after.hash();
        level.reversible += 1;
        let (side, kind) = before.at(step.from).expect("a piece moves");
        if let Some((foe, captured)) = before.at(step.to) {
            level.put(foe, captured, step.to, -1);
            level.reversible = 0;
        }
        level.put(side, kind, step.from, -1);
        level.put(side, kind, step.to, 1);
        self.extend(after, level);
    }

    #[inline]
    fn pop(&mut self) {
        self.line.pop();
        self.levels.pop();
    }

    fn evaluate(&mut self, pos: &Xiangqi, mover: Side) -> i32 {
        let level = self.level(pos);
        let mut sum = level.placed;
        evaluation::survey(pos, &mut sum);
        let stage = level.stage.min(OPENING);
        let value = sum.at(stage) + self.taste.as_ref().map_or(0, |taste| taste.of(pos, stage));
        (mover.sign() * value).clamp(-REACH, REACH)
    }

    /// In tenths of a soldier: captures by what they take, other moves by where the piece stands better.
    #[inline]
    fn order(&self, pos: &Xiangqi, _: Side, step: Step) -> i32 {
        if let Some(victim) = pos.kind_at(step.to) {
            return value_of(Some(victim)) / 10 - value_of(pos.kind_at(step.from)).min(1_000) / 100;
        }
        let (side, kind) = pos.at(step.from).expect("a piece moves");
        let mut gain = Tapered::default();
        evaluation::place(side, kind, step.from, -1, &mut gain);
        evaluation::place(side, kind, step.to, 1, &mut gain);
        let stage = self.level(pos).stage;
        let liked = self.taste.as_ref().map_or(0, |taste| taste.gain(side, kind, step, stage));
        (side.sign() * gain.at(stage) + liked) / 10
    }

    fn win_probability(&self, value: f64) -> f64 {
        1.0 / (1.0 + (-value / SCALE).exp())
    }
}

impl Tactics<Xiangqi> for Strategist {
    const TOPICS: usize = 2 * 7 * SQUARES;
    const LOOTS: usize = 8;
    const PAWN: i32 = 100;

    #[inline]
    fn topic(&self, pos: &Xiangqi, step: Step) -> usize {
        let (side, kind) = pos.at(step.from).expect("a piece moves");
        (7 * side.index() + kind.index()) * SQUARES + usize::from(step.to)
    }

    #[inline]
    fn loot(&self, pos: &Xiangqi, step: Step) -> usize {
        pos.kind_at(step.to).map_or(0, |kind| kind.index() + 1)
    }

    #[inline]
    fn prize(&self, pos: &Xiangqi, step: Step) -> i32 {
        value_of(pos.kind_at(step.to))
    }

    #[inline]
    fn exchange(&self, pos: &Xiangqi, step: Step, least: i32) -> bool {
        exchange::brings(pos, step, least)
    }

    #[inline]
    fn noisy(&self, pos: &Xiangqi, out: &mut Vec<Step>) {
        pos.captures(out);
    }

    #[inline]
    fn threatened(&self, pos: &Xiangqi) -> bool {
        pos.in_check()
    }

    #[inline]
    fn threatens(&self, pos: &Xiangqi, step: Step) -> bool {
        pos.gives_check(step)
    }

    fn pass(&self, pos: &Xiangqi, mover: Side) -> Option<Xiangqi> {
        let officers = pos.both(Kind::Horse) | pos.both(Kind::Chariot) | pos.both(Kind::Cannon);
        (officers & pos.of(mover) != 0).then(|| pos.passed())
    }

    fn push_pass(&mut self, after: &Xiangqi) {
        let mut level = self.levels.last().copied().unwrap_or_else(|| Level::of(after));
        level.hash = after.hash();
        level.reversible = 0;
        self.extend(after, level);
    }

    #[inline]
    fn structure(&self, pos: &Xiangqi) -> u64 {
        let soldiers = pos.both(Kind::Soldier);
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
            // Once in the line is enough; what came up in the game must come a third time.
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
