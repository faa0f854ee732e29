//! What a cutoff teaches.

use super::node::Listed;
use super::{Picky, Sight};
use crate::game::{Game, Tactics};

/// What a move gains or loses in the history tables.
#[inline]
fn credit_at(depth: u32) -> i32 {
    let depth = depth.min(20) as i32;
    (14 * depth * depth + 60 * depth).min(1_800)
}

impl<G: Game, E: Tactics<G>> Picky<'_, G, E> {
    /// The move at `n` was the best; those before it were not.
    pub(super) fn learn_moves(&mut self, pos: &G, sight: &Sight, listed: Listed, n: usize) {
        let node = sight.node;
        let amount = credit_at(node.depth);
        let before = self.nodes.frames.before(node.ply);
        let best = self.moves[n];
        let best_is_quiet = self.expert.loot(pos, best) == 0;
        for &mv in &self.moves[listed.start..=n] {
            let (topic, loot) = (self.expert.topic(pos, mv), self.expert.loot(pos, mv));
            let amount = if mv == best { amount } else { -amount };
            if loot > 0 {
                self.nodes.history.credit_capture(topic, loot, amount);
            } else if best_is_quiet {
                self.nodes.history.credit_code(node.mover, G::move_code(mv), amount);
                self.nodes.history.credit_continuation(&before, topic, amount);
            }
        }
        if best_is_quiet {
            let killers = &mut self.nodes.frames.at_mut(node.ply).killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
            if let Some(topic) = before[0] {
                self.nodes.answers[topic] = Some(best);
            }
        }
    }
}
