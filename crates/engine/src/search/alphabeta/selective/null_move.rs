//! Null move pruning: cut if the position is good enough even after a pass.
// CITE: Donninger 1993, "Null move and deep search"; verification, Tabibi and Netanyahu 2002.

use super::{NodeInfo, SelectiveSearcher, hundredths};
use crate::game::{Game, Tactics};
use crate::search::alphabeta::engine::Node;
use crate::search::{Score, Stopped};

// Constants measured only with the technique as a whole: `benches/ablation.py null_move`, docs/selective.md.

/// Minimum depth.
const FROM: u32 = 2;
/// Maximum further plies of reduction for a lead.
const MOST_FOR_LEAD: i32 = 3;

impl<G: Game, E: Tactics<G>> SelectiveSearcher<'_, G, E> {
    pub(super) fn null_move(&mut self, pos: &G, info: &NodeInfo) -> Result<Option<Score>, Stopped> {
        let node = info.node;
        let beta = node.window.beta;
        let (stack, by) = (&self.nodes.stack, self.nodes.parameters);
        let just_passed = node.ply > 0 && stack.at(node.ply - 1).mv.is_none();
        let forbidden =
            self.nodes.no_pass.is_some_and(|(side, until)| side == node.mover && node.ply < until);
        if !self.nodes.switches.null_move
            || node.depth < FROM
            || beta.is_decided()
            || just_passed
            || forbidden
            || info.guess < beta.raw()
            || info.eval + hundredths::<G, E>(by.null_slack) * (node.depth as i32) < beta.raw()
        {
            return Ok(None);
        }
        let Some(next) = self.evaluator.pass(pos, node.mover) else { return Ok(None) };
        let lead = (info.guess - beta.raw()) / hundredths::<G, E>(by.null_lead).max(1);
        let less = (by.null_reduction + by.null_reduction_ply * node.depth as i32) / 100;
        let depth = node.depth.saturating_sub((less + lead.min(MOST_FOR_LEAD)) as u32);
        let entry = self.nodes.stack.at_mut(node.ply);
        (entry.mv, entry.move_index) = (None, None);
        self.nodes.stack.at_mut(node.ply + 1).cut = !info.cut;
        self.evaluator.push_pass(&next);
        self.traced_move = None;
        let score = self.value(&next, node.ask(depth, node.window), None)?;
        self.evaluator.pop();
        if score < beta {
            return Ok(None);
        }
        // A win after a null move is not a proof.
        let score = if score.is_decided() { beta } else { score };
        if node.depth < by.null_verified_from || self.nodes.no_pass.is_some() {
            return Ok(Some(score));
        }
        self.nodes.no_pass = Some((node.mover, node.ply + 3 * depth / 4));
        let verified = self.selective(pos, Node { depth, ..node })?;
        self.nodes.no_pass = None;
        Ok((verified >= beta).then_some(score))
    }
}
