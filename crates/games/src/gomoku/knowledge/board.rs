//! Pattern knowledge of a whole board.
//!
//! - `accumulators`: the network's sums along the course

mod accumulators;

use super::cells::{CELLS, PointCell, STEPS, cell_of, empty_board, for_each_neighbour, point_of};
use super::codes::{CODES, Codes, Combination, Threat};
use super::lines::{self, LineTable, REACH, SHORT_REACH};
use super::network::CombinationSums;
use super::points::Points;
use super::worth::{self, COMBINATIONS};
use crate::gomoku::rules::{Gomoku, GomokuRules, Point};
use engine::game::{Game, Side};
use engine::network::MoveRows;

/// Pattern knowledge of a position, mainly of its empty points.
#[derive(Clone)]
pub(in crate::gomoku) struct Knowledge {
    size: u8,
    rules: GomokuRules,
    lines: &'static LineTable,
    codes: &'static Codes,
    cells: Box<[PointCell; CELLS]>,
    /// Sets of empty points by side and threat of a stone there.
    threats: [[Points; Threat::COUNT]; 2],
    counts: [[u16; Threat::COUNT]; 2],
    /// Sums of the point values per side: as the side to move, and as the opponent.
    sums: [[i32; 2]; 2],
    /// Steps from the root to the current position.
    course: Vec<KnowledgeStep>,
    changes: Vec<Change>,
    /// The network's sums at the first steps of the course, the others when they are asked for: a search for threats
    /// evaluates hardly any of its positions. None without the network.
    accumulators: Vec<CombinationSums>,
    uses_network: bool,
}

/// Step of the current line.
#[derive(Clone, Copy, Debug)]
struct KnowledgeStep {
    hash: u64,
    /// The stone played; `None` at the root and after a pass.
    stone: Option<Point>,
    /// Start of its entries in the change log, and the sums before it.
    changes: usize,
    sums: [[i32; 2]; 2],
}

/// Previous content of a cell, and its next line kinds.
#[derive(Clone, Copy, Debug)]
struct Change {
    cell: u16,
    kinds: u16,
    next_kinds: u16,
    worth: [i16; 2],
    side: u8,
    threat: Threat,
}

impl Knowledge {
    /// Computes the knowledge of a position, without the network.
    pub(in crate::gomoku) fn of(pos: &Gomoku) -> Self {
        Self::new(pos, false)
    }

    /// Computes the knowledge of a position, with the network's sums if they are used.
    pub(in crate::gomoku) fn new(pos: &Gomoku, uses_network: bool) -> Self {
        let mut known = Self {
            size: pos.size(),
            rules: pos.rules(),
            lines: LineTable::by(pos.rules()),
            codes: &CODES,
            cells: empty_board(pos.size()),
            threats: Default::default(),
            counts: Default::default(),
            sums: Default::default(),
            course: Vec::new(),
            changes: Vec::new(),
            accumulators: Vec::new(),
            uses_network,
        };
        known.enter(pos);
        known
    }

    /// Resets to this position.
    pub(in crate::gomoku) fn enter(&mut self, pos: &Gomoku) {
        while self.course.len() > 1 {
            self.pop();
        }
        if self.is_of(pos) {
            return;
        }
        if self.size != pos.size() || self.rules != pos.rules() || !self.course.is_empty() {
            *self = Self::new(pos, self.uses_network);
            return;
        }
        for point in pos.points() {
            let Some(side) = pos.stone(point) else { continue };
            self.cells[cell_of(point)].vacant = false;
            let stone = |cell: usize, direction: usize, shift: usize| {
                let key = &mut self.cells[cell].keys[direction];
                *key = lines::with_stone(*key, shift, side.index());
            };
            if self.lines.short {
                for_each_neighbour::<SHORT_REACH>(cell_of(point), stone);
            } else {
                for_each_neighbour::<REACH>(cell_of(point), stone);
            }
        }
        for point in pos.points().filter(|&point| pos.stone(point).is_none()) {
            for side in [0, 1] {
                let cell = &mut self.cells[cell_of(point)];
                cell.kinds[side] = (0..4).fold(0, |kinds, direction| {
                    let kind = self.lines.kinds(cell.keys[direction])[side];
                    kinds | u16::from(kind) << (4 * direction)
                });
                let combination = self.codes.of(cell.kinds[side]);
                cell.worth[side] = combination.worth;
                cell.threats[side] = combination.threat;
                self.count(point, side, true);
            }
        }
        self.course.push(KnowledgeStep {
            hash: pos.hash(),
            stone: None,
            changes: 0,
            sums: self.sums,
        });
        if self.uses_network {
            self.accumulators.push(CombinationSums::of(self));
        }
    }

    /// True if this is the knowledge of the position.
    #[inline]
    pub(in crate::gomoku) fn is_of(&self, pos: &Gomoku) -> bool {
        self.course.last().is_some_and(|step| step.hash == pos.hash())
    }

    /// Updates for a stone of `side` that led to `after`.
    pub(in crate::gomoku) fn push(&mut self, side: Side, at: Point, after: &Gomoku) {
        self.step(after, Some(at));
        for side in [0, 1] {
            self.count(at, side, false);
        }
        self.cells[cell_of(at)].vacant = false;
        if self.lines.short {
            self.touch::<SHORT_REACH>(side, at);
        } else {
            self.touch::<REACH>(side, at);
        }
    }

    /// Updates the lines through a point for a new stone, up to distance `FAR`.
    #[inline]
    fn touch<const FAR: usize>(&mut self, side: Side, at: Point) {
        for_each_neighbour::<FAR>(cell_of(at), |at, direction, shift| {
            let cell = &mut self.cells[at];
            let key = lines::with_stone(cell.keys[direction], shift, side.index());
            cell.keys[direction] = key;
            if !cell.vacant {
                return;
            }
            let old = cell.kinds;
            let kinds = self.lines.kinds(key);
            for side in [0, 1] {
                let place = 4 * direction;
                let new = old[side] & !(15 << place) | u16::from(kinds[side]) << place;
                if new != old[side] {
                    self.change(at, side, new);
                }
            }
        });
    }

    /// Updates for a pass that led to `after`.
    pub(in crate::gomoku) fn push_pass(&mut self, after: &Gomoku) {
        self.step(after, None);
    }

    #[inline]
    fn step(&mut self, after: &Gomoku, stone: Option<Point>) {
        let (hash, changes, sums) = (after.hash(), self.changes.len(), self.sums);
        self.course.push(KnowledgeStep { hash, stone, changes, sums });
    }

    /// Undoes the last step.
    pub(in crate::gomoku) fn pop(&mut self) {
        let Some(KnowledgeStep { stone, changes, sums, .. }) = self.course.pop() else { return };
        self.accumulators.truncate(self.course.len());
        let Some(at) = stone else { return };
        for change in self.changes.drain(changes..) {
            let side = usize::from(change.side);
            let cell = &mut self.cells[usize::from(change.cell)];
            cell.kinds[side] = change.kinds;
            cell.worth[side] = change.worth;
            let (old, new) = (change.threat, cell.threats[side]);
            cell.threats[side] = old;
            if old != new {
                let point = point_of(usize::from(change.cell));
                self.threats[side][new as usize].toggle(point);
                self.threats[side][old as usize].toggle(point);
                self.counts[side][new as usize] -= 1;
                self.counts[side][old as usize] += 1;
            }
        }
        let clear = |cell: usize, direction: usize, shift: usize| {
            let key = &mut self.cells[cell].keys[direction];
            *key = lines::without_stone(*key, shift);
        };
        if self.lines.short {
            for_each_neighbour::<SHORT_REACH>(cell_of(at), clear);
        } else {
            for_each_neighbour::<REACH>(cell_of(at), clear);
        }
        self.cells[cell_of(at)].vacant = true;
        for side in [0, 1] {
            self.count(at, side, true);
        }
        self.sums = sums;
    }

    /// Changes the line kinds of a vacant cell for a side.
    #[inline]
    fn change(&mut self, at: usize, side: usize, kinds: u16) {
        let cell = &mut self.cells[at];
        let Combination { worth, threat: new, .. } = self.codes.of(kinds);
        let (old, was) = (cell.threats[side], cell.worth[side]);
        self.changes.push(Change {
            cell: at as u16,
            kinds: cell.kinds[side],
            next_kinds: kinds,
            worth: was,
            side: side as u8,
            threat: old,
        });
        cell.kinds[side] = kinds;
        cell.worth[side] = worth;
        cell.threats[side] = new;
        for role in [0, 1] {
            self.sums[side][role] += i32::from(worth[role]) - i32::from(was[role]);
        }
        if old != new {
            let point = point_of(at);
            self.threats[side][old as usize].toggle(point);
            self.threats[side][new as usize].toggle(point);
            self.counts[side][old as usize] -= 1;
            self.counts[side][new as usize] += 1;
        }
    }

    /// Updates the counts for a point that becomes vacant or occupied.
    #[inline]
    fn count(&mut self, point: Point, side: usize, vacant: bool) {
        let cell = &self.cells[cell_of(point)];
        let (threat, worth) = (cell.threats[side] as usize, cell.worth[side]);
        self.threats[side][threat].toggle(point);
        if vacant {
            self.counts[side][threat] += 1;
        } else {
            self.counts[side][threat] -= 1;
        }
        for role in [0, 1] {
            let worth = i32::from(worth[role]);
            self.sums[side][role] += if vacant { worth } else { -worth };
        }
    }

    /// The rules of the game.
    #[inline]
    pub(super) fn rules(&self) -> GomokuRules {
        self.rules
    }

    /// Number of points with this threat.
    #[inline]
    pub(super) fn number(&self, side: Side, threat: Threat) -> u16 {
        self.counts[side.index()][threat as usize]
    }

    /// The points with this threat.
    #[inline]
    pub(super) fn points(&self, side: Side, threat: Threat) -> impl Iterator<Item = Point> + use<> {
        self.threats[side.index()][threat as usize].iter()
    }

    /// Threat of a stone of `side` on an empty point.
    #[inline]
    pub(in crate::gomoku) fn threat(&self, side: Side, at: Point) -> Threat {
        self.cells[cell_of(at)].threats[side.index()]
    }

    /// True if the point may be forbidden to Black, provided renju rules apply.
    #[inline]
    pub(super) fn is_suspect(&self, at: Point) -> bool {
        self.codes.of(self.cells[cell_of(at)].kinds[Side::First.index()]).suspect
    }

    /// Move-ordering score of an empty point: own gain plus denial, in fractions of a unit.
    #[inline]
    pub(in crate::gomoku) fn promise(&self, mover: Side, at: Point) -> i32 {
        let worth = self.cells[cell_of(at)].worth;
        i32::from(worth[mover.index()][0]) + i32::from(worth[mover.other().index()][1])
    }

    /// Enumerates the active weights with their side, once per occurrence.
    pub(in crate::gomoku) fn for_each_term(&self, mover: Side, mut call: impl FnMut(Side, usize)) {
        for cell in self.cells.iter().filter(|cell| cell.vacant) {
            for side in Side::BOTH {
                let number = usize::from(self.codes.number(cell.kinds[side.index()]));
                call(side, worth::term(number, usize::from(side != mover)));
            }
        }
    }

    /// Rows of a move in the network's policy head: what a stone of either side would make on its point.
    #[inline]
    pub(in crate::gomoku) fn move_rows(&self, mover: Side, at: Point) -> MoveRows {
        let kinds = self.cells[cell_of(at)].kinds;
        let number = |side: Side| u32::from(self.codes.number(kinds[side.index()]));
        [number(mover), COMBINATIONS as u32 + number(mover.other())]
    }

    /// Enumerates what a stone of either side would make on the empty points.
    pub(super) fn for_each_combination(&self, mut call: impl FnMut(Side, Combination)) {
        for cell in self.cells.iter().filter(|cell| cell.vacant) {
            for side in Side::BOTH {
                call(side, self.codes.of(cell.kinds[side.index()]));
            }
        }
    }

    /// Evaluation for the side to move, in units.
    #[inline]
    pub(in crate::gomoku) fn value(&self, mover: Side) -> i32 {
        worth::units(worth::lead(&self.sums, mover), self.stance(mover))
    }

    /// Evaluation averaged with that before the last step (other side to move): the gain of the
    /// last stone counts half, since most of it is about to be answered.
    #[inline]
    pub(in crate::gomoku) fn smoothed(&self, mover: Side) -> i32 {
        let before = self.course.last().map_or(&self.sums, |step| &step.sums);
        let lead = worth::lead(&self.sums, mover) - worth::lead(before, mover.other());
        worth::units(lead / 2, self.stance(mover))
    }

    /// Bit set of existing threats, from threes on: of the side to move up to four-threes, then of
    /// the opponent up to open fours.
    #[inline]
    pub(in crate::gomoku) fn stance(&self, mover: Side) -> usize {
        let own =
            self.counts[mover.index()][Threat::Three as usize..Threat::OpenFour as usize].iter();
        let opponent = &self.counts[mover.other().index()];
        let opponent = opponent[Threat::Three as usize..Threat::Five as usize].iter();
        own.chain(opponent).fold(0, |bits, &count| bits << 1 | usize::from(count > 0))
    }

    /// Enumerates the empty points within five steps on the lines through `at` in which `side`
    /// would make at least a four, with the remaining threat of a stone of `side` on `at` if the
    /// opponent occupied the point.
    pub(super) fn for_each_answer(
        &self,
        side: Side,
        at: Point,
        mut call: impl FnMut(Point, Threat),
    ) {
        let cell = &self.cells[cell_of(at)];
        let kinds = cell.kinds[side.index()];
        for_each_neighbour::<REACH>(cell_of(at), |other, direction, _| {
            if !self.cells[other].vacant || !lines::is_four(kinds >> (4 * direction) & 15) {
                return;
            }
            let ahead = other > cell_of(at);
            let distance = other.abs_diff(cell_of(at)) / STEPS[direction];
            let key = cell.keys[direction];
            let shift = lines::shift(distance, ahead);
            let key = lines::with_stone(key, shift, side.other().index());
            let kind = u16::from(self.lines.kinds(key)[side.index()]);
            let kinds = kinds & !(15 << (4 * direction)) | kind << (4 * direction);
            call(point_of(other), self.codes.of(kinds).threat);
        });
    }
}

#[cfg(test)]
pub(super) mod tests;
