//! Evaluation as a linear model for fitting; output of the weights as source text.

use super::evaluator::GeniusEvaluator;
use super::moves::GeniusMove;
use super::state::Genius;
use super::worth::{self, TERMS, WorthSink};
use engine::game::{Fitted, rewritten};

/// Current source text; everything except the numbers is kept.
const SOURCE: &str = include_str!("weights.rs");
/// Weights per source line.
const IN_A_LINE: usize = 12;

/// Count of each term: first side minus second side.
struct GeniusCounts([i32; TERMS]);

impl WorthSink for GeniusCounts {
    fn add(&mut self, term: usize, times: i32) {
        self.0[term] += times;
    }
}

impl Fitted<Genius> for GeniusEvaluator {
    fn weights(&self) -> Vec<f64> {
        self.judgement().weights.iter().map(|&weight| f64::from(weight)).collect()
    }

    fn factors(&self, pos: &Genius, out: &mut Vec<(u32, f32)>) {
        let mut counts = GeniusCounts([0; TERMS]);
        worth::tally(pos, &mut counts);
        let counts = (0..).zip(counts.0).filter(|(_, count)| *count != 0);
        out.extend(counts.map(|(term, count)| (term, count as f32)));
    }

    /// True in a position with an action to choose: no pending tasks, dice already rolled.
    fn is_calm(&self, pos: &Genius, _: GeniusMove) -> bool {
        pos.tasks.next().is_none()
    }

    fn name(&self, weight: usize) -> String {
        worth::name(weight)
    }

    fn source(&self, weights: &[f64], scale: f64) -> String {
        // The cast saturates to the range of the type.
        let whole = |weight: &f64| format!("{},", weight.round() as i16);
        let line = |line: &[f64]| line.iter().map(whole).collect::<Vec<_>>().join(" ");
        let table: Vec<_> = weights.chunks(IN_A_LINE).map(line).collect();
        rewritten(SOURCE, scale, &table)
    }
}
