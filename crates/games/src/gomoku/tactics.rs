use super::evaluator::{GomokuEvaluation, GomokuEvaluator};
use super::knowledge::{Knowledge, Threat};
use super::rules::{Gomoku, Point};
use engine::game::{Evaluator, Side, Tactics, Verdict};

/// Files of the largest board.
const FILES: usize = 20;

// No captures: all moves are quiet. A four threatens an immediate win.
impl Tactics<Gomoku> for GomokuEvaluator {
    const MOVE_INDICES: usize = FILES * FILES;
    const VICTIMS: usize = 1;
    const PAWN: i32 = 12;

    fn smoothed(&mut self, pos: &Gomoku, mover: Side) -> i32 {
        match self.evaluation() {
            GomokuEvaluation::Patterns | GomokuEvaluation::Network => {
                let stones = pos.stones().into();
                self.by_patterns(pos, |known| {
                    known.smoothed(mover) + known.smoothed_correction(mover, stones)
                })
            }
            GomokuEvaluation::Shapes(_) => self.evaluate(pos, mover),
        }
    }

    fn move_index(&self, _: &Gomoku, mv: Point) -> usize {
        usize::from(mv.y) * FILES + usize::from(mv.x)
    }

    fn victim(&self, _: &Gomoku, _: Point) -> usize {
        0
    }

    fn victim_value(&self, _: &Gomoku, _: Point) -> i32 {
        0
    }

    fn see_at_least(&self, _: &Gomoku, _: Point, least: i32) -> bool {
        least <= 0
    }

    fn noisy(&self, _: &Gomoku, _: &mut Vec<Point>) {}

    fn threatened(&self, pos: &Gomoku) -> bool {
        self.with(pos, |known| known.must_answer(pos.mover()))
    }

    fn threatens(&self, pos: &Gomoku, mv: Point) -> bool {
        self.with(pos, |known| known.threat(pos.mover(), mv) >= Threat::Four)
    }

    fn threats(&self, pos: &Gomoku, out: &mut Vec<Point>) {
        self.with(pos, |known| known.fours(pos, pos.mover(), out));
    }

    // Plain fours must be on a line with the earlier stone; stronger threats always qualify.
    fn continues_threat(&self, pos: &Gomoku, earlier: Point, mv: Point) -> bool {
        let (x, y) = (mv.x.abs_diff(earlier.x), mv.y.abs_diff(earlier.y));
        let in_line = (x == 0 || y == 0 || x == y) && x.max(y) <= 4;
        in_line || self.with(pos, |known| known.threat(pos.mover(), mv) != Threat::Four)
    }

    // After a three there is time for another move.
    fn is_pressing(&self, pos: &Gomoku) -> bool {
        self.with(pos, |known| known.must_stop_five(pos.mover()))
    }

    fn quiet_preparations(&self, pos: &Gomoku, out: &mut Vec<Point>) {
        self.with(pos, |known| known.threes(pos, pos.mover(), out));
    }

    fn wins_in(&self, pos: &Gomoku, mover: Side) -> Option<u32> {
        self.with(pos, |known| known.wins_in(pos, mover))
    }

    // A pass is sound: an extra stone never harms the side to move.
    fn pass(&self, pos: &Gomoku, mover: Side) -> Option<Gomoku> {
        Some(pos.with_mover(mover.other()))
    }

    fn push_pass(&mut self, after: &Gomoku) {
        self.pushed_pass(after);
    }

    fn structure_key(&self, pos: &Gomoku) -> u64 {
        self.with(pos, Knowledge::structure_key)
    }

    fn verdict(&self, _: &Gomoku) -> Option<Verdict> {
        None
    }
}
