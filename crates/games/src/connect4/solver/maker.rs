//! Maker of the table of early positions.

use std::collections::BTreeMap;

use super::openings::EarlyPositions;
use super::search::Search;
use super::table::SolverTable;
use crate::connect4::Connect4;
use crate::openings::{MakerProgress, OpeningMaker, Told};
use engine::game::{Game, Turn};

/// 2^22 entries, 32 MiB: a first move takes hundreds of millions of nodes. Not tuned.
const TABLE_BITS: u32 = 22;
/// Positions that cost fewer nodes are solved anew in some 10 ms and not stored.
const WORTH_STORING: u64 = 200_000;

/// Maker of the table of connect four.
pub struct Connect4Maker {
    openings: EarlyPositions,
    table: SolverTable,
    nodes: u64,
}

impl Default for Connect4Maker {
    fn default() -> Self {
        let table = SolverTable::new(TABLE_BITS);
        Self { openings: EarlyPositions::default(), table, nodes: 0 }
    }
}

impl OpeningMaker for Connect4Maker {
    fn resume(&mut self, file: &[u8]) -> bool {
        let read = EarlyPositions::read(file);
        let is_whole = read.is_some();
        self.openings = read.unwrap_or_default();
        is_whole
    }

    fn make(&mut self, lines: u32, all: u32, told: &mut Told<'_>) {
        let Some(levels) = self.lines(lines, told) else { return };
        // The other moves of the lines need values too: they are rated. The lines of the first player are fewer.
        let (first, second) = (levels.iter().step_by(2), levels.iter().skip(1).step_by(2));
        for level in first.chain(second) {
            let next = level.iter().flat_map(replies);
            if self.solve_all("ratings", &distinct(next), told).is_none() {
                return;
            }
        }
        let mut level = vec![Connect4::default()];
        for _ in 0..=all {
            if self.solve_all("all", &level, told).is_none() {
                return;
            }
            level = distinct(level.iter().flat_map(replies));
        }
    }

    fn file(&self) -> Vec<u8> {
        self.openings.write()
    }
}

impl Connect4Maker {
    /// Solves the positions with up to `last` stones in which one side, whichever, has always played the best
    /// move of ours and is to move again. `None` if stopped.
    fn lines(&mut self, last: u32, told: &mut Told<'_>) -> Option<Vec<Vec<Connect4>>> {
        let start = Connect4::default();
        let mut levels = vec![vec![start], distinct(replies(&start))];
        for ply in 0..=last as usize {
            let level = levels[ply].clone();
            let mut best = Vec::new();
            for (done, pos) in level.iter().enumerate() {
                best.push(self.play_best(pos));
                self.tell("lines", &level, done, told)?;
            }
            levels.push(distinct(best.iter().flat_map(replies)));
        }
        levels.truncate(last as usize + 1);
        Some(levels)
    }

    fn solve_all(
        &mut self,
        part: &'static str,
        level: &[Connect4],
        told: &mut Told<'_>,
    ) -> Option<()> {
        for (done, pos) in level.iter().enumerate() {
            self.solve(pos);
            self.tell(part, level, done, told)?;
        }
        Some(())
    }

    fn tell(
        &self,
        part: &'static str,
        level: &[Connect4],
        last: usize,
        told: &mut Told<'_>,
    ) -> Option<()> {
        let progress = MakerProgress {
            part,
            ply: level[last].stones(),
            done: last + 1,
            of: level.len(),
            stored: self.openings.len(),
            nodes: self.nodes,
        };
        told(progress, &|| self.file()).then_some(())
    }

    /// Solves a position; stores its score if it was dear.
    fn solve(&mut self, pos: &Connect4) {
        if self.openings.score(pos).is_none() {
            let (score, nodes) = self.search(|search| search.score(pos));
            if nodes >= WORTH_STORING {
                self.openings.insert(pos, score);
            }
        }
    }

    /// The position after a best move. If it was dear to find, its score is stored too, so that every other
    /// search finds the same move.
    fn play_best(&mut self, pos: &Connect4) -> Connect4 {
        self.solve(pos);
        let (score, _) = self.search(|search| search.score(pos));
        let (cell, _) = self.search(|search| search.best(pos, score));
        let next = pos.with(cell);
        if self.openings.score(pos).is_some() && self.openings.score(&next).is_none() {
            self.openings.insert(&next, -score);
        }
        next
    }

    /// Runs a search to its end; the result and its nodes.
    fn search<T>(&mut self, run: impl FnOnce(&mut Search<'_>) -> Option<T>) -> (T, u64) {
        let mut nodes = 0;
        let go_on = &mut || {
            nodes += 1;
            true
        };
        let found = run(&mut Search { table: &mut self.table, openings: &self.openings, go_on });
        self.nodes += nodes;
        (found.expect("nothing stops the search"), nodes)
    }
}

/// Unfinished positions after one more move; none of a finished one.
fn replies(pos: &Connect4) -> impl Iterator<Item = Connect4> + use<> {
    let next = pos.legal_moves().into_iter().map({
        let pos = *pos;
        move |column| pos.after(column)
    });
    next.filter(|pos| matches!(pos.turn(), Turn::Of(_)))
}

/// One of each pair of mirror images, by rising key.
fn distinct(positions: impl IntoIterator<Item = Connect4>) -> Vec<Connect4> {
    let by_key: BTreeMap<_, _> =
        positions.into_iter().map(|pos| (pos.canonical_key(), pos)).collect();
    by_key.into_values().collect()
}
