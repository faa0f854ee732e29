//! The recursion of the solver.

use super::openings::EarlyPositions;
use super::order::OrderedCells;
use super::score::{Bounds, CELLS, winning};
use super::table::SolverTable;
use crate::connect4::rules::{BOTTOM, Connect4, four};

/// Up to this number of stones a position and its mirror image are one. Later few such pairs meet: not tuned.
const MIRRORED_UNTIL: u32 = 12;
/// Up to this number of stones the table is asked about every reply before one is searched. Measured by nodes
/// over `tests/data/connect4_positions.json`, 8 to 18 stones: never 84 million, until 24 76, until 32 68.
const REPLIES_UNTIL: u32 = 32;
/// Rows 1, 3 and 5: with an even number of empty cells in every column, those of the side to move if the
/// opponent always answers in the same column.
const ODD_ROWS: u64 = BOTTOM | BOTTOM << 2 | BOTTOM << 4;
/// Rows 2, 4 and 6. A lowest empty cell lies there if the column has an odd number of them.
const EVEN_ROWS: u64 = ODD_ROWS << 1;

/// One search with its table.
pub(super) struct Search<'a> {
    pub(super) table: &'a mut SolverTable,
    pub(super) openings: &'a EarlyPositions,
    /// Called at every node; false stops the search.
    pub(super) go_on: &'a mut dyn FnMut() -> bool,
}

impl Search<'_> {
    /// Score of an unfinished position, found by questions whether it is above a number: first the result,
    /// then one step at a time from the answer, which is often a better bound than asked for.
    // CITE: MTD(f), Plaat, Schaeffer, Pijls and de Bruin 1996.
    pub(super) fn score(&mut self, pos: &Connect4) -> Option<i32> {
        if wins_at_once(pos) != 0 {
            return Some(winning(pos.stones(), 1));
        }
        if let Some(score) = self.openings.score(pos) {
            return Some(score);
        }
        let Bounds { mut least, mut most } = possible(pos.stones());
        let mut alpha = 0;
        while least < most {
            alpha = alpha.clamp(least, most - 1);
            let bound = self.bound(pos, alpha)?;
            if bound > alpha {
                least = bound;
                alpha = bound;
            } else {
                most = bound;
                alpha = bound - 1;
            }
        }
        Some(least)
    }

    /// Landing cell of a move that keeps the score. Positions of the opening table are tried first: they cost
    /// nothing.
    pub(super) fn best(&mut self, pos: &Connect4, score: i32) -> Option<u64> {
        let (wins, safe) = (wins_at_once(pos), safe_cells(pos));
        if wins != 0 || safe == 0 {
            // If no move is safe, each loses with the next stone.
            let cells = if wins != 0 { wins } else { pos.playable() };
            return Some(cells & cells.wrapping_neg());
        }
        let moves = OrderedCells::new(pos, safe);
        let known = |cell: &u64| self.openings.score(&pos.with(*cell)) == Some(-score);
        if let Some(cell) = moves.iter().find(known) {
            return Some(cell);
        }
        for cell in moves.iter() {
            if self.bound(&pos.with(cell), -score)? <= -score {
                return Some(cell);
            }
        }
        unreachable!("one of the moves has the score of the position")
    }

    /// Score if it is `alpha` or `alpha + 1`; otherwise a lower bound above it or an upper bound at most
    /// `alpha`. The side to move has no win at once.
    fn bound(&mut self, pos: &Connect4, alpha: i32) -> Option<i32> {
        if !(self.go_on)() {
            return None;
        }
        let cells = safe_cells(pos);
        if cells == 0 {
            return Some(-winning(pos.stones(), 2));
        }
        let mut bounds = possible_later(pos.stones());
        if let Some(bound) = bounds.decide(alpha).or_else(|| without_wins(pos, alpha)) {
            return Some(bound);
        }
        if cells & (cells - 1) == 0 {
            return Some(-self.bound(&pos.with(cells), -alpha - 1)?);
        }
        let key = key(pos);
        if let Some(score) = self.openings.score(pos) {
            return Some(score);
        }
        if let Some(known) = self.table.probe(key) {
            bounds = bounds.meet(known);
            if let Some(bound) = bounds.decide(alpha) {
                return Some(bound);
            }
        }
        self.prefetch_replies(pos, cells);
        let moves = OrderedCells::new(pos, cells);
        if let Some(bound) = self.known_reply(pos, &moves, alpha) {
            return Some(bound);
        }
        let mut best = i32::MIN;
        for cell in moves.iter() {
            best = best.max(-self.bound(&pos.with(cell), -alpha - 1)?);
            if best > alpha {
                break;
            }
        }
        let found = if best > alpha {
            Bounds { least: best, ..bounds }
        } else {
            Bounds { most: best, ..bounds }
        };
        self.table.store(key, found);
        Some(best)
    }

    /// Fetches the table entries after these moves while the moves are being ordered.
    #[inline]
    fn prefetch_replies(&self, pos: &Connect4, mut cells: u64) {
        while cells != 0 {
            self.table.prefetch(key(&pos.with(cells & cells.wrapping_neg())));
            cells &= cells - 1;
        }
    }

    /// Lower bound above `alpha` by a position after a move that the table knows.
    // CITE: enhanced transposition cutoff, Plaat, Schaeffer, Pijls and de Bruin 1996.
    #[inline]
    fn known_reply(&self, pos: &Connect4, moves: &OrderedCells, alpha: i32) -> Option<i32> {
        if pos.stones() >= REPLIES_UNTIL {
            return None;
        }
        let known = moves.iter().filter_map(|cell| self.table.probe(key(&pos.with(cell))));
        known.map(|bounds| -bounds.most).find(|&bound| bound > alpha)
    }
}

impl Bounds {
    /// The bound that decides whether the score is above `alpha`.
    #[inline]
    fn decide(self, alpha: i32) -> Option<i32> {
        if self.least > alpha {
            Some(self.least)
        } else {
            (self.most <= alpha).then_some(self.most)
        }
    }

    /// What both bounds say.
    #[inline]
    fn meet(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), most: self.most.min(other.most) }
    }
}

/// Table key: early, a position and its mirror image share one.
#[inline]
fn key(pos: &Connect4) -> u64 {
    if pos.stones() <= MIRRORED_UNTIL { pos.canonical_key() } else { pos.key() }
}

/// Landing cells that complete four.
#[inline]
fn wins_at_once(pos: &Connect4) -> u64 {
    pos.playable() & pos.own_threats()
}

/// Landing cells after which the opponent does not win at once, where the mover does not.
// CITE: Pons, "Solving Connect Four", part 8: anticipate losing moves.
#[inline]
fn safe_cells(pos: &Connect4) -> u64 {
    let threats = pos.foe_threats();
    let forced = pos.playable() & threats;
    let cells = match forced {
        0 => pos.playable(),
        _ if forced & (forced - 1) == 0 => forced,
        _ => return 0,
    };
    cells & !(threats >> 1)
}

/// Bounds by the number of stones.
fn possible(stones: u32) -> Bounds {
    Bounds { least: (-winning(stones, 2)).min(0), most: winning(stones, 1) }
}

/// Bounds by the number of stones where neither side completes four with its next stone.
#[inline]
fn possible_later(stones: u32) -> Bounds {
    // With fewer than three cells left nobody wins any more.
    if stones as i32 + 2 >= CELLS {
        return Bounds { least: 0, most: 0 };
    }
    Bounds { least: -winning(stones, 4), most: winning(stones, 3) }
}

/// A bound by lines of four that a side can no longer complete. If it decides, the opponent of the side to
/// move has cells left in every line of ours, or answers in the same column to the end.
// CITE: follow-up and claimeven, Allis 1988, "A knowledge-based approach of connect-four".
#[inline]
fn without_wins(pos: &Connect4, alpha: i32) -> Option<i32> {
    let (own, foe, empty) = (pos.own_stones(), pos.foe_stones(), pos.empty());
    if alpha < 0 {
        return (!four(foe | empty)).then_some(0);
    }
    if !four(own | empty) {
        return Some(0);
    }
    let all_even = (pos.playable() & EVEN_ROWS) == 0;
    (all_even && !four(own | empty & ODD_ROWS)).then_some(0)
}
