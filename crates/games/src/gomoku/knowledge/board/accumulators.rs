//! The network's sums along the course, computed when an evaluation asks for them.

use super::{Knowledge, KnowledgeStep};
use crate::gomoku::knowledge::cells::cell_of;
use crate::gomoku::knowledge::network::{self, Activations};
use crate::gomoku::rules::Point;
use engine::game::Side;

impl Knowledge {
    /// Computes the network's sums of the steps that lack them.
    fn catch_up(&mut self) {
        let Some(&(mut sums)) = self.accumulators.last() else { return };
        for step in self.accumulators.len()..self.course.len() {
            let KnowledgeStep { stone, changes, .. } = self.course[step];
            if let Some(at) = stone {
                for side in Side::BOTH {
                    let kinds = self.cells[cell_of(at)].kinds[side.index()];
                    sums.change(side, Some(self.codes.of(kinds)), None);
                }
            }
            let end = self.course.get(step + 1).map_or(self.changes.len(), |next| next.changes);
            for change in &self.changes[changes..end] {
                let [old, new] =
                    [change.kinds, change.next_kinds].map(|kinds| self.codes.of(kinds));
                sums.change(Side::BOTH[usize::from(change.side)], Some(old), Some(new));
            }
            self.accumulators.push(sums);
        }
    }

    /// What the network adds to the evaluation for the side to move, in units: nothing without it.
    #[inline]
    pub(in crate::gomoku) fn correction(&mut self, mover: Side, stones: usize) -> i32 {
        self.catch_up();
        self.accumulators.last().map_or(0, |sums| sums.correction(self.rules, mover, stones))
    }

    /// What the network's policy head reads, for the side to move; none without the network.
    #[inline]
    pub(in crate::gomoku) fn activations(&mut self, mover: Side) -> Option<Activations> {
        self.catch_up();
        self.accumulators.last().map(|sums| sums.activations(mover))
    }

    /// How likely a move is the best one, as a logit in hundredths.
    #[inline]
    pub(in crate::gomoku) fn logit(&self, active: &Activations, mover: Side, at: Point) -> i32 {
        network::logit(active, self.move_rows(mover, at))
    }

    /// The same averaged with that before the last step, as [`Knowledge::smoothed`] does.
    #[inline]
    pub(in crate::gomoku) fn smoothed_correction(&mut self, mover: Side, stones: usize) -> i32 {
        let now = self.correction(mover, stones);
        let before =
            self.accumulators.len().checked_sub(2).and_then(|at| self.accumulators.get(at));
        before.map_or(now, |sums| (now - sums.correction(self.rules, mover.other(), stones)) / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gomoku::rules::Gomoku;
    use engine::game::{Game, Rng};

    #[test]
    fn sums_asked_for_late_are_those_of_a_new_board() {
        let mut rng = Rng::new(6);
        for _ in 0..crate::games_of_test(20) {
            let mut line = vec![Gomoku::new(15).expect("a size")];
            let mut known = Knowledge::new(&line[0], true);
            for _ in 0..80 {
                let pos = line[line.len() - 1];
                let is_back = line.len() > 1 && rng.below(3) == 0;
                if is_back {
                    line.pop();
                    known.pop();
                } else if rng.below(10) == 0 {
                    let after = pos.with_mover(pos.mover().other());
                    known.push_pass(&after);
                    line.push(after);
                } else {
                    let free: Vec<_> =
                        pos.points().filter(|&point| pos.stone(point).is_none()).collect();
                    let (at, mut after) = (free[rng.below(free.len())], pos);
                    after.play(at);
                    known.push(pos.mover(), at, &after);
                    line.push(after);
                }
                if rng.below(4) == 0 {
                    let pos = line[line.len() - 1];
                    let (mover, mut new) = (pos.mover(), Knowledge::new(&pos, true));
                    assert_eq!(known.correction(mover, 9), new.correction(mover, 9), "{pos:?}");
                }
            }
        }
    }
}
