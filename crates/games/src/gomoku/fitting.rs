//! Pattern evaluation as a linear model for fitting; output of the weights as source text.

use super::evaluator::GomokuEvaluator;
use super::knowledge::{Knowledge, Threat, worth};
use super::rules::{Gomoku, Point};
use engine::game::Fitted;

impl Fitted<Gomoku> for GomokuEvaluator {
    fn weights(&self) -> Vec<f64> {
        worth::weights()
    }

    fn factors(&self, pos: &Gomoku, out: &mut Vec<(u32, f32)>) {
        let mover = pos.mover();
        let mut counts = vec![0; worth::TERMS];
        let known = Knowledge::of(pos);
        known.for_each_term(mover, |side, term| counts[term] += side.sign());
        counts[worth::MOVE] = mover.sign();
        counts[worth::STANCE + known.stance(mover)] = mover.sign();
        let counts = (0..).zip(counts).filter(|(_, count)| *count != 0);
        out.extend(counts.map(|(term, count)| (term, count as f32)));
    }

    fn is_calm(&self, pos: &Gomoku, mv: Point) -> bool {
        let mover = pos.mover();
        self.with(pos, |known| {
            !known.must_stop_five(mover)
                && known.wins_in(pos, mover).is_none()
                && known.threat(mover, mv) < Threat::Four
        })
    }

    fn name(&self, weight: usize) -> String {
        worth::name(weight)
    }

    fn source(&self, weights: &[f64], scale: f64) -> String {
        worth::source(weights, scale)
    }
}
