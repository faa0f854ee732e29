//! Move ordering.
// CITE: killers, Akl and Newborn 1977; countermove, Uiterwijk 1992; most valuable victim first.

use super::history::Before;
use super::move_loop::{Listed, UNTRIED};
use super::{NodeInfo, SelectiveSearcher};
use crate::game::{Game, Tactics};
use crate::search::alphabeta::engine::Node;

/// Move stage, in the order of search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Table move, or noisy without loss of material.
    Good,
    /// Quiet: killer or countermove.
    Killer,
    Quiet,
    /// Noisy with loss of material.
    Bad,
}

// Sort keys by stage; keys within a stage stay below 2^32. The lowest bits hold the list index, so that
// keys are distinct. Not tuned: the values only keep the stages apart.
const REMEMBERED: i64 = i64::MAX;
const GOOD: i64 = 1 << 50;
const KILLER: i64 = 1 << 46;
const BAD: i64 = -(1 << 50);
const PLACES: i64 = 1 << 10;
/// History units per hundredth of the smallest piece. Not tuned.
const VICTIM_WEIGHT: i64 = 24;

impl<G: Game, E: Tactics<G>> SelectiveSearcher<'_, G, E> {
    /// Appends the sort keys of the moves from `start` on; true if the table move is noisy.
    pub(super) fn order_moves(
        &mut self,
        pos: &G,
        info: &NodeInfo,
        start: usize,
        remembered: u16,
    ) -> bool {
        let node = info.node;
        if self.nodes.switches.policy {
            self.evaluator.prepare_order(pos, node.mover, node.depth);
        }
        let stack = &self.nodes.stack;
        let killers = stack.at(node.ply).killers;
        let before = stack.before(node.ply);
        let answer = before[0].and_then(|move_index| self.nodes.answers[move_index]);
        let mut known_is_noisy = false;
        for n in start..self.moves.len() {
            let mv = self.moves[n];
            let code = G::move_code(mv);
            let victim = self.evaluator.victim(pos, mv);
            let place = PLACES - 1 - (n - start) as i64;
            let key = if code == remembered {
                known_is_noisy = victim > 0;
                self.keys.push(REMEMBERED);
                continue;
            } else if victim > 0 {
                GOOD / PLACES + self.noisy_key(pos, mv, victim)
            } else if killers[0] == Some(mv) && self.nodes.switches.killers {
                KILLER / PLACES + 2
            } else if killers[1] == Some(mv) && self.nodes.switches.killers {
                KILLER / PLACES + 1
            } else if answer == Some(mv) && self.nodes.switches.killers {
                KILLER / PLACES
            } else {
                let move_index = self.evaluator.move_index(pos, mv);
                let learned = i64::from(self.quiet_history(info, &before, code, move_index));
                let prior = self.nodes.pruning.prior(&self.evaluator, pos, node, mv);
                learned + i64::from(prior) * i64::from(self.nodes.parameters.quiet_order)
            };
            self.keys.push(key * PLACES + place);
        }
        known_is_noisy
    }

    /// Ordering score of a noisy move: value of the captured piece, then capture history.
    #[inline]
    pub(super) fn noisy_key(&self, pos: &G, mv: G::Move, victim: usize) -> i64 {
        let learned = self.nodes.history.capture(self.evaluator.move_index(pos, mv), victim);
        i64::from(self.evaluator.victim_value(pos, mv)) * 100 * VICTIM_WEIGHT / i64::from(E::PAWN)
            + i64::from(learned)
    }

    /// History score of a quiet move.
    #[inline]
    pub(super) fn quiet_history(
        &self,
        info: &NodeInfo,
        before: &Before,
        code: u16,
        move_index: usize,
    ) -> i32 {
        let (history, switches) = (&self.nodes.history, &self.nodes.switches);
        let own = if switches.history { history.by_code(info.node.mover, code) } else { 0 };
        if !switches.continuation_history {
            return own;
        }
        own + history.continuation(before, move_index)
    }

    /// Removes sleeping moves from the moves from `start` on; true if there were any.
    pub(super) fn remove_sleeping(&mut self, node: Node, start: usize) -> bool {
        let SelectiveSearcher { nodes, moves, .. } = self;
        nodes.pruning.sleep.remove_sleeping(node, moves, start)
    }

    /// The move at `n` is searched next: below it sleep the moves tried before, from `start` on, that commute
    /// with it.
    #[inline]
    pub(super) fn put_to_sleep(&mut self, pos: &G, node: Node, start: usize, n: usize) {
        if !self.nodes.switches.order_independence {
            return;
        }
        let SelectiveSearcher { nodes, moves, keys, evaluator, .. } = self;
        // Pruned moves may still be tried after another move.
        let before = moves[start..n].iter().zip(&keys[start..n]);
        let tried = before.filter(|&(_, &key)| key != UNTRIED).map(|(&mv, _)| mv);
        nodes.pruning.sleep.put_to_sleep(evaluator, pos, node, tried, moves[n]);
    }

    /// Moves the best of the moves from `n` on to `n` and returns its stage. Static exchange evaluation of a
    /// capture is delayed until then.
    #[inline]
    pub(super) fn pick_move(&mut self, pos: &G, listed: Listed, n: usize) -> Stage {
        loop {
            let keys = self.keys[n..listed.end].iter().copied();
            let larger = |best: (i64, usize), other: (i64, usize)| {
                if other.0 > best.0 { other } else { best }
            };
            let (_, best) = keys.zip(n..).reduce(larger).expect("a move is left");
            self.moves.swap(n, best);
            self.keys.swap(n, best);
            let key = self.keys[n];
            if key == REMEMBERED {
                return Stage::Good;
            }
            if key >= GOOD / 2 {
                if self.evaluator.see_at_least(pos, self.moves[n], 0) {
                    return Stage::Good;
                }
                self.keys[n] = key - GOOD + BAD;
                continue;
            }
            return if key >= KILLER / 2 {
                Stage::Killer
            } else if key > BAD / 2 {
                Stage::Quiet
            } else {
                Stage::Bad
            };
        }
    }

    /// Drops the quiet moves from `n` on; the first of them is at `n`.
    pub(super) fn without_quiet(&mut self, listed: Listed, n: usize) -> Listed {
        let mut end = n;
        for other in n..listed.end {
            if self.keys[other] < BAD / 2 {
                self.moves[end] = self.moves[other];
                self.keys[end] = self.keys[other];
                end += 1;
            }
        }
        Listed { end, ..listed }
    }
}
