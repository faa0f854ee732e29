//! Updates of the move ordering after a cutoff or a new best move.

use super::move_loop::Listed;
use super::{NodeInfo, SelectiveSearcher};
use crate::game::{Game, Tactics};
use crate::search::alphabeta::engine::Node;

/// Deeper searches count as this deep. Not tuned.
const DEEPEST_CREDIT: u32 = 20;

impl<G: Game, E: Tactics<G>> SelectiveSearcher<'_, G, E> {
    /// History bonus or malus of a search of `depth` plies.
    fn credit_at(&self, depth: u32) -> i32 {
        let by = &self.nodes.parameters;
        let depth = depth.min(DEEPEST_CREDIT) as i32;
        let credit = by.history_credit_square * depth * depth + by.history_credit * depth;
        credit.min(by.history_credit_most)
    }

    /// Credits the last move, if quiet, with the gain in static evaluation of the side that played it; `eval` is the
    /// evaluation for the other side, the mover. Measured in xiangqi: docs/selective.md.
    // CITE: quiet moves ordered by differences of static evaluations, Stockfish 13, 2021.
    pub(super) fn learn_gain(&mut self, node: Node, eval: i32) {
        let by = &self.nodes.parameters;
        if node.ply == 0 || !self.nodes.switches.history || by.history_evaluation == 0 {
            return;
        }
        let last = self.nodes.stack.at(node.ply - 1);
        let (Some(mv), Some(before), true) = (last.mv, last.eval, last.quiet) else { return };
        let (gain, most) = (-i64::from(eval) - i64::from(before), by.history_evaluation_most);
        let amount = gain * i64::from(by.history_evaluation) / i64::from(E::PAWN);
        let amount = amount.clamp((-most).into(), most.into()) as i32;
        self.nodes.history.credit_code(node.mover.other(), G::move_code(mv), amount);
    }

    /// Rewards the best move, at `n`, and punishes those before it.
    pub(super) fn learn_moves(&mut self, pos: &G, info: &NodeInfo, listed: Listed, n: usize) {
        let node = info.node;
        let amount = self.credit_at(node.depth);
        let before = self.nodes.stack.before(node.ply);
        let best = self.moves[n];
        let best_is_quiet = self.evaluator.victim(pos, best) == 0;
        for &mv in &self.moves[listed.start..=n] {
            let (move_index, victim) =
                (self.evaluator.move_index(pos, mv), self.evaluator.victim(pos, mv));
            let amount = if mv == best { amount } else { -amount };
            if victim > 0 {
                self.nodes.history.credit_capture(move_index, victim, amount);
            } else if best_is_quiet {
                self.nodes.history.credit_code(node.mover, G::move_code(mv), amount);
                self.nodes.history.credit_continuation(&before, move_index, amount);
            }
        }
        if best_is_quiet {
            let killers = &mut self.nodes.stack.at_mut(node.ply).killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
            if let Some(move_index) = before[0] {
                self.nodes.answers[move_index] = Some(best);
            }
        }
    }
}
