//! Multi-ProbCut: a node is cut where a shallower search of it says that its value will be outside the window.
//!
//! ```text
//!   value at 3 plies  ---- a, b ---->  value at 7 plies, give or take sigma
//!   at least `needed`                  at least beta, but for an error of more than `doubt` sigma
//! ```
// CITE: Buro 1995, "ProbCut: an effective selective extension of the alpha-beta algorithm"; Buro 1997,
// "Experiments with Multi-ProbCut and a new high-quality evaluation function for Othello".

use super::engine::{Node, Query};
use super::full_width::{FullWidth, FullWidthSearcher};
use super::options::{Options, Pruning};
use super::threads::{self, ThreadSetup};
use super::{full_width, tt};
use crate::game::{Deterministic, Evaluator, Game};
use crate::options::options;
use crate::search::memory::{Bound, TableEntry};
use crate::search::order::NO_MOVE;
use crate::search::score::ScoreScale;
use crate::search::solve::solve_or;
use crate::search::trace::TraceEvent;
use crate::search::{Algorithm, Calibration, Job, ProbCutRow, Report, Score, Stopped, Window};

options! {
    /// Options of ProbCut.
    pub struct ProbCutOptions {
        /// Errors of a forecast that are allowed for, in standard deviations: with fewer, more is cut and more of it
        /// wrongly.
        // Othello at 20 ms, 200 games each: 0.8 against 0.5 has 52.0 % +- 6.1, against 1.1 50.0 % +- 6.4; 1.6 against 1.2 has
        // 40.2 % +- 5.5 (`bestmove match ... --opening 8 --balanced 3`, seeds 10, 9, 7).
        doubt: f64 = 0.8, [0, 10];
    }
}

/// Alpha-beta with Multi-ProbCut.
#[derive(Clone, Debug)]
pub struct ProbCut<E> {
    /// Knowledge of the game.
    pub evaluator: E,
    /// Options without effect on values.
    pub options: Options,
    /// Options of ProbCut.
    pub probcut: ProbCutOptions,
    /// Measured figures, whose rows replace the game's.
    pub calibration: Calibration,
}

impl<E> ProbCut<E> {
    /// The default options, and the figures of the game.
    pub fn new(evaluator: E) -> Self {
        Self {
            evaluator,
            options: Options::default(),
            probcut: ProbCutOptions::default(),
            calibration: Calibration::default(),
        }
    }
}

impl<G: Deterministic, E: Evaluator<G>> Algorithm<G> for ProbCut<E> {
    fn run(&self, job: &Job<'_, G>) -> Report<G::Move> {
        let Self { evaluator, options, probcut, calibration } = self;
        let (list, scale) = full_width::<G, E>(evaluator, options);
        // Cut moves may win sooner.
        let scale = ScoreScale { distances: false, ..scale };
        let measured = &calibration.probcut[..];
        let rows = if measured.is_empty() { E::TUNING.probcut } else { measured };
        let nodes = &|| FullWidth::with_probcut(ProbCutPairs::new(rows, probcut.doubt));
        let setup = ThreadSetup { evaluator, options, list, scale, nodes };
        let (found, stats) = solve_or(job, evaluator, &|job| threads::search(job, &setup));
        found.report(stats, scale)
    }
}

/// The forecasts in use.
#[derive(Clone, Debug, Default)]
pub(super) struct ProbCutPairs {
    /// By depth.
    rows: Vec<Option<ProbCutRow>>,
    doubt: f64,
}

impl ProbCutPairs {
    /// Of the rows of each depth, the surest forecast within half of it that ends with the same side's move: evaluations
    /// after moves of either side differ.
    fn new(all: &[ProbCutRow], doubt: f64) -> Self {
        let suits = |row: &&ProbCutRow| {
            2 * row.shallow <= row.deep + 1 && (row.deep - row.shallow).is_multiple_of(2)
        };
        let deepest = all.iter().map(|row| row.deep).max().unwrap_or(0);
        let surest = |deep| {
            let rows = all.iter().filter(|row| row.deep == deep).filter(suits);
            rows.min_by(|one, other| one.sigma.total_cmp(&other.sigma)).copied()
        };
        Self { rows: (0..=deepest).map(surest).collect(), doubt }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.iter().all(Option::is_none)
    }

    fn at(&self, depth: u32) -> Option<ProbCutRow> {
        self.rows.get(depth as usize).copied().flatten()
    }
}

impl<G: Game, E: Evaluator<G>> FullWidthSearcher<'_, G, E> {
    /// A bound outside the null window that the node's value is likely to keep. It is stored with the best move `known`.
    #[inline]
    pub(super) fn foretold(
        &mut self,
        pos: &G,
        node: Node,
        known: Option<TableEntry>,
        key: Option<u64>,
    ) -> Result<Option<Score>, Stopped> {
        let Some(row) = self.nodes.probcut.at(node.depth) else { return Ok(None) };
        if !node.window.is_null() || self.options.pruning != Pruning::Both {
            return Ok(None);
        }
        let Some(score) = self.forecast(pos, node, row)? else { return Ok(None) };
        self.horizons += 1;
        self.cutoffs += 1;
        self.trace.note(TraceEvent::Probcut);
        if let Some(key) = key {
            let bound = if score >= node.window.beta { Bound::Lower } else { Bound::Upper };
            let best = known.map_or(NO_MOVE, |entry| entry.best);
            let entry = tt::entry(score, bound, best, node.depth, node.ply, false);
            self.tables.store(key, node.depth, node.ply, entry);
        }
        Ok(Some(score))
    }

    fn forecast(&mut self, pos: &G, node: Node, row: ProbCutRow) -> Result<Option<Score>, Stopped> {
        let Window { alpha, beta } = node.window;
        if alpha.is_decided() || beta.is_decided() {
            return Ok(None);
        }
        let reach = f64::from(self.reach);
        let doubt = self.nodes.probcut.doubt;
        // One side is tried: the one that the evaluation is on.
        let high = self.evaluator.evaluate(pos, node.mover) >= beta.raw();
        let limit = if high {
            row.needed(beta.raw(), doubt).map(f64::ceil)
        } else {
            row.allowed(alpha.raw(), doubt).map(f64::floor)
        };
        let Some(limit) = limit.filter(|limit| limit.abs() < reach) else { return Ok(None) };
        let limit = Score::heuristic(limit as i32);
        let window = if high {
            Window::new(Score::heuristic(limit.raw() - 1), limit)
        } else {
            Window::above(limit)
        };
        let query = Query { viewer: node.mover, depth: row.shallow, ply: node.ply, window };
        self.traced_move = None;
        let score = self.value(pos, query, node.previous)?;
        let cut = if high { score >= limit } else { score <= limit };
        Ok(cut.then_some(if high { beta } else { alpha }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_surest_forecast_within_half_the_depth_that_the_same_side_ends_is_used() {
        let row = |(shallow, deep, sigma)| ProbCutRow { shallow, deep, a: 1.0, b: 0.0, sigma };
        let all = [(1, 3, 1.0), (2, 3, 0.5), (1, 4, 1.0), (4, 6, 1.0), (0, 6, 3.0), (2, 6, 2.0)];
        let pairs = ProbCutPairs::new(&all.map(row), 1.0);
        let shallow = |depth| pairs.at(depth).map(|row| row.shallow);
        assert_eq!([2, 3, 4, 6, 7].map(shallow), [None, Some(1), None, Some(2), None]);
    }

    #[test]
    fn a_forecast_allows_for_its_error_on_either_side() {
        let row = ProbCutRow { shallow: 2, deep: 6, a: 2.0, b: 10.0, sigma: 20.0 };
        assert_eq!(row.needed(400, 1.5), Some(210.0), "2 * 210 + 10 - 1.5 * 20 = 400");
        assert_eq!(row.allowed(400, 1.5), Some(180.0), "2 * 180 + 10 + 1.5 * 20 = 400");
        assert_eq!(ProbCutRow { a: 0.0, ..row }.needed(0, 1.0), None);
    }
}
