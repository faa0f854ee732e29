//! The hand-made evaluation as a linear model for fitting; output of the weights as source text.

use super::terms::{TERMS, TermSink};
use super::weights::WEIGHTS;
use super::{EvaluatorStackEntry, OPENING, Xiangqi, XiangqiEvaluator, XiangqiMove, evaluation};
use engine::game::{Fitted, rewritten};

/// Weights per term: opening and endgame.
const STAGES: usize = 2;
/// Terms per source line.
const IN_A_LINE: usize = 5;
/// Current source text; everything except the numbers is kept.
const SOURCE: &str = include_str!("weights.rs");

/// Count of each term: Red minus Black.
struct XiangqiCounts([i32; TERMS]);

impl TermSink for XiangqiCounts {
    fn add(&mut self, term: usize, times: i32) {
        self.0[term] += times;
    }
}

impl Fitted<Xiangqi> for XiangqiEvaluator {
    fn weights(&self) -> Vec<f64> {
        WEIGHTS.as_flattened().iter().map(|&weight| f64::from(weight)).collect()
    }

    fn factors(&self, pos: &Xiangqi, out: &mut Vec<(u32, f32)>) {
        let mut counts = XiangqiCounts([0; TERMS]);
        evaluation::places(pos, &mut counts);
        evaluation::other_terms(pos, &mut counts);
        let stage = EvaluatorStackEntry::of(pos).stage.min(OPENING);
        for (term, &count) in counts.0.iter().enumerate().filter(|(_, count)| **count != 0) {
            for (n, share) in [stage, OPENING - stage].into_iter().enumerate() {
                if share != 0 {
                    let number = (STAGES * term + n) as u32;
                    out.push((number, (count * share) as f32 / OPENING as f32));
                }
            }
        }
    }

    fn is_calm(&self, pos: &Xiangqi, step: XiangqiMove) -> bool {
        !pos.in_check() && pos.kind_at(step.to).is_none()
    }

    fn name(&self, weight: usize) -> String {
        let stage = ["opening", "endgame"][weight % STAGES];
        format!("term {}, {stage}", weight / STAGES)
    }

    fn source(&self, weights: &[f64], scale: f64) -> String {
        // The cast saturates to the range of the type.
        let whole: Vec<_> = weights.iter().map(|weight| weight.round() as i16).collect();
        let pair = |pair: &[i16]| format!("{pair:?},");
        let line = |line: &[i16]| line.chunks(STAGES).map(pair).collect::<Vec<_>>().join(" ");
        let table: Vec<_> = whole.chunks(STAGES * IN_A_LINE).map(line).collect();
        rewritten(SOURCE, scale, &table)
    }
}
